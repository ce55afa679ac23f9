// Class by class: what is taken for what, or what classes have in common, and by which terms.

{
  const {between} = data;
  // Of more classes the picture needs the whole width.
  const MANY = 24;
  const confusion = between.kind === "confusion";
  const table = confusion ? between.counts : between.likeness;
  // Of hundreds of classes only some are compared.
  const shown = between.classes;
  const place = new Map(shown.map((k, i) => [k, i]));
  const cell = (a, b) => table[place.get(a)]?.[place.get(b)] ??
      pairOf(a, b)?.[confusion ? "documents" : "likeness"] ?? 0;
  const sum = (a) => between.totals[a];
  const share = (a, b) => (confusion ? cell(a, b) / (sum(a) || 1) : cell(a, b));
  const pairOf = (a, b) => between.pairs.find(
      (pair) => (pair.true === a && pair.predicted === b) ||
          (!confusion && pair.true === b && pair.predicted === a));
  let chosen =
      between.pairs[0] ? [between.pairs[0].true, between.pairs[0].predicted] : [shown[0], shown[0]];
  let byLikeness = true;

  const sentence = (a, b) => {
    if (!confusion)
      return [className(a), " and ", className(b), ` have a likeness of ${short(cell(a, b))}`];
    const n = cell(a, b);
    if (a === b)
      return [`${whole(n)} of ${plural(sum(a), "text")} of `, className(a), " got this label"];
    return [
      `${whole(n)} of ${plural(sum(a), "text")} of `, className(a),
      ` ${n === 1 ? "was" : "were"} taken for `, className(b)
    ];
  };

  function examples(a, b) {
    if (!data.map || a === b) return null;
    const found = data.map.documents
                      .filter(
                          ([, labels, predicted]) =>
                              labels.includes(a) && !labels.includes(b) && predicted.includes(b))
                      .slice(0, 3);
    return found.length ?
        [
          el("h4", {}, "Such texts"),
          ...found.map(([text]) => el("blockquote", {dir: "auto"}, text))
        ] :
        null;
  }

  function detail(a, b) {
    const pair = pairOf(a, b);
    const largest = pair?.terms[0]?.[1] || 1;
    return [
      el("h3", {class: "sentence"}, sentence(a, b)),
      pair?.terms.length ?
          [
            el("h4", {}, confusion ? "Terms that misled" : "Terms they share"),
            el("ol", {class: "bars small", "--colour": colour(b)},
               pair.terms.map(
                   ([term, value]) =>
                       el("li", {"data-term": term}, said(term, "name"),
                          el("span", {class: "bar"}, el("i", {"--share": value / largest})),
                          el("span", {class: "value"}, short(value)))))
          ] :
          null,
      confusion ? examples(a, b) : null,
    ].flat(Infinity)
        .filter((part) => part !== null);
  }

  const panel = el("div", {class: "panel", "aria-live": "polite"});
  const list = el("ol", {class: "pairs"});
  function choose(a, b) {
    chosen = [a, b];
    panel.replaceChildren(...detail(a, b));
    for (const button of list.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", button.dataset.pair === `${a} ${b}`);
    }
    picture.redraw();
  }

  // Of a row, a tenth is much to be mistaken: the strongest colour is where most is.
  const strongest = Math.max(
      1e-9, ...shown.map((a) => Math.max(...shown.map((b) => (a === b ? 0 : share(a, b))))));

  const picture = drawn("matrix", (width) => {
    const order = byLikeness ? between.order.map((i) => shown[i]) : shown;
    const room =
        Math.min(width < 500 ? 92 : 140, 14 + Math.max(...shown.map((k) => widthOf(names[k]))));
    const size = Math.max(
        10, Math.min(shown.length < 6 ? 96 : 56, Math.floor((width - room - 4) / shown.length)));
    const font = Math.max(9, Math.min(12.5, size - 1));
    const total = room + size * shown.length + 4;
    const label =
        confusion ? "true classes in rows, predicted ones in columns" : "likeness of classes";
    return measured(total, total, label, (root) => {
      order.forEach((a, i) => {
        const middle = room + (i + 0.5) * size;
        fitted(root, names[a], {x: room - 6, y: middle, class: "row", "font-size": font}, room - 8);
        const above = svg("g", {transform: `translate(${middle},${room - 6}) rotate(-90)`});
        root.append(above);
        fitted(above, names[a], {x: 0, y: 0, class: "column", "font-size": font}, room - 8);
        order.forEach((b, j) => {
          const value = share(a, b);
          const strength = a === b ? 0 : Math.sqrt(value / strongest);
          const box = svg("rect", {
            x: room + j * size + 0.5,
            y: room + i * size + 0.5,
            width: size - 1,
            height: size - 1,
            rx: Math.min(3, size / 6),
            class: a === b ? "same" :
                value      ? "cell" :
                             "none",
            "--strength": strength,
            "data-cell": `${a} ${b}`,
          });
          root.append(box);
          if (size >= 24 && value && (confusion || a !== b)) {
            root.append(
                svg("text", {
                  x: room + (j + 0.5) * size,
                  y: middle,
                  class: `count${strength > 0.6 ? " strong" : ""}`,
                  "font-size": size > 60 ? 14 :
                      size > 34          ? 11.5 :
                                           10
                },
                    confusion ? whole(cell(a, b)) : value.toFixed(2).replace(/^0/, "")));
          }
        });
      });
      const [a, b] = chosen.map((k) => order.indexOf(k));
      if (a >= 0 && b >= 0)
        root.append(svg("rect", {
          class: "chosen",
          x: room + b * size,
          y: room + a * size,
          width: size,
          height: size,
          rx: 3
        }));
      const at = (event) => event.target.dataset?.cell?.split(" ").map(Number);
      fill(
          root, {
            onpointermove: (event) => {
              const pair = at(event);
              if (pair) showHint(event.clientX, event.clientY, el("p", {}, sentence(...pair)));
              else hideHint();
            },
            onpointerleave: hideHint,
            onclick: (event) => at(event) && choose(...at(event)),
          },
          []);
    });
  });

  list.append(...between.pairs.slice(0, 8).map(
      (pair) =>
          el("li", {},
             el("button", {
               type: "button",
               "data-pair": `${pair.true} ${pair.predicted}`,
               onclick: () => choose(pair.true, pair.predicted),
             },
                className(pair.true), confusion ? " → " : " – ", className(pair.predicted),
                el("b", {}, confusion ? whole(pair.documents) : short(pair.likeness))))));

  const some = shown.length < names.length ?
      ` Of ${whole(names.length)} classes these are the ${shown.length} with most to compare.` :
      "";
  const sorting = choice("Order", ["those alike side by side", "by name"], 0, (i) => {
    byLikeness = i === 0;
    picture.redraw();
  }, "between-order");
  section(
      "between", confusion ? "Mistakes" : "Likeness",
      confusion ? "What is taken for what" : "What classes have in common",
      confusion ?
          `Rows are the labels that texts have, columns those they were given: the stronger the colour, the larger the share of the row. Choose a cell to see the terms that misled.${
              some}` :
          `The stronger the colour, the more the frequent terms of two classes are the same. Choose a cell to see which.${
              some}`,
      el("div", {class: "controls"}, sorting),
      el("div", {class: shown.length > MANY ? "two stacked" : "two"},
         el("div", {class: "wide"}, picture),
         el("div", {class: "beside"},
            between.pairs.length ?
                el("div", {}, el("h3", {}, confusion ? "Most frequent" : "Most alike"), list) :
                el("p", {class: "nothing"},
                   confusion ? "Nothing was mistaken." : "They share no term."),
            panel)));
  choose(...chosen);
}
