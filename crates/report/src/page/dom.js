// Elements. Text is always inserted as text, so no name can become markup.

/**
 * Adds attributes and children to an element. Functions are listeners, and `style` is an object.
 * @template {Element} E
 * @param {E} node @param {Object<string, any>} attributes @param {any[]} children
 * @returns {E}
 */
function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else if (name === "style") {
      for (const [property, text] of Object.entries(value)) {
        /** @type {any} */ (node).style.setProperty(property, text);
      }
    } else node.setAttribute(name, value === true ? "" : String(value));
  }
  // Text that a reader may copy stays as it is.
  const isCopied = ["PRE", "CODE", "BDI", "OPTION", "TEXTAREA"].includes(node.tagName);
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : isCopied ? String(child) : glued(String(child)));
  }
  return node;
}

/**
 * Returns an HTML element.
 * @param {string} tag @param {Object<string, any>} attributes @param {...any} children
 */
function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/**
 * Returns an SVG element.
 * @param {string} tag @param {Object<string, any>} attributes @param {...any} children
 */
function draw(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Returns a name that keeps its own writing direction. @param {string} name */
function nameNode(name) {
  const shown = visible(name);
  if (shown.length <= 80) return el("bdi", {}, shown);
  return el("bdi", { title: shown }, shown.slice(0, 60) + "…" + shown.slice(-12));
}

/** Returns long text that expands on demand. @param {string} text @param {number} most */
function expandable(text, most = 220) {
  const shown = visible(text);
  if (shown.length <= most) return el("bdi", {}, shown);
  const cut = shown.lastIndexOf(" ", most - 40);
  const at = cut > 0 ? cut : most - 40;
  return el(
    "bdi",
    {},
    shown.slice(0, at) + " ",
    el("details", {}, el("summary", {}, "…more"), shown.slice(at)),
  );
}

/** How often each label of a scrolling box was given, so that no two boxes have the same one. */
const boxLabels = /** @type {Map<string, number>} */ (new Map());

/**
 * Makes a box that may scroll reachable by keyboard. Whether its content is too wide depends on fonts and
 * on the width of the window, so every such box is.
 * @param {HTMLElement} box @param {string} label
 */
function reachable(box, label) {
  const count = (boxLabels.get(label) || 0) + 1;
  boxLabels.set(label, count);
  return furnish(
    box,
    { tabindex: "0", role: "region", "aria-label": count > 1 ? `${label} (${count})` : label },
    [],
  );
}

/** Returns the label of a table: its caption or the heads of its columns. @param {Element} box */
function tableLabel(box) {
  const caption = box.querySelector("caption")?.textContent;
  const heads = [...box.querySelectorAll("thead th")].map((head) => head.textContent).join(", ");
  return `Table: ${(caption || heads || "without heads").slice(0, 120)}`;
}

/** Returns a box that scrolls if its table is too wide. @param {...any} children */
function scrollBox(...children) {
  const box = el("div", { class: "scroll" }, ...children);
  return reachable(box, tableLabel(box));
}

/** Returns text in a box that keeps its lines. @param {string} text */
function textBox(text) {
  return reachable(el("pre", {}, text), "Text");
}

/**
 * Returns a table.
 * @param {string} caption @param {any[]} heads @param {any[][]} rows @param {string} kind
 */
function table(caption, heads, rows, kind = "") {
  const head = heads.map((text) => (text === "" ? el("td") : el("th", { scope: "col" }, text)));
  const body = rows.map((row) =>
    el(
      "tr",
      {},
      row.map((cell, place) =>
        place === 0
          ? el("th", { scope: "row" }, cell)
          : // A narrow page shows the head before each cell.
            el("td", { "data-head": typeof heads[place] === "string" && heads[place] ? heads[place] : null }, cell),
      ),
    ),
  );
  return scrollBox(
    el(
      "table",
      { class: kind },
      caption ? el("caption", {}, caption) : null,
      el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, body),
    ),
  );
}

/** Returns a section of the page. @param {string} id @param {string} title @param {...any} children */
function section(id, title, ...children) {
  return el(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    ...children,
  );
}

/**
 * Returns a box that opens, whose content is drawn when it opens for the first time.
 * @param {string} summary @param {() => any} content
 */
function opening(summary, content) {
  const box = el("details", {}, el("summary", {}, summary));
  let isDrawn = false;
  box.addEventListener("toggle", () => {
    if (isDrawn) return;
    isDrawn = true;
    furnish(box, {}, [content()]);
  });
  return box;
}

/** Returns a note in which text between backticks is code. @param {string} text */
function noteItem(text) {
  const parts = visible(text).split("`");
  return el("li", {}, parts.map((part, at) => (at % 2 && at + 1 < parts.length ? el("code", {}, part) : part)));
}

/** Replaces the content of an element. @param {Element} node @param {...any} children */
function fill(node, ...children) {
  node.replaceChildren();
  furnish(node, {}, children);
}

/** The most classes with colors and patterns of their own. */
const MOST_COLORS = 12;

/** Whether classes have colors. With too many of them, no class has one, so that equal colors mean the same. */
const palette = { isUsed: true };

/** Returns the name of the color and pattern of a class. @param {number} code */
function colorOf(code) {
  return palette.isUsed && code < MOST_COLORS ? `c${code}` : "cx";
}

/** Returns the mark of a class, a color and a pattern; null if classes have none. @param {number} code */
function classMark(code) {
  return palette.isUsed ? el("span", { class: `mark ${colorOf(code)}`, "aria-hidden": "true" }) : null;
}

/** Returns a slider with a label. @param {string} label @param {Object<string, any>} attributes */
function slider(label, attributes) {
  return el(
    "label",
    { class: "slider" },
    el("span", {}, label),
    el("input", { type: "range", ...attributes }),
  );
}
