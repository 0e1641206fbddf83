// The rules of a model: a table with a filter.

/** The most rows of the table of rules; the filter finds the others. */
const MOST_ROWS = 300;

/** The most classes whose points are listed for a rule; the others wait. */
const MOST_CLASS_POINTS = 6;

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
  return classPoints(names, points);
}

/** Returns the points of many classes in a line. @param {string[]} names @param {ClassPoints[]} points */
function classPoints(names, points) {
  const sorted = points.slice().sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const shown = (/** @type {ClassPoints} */ [code, amount]) =>
    el("span", { class: "of-class" }, classMark(code), nameNode(names[code]), ` ${signed(amount)}`);
  const line = (/** @type {ClassPoints[]} */ some) => some.map((one) => [shown(one), " "]);
  const rest = sorted.slice(MOST_CLASS_POINTS);
  return [
    line(sorted.slice(0, MOST_CLASS_POINTS)),
    rest.length ? el("details", {}, el("summary", {}, `${rest.length} more`), line(rest)) : null,
  ];
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

/**
 * Returns what a rule covers in test folds. There, a rule of the fold on the same columns takes its place.
 * @param {Content} content @param {HeldOutCoverage | null | undefined} held @param {ClassPoints[]} points
 */
function heldOutText(content, held, points) {
  if (!held) return "–";
  const { folds, covered, totals } = held;
  const found = `found in ${folds[0]} of ${folds[1]} folds`;
  const all = totals.reduce((sum, count) => sum + count, 0);
  if (folds[0] === 0 || all === 0) return found;
  const both = covered.reduce((sum, count) => sum + count, 0);
  const bar = shareBar(covered, all);
  const names = content.task.classes;
  if (content.task.number) return [bar, `covers ${percent(both / all)} of the ${exampleNoun(content)}s; ${found}`];
  if (names.length === 2) {
    const parts = [1, 0].map((code) => `${percent(ratio(covered[code], totals[code]))} of ${quoted(names[code])}`);
    const share = both ? `: ${percent(covered[1] / both)} are ${quoted(names[1])}` : "";
    return [bar, `covers ${listed(parts)}${share}; ${found}`];
  }
  const code = points.reduce((one, other) => (Math.abs(other[1]) > Math.abs(one[1]) ? other : one))[0];
  const share = both ? `, of which ${percent(covered[code] / both)} are ${quoted(names[code])}` : "";
  return [bar, `covers ${percent(both / all)}${share}; ${found}`];
}

/**
 * Returns the columns of a rule as text; rules on the same columns have the same.
 * @param {Content} content @param {PoolRule} rule
 */
function ruleColumns(content, rule) {
  const columns = content.columns || [];
  /** @type {Set<number>} */
  const found = new Set();
  collectColumns(rule.when, found, columns);
  return listed([...found].sort((a, b) => a - b).map((at) => visible(columns[at].name)));
}

/**
 * Returns rules with those on the same columns together, as in the model.
 * @param {Content} content @param {number[]} numbers @param {(number: number) => PoolRule} ruleOf
 * @returns {[string, number[]][]}
 */
function ruleGroups(content, numbers, ruleOf) {
  /** @type {[string, number[]][]} */
  const groups = [];
  for (const number of numbers) {
    const columns = ruleColumns(content, ruleOf(number));
    const last = groups[groups.length - 1];
    if (last && last[0] === columns) last[1].push(number);
    else groups.push([columns, [number]]);
  }
  return groups;
}

/** Returns what the rules of the selected size cover in test folds, by their place in the pool. @param {Page} page */
function heldOutPlaces(page) {
  const held = page.content.held_out_coverage || [];
  const model = ruleModel(page);
  const rules = held.length ? model.sizes[model.selected].rules : [];
  return new Map(rules.map(([place], number) => /** @type {[number, HeldOutCoverage | null]} */ ([place, held[number]])));
}

/**
 * Returns the second column of coverage: its head, and the cell of a rule; null if there is none.
 * @param {Page} page
 * @returns {{head: any, note: string, cell: (place: number, points: ClassPoints[]) => any} | null}
 */
function secondCoverage(page) {
  const { content } = page;
  if (hasOtherData(content)) {
    const places = coveredPlaces(page);
    const totals = content.coverage ? inModelOrder(content, content.coverage.totals) : [];
    return {
      head: nameNode(content.data ? content.data.name : "This data"),
      note: "",
      cell: (place, points) => {
        const counts = places.get(place);
        return counts ? coverageText(content, inModelOrder(content, counts), totals, points, "") : "–";
      },
    };
  }
  const own = heldOutPlaces(page);
  if (own.size === 0) return null;
  return {
    head: "Held-out data",
    note:
      "On held-out data: each fold has rules of its own, found without its test part. What is counted there is " +
      "the rule on the same columns in the same directions, with the cut points of the fold. Folds without such a rule do not count.",
    cell: (place, points) => heldOutText(content, own.get(place), points),
  };
}

/** Returns the table of rules with a filter. @param {Page} page */
function rulesTable(page) {
  const { content } = page;
  const model = ruleModel(page);
  const size = model.sizes[page.size];
  if (size.rules.length === 0) return el("p", {}, size.how);
  const second = secondCoverage(page);
  const isHeldOut = second !== null && !hasOtherData(content);
  const width = second ? 5 : 4;
  const otherwise =
    size.otherwise === null
      ? null
      : el(
          "tbody",
          {},
          el("tr", {}, el("td"), el("td", {}, "otherwise"), el("td", {}, visible(size.otherwise)), el("td"), second ? el("td") : null),
        );
  const row = (/** @type {number} */ number) => {
    const [place, points] = size.rules[number];
    const rule = model.pool[place];
    const note = size.notes && size.notes[number];
    // How often it was found stands beside what it covers there.
    const shown = isHeldOut ? { ...rule, folds: undefined } : rule;
    return el(
      "tr",
      {},
      el("th", { scope: "row", class: "n" }, number + 1),
      el("td", {}, el("code", {}, expandable(rule.text))),
      el("td", {}, consequence(content, model, size, points)),
      el("td", { class: "covers" }, coverage(content, shown, points), note ? el("em", {}, note) : null),
      second ? el("td", { class: isHeldOut ? "covers held" : "covers other" }, second.cell(place, points)) : null,
    );
  };
  const heading = (/** @type {string} */ columns) =>
    el("tr", { class: "group" }, el("th", { colspan: width, scope: "rowgroup" }, el("bdi", {}, columns.slice(0, 120))));
  const table = el(
    "table",
    { class: `rules${second ? " both" : ""}${content.task.classes.length > 2 && !model.ordered ? " many" : ""}` },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["#", "IF", "THEN", "Training data"].map((text) => el("th", { scope: "col" }, text)),
        second ? el("th", { scope: "col" }, second.head) : null,
      ),
    ),
  );
  const head = table.children[0];
  const found = el("span", { class: "soft", "aria-live": "polite" });
  const all = size.rules.map((_, number) => number);
  const ruleOf = (/** @type {number} */ number) => model.pool[size.rules[number][0]];
  const show = (/** @type {string} */ wanted) => {
    const matching = wanted ? all.filter((number) => ruleOf(number).text.toLowerCase().includes(wanted)) : all;
    const shown = matching.slice(0, MOST_ROWS);
    const groups = model.ordered ? [/** @type {[string, number[]]} */ (["", shown])] : ruleGroups(content, shown, ruleOf);
    const bodies = groups.map(([columns, numbers]) =>
      el("tbody", { class: columns && numbers.length > 1 ? "together" : null }, columns && numbers.length > 1 ? heading(columns) : null, numbers.map(row)),
    );
    fill(table, head, bodies, wanted ? null : otherwise);
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
    el("p", {}, expandable(size.how, 400)),
    second && second.note ? el("p", { class: "soft" }, second.note) : null,
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
    scrollBox(table),
  );
}
