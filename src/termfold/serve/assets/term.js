// What is known of one term, in a dialog: its counts and scores in every class, and examples.

import { get } from "./api.js";
import { bar, byId, count, el, option, percent, plural, short } from "./dom.js";

let about = null;
let shown = null;

export function startTerms(what) {
  about = what;
  byId("term-score").append(...about.scores.map((name) => option(name)));
  byId("term-score").addEventListener("change", () => draw());
  byId("term-controls").hidden = !about.can.counts;
}

export async function openTerm(term) {
  const found = await get("/api/term", { term });
  if (!found) return;
  shown = found;
  const dialog = byId("term");
  byId("term-name").textContent = found.term;
  byId("term-counts").textContent = found.documents === undefined
    ? "What it weighs for each class."
    : `In ${plural(found.documents, "document")}, ${plural(found.occurrences, "time")}.`;
  draw();
  byId("term-examples").replaceChildren(...(found.examples ?? []).map(example));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

// Columns: a name, what it means, and what stands there. The first is drawn as a bar, too, and
// rows are in its order: many scores are as large for a class that has a term too rarely.
function columns(score) {
  const weight = ["weight", "What an occurrence adds to the score", (row) => short(row.weight ?? 0)];
  if (!about.can.counts) {
    return [["lead", "Its weight, less the mean of the other classes", (row) => short(row.lead ?? 0)], weight];
  }
  const weights = shown.classes.some((row) => row.weight !== undefined);
  return [
    ["of the class", "Share of the class's documents that hold it", (row) => percent(row.rate)],
    ["documents", "Documents of the class that hold it", (row) => count(row.documents)],
    ["of the term", "Share of the documents with it that are of the class", (row) => percent(row.share)],
    ["times", "Occurrences in the class", (row) => count(row.occurrences)],
    ...(weights ? [weight] : []),
    [score, "The score", (row) => short(row.scores[score])],
  ];
}

function draw() {
  const score = byId("term-score").value;
  const all = columns(score);
  const main = (row) => (about.can.counts ? row.rate : row.lead ?? 0);
  const rows = shown.classes.toSorted((a, b) => main(b) - main(a));
  const largest = Math.max(...rows.map(main), 1e-12);
  byId("term-classes").replaceChildren(
    el("thead", {}, el("tr", {}, el("th", {}, "class"),
      el("th", { class: "narrow" }, el("span", { class: "hidden" }, "as a bar")),
      ...all.map(([name, title]) => el("th", { class: "n", title }, name)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, el("td", { dir: "auto" }, row.name),
      el("td", { class: "narrow" }, bar(main(row) / largest)),
      ...all.map(([, , text]) => el("td", { class: "n" }, text(row)))))));
}

function example(found) {
  const parts = found.passages.flatMap((pieces, i) => [
    ...(i ? [" … "] : []),
    ...pieces.map(([text, isTerm]) => (isTerm ? el("mark", { class: "for" }, text) : text)),
  ]);
  return el("div", { class: "example" },
    ...found.labels.map((name) => el("span", { class: "tag" }, name)),
    el("p", { dir: "auto" }, ...parts));
}
