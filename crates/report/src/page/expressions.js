// Class expressions: what they mean, their parts with the individuals behind each, and the best of them.

/**
 * @typedef {{all: number, positive: number, negative: number, names: [string[], string[], string[]]}} Instances
 * @typedef {{
 *   text: string, english: string, kind: "single" | "and" | "or" | "not" | "fillers", is_filler: boolean,
 *   instances?: Instances, parts?: ExpressionPart[], members?: string
 * }} ExpressionPart
 */

/**
 * @typedef {{proven: boolean, searched: number}} Minimality
 * @typedef {[string, number, number, number, Minimality | null]} LearnedExpression
 *   text, positive and negative examples covered, length, and whether it is the shortest one for its quality
 */

/** Returns the length of an expression, and whether a shorter one is as good. @param {LearnedExpression} expression */
function lengthText([, , , length, minimality]) {
  if (!minimality) return `${length}`;
  return minimality.proven
    ? `${length}; minimal: proven, no shorter expression is as good on these examples`
    : `${length}; minimal: not proven, no expression up to length ${minimality.searched} is as good on these examples`;
}

/** How the parts below are combined. */
const JOINTS = {
  single: "",
  and: "all of",
  or: "one of",
  not: "not",
  fillers: "where the linked individual is",
};

/** Returns what a part covers. @param {ExpressionPart} part @param {number[]} totals negative and positive examples */
function partCounts(part, totals) {
  const { instances } = part;
  if (!instances) return null;
  const [negatives, positives] = totals;
  const all = `${counted(instances.all, "individual")}`;
  if (part.is_filler) return el("span", { class: "soft" }, ` ${all}`);
  return [
    shareBar([instances.negative, instances.positive], negatives + positives),
    el(
      "span",
      { class: "soft" },
      `${grouped(instances.positive)} of ${grouped(positives)} positive and ${grouped(instances.negative)} of ` +
        `${grouped(negatives)} negative examples; ${all} in all`,
    ),
  ];
}

/** Returns the individuals behind a part. @param {ExpressionPart} part */
function partIndividuals(part) {
  const { instances } = part;
  if (!instances || instances.all === 0) return null;
  const counts = [
    instances.positive,
    instances.negative,
    instances.all - instances.positive - instances.negative,
  ];
  const lists = ["Positive", "Negative", "Other"].map((title, place) => {
    const names = instances.names[place];
    if (names.length === 0) return null;
    const more = counts[place] > names.length ? ` and ${grouped(counts[place] - names.length)} more` : "";
    return el(
      "p",
      {},
      `${title}: `,
      names.map((name, at) => [at ? ", " : "", nameNode(name)]),
      more,
    );
  });
  return el("details", {}, el("summary", {}, "Individuals"), lists);
}

/** Returns a part with those below. @param {ExpressionPart} part @param {number[]} totals @returns {HTMLElement} */
function partItem(part, totals) {
  const below = part.parts || [];
  return el(
    "li",
    {},
    el("div", { class: "part" }, el("code", {}, expandable(part.text, 300)), partCounts(part, totals)),
    partIndividuals(part),
    below.length
      ? [
          el("span", { class: "tag" }, JOINTS[part.kind]),
          el(
            "ul",
            { class: "tree" },
            below.map((one) => partItem(one, totals)),
          ),
        ]
      : null,
  );
}

/** Returns whether a part joins parts that join others, which no sentence says clearly. @param {ExpressionPart} part */
function isNested(part) {
  const joins = (/** @type {ExpressionPart} */ one) => one.kind === "and" || one.kind === "or";
  return joins(part) && (part.parts || []).some((one) => joins(one) || one.kind === "not");
}

/** Returns what an instance is or does, as a sentence or as a list. @param {ExpressionPart} part @returns {any} */
function englishView(part) {
  if (!isNested(part)) return el("p", { class: "lead" }, "Predicts positive for an individual that ", expandable(part.english, 600), ".");
  /** @type {(one: ExpressionPart) => HTMLElement} */
  const item = (one) =>
    one.kind === "single" || one.kind === "fillers" || (one.parts || []).length < 2
      ? el("li", {}, el("bdi", {}, visible(one.english)))
      : el("li", {}, `${JOINTS[one.kind]}:`, el("ul", {}, (one.parts || []).map(item)));
  return [
    el("p", { class: "lead" }, `Predicts positive for an individual that meets ${part.kind === "and" ? "all" : "one"} of these conditions:`),
    el("ul", { class: "english" }, (part.parts || []).map(item)),
  ];
}

/** Returns the section about class expressions. @param {Content} content */
function expressionsSection(content) {
  const model = /** @type {PageModel} */ (content.model);
  const [negatives, positives] = content.task.examples;
  const expressions = model.expressions || [];
  const covers = (/** @type {number} */ positive, /** @type {number} */ negative) => [
    shareBar([negative, positive], negatives + positives),
    `covers ${grouped(positive)} of ${grouped(positives)} positive and ${grouped(negative)} of ${grouped(negatives)} negative examples`,
  ];
  const rows = expressions.map(([text, positive, negative, length], place) => [
    place + 1,
    el("code", {}, expandable(text, 400)),
    covers(positive, negative),
    length,
  ]);
  const { tree } = content;
  return section(
    "model",
    "The model",
    tree ? englishView(tree) : null,
    expressions.length
      ? factList([
          ["Manchester syntax", el("code", {}, expandable(expressions[0][0], 600))],
          ["Length", lengthText(expressions[0])],
        ])
      : null,
    content.sparql
      ? el(
          "details",
          {},
          el("summary", {}, "The expression as a SPARQL query"),
          textBox(visibleLines(content.sparql)),
        )
      : null,
    tree
      ? [
          el("h3", {}, "Part by part"),
          el(
            "p",
            {},
            tree.instances
              ? "What each part covers on its own, from the whole expression down to its parts."
              : "This report has no ontology, so the individuals behind each part are unknown.",
          ),
          el("ul", { class: "tree whole" }, partItem(tree, content.tree_totals || content.task.examples)),
        ]
      : null,
    el("h3", {}, "The best expressions"),
    table(
      "The first one predicts",
      ["#", "Class expression", "Training examples", "Length"],
      rows,
      "expressions",
    ),
    el("details", {}, el("summary", {}, "The model as text"), textBox(visibleLines(model.text || ""))),
  );
}
