// The head of the report, the table of classes, and the terms that make each.

{
  const {corpus, metrics} = data;
  const tile = (value, what, more = "") =>
      el("div", {class: "tile"}, el("b", {}, value), el("span", {}, what), el("small", {}, more));
  const sampled = corpus.sampled && corpus.sampled < corpus.documents;
  document.body.prepend(
      el(
          "header",
          {},
          el("p", {class: "kind"},
             metrics ? "Report on a labelled collection" : "Report on term statistics"),
          el("h1", {dir: "auto"}, data.title),
          el(
              "div",
              {class: "tiles"},
              tile(
                  whole(corpus.documents), "documents",
                  corpus.text_bytes ? `${size(corpus.text_bytes)} of text` : ""),
              tile(
                  whole(corpus.classes), "classes",
                  corpus.labels_per_document === 1 ?
                      "one for each document" :
                      `${short(corpus.labels_per_document)} for a document`),
              tile(
                  whole(corpus.terms), "different terms",
                  `${short(corpus.distinct_terms_per_document)} in a document`),
              ...(metrics ?
                      [
                        tile(
                            percent1(metrics.accuracy),
                            metrics.multilabel ? "have all labels right" : "labelled right",
                            `of ${plural(metrics.documents, "text")}`),
                        tile(
                            three(metrics.macro.f1), "macro F1",
                            `micro F1 ${three(metrics.micro.f1)}`),
                      ] :
                      []),
              ),
          metrics ?
              el("p", {class: "how"}, `How measured: ${metrics.how}.`,
                 sampled ? ` Terms are counted in all ${whole(corpus.documents)} documents.` : "") :
              null,
          ),
  );
}

function size(bytes) {
  return bytes < 1e5 ? `${short(bytes / 1e3)} kB` : `${short(bytes / 1e6)} MB`;
}

function percent1(value) { return `${(100 * value).toFixed(1)} %`; }

// -- the table of classes ---------------------------------------------------------------------

const state = {
  score: Math.max(0, data.scores.findIndex(({name}) => name === "chi2")),
  class: 0
};
const bestTerms = (k, score = state.score) => data.classes[k].best[data.scores[score].name];

const figures = new Map((data.metrics?.classes ?? []).map((one) => [one.name, one]));
const columns = [
  {name: "class", text: true, value: (k) => names[k]},
  {name: "documents", value: (k) => data.classes[k].documents, show: whole},
  ...(data.metrics ?
          ["precision", "recall", "f1"].map((key) => ({
                                              name: key === "f1" ? "F1" : key,
                                              value: (k) => figures.get(names[k])?.[key] ?? -1,
                                              show: three,
                                            })) :
          []),
];

function tableOfClasses() {
  const most = Math.max(...data.classes.map((one) => one.documents));
  const body = el("tbody");
  let sorted = {column: columns[0], down: false};
  const heads = columns.map(
      (column) =>
          el("th", {scope: "col", class: column.text ? null : "number"},
             el("button", {type: "button", onclick: () => sort(column)}, column.name)));
  const cell = (column, k) => {
    const value = column.value(k);
    if (column.text) {
      return el(
          "th", {scope: "row"},
          el("button", {type: "button", class: "pick", onclick: () => showTerms(k)}, className(k)));
    }
    const share = column.name === "documents" ? value / most : value;
    return el(
        "td", {class: "number", "data-column": column.name},
        value < 0 ?
            "–" :
            el("span", {class: "meter", "--share": Math.max(0, share), "--colour": colour(k)},
               column.show(value)));
  };
  const draw = () => {
    const order = names.map((_, k) => k).sort((a, b) => {
      const [one, other] = [sorted.column.value(a), sorted.column.value(b)];
      const found = sorted.column.text ? one.localeCompare(other) : one - other;
      return (sorted.down ? -found : found) || a - b;
    });
    columns.forEach((column, i) => {
      if (column === sorted.column)
        heads[i].setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else heads[i].removeAttribute("aria-sort");
    });
    body.replaceChildren(...order.map(
        (k) =>
            el("tr", {}, columns.map((column) => cell(column, k)),
               el("td", {class: "terms"},
                  bestTerms(k).slice(0, 6).map(
                      ([i]) => [said(data.classes[k].terms[i][0], "term"), " "])))));
  };
  const sort = (column) => {
    sorted = {column, down: column === sorted.column ? !sorted.down : !column.text};
    draw();
  };
  draw();
  const table =
      el("div", {class: "wide"},
         el("table", {class: "classes"},
            el("thead", {}, el("tr", {}, heads, el("th", {scope: "col"}, "terms"))), body));
  table.redraw = draw;
  return table;
}

const classTable = tableOfClasses();
section(
    "classes", "Classes", "Classes",
    data.metrics ?
        "How many documents each class has, how well its texts are told from the others, and the terms that make it. Click a heading to sort." :
        "How many documents each class has, and the terms that make it. Click a heading to sort.",
    classTable);

// -- the terms of a class ---------------------------------------------------------------------

const rest = (k) => Math.max(0, data.corpus.documents - data.classes[k].documents);

function termBars() {
  const k = state.class;
  const best = bestTerms(k);
  if (!best.length)
    return el("p", {class: "nothing"}, "No term is more frequent in this class than elsewhere.");
  const values = best.map(([, value]) => value);
  const base = Math.min(0, ...values);
  const largest = Math.max(...values) - base || 1;
  const rate = (part, of) => (of ? part / of : 0);
  return el("ol", {class: "bars", "--colour": colour(k)}, best.map(([i, value]) => {
    const [term, inside, all] = data.classes[k].terms[i];
    const rates = [rate(inside, data.classes[k].documents), rate(all - inside, rest(k))];
    return el(
        "li", {
          "data-term": term,
          title: `in ${plural(inside, "document")} of the class, ${whole(all - inside)} elsewhere`
        },
        said(term, "name"),
        el("span", {class: "bar"}, el("i", {"--share": Math.max(0.004, (value - base) / largest)})),
        el("span", {class: "value"}, short(value)),
        el("span", {class: "rates"}, `${percent(rates[0])} here, ${percent(rates[1])} elsewhere`));
  }));
}

const bars = el("div", {class: "chart"});
const scoreSaid = el("p", {class: "note", "aria-live": "polite"});
const controls = el("div", {class: "controls"});

function showTerms(k = state.class, score = state.score) {
  const other = score !== state.score;
  Object.assign(state, {class: k, score});
  document.getElementById("terms-class").value = k;
  document.getElementById("terms-score").value = score;
  scoreSaid.textContent = data.scores[score].said;
  bars.replaceChildren(termBars());
  if (other) classTable.redraw();
}

section(
    "terms", "Terms", "The terms that make a class",
    [
      "Terms that are more frequent in a class than elsewhere, by any of the scores, with the share of documents that hold them.",
      data.corpus.min_df_shown > 1 ?
          ` Terms in fewer than ${data.corpus.min_df_shown} documents are left out.` :
          ""
    ],
    controls, scoreSaid, bars);
controls.append(
    choice("Class", names, 0, (k) => showTerms(k), "terms-class"),
    choice(
        "Score", data.scores.map(({name, said: what}) => `${name} – ${what.split(":")[0]}`),
        state.score, (score) => showTerms(state.class, score), "terms-score"),
);
showTerms();
