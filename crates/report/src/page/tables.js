// The tables of a page and the numbers behind its plots, as CSV.

/** @typedef {[string, string, () => string]} SavedTable A label, the name of its file, and its text. */

/** Returns the tables of the evaluation at the chosen size. @param {Page} page @returns {SavedTable[]} */
function evaluationTables(page) {
  const { evaluation, task } = page.content;
  if (!evaluation) return [];
  const now = () => contentAtSize(page).evaluation || evaluation;
  /** @type {SavedTable[]} */
  const tables = [["Figures", "figures.csv", () => figuresCsv(now())]];
  if (evaluation.classes && task.classes.length > 2)
    tables.push(["Figures by class", "classes.csv", () => classesCsv(now(), task.classes)]);
  const curves = evaluation.curves || [];
  curves.forEach((curve, place) => {
    const of = curves.length > 1 ? ` of ${quoted(task.classes[curve.class])}` : "";
    const own = () => (now().curves || curves)[place];
    tables.push([`Curves${of}`, `curves-${curve.class}.csv`, () => curveCsv(own())]);
    if (evaluation.probabilities)
      tables.push([`Calibration${of}`, `calibration-${curve.class}.csv`, () => calibrationCsv(own())]);
  });
  if (evaluation.points)
    tables.push(["Predicted and actual", "predictions.csv", () => csvText(["predicted", "actual"], now().points || [])]);
  if (evaluation.confusion)
    tables.push([
      "Confusion matrix",
      "confusion.csv",
      () =>
        csvText(
          ["actual", ...task.classes],
          (now().confusion || []).map((row, code) => [task.classes[code], ...row]),
        ),
    ]);
  return tables;
}

/** Returns the figures of an evaluation. @param {Evaluation} evaluation */
function figuresCsv(evaluation) {
  return csvText(
    ["figure", "value", "low", "high", "baseline"],
    evaluation.figures.map((one) => [one.name, ...one.value, one.baseline]),
  );
}

/** Returns the figures of each class. @param {Evaluation} evaluation @param {string[]} classes */
function classesCsv(evaluation, classes) {
  const ends = (/** @type {string} */ name) => [name, `${name} low`, `${name} high`];
  return csvText(
    ["class", "examples", "predicted", ...ends("recall"), ...ends("precision")],
    (evaluation.classes || []).map((one, code) => [
      classes[code],
      one.examples,
      one.predicted,
      .../** @type {any[]} */ (one.recall || ["", "", ""]),
      .../** @type {any[]} */ (one.precision || ["", "", ""]),
    ]),
  );
}

/** Returns the counts at every threshold. @param {Curve} curve */
function curveCsv(curve) {
  const heads = ["threshold", "true positives", "false positives", "false negatives", "true negatives"];
  return csvText(
    [...heads, "sensitivity", "specificity", "precision", "predicted share"],
    countsByThreshold(curve)
      .slice(1)
      .map((c) => [c.at, c.tp, c.fp, c.fn, c.tn, sensitivity(c), specificity(c), precisionOf(c), flagged(c)]),
  );
}

/** Returns the points of the calibration plot. @param {Curve} curve */
function calibrationCsv(curve) {
  return csvText(
    ["examples", "mean probability", "observed share", "low", "high"],
    calibrationGroups(curve).map((one) => [
      one.count,
      one.probability,
      one.observed,
      ...wilson(one.observed, one.count),
    ]),
  );
}

