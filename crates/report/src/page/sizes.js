// What a page shows at the size of the model that its reader chose.

/**
 * The state that parts of the page share.
 * @typedef {{content: Content, size: number, onSize: ((size: number) => void)[]}} Page
 */

/** Returns the rule model of a page. @param {Page} page @returns {RuleModel} */
function ruleModel(page) {
  return /** @type {RuleModel} */ (page.content.model && page.content.model.rules);
}

/** Changes the size of the model everywhere on the page. @param {Page} page @param {number} size */
function setSize(page, size) {
  page.size = size;
  page.onSize.forEach((listener) => listener(size));
}

/** Returns whether a page has figures for other sizes than the selected one. @param {Content} content */
function hasFiguresBySize(content) {
  return (content.evaluation_by_size || []).some((one) => one !== null);
}

/**
 * Returns the content of a page with the figures of the chosen size; without figures if they are unknown.
 * @param {Page} page @returns {Content}
 */
function contentAtSize(page) {
  const { content, size } = page;
  const rules = content.model && content.model.rules;
  if (!rules || size === rules.selected || !hasFiguresBySize(content)) return content;
  const evaluation = (content.evaluation_by_size || [])[size] || undefined;
  return { ...content, evaluation, groups: undefined, model: { ...content.model, kind: "rules", rules: { ...rules, selected: size } } };
}

/** Returns an element that is drawn again when the size changes. @param {Page} page @param {string} tag @param {() => any} drawn */
function drawnAtSize(page, tag, drawn) {
  const node = el(tag, {});
  const show = () => fill(node, drawn());
  page.onSize.push(show);
  show();
  return node;
}
