// The data: its columns, their distribution by class, and what is unusual.

/** With more columns than this that the model does not use, they wait. */
const MOST_OTHERS = 8;

/** The most columns that are shown at once. */
const MOST_FIRST = 60;

/**
 * Returns a distribution by class as a small drawing.
 * @param {DataColumn} column @param {string[]} classes
 */
function distribution(column, classes) {
  const bins = column.bins || [];
  if (bins.length === 0 || bins[0].length === 0) return "";
  const [width, height] = [160, 40];
  const count = bins[0].length;
  // Each class is drawn as a share of its own rows, so that a rare class is visible.
  const totals = bins.map((own) =>
    Math.max(
      1,
      own.reduce((sum, n) => sum + n, 0),
    ),
  );
  const most = Math.max(...bins.map((own, code) => Math.max(...own) / totals[code]));
  const svg = draw("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "spark",
    role: "img",
    "aria-label": `Distribution of ${visible(column.name)}`,
  });
  const room = width / count;
  bins.forEach((own, code) =>
    own.forEach((n, at) => {
      const tall = (height - 2) * (n / totals[code] / most);
      const wide = Math.min(16, (room - 2) / bins.length);
      const label = column.categories
        ? visible(column.categories[at])
        : column.levels
          ? significant(column.levels[at], 6)
          : "";
      const title = `${label ? label + ": " : ""}${grouped(n)}${classes[code] ? " of " + quoted(classes[code]) : ""}`;
      if (n > 0)
        svg.append(
          draw(
            "rect",
            {
              class: colorOf(code).replace("c", "f"),
              x: at * room + (room - bins.length * wide) / 2 + code * wide,
              y: height - tall,
              width: wide,
              height: tall,
            },
            draw("title", {}, title),
          ),
        );
    }),
  );
  return svg;
}

/** Returns the values of a column in words. @param {DataColumn} column @param {Column | undefined} known */
function valuesText(column, known) {
  if (column.categories) {
    const names = column.categories.slice(0, 4).map(visible).join(", ");
    return (column.distinct || 0) > 4 ? `${column.distinct} values: ${names}, …` : names;
  }
  if (column.levels && !column.ends) return column.levels.map((level) => significant(level, 6)).join(", ");
  if (column.ends) return `${column.ends[0]} to ${column.ends[1]}`;
  if (!column.range) return "all missing";
  const unit = known && known.unit ? " " + visible(known.unit) : "";
  return `${significant(column.range[0], 6)} to ${significant(column.range[1], 6)}${unit}, median ${significant(column.median || 0, 4)}`;
}

/** Returns the section about the data. @param {Content} content */
function dataSection(content) {
  const data = content.data;
  if (!data) {
    const rows = (content.columns || [])
      .slice(0, 300)
      .map((column) => [
        nameNode(column.name),
        column.kind,
        rangeText(column) || expandable((column.categories || []).join(", "), 120),
      ]);
    return section(
      "data",
      "The data",
      el(
        "p",
        {},
        "The model file has the ranges and categories of the training data, but not the data. Give the data to see distributions: pellucid report MODEL DATA.",
      ),
      rows.length ? table("", ["Column", "Type", "Seen in training"], rows, "data") : null,
    );
  }
  const isCounted =
    data.classes.length > 0 &&
    data.columns.some((column) => (column.bins || []).length === data.classes.length);
  const legend = isCounted
    ? el(
        "p",
        {},
        data.classes.map((name, code) => [
          classMark(code),
          nameNode(name),
          ` (${grouped(data.counts[code])})  `,
        ]),
      )
    : null;
  const rowOf = (/** @type {DataColumn} */ column) => {
    const known = (content.columns || []).find((other) => other.name === column.name);
    return [
      [nameNode(column.name), column.used ? el("span", { class: "tag" }, "in the model") : null],
      column.kind,
      column.missing
        ? `${grouped(column.missing)} (${percent(column.missing / Math.max(1, data.rows))})`
        : "0",
      valuesText(column, known),
      distribution(column, isCounted ? data.classes : []),
    ];
  };
  const heads = ["Column", "Type", "Missing", "Values", isCounted ? "Distribution by class" : "Distribution"];
  const used = data.columns.filter((column) => column.used);
  const others = data.columns.filter((column) => !column.used);
  // A long table of columns that the model does not use would hide what follows.
  const isLong = used.length > 0 && others.length > MOST_OTHERS;
  const first = isLong ? used : data.columns;
  const leaks = data.columns.filter((column) => column.separates);
  const bags = data.bags ? ` in ${counted(data.examples, "bag")} (column ${word(data.bags)})` : "";
  return section(
    "data",
    "The data",
    el(
      "p",
      {},
      `${visible(data.name)}: ${counted(data.rows, "row")}${bags}, ${counted(data.total, "column")} besides the target.`,
    ),
    leaks.length
      ? el(
          "p",
          { class: "warning" },
          `Possible leak: ${listed(leaks.map((column) => word(column.name)))} almost separate${leaks.length === 1 ? "s" : ""} the classes alone. ` +
            "Check that the value is known before the outcome.",
        )
      : null,
    legend,
    legend ? el("p", { class: "soft" }, "Each bar is a share of its class.") : null,
    table("", heads, first.slice(0, MOST_FIRST).map(rowOf), "data"),
    first.length > MOST_FIRST
      ? opening(`${first.length - MOST_FIRST} more columns`, () => table("", heads, first.slice(MOST_FIRST).map(rowOf), "data"))
      : null,
    isLong
      ? opening(`The ${others.length} columns that the model does not use`, () => table("", heads, others.map(rowOf), "data"))
      : null,
    data.columns.length < data.total
      ? el("p", {}, `The first ${data.columns.length} of ${counted(data.total, "column")} are shown.`)
      : null,
    data.skipped.length
      ? el("p", {}, `Skipped, because they look like names of rows: ${listed(data.skipped.map(word))}.`)
      : null,
    data.notes.length
      ? [
          el("h3", {}, "How the file was read"),
          el(
            "ul",
            {},
            data.notes.map(noteItem),
          ),
        ]
      : null,
  );
}
