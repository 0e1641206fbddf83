// Predictions for pasted rows.

/** Splits delimited text into cells. @param {string} text @param {string} delimiter @returns {string[][]} */
function splitCells(text, delimiter) {
  /** @type {string[][]} */
  const rows = [];
  let row = [],
    cell = "",
    quoted = false;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '"' && text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (letter === '"' || letter === undefined) quoted = false;
      else cell += letter;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === delimiter || letter === "\n" || letter === undefined) {
      row.push(cell.endsWith("\r") ? cell.slice(0, -1) : cell);
      cell = "";
      if (letter !== delimiter) {
        if (row.some((text) => text !== "")) rows.push(row);
        row = [];
      }
    } else cell += letter;
  }
  return rows;
}

/**
 * Parses pasted rows: with a line of column names, or in the order of the columns that the model uses.
 * @param {Content} content @param {number} size @param {string} text
 * @returns {{rows: Cell[][], bags: string[], missing: string[]}}
 */
function parsePasted(content, size, text) {
  const columns = content.columns || [];
  const first = text.split("\n", 1)[0];
  const delimiter = ["\t", ";", ","].find((mark) => first.includes(mark)) || ",";
  const cells = splitCells(text, delimiter);
  const used = usedColumns(content, size);
  const names = (cells[0] || []).map((name) => name.trim());
  const hasNames = used.some((at) => names.includes(columns[at].name));
  const place = (/** @type {number} */ at) => (hasNames ? names.indexOf(columns[at].name) : used.indexOf(at));
  const bag = hasNames && content.task.bag ? names.indexOf(content.task.bag) : -1;
  const body = hasNames ? cells.slice(1) : cells;
  return {
    rows: body.map((row) =>
      columns.map((column, at) => {
        const text = place(at) < 0 ? undefined : row[place(at)];
        if (text === undefined) return column.kind === "numeric" ? NaN : null;
        return parseCell(text, column, readingOf(content), keepsUnseen(content));
      }),
    ),
    bags: body.map((row) => (bag < 0 ? "" : row[bag] || "")),
    missing: used.filter((at) => place(at) < 0).map((at) => columns[at].name),
  };
}

/** Groups rows into bags. @param {Cell[][]} rows @param {string[]} bags @returns {[string, Cell[][]][]} */
function groupBags(rows, bags) {
  /** @type {Map<string, Cell[][]>} */
  const groups = new Map();
  rows.forEach((row, at) => {
    const group = groups.get(bags[at]) || [];
    group.push(row);
    groups.set(bags[at], group);
  });
  return [...groups];
}

/**
 * Returns a box for pasted rows with their predictions. `edit` takes the rows of a bag into the form.
 * @param {Page} page @param {((rows: Cell[][]) => void)} [edit]
 */
function pasteBox(page, edit) {
  const { content } = page;
  const { task } = content;
  const names = usedColumns(content, page.size).map((at) => visible((content.columns || [])[at].name));
  const head = [...(task.bag ? [visible(task.bag)] : []), ...names].join(",");
  const area = /** @type {HTMLTextAreaElement} */ (
    el("textarea", {
      rows: 5,
      spellcheck: "false",
      id: "pasted",
      "aria-label": "Pasted rows",
      placeholder: head.slice(0, 300),
    })
  );
  const out = el("div", { "aria-live": "polite" });
  const run = () => {
    const { rows, bags, missing } = parsePasted(content, page.size, area.value);
    /** @type {[string, Cell[] | Cell[][]][]} */
    const examples = task.bag ? groupBags(rows, bags) : rows.map((row, at) => [String(at + 1), row]);
    const codes = task.classes.length === 2 ? [1] : task.classes.map((_, code) => code).slice(0, 12);
    const { network } = content.model || {};
    const curve = network ? network.calibration : ruleModel(page).sizes[page.size].calibration;
    const hasShares = !task.number && curve !== null;
    const heads = [
      task.bag || "row",
      "predicted",
      ...(hasShares ? codes.map((code) => `probability of ${task.classes[code]}`) : []),
    ];
    const lines = examples.map(([name, example]) => {
      const { predicted, probabilities } = predict(content, page.size, example);
      const answer = task.number ? String(predicted) : task.classes[predicted];
      return [
        name,
        answer,
        ...(hasShares && probabilities ? codes.map((code) => probabilities[code].toFixed(4)) : []),
      ];
    });
    fill(
      out,
      missing.length
        ? el(
            "p",
            { class: "note" },
            `Missing columns, predicted as missing values: ${listed(missing.map(word))}.`,
          )
        : null,
      lines.length
        ? [
            table(
              "",
              heads.map(visible),
              lines.slice(0, 200).map((line) => line.map(visible)),
              "pasted",
            ),
            lines.length > 200
              ? el(
                  "p",
                  {},
                  `The first 200 of ${counted(lines.length, "row")} are shown; the CSV file has all.`,
                )
              : null,
            saveButton("Save as CSV", "predictions.csv", () => csvText(heads, lines)),
            edit
              ? [
                  " ",
                  el(
                    "button",
                    { type: "button", click: () => edit(/** @type {Cell[][]} */ (examples[0][1]).map((row) => row.slice())) },
                    `Edit ${visible(examples[0][0]).slice(0, 40) || "the bag"} in the form`,
                  ),
                ]
              : null,
          ]
        : null,
    );
  };
  page.onSize.push(() => {
    if (area.value) run();
  });
  return el(
    "details",
    {},
    el("summary", {}, "Paste rows from a spreadsheet or a CSV file"),
    el(
      "p",
      { class: "soft" },
      "With a line of column names, or with the columns of the form in their order. Cells are read as those of the training data; dates may also be written as 2026-11-30.",
    ),
    area,
    el("p", {}, el("button", { type: "button", id: "predict-pasted", click: run }, "Predict")),
    out,
  );
}
