// Why networks predict what they do: the contribution of each column, and where it changes.

/**
 * Returns what contributions are about: the score of the second of two classes, the log odds of one of more classes,
 * or the predicted number.
 * @param {NetworkModel} model @param {number[]} inputs @param {number} code
 */
function explainedNumber(model, inputs, code) {
  const scores = networkScores(model, inputs);
  if (model.outputs === 1) return scores[0];
  const others = scores.filter((_, other) => other !== code);
  const most = Math.max(...others);
  return scores[code] - most - Math.log(others.reduce((sum, score) => sum + Math.exp(score - most), 0));
}

/**
 * Returns the contribution of each column: the explained number without that of the row whose column is in the middle.
 * @param {NetworkModel} model @param {Cell[]} row @param {number} code @returns {[number, number][]}
 */
function contributions(model, row, code) {
  const inputs = networkInputs(model, row);
  const whole = explainedNumber(model, inputs, code);
  return networkColumns(model)
    .map((at) => {
      const neutral = inputs.map((value, place) => (model.inputs[place][0] === at ? 0 : value));
      return /** @type {[number, number]} */ ([at, whole - explainedNumber(model, neutral, code)]);
    })
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
}

/** Returns the columns of a network, ascending. @param {NetworkModel} model */
function networkColumns(model) {
  return [...new Set(model.inputs.map((input) => input[0]))].sort((a, b) => a - b);
}

/** Returns where a column changes what the networks get, for the search of changes. @param {NetworkModel} model @param {number} at @param {Column} column */
function networkCuts(model, at, column) {
  const steps = model.inputs.filter((input) => input[0] === at && input[1] === "steps");
  const cuts = new Set(/** @type {number[]} */ (steps.flatMap((input) => input[4][2])));
  const [low, high] = column.range || [NaN, NaN];
  for (let step = 0; step <= 20; step += 1) {
    const value = low + ((high - low) * step) / 20;
    if (Number.isFinite(value))
      cuts.add([low, high].every(Number.isInteger) ? Math.round(value) : Number(value.toPrecision(3)));
  }
  return cuts;
}

/** Returns the columns that raise and lower the score or the number of a row. @param {Content} content @param {Cell[]} row @param {number} predicted */
function networkReasons(content, row, predicted) {
  const model = /** @type {NetworkModel} */ (content.model && content.model.network);
  const columns = content.columns || [];
  const [low, high] = content.task.number || [0, 1];
  const least = 0.0005 * (model.number ? high - low : 1);
  const shares = contributions(model, row, predicted).filter(([, share]) => Math.abs(share) >= least);
  const text = (/** @type {number} */ share) =>
    model.number ? (share > 0 ? "+" : "") + significant(share, 4) : signed(share);
  const list = (/** @type {string} */ title, /** @type {[number, number][]} */ which) =>
    which.length
      ? [
          el("h3", { class: "minor" }, title),
          el(
            "ul",
            { class: "reasons" },
            which
              .slice(0, 8)
              .map(([at, share]) =>
                el(
                  "li",
                  {},
                  text(share),
                  " ",
                  el("strong", {}, nameNode(columns[at].name)),
                  ` = ${valueText(columns[at], row[at])}`,
                ),
              ),
          ),
        ]
      : null;
  const raising = (/** @type {boolean} */ raises) => shares.filter(([, share]) => share > 0 === raises);
  if (model.number)
    return [list("Columns that raise the prediction", raising(true)), list("Columns that lower it", raising(false))];
  if (model.outputs > 1) {
    const name = quoted(content.task.classes[predicted]);
    return [list(`Columns that favor ${name}`, raising(true)), list(`Columns against ${name}`, raising(false))];
  }
  const favoring = (/** @type {number} */ code) =>
    list(
      `Columns that favor ${quoted(content.task.classes[code])}`,
      raising(code === 1),
    );
  return [favoring(predicted), favoring(1 - predicted)];
}
