// Draws the page from its content.

/** Returns the section about the model. @param {Page} page */
function modelSection(page) {
  const model = page.content.model;
  if (!model) return null;
  if (model.kind === "rules") return rulesSection(page);
  if (model.kind === "expressions") return expressionsSection(page.content);
  return model.kind === "network" ? networkSection(page.content) : textSection(page.content);
}

/** Gives columns whose range the model does not have the range in the data. @param {Content} content */
function addRanges(content) {
  const seen = content.data ? content.data.columns : [];
  for (const column of content.columns || []) {
    const own = seen.find((other) => other.name === column.name);
    if (column.kind === "numeric" && !column.range && own && own.range) column.range = own.range;
  }
}

/** Draws the page. @param {Content} content */
function start(content) {
  addRanges(content);
  const rules = content.model && content.model.rules;
  /** @type {Page} */
  const page = { content, size: rules ? rules.selected : 0, onSize: [] };
  const sections = [
    qualitySection(page),
    modelSection(page),
    rules || (content.model && content.model.network) ? trySection(page) : null,
    dataSection(content),
    limitsSection(content),
    saveSection(page),
  ];
  drawPage(answerSection(page), sections, content);
  // For programs that drive the page: the same function as the form uses.
  Object.defineProperty(window, "pellucid", {
    value: Object.freeze({
      content,
      predict: (/** @type {any} */ example, size = page.size) => predict(content, size, example),
      parse: (/** @type {string} */ text) => parsePasted(content, page.size, text),
    }),
  });
}

start(readContent());
