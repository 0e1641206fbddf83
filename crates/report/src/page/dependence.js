// The effect of each column on the prediction (partial dependence).

/** Returns a mean prediction as text. @param {EffectSummary} effects @param {number} mean */
function meanText(effects, mean) {
  return effects.of === "probability" ? percent(mean, 1) : significant(mean, 4);
}

/**
 * Returns the effect of a column of numbers as a plot.
 * @param {Content} content @param {EffectSummary} effects @param {ColumnEffect} one @param {[number, number]} ends
 */
function numberEffect(content, effects, one, ends) {
  const column = (content.columns || []).find((other) => other.name === one.column);
  const numbers = one.points.map(([value]) => Number(value));
  const date = column && column.date;
  const on = plot({
    title: visible(one.column).slice(0, 60),
    x: axisName(one.column, (column && column.unit) || ""),
    y: effects.of === "number" ? visible(content.task.target).slice(0, 30) : effects.of,
    xs: [Math.min(...numbers), Math.max(...numbers)],
    ys: ends,
    percent: effects.of === "probability",
    xTicks: fewTicks(numbers),
    xText: date ? (number) => dateText(number, date).slice(0, 7) : (number) => significant(number, 4),
  });
  one.points[0][1].forEach((_, output) => {
    const single = one.points[0][1].length === 1;
    addLine(
      on,
      one.points.map(([value, means]) => [Number(value), means[output]]),
      `curve s${single ? 0 : output % 6}`,
    );
    for (const [value, means] of one.points) {
      const shown = column ? valueText(column, value) : String(value);
      const name = single ? "" : `${quoted(content.task.classes[output])}: `;
      addDot(
        on,
        Number(value),
        means[output],
        `dot f${single ? 0 : output % 6}`,
        2.5,
        `${shown}: ${name}${meanText(effects, means[output])}`,
      );
    }
  });
  return figure(on, "");
}

/**
 * Returns the effect of a column of categories as bars.
 * @param {Content} content @param {EffectSummary} effects @param {ColumnEffect} one @param {[number, number]} ends
 */
function categoryEffect(content, effects, one, ends) {
  const width = Math.max(ends[1] - ends[0], Number.MIN_VALUE);
  const rows = one.points.map(([value, means]) => [
    nameNode(String(value)),
    means.map((mean) => el("div", {}, meanText(effects, mean))),
    means.map((mean, output) =>
      el(
        "span",
        { class: "bar", "aria-hidden": "true" },
        el("span", {
          class: `c${means.length === 1 ? 0 : output % 6}`,
          style: { width: `${(100 * (mean - ends[0])) / width}%` },
        }),
      ),
    ),
  ]);
  return el(
    "figure",
    {},
    el("figcaption", {}, el("strong", {}, nameNode(one.column))),
    table("", ["Value", effects.of === "number" ? "Mean" : `Mean ${effects.of}`, ""], rows, "effect"),
  );
}

/** Returns the effects of all columns; null if the report has none. @param {Content} content */
function columnEffects(content) {
  const effects = content.effects;
  if (!effects) return null;
  const all = effects.columns.flatMap((one) => one.points.flatMap(([, means]) => means));
  /** @type {[number, number]} */
  const ends = [Math.min(...all), Math.max(...all)];
  const { classes, target } = content.task;
  const isSample = !content.data || effects.rows < content.data.rows;
  const outputs = effects.columns[0].points[0][1].length;
  const what =
    effects.of === "number"
      ? `prediction of ${word(target)}`
      : outputs === 1
        ? `${effects.of} of ${quoted(classes[1] || "")}`
        : `${effects.of} of each class`;
  const drawn = effects.columns.map((one) =>
    typeof one.points[0][0] === "number"
      ? numberEffect(content, effects, one, ends)
      : categoryEffect(content, effects, one, ends),
  );
  return [
    el("h3", {}, "Feature effects (partial dependence)"),
    el(
      "p",
      {},
      `Mean ${what} if all ${grouped(effects.rows)} rows${isSample ? " of a sample" : ""} had the value, for the selected size. ` +
        "The columns with the largest effects come first, and all plots have the same scale.",
    ),
    outputs > 1
      ? el(
          "p",
          {},
          classes.map((name, code) => [classMark(code), nameNode(name), "  "]),
        )
      : null,
    el("div", { class: "plots" }, drawn),
  ];
}
