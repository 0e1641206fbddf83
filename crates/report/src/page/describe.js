// The page of a table: its columns, before training.

/**
 * @typedef {{
 *   version: string, name: string, columns: {name: string, role: string, type: string, missing: number,
 *   distinct?: number}[], data: DataSummary | null, target: string | null,
 *   notes: string[], rows: number, provenance: {data: [string, string], date: string, command: string | null}
 * }} DescriptionContent
 */

/** Returns the columns that are not learned from, with their roles. @param {DescriptionContent} content */
function otherColumns(content) {
  const known = new Set((content.data ? content.data.columns : []).map((column) => column.name));
  const rows = content.columns
    .filter((column) => !known.has(column.name))
    .slice(0, 300)
    .map((column) => [
      nameNode(column.name),
      column.role,
      column.type === "words" ? "text" : column.type,
      grouped(column.missing),
      column.distinct === undefined ? "–" : grouped(column.distinct),
    ]);
  return rows.length
    ? table("", ["Column", "Role", "Type", "Missing", "Distinct values"], rows, "data")
    : null;
}

/** Draws the page. @param {DescriptionContent} content */
function drawDescription(content) {
  const { data } = content;
  const classes = data && data.classes.length > 0 && data.classes.length <= 12 ? data : null;
  const target = content.target ? ` The target is ${word(content.target)}` : "";
  const counts = classes
    ? `: ${classes.classes.map((name, code) => `${grouped(classes.counts[code])} ${word(name)}`).join(", ")}`
    : "";
  const [name, digest] = content.provenance.data;
  drawPage(
    el(
      "header",
      { id: "answer" },
      el("h1", {}, nameNode(content.name)),
      el(
        "p",
        { class: "lead" },
        `${counted(content.rows, "row")}, ${counted(content.columns.length, "column")}.${target}${target ? counts + "." : ""}`,
      ),
      factList([
        ["Data", [nameNode(name), digest ? el("span", { class: "soft" }, ` (SHA-256 ${digest}…)`) : null]],
        ...originFacts(content),
      ]),
    ),
    [
      data ? dataSection({ version: content.version, task: NO_TASK, data, downloads: [] }) : null,
      section(
        "roles",
        data ? "Other columns" : "Columns",
        otherColumns(content),
        data
          ? null
          : el(
              "ul",
              {},
              content.notes.map(noteItem),
            ),
      ),
      section(
        "save",
        "Take it with you",
        el(
          "p",
          { class: "files" },
          saveButton("Columns (CSV)", "columns.csv", () =>
            csvText(
              ["column", "role", "type", "missing", "distinct"],
              content.columns.map((one) => [one.name, one.role, one.type, one.missing, one.distinct]),
            ),
          ),
          saveButton("Content of this page (JSON)", "description.json", () => JSON.stringify(content)),
        ),
      ),
    ],
    content,
  );
}

/** The task of a page without a model. @type {Task} */
const NO_TASK = { target: "", classes: [], examples: [] };

drawDescription(readContent());
