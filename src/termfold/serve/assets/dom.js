// Elements, numbers and small helpers. Text always becomes a text node, never markup.

export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "width-percent") node.style.width = `${value}%`;
    else if (name === "left-percent") node.style.left = `${value}%`;
    else if (name === "strength") node.style.setProperty("--strength", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const el = (tag, attributes = {}, ...children) =>
  build(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
export const count = (value) => (Number.isInteger(value) ? whole.format(value) : short(value));
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

export function percent(value, digits = 1) {
  if (value > 0 && value < 0.001) return "<0.1 %";
  return `${(100 * value).toFixed(digits)} %`;
}

export function short(value) {
  if (value < 0) return `−${short(-value)}`;
  const size = value;
  if (size >= 1000) return whole.format(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.01 || value === 0) return value.toFixed(2);
  return value.toPrecision(2);
}

export const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);

export const bar = (share) =>
  el("span", { class: "bar", "aria-hidden": "true" },
    el("i", { "width-percent": (100 * Math.max(0, Math.min(1, share))).toFixed(2) }));

// A bar to the right of the middle for what is positive, and to the left for the negative.
export function barOfTwo(value, largest) {
  const half = largest ? (50 * Math.abs(value)) / largest : 0;
  const left = value < 0 ? 50 - half : 50;
  return el("span", { class: "bar two", "aria-hidden": "true" },
    el("i", { class: value < 0 ? "against" : "for", "width-percent": half.toFixed(2),
      "left-percent": left.toFixed(2) }));
}

export const option = (value, text = value) => el("option", { value }, text);

// Runs the last call of a burst.
export function later(milliseconds, action) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), milliseconds);
  };
}
