// "Try it" for class expressions: an individual by name, why it is covered, and what would change the answer.

/**
 * The individuals of a page: their names, and for each a letter: `+` and `-` for the examples, `.` for others.
 * @typedef {{names: string[], labels: string, all: number}} Individuals
 */

/** The most changes that are listed. */
const MOST_FACT_CHANGES = 12;

/** Returns whether an individual is an instance of a part. @param {ExpressionPart} part @param {number} at */
function isInstance(part, at) {
  const digit = parseInt((part.members || "")[at >> 2] || "0", 16);
  return ((digit >> (at & 3)) & 1) === 1;
}

/** Returns the conditions of an expression that are about the individual itself. @param {ExpressionPart} part @returns {ExpressionPart[]} */
function leafParts(part) {
  const below = (part.parts || []).filter((one) => !one.is_filler);
  return below.length ? below.flatMap(leafParts) : [part];
}

/**
 * Returns whether a part is true, given which conditions are.
 * @param {ExpressionPart} part @param {Map<ExpressionPart, boolean>} truths
 * @returns {boolean}
 */
function isTrue(part, truths) {
  const below = (part.parts || []).filter((one) => !one.is_filler);
  if (below.length === 0) return truths.get(part) || false;
  if (part.kind === "not") return !isTrue(below[0], truths);
  return part.kind === "or" ? below.some((one) => isTrue(one, truths)) : below.every((one) => isTrue(one, truths));
}

/**
 * Returns the fewest conditions that change the answer if they were different: single ones, or else pairs.
 * @param {ExpressionPart} tree @param {Map<ExpressionPart, boolean>} truths
 */
function factChanges(tree, truths) {
  const leaves = [...truths.keys()];
  const before = isTrue(tree, truths);
  const changes = (/** @type {ExpressionPart[]} */ parts) => {
    const other = new Map(truths);
    for (const part of parts) other.set(part, !truths.get(part));
    return isTrue(tree, other) !== before;
  };
  const single = leaves.filter((leaf) => changes([leaf])).map((leaf) => [leaf]);
  if (single.length) return single;
  return leaves.flatMap((one, at) =>
    leaves.slice(at + 1).flatMap((other) => (changes([one, other]) ? [[one, other]] : [])),
  );
}

/** Returns the section for single individuals. @param {Content} content */
function individualsSection(content) {
  const tree = /** @type {ExpressionPart} */ (content.tree);
  const known = /** @type {Individuals} */ (content.individuals);
  const leaves = [...new Set(leafParts(tree))];
  /** @type {Map<ExpressionPart, boolean>} */
  let truths = new Map();
  let chosen = -1;
  const [result, why, changes] = [0, 1, 2].map(() => el("div", {}));
  result.setAttribute("aria-live", "polite");
  const answer = (/** @type {boolean} */ is) => [classMark(is ? 1 : 0), is ? "positive" : "negative"];
  const label = (/** @type {string} */ letter) =>
    letter === "+" ? "It is a positive example." : letter === "-" ? "It is a negative example." : "It is no example.";
  const sign = (/** @type {boolean} */ is) =>
    el("span", { class: is ? "sign yes" : "sign no" }, is ? "✓ yes" : "✗ no");
  const box = (/** @type {ExpressionPart} */ part) =>
    el("input", {
      type: "checkbox",
      checked: truths.get(part),
      "aria-label": `Suppose that it ${visible(part.english)}`,
      change: (/** @type {Event} */ event) => {
        truths.set(part, /** @type {HTMLInputElement} */ (event.target).checked);
        show();
      },
    });
  /** @type {(part: ExpressionPart) => HTMLElement} */
  const item = (part) => {
    const below = (part.parts || []).filter((one) => !one.is_filler);
    if (below.length === 0)
      return el("li", {}, el("label", {}, box(part), " ", expandable(part.english, 200)), " ", sign(isTrue(part, truths)));
    return el(
      "li",
      {},
      el("span", { class: "tag" }, JOINTS[part.kind]),
      " ",
      sign(isTrue(part, truths)),
      el("ul", { class: "tree" }, below.map(item)),
    );
  };
  const change = (/** @type {ExpressionPart[]} */ parts) =>
    el(
      "li",
      {},
      parts.map((part, at) => [
        at ? "; and " : "",
        el("bdi", {}, visible(part.english)),
        truths.get(part) ? ": no instead of yes" : ": yes instead of no",
      ]),
    );
  const show = () => {
    const is = isTrue(tree, truths);
    const isOwn = chosen >= 0 && leaves.every((leaf) => truths.get(leaf) === isInstance(leaf, chosen));
    fill(
      result,
      el("p", { class: "result" }, answer(is)),
      el("p", { class: "soft" }, isOwn ? label(known.labels[chosen]) : "With other facts than those of the ontology."),
    );
    fill(why, el("h3", { class: "minor" }, "Why"), el("ul", { class: "tree whole" }, item(tree)));
    const found = factChanges(tree, truths);
    fill(
      changes,
      el("h3", { class: "minor" }, "What would change the answer"),
      found.length
        ? el("ul", {}, found.slice(0, MOST_FACT_CHANGES).map(change))
        : el("p", {}, "No change of one or two conditions leads to another answer."),
    );
  };
  const choose = (/** @type {string} */ name) => {
    const at = known.names.indexOf(name);
    if (at < 0) {
      fill(result, el("p", { class: "soft" }, "No such individual in this page."));
      fill(why);
      fill(changes);
      return;
    }
    chosen = at;
    truths = new Map(leaves.map((leaf) => [leaf, isInstance(leaf, at)]));
    show();
  };
  const input = /** @type {HTMLInputElement} */ (
    el("input", { type: "search", list: "individual-names", value: visible(known.names[0] || ""), autocomplete: "off" })
  );
  input.addEventListener("input", () => choose(input.value));
  choose(known.names[0] || "");
  const missing = known.all - known.names.length;
  return section(
    "try",
    "Try it",
    el(
      "p",
      {},
      "Choose an individual, then change single conditions to see what they do. Nothing leaves this page.",
      missing > 0 ? ` ${grouped(missing)} individuals that are no examples are not in this page.` : "",
    ),
    el(
      "div",
      { class: "panel split" },
      el(
        "div",
        {},
        el("label", { class: "field" }, "Individual ", input),
        el("datalist", { id: "individual-names" }, known.names.map((name) => el("option", { value: visible(name) }))),
        result,
        changes,
      ),
      why,
    ),
  );
}
