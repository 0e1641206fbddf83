// A scorecard: the points of each value, the risk by total, and the total of a form.

/**
 * A scorecard. The score of a total of 0 is `start`; each group has its columns, its least score and the places of its rules; a risk is the lowest and
 * highest total, examples, positive examples, the share of those, and its interval.
 * @typedef {{
 *   how: string, gain: string | null, start: number, groups: [string, number][][], columns: [string[], number, number[]][],
 *   risks: [number, number, number, number, number, number, number][]
 * }} Card
 */

/** With more groups than this, those without points are left out of the reasons. */
const MOST_GROUPS = 12;

/** Returns a range of totals in words. @param {number} low @param {number} high */
function totalsText(low, high) {
  return low === high ? String(low) : `${low} to ${high}`;
}

/** Returns the points of a scorecard and the risk by total. @param {Content} content @param {Card} card */
function cardTables(content, card) {
  const most = Math.max(1, ...card.groups.flat().map((line) => line[1]));
  const line = (/** @type {[string, number]} */ [what, points]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("code", {}, expandable(what, 120))),
      el("td", { class: "n" }, points),
      el("td", {}, el("span", { class: "bar clear", "aria-hidden": "true" }, barPart((100 * points) / most))),
    );
  return el(
    "div",
    {},
    el("h3", {}, "Points"),
    el("p", {}, visible(card.how)),
    card.gain === null ? null : el("p", { class: "soft" }, visible(card.gain)),
    scrollBox(
      el(
        "table",
        { class: "points card" },
        el(
          "thead",
          {},
          el("tr", {}, el("th", { scope: "col" }, "Value"), el("th", { scope: "col", colspan: 2 }, "Points")),
        ),
        card.groups.map((group) => el("tbody", {}, group.map(line))),
      ),
    ),
    riskTable(content, card),
  );
}

/** Returns a part of a bar. @param {number} width in percent */
function barPart(width) {
  return el("span", { class: "c1", style: { width: `${width}%` } });
}

/** Returns the risk by total; null if it is unknown. @param {Content} content @param {Card} card */
function riskTable(content, card) {
  if (card.risks.length === 0) {
    return el("p", { class: "soft" }, "The risk by total is known for the selected size only.");
  }
  const positive = quoted(content.task.classes[1]);
  const interval = (/** @type {number} */ risk, /** @type {number} */ low, /** @type {number} */ high) =>
    el(
      "span",
      { class: "scale", "aria-hidden": "true" },
      el("span", { class: "interval", style: { left: `${100 * low}%`, width: `${100 * (high - low)}%` } }),
      el("span", { class: "middle", style: { left: `${100 * risk}%` } }),
    );
  return [
    el("h3", {}, `Risk of ${positive} by total`),
    table(
      "On held-out data, with 95 % intervals",
      ["Total", capitalized(exampleNoun(content)) + "s", positive, "Risk", "95 % interval", "0 % to 100 %"],
      card.risks.map(([low, high, examples, found, risk, least, most]) => [
        totalsText(low, high),
        grouped(examples),
        grouped(found),
        el("strong", {}, riskText(risk)),
        `${riskText(least)} to ${riskText(most)}`,
        interval(risk, least, most),
      ]),
      "risks",
    ),
  ];
}

/** Returns a risk as text; a small one with decimals, so that different small risks look different. @param {number} risk */
function riskText(risk) {
  const digits = risk >= 0.1 || risk === 0 ? 0 : risk >= 0.01 ? 1 : 2;
  return percent(risk, digits);
}

/** Returns text with a capital letter. @param {string} text */
function capitalized(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Returns the total of a form, with its risk. @param {Card} card @param {number} score */
function totalText(card, score) {
  const total = Math.round(score - card.start);
  // A missing value that training never had may give a total between two ranges.
  const most = Math.max(...card.risks.map(([, high]) => high));
  const found = total <= most ? card.risks.filter(([low]) => total >= low).at(-1) : undefined;
  const [share, low, high] = found ? found.slice(4).map(riskText) : [];
  const risk = found ? `: risk ${share} (95 % interval ${low} to ${high})` : "";
  return el("p", {}, el("strong", {}, counted(total, "point")), risk);
}

/** Returns the points of each column of a form. @param {Size} size @param {Prediction} prediction */
function cardReasons(size, prediction) {
  const card = /** @type {Card} */ (size.card);
  const most = Math.max(1, ...card.groups.flat().map((line) => line[1]));
  const scoreOf = (/** @type {number} */ rule) =>
    size.rules[rule][1].reduce((sum, [code, amount]) => sum + (code === 1 ? amount : -amount), 0);
  const rows = card.columns.map(([names, least, rules]) => {
    const applied = rules.filter((rule) => prediction.applied[rule]);
    const points = Math.round(applied.reduce((sum, rule) => sum + scoreOf(rule), 0) - least);
    return /** @type {[string[], number]} */ ([names, points]);
  });
  const bar = (/** @type {number} */ points) =>
    el("span", { class: "bar clear", "aria-hidden": "true" }, barPart((100 * points) / most));
  const columnsOf = (/** @type {string[]} */ names) =>
    el("span", {}, names.flatMap((name, at) => (at > 0 ? [" and ", nameNode(name)] : [nameNode(name)])));
  // A long card has many groups that add nothing.
  const isLong = rows.length > MOST_GROUPS;
  const shown = isLong ? rows.filter(([, points]) => points !== 0) : rows;
  const rest = rows.length - shown.length;
  return [
    table(
      "Points of each column",
      ["Column", "Points", ""],
      shown.map(([names, points]) => [columnsOf(names), points, bar(points)]),
      "shares",
    ),
    rest ? el("p", { class: "soft" }, `${rest === 1 ? "One other group adds" : `The other ${rest} groups add`} 0 points.`) : null,
  ];
}
