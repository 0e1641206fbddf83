// Files to save: the model in other forms, and the tables behind the page.

/** Returns the section with files. @param {Page} page */
function saveSection(page) {
  const { downloads } = page.content;
  return section(
    "save",
    "Take it with you",
    downloads.length
      ? el(
          "p",
          { class: "files" },
          "The model: ",
          downloads.map(({ label, file, packed }) =>
            saveButton(`${label} (${file})`, file, () => unpackedFile(packed)),
          ),
        )
      : null,
    (page.content.too_large || []).length
      ? el("p", { class: "soft" }, `Too large for this page: ${listed(page.content.too_large || [])}. The command 'pellucid show' writes them.`)
      : null,
    el(
      "p",
      { class: "files" },
      "The tables of this page as CSV: ",
      pageTables(page).map(([label, file, text]) => saveButton(label, file, text)),
    ),
    el(
      "p",
      { class: "files" },
      saveButton("Content of this page (JSON)", "report.json", () => JSON.stringify(page.content)),
      " ",
      el("button", { type: "button", click: () => window.print() }, "Print"),
    ),
  );
}
