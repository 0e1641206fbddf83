// The rules of a model: a table with a filter, the size of the model, and its accuracy by size.

/** The most rows of the table of rules; the filter finds the others. */
const MOST_ROWS = 300;

/**
 * Returns what a rule does.
 * @param {Content} content @param {RuleModel} model @param {Size} size @param {ClassPoints[]} points
 */
function consequence(content, model, size, points) {
  const names = content.task.classes;
  if (content.task.number) {
    const amount = points[0][1];
    return model.ordered ? String(amount) : amount < 0 ? `subtract ${-amount}` : `add ${amount}`;
  }
  if (model.ordered || size.otherwise !== null) {
    const best = points.reduce((one, other) => (other[1] > one[1] ? other : one));
    return [classMark(best[0]), nameNode(names[best[0]])];
  }
  if (names.length === 2) {
    const score = points.reduce((sum, [code, amount]) => sum + (code === 1 ? amount : -amount), 0);
    const favored = score < 0 ? 0 : 1;
    return [
      classMark(favored),
      `${score < 0 ? "subtract" : "add"} ${twoDecimals(Math.abs(score))}`,
      " ",
      el("span", { class: "soft" }, "favors ", el("bdi", {}, quoted(names[favored]))),
    ];
  }
  return points.map(([code, amount]) =>
    el(
      "div",
      {},
      classMark(code),
      amount < 0
        ? ["lower ", nameNode(names[code]), ` by ${twoDecimals(-amount)}`]
        : [`add ${twoDecimals(amount)} to `, nameNode(names[code])],
    ),
  );
}

/** Returns in how many folds a rule was found, as the end of a sentence. @param {PoolRule} rule */
function stability(rule) {
  return rule.folds ? `; found in ${rule.folds[0]} of ${rule.folds[1]} folds` : "";
}

/**
 * Returns what a rule covers in the training data.
 * @param {Content} content @param {PoolRule} rule @param {ClassPoints[]} points
 */
function coverage(content, rule, points) {
  const mean =
    rule.mean === undefined ? "" : `; mean ${visible(content.task.target)} ${significant(rule.mean)}`;
  return coverageText(content, rule.covered, content.task.examples, points, mean + stability(rule));
}

/**
 * Returns what a rule covers.
 * @param {Content} content @param {number[]} counts by class @param {number[]} totals by class
 * @param {ClassPoints[]} points @param {string} tail the end of the sentence
 */
function coverageText(content, counts, totals, points, tail) {
  if (counts.length === 0 || totals.length === 0) return "";
  const all = totals.reduce((sum, count) => sum + count, 0);
  const covered = counts.reduce((sum, count) => sum + count, 0);
  const noun = exampleNoun(content);
  const bar = shareBar(counts, all);
  if (content.task.number) return [bar, `covers ${grouped(covered)} of ${grouped(all)} ${noun}s${tail}`];
  const names = content.task.classes;
  const code = points.reduce((one, other) => (Math.abs(other[1]) > Math.abs(one[1]) ? other : one))[0];
  const own = counts[code] || 0;
  if (names.length === 2) {
    const parts = [1, 0].map(
      (place) => `${grouped(counts[place])} of ${grouped(totals[place])} ${quoted(names[place])}`,
    );
    return [
      bar,
      `covers ${listed(parts)}: ${percent(ratio(counts[1], covered))} are ${quoted(names[1])} (overall ${percent(ratio(totals[1], all))})${tail}`,
    ];
  }
  return [
    bar,
    `covers ${grouped(covered)} of ${grouped(all)}, of which ${grouped(own)} are ${quoted(names[code])} ` +
      `(${percent(ratio(own, covered))}; overall ${percent(ratio(totals[code], all))})${tail}`,
  ];
}

/** Returns the table of rules with a filter. @param {Page} page */
function rulesTable(page) {
  const { content } = page;
  const model = ruleModel(page);
  const size = model.sizes[page.size];
  if (size.rules.length === 0) return el("p", {}, size.how);
  const isOther = hasOtherData(content);
  const places = coveredPlaces(page);
  const totals = content.coverage ? inModelOrder(content, content.coverage.totals) : [];
  const otherCell = (/** @type {number} */ place, /** @type {ClassPoints[]} */ points) => {
    const counts = places.get(place);
    const text = counts ? coverageText(content, inModelOrder(content, counts), totals, points, "") : "–";
    return el("td", { class: "covers other" }, text);
  };
  const otherwise =
    size.otherwise === null
      ? null
      : el("tr", {}, el("td"), el("td", {}, "otherwise"), el("td", {}, visible(size.otherwise)), el("td"), isOther ? el("td") : null);
  const row = (/** @type {number} */ number) => {
    const [place, points] = size.rules[number];
    const rule = model.pool[place];
    const note = size.notes && size.notes[number];
    return el(
      "tr",
      {},
      el("th", { scope: "row", class: "n" }, number + 1),
      el("td", {}, el("code", {}, expandable(rule.text))),
      el("td", {}, consequence(content, model, size, points)),
      el("td", { class: "covers" }, coverage(content, rule, points), note ? el("em", {}, note) : null),
      isOther ? otherCell(place, points) : null,
    );
  };
  const body = el("tbody", {});
  const found = el("span", { class: "soft", "aria-live": "polite" });
  const all = size.rules.map((_, number) => number);
  const show = (/** @type {string} */ wanted) => {
    const matching = wanted
      ? all.filter((number) => model.pool[size.rules[number][0]].text.toLowerCase().includes(wanted))
      : all;
    fill(body, matching.slice(0, MOST_ROWS).map(row), wanted ? null : otherwise);
    const first = matching.length > MOST_ROWS ? `The first ${MOST_ROWS} are shown.` : "";
    const count = wanted ? `${grouped(matching.length)} of ${counted(all.length, "rule")}. ` : "";
    found.textContent = ` ${count}${first}`;
  };
  const filter = (/** @type {Event} */ event) =>
    show(/** @type {HTMLInputElement} */ (event.target).value.toLowerCase());
  show("");
  const title = counted(size.rules.length, "rule");
  // The points of a scorecard say the same, so its rules wait.
  return el(
    size.card ? "details" : "div",
    {},
    size.card ? el("summary", {}, `The ${title} behind the points`) : el("h3", {}, title),
    el("p", {}, size.how),
    all.length > 5
      ? el(
          "p",
          { class: "filter" },
          el(
            "label",
            {},
            "Filter rules ",
            el("input", { type: "search", placeholder: "column or value", input: filter }),
          ),
          found,
        )
      : null,
    scrollBox(
      el(
        "table",
        { class: isOther ? "rules both" : "rules" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "#"),
            el("th", { scope: "col" }, "IF"),
            el("th", { scope: "col" }, "THEN"),
            el("th", { scope: "col" }, "Training data"),
            isOther ? el("th", { scope: "col" }, nameNode(content.data ? content.data.name : "This data")) : null,
          ),
        ),
        body,
      ),
    ),
  );
}

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
          ? "The size changes the whole page, except the feature effects, the overlap of the rules and the figures by group: these are for the selected size."
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
