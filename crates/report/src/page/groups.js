// The figures by group: for each value of a column.

/** Returns the figures of each group; null if no column was given. @param {Content} content */
function groupTable(content) {
  const found = content.groups;
  if (!found || found.groups.length === 0) return null;
  const interval = (/** @type {string} */ key, /** @type {number[] | null | undefined} */ value) =>
    value
      ? [
          figureText(key, value[0]),
          el("span", { class: "soft" }, ` ${figureText(key, value[1])} to ${figureText(key, value[2])}`),
        ]
      : "–";
  const share = (/** @type {number | null | undefined} */ value) =>
    typeof value === "number" ? percent(value, 1) : "–";
  const isPair = content.task.classes.length === 2;
  const positive = isPair ? quoted(content.task.classes[1]) : "";
  const rows = found.groups.map((one) =>
    content.task.number
      ? [nameNode(one.name), grouped(one.examples), interval("mae", one.mae), interval("r2", one.r2)]
      : [
          nameNode(one.name),
          grouped(one.examples),
          interval("accuracy", one.accuracy),
          interval("auc", one.auc),
          ...(isPair
            ? [
                interval("recall", one.sensitivity),
                interval("recall", one.specificity),
                share(one.actual),
                share(one.predicted),
              ]
            : []),
        ],
  );
  const heads = content.task.number
    ? ["Group", "Examples", "Mean absolute error", "R²"]
    : [
        "Group",
        "Examples",
        "Accuracy",
        "AUC",
        ...(isPair ? ["Sensitivity", "Specificity", `Actual ${positive}`, `Predicted ${positive}`] : []),
      ];
  return [
    el("h3", {}, "By ", nameNode(found.column)),
    table("With 95 % intervals. Small groups have wide intervals.", heads, rows, "paired groups"),
  ];
}
