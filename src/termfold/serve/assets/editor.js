// The text with its marks: a textarea over a backdrop that has the same text, coloured.

import { el } from "./dom.js";

// What adds less than this share of the most decides nothing, and would only be noise.
const FAINTEST = 0.03;

export class Editor {
  constructor(area, backdrop, changed) {
    this.area = area;
    this.backdrop = backdrop;
    this.pieces = [];
    area.addEventListener("input", () => {
      this.follow();
      changed();
    });
  }

  get text() {
    return this.area.value;
  }

  set text(value) {
    this.area.value = value;
    this.show([[value, null]]);
  }

  // Pieces of text with what they add; they are shown if they are what stands there by now.
  show(pieces) {
    const text = pieces.map((piece) => piece[0]).join("");
    this.pieces = text === this.text ? pieces : [[this.text, null]];
    this.draw();
  }

  // Until the answer to a change comes, marks stay where the text has stayed the same.
  follow() {
    const before = this.pieces.map((piece) => piece[0]).join("");
    const now = this.text;
    const most = Math.min(before.length, now.length);
    let start = 0;
    while (start < most && before[start] === now[start]) start++;
    let end = 0;
    while (end < most - start && before.at(-1 - end) === now.at(-1 - end)) end++;
    this.pieces = [
      ...cut(this.pieces, 0, start),
      [now.slice(start, now.length - end), null],
      ...cut(this.pieces, before.length - end, before.length),
    ].filter((piece) => piece[0]);
    this.draw();
  }

  draw() {
    // The last line of a text that ends with a line break has no height of its own.
    this.backdrop.replaceChildren(...marked(this.pieces), "\u200b");
  }
}

export function marked(pieces) {
  const largest = Math.max(...pieces.map(([, value]) => Math.abs(value ?? 0)), 1e-9);
  return pieces.map(([text, value]) => {
    const share = Math.abs(value ?? 0) / largest;
    if (share < FAINTEST) return text;
    const strength = Math.round(62 * Math.min(1, share) ** 0.7);
    return el("mark", { class: value > 0 ? "for" : "against", strength }, text);
  });
}

function cut(pieces, from, to) {
  const found = [];
  let place = 0;
  for (const [text, value] of pieces) {
    const part = text.slice(Math.max(0, from - place), Math.max(0, to - place));
    // A term that was cut in two is no term any more.
    if (part) found.push([part, part === text ? value : null]);
    place += text.length;
  }
  return found;
}
