// Predictions of a rule model. Points are added in the same order as in the library, so that scores and
// probabilities are the same bits.

/** Returns the number of a condition; infinite numbers are text in JSON. @param {number | string} value */
function bound(value) {
  return typeof value === "string" ? Number(value) : value;
}

/** Returns whether a comparison of numbers is true. @param {number} a @param {string} op @param {number} b */
function compares(a, op, b) {
  switch (op) {
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case "=":
      return a === b;
    case "!=":
      return a !== b;
    default:
      return false;
  }
}

/** Returns whether a number lies in an interval. @param {number} value @param {Condition} when */
function isWithin(value, when) {
  const [low, high] = when[2];
  const [closedLow, closedHigh] = when[3];
  return (
    compares(value, closedLow ? ">=" : ">", bound(low)) &&
    compares(value, closedHigh ? "<=" : "<", bound(high))
  );
}

/**
 * Returns whether a test of one value is true; it is false if the value is missing.
 * @param {Condition} when @param {Cell} value
 */
function passes(when, value) {
  if (typeof value === "number") {
    if (Number.isNaN(value)) return false;
    switch (when[0]) {
      case "compare":
        return typeof when[3] !== "object" && compares(value, when[2], bound(when[3]));
      case "within":
        return isWithin(value, when);
      case "one":
        return when[2].some((/** @type {any} */ other) => bound(other) === value);
      default:
        return false;
    }
  }
  if (typeof value === "string") {
    switch (when[0]) {
      case "compare": {
        if (typeof when[3] !== "object") return false;
        return when[2] === "!=" ? when[3].text !== value : when[3].text === value;
      }
      case "one":
        return when[2].some((/** @type {any} */ other) => other.text === value);
      case "contains":
        return value.includes(when[2]);
      default:
        return false;
    }
  }
  return value === true;
}

/**
 * Returns whether a condition is true for a row.
 * @param {Condition} when @param {Cell[]} row
 * @returns {boolean}
 */
function holds(when, row) {
  switch (when[0]) {
    case "constant":
      return when[1];
    case "not":
      return !holds(when[1], row);
    case "and":
      return when[1].every((/** @type {Condition} */ part) => holds(part, row));
    case "or":
      return when[1].some((/** @type {Condition} */ part) => holds(part, row));
    default:
      return passes(when, row[when[1]]);
  }
}

/**
 * Returns the mean of a column or the number of rows.
 * @param {string} name @param {Cell[][]} rows @param {Column[]} columns
 */
function summaryOf(name, rows, columns) {
  if (name === "rows") return rows.length;
  const at = columns.findIndex((column) => name === `mean(${column.name})`);
  let [sum, count] = [0, 0];
  for (const row of rows) {
    const value = row[at];
    if (typeof value === "number" && !Number.isNaN(value)) {
      sum += value;
      count += 1;
    }
  }
  return sum / count;
}

/**
 * Returns whether a condition is true for a bag.
 * @param {Condition} when @param {Cell[][]} rows @param {Column[]} columns
 * @returns {boolean}
 */
function holdsForBag(when, rows, columns) {
  switch (when[0]) {
    case "constant":
      return when[1];
    case "not":
      return !holdsForBag(when[1], rows, columns);
    case "and":
      return when[1].every((/** @type {Condition} */ part) => holdsForBag(part, rows, columns));
    case "or":
      return when[1].some((/** @type {Condition} */ part) => holdsForBag(part, rows, columns));
    case "rows": {
      const count = rows.filter((row) => holds(when[3], row)).length;
      switch (when[1]) {
        case "some":
          return count > 0;
        case "only":
          return count >= rows.length;
        case "min":
          return count >= when[2];
        case "max":
          return count <= when[2];
        default:
          return count === when[2];
      }
    }
    default:
      return passes(when, summaryOf(when[1], rows, columns));
  }
}

/** Returns the class with the highest score; in a tie, the first one. @param {number[]} scores */
function winner(scores) {
  return scores.reduce((best, score, code) => (score > scores[best] ? code : best), 0);
}

/** Returns the scores of a model. @param {Size} size @param {boolean} ordered @param {boolean[]} applied */
function scoresOf(size, ordered, applied) {
  if (ordered) {
    const first = applied.indexOf(true);
    if (first < 0) return size.base.slice();
    const scores = size.base.map(() => 0);
    for (const [code, points] of size.rules[first][1]) scores[code] = points;
    return scores;
  }
  const scores = size.base.slice();
  size.rules.forEach(([, points], place) => {
    if (applied[place]) for (const [code, amount] of points) scores[code] += amount;
  });
  return scores;
}

/**
 * Predicts from the rules that apply.
 * @param {RuleModel} model @param {Size} size @param {boolean[]} applied @param {boolean} isNumber
 * @returns {Prediction}
 */
function decided(model, size, applied, isNumber) {
  const scores = scoresOf(size, model.ordered, applied);
  if (isNumber) return { applied, scores, probabilities: null, predicted: scores[0] };
  const curve = size.calibration;
  const probabilities =
    curve && softmax(scores.map((score, code) => curve.slope * score + curve.offsets[code]));
  return { applied, scores, probabilities, predicted: winner(scores) };
}

/**
 * Predicts a row, or a bag of rows, by rules.
 * @param {RuleModel} model @param {Size} size @param {Cell[] | Cell[][]} example
 * @param {{bag?: string | null, number?: any}} task @param {Column[]} columns
 * @returns {Prediction}
 */
function predictByRules(model, size, example, task, columns) {
  const applied = size.rules.map(([place]) =>
    task.bag
      ? holdsForBag(model.pool[place].when, /** @type {Cell[][]} */ (example), columns)
      : holds(model.pool[place].when, /** @type {Cell[]} */ (example)),
  );
  return decided(model, size, applied, Boolean(task.number));
}
