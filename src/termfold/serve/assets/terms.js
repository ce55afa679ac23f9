// The second view: the terms that make each class, and how many of them are enough.

import { get } from "./api.js";
import { drawCurve, expected } from "./curve.js";
import { bar, byId, count, el, later, option, percent, plural, short } from "./dom.js";
import { openTerm } from "./term.js";

const OF_EACH = 10;
const OF_ONE = 100;
const MOST_CARDS = 60;
const POLL = 700;

// 10, 20, 50, 100, …, and all terms at the end.
function steps(total) {
  const found = [];
  for (let ten = 10; ten < total; ten *= 10) found.push(ten, 2 * ten, 5 * ten);
  return [...found.filter((size) => size < total), total];
}

export function startLooking(about, classes) {
  const sizes = steps(about.terms);
  const slider = byId("features");
  let curve = null;
  slider.max = sizes.length - 1;
  slider.value = sizes.length - 1;
  byId("score").append(...about.scores.map((name) => option(name)));
  byId("one-class").append(...about.classes.map((name) => option(name)));
  byId("min-df-label").hidden = !about.can.counts;

  const features = () => sizes[Number(slider.value)];

  async function load() {
    const one = byId("one-class").value;
    const found = await get("/api/terms", {
      score: byId("score").value,
      class: one,
      n: one ? OF_ONE : OF_EACH,
      features: features(),
      min_df: byId("min-df").value,
    });
    if (!found) return;
    const rest = found.classes.length - MOST_CARDS;
    byId("cards").replaceChildren(...found.classes.slice(0, MOST_CARDS).map((row) => card(row, one)));
    if (rest > 0) {
      byId("cards").append(el("p", { class: "faint" },
        `${plural(rest, "more class", "more classes")}: choose one above.`));
    }
    byId("cards").classList.toggle("single", Boolean(one));
  }

  function card(row, one) {
    const size = classes.get(row.name)?.documents;
    const largest = Math.max(...row.terms.map((term) => term.score), 1e-12);
    const name = one ? row.name : el("button", { class: "link", title: "Only this class",
      onclick: () => only(row.name) }, row.name);
    return el("section", { class: "card", "data-class": row.name },
      el("h3", {}, el("span", { class: one ? "" : "name link", dir: "auto" }, name),
        el("span", { class: "faint" }, size ? plural(size, "document") : "")),
      row.terms.length
        ? el("ol", { class: "terms" }, ...row.terms.map((term) => line(term, largest)))
        : el("p", { class: "faint small" }, "None of the terms kept speaks for it."));
  }

  function line(term, largest) {
    const title = term.documents === undefined ? term.term
      : `${term.term}: in ${count(term.class_documents)} of ${plural(term.documents, "document")} ` +
        "with it";
    return el("li", {}, el("button", { title, onclick: () => openTerm(term.term) },
      el("span", { class: "name", dir: "auto" }, term.term), bar(term.score / largest),
      el("span", { class: "figure" }, short(term.score))));
  }

  function only(name) {
    byId("one-class").value = name;
    load();
    byId("one-class").focus();
  }

  // -- how many terms -----------------------------------------------------------------------

  function slide() {
    const size = features();
    const text = `${count(size)} of ${count(about.terms)}`;
    byId("kept").textContent = text;
    slider.setAttribute("aria-valuetext", `${text} terms`);
    tell();
  }

  function tell() {
    const place = byId("expected");
    if (!curve || curve.status === "unavailable") {
      byId("curve").hidden = true;
      place.textContent = curve?.reason
        ? `The accuracy to expect is not known: ${curve.reason}.` : "";
      return;
    }
    if (curve.status === "measuring") {
      byId("curve").hidden = true;
      place.textContent = `Measuring the accuracy to expect … ${percent(curve.done, 0)}`;
      return;
    }
    const points = [...curve.methods[0].points, curve.all_terms];
    const here = expected(points, features());
    place.replaceChildren("Expected accuracy ", el("b", {}, percent(here.accuracy)),
      ` (${percent(here.low)} to ${percent(here.high)}, by ${count(curve.tested)} documents ` +
      "not learnt from)");
    drawCurve(byId("curve"), points, features());
  }

  async function loadCurve() {
    const score = byId("score").value;
    curve = await get("/api/curve", { score }, "curve");
    if (!curve) return;
    tell();
    if (curve.status === "measuring") setTimeout(() => score === byId("score").value && loadCurve(), POLL);
  }

  const loadSoon = later(80, load);
  slider.addEventListener("input", () => {
    slide();
    loadSoon();
  });
  byId("score").addEventListener("change", () => {
    load();
    loadCurve();
  });
  byId("min-df").addEventListener("change", load);
  byId("one-class").addEventListener("change", load);
  slide();
  startSearch();
  return () => {
    load();
    loadCurve();
  };
}

// -- searching ------------------------------------------------------------------------------

function startSearch() {
  const input = byId("search");
  const list = byId("found");
  let at = -1;

  function close() {
    list.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function pick(term) {
    close();
    openTerm(term);
  }

  function move(step) {
    const items = list.children;
    if (!items.length) return;
    items[at]?.setAttribute("aria-selected", "false");
    at = (at + step + items.length) % items.length;
    items[at].setAttribute("aria-selected", "true");
    items[at].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[at].id);
  }

  const search = later(80, async () => {
    const words = input.value.trim();
    if (!words) return close();
    const found = await get("/api/search", { q: words, n: 12 });
    if (!found || words !== input.value.trim()) return undefined;
    at = -1;
    list.replaceChildren(...found.terms.map((row, i) =>
      el("li", { role: "option", id: `found-${i}`, "data-term": row.term, "aria-selected": "false",
        onmousedown: (event) => event.preventDefault(), onclick: () => pick(row.term) },
      el("span", { class: "name", dir: "auto" }, row.term),
      el("span", { class: "figure" }, row.documents === null ? "" : count(row.documents)))));
    if (!found.terms.length) list.append(el("li", { class: "faint" }, "No term holds this."));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    return undefined;
  });

  input.addEventListener("input", search);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter") {
      const item = list.children[Math.max(at, 0)];
      if (!list.hidden && item?.dataset.term) pick(item.dataset.term);
    } else return;
    event.preventDefault();
  });
}
