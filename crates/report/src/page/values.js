// Values as text: cells are read as those of the training data were.

/** Returns a number that is written as in programming languages; null if the text is no number. @param {string} text */
function plainNumber(text) {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}

/** Returns a number in the format of the training data; null if the text is no number. @param {string} text @param {Reading} reading */
function formattedNumber(text, reading) {
  const { decimal, thousands } = reading;
  if (decimal === "." && thousands === "") return plainNumber(text);
  const at = text.indexOf(decimal);
  const [whole, rest] = at < 0 ? [text, ""] : [text.slice(0, at), "." + text.slice(at + 1)];
  const power = at < 0 ? whole.search(/e/i) : -1;
  const [digits, tail] = power < 0 ? [whole, ""] : [whole.slice(0, power), whole.slice(power)];
  const groups = [...digits].map((letter) => (thousands.includes(letter) ? "_" : letter)).join("").split("_");
  const areSound = groups.slice(1).every((group) => /^\d{3}$/.test(group));
  if (groups.length > 1 && !(areSound && /^[+-]?\d{1,3}$/.test(groups[0]))) return null;
  return plainNumber(groups.join("") + tail + rest);
}

/** Returns a number without the unit beside it. @param {string} text @param {string} unit */
function withoutUnit(text, unit) {
  const sign = /^[+-]/.test(text) ? text[0] : "";
  const rest = text.slice(sign.length).trim();
  if (rest.startsWith(unit)) return sign + rest.slice(unit.length).trim();
  return rest.endsWith(unit) ? sign + rest.slice(0, -unit.length).trim() : null;
}

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** The parts of a date as regular expressions, by the letter of the format. */
const DATE_PARTS = /** @type {Object<string, string>} */ ({
  Y: "(?<Y>\\d{4})",
  y: "(?<y>\\d{1,2})",
  m: "(?<m>\\d{1,2})",
  b: "(?<b>[a-z]{3})",
  B: "(?<B>[a-z]+)",
  d: "(?<d>\\d{1,2})",
  H: "(?<H>\\d{1,2})",
  M: "(?<M>\\d{1,2})",
  S: "(?<S>\\d{1,2})",
  f: "(?:\\.(?<f>\\d+))?",
  z: "(?<z>z|[+-]\\d\\d:?\\d\\d)",
  "%": "%",
});

/** Returns a date format as a regular expression. @param {string} format such as `%d.%m.%Y` */
function datePattern(format) {
  const parts = format.split(/(\.?%.)/).map((part) => {
    const letter = /^\.?%/.test(part) ? part.slice(-1) : "";
    // The point before a fraction belongs to it.
    const point = part.startsWith(".") && letter && letter !== "f" ? "\\." : "";
    return letter ? point + DATE_PARTS[letter] : part.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "i");
}

/** Returns the month of its name, from 1; NaN for other names. @param {string} name */
function monthOf(name) {
  const at = MONTHS.findIndex((month) => month === name || (name.length === 3 && month.startsWith(name)));
  return at < 0 ? NaN : at + 1;
}

/**
 * Returns a date as days since 1970, or as seconds if it has a time; null if it is not in this format.
 * @param {string} text @param {string} format
 */
function parsedDate(text, format) {
  const found = datePattern(format).exec(text);
  if (!found || !found.groups) return null;
  const part = found.groups;
  const short = Number(part.y);
  const year = part.Y === undefined ? short + (short < 70 ? 2000 : 1900) : Number(part.Y);
  const month = part.m === undefined ? monthOf((part.b ?? part.B).toLowerCase()) : Number(part.m);
  const [day, hour, minute, second] = [part.d ?? 1, part.H ?? 0, part.M ?? 0, part.S ?? 0].map(Number);
  const moment = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  moment.setUTCFullYear(year, month - 1, day);
  const isReal =
    moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal || year < 1000) return null;
  if (!format.includes("%H")) return moment.getTime() / 86400000;
  const micros = Number((part.f ?? "").slice(0, 6).padEnd(6, "0"));
  return (moment.getTime() * 1000 + micros - offsetOf(part.z ?? "z") * 60e6) / 1e6;
}

/** Returns the minutes of a time zone ahead of UTC. @param {string} zone */
function offsetOf(zone) {
  if (/^z$/i.test(zone)) return 0;
  const minutes = 60 * Number(zone.slice(1, 3)) + Number(zone.slice(-2));
  return zone[0] === "-" ? -minutes : minutes;
}

/** The formats in which browsers and people who do not know the file write a date. */
const ISO_FORMATS = {
  days: ["%Y-%m-%d"],
  seconds: ["%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M", "%Y-%m-%d"],
};

/** Returns an ISO date as the number of a column; null if it is none. @param {string} text @param {Column} column */
function isoDate(text, column) {
  for (const format of ISO_FORMATS[column.date || "days"]) {
    const number = parsedDate(text, format);
    if (number !== null) return column.date === "seconds" && !format.includes("%H") ? 86400 * number : number;
  }
  return null;
}

/** Returns whether text marks a missing number or date. @param {string} text @param {Reading} reading */
function isMissingNumber(text, reading) {
  return text === "" || reading.missing.includes(text) || reading.among_numbers.includes(text.toLowerCase());
}

/**
 * Returns the number of a cell: NaN if it is missing, null if it is no number.
 * @param {string} cell @param {Column} column @param {Reading} reading @returns {number | null}
 */
function readNumber(cell, column, reading) {
  const text = cell.trim();
  if (reading.missing.includes(text)) return NaN;
  if (column.date) {
    const number = parsedDate(text, column.date_format || "%Y-%m-%d") ?? isoDate(text, column);
    return number === null && isMissingNumber(text, reading) ? NaN : number;
  }
  let number = formattedNumber(text, reading);
  if (number === null && isMissingNumber(text, reading)) return NaN;
  if (number === null && column.unit) {
    const bare = withoutUnit(text, column.unit);
    if (bare !== null) number = formattedNumber(bare, reading);
  }
  return number;
}

/** Returns the category of a cell; null if it is missing. @param {string} cell @param {Column} column @param {Reading} reading */
function readCategory(cell, column, reading) {
  const known = column.categories || [];
  if (known.includes(cell)) return cell;
  const text = cell.trim();
  if (known.includes(text)) return text;
  const letters = text.replace(/\s/g, "").toLowerCase();
  const merged = (column.spellings || []).find(([spelling]) => spelling === letters);
  if (merged) return merged[1];
  return reading.missing.includes(text) ? null : text;
}

/**
 * Returns the value of a cell. A category that training did not have is missing, unless it is kept.
 * @param {string} cell @param {Column} column @param {Reading} reading @param {boolean} keeps @returns {Cell}
 */
function parseCell(cell, column, reading, keeps = false) {
  if (column.kind === "numeric") return readNumber(cell, column, reading) ?? NaN;
  if (column.kind === "boolean") {
    const text = cell.trim().toLowerCase();
    if (["true", "1", "yes"].includes(text)) return true;
    return ["false", "0", "no"].includes(text) ? false : null;
  }
  const known = column.categories || [];
  const text = readCategory(cell, column, reading);
  return keeps || known.length === 0 || (text !== null && known.includes(text)) ? text : null;
}