/** Returns the tables of a rule model at the chosen size. @param {Page} page @returns {SavedTable[]} */
function ruleTables(page) {
  const model = ruleModel(page);
  if (!model) return [];
  const size = () => model.sizes[page.size];
  /** @type {SavedTable[]} */
  const tables = [["Rules", "rules.csv", () => rulesCsv(page)]];
  if (size().card) {
    const heads = ["lowest total", "highest total", "examples", "positive", "risk", "low", "high"];
    tables.push(["Points", "points.csv", () => csvText(["value", "points"], size().card?.groups.flat() || [])]);
    tables.push(["Risk by total", "risk.csv", () => csvText(heads, size().card?.risks || [])]);
  } else if (size().chart) {
    tables.push(["Points", "points.csv", () => pointsCsv(size().chart)]);
  }
  if (model.sizes.length > 1) tables.push(["Sizes", "sizes.csv", () => sizesCsv(model)]);
  const both = page.content.coverage ? page.content.coverage.both : [];
  if (both.length > 1) tables.push(["Overlap of the rules", "overlap.csv", () => overlapCsv(both)]);
  const importance = page.content.model?.importance || [];
  if (importance.length)
    tables.push(["Importance", "importance.csv", () => csvText(["column", "share"], importance)]);
  const groups = page.content.model?.example_groups || [];
  if (groups.length)
    tables.push(["Columns by group", "column-groups.csv", () => exampleGroupsCsv(groups, page.content.task.classes)]);
  return tables;
}

/**
 * Returns groups of examples with the columns that matter for them.
 * @param {{examples: number[], columns: [string, number][]}[]} groups @param {string[]} classes
 */
function exampleGroupsCsv(groups, classes) {
  return csvText(
    ["group", ...classes.map((name) => `examples of '${name}'`), "column", "share"],
    groups.flatMap(({ examples, columns }, at) => columns.map((pair) => [at + 1, ...examples, ...pair])),
  );
}

/** Returns the rules with their points and what they cover. @param {Page} page */
function rulesCsv(page) {
  const model = ruleModel(page);
  const { task } = page.content;
  const { rules, base } = model.sizes[page.size];
  const covered = (/** @type {string} */ name) => `covered '${name}'`;
  const isCounted = !task.number && rules.every(([place]) => model.pool[place].covered.length === base.length);
  const held = heldOutPlaces(page);
  const names = task.number ? [""] : task.classes.map((name) => ` '${name}'`);
  const blank = names.map(() => "");
  return csvText(
    [
      "rule",
      "condition",
      ...(task.number ? ["amount"] : task.classes.map((name) => `points for '${name}'`)),
      "covered",
      ...(isCounted ? task.classes.map(covered) : []),
      "folds with the rule",
      "folds",
      ...(held.size ? [...names.map((name) => `covered in test folds${name}`), ...names.map((name) => `examples in test folds${name}`)] : []),
    ],
    rules.map(([place, points], number) => {
      const rule = model.pool[place];
      const pointsOf = (/** @type {number} */ code) =>
        points.filter((pair) => pair[0] === code).reduce((sum, pair) => sum + pair[1], 0);
      return [
        number + 1,
        rule.text,
        ...base.map((_, code) => pointsOf(code)),
        rule.covered.reduce((sum, count) => sum + count, 0),
        ...(isCounted ? rule.covered : []),
        ...(rule.folds || ["", ""]),
        ...(held.size ? [...(held.get(place)?.covered || blank), ...(held.get(place)?.totals || blank)] : []),
      ];
    }),
  );
}

/** Returns a table of points. @param {Size["chart"]} chart */
function pointsCsv(chart) {
  const [start, scales] = chart || [0, []];
  return csvText(["value", "points"], [["starting score", start], ...scales.flat()]);
}

/** Returns the figures of each size. @param {RuleModel} model */
function sizesCsv(model) {
  return csvText(
    ["rules", "accuracy", "AUC", "R2", "mean absolute error"],
    model.sizes.map((size) => [size.rules.length, size.accuracy, size.auc, size.r2, size.mae]),
  );
}

/** Returns how many examples each pair of rules covers. @param {number[][]} both */
function overlapCsv(both) {
  const count = (/** @type {number} */ one, /** @type {number} */ other) =>
    one <= other ? both[one][other] : both[other][one];
  return csvText(
    ["rule", ...both.map((_, at) => `rule ${at + 1}`)],
    both.map((_, one) => [one + 1, ...both.map((_, other) => count(one, other))]),
  );
}

