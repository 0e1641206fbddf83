// What rules cover in the data of a report, and how much they overlap.

/**
 * Returns the counts of a rule in the order of the model's classes.
 * @param {Content} content @param {number[]} counts
 */
function inModelOrder(content, counts) {
  const coverage = /** @type {Coverage} */ (content.coverage);
  if (content.task.number || coverage.classes.length === 0) return counts;
  return content.task.classes.map((name) => counts[coverage.classes.indexOf(name)] || 0);
}

/** Returns the rules of the selected size by their place in the pool. @param {Page} page */
function coveredPlaces(page) {
  const model = ruleModel(page);
  const covered = page.content.coverage ? page.content.coverage.covered : [];
  return new Map(
    model.sizes[model.selected].rules.map(([place], number) => /** @type {[number, number[]]} */ ([place, covered[number]])),
  );
}

/** Returns whether the data of the report is other data than the training data. @param {Content} content */
function hasOtherData(content) {
  const source = content.evaluation && content.evaluation.source;
  return Boolean(content.coverage && source && source.kind === "data" && !source.training);
}

/** Returns how much the rules of the selected size overlap; null for a single rule. @param {Page} page */
function overlapTable(page) {
  const { content } = page;
  const both = content.coverage ? content.coverage.both : [];
  if (both.length < 2) return null;
  const noun = exampleNoun(content);
  const rules = ruleModel(page);
  const all = rules.sizes[rules.selected].rules.length;
  const numbers = both.map((_, at) => String(at + 1));
  const count = (/** @type {number} */ one, /** @type {number} */ other) =>
    one <= other ? both[one][other] : both[other][one];
  const rows = both.map((_, one) => [
    `rule ${one + 1}`,
    ...both.map((_, other) => {
      const share = ratio(count(one, other), count(one, one));
      return el(
        "span",
        {
          class: one === other ? "right" : "wrong",
          style: { "--share": String(share) },
          title: `rules ${one + 1} and ${other + 1}: ${counted(count(one, other), noun)}`,
        },
        one === other ? grouped(count(one, one)) : percent(share),
      );
    }),
  ]);
  return el(
    "details",
    {},
    el("summary", {}, "Overlap of the rules"),
    el(
      "p",
      {},
      `Of the ${noun}s that the rule on the left covers, the share that the rule above covers, too. ` +
        `The diagonal has the number of ${noun}s that a rule covers.` +
        (both.length < all ? ` The first ${both.length} of ${counted(all, "rule")} are shown.` : ""),
    ),
    table("", ["", ...numbers], rows, "confusion overlap"),
  );
}
