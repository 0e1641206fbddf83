// Names of objects and attributes: without the prefix that all share, and in lines for the drawing.

/** A line of a label has at most this many letters. */
const LINE_LETTERS = 24;
/** A label has at most this many lines. */
const LABEL_LINES = 4;

/** Names, or numbers if the file has none. */
class NameList {
  /** @param {string[] | number | null} names @param {number} count @param {string} noun */
  constructor(names, count, noun) {
    this.names = Array.isArray(names) ? names : null;
    this.first = typeof names === "number" ? names : 1;
    this.count = count;
    this.noun = noun;
    this.prefix = this.names ? commonPrefix(this.names) : "";
  }

  /** Returns the whole name. @param {number} at */
  whole(at) {
    return this.names ? visible(this.names[at]) : `${this.noun} ${this.first + at}`;
  }

  /** Returns the name without what all names start with. @param {number} at */
  short(at) {
    const rest = this.names ? this.names[at].slice(this.prefix.length) : this.whole(at);
    return visible(rest.trim()) || "(unnamed)";
  }

  /** Returns an element with the short name, and the whole name under the pointer. @param {number} at */
  node(at) {
    const [short, whole] = [this.short(at), this.whole(at)];
    return el("bdi", short === whole ? {} : { title: whole }, short);
  }
}

/** Returns what all names start with, up to a separator. @param {string[]} names */
function commonPrefix(names) {
  if (names.length < 2) return "";
  let end = Math.min(...names.map((name) => name.length));
  for (const name of names) {
    let same = 0;
    while (same < end && name[same] === names[0][same]) same += 1;
    end = same;
  }
  const cut = /^.*[\/#:=_.|\s-]/s.exec(names[0].slice(0, end));
  // Two letters are not worth a note.
  return cut && cut[0].length > 2 ? cut[0] : "";
}

/** Returns a name in lines, and the rest as a count. @param {string} name */
function brokenName(name) {
  /** @type {string[]} */
  const lines = [];
  for (const part of name.split(/\s+/)) {
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + 1 + part.length <= LINE_LETTERS) lines[last] += " " + part;
    else lines.push(part);
  }
  const cut = lines.slice(0, 2).map((line) => shortened(line, LINE_LETTERS));
  if (lines.length > 2) cut[1] = shortened(cut[1] + " …", LINE_LETTERS);
  return cut;
}

/** Returns text of at most this many letters. @param {string} text @param {number} most */
function shortened(text, most) {
  const letters = [...text];
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
}

/**
 * Returns a few names in lines; more become a count.
 * @param {NameList} names @param {number[]} which @param {string} noun
 */
function labelLines(names, which, noun) {
  /** @type {string[]} */
  const lines = [];
  for (const [place, one] of which.entries()) {
    const more = brokenName(names.short(one));
    const left = which.length - place;
    if (lines.length + more.length + (left > 1 ? 1 : 0) > LABEL_LINES) {
      lines.push(place === 0 ? counted(left, noun) : `and ${grouped(left)} more`);
      break;
    }
    lines.push(...more);
  }
  return lines;
}

/** Returns the width of a line of text in the drawing; fonts differ, so it is an upper estimate. @param {string} text */
function textWidth(text) {
  let width = 0;
  for (const letter of text) {
    if (/[fijlrtI .,:;'|()]/.test(letter)) width += 0.42;
    else if (/[mwMW@%…]/.test(letter)) width += 1;
    else width += /[A-Z+<>=~#&]/.test(letter) ? 0.76 : letter > "\u1fff" ? 1.05 : 0.63;
  }
  return 12 * width;
}
