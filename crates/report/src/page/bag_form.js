// "Try it" for bags: rows that can be edited, added and removed.

/** The most changes of a bag that are listed. */
const MOST_BAG_CHANGES = 8;

/**
 * Returns a small field for a cell of a row. `changed` is called with each new value.
 * @param {Column} column @param {string} label @param {Cell} value @param {Reading} reading
 * @param {(value: Cell) => void} changed
 */
function cellField(column, label, value, reading, changed) {
  const title = rangeText(column);
  if (column.kind !== "numeric") {
    const options =
      column.kind === "boolean" ? [["yes", "true"], ["no", "false"]] : (column.categories || []).map((name) => [visible(name), name]);
    const take = (/** @type {Event} */ event) =>
      changed(parseCell(/** @type {HTMLSelectElement} */ (event.target).value, column, reading));
    return el(
      "select",
      { "aria-label": label, input: take },
      el("option", { value: "\u0000" }, "missing"),
      options.map(([shown, name]) => el("option", { value: name, selected: value !== null && name === String(value) }, shown)),
    );
  }
  const isMissing = value === null || (typeof value === "number" && Number.isNaN(value));
  const input = /** @type {HTMLInputElement} */ (
    el("input", { type: "text", "aria-label": label, title, inputmode: "decimal", placeholder: "missing", autocomplete: "off" })
  );
  input.value = isMissing ? "" : column.date ? dateText(Number(value), column.date) : String(value).replace(".", reading.decimal);
  input.addEventListener("input", () => {
    const typed = column.date ? (isoDate(input.value, column) ?? parseCell(input.value, column, reading)) : readNumber(input.value, column, reading);
    const number = typeof typed === "number" ? typed : NaN;
    const isOutside = column.range && (number < column.range[0] || number > column.range[1]);
    input.classList.toggle("outside", Boolean(isOutside) || (Number.isNaN(number) && input.value.trim() !== ""));
    changed(number);
  });
  return input;
}

/**
 * @typedef {{row: number, at: number | null, value: Cell, prediction: Prediction}} BagChange
 * A change of one cell, or a row that is removed.
 *
 * Returns the smallest change of each column in one row, and the rows without which the answer is another one.
 * @param {Content} content @param {number} sizeIndex @param {Cell[][]} rows @param {Set<number>} fixed
 * @returns {BagChange[]}
 */
function bagChanges(content, sizeIndex, rows, fixed) {
  const columns = content.columns || [];
  const before = predict(content, sizeIndex, rows).predicted;
  const most = mostTrials(content, sizeIndex) / Math.max(1, rows.length);
  let trials = 0;
  const attempt = (/** @type {Cell[][]} */ changed) => {
    trials += 1;
    const prediction = predict(content, sizeIndex, changed);
    return prediction.predicted === before ? null : prediction;
  };
  /** @type {BagChange[]} */
  const removed = [];
  if (rows.length > 1)
    rows.forEach((_, row) => {
      const prediction = attempt(rows.filter((_, other) => other !== row));
      if (prediction) removed.push({ row, at: null, value: null, prediction });
    });
  /** @type {{size: number, change: BagChange}[]} */
  const found = [];
  for (const at of usedColumns(content, sizeIndex).filter((at) => !fixed.has(at))) {
    /** @type {{size: number, change: BagChange} | null} */
    let best = null;
    rows.forEach((cells, row) => {
      for (const value of candidates(content, sizeIndex, at, cells[at])) {
        const size = distance(columns[at], cells[at], value);
        if (trials > most || (best && size >= best.size)) continue;
        const changed = rows.slice();
        changed[row] = cells.slice();
        changed[row][at] = value;
        const prediction = attempt(changed);
        if (prediction) best = { size, change: { row, at, value, prediction } };
      }
    });
    if (best) found.push(best);
  }
  const cells = found.sort((a, b) => a.size - b.size).map(({ change }) => change);
  return [...cells, ...removed].slice(0, MOST_BAG_CHANGES);
}

/** Returns what would change the answer for a bag. @param {Page} page @param {Cell[][]} rows @param {Set<number>} fixed */
function bagChangesView(page, rows, fixed) {
  const { content } = page;
  const columns = content.columns || [];
  const changes = bagChanges(content, page.size, rows, fixed);
  if (changes.length === 0)
    return el("p", {}, "No change of one value within the ranges seen, and no removal of one row, leads to another answer.");
  const line = (/** @type {BagChange} */ { row, at, value, prediction }) => [
    at === null
      ? `without row ${row + 1}`
      : [
          `row ${row + 1}: `,
          el("strong", {}, nameNode(columns[at].name)),
          ` from ${valueText(columns[at], rows[row][at])} to ${valueText(columns[at], value)}`,
        ],
    answerCell(content, prediction),
  ];
  return table("", ["Change", "Answer"], changes.map(line), "changes");
}

/** Returns the section with the rows of a bag. @param {Page} page */
function bagSection(page) {
  const { content } = page;
  const columns = content.columns || [];
  const typical = () => columns.map((column) => typicalValue(content, column));
  /** @type {Cell[][]} */
  let rows = [typical()];
  const fixed = new Set(columns.map((_, at) => at).filter((at) => (content.fixed || []).includes(columns[at].name)));
  const [body, result, why, changes] = ["", "", "", ""].map(() => el("div", {}));
  result.setAttribute("aria-live", "polite");
  let timer = 0;
  const predictNow = () => {
    const prediction = predict(content, page.size, rows);
    fill(result, predictionView(content, prediction), scoreText(page, prediction));
    fill(why, reasons(page, prediction));
    if (content.task.number) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => fill(changes, bagChangesView(page, rows, fixed)), 150);
  };
  const build = () => {
    const used = usedColumns(content, page.size);
    const cell = (/** @type {number} */ row, /** @type {number} */ at) =>
      cellField(columns[at], `${visible(columns[at].name)} of row ${row + 1}`, rows[row][at], readingOf(content), (value) => {
        rows[row][at] = value;
        predictNow();
      });
    const remove = (/** @type {number} */ row) =>
      el("button", { type: "button", disabled: rows.length < 2, click: () => change(rows.filter((_, other) => other !== row)) }, "Remove");
    fill(
      body,
      table(
        "",
        ["Row", ...used.map((at) => nameNode(columns[at].name)), ""],
        rows.map((_, row) => [row + 1, ...used.map((at) => cell(row, at)), remove(row)]),
        "editable",
      ),
    );
    predictNow();
  };
  const change = (/** @type {Cell[][]} */ other) => {
    rows = other;
    build();
  };
  page.onSize.push(build);
  build();
  return section(
    "try",
    "Try it",
    el("p", {}, "Enter the rows of one bag. The page predicts exactly as the command predict does; nothing leaves this page."),
    el(
      "div",
      { class: "panel" },
      body,
      el(
        "p",
        {},
        el("button", { type: "button", click: () => change([...rows, (rows[rows.length - 1] || typical()).slice()]) }, "Add a row"),
        " ",
        el("button", { type: "button", click: () => change([typical()]) }, "One typical row"),
      ),
      el("div", { class: "split" }, result, why),
    ),
    content.task.number ? null : [el("h3", {}, "What would change the answer"), changeNote(), changes],
    el("h3", {}, "Several bags"),
    el("p", {}, `Paste rows with the column ${word(content.task.bag || "")}. Without it, all rows form one bag.`),
    pasteBox(page, (pasted) => change(pasted)),
  );
}
