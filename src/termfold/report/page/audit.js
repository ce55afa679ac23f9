// The labels that look wrong; then the contents and the foot.

if (data.audit) {
  const place = new Map(names.map((name, k) => [name, k]));
  const label = (name) => (name === null ? el("i", {}, "no label") : className(place.get(name)));
  const rows = data.audit.map(
      (one) =>
          el("li", {},
             el("p", {class: "verdict"}, label(one.label), " → ", label(one.suggested),
                el("b", {}, percent(one.probability_of_suggested)),
                el("small", {}, said(one.source), `, row ${whole(one.row)}`)),
             el("p", {class: "text", dir: "auto"}, one.text),
             el("p", {class: "terms"}, one.terms.map(([term]) => [said(term, "term"), " "]))));
  const FIRST = 10;
  const list = el("ol", {class: "audit"}, rows.slice(0, FIRST));
  const more = rows.length > FIRST ? el("button", {
    type: "button",
    id: "audit-more",
    onclick: () => {
      list.append(...rows.slice(FIRST));
      more.remove();
    }
  },
                                        `Show all ${rows.length}`) :
                                     null;
  section(
      "audit", "Doubtful labels", "Labels that look wrong",
      "Texts whose terms speak for another label than they have, judged by all others; the least credible first, with the terms that decide.",
      rows.length ? list : el("p", {class: "nothing"}, "None."), more);
}

{
  const links = [...report.querySelectorAll("section")].map(
      (one) => el("a", {href: `#${one.id}`}, one.dataset.short));
  document.querySelector("header").after(el("nav", {"aria-label": "Contents"}, links));
  report.after(el(
      "footer", {}, `Made by termfold ${data.termfold}. Everything on this page is in this file.`));
  document.documentElement.dataset.ready = "yes";
}
