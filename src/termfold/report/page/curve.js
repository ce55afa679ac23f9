// Accuracy against the number of terms.

if (data.curve && data.curve.methods.some(({points}) => points.length)) {
  const {curve} = data;
  const key = curve.multilabel ? "micro_f1" : "accuracy";
  const measure = curve.multilabel ? "micro F1" : "accuracy";
  const mean = ({points}) => points.reduce((sum, point) => sum + point[key], 0) / points.length;
  const lines = curve.methods.map((method, i) => ({
                                    name: method.name,
                                    points: [...method.points, curve.all_terms],
                                    colour: `var(--c${i})`
                                  }));

  // The best with few terms first: with many, all come to the same.
  lines.sort((one, other) => mean(other) - mean(one));
  const hidden = new Set();
  const legend = el("div", {class: "legend"}, lines.map((line) => {
    const button =
        el("button", {
          type: "button",
          "aria-pressed": "true",
          "data-line": line.name,
          onclick: () => {
            if (!hidden.delete(line)) hidden.add(line);
            button.setAttribute("aria-pressed", !hidden.has(line));
            chart.redraw();
          }
        },
           el("span", {class: "dot", "--colour": line.colour}), line.name);
    return button;
  }));

  const chart = drawn("curve", (width) => {
    const height = Math.max(280, Math.min(420, width * 0.5));
    const [left, right, top, bottom] = [46, 22, 12, 44];
    const points = lines.flatMap((line) => line.points);
    const [fewest, most] =
        [Math.min(...points.map((p) => p.terms)), Math.max(...points.map((p) => p.terms))];
    const low = Math.max(0, Math.floor(20 * Math.min(...points.map((p) => p[key]))) / 20);
    const high = Math.min(
        1,
        Math.ceil(
            20 *
            Math.max(...points.map((p) => Math.max(p[key], key === "accuracy" ? p.high : 0)))) /
            20);
    const x = (terms) => left +
        ((Math.log(terms) - Math.log(fewest)) / (Math.log(most) - Math.log(fewest) || 1)) *
            (width - left - right);
    const y = (value) => top + (1 - (value - low) / (high - low || 1)) * (height - top - bottom);
    return measured(width, height, `${measure} against the number of terms`, (root) => {
      const steps = [];
      const step = high - low > 0.45 ? 0.1 : high - low > 0.12 ? 0.05 : 0.01;
      for (let value = low; value <= high + 1e-9; value += step) steps.push(value);
      root.append(svg(
          "g", {class: "axes"},
          steps
              .map(
                  (value) =>
                      [svg("line", {
                         x1: left,
                         x2: width - right,
                         y1: y(value),
                         y2: y(value),
                         class: "grid"
                       }),
                       svg("text", {x: left - 8, y: y(value), class: "tick end"}, value.toFixed(2)),
      ]).flat(),
          [1, 10, 100, 1000, 10000, 100000, 1000000]
              .filter((n) => n >= fewest && n <= most)
              .map(
                  (n) =>
                      [svg("line",
                           {x1: x(n), x2: x(n), y1: top, y2: height - bottom, class: "grid"}),
                       svg("text", {x: x(n), y: height - bottom + 17, class: "tick middle"},
                           whole(n)),
      ]).flat(),
          svg("text", {x: (left + width - right) / 2, y: height - 6, class: "tick middle"},
              "number of terms")));
      // The interval of the first line: the others' are about as wide.
      const band = lines[0].points;
      if (key === "accuracy") {
        root.append(svg("path", {
          class: "band",
          "--colour": lines[0].colour,
          d: `M${band.map((p) => `${x(p.terms)},${y(p.high)}`).join("L")}L${
                  [...band].reverse().map((p) => `${x(p.terms)},${y(p.low)}`).join("L")}Z`
        }));
      }
      const marks = [];
      for (const line of lines.filter((one) => !hidden.has(one))) {
        root.append(svg("path", {
          class: "line",
          "--colour": line.colour,
          d: `M${
              line.points.map((p) => `${x(p.terms).toFixed(1)},${y(p[key]).toFixed(1)}`).join("L")}`
        }));
        for (const p of line.points) {
          marks.push({x: x(p.terms), y: y(p[key]), line, p});
          root.append(
              svg("circle",
                  {cx: x(p.terms), cy: y(p[key]), r: 2.6, class: "mark", "--colour": line.colour}));
        }
      }
      pointing(
          root, marks,
          ({line, p}) =>
              [el("p", {},
                  p === curve.all_terms ? `all ${whole(p.terms)} terms` :
                                          `the best ${whole(p.terms)} terms by ${line.name}`),
               el("p", {}, `${measure} ${three(p[key])}`,
                  key === "accuracy" ?
                      `, between ${three(p.low)} and ${three(p.high)} with 95 % confidence` :
                      ""),
      ]);
    });
  });

  const sizes = curve.methods[0].points.map((point) => point.terms);
  const table = el(
      "div", {class: "wide"},
      el("table", {},
         el("thead", {},
            el("tr", {}, el("th", {scope: "col"}, "terms by"),
               [...sizes, curve.all_terms.terms].map(
                   (n) => el("th", {scope: "col", class: "number"}, whole(n))))),
         el("tbody", {},
            curve.methods.map(({name, points}) => el("tr", {}, el("th", {scope: "row"}, name), [
                                ...points, curve.all_terms
                              ].map((point) => el("td", {class: "number"}, three(point[key]))))))));
  section(
      "curve", "How many terms", "How many terms are enough",
      `What ${
          measure} is to be expected from the best terms alone, ranked by each method. Terms were ranked and weighed on ${
          whole(curve.documents - curve.tested)} documents, and ${
          whole(curve.tested)} others labelled. The band is the 95 % interval of ${lines[0].name}.`,
      legend, chart, el("details", {}, el("summary", {}, "The same in numbers"), table));
}
