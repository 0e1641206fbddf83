// The page of a monitoring: a model on new data, compared with its training data.

/**
 * @typedef {{
 *   name: string, in_model: boolean, severity: string, psi: number, test: string, statistic: number | null,
 *   degrees_of_freedom: number | null, p: number | null, change: string, cuts?: number[], categories?: string[],
 *   reference: {bins: number[], missing: number}, new: {bins: number[], missing: number}
 * }} NamedDrift
 * @typedef {{
 *   key: string, name: string, new: Estimate, reference: Estimate | null, difference: Estimate | null,
 *   better: boolean | null
 * }} QualityChange
 * @typedef {{
 *   version: string, model: string, target: string, data: string, rows: number, reference: string | null,
 *   reference_rows: number, columns: NamedDrift[], skipped: string[], unseen: string[], actual: NamedDrift | null,
 *   predictions: NamedDrift | null, evaluated: number, quality: QualityChange[], summary: string[],
 *   provenance: {date: string, command: string | null}
 * }} MonitoringContent
 */

/** Returns the names of the bins of a drift. @param {NamedDrift} one */
function binNames(one) {
  if (one.categories) return [...one.categories, "other values"];
  const cuts = one.cuts || [];
  return one.reference.bins.map((_, at) =>
    at === 0
      ? `up to ${significant(cuts[0] ?? NaN, 5)}`
      : at === cuts.length
        ? `above ${significant(cuts[at - 1], 5)}`
        : `${significant(cuts[at - 1], 5)} to ${significant(cuts[at], 5)}`,
  );
}

/** Returns both distributions as a small drawing. @param {NamedDrift} one */
function driftDrawing(one) {
  const names = binNames(one);
  const order = one.reference.bins.map((_, at) => at);
  const size = (/** @type {number} */ at) => one.reference.bins[at] + one.new.bins[at];
  // Of many categories, those with the most rows are drawn.
  const kept = order.length > 20 ? order.sort((a, b) => size(b) - size(a)).slice(0, 20) : order;
  const pick = (/** @type {number[]} */ bins) => kept.map((at) => bins[at]);
  return distribution(
    {
      name: one.name,
      used: true,
      missing: 0,
      kind: "",
      categories: kept.map((at) => names[at]),
      bins: [pick(one.reference.bins), pick(one.new.bins)],
    },
    ["reference", "new data"],
  );
}

/** Returns the mark of a severity. @param {string} severity */
function severityTag(severity) {
  const kind = severity === "drift" ? "bad" : severity === "some drift" ? "doubtful" : "good";
  return el("span", { class: `verdict ${kind}` }, severity);
}

/** Returns the short name of a test. @param {string} name */
function testName(name) {
  return name === "Kolmogorov-Smirnov" ? "KS" : name;
}

/** Returns a table of drifts. @param {NamedDrift[]} list @param {string} head */
function driftTable(list, head) {
  const share = (/** @type {{bins: number[], missing: number}} */ of) =>
    of.missing / Math.max(1, of.missing + of.bins.reduce((sum, n) => sum + n, 0));
  const shares = (/** @type {string} */ before, /** @type {string} */ after) =>
    before === after ? before : `${before} to ${after}`;
  const rows = list.map((one) => [
    [nameNode(one.name), head === "Column" && one.in_model ? el("span", { class: "tag" }, "in the model") : null],
    severityTag(one.severity),
    visible(one.change) || "–",
    one.reference.missing || one.new.missing
      ? shares(percent(share(one.reference)), percent(share(one.new)))
      : "–",
    driftDrawing(one),
    one.psi.toFixed(3),
    one.p === null || one.statistic === null
      ? "–"
      : [
          `p ${one.p < 0.001 ? "< 0.001" : "= " + one.p.toFixed(3)}`,
          el("span", { class: "soft" }, ` ${testName(one.test)} ${significant(one.statistic, 3)}`),
        ],
  ]);
  const heads = [head, "", "Change", "Missing", "Distribution", "PSI", "Test"];
  return table("", heads, rows, "data drift");
}

