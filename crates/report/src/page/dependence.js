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
  const codes = outputsOf(content, one);
  codes.forEach((code, output) => {
    addLine(
      on,
      one.points.map(([value, means]) => [Number(value), means[output]]),
      `curve ${colorOf(code).replace("c", "s")}`,
    );
    for (const [value, means] of one.points) {
      const shown = column ? valueText(column, value) : String(value);
      const name = codes.length === 1 ? "" : `${quoted(content.task.classes[code])}: `;
      addDot(
        on,
        Number(value),
        means[output],
        `dot ${colorOf(code).replace("c", "f")}`,
        2.5,
        `${shown}: ${name}${meanText(effects, means[output])}`,
      );
    }
  });
  return el("figure", {}, effectCaption(content, one), on.svg);
}

/** Returns the classes of the means of a column, by code. @param {Content} content @param {ColumnEffect} one */
function outputsOf(content, one) {
  // Of two classes there is one mean, that of the second.
  if (one.points[0][1].length === 1 && content.task.classes.length === 2) return [1];
  return one.classes || one.points[0][1].map((_, output) => output);
}

/** Returns the name of a column, with the classes if only some are drawn. @param {Content} content @param {ColumnEffect} one */
function effectCaption(content, one) {
  const codes = outputsOf(content, one);
  const isPart = codes.length > 1 && codes.length < content.task.classes.length;
  return el(
    "figcaption",
    {},
    el("strong", {}, nameNode(one.column)),
    isPart ? [". ", codes.map((code) => [classMark(code), nameNode(content.task.classes[code]), "  "])] : null,
  );
}

/**
 * Returns the effect of a column of categories as bars.
 * @param {Content} content @param {EffectSummary} effects @param {ColumnEffect} one @param {[number, number]} ends
 */
function categoryEffect(content, effects, one, ends) {
  // Bars of positive numbers begin at 0, so that their lengths can be compared.
  const base = Math.min(0, ends[0]);
  const width = Math.max(ends[1] - base, Number.MIN_VALUE);
  const codes = outputsOf(content, one);
  const column = (content.columns || []).find((other) => other.name === one.column);
  const rows = one.points.map(([value, means]) => [
    nameNode(typeof value === "number" && column ? valueText(column, value) : String(value)),
    means.map((mean) => el("div", {}, meanText(effects, mean))),
    means.map((mean, output) =>
      el(
        "div",
        { class: "line", "aria-hidden": "true" },
        el(
          "span",
          { class: "bar" },
          el("span", { class: colorOf(codes[output]), style: { width: `${(100 * (mean - base)) / width}%` } }),
        ),
      ),
    ),
  ]);
  return el(
    "figure",
    {},
    effectCaption(content, one),
    table("", ["Value", effects.of === "number" ? "Mean" : `Mean ${effects.of}`, ""], rows, "effect"),
  );
}

/** With fewer distinct numbers than this, their effects are bars. */
const FEW_NUMBERS = 4;

/** The most effects that are shown at once. */
const MOST_EFFECTS = 8;

/** Returns the effects of all columns; null if the report has none. @param {Content} content */
function columnEffects(content) {
  const effects = content.effects;
  if (!effects) return null;
  const all = effects.columns.flatMap((one) => one.points.flatMap(([, means]) => means));
  /** @type {[number, number]} */
  const ends = [Math.min(...all), Math.max(...all)];
  const { classes, target } = content.task;
  const isNumeric = (/** @type {ColumnEffect} */ one) =>
    typeof one.points[0][0] === "number" && one.points.length >= FEW_NUMBERS;
  const isSample = !content.data || effects.rows < content.data.examples;
  const noun = exampleNoun(content);
  const rows = `${grouped(effects.rows)} ${noun}s${isSample ? " of a sample" : ""}`;
  const outputs = Math.max(...effects.columns.map((one) => outputsOf(content, one).length));
  const isPart = outputs > 1 && outputs < classes.length;
  const what =
    effects.of === "number"
      ? `prediction of ${word(target)}`
      : outputs === 1
        ? `${effects.of} of ${quoted(classes[1] || "")}`
        : isPart
          ? `${effects.of} of the ${outputs} classes that a column changes most`
          : `${effects.of} of each class`;
  const drawn = (/** @type {ColumnEffect[]} */ some) =>
    el(
      "div",
      { class: "plots" },
      some.map((one) => (isNumeric(one) ? numberEffect : categoryEffect)(content, effects, one, ends)),
    );
  const isLong = effects.columns.length > MOST_EFFECTS + 2;
  const rest = isLong ? effects.columns.slice(MOST_EFFECTS) : [];
  return [
    el("h3", {}, "Feature effects (partial dependence)"),
    el(
      "p",
      {},
      `Mean ${what} if ${noun === "bag" ? `all rows of the ${rows}` : `all ${rows}`} had the value, for the selected size. ` +
        "The columns with the largest effects come first, and all plots have the same scale.",
    ),
    outputs > 1 && !isPart
      ? el(
          "p",
          {},
          classes.map((name, code) => [classMark(code), nameNode(name), "  "]),
        )
      : null,
    drawn(isLong ? effects.columns.slice(0, MOST_EFFECTS) : effects.columns),
    rest.length ? opening(counted(rest.length, "more column"), () => drawn(rest)) : null,
  ];
}
