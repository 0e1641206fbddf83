// What is found, as the files that the command writes.

/** Returns a name as it stands in a list: unchanged, or in quotes if it would be ambiguous. @param {string} name */
function nameInSet(name) {
  const isPlain =
    name !== "" &&
    name !== "{}" &&
    name.trim() === name &&
    !/[,"→⇒\u0000-\u001f\u007f-\u009f]/.test(name) &&
    !["->", "=>", "   "].some((mark) => name.includes(mark));
  return isPlain ? name : JSON.stringify(name);
}

/** Returns names separated by commas; `{}` if there are none. @param {string[]} names */
function setText(names) {
  return names.length ? names.map(nameInSet).join(", ") : "{}";
}

/** Returns implications as `pellucid implications` writes them. @param {Exploration} exploration @param {Implied[]} implications */
function implicationsText(exploration, implications) {
  const text = (/** @type {Bits} */ set) => setText(exploration.attributeNames(set));
  const lines = implications.map(
    ({ premise, closure }) =>
      `${text(premise)} -> ${text(without(closure, premise))}   (support ${exploration.support(premise)})\n`,
  );
  return lines.join("");
}

/** Whether a context can be a .cxt file, which has a name on each line. @param {Exploration} exploration */
function fitsBurmeister({ start, objects }) {
  return [...start.attributes, ...objects.map(({ name }) => name)].every((name) => !/[\n\r]/.test(name));
}

/** Returns the context with all counterexamples as a .cxt file. @param {Exploration} exploration */
function burmeisterText({ start, objects }) {
  const { attributes } = start;
  const rows = objects.map(({ row }) => attributes.map((_, one) => (hasBit(row, one) ? "X" : ".")).join(""));
  const name = /[\n\r]/.test(start.name) ? "" : start.name.trim();
  const counts = [objects.length, attributes.length];
  const names = [...objects.map((object) => object.name), ...attributes];
  return ["B", name, ...counts, "", ...names, ...rows].join("\n") + "\n";
}

/** Returns a name as a cell that every reader of CSV reads as it is. @param {string} name */
function crossCell(name) {
  return name === "" || /[,"\n\r;|'\t ]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name;
}

/** Returns the context with all counterexamples as a CSV file. @param {Exploration} exploration */
function crossTableText({ start, objects }) {
  const head = ['""', ...start.attributes.map(crossCell)];
  const rows = objects.map(({ name, row }) => [
    crossCell(name),
    ...start.attributes.map((_, one) => (hasBit(row, one) ? "1" : "0")),
  ]);
  return [head, ...rows].map((cells) => cells.join(",") + "\n").join("");
}
