// The model of other learners: networks with their feature effects, and any model as text.

/**
 * Returns the effect of a column of numbers as a plot.
 * @param {ColumnScores} effect @param {number} most @param {string} what What changes.
 */
function scoreCurve(effect, most, what) {
  const points = effect.points.map(([value, score]) => /** @type {[number, number]} */ ([Number(value), score]));
  const values = points.map(([value]) => value);
  const on = plot({
    title: visible(effect.column).slice(0, 60),
    x: axisName(effect.column, ""),
    y: `change of the ${what}`,
    xs: [Math.min(...values), Math.max(...values)],
    ys: [-most, most],
    xTicks: fewTicks(values),
  });
  addLine(on, points, "curve");
  for (const [value, score] of points) {
    addDot(on, value, score, "dot", 2.5, `${significant(value, 4)}: ${signed(score)}`);
  }
  return on.svg;
}

/**
 * Returns the effect of a column of categories as bars.
 * @param {ColumnScores} effect @param {number} most @param {string} what What changes.
 */
function scoreBars(effect, most, what) {
  const bar = (/** @type {number} */ score) =>
    el(
      "span",
      { class: "scale", "aria-hidden": "true" },
      el("span", { class: "zero", style: { left: "50%" } }),
      el("span", {
        class: score < 0 ? "c0" : "c1",
        style: { left: `${50 + Math.min(0, 50 * (score / most))}%`, width: `${50 * (Math.abs(score) / most)}%` },
      }),
    );
  const rows = effect.points.map(([value, score]) => [nameNode(String(value)), signed(score), bar(score)]);
  return table("", ["Value", `Change of the ${what}`, ""], rows, "effect");
}

/**
 * Returns the effect of a column.
 * @param {ColumnScores} effect @param {number} most @param {string} what What changes.
 */
function effectFigure(effect, most, what) {
  return el(
    "figure",
    {},
    el(
      "figcaption",
      {},
      el("strong", {}, nameNode(effect.column)),
      `. Importance ${effect.importance.toFixed(3)}.`,
    ),
    typeof effect.points[0][0] === "number" && effect.points.length >= FEW_NUMBERS
      ? scoreCurve(effect, most, what)
      : scoreBars(effect, most, what),
  );
}

/** Returns the section about a network. @param {Content} content */
function networkSection(content) {
  const picture = /** @type {HTMLImageElement} */ (el("img", { alt: "A network of the model", class: "drawing" }));
  const model = /** @type {PageModel} */ (content.model);
  const effects = (model.effects || []).filter((effect) => effect.points.length > 1).slice(0, 12);
  const [low, high] = content.task.number || [0, 1];
  const least = content.task.number ? (high - low) / 1000 || 1 : 0.1;
  const most = Math.max(least, ...effects.flatMap((effect) => effect.points.map((pair) => Math.abs(pair[1]))));
  const [change, loss] = content.task.number
    ? [`Change of the mean prediction of ${quoted(content.task.target || "")} if all rows had the value. `, "R²"]
    : [
        "Change of the mean score if all rows had the value. " +
          `A higher score favors ${quoted(content.task.classes[1] || "")}. `,
        "AUC",
      ];
  if (model.drawing)
    unpacked(model.drawing).then((text) => {
      picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    });
  return section(
    "model",
    "The model",
    effects.length
      ? [
          el("h3", {}, "Feature effects (partial dependence)"),
          el(
            "p",
            {},
            `${change}Importance is the loss of ${loss} when the column is permuted. ` +
              "The columns with the highest importance come first, and all plots have the same scale.",
          ),
          el(
            "div",
            { class: "plots" },
            effects.map((effect) => effectFigure(effect, most, content.task.number ? "prediction" : "score")),
          ),
        ]
      : null,
    model.drawing
      ? el(
          "details",
          {},
          el("summary", {}, "Drawing of a network"),
          picture,
        )
      : null,
    el("details", {}, el("summary", {}, "The model as text"), textBox(visibleLines(model.text || ""))),
  );
}

/** Returns text of several lines with visible control characters. @param {string} text */
function visibleLines(text) {
  return text.split("\n").map(visible).join("\n");
}

/** Returns the section about a model that is shown as text. @param {Content} content */
function textSection(content) {
  return section(
    "model",
    "The model",
    textBox(visibleLines((content.model && content.model.text) || "")),
  );
}
