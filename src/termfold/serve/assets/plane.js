// Two classes as the axes of a plane, terms as its points.

import { percent, short, svg } from "./dom.js";

const MARGIN = { left: 62, right: 18, top: 30, bottom: 46 };
const LABEL_HEIGHT = 15;

// Shares from 0 to 1 on a scale that is linear near 0 and logarithmic beyond; weights as they are.
function scale(axis, values, from, to) {
  const bend = (value) => (axis === "rate" ? Math.log1p(value * 500) : value);
  const least = axis === "rate" ? 0 : Math.min(...values, 0);
  const most = Math.max(...values, least + 1e-9);
  const [low, high] = [bend(least), bend(most)];
  const place = (value) => from + ((to - from) * (bend(value) - low)) / (high - low);
  const marks = axis === "rate"
    ? [0, 0.005, 0.02, 0.1, 0.3, 1].filter((value) => value <= most)
    : [least, 0, most].filter((value, i, all) => all.indexOf(value) === i);
  return { place, marks, text: axis === "rate" ? (value) => percent(value, value && value < 0.01 ? 1 : 0) : short };
}

export function drawPlane(place, found, open) {
  const width = Math.max(300, place.clientWidth);
  const height = Math.round(Math.min(620, Math.max(340, width * 0.7)));
  const { left, right, top, bottom } = MARGIN;
  const across = scale(found.axis, found.points.map((p) => p.x), left, width - right);
  const up = scale(found.axis, found.points.map((p) => p.y), height - bottom, top);
  const points = found.points.map((point) => ({
    ...point, px: across.place(point.x), py: up.place(point.y), best: Math.max(...point.scores),
  }));
  const order = points.toSorted((a, b) => b.best - a.best);
  const largest = order[0]?.best || 1;
  const tip = svg("g", { class: "tip", visibility: "hidden" });
  const dots = order.toReversed().map((point) => dot(point, largest, tip, width, open, found));
  walkByKeys(dots);
  place.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height,
    role: "group", "aria-label": `${points.length} terms by their place between ${found.x} and ` +
      `${found.y}; arrow keys go from term to term` },
  ...across.marks.map((value) => svg("g", {},
    svg("path", { class: "axis", d: `M${across.place(value)} ${top}V${height - bottom}` }),
    svg("text", { x: across.place(value), y: height - bottom + 17, "text-anchor": "middle" }, across.text(value)))),
  ...up.marks.map((value) => svg("g", {},
    svg("path", { class: "axis", d: `M${left} ${up.place(value)}H${width - right}` }),
    svg("text", { x: left - 8, y: up.place(value) + 4, "text-anchor": "end" }, up.text(value)))),
  svg("text", { class: "title", x: width - right, y: height - 8, "text-anchor": "end" }, `${found.x} →`),
  svg("text", { class: "title", x: left, y: 16 }, `↑ ${found.y}`),
  ...dots, ...labels(order, width, height), tip));
}

function dot(point, largest, tip, width, open, found) {
  const [x, y] = point.scores;
  const side = x === null ? "y" : y === null ? "x" : "both";
  const text = found.axis === "rate"
    ? `${point.term}: ${percent(point.x)} of ${found.x}, ${percent(point.y)} of ${found.y}`
    : `${point.term}: ${short(point.x)} for ${found.x}, ${short(point.y)} for ${found.y}`;
  const show = () => showTip(tip, point, text, width);
  const hide = () => tip.setAttribute("visibility", "hidden");
  const node = svg("circle", { class: side, cx: point.px.toFixed(1), cy: point.py.toFixed(1),
    r: (4 + 6 * Math.sqrt(Math.max(0, point.best) / largest)).toFixed(1), role: "button",
    tabindex: "-1", "aria-label": text, "data-term": point.term,
    onclick: () => open(point.term), onpointerenter: show, onpointerleave: hide,
    onfocus: show, onblur: hide,
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open(point.term);
    } });
  return Object.assign(node, { place: [point.px, point.py] });
}

// One stop for the tabulator; the arrow keys go to the next dot in their direction.
function walkByKeys(dots) {
  dots.at(-1)?.setAttribute("tabindex", "0");
  const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 1], ArrowUp: [1, -1] };
  for (const from of dots) {
    from.addEventListener("keydown", (event) => {
      if (!(event.key in steps)) return;
      event.preventDefault();
      const [axis, sign] = steps[event.key];
      const order = dots.toSorted((a, b) => sign * (a.place[axis] - b.place[axis]));
      const next = order[order.indexOf(from) + 1];
      if (!next) return;
      from.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }
}

function showTip(tip, point, text, width) {
  const label = svg("text", {}, text);
  tip.replaceChildren(label);
  tip.setAttribute("visibility", "visible");
  const size = label.getComputedTextLength() + 16;
  const x = Math.max(2, Math.min(point.px - size / 2, width - size - 2));
  const y = point.py > 50 ? point.py - 40 : point.py + 16;
  label.setAttribute("x", x + 8);
  label.setAttribute("y", y + 17);
  tip.prepend(svg("rect", { x, y, width: size, height: 25, rx: 6 }));
}

// The best terms get their names, where these neither overlap other names or dots nor leave the
// plane: to the right of the dot, or else to the left, above or below.
function labels(order, width, height) {
  const dots = order.map((p) => ({ x: p.px - 4, y: p.py - 4, width: 8, height: 8, of: p }));
  const taken = [];
  const found = [];
  for (const point of order) {
    const size = 4 + [...point.term].reduce((sum, c) => sum + (c > "\u2e80" ? 12.5 : 7), 0);
    const gap = 6 + 6 * Math.sqrt(Math.max(0, point.best) / (order[0].best || 1));
    const beside = point.py - LABEL_HEIGHT / 2;
    const box = [
      [point.px + gap, beside], [point.px - gap - size, beside],
      [point.px - size / 2, point.py - gap - LABEL_HEIGHT], [point.px - size / 2, point.py + gap],
    ].map(([x, y]) => ({ x, y, width: size, height: LABEL_HEIGHT })).find((b) =>
      b.x > MARGIN.left - 4 && b.x + size < width && b.y > MARGIN.top - 14
      && b.y + LABEL_HEIGHT < height - MARGIN.bottom + 6
      && !taken.some((other) => overlap(b, other))
      && !dots.some((other) => other.of !== point && overlap(b, other)));
    if (!box) continue;
    taken.push(box);
    found.push(svg("text", { class: "label", x: box.x + 2, y: box.y + 11.5, "aria-hidden": "true" },
      point.term));
  }
  return found;
}

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width
  && a.y < b.y + b.height && b.y < a.y + a.height;
