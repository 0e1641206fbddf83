// What would change the answer: the smallest changes of one or two columns that lead to another class.

/** The most predictions of one search, and the most rules that they apply in total. */
const MOST_TRIALS = 60000;
const MOST_APPLIED = 5e6;

/**
 * Collects the numbers that a column is compared with.
 * @param {Condition} when @param {number} column @param {Set<number>} cuts
 */
function collectCuts(when, column, cuts) {
  switch (when[0]) {
    case "constant":
      return;
    case "not":
      collectCuts(when[1], column, cuts);
      return;
    case "and":
    case "or":
      when[1].forEach((/** @type {Condition} */ part) => collectCuts(part, column, cuts));
      return;
    case "rows":
      collectCuts(when[3], column, cuts);
      return;
    default:
      if (when[1] !== column) return;
      if (when[0] === "compare" && typeof when[3] === "number") cuts.add(when[3]);
      if (when[0] === "within")
        when[2]
          .map(bound)
          .filter(Number.isFinite)
          .forEach((/** @type {number} */ cut) => cuts.add(cut));
      if (when[0] === "one")
        when[2].forEach((/** @type {any} */ value) => {
          if (typeof value === "number") cuts.add(value);
        });
  }
}

/** Returns the decimals of a number. @param {number} number */
function decimalsOf(number) {
  const text = String(number);
  const at = text.indexOf(".");
  return at < 0 || text.includes("e") ? 0 : text.length - at - 1;
}

/** Returns the numbers at which a model may change its mind. @param {Content} content @param {number} sizeIndex @param {number} at */
function cutsOf(content, sizeIndex, at) {
  const network = content.model && content.model.network;
  if (network) return networkCuts(network, at, (content.columns || [])[at]);
  const model = /** @type {RuleModel} */ (content.model && content.model.rules);
  /** @type {Set<number>} */
  const cuts = new Set();
  for (const [place] of model.sizes[sizeIndex].rules) collectCuts(model.pool[place].when, at, cuts);
  return cuts;
}

/**
 * Returns the values of a column to try: those next to the cut points of the model, within the range seen, or the
 * categories.
 * @param {Content} content @param {number} sizeIndex @param {number} at @param {Cell} now
 * @returns {Cell[]}
 */
function candidates(content, sizeIndex, at, now) {
  const column = (content.columns || [])[at];
  if (column.kind === "boolean") return [true, false].filter((value) => value !== now);
  if (column.kind === "nominal")
    return (column.categories || []).slice(0, 60).filter((value) => value !== now);
  const cuts = cutsOf(content, sizeIndex, at);
  const [low, high] = column.range || [-Infinity, Infinity];
  // Whole numbers stay whole: a column is whole if its ends are and its cuts lie on or halfway between.
  const isWhole = [low, high].every(Number.isInteger) && [...cuts].every((cut) => Number.isInteger(2 * cut));
  const digits = isWhole ? 0 : Math.min(8, Math.max(1, ...[...cuts].map(decimalsOf)));
  const step = Math.pow(10, -digits);
  /** @type {Set<number>} */
  const values = new Set();
  for (const cut of cuts) {
    const near = isWhole
      ? [Math.ceil(cut) - 1, cut, Math.floor(cut) + 1].filter(Number.isInteger)
      : [cut - step, cut, cut + step].map((value) => Number(value.toFixed(digits)));
    near
      .filter((value) => value >= low && value <= high && value !== now)
      .forEach((value) => values.add(value));
  }
  return [...values];
}

/**
 * Returns the size of a change: the share of the range, or 1 for another category.
 * @param {Column} column @param {Cell} from @param {Cell} to
 */
function distance(column, from, to) {
  if (typeof from !== "number" || typeof to !== "number" || Number.isNaN(from)) return 1;
  const [low, high] = column.range || [0, 1];
  return Math.abs(to - from) / Math.max(high - low, Number.MIN_VALUE);
}

/** Returns the most predictions of one search. @param {Content} content @param {number} sizeIndex */
function mostTrials(content, sizeIndex) {
  const rules = content.model && content.model.rules ? content.model.rules.sizes[sizeIndex].rules.length : 1;
  return Math.min(MOST_TRIALS, MOST_APPLIED / Math.max(1, rules));
}

/**
 * @typedef {{changes: [number, Cell][], size: number, prediction: Prediction}} Change
 *
 * Returns the smallest changes of one column that lead to a wanted prediction, and of two columns that do not
 * lead to it alone.
 * @param {Content} content @param {number} sizeIndex @param {Cell[]} row @param {Set<number>} fixed
 * @param {(prediction: Prediction) => boolean} isWanted
 * @returns {{single: Change[], double: Change[]}}
 */
function smallestChanges(content, sizeIndex, row, fixed, isWanted) {
  const columns = content.columns || [];
  const most = mostTrials(content, sizeIndex);
  const free = usedColumns(content, sizeIndex).filter((at) => !fixed.has(at));
  const options = free.map((at) =>
    candidates(content, sizeIndex, at, row[at])
      .map((value) => ({ at, value, size: distance(columns[at], row[at], value) }))
      .sort((a, b) => a.size - b.size),
  );
  let trials = 0;
  /** @param {{at: number, value: Cell, size: number}[]} parts @returns {Change | null} */
  const attempt = (parts) => {
    trials += 1;
    const changed = row.slice();
    for (const part of parts) changed[part.at] = part.value;
    const prediction = predict(content, sizeIndex, changed);
    if (!isWanted(prediction)) return null;
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    return { changes: parts.map((part) => [part.at, part.value]), size, prediction };
  };
  /** @type {Change[]} */
  const single = [];
  const stubborn = [];
  for (const own of options) {
    const found = own
      .map((option) => (trials > most ? null : attempt([option])))
      .find((change) => change !== null);
    if (found) single.push(found);
    else if (own.length > 0) stubborn.push(own);
  }
  /** @type {Change[]} */
  const double = [];
  for (let one = 0; one < stubborn.length; one += 1) {
    for (let other = one + 1; other < stubborn.length; other += 1) {
      /** @type {Change | null} */
      let best = null;
      for (const first of stubborn[one]) {
        for (const second of stubborn[other]) {
          if (trials > most || (best && first.size + second.size >= best.size)) break;
          best = attempt([first, second]) || best;
        }
      }
      if (best) double.push(best);
    }
  }
  const bySize = (/** @type {Change} */ a, /** @type {Change} */ b) => a.size - b.size;
  return { single: single.sort(bySize), double: double.sort(bySize).slice(0, 5) };
}
