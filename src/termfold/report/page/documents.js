// The documents as points: on a map of all classes, and between any two.

if (data.map) {
  const {map} = data;
  const bytes = Uint8Array.from(atob(map.features), (character) => character.charCodeAt(0));
  const features = new DataView(bytes.buffer);
  const feature = (i, k) =>
      (features.getUint16(2 * (i * names.length + k), true) / 65535) * map.largest[k];
  const documents = map.documents.map(
      ([text, labels, predicted, probability, x, y], i) =>
          ({i, text, labels, predicted, probability, at: [x, y]}));
  const shown = documents.length < map.shown_of ?
      `${whole(documents.length)} of ${whole(map.shown_of)} texts are shown.` :
      `All ${whole(documents.length)} texts are shown.`;
  const same = ({labels, predicted}) =>
      labels.length === predicted.length && labels.every((k) => predicted.includes(k));
  const listed = (classes) =>
      (classes.length ? classes.map((k, i) => [i ? ", " : "", className(k)]).flat() : ["no class"]);
  const describe = (point) => {
    const one = documents[point.i];
    return [
      el("p", {}, ...listed(one.labels),
         ...(same(one) ?
                 [` · ${percent(one.probability)} sure`] :
                 [" taken for ", ...listed(one.predicted), ` · ${percent(one.probability)} sure`])),
      el("p", {class: "text", dir: "auto"}, one.text),
    ];
  };
  const search = (onfind, id) => {
    const input = el("input", {
      type: "search",
      id,
      placeholder: "a word in the text",
      oninput: () => onfind(input.value.trim().toLowerCase())
    });
    return el("label", {class: "choice"}, el("span", {}, "Find"), input);
  };
  const circle = ({x, y, i}, radius, className, k) => svg("circle", {
    cx: x.toFixed(1),
    cy: y.toFixed(1),
    r: radius,
    class: className,
    "--colour": k === undefined ? "var(--faint)" : colour(k),
    "data-i": i
  });

  // -- all classes ----------------------------------------------------------------------------

  let wanted = "";
  const chart = drawn("map", (width) => {
    const left = Math.min(...map.discs.map((disc) => disc.x - disc.radius - 1));
    const right = Math.max(...map.discs.map((disc) => disc.x + disc.radius + 1));
    const top = Math.min(...map.discs.map((disc) => disc.y - disc.radius - 1));
    const bottom = Math.max(...map.discs.map((disc) => disc.y + disc.radius + 1));
    const margin = 4;
    const scale = Math.min((width - 2 * margin) / (right - left), 780 / (bottom - top), 34);
    const height = Math.ceil((bottom - top) * scale + 2 * margin);
    const shift = (width - (right - left) * scale) / 2;
    const x = (value) => shift + (value - left) * scale;
    const y = (value) => margin + (value - top) * scale;
    return measured(
        width, height, "Map of the texts, each in the disc of the class it is given", (root) => {
          map.discs.forEach((disc, k) => root.append(svg("circle", {
            cx: x(disc.x),
            cy: y(disc.y),
            r: (disc.radius + 0.8) * scale,
            class: "disc",
            "--colour": colour(k),
          })));
          const points = documents.map(({i, at}) => ({i, x: x(at[0]), y: y(at[1])}));
          const radius = Math.max(1, Math.min(6, 0.4 * scale)).toFixed(2);
          root.append(svg("g", {}, points.map((point) => {
            const {text, labels} = documents[point.i];
            const off = wanted && !text.toLowerCase().includes(wanted);
            return circle(point, radius, off ? "point off" : "point", labels[0]);
          })));
          const labels = svg("g", {class: "labels"});
          root.append(labels);
          map.discs.forEach((disc, k) => {
            const room = Math.max(2 * (disc.radius + 2) * scale, 72);
            const font = Math.max(10, Math.min(15, (disc.radius * scale) / 3));
            const label =
                fitted(labels, names[k], {x: x(disc.x), y: y(disc.y), "font-size": font}, room);
            // Of a disc at the edge, the name stays inside.
            const half = label.getComputedTextLength() / 2 + 3;
            label.setAttribute("x", Math.min(Math.max(x(disc.x), half), width - half));
          });
          pointing(root, points, describe);
        });
  });
  section(
      "map", "Map", "All texts on a map",
      [
        "Each text lies in the disc of the class it is given, the surer the nearer to the centre, on the side of the class that comes second. Its colour is the label it has: a dot of another colour is a mistake. Classes that are taken for one another are neighbours. ",
        shown
      ],
      el("div", {class: "controls"}, search((word) => {
           wanted = word;
           chart.redraw();
         }, "map-find")), chart);

  // -- two classes ----------------------------------------------------------------------------

  const pair = data.between.pairs[0];
  let [a, b] = pair ? [pair.true, pair.predicted] : [0, Math.min(1, names.length - 1)];
  const scatter = drawn("scatter", (width) => {
    const side = Math.min(width, 640);
    const [left, bottom, top, right] = [54, 46, 14, 14];
    const members = documents.filter(({labels}) => labels.includes(a) || labels.includes(b));
    const rest = documents.filter(({labels}) => !labels.includes(a) && !labels.includes(b));
    const largest =
        Math.max(1e-9, ...members.map(({i}) => Math.max(feature(i, a), feature(i, b)))) * 1.04;
    const x = (value) => left + Math.min(1, value / largest) * (side - left - right);
    const y = (value) => side - bottom - Math.min(1, value / largest) * (side - bottom - top);
    return measured(
        side, side, `Texts by what speaks for ${names[a]} and for ${names[b]}`, (root) => {
          const ticks = ticksTo(largest);
          root.append(svg(
              "g", {class: "axes"},
              ticks
                  .map(
                      (tick) =>
                          [svg("line",
                               {x1: x(tick), x2: x(tick), y1: y(0), y2: top, class: "grid"}),
                           svg("line", {
                             x1: x(0),
                             x2: side - right,
                             y1: y(tick),
                             y2: y(tick),
                             class: "grid"
                           }),
                           svg("text", {x: x(tick), y: y(0) + 16, class: "tick middle"},
                               String(tick)),
                           svg("text", {x: left - 7, y: y(tick), class: "tick end"}, String(tick)),
          ]).flat(),
              svg("line",
                  {x1: x(0), y1: y(0), x2: x(largest), y2: y(largest), class: "diagonal"})));
          fitted(
              root, names[a],
              {x: side - right, y: side - 8, class: "axis end", "--colour": colour(a)},
              side - left - right);
          const upright = svg("g", {transform: `translate(12,${top}) rotate(-90)`});
          root.append(upright);
          fitted(
              upright, names[b], {x: 0, y: 0, class: "axis end", "--colour": colour(b)},
              side - bottom - top);
          const points =
              [...rest, ...members].map(({i}) => ({i, x: x(feature(i, a)), y: y(feature(i, b))}));
          root.append(svg("g", {}, points.map((point) => {
            const {labels} = documents[point.i];
            const k = labels.includes(a) ? a : labels.includes(b) ? b : undefined;
            return circle(
                point, k === undefined ? 2 : 3, k === undefined ? "point other" : "point", k);
          })));
          pointing(root, points, describe);
        });
  });
  const redraw = () => {
    legend.replaceChildren(...key());
    scatter.redraw();
  };
  const key = () =>
      [className(a), className(b),
       el("span", {class: "class"}, el("span", {class: "dot", "--colour": "var(--faint)"}),
          "other classes")];
  const legend = el("div", {class: "legend"}, key());
  const across = choice("Across", names, a, (k) => {
    a = k;
    redraw();
  }, "scatter-across");
  const upwards = choice("Upwards", names, b, (k) => {
    b = k;
    redraw();
  }, "scatter-upwards");
  const swap =
      el("button", {
        type: "button",
        id: "scatter-swap",
        onclick: () => {
          [a, b] = [b, a];
          [[across, a], [upwards, b]].forEach(([label, k]) => {
            label.querySelector("select").value = k;
          });
          redraw();
        }
      },
         "Swap");
  section(
      "scatter", "Two classes", "Two classes face to face",
      "Each text by two features: the mean, over its terms, of the logarithm of how many times likelier the term is in the class than elsewhere, counting only what speaks for it. Counts leave the text itself out. Above the diagonal more speaks for the one, below it for the other.",
      el("div", {class: "controls"}, across, upwards, swap), legend, scatter);
}

/** Round numbers from zero to less than the largest, about five. */
function ticksTo(largest) {
  const rough = largest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const found = [];
  for (let n = 0; n * step < largest; n += 1) found.push(Number((n * step).toPrecision(6)));
  return found;
}
