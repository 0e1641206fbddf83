// How good the model is: figures with intervals beside the baseline, curves and a threshold.

/** Returns the table of figures. @param {Content} content */
function figuresTable(content) {
  const { evaluation, task } = content;
  if (!evaluation) return null;
  const row = (
    /** @type {string} */ key,
    /** @type {any} */ name,
    /** @type {number[]} */ value,
    /** @type {any} */ baseline,
  ) => [
    name,
    figureText(key, value[0]),
    `${figureText(key, value[1])} to ${figureText(key, value[2])}`,
    baseline,
  ];
  const rows = evaluation.figures.map((one) =>
    row(
      one.key,
      [one.name, el("span", { class: "soft" }, " " + (MEANINGS[one.key] || ""))],
      one.value,
      baselineCell(content, one),
    ),
  );
  const classes = evaluation.classes || [];
  if (task.classes.length === 2 && classes.length === 2) {
    const [negative, positive] = classes;
    const extra = /** @type {[string, string, number[] | null][]} */ ([
      ["sensitivity", `share of ${quoted(task.classes[1])} that is found`, positive.recall],
      ["specificity", `share of ${quoted(task.classes[0])} that is recognized`, negative.recall],
      ["precision", `share of predictions of ${quoted(task.classes[1])} that are right`, positive.precision],
    ]);
    for (const [name, meaning, value] of extra.reverse()) {
      if (value)
        rows.splice(
          Math.min(rows.length, 2),
          0,
          row("recall", [name, el("span", { class: "soft" }, " " + meaning)], value, "–"),
        );
    }
  }
  return table("", ["Figure", "Value", "95 % interval", "Baseline"], rows, "figures");
}

/** Returns the baseline of a figure; that of the cost names its class. @param {Content} content @param {Figure} one */
function baselineCell(content, one) {
  const always = content.evaluation && content.evaluation.cheapest;
  const value = figureText(one.key, one.baseline);
  return one.key === "cost" && always
    ? [value, el("span", { class: "soft" }, ` always ${quoted(always)}`)]
    : value;
}

/** Returns where the figures come from. @param {Content} content */
function sourceText(content) {
  const evaluation = /** @type {Evaluation} */ (content.evaluation);
  const noun = exampleNoun(content);
  if (evaluation.source.kind === "folds") {
    const { folds, repeats } = evaluation.source;
    const repeated = repeats > 1 ? `, repeated ${repeats} times` : "";
    const answers = content.answers || 0;
    const each = Math.round(answers / Math.max(1, evaluation.evaluated));
    return (
      `Held-out data: each ${noun} is predicted by models that were trained without it ` +
      `(${folds}-fold cross-validation${repeated}). ${counted(evaluation.evaluated, noun)}` +
      (evaluation.units === evaluation.evaluated ? "." : ` in ${counted(evaluation.units, "independent unit")}.`) +
      (each > 1
        ? ` The table below has the mean of about ${each} predictions of each ${noun}; plots and counts have the first one.`
        : "")
    );
  }
  return `Predictions for ${visible(evaluation.source.name)}: ${counted(evaluation.evaluated, noun)} with a known value.`;
}

/** Returns a table of the classes. @param {Content} content */
function classTable(content) {
  const { evaluation, task } = content;
  if (!evaluation || !evaluation.classes || task.classes.length < 3) return null;
  const cell = (/** @type {number[] | null} */ value) =>
    value ? `${percent(value[0], 1)} (${percent(value[1])} to ${percent(value[2])})` : "–";
  const rows = evaluation.classes.map((one, code) => [
    [classMark(code), nameNode(task.classes[code])],
    grouped(one.examples),
    grouped(one.predicted),
    cell(one.recall),
    cell(one.precision),
  ]);
  return table(
    "By class",
    ["Class", "Examples", "Predicted", "Found (recall)", "Right when predicted (precision)"],
    rows,
    "",
  );
}

/** Returns predicted against actual numbers. @param {Content} content */
function numberPlot(content) {
  const { evaluation, task } = content;
  const points = (evaluation && evaluation.points) || [];
  if (points.length === 0) return null;
  const all = points.flat();
  const [low, high] = all.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
  const on = plot({
    title: "Predicted and actual",
    x: `predicted ${visible(task.target)}`.slice(0, 40),
    y: "actual",
    xs: [low, high],
    ys: [low, high],
  });
  addLine(
    on,
    [
      [low, low],
      [high, high],
    ],
    "reference",
  );
  for (const [predicted, actual] of points) addDot(on, predicted, actual, "faint", 2.5, "");
  const sample =
    evaluation && evaluation.sampled ? ` A sample of ${grouped(points.length)} predictions.` : "";
  return el("div", { class: "plots" }, figure(on, `Dashed: equal.${sample}`));
}

