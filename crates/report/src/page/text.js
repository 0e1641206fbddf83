// Numbers and names as text.

/** Returns text in which control characters and direction marks are visible. @param {string} text */
function visible(text) {
  const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
  return text.replace(hidden, (letter) => "\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** Returns a name as it stands in a sentence: in quotes unless it is a plain word. @param {string} name */
function word(name) {
  const shown = visible(name);
  return /^\p{L}[\p{L}\p{N}._-]*$/u.test(shown) ? shown : `'${shown}'`;
}

/** Returns the name of a class in quotes. @param {string} name */
function quoted(name) {
  return `'${visible(name)}'`;
}

/** Returns text in which no line ends between a number and its percent sign. @param {string} text */
function glued(text) {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}

/** Returns a count with groups of three digits. @param {number} count */
function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Returns a count with its noun. @param {number} count @param {string} noun */
function counted(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a share in percent; only 0 and 1 are shown as 0 % and 100 %. @param {number} share */
function percent(share, digits = 0) {
  const text = (100 * share).toFixed(digits);
  const least = Math.pow(10, -digits);
  // A no-break space keeps the number and its unit on one line.
  if (share > 0 && Number(text) === 0) return `under ${least}\u00a0%`;
  if (share < 1 && Number(text) === 100) return `over ${100 - least}\u00a0%`;
  return `${text}\u00a0%`;
}

/** Returns a number with two decimals, or two significant digits below 0.1. @param {number} number */
function twoDecimals(number) {
  const size = Math.abs(number);
  if (size === 0 || size >= 0.1) return (number + 0).toFixed(2);
  return number.toFixed(Math.min(12, Math.max(2, 1 - Math.floor(Math.log10(size)))));
}

/** Returns a number with a sign. @param {number} number */
function signed(number) {
  const sign = number < 0 ? "−" : number > 0 ? "+" : "";
  return sign + twoDecimals(Math.abs(number));
}

/** Returns a number with at most this many significant digits. @param {number} number */
function significant(number, digits = 4) {
  if (!Number.isFinite(number)) return String(number);
  const rounded = Number(number.toPrecision(digits));
  const size = Math.abs(rounded);
  return size === 0 || (size >= 1e-6 && size < 1e15) ? String(rounded) : rounded.toExponential();
}

/** Returns names as a list with "and". @param {string[]} names @param {string} last */
function listed(names, last = "and") {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${last} ${names[names.length - 1]}`;
}

/** Returns a number of days or seconds since 1970 as a date. @param {number} number @param {string} unit */
function dateText(number, unit) {
  const moment = new Date(number * (unit === "days" ? 86400000 : 1000));
  if (Number.isNaN(moment.getTime())) return String(number);
  const text = moment.toISOString();
  return unit === "days" ? text.slice(0, 10) : text.slice(0, 19);
}

/** Returns the value of a column as text. @param {Column} column @param {Cell} value */
function valueText(column, value) {
  if (value === null || (typeof value === "number" && Number.isNaN(value))) return "missing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return visible(value);
  if (column.date) return dateText(value, column.date);
  return column.unit ? `${value} ${visible(column.unit)}` : String(value);
}
