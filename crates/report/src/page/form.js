// A form with a field for each column of the model.

/** Returns a typical value of a column. @param {Content} content @param {Column} column @returns {Cell} */
function typicalValue(content, column) {
  const seen = content.data && content.data.columns.find((other) => other.name === column.name);
  if (column.kind === "nominal") {
    const common = (seen && seen.categories && seen.categories[0]) || "";
    const known = column.categories || [];
    return known.includes(common) ? common : known[0] || null;
  }
  if (column.kind === "boolean") return false;
  if (seen && typeof seen.median === "number") return seen.median;
  if (!column.range) return NaN;
  const middle = (column.range[0] + column.range[1]) / 2;
  return column.range.every(Number.isInteger) ? Math.round(middle) : Number(middle.toPrecision(3));
}

/** Returns the hint of a column: its range. @param {Column} column */
function rangeText(column) {
  if (column.kind !== "numeric" || !column.range) return "";
  const [low, high] = column.range.map((end) => valueText({ ...column, unit: undefined }, end));
  return `${low} to ${high}${column.unit ? " " + visible(column.unit) : ""}`;
}

/**
 * Returns a typed value; null for a number that cannot be read. Fields for dates have their own format.
 * @param {string} text @param {Column} column @param {Reading} reading
 */
function typedValue(text, column, reading) {
  if (column.kind !== "numeric") return parseCell(text, column, reading);
  if (column.date) return isoDate(text, column) ?? NaN;
  return readNumber(text, column, reading);
}

/**
 * Returns a field of the form. `changed` is called with each new value.
 * @param {Column} column @param {number} at @param {Cell} value @param {Reading} reading
 * @param {(value: Cell) => void} changed
 */
function field(column, at, value, reading, changed) {
  const id = `field-${at}`;
  const hint = el("span", { class: "hint", id: `${id}-hint` }, rangeText(column));
  const note = (/** @type {Cell} */ value) => {
    const outside =
      typeof value === "number" && column.range && (value < column.range[0] || value > column.range[1]);
    hint.textContent = outside ? `outside the range seen: ${rangeText(column)}` : rangeText(column);
    hint.classList.toggle("outside", Boolean(outside));
  };
  const take = (/** @type {string} */ text) => {
    const value = typedValue(text, column, reading);
    const isUnreadable = column.kind === "numeric" && value === null;
    note(value);
    if (isUnreadable) {
      hint.textContent = `not a number, so it counts as missing; ${rangeText(column)}`;
      hint.classList.add("outside");
    }
    changed(isUnreadable ? NaN : value);
  };
  const onInput = (/** @type {Event} */ event) => take(/** @type {HTMLInputElement} */ (event.target).value);
  const shared = { id, "data-column": at, "aria-describedby": `${id}-hint`, input: onInput };
  let control;
  if (column.kind === "numeric") {
    const missing = typeof value === "number" && Number.isNaN(value);
    const isWhole = column.range && column.range.every(Number.isInteger);
    const text =
      missing || value === null
        ? ""
        : column.date
          ? dateText(Number(value), column.date)
          : String(value).replace(".", reading.decimal);
    const kind = column.date === "days" ? "date" : column.date ? "datetime-local" : "text";
    control = el("input", {
      ...shared,
      type: kind,
      inputmode: isWhole ? "numeric" : "decimal",
      value: text,
      placeholder: "missing",
      autocomplete: "off",
    });
    note(value);
  } else {
    const options =
      column.kind === "boolean"
        ? [
            ["yes", "true"],
            ["no", "false"],
          ]
        : (column.categories || []).map((name) => [visible(name), name]);
    const now = value === null ? "" : String(value);
    control = el(
      "select",
      shared,
      el("option", { value: "\u0000" }, "missing"),
      options.map(([shown, name]) =>
        el("option", { value: name, selected: name === now && value !== null }, shown),
      ),
    );
  }
  return el("div", { class: "field" }, el("label", { for: id }, nameNode(column.name)), control, hint);
}
