// The table of points: what each value adds to the score.

/** Returns the table of points of a size; null if it has none. @param {Content} content @param {Size} size */
function pointsTable(content, size) {
  if (size.card) return cardTables(content, size.card);
  if (!size.chart) return null;
  const [start, scales] = size.chart;
  const all = [start, 0, ...scales.flat().map((pair) => pair[1])];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const width = Math.max(high - low, Number.MIN_VALUE);
  const at = (/** @type {number} */ points) => (100 * (points - low)) / width;
  const bar = (/** @type {number} */ points) =>
    el(
      "span",
      { class: "scale", "aria-hidden": "true" },
      el("span", { class: "zero", style: { left: `${at(0)}%` } }),
      el("span", {
        class: points < 0 ? "c0" : "c1",
        style: { left: `${at(Math.min(points, 0))}%`, width: `${(100 * Math.abs(points)) / width}%` },
      }),
    );
  const row = (/** @type {any} */ what, /** @type {number} */ points) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, what),
      el("td", { class: "n" }, signed(points)),
      el("td", {}, bar(points)),
    );
  const [negative, positive] = content.task.classes;
  return el(
    "div",
    {},
    el("h3", {}, "Points table"),
    el(
      "p",
      {},
      "Add the points of each value to the starting score; a missing value adds 0. " +
        `A total above 0 predicts ${quoted(positive)}, any other total ${quoted(negative)}.`,
    ),
    scrollBox(
      el(
        "table",
        { class: "points" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "Value"),
            el("th", { scope: "col", colspan: 2 }, "Points for ", nameNode(positive)),
          ),
        ),
        el("tbody", {}, row("starting score", start)),
        scales.map((scale) =>
          el(
            "tbody",
            {},
            scale.map(([what, points]) => row(el("code", {}, expandable(what, 120)), points)),
          ),
        ),
      ),
    ),
    scoreScale(content, size),
  );
}

/**
 * Returns what some totals mean as probabilities; null without a calibration.
 * @param {Content} content @param {Size} size
 */
function scoreScale(content, size) {
  const curve = size.calibration;
  if (!curve || content.task.classes.length !== 2) return null;
  const probability = (/** @type {number} */ total) =>
    softmax([curve.offsets[0], curve.slope * total + curve.offsets[1]])[1];
  const totals = [-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3];
  return scrollBox(
    el(
      "table",
      { class: "totals" },
      el("caption", {}, `Probability of ${quoted(content.task.classes[1])} by total score`),
      el(
        "tbody",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "row" }, "Total"),
          totals.map((total) =>
            el("td", { class: "n" }, total === 0 ? "0" : (total < 0 ? "−" : "+") + Math.abs(total)),
          ),
        ),
        el(
          "tr",
          {},
          el("th", { scope: "row" }, "Probability"),
          totals.map((total) => el("td", { class: "n" }, percent(probability(total)))),
        ),
      ),
    ),
  );
}
