// Accuracy against the number of terms, and the point where the slider stands.

import { count, percent, svg } from "./dom.js";

const HEIGHT = 150;
const LEFT = 44;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 24;

// The accuracy at any number of terms: between two measured ones along a line, on a log scale.
export function expected(points, features) {
  const after = points.findIndex((point) => point.terms >= features);
  if (after === -1) return { ...points.at(-1), measured: true };
  const next = points[after];
  if (next.terms === features || after === 0) return { ...next, measured: next.terms === features };
  const before = points[after - 1];
  const share = Math.log(features / before.terms) / Math.log(next.terms / before.terms);
  const between = (name) => before[name] + share * (next[name] - before[name]);
  return {
    terms: features, accuracy: between("accuracy"), low: between("low"), high: between("high"),
    measured: false,
  };
}

export function drawCurve(place, points, features) {
  place.hidden = false;
  const width = Math.max(240, place.clientWidth);
  const first = Math.log(points[0].terms);
  const last = Math.log(points.at(-1).terms);
  const least = Math.max(0, Math.floor(10 * Math.min(...points.map((p) => p.low))) / 10);
  const x = (terms) => LEFT + ((width - LEFT - RIGHT) * (Math.log(terms) - first)) / (last - first || 1);
  const y = (share) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (share - least)) / (1 - least);
  const path = (name) => points.map((p) => `${x(p.terms).toFixed(1)},${y(p[name]).toFixed(1)}`);
  const here = expected(points, Math.max(points[0].terms, Math.min(features, points.at(-1).terms)));
  const ticks = points.filter((p, i) => /^10*$/.test(p.terms) || i === points.length - 1)
    .filter((p, i, kept) => i === kept.length - 1 || x(kept.at(-1).terms) - x(p.terms) > 46);
  place.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
    "aria-label": `Accuracy from ${percent(points[0].accuracy)} with ${count(points[0].terms)} ` +
      `terms to ${percent(points.at(-1).accuracy)} with ${count(points.at(-1).terms)}` },
  ...[least, (1 + least) / 2, 1].map((share) => svg("g", {},
    svg("path", { class: "axis", d: `M${LEFT} ${y(share)}H${width - RIGHT}` }),
    svg("text", { x: LEFT - 8, y: y(share) + 4, "text-anchor": "end" }, percent(share, 0)))),
  ...ticks.map((p) => svg("text", { x: x(p.terms), y: HEIGHT - 6, "text-anchor":
    p === points.at(-1) ? "end" : p === points[0] ? "start" : "middle" }, count(p.terms))),
  svg("polygon", { class: "band", points: [...path("high"), ...path("low").reverse()].join(" ") }),
  svg("polyline", { class: "line", points: path("accuracy").join(" ") }),
  svg("circle", { class: "here", cx: x(here.terms), cy: y(here.accuracy), r: 6 })));
}
