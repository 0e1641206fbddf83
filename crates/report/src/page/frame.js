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
  if (from && from.command) facts.push(["Command", el("code", {}, expandable(from.command, 400))]);
  return facts;
}

/**
 * Draws a page: its header, links to its sections, and the sections.
 * @param {Element} header @param {(HTMLElement | null)[]} sections @param {{version: string}} content
 */
function drawPage(header, sections, content) {
  const shown = sections.filter((one) => one !== null);
  // On paper nothing can be opened, so long texts are printed in full.
  window.addEventListener("beforeprint", () =>
    document.querySelectorAll("bdi details").forEach((one) => one.setAttribute("open", "")),
  );
  const links = shown.map((one) => el("a", { href: `#${one.id}` }, one.querySelector("h2")?.textContent));
  fill(
    /** @type {HTMLElement} */ (document.getElementById("page")),
    header,
    el("nav", { "aria-label": "Sections" }, links),
    shown,
    el(
      "footer",
      { class: "soft" },
      `Written by Pellucid ${content.version}. This file works offline and sends nothing.`,
    ),
  );
}
