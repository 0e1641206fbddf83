
// What the module exports. A row is an object from column names to values; a missing value is null, NaN or
// empty text. Text is read as the cells of the training data were.

/** Returns a value of a row in the form of the model. Spaces around the names of columns are ignored. */
function valueOf(row, column) {
  const isNamed = (name) => name.trim() === column.name.trim();
  const name = Object.hasOwn(row, column.name) ? column.name : Object.keys(row).find(isNamed);
  if (name === undefined) throw new Error(`the row has no column '${column.name}'`);
  const value = row[name];
  if (typeof value === "string") return parseCell(value, column, MODEL.reading, KEEPS_UNSEEN);
  if (value === null || value === undefined || Number.isNaN(value)) return column.kind === "numeric" ? NaN : null;
  if (value instanceof Date) return value.getTime() / (column.date === "days" ? 86400000 : 1000);
  if (column.kind === "numeric") return Number(value);
  return parseCell(String(value), column, MODEL.reading, KEEPS_UNSEEN);
}

/** Returns the values of a row in the order of the columns of the model. */
function valuesOf(row) {
  return MODEL.columns.map((column) => valueOf(row, column));
}

/** Returns the answer for a row, or for the rows of a bag. */
function answerFor(example) {
  return answer(MODEL.task.bag ? example.map(valuesOf) : valuesOf(example));
}

/** Returns numbers by class as an object. */
function byClass(numbers) {
  return Object.fromEntries(MODEL.task.classes.map((name, code) => [name, numbers[code]]));
}

/** Returns the predicted class or number of a row; of a bag, given a list of its rows. */
export function predict(example) {
  const { predicted } = answerFor(example);
  return MODEL.task.number ? predicted : MODEL.task.classes[predicted];
}

/** Returns the probability of each class; null if the model has no probabilities. */
export function probabilities(example) {
  const shares = answerFor(example).probabilities;
  return shares && byClass(shares);
}

/** Returns the score of each class; of a model that predicts a number, the number. */
export function scores(example) {
  const found = answerFor(example).scores;
  return MODEL.task.number ? found[0] : byClass(found);
}

/** The columns, the classes and the target of the model. */
export const columns = MODEL.columns.map((column) => column.name);
export const { classes, target } = MODEL.task;
