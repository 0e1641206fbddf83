// Files that the reader of a page can save.

/** Returns a cell of a CSV file; spreadsheets must not read it as a formula. @param {any} value */
function csvCell(value) {
  const text =
    typeof value === "number" ? String(value) : String(value === null || value === undefined ? "" : value);
  const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** Returns a table as CSV. @param {any[]} heads @param {any[][]} rows */
function csvText(heads, rows) {
  return [heads, ...rows].map((row) => row.map(csvCell).join(",") + "\n").join("");
}

/**
 * Returns a button that saves a file.
 * @param {string} label @param {string} file @param {() => string | Blob | Promise<string | Blob>} content
 */
function saveButton(label, file, content) {
  return el(
    "button",
    {
      type: "button",
      "data-file": file,
      click: async () => {
        const made = await content();
        const text = { type: "text/plain;charset=utf-8" };
        const address = URL.createObjectURL(made instanceof Blob ? made : new Blob([made], text));
        const link = /** @type {HTMLAnchorElement} */ (el("a", { href: address, download: file }));
        document.body.append(link);
        link.click();
        link.remove();
        window.setTimeout(() => URL.revokeObjectURL(address), 1000);
      },
    },
    label,
  );
}

/** Returns a file that was compressed with gzip and encoded in base 64. @param {string} packed */
function unpackedFile(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).blob();
}

/** Returns the text of such a file. @param {string} packed */
async function unpacked(packed) {
  return (await unpackedFile(packed)).text();
}
