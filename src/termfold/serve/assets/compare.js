// The third view: two classes against each other.

import { get } from "./api.js";
import { byId, count, option } from "./dom.js";
import { drawPlane } from "./plane.js";
import { openTerm } from "./term.js";

export function startComparing(about, classes) {
  const [across, up] = [byId("across"), byId("up")];
  let found = null;
  for (const select of [across, up]) select.append(...about.classes.map((name) => option(name)));
  // The two largest, which have most to show.
  const size = (name) => classes.get(name)?.documents ?? 0;
  const [first, second] = about.classes.toSorted((a, b) => size(b) - size(a));
  across.value = first;
  up.value = second ?? first;
  byId("compare-score").append(...about.scores.map((name) => option(name)));

  async function load() {
    found = await get("/api/compare", {
      x: across.value, y: up.value, score: byId("compare-score").value, n: byId("how-many").value,
    });
    draw();
  }

  function draw() {
    if (!found || byId("compare").hidden) return;
    drawPlane(byId("plane"), found, openTerm);
    const sizes = found.documents.map((size) => (size === null ? "" : ` (${count(size)} documents)`));
    byId("plane-note").textContent = found.axis === "rate"
      ? `Each dot is a term: right, the share of ${found.x}${sizes[0]} that holds it; up, the ` +
        `share of ${found.y}${sizes[1]}. The larger, the higher its score. Choose a dot for more.`
      : "Each dot is a term: right and up, what it weighs for each class. Choose a dot for more.";
  }

  for (const id of ["across", "up", "compare-score", "how-many"]) {
    byId(id).addEventListener("change", load);
  }
  byId("swap").addEventListener("click", () => {
    [across.value, up.value] = [up.value, across.value];
    load();
  });
  let width = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now && now !== width) draw();
    width = now;
  }).observe(byId("plane"));
  return load;
}