/** Returns the tables of columns: their effects, groups, distributions. @param {Content} content @returns {SavedTable[]} */
function columnTables(content) {
  const { data, effects, groups, model } = content;
  /** @type {SavedTable[]} */
  const tables = [];
  if (groups) tables.push(["Figures by group", "groups.csv", () => groupsCsv(groups.groups)]);
  if (effects) tables.push(["Feature effects", "effects.csv", () => effectsCsv(content)]);
  const scores = model && model.effects;
  if (scores && scores.length)
    tables.push([
      "Feature effects",
      "effects.csv",
      () =>
        csvText(
          ["column", "importance", "value", "change of the score"],
          scores.flatMap((one) => one.points.map((point) => [one.column, one.importance, ...point])),
        ),
    ]);
  if (model && model.held_out) {
    tables.push(["Gains", "gains.csv", () => recordsCsv(model.held_out.gains)]);
    tables.push(["Calibration", "calibration.csv", () => recordsCsv(model.held_out.calibration)]);
  }
  const expressions = model && model.expressions;
  if (expressions && expressions.length) {
    const heads = ["class expression", "covered positive", "covered negative", "length"];
    tables.push(["Class expressions", "expressions.csv", () => csvText(heads, expressions)]);
  }
  if (data) {
    tables.push(["Columns", "columns.csv", () => columnsCsv(data)]);
    tables.push(["Distributions", "distributions.csv", () => distributionsCsv(data)]);
  }
  return tables;
}

/** Returns objects with the same names as a table. @param {Object<string, any>[]} records */
function recordsCsv(records) {
  const heads = Object.keys(records[0] || {});
  return csvText(
    heads,
    records.map((one) => heads.map((head) => one[head])),
  );
}

/** Returns the figures of each group. @param {Group[]} groups */
function groupsCsv(groups) {
  const names = /** @type {const} */ (["accuracy", "auc", "sensitivity", "specificity", "mae", "r2"]);
  const known = names.filter((name) => groups.some((one) => one[name]));
  return csvText(
    ["group", "examples", ...known.flatMap((name) => [name, `${name} low`, `${name} high`]), "actual", "predicted"],
    groups.map((one) => [
      one.name,
      one.examples,
      ...known.flatMap((name) => /** @type {any[]} */ (one[name] || ["", "", ""])),
      one.actual,
      one.predicted,
    ]),
  );
}

/** Returns the mean prediction by value of each column. @param {Content} content */
function effectsCsv(content) {
  const { columns } = /** @type {EffectSummary} */ (content.effects);
  const outputs = columns[0].points[0][1].length;
  const heads = outputs === 1 ? ["mean prediction"] : content.task.classes.map((name) => `mean for '${name}'`);
  return csvText(
    ["column", "value", ...heads],
    columns.flatMap((one) => one.points.map(([value, means]) => [one.column, value, ...means])),
  );
}

/** Returns the columns of the data. @param {DataSummary} data */
function columnsCsv(data) {
  return csvText(
    ["column", "type", "missing", "distinct", "low", "high", "median", "in the model"],
    data.columns.map((one) => {
      const [low, high] = /** @type {any[]} */ (one.ends || one.range || ["", ""]);
      return [one.name, one.kind, one.missing, one.distinct, low, high, one.ends ? "" : one.median, one.used];
    }),
  );
}

/** Returns the counts of each bin of each column, by class. @param {DataSummary} data */
function distributionsCsv(data) {
  const counts = Math.max(1, ...data.columns.map((one) => (one.bins || []).length));
  const heads = counts > 1 ? data.classes.map((name) => `count of '${name}'`) : ["count"];
  return csvText(
    ["column", "value or start of the bin", ...heads],
    data.columns.flatMap((one) => {
      const bins = one.bins || [];
      const [low, high] = one.range || [0, 0];
      const start = (/** @type {number} */ at) => low + ((high - low) * at) / bins[0].length;
      return (bins[0] || []).map((_, at) => [
        one.name,
        one.categories ? one.categories[at] : one.levels ? one.levels[at] : start(at),
        ...bins.map((own) => own[at]),
      ]);
    }),
  );
}

/** Returns all tables of a page. @param {Page} page @returns {SavedTable[]} */
function pageTables(page) {
  return [...evaluationTables(page), ...ruleTables(page), ...columnTables(page.content)];
}