/** Returns what the model file says about its quality. @param {Content} content */
function storedQuality(content) {
  const model = content.model;
  const held = model && model.held_out;
  if (held) {
    const name = quoted(content.task.classes[1] || "positive");
    const gains = plot({
      title: "Gains",
      x: "rows checked, highest first",
      y: `${name} found`,
      xs: [0, 1],
      ys: [0, 1],
      percent: true,
    });
    addLine(
      gains,
      [
        [0, 0],
        [1, 1],
      ],
      "reference",
    );
    addLine(
      gains,
      [[0, 0], ...held.gains.map((/** @type {any} */ one) => [one.taken, one.found]), [1, 1]],
      "curve",
    );
    const calibration = plot({
      title: "Calibration",
      x: "predicted probability",
      y: "observed share",
      xs: [0, 1],
      ys: [0, 1],
      percent: true,
    });
    addLine(
      calibration,
      [
        [0, 0],
        [1, 1],
      ],
      "reference",
    );
    held.calibration.forEach((/** @type {any} */ one) =>
      addDot(
        calibration,
        one.probability,
        one.happened,
        "dot",
        4,
        `${counted(one.rows, "row")}: predicted ${percent(one.probability)}, observed ${percent(one.happened)}`,
      ),
    );
    const auc = held.auc
      ? ` AUC ${held.auc.value.toFixed(3)} (95 % interval: ${held.auc.low.toFixed(3)} to ${held.auc.high.toFixed(3)}).`
      : "";
    return [
      el(
        "p",
        {},
        `Held-out data, as stored in the model: ${counted(held.rows.all, "row")}, ${grouped(held.rows.positive)} ${name}.${auc}`,
      ),
      el(
        "div",
        { class: "plots" },
        figure(gains, "Dashed: random order."),
        held.calibration.length ? figure(calibration, "Tenths of the rows.") : null,
      ),
    ];
  }
  const rules = model && model.rules;
  const size = rules && rules.sizes[rules.selected];
  const parts = [];
  if (size && typeof size.accuracy === "number") parts.push(`accuracy ${percent(size.accuracy, 1)}`);
  if (size && typeof size.auc === "number") parts.push(`AUC ${size.auc.toFixed(3)}`);
  if (size && typeof size.r2 === "number") parts.push(`R² ${size.r2.toFixed(3)}`);
  if (size && typeof size.mae === "number") parts.push(`mean absolute error ${significant(size.mae)}`);
  if (content.no_estimate)
    return el("p", { class: "note" }, `There are no figures on held-out data: ${visible(content.no_estimate)}.`);
  const how =
    "For intervals and curves, write the report while training (pellucid learn … --report FILE.html), or give data.";
  return el(
    "p",
    {},
    parts.length
      ? `The model file has its cross-validation figures: ${listed(parts)}. ${how}`
      : `The model file has no figures on held-out data. ${how}`,
  );
}

/** Returns the section about quality. @param {Page} page */
function qualitySection(page) {
  return section("quality", "How good it is", drawnAtSize(page, "div", () => qualityView(contentAtSize(page), page)));
}

/** Returns the figures and curves of a size. @param {Content} content @param {Page} page */
function qualityView(content, page) {
  const { evaluation, task } = content;
  if (!evaluation) return storedQuality(content);
  const curves = evaluation.curves || [];
  const panel = el("div", {});
  const choose = (/** @type {number} */ place) => fill(panel, thresholdPanel(content, curves[place]));
  const select =
    curves.length > 1
      ? el(
          "label",
          {},
          "Curves of class ",
          el(
            "select",
            {
              change: (/** @type {Event} */ event) =>
                choose(Number(/** @type {HTMLSelectElement} */ (event.target).value)),
            },
            curves.map((curve, place) => el("option", { value: place }, visible(task.classes[curve.class]))),
          ),
        )
      : null;
  if (curves.length > 0) choose(0);
  return [
    el("p", {}, sourceText(content)),
    sizeNote(page),
    figuresTable(content),
    evaluation.cost_warning ? el("p", { class: "warning" }, visible(evaluation.cost_warning)) : null,
    classTable(content),
    groupTable(content),
    (task.classes.length > 2 || curves.length === 0) && evaluation.confusion
      ? confusionTable(
          task.classes,
          evaluation.confusion,
          task.classes.map((_, code) => code),
        )
      : null,
    curves.length
      ? el("h3", {}, task.classes.length === 2 ? "Choose a threshold" : "One class against the rest")
      : null,
    select,
    panel,
    numberPlot(content),
  ];
}

/** Returns what the figures of another than the selected size leave out; null for the selected size. @param {Page} page */
function sizeNote(page) {
  if (contentAtSize(page) === page.content) return null;
  const isHeldOut = page.content.evaluation?.source.kind === "folds";
  const size = ruleModel(page).sizes[page.size];
  return el(
    "p",
    { class: "note" },
    `Figures of the model with ${counted(size.rules.length, ruleNoun(size))}, which is not the selected size.` +
      (isHeldOut ? " They do not include the choice of a size, so the best of all sizes looks slightly too good." : ""),
  );
}
