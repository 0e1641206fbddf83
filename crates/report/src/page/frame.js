// What all pages share: their content, their frame and where they come from.

/** Returns the content of the page. @returns {any} */
function readContent() {
  return JSON.parse(/** @type {HTMLElement} */ (document.getElementById("content")).textContent || "{}");
}

/** Returns names and values as a list. @param {[string, any][]} facts */
function factList(facts) {
  return el(
    "dl",
    { class: "facts" },
    facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

/** Returns a command in which no line ends within a flag. @param {string} command */
function commandText(command) {
  if (command.length > 400) return el("code", {}, expandable(command, 400));
  const parts = visible(command).split(" ");
  return el("code", {}, parts.map((part, at) => [at ? " " : "", el("span", { class: "whole" }, part)]));
}

/**
 * Returns when and how a page was written.
 * @param {{version: string, provenance?: {date: string | null, command: string | null}}} content
 * @returns {[string, any][]}
 */
function originFacts(content) {
  const from = content.provenance;
  /** @type {[string, any][]} */
  const facts = [["Version", `Pellucid ${content.version}`]];
  if (from && from.date) facts.push(["Date", from.date]);
  if (from && from.command) facts.push(["Command", commandText(from.command)]);
  return facts;
}

/** @typedef {{id: string, title: string, draw: () => HTMLElement}} LaterSection A section that is drawn after the first. */

/**
 * Calls a function after the browser has painted, or soon if it does not paint.
 * @param {() => void} work
 */
function afterPaint(work) {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    work();
  };
  window.requestAnimationFrame(() => window.setTimeout(once));
  window.setTimeout(once, 200);
}

/**
 * Draws a page: its header, links to its sections, and the sections. Sections that come later are drawn one by
 * one after the first paint; until then the page is busy.
 * @param {Element} header @param {(HTMLElement | LaterSection | null)[]} sections @param {{version: string}} content
 */
function drawPage(header, sections, content) {
  const page = /** @type {HTMLElement} */ (document.getElementById("page"));
  /** @type {(() => void)[]} */
  const waiting = [];
  const links = [];
  const nodes = [];
  for (const one of sections) {
    if (one === null) continue;
    const title = one instanceof HTMLElement ? one.querySelector("h2")?.textContent : one.title;
    links.push(el("a", { href: `#${one.id}` }, title));
    if (one instanceof HTMLElement) nodes.push(one);
    else {
      const place = el("section", { id: one.id });
      nodes.push(place);
      waiting.push(() => place.replaceWith(one.draw()));
    }
  }
  const drawNext = () => {
    waiting.shift()?.();
    if (waiting.length === 0) page.removeAttribute("aria-busy");
  };
  const drawAll = () => {
    while (waiting.length) drawNext();
  };
  const drawRest = () => {
    drawNext();
    if (waiting.length) window.setTimeout(drawRest);
  };
  // On paper nothing can be opened, so long texts are printed in full.
  window.addEventListener("beforeprint", () => {
    drawAll();
    document.querySelectorAll("bdi details").forEach((one) => one.setAttribute("open", ""));
  });
  fill(
    page,
    header,
    el("nav", { "aria-label": "Sections" }, links),
    nodes,
    el(
      "footer",
      { class: "soft" },
      `Written by Pellucid ${content.version}. This file works offline and sends nothing.`,
    ),
  );
  if (waiting.length === 0) return;
  page.setAttribute("aria-busy", "true");
  // A link to a section needs all that is above it.
  if (window.location.hash) drawAll();
  else afterPaint(drawRest);
}
