// Predictions of the model of a page, and the columns that it uses.

/** Returns whether categories that training did not see differ from missing ones. @param {Content} content */
function keepsUnseen(content) {
  return Boolean(content.model && content.model.network);
}

/** Returns how the cells of the training data were read. @param {Content} content */
function readingOf(content) {
  return /** @type {Reading} */ (content.reading);
}

/**
 * Predicts a row, or a bag of rows.
 * @param {Content} content @param {number} sizeIndex @param {Cell[] | Cell[][]} example
 * @returns {Prediction}
 */
function predict(content, sizeIndex, example) {
  const network = content.model && content.model.network;
  if (network) return predictByNetwork(network, /** @type {Cell[]} */ (example));
  const model = /** @type {RuleModel} */ (content.model && content.model.rules);
  return predictByRules(model, model.sizes[sizeIndex], example, content.task, content.columns || []);
}

/**
 * Returns how much a rule favors a class over the best other class.
 * @param {ClassPoints[]} points @param {number} code @param {number} classes
 */
function favors(points, code, classes) {
  const own = points.filter((pair) => pair[0] === code).reduce((sum, pair) => sum + pair[1], 0);
  const others = points.filter((pair) => pair[0] !== code).map((pair) => pair[1]);
  // A class that is not listed gets no points.
  if (others.length < classes - 1) others.push(0);
  const most = Math.max(...others),
    least = Math.min(...others);
  return own === 0 && most === 0 ? -least : own - most;
}

/**
 * Collects the columns of a condition.
 * @param {Condition} when @param {Set<number>} found @param {Column[]} columns
 */
function collectColumns(when, found, columns) {
  switch (when[0]) {
    case "constant":
      return;
    case "not":
      collectColumns(when[1], found, columns);
      return;
    case "and":
    case "or":
      when[1].forEach((/** @type {Condition} */ part) => collectColumns(part, found, columns));
      return;
    case "rows":
      collectColumns(when[3], found, columns);
      return;
    default:
      if (typeof when[1] === "number") found.add(when[1]);
      else
        columns.forEach((column, at) => {
          if (when[1] === `mean(${column.name})`) found.add(at);
        });
  }
}

/**
 * Returns the columns of a model of one size, in the order of the model.
 * @param {Content} content @param {number} sizeIndex
 */
function usedColumns(content, sizeIndex) {
  if (content.model && content.model.network) return networkColumns(content.model.network);
  const model = /** @type {RuleModel} */ (content.model && content.model.rules);
  /** @type {Set<number>} */
  const found = new Set();
  for (const [place] of model.sizes[sizeIndex].rules) {
    collectColumns(model.pool[place].when, found, content.columns || []);
  }
  return [...found].sort((a, b) => a - b);
}
