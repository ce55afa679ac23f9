// The page: what is served, the three views, and the tabs between them.

import { get } from "./api.js";
import { startClassifying } from "./classify.js";
import { startComparing } from "./compare.js";
import { byId, count, plural } from "./dom.js";
import { startTerms } from "./term.js";
import { startLooking } from "./terms.js";

const tabs = [...document.querySelectorAll("[role=tab]")];

function show(name, whenFirst, focus = false) {
  for (const tab of tabs) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !chosen;
    if (chosen && focus) tab.focus();
  }
  whenFirst.get(name)?.();
  whenFirst.delete(name);
}

function startTabs(whenFirst) {
  const names = tabs.map((tab) => tab.getAttribute("aria-controls"));
  const go = (name, focus) => {
    history.replaceState(null, "", `#${name}`);
    show(name, whenFirst, focus);
  };
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => go(names[i]));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) go(names.at((i + step) % names.length), true);
    });
  });
  const first = location.hash.slice(1);
  show(names.includes(first) ? first : names[0], whenFirst);
}

async function start() {
  const about = await get("/api/about");
  if (!about) return;
  const sizes = await get("/api/classes");
  if (!sizes) return;
  const kind = about.kind === "model" ? "Model" : "Counts";
  byId("served").textContent = [
    `${kind}: ${about.name}`,
    about.documents ? plural(about.documents, "document") : null,
    plural(about.classes.length, "class", "classes"),
    `${count(about.terms)} terms`,
  ].filter(Boolean).join(" · ");
  document.title = `${about.name} · termfold`;
  startTerms(about);
  startClassifying(about);
  const classes = new Map(sizes.classes.map((row) => [row.name, row]));
  startTabs(new Map([
    ["terms", startLooking(about, classes)],
    ["compare", startComparing(about, classes)],
  ]));
  document.documentElement.dataset.ready = "yes";
}

start();
