// Why networks predict what they do: the contribution of each column, and where it changes.

/**
 * Returns the contribution of each column: the score without that of the row whose column is in the middle.
 * @param {NetworkModel} model @param {Cell[]} row @returns {[number, number][]}
 */
function contributions(model, row) {
  const inputs = networkInputs(model, row);
  const whole = networkScore(model, inputs);
  return networkColumns(model)
    .map((at) => {
      const neutral = inputs.map((value, place) => (model.inputs[place][0] === at ? 0 : value));
      return /** @type {[number, number]} */ ([at, whole - networkScore(model, neutral)]);
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

/** Returns the columns that raise and lower the score of a row. @param {Content} content @param {Cell[]} row @param {number} predicted */
function networkReasons(content, row, predicted) {
  const model = /** @type {NetworkModel} */ (content.model && content.model.network);
  const columns = content.columns || [];
  const shares = contributions(model, row).filter(([, share]) => Math.abs(share) >= 0.0005);
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
                  signed(share),
                  " ",
                  el("strong", {}, nameNode(columns[at].name)),
                  ` = ${valueText(columns[at], row[at])}`,
                ),
              ),
          ),
        ]
      : null;
  const favoring = (/** @type {number} */ code) =>
    list(
      `Columns that favor ${quoted(content.task.classes[code])}`,
      shares.filter(([, share]) => share > 0 === (code === 1)),
    );
  return [favoring(predicted), favoring(1 - predicted)];
}