/** Returns the table of quality. @param {MonitoringContent} content */
function changeTable(content) {
  const rows = content.quality.map((one) => {
    const key = one.key === "balanced_accuracy" ? "balanced" : one.key;
    const interval = (/** @type {Estimate | null} */ of) =>
      of
        ? [
            figureText(key, of.value),
            el("span", { class: "soft" }, ` ${figureText(key, of.low)} to ${figureText(key, of.high)}`),
          ]
        : "–";
    const verdict = one.better === null ? "" : one.better ? "better" : "worse";
    return [
      [one.name, el("span", { class: "soft" }, " " + (MEANINGS[key] || ""))],
      interval(one.new),
      interval(one.reference),
      one.difference
        ? [
            differenceText(key, one.difference.value),
            el(
              "span",
              { class: "soft" },
              ` ${differenceText(key, one.difference.low)} to ${differenceText(key, one.difference.high)}`,
            ),
          ]
        : "–",
      verdict ? el("span", { class: `verdict ${one.better ? "good" : "bad"}` }, verdict) : "",
    ];
  });
  const old = content.reference === null ? "Training (held-out)" : "Reference";
  return table(
    "With 95 % intervals. A difference of shares is in percentage points.",
    ["Figure", "New data", old, "Difference", ""],
    rows,
    "figures paired",
  );
}

/** Draws the page. @param {MonitoringContent} content */
function drawMonitoring(content) {
  const others = [content.predictions, content.actual].filter((one) => one !== null);
  const legend = el(
    "p",
    {},
    classMark(0),
    content.reference === null ? "training data  " : "reference  ",
    classMark(1),
    "new data",
  );
  const note = el(
    "p",
    { class: "soft" },
    "PSI is the population stability index: below 0.1 stable, 0.1 to 0.25 some drift, above 0.25 drift. " +
      "KS is the Kolmogorov-Smirnov statistic. " +
      "A difference whose p-value is at least 0.01 is not called drift.",
  );
  const files = [
    saveButton("Columns (CSV)", "drift.csv", () =>
      csvText(
        ["column", "severity", "PSI", "test", "statistic", "p", "change"],
        content.columns.map((one) => [
          one.name,
          one.severity,
          one.psi,
          one.test,
          one.statistic,
          one.p,
          one.change,
        ]),
      ),
    ),
    saveButton("Content of this page (JSON)", "monitoring.json", () => JSON.stringify(content)),
  ];
  const reference =
    content.reference === null ? "the training data in the model file" : visible(content.reference);
  drawPage(
    el(
      "header",
      { id: "answer" },
      el("h1", {}, nameNode(content.target), ": new data"),
      el("p", { class: "lead" }, content.summary.map(visible).join(" ")),
      factList([
        ["Model", nameNode(content.model)],
        ["New data", [nameNode(content.data), ` (${counted(content.rows, "row")})`]],
        ["Reference", `${reference} (${counted(content.reference_rows, "row")})`],
        ...originFacts(content),
      ]),
    ),
    [
      content.quality.length
        ? section(
            "quality",
            "How good it is now",
            el("p", {}, `${counted(content.evaluated, "example")} with an actual value.`),
            changeTable(content),
          )
        : null,
      others.length
        ? section("predictions", "Predictions and actual values", legend.cloneNode(true), driftTable(others, "What"))
        : null,
      section(
        "columns",
        "Columns",
        legend,
        driftTable(content.columns.slice(0, 300), "Column"),
        content.columns.length > 300
          ? el("p", {}, `The first 300 of ${counted(content.columns.length, "column")} are shown.`)
          : null,
        note,
        content.skipped.length
          ? el("p", {}, `Not compared: ${listed(content.skipped.slice(0, 20).map(word))}.`)
          : null,
        content.unseen.length
          ? [
              el("h3", {}, "Values that are not in the training data"),
              el(
                "ul",
                {},
                content.unseen.map((text) => el("li", {}, visible(text))),
              ),
            ]
          : null,
      ),
      section("save", "Take it with you", el("p", { class: "files" }, files)),
    ],
    content,
  );
}

drawMonitoring(readContent());
