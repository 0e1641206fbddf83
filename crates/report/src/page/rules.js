// The size of a rule model, its accuracy by size, and what matters for which examples.

/** Returns the score of a size, and its name. @param {Size} size @returns {[number, string] | null} */
function sizeScore(size) {
  if (typeof size.accuracy === "number") return [size.accuracy, "accuracy"];
  return typeof size.r2 === "number" ? [size.r2, "R²"] : null;
}

/** Returns the noun for a rule; those of a scorecard are steps. @param {Size} size */
function ruleNoun(size) {
  return size.card ? "step" : "rule";
}

/** Returns a size in words. @param {Size} size */
function sizeText(size) {
  const parts = [counted(size.rules.length, ruleNoun(size))];
  if (typeof size.accuracy === "number") parts.push(`accuracy ${percent(size.accuracy, 1)}`);
  if (typeof size.auc === "number") parts.push(`AUC ${size.auc.toFixed(3)}`);
  if (typeof size.r2 === "number") parts.push(`R² ${size.r2.toFixed(3)}`);
  if (typeof size.mae === "number") parts.push(`mean absolute error ${significant(size.mae)}`);
  return parts.join(", ");
}

/** Returns the slider for the size and the curve by size; null if there is one size. @param {Page} page */
function sizePanel(page) {
  const model = ruleModel(page);
  if (model.sizes.length < 2) return null;
  const scored = model.sizes.map(sizeScore);
  const output = el("output", {});
  const input = /** @type {HTMLInputElement} */ (
    el("input", { type: "range", min: 0, max: model.sizes.length - 1, step: 1, value: page.size })
  );
  /** @type {(size: number) => void} */
  let mark = () => {};
  let plotted = null;
  if (scored.every((pair) => pair !== null)) {
    const pairs = /** @type {[number, string][]} */ (scored);
    const xs = model.sizes.map((size) => size.rules.length);
    const ys = pairs.map((pair) => pair[0]);
    const [low, high] = [Math.min(...ys), Math.max(...ys)];
    const name = pairs[0][1];
    const noun = ruleNoun(model.sizes[model.selected]) + "s";
    const on = plot({
      title: `${name === "R²" ? name : "Accuracy"} by number of ${noun}`,
      x: noun,
      y: name,
      whole: true,
      xs: [0, Math.max(...xs, 1)],
      ys: [low, high > low ? high : low + 0.01],
      percent: name !== "R²",
    });
    addLine(
      on,
      xs.map((x, place) => [x, ys[place]]),
      "curve",
    );
    xs.forEach((x, place) => addDot(on, x, ys[place], "dot", 2.5, sizeText(model.sizes[place])));
    const dot = addDot(on, 0, 0, "here", 5.5, "");
    mark = (size) => moveDot(on, dot, xs[size], ys[size]);
    plotted = figure(on, "Cross-validation of each size, before the choice of the size.");
  }
  const show = (/** @type {number} */ size) => {
    output.textContent = sizeText(model.sizes[size]);
    input.value = String(size);
    input.setAttribute("aria-valuetext", output.textContent);
    mark(size);
  };
  input.addEventListener("input", () => setSize(page, Number(input.value)));
  page.onSize.push(show);
  show(page.size);
  return el(
    "div",
    { class: "panel split" },
    el(
      "div",
      {},
      el("label", { class: "slider" }, el("span", {}, "Size of the model: ", output), input),
      el(
        "button",
        { type: "button", click: () => setSize(page, model.selected) },
        `Selected size (${counted(model.sizes[model.selected].rules.length, ruleNoun(model.sizes[model.selected]))})`,
      ),
      el(
        "p",
        { class: "soft" },
        hasFiguresBySize(page.content)
          ? "The size changes the whole page, except the feature effects, what rules cover in held-out data, the overlap of the rules and the figures by group: these are for the selected size."
          : "The size changes the points, the rules and the predictions on this page. The figures of the evaluation are for the selected size.",
      ),
    ),
    plotted,
  );
}

/** Returns the shares of columns as bars. @param {[string, number][]} importance */
function importanceTable(importance) {
  const most = Math.max(...importance.map((pair) => pair[1]), Number.MIN_VALUE);
  const rows = importance
    .slice(0, 20)
    .map(([name, share]) => [
      nameNode(name),
      percent(share, 1),
      el(
        "span",
        { class: "bar", "aria-hidden": "true" },
        el("span", { class: "c0", style: { width: `${(100 * share) / most}%` } }),
      ),
    ]);
  return [
    el("h3", {}, "Columns"),
    table(
      "Importance of each column; the shares add up to 100 %",
      ["Column", "Share", ""],
      rows,
      "importance",
    ),
  ];
}

/** Returns groups of examples with the columns that matter for them. @param {Content} content */
function exampleGroups(content) {
  const groups = (content.model && content.model.example_groups) || [];
  if (groups.length === 0) return null;
  const { classes } = content.task;
  const rows = groups.map(({ examples, columns }) => [
    counted(
      examples.reduce((sum, count) => sum + count, 0),
      exampleNoun(content),
    ),
    examples.map((count, code) =>
      count > 0 ? el("div", {}, classMark(code), `${grouped(count)} ${quoted(classes[code])}`) : null,
    ),
    columns.slice(0, 6).map(([name, share], at) => [at ? ", " : "", nameNode(name), ` ${percent(share)}`]),
  ]);
  return [
    el("h3", {}, `Which columns matter for which ${exampleNoun(content)}s`),
    table("The most important columns of each group, with their share of the importance", ["Group", "Classes", "Columns"], rows, "groups-of-examples"),
  ];
}

/** Returns the section about a rule model. @param {Page} page */
function rulesSection(page) {
  const model = ruleModel(page);
  const body = el("div", {});
  const show = () => {
    const size = model.sizes[page.size];
    const warning = size.unstable ? el("p", { class: "warning unstable" }, visible(size.unstable)) : null;
    fill(body, pointsTable(page.content, size), warning, rulesTable(page));
  };
  page.onSize.push(show);
  show();
  const hasCard = Boolean(model.sizes[page.size].card);
  const importance = (page.content.model && page.content.model.importance) || [];
  return section(
    "model",
    "The model",
    // A scorecard is used as it is: its points come before other sizes of it.
    hasCard ? [body, sizePanel(page)] : [sizePanel(page), body],
    overlapTable(page),
    columnEffects(page.content),
    model.front ? textBox(model.front) : null,
    importance.length ? importanceTable(importance) : null,
    exampleGroups(page.content),
    model.notes.map((note) => el("p", {}, visible(note))),
  );
}
