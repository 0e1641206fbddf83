// Draws the page from its content.

/** Returns the section about the model. @param {Page} page */
function modelSection(page) {
  const model = /** @type {PageModel} */ (page.content.model);
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
  palette.isUsed = content.task.classes.length <= MOST_COLORS;
  const rules = content.model && content.model.rules;
  /** @type {Page} */
  const page = { content, size: rules ? rules.selected : 0, onSize: [] };
  const hasModel = Boolean(content.model);
  const hasForm = Boolean(rules || (content.model && content.model.network) || content.individuals);
  const hasData = Boolean(content.data) || (content.columns || []).length > 0;
  /** @type {(is: boolean, id: string, title: string, draw: () => HTMLElement) => LaterSection | null} */
  const later = (is, id, title, draw) => (is ? { id, title, draw } : null);
  const sections = [
    qualitySection(page),
    later(hasModel, "model", "The model", () => modelSection(page)),
    later(hasForm, "try", "Try it", () => (content.individuals ? individualsSection(content) : trySection(page))),
    later(hasData, "data", "The data", () => dataSection(content)),
    later(true, "limits", "Limits", () => limitsSection(content)),
    later(true, "save", "Take it with you", () => saveSection(page)),
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
