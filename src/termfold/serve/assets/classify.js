// The first view: a text, the classes it may belong to, and the terms that decide.

import { post } from "./api.js";
import { bar, barOfTwo, byId, count, el, later, percent, plural, signed } from "./dom.js";
import { Editor, marked } from "./editor.js";
import { openTerm } from "./term.js";

const SHOWN = 8;
const TERMS = 12;
const LARGEST_FILE = 4_000_000;

export function startClassifying(about) {
  if (!about.can.classify) {
    byId("text").disabled = true;
    byId("text").placeholder = "This count file does not say how a text has terms.";
    return;
  }
  let chosen = null;
  let all = false;
  const editor = new Editor(byId("text"), byId("backdrop"), () => ask());
  byId("uncalibrated").hidden = about.can.probabilities;

  const askNow = async () => {
    const text = editor.text;
    if (!text.trim()) return clear();
    const found = await post("/api/explain", text, { class: chosen, top: TERMS });
    if (found && text === editor.text) show(found);
  };
  const ask = later(60, askNow);

  function clear() {
    chosen = null;
    editor.show([[editor.text, null]]);
    byId("predicted").textContent = "What the text is about shows here.";
    byId("bars").replaceChildren();
    for (const id of ["legend", "deciding", "excerpts", "all-classes"]) byId(id).hidden = true;
  }

  function show(found) {
    const whole = found.whole;
    editor.show(whole ? found.passages[0] : [[editor.text, null]]);
    byId("excerpts").hidden = whole;
    byId("excerpts").replaceChildren(...(whole ? [] : found.passages.map(
      (pieces) => el("p", { dir: "auto" }, ...marked(pieces)))));
    showClasses(found);
    for (const name of document.querySelectorAll(".chosen")) name.textContent = found.class;
    byId("known").textContent =
      `${plural(found.n_known, "known term")}, ${count(found.n_unknown)} unknown`;
    byId("legend").hidden = false;
    showTerms(found);
  }

  function showClasses(found) {
    const best = found.classes[0];
    const names = found.predicted.join(", ") || "no class";
    const chance = about.can.probabilities && found.predicted.length === 1
      ? ` ${percent(found.classes.find((row) => row.name === found.predicted[0]).probability)}` : "";
    byId("predicted").replaceChildren(el("b", {}, names), chance);
    const rows = found.classes.slice(0, all ? undefined : SHOWN);
    const chosenRow = found.classes.find((row) => row.name === found.class);
    if (!rows.includes(chosenRow)) rows.push(chosenRow);
    // Scores are of any size and sign; the best is drawn full, the worst empty.
    const worst = found.classes.at(-1).score;
    const spread = Math.max(best.score - worst, 1e-9);
    byId("bars").replaceChildren(...rows.map((row) => {
      const share = about.can.probabilities ? row.probability : (row.score - worst) / spread;
      const figure = about.can.probabilities ? percent(row.probability) : signed(row.score);
      const pressed = row.name === found.class;
      const pick = () => {
        chosen = row.name;
        askNow().then(() => byId("bars").querySelector("[aria-pressed=true]")?.focus());
      };
      return el("li", {}, el("button", { "aria-pressed": String(pressed), onclick: pick,
        title: row.name, "data-class": row.name },
      el("span", { class: "name" }, row.name), bar(share), el("span", { class: "figure" }, figure)));
    }));
    const more = byId("all-classes");
    more.hidden = found.classes.length <= SHOWN;
    more.textContent = all ? `The first ${SHOWN}` : `All ${count(found.classes.length)}`;
  }

  function showTerms(found) {
    byId("deciding").hidden = false;
    const largest = Math.max(...found.terms.map((row) => Math.abs(row.value)), 1e-9);
    byId("contributions").replaceChildren(...found.terms.map((row) =>
      el("tr", {},
        el("td", { dir: "auto" },
          el("button", { class: "link", onclick: () => openTerm(row.term) }, row.term)),
        el("td", { class: "n" }, count(row.count)),
        el("td", { class: "n" }, signed(row.value)),
        el("td", { class: "wide" }, barOfTwo(row.value, largest)))));
    const rest = found.rest.terms
      ? `${plural(found.rest.terms, "more term")} ${signed(found.rest.value)}, ` : "";
    const score = found.classes.find((row) => row.name === found.class).score;
    byId("sum").textContent =
      `${rest}bias ${signed(found.bias)}; all together the score, ${signed(score)}.`;
  }

  byId("all-classes").addEventListener("click", () => {
    all = !all;
    askNow();
  });

  // -- where texts come from ----------------------------------------------------------------

  function take(text) {
    chosen = null;
    editor.text = text;
    askNow();
  }

  async function read(file) {
    if (file) take(await file.slice(0, LARGEST_FILE).text());
  }

  byId("clear").addEventListener("click", () => {
    take("");
    byId("text").focus();
  });
  byId("choose-file").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", (event) => read(event.target.files[0]));
  const drop = byId("drop");
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => {
      const files = event.dataTransfer?.types.includes("Files");
      if (!files) return;
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop") read(event.dataTransfer.files[0]);
    });
  }
  byId("samples").hidden = !about.samples.length;
  byId("samples").append(...about.samples.map((sample) =>
    el("button", { onclick: () => take(sample.text), title: sample.text.slice(0, 200) },
      sample.class)));
  // A browser that comes back to the page puts the old text there again.
  if (editor.text) take(editor.text);
}
