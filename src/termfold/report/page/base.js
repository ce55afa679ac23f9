// What the sections of the report share: elements, numbers, colours, the hint under the pointer.
// Whatever comes from the data is set as text, never as markup.
"use strict";

const data = JSON.parse(document.getElementById("summary").textContent);
const names = data.classes.map((one) => one.name);
const report = document.getElementById("report");

// -- elements ---------------------------------------------------------------------------------

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else if (value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null));
  return node;
}

const el = (tag, attributes = {}, ...children) =>
    fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
/** A name or text of the data: of either direction, and apart from what stands around it. */
const said = (text, className = null) => el("bdi", {class: className}, text);

function section(id, short, title, lead, ...children) {
  const found = el(
      "section",
      {id, "aria-labelledby": `${id}-title`, "data-short": short},
      el("h2", {id: `${id}-title`}, title),
      el("p", {class: "lead"}, ...[lead].flat()),
      ...children,
  );
  report.append(found);
  return found;
}

function choice(label, options, chosen, onchange, id) {
  const select = el(
      "select",
      {id, onchange: () => onchange(Number(select.value))},
      options.map((text, i) => el("option", {value: i, dir: "auto"}, text)),
  );
  select.value = chosen;
  return el("label", {class: "choice"}, el("span", {}, label), select);
}

/** Draw now, and again whenever the place for it gets another width. */
function drawn(className, draw) {
  const place = el("div", {class: `chart ${className}`});
  let width = 0;
  place.redraw = () => width && place.replaceChildren(...[draw(width)].flat());
  new ResizeObserver(() => {
    const now = Math.floor(place.clientWidth);
    if (now === width || !now) return;
    width = now;
    place.redraw();
  }).observe(place);
  return place;
}

// -- numbers ----------------------------------------------------------------------------------

const whole = (value) => Math.round(value).toLocaleString("en-US");
function percent(value) {
  if (value > 0 && value < 0.0005) return "<0.1 %";
  return value > 0 && value < 0.0995 ? `${(100 * value).toFixed(1)} %` :
                                       `${Math.round(100 * value)} %`;
}
const three = (value) => value.toFixed(3);
function short(value) {
  const size = Math.abs(value);
  if (size >= 1000) return whole(value);
  return size >= 100        ? value.toFixed(0) :
      size >= 0.01 || !size ? value.toPrecision(3) :
                              value.toExponential(1);
}
const plural = (n, one, many = `${one}s`) => `${whole(n)} ${n === 1 ? one : many}`;

// -- colours ----------------------------------------------------------------------------------

const N_COLOURS = 12;
const colours = colouring();
const colour = (k) => `var(--c${colours[k]})`;

/** Discs that lie side by side on the map get different colours. */
function colouring() {
  const found = names.map((_, k) => k % N_COLOURS);
  if (!data.map) return found;
  const discs = data.map.discs;
  const gap = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius;
  const order = names.map((_, k) => k).sort((a, b) => discs[b].radius - discs[a].radius || a - b);
  order.forEach((k, done) => {
    const cost = new Array(N_COLOURS).fill(0);
    for (const other of order.slice(0, done)) {
      cost[found[other]] += 1 / (1 + Math.max(0, gap(discs[k], discs[other]))) ** 2;
    }
    found[k] = cost.indexOf(Math.min(...cost));
  });
  return found;
}

const dot = (k) => el("span", {class: "dot", "--colour": colour(k)});
const className = (k) =>
    el("span", {class: "class", title: names[k].length > 24 ? names[k] : null}, dot(k),
       said(names[k]));

// -- the hint under the pointer ---------------------------------------------------------------

const hint = el("div", {id: "hint", role: "status", hidden: ""});
document.body.append(hint);

function showHint(x, y, ...content) {
  hint.replaceChildren(...content.flat());
  hint.hidden = false;
  const {width, height} = hint.getBoundingClientRect();
  const left = Math.min(Math.max(8, x + 14), innerWidth - width - 8);
  const top = y + 18 + height > innerHeight ? y - height - 14 : y + 18;
  hint.style.left = `${Math.max(8, left)}px`;
  hint.style.top = `${Math.max(8, top)}px`;
}
/** What keeps a hint that the keyboard asked for in its place while the page is scrolled. */
let follow = null;
function hideHint() {
  hint.hidden = true;
  follow = null;
}
addEventListener("scroll", () => (follow ?? hideHint)(), {passive: true});
addEventListener("keydown", (event) => event.key === "Escape" && hideHint());

/** Tell of the nearest of some points, by pointer or by arrow keys. */
function pointing(picture, points, describe) {
  const ring = svg("circle", {class: "ring", r: 6, visibility: "hidden"});
  picture.append(ring);
  let at = -1;
  const show = (i) => {
    at = i;
    const box = picture.getBoundingClientRect();
    fill(ring, {cx: points[i].x, cy: points[i].y, visibility: "visible"}, []);
    showHint(box.left + points[i].x, box.top + points[i].y, describe(points[i]));
  };
  const hide = () => {
    ring.setAttribute("visibility", "hidden");
    hideHint();
  };
  // A pointer that rests elsewhere does not hide what the keyboard asked for.
  const leave = () => follow || hide();
  const nearest = (event) => {
    const box = picture.getBoundingClientRect();
    let best = -1, least = 15 ** 2;
    points.forEach(({x, y}, i) => {
      const distance = (x - event.clientX + box.left) ** 2 + (y - event.clientY + box.top) ** 2;
      if (distance < least) [best, least] = [i, distance];
    });
    if (best < 0) leave();
    else {
      follow = null;
      show(best);
    }
  };
  fill(
      picture, {
        tabindex: 0,
        onpointermove: nearest,
        onpointerdown: nearest,
        onpointerleave: leave,
        onblur: hide,
        onkeydown: (event) => {
          const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
          if (!step || !points.length) return;
          event.preventDefault();
          show((at + step + points.length) % points.length);
          follow = () => show(at);
        },
      },
      []);
}

/** Text of a picture, cut with an ellipsis where it is wider than its place. */
function fitted(parent, text, attributes, room) {
  const node = svg("text", {...attributes}, text);
  parent.append(node);
  if (node.getComputedTextLength() > room) {
    const letters = [...text];
    let low = 0, high = letters.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      node.textContent = `${letters.slice(0, middle).join("")}…`;
      if (node.getComputedTextLength() <= room) low = middle;
      else high = middle - 1;
    }
    node.textContent = low ? `${letters.slice(0, low).join("").trimEnd()}…` : "";
    node.append(svg("title", {}, text));
  }
  return node;
}

const pen = document.createElement("canvas").getContext("2d");
/** How wide a text would be in a picture. */
function widthOf(text, size = 12.5) {
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

/** A picture that is in the page already, so that its texts can be measured. */
function measured(width, height, label, build) {
  const picture = svg(
      "svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label});
  document.body.append(picture);
  build(picture);
  picture.remove();
  return picture;
}
