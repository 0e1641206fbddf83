// Files to save: the model in other forms, and the tables behind the page.

/**
 * Returns the tables of a page by file name.
 * @param {Page} page @returns {[string, string, () => string][]}
 */
function pageTables(page) {
  const { content } = page;
  const { evaluation, task, data } = content;
  /** @type {[string, string, () => string][]} */
  const tables = [];
  if (evaluation) {
    tables.push([
      "Figures",
      "figures.csv",
      () =>
        csvText(
          ["figure", "value", "low", "high", "baseline"],
          evaluation.figures.map((one) => [one.name, ...one.value, one.baseline]),
        ),
    ]);
    for (const curve of evaluation.curves || []) {
      const name = task.classes[curve.class];
      const label = (evaluation.curves || []).length > 1 ? `Curves of ${quoted(name)}` : "Curves";
      tables.push([
        label,
        `curves-${curve.class}.csv`,
        () =>
          csvText(
            [
              "threshold",
              "true positives",
              "false positives",
              "false negatives",
              "true negatives",
              "sensitivity",
              "specificity",
              "precision",
            ],
            countsByThreshold(curve)
              .slice(1)
              .map((c) => [c.at, c.tp, c.fp, c.fn, c.tn, sensitivity(c), specificity(c), precisionOf(c)]),
          ),
      ]);
    }
    if (evaluation.points)
      tables.push([
        "Predicted and actual",
        "predictions.csv",
        () => csvText(["predicted", "actual"], evaluation.points || []),
      ]);
    if (evaluation.confusion)
      tables.push([
        "Confusion matrix",
        "confusion.csv",
        () =>
          csvText(
            ["actual", ...task.classes],
            (evaluation.confusion || []).map((row, code) => [task.classes[code], ...row]),
          ),
      ]);
  }
  if (content.model && content.model.rules) {
    tables.push([
      "Rules",
      "rules.csv",
      () => {
        const model = ruleModel(page);
        return csvText(
          [
            "rule",
            "condition",
            ...(task.number ? ["amount"] : task.classes.map((name) => `points for ${name}`)),
            "covered",
          ],
          model.sizes[page.size].rules.map(([place, points], number) => [
            number + 1,
            model.pool[place].text,
            ...model.sizes[page.size].base.map((_, code) =>
              points.filter((pair) => pair[0] === code).reduce((sum, pair) => sum + pair[1], 0),
            ),
            model.pool[place].covered.reduce((sum, count) => sum + count, 0),
          ]),
        );
      },
    ]);
    const { card } = ruleModel(page).sizes[page.size];
    if (card) {
      tables.push(["Points", "points.csv", () => csvText(["value", "points"], card.groups.flat())]);
      const heads = ["lowest total", "highest total", "examples", "positive", "risk", "low", "high"];
      tables.push(["Risk by total", "risk.csv", () => csvText(heads, card.risks)]);
    }
    if (ruleModel(page).sizes.length > 1) {
      tables.push([
        "Sizes",
        "sizes.csv",
        () =>
          csvText(
            ["rules", "accuracy", "AUC", "R2", "mean absolute error"],
            ruleModel(page).sizes.map((size) => [
              size.rules.length,
              size.accuracy,
              size.auc,
              size.r2,
              size.mae,
            ]),
          ),
      ]);
    }
  }
  if (data) {
    tables.push([
      "Columns",
      "columns.csv",
      () =>
        csvText(
          ["column", "type", "missing", "distinct", "low", "high", "in the model"],
          data.columns.map((one) => [
            one.name,
            one.kind,
            one.missing,
            one.distinct,
            (one.range || [])[0],
            (one.range || [])[1],
            one.used,
          ]),
        ),
    ]);
  }
  return tables;
}

/** Returns the section with files. @param {Page} page */
function saveSection(page) {
  const { downloads } = page.content;
  return section(
    "save",
    "Take it with you",
    downloads.length
      ? el(
          "p",
          { class: "files" },
          "The model: ",
          downloads.map(({ label, file, packed }) =>
            saveButton(`${label} (${file})`, file, () => unpacked(packed)),
          ),
        )
      : null,
    el(
      "p",
      { class: "files" },
      "The tables of this page as CSV: ",
      pageTables(page).map(([label, file, text]) => saveButton(label, file, text)),
    ),
    el(
      "p",
      { class: "files" },
      saveButton("Content of this page (JSON)", "report.json", () => JSON.stringify(page.content)),
      " ",
      el("button", { type: "button", click: () => window.print() }, "Print"),
    ),
  );
}
