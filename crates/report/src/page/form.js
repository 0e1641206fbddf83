// A form with a field for each column of the model.

/**
 * Parses a number as it is typed; empty text is missing.
 * @param {string} text @param {Column} column @returns {number}
 */
function parseNumber(text, column) {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "?" || /^(na|n\/a|nan|null)$/i.test(trimmed)) return NaN;
  if (column.date) {
    const moment = Date.parse(/[tT ]\d/.test(trimmed) ? trimmed.replace(" ", "T") + "Z" : trimmed);
    if (Number.isNaN(moment)) return NaN;
    return column.date === "days" ? Math.floor(moment / 86400000) : moment / 1000;
  }
  return Number(trimmed);
}

/** Returns whether categories that training did not see differ from missing ones. @param {Content} content */
function keepsUnseen(content) {
  return Boolean(content.model && content.model.network);
}

/** Parses a value of a column. @param {string} text @param {Column} column @param {boolean} keeps @returns {Cell} */
function parseCell(text, column, keeps = false) {
  if (column.kind === "numeric") return parseNumber(text, column);
  if (column.kind === "boolean") {
    const lower = text.trim().toLowerCase();
    if (["true", "1", "yes"].includes(lower)) return true;
    return ["false", "0", "no"].includes(lower) ? false : null;
  }
  const known = column.categories || [];
  if (known.length === 0) return text === "" ? null : text;
  if (known.includes(text)) return text;
  if (known.includes(text.trim())) return text.trim();
  return keeps && !/^(\u0000|\?|na|n\/a|nan|null|)$/i.test(text.trim()) ? text.trim() : null;
}

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
 * Returns a field of the form. `changed` is called with each new value.
 * @param {Column} column @param {number} at @param {Cell} value @param {(value: Cell) => void} changed
 */
function field(column, at, value, changed) {
  const id = `field-${at}`;
  const hint = el("span", { class: "hint", id: `${id}-hint` }, rangeText(column));
  const note = (/** @type {Cell} */ value) => {
    const outside =
      typeof value === "number" && column.range && (value < column.range[0] || value > column.range[1]);
    hint.textContent = outside ? `outside the range seen: ${rangeText(column)}` : rangeText(column);
    hint.classList.toggle("outside", Boolean(outside));
  };
  const take = (/** @type {string} */ text) => {
    const value = parseCell(text, column);
    note(value);
    changed(value);
  };
  const onInput = (/** @type {Event} */ event) => take(/** @type {HTMLInputElement} */ (event.target).value);
  const shared = { id, "data-column": at, "aria-describedby": `${id}-hint`, input: onInput };
  let control;
  if (column.kind === "numeric") {
    const missing = typeof value === "number" && Number.isNaN(value);
    const isWhole = column.range && column.range.every(Number.isInteger);
    const text =
      missing || value === null ? "" : column.date ? dateText(Number(value), column.date) : String(value);
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
