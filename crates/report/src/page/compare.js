// The page of a comparison: two models on the same data.

/**
 * @typedef {{key: string, name: string, a: Estimate, b: Estimate, difference: Estimate, p: number}} PairedFigure
 * @typedef {{predicted: string | number, probability?: number | null}} Answer
 * @typedef {{
 *   version: string, target: string, heading: string, examples: number, evaluated?: number, differing: number,
 *   a: {model: string, learner: string, looks_like_training: boolean},
 *   b: {model: string, learner: string, looks_like_training: boolean},
 *   figures?: PairedFigure[], correct?: {both: number, only_a: number, only_b: number, neither: number} | null,
 *   classes?: string[], predicted?: number[][], curves?: Curve[][], probabilities?: boolean,
 *   disagreements: {example?: string, individual?: string, actual: string | null, a: Answer, b: Answer}[],
 *   provenance: {data: string, date: string, command: string | null}
 * }} ComparisonContent
 */

/** Returns a bar that shows an interval around zero. @param {Estimate} one @param {number} most */
function intervalBar(one, most) {
  const at = (/** @type {number} */ value) => 50 + (50 * value) / most;
  return el(
    "span",
    { class: "scale", "aria-hidden": "true" },
    el("span", { class: "zero", style: { left: "50%" } }),
    el("span", {
      class: "interval",
      style: { left: `${at(one.low)}%`, width: `${Math.max(0.5, at(one.high) - at(one.low))}%` },
    }),
    el("span", { class: "middle", style: { left: `${at(one.value)}%` } }),
  );
}

/** Returns the table of figures. @param {ComparisonContent} content */
function pairedTable(content) {
  const figures = content.figures || [];
  const rows = figures.map((one) => {
    const key = one.key === "balanced_accuracy" ? "balanced" : one.key;
    const interval = (/** @type {Estimate} */ of) => [
      figureText(key, of.value),
      el("span", { class: "soft" }, ` ${figureText(key, of.low)} to ${figureText(key, of.high)}`),
    ];
    const { value, low, high } = one.difference;
    const most = Math.max(Math.abs(low), Math.abs(high), Number.MIN_VALUE);
    return [
      [one.name, el("span", { class: "soft" }, " " + (MEANINGS[key] || ""))],
      interval(one.a),
      interval(one.b),
      [
        differenceText(key, value),
        el("span", { class: "soft" }, ` ${differenceText(key, low)} to ${differenceText(key, high)}`),
        intervalBar(one.difference, most),
      ],
      probabilityText(one.p),
    ];
  });
  return table(
    "With 95 % intervals. A difference of shares is in percentage points.",
    ["Figure", "A", "B", "B − A", "p-value"],
    rows,
    "figures paired",
  );
}

/** Returns the ROC curves of both models, if they have probabilities. @param {ComparisonContent} content */
function bothCurves(content) {
  const [first, second] = content.curves || [[], []];
  if (first.length !== 1 || second.length !== 1) return null;
  /** @type {[number, number]} */
  const unit = [0, 1];
  const on = plot({
    title: "ROC curves",
    x: "false alarms (1 − specificity)",
    y: "sensitivity",
    xs: unit,
    ys: unit,
    percent: true,
  });
  const gains = plot({
    title: "Gains",
    x: "examples checked, highest first",
    y: `${quoted((content.classes || [])[first[0].class] || "").slice(0, 32)} found`,
    xs: unit,
    ys: unit,
    percent: true,
  });
  for (const plotted of [on, gains]) {
    addLine(
      plotted,
      [
        [0, 0],
        [1, 1],
      ],
      "reference",
    );
  }
  [first[0], second[0]].forEach((curve, model) => {
    const list = countsByThreshold(curve);
    const kind = model === 0 ? "curve" : "curve second";
    addLine(
      on,
      list.map((c) => [1 - specificity(c), sensitivity(c)]),
      kind,
    );
    addLine(
      gains,
      list.map((c) => [flagged(c), sensitivity(c)]),
      kind,
    );
  });
  const legend = "A: solid line. B: dotted line.";
  return el("div", { class: "plots" }, figure(on, legend), figure(gains, legend));
}

/** Returns the predicted classes of both models as a table. @param {ComparisonContent} content */
function agreementTable(content) {
  const classes = content.classes || [];
  if (classes.length === 0 || classes.length > 30) return null;
  const counts = content.predicted || [];
  const most = Math.max(1, ...counts.flat());
  const rows = counts.map((row, one) => [
    nameNode(classes[one]),
    ...row.map((count, other) =>
      el(
        "span",
        { class: one === other ? "right" : "wrong", style: { "--share": String(count / most) } },
        grouped(count),
      ),
    ),
  ]);
  return table("Rows: predicted by A. Columns: predicted by B.", ["", ...classes.map(nameNode)], rows, "confusion");
}

/** Returns the examples with different predictions. @param {ComparisonContent} content */
function disagreementTable(content) {
  const answer = (/** @type {Answer} */ one) =>
    typeof one.predicted === "number"
      ? significant(one.predicted, 6)
      : [
          nameNode(one.predicted),
          typeof one.probability === "number"
            ? el("span", { class: "soft" }, ` ${percent(one.probability)}`)
            : null,
        ];
  const rows = content.disagreements.map((one) => [
    nameNode(one.example ?? one.individual ?? ""),
    one.actual === null ? "unknown" : nameNode(one.actual),
    answer(one.a),
    answer(one.b),
  ]);
  const note =
    rows.length < content.differing
      ? `The ${grouped(rows.length)} largest differences of ${grouped(content.differing)}.`
      : "";
  const hasShares = content.disagreements.some((one) => typeof one.a.probability === "number");
  const meaning = hasShares ? "Beside each prediction is its probability." : "";
  const isNoun = ["row", "bag", "individual"].includes(content.heading);
  const head = isNoun ? content.heading[0].toUpperCase() + content.heading.slice(1) : nameNode(content.heading);
  return rows.length ? table([note, meaning].filter((text) => text).join(" "), [head, "Actual", "A", "B"], rows, "disagreements") : null;
}

/** Returns the findings in sentences. @param {ComparisonContent} content */
function comparisonSentences(content) {
  const sentences = [];
  const share = percent(content.differing / Math.max(1, content.examples), 1);
  sentences.push(
    content.differing === 0
      ? `The predictions are the same for all ${counted(content.examples, "example")}.`
      : `The predictions differ for ${grouped(content.differing)} of ${counted(content.examples, "example")} (${share}).`,
  );
  const accuracy = (content.figures || []).find((one) => one.key === "accuracy");
  if (accuracy && accuracy.difference.value !== 0) {
    const better = accuracy.difference.value > 0 ? "B" : "A";
    const [high, low] = [accuracy.a.value, accuracy.b.value].sort((one, other) => other - one);
    const chance =
      accuracy.p < 0.05 ? "" : " The difference may be chance.";
    sentences.push(
      `${better} is right more often: ${percent(high, 1)} against ${percent(low, 1)} ` +
        `(McNemar's exact test: p ${accuracy.p < 0.001 ? "< 0.001" : "= " + accuracy.p.toFixed(3)}).${chance}`,
    );
  }
  if (content.correct) {
    const { both, only_a, only_b, neither } = content.correct;
    sentences.push(
      `Both are right for ${grouped(both)}, only A for ${grouped(only_a)}, only B for ${grouped(only_b)}, ` +
        `neither for ${grouped(neither)}.`,
    );
  }
  return sentences.join(" ");
}

/** Draws the page. @param {ComparisonContent} content */
function drawComparison(content) {
  const same = ["A", "B"].filter((_, place) => [content.a, content.b][place].looks_like_training);
  const warning = same.length
    ? el(
        "p",
        { class: "warning" },
        `The data has as many examples of each class as the training data of ${listed(same)}. ` +
          `If it is the training data, the figures of ${listed(same)} are too good.`,
      )
    : null;
  const files = [
    saveButton("Figures (CSV)", "figures.csv", () =>
      csvText(
        ["figure", "A", "A low", "A high", "B", "B low", "B high", "difference", "low", "high", "p"],
        (content.figures || []).map((one) => [
          one.name,
          ...[one.a, one.b, one.difference].flatMap((of) => [of.value, of.low, of.high]),
          one.p,
        ]),
      ),
    ),
    saveButton("Differences (CSV)", "differences.csv", () =>
      csvText(
        [content.heading, "actual", "A", "probability", "B", "probability"],
        content.disagreements.map((one) => [
          one.example ?? one.individual,
          one.actual,
          one.a.predicted,
          one.a.probability,
          one.b.predicted,
          one.b.probability,
        ]),
      ),
    ),
    saveButton("Content of this page (JSON)", "comparison.json", () => JSON.stringify(content)),
  ];
  const model = (/** @type {{model: string, learner: string}} */ one) => [
    nameNode(one.model),
    el("span", { class: "soft" }, ` (${one.learner})`),
  ];
  drawPage(
    el(
      "header",
      { id: "answer" },
      el("h1", {}, "Two models of ", nameNode(content.target)),
      el("p", { class: "lead" }, comparisonSentences(content)),
      warning,
      factList([
        ["A", model(content.a)],
        ["B", model(content.b)],
        ["Data", nameNode(content.provenance.data)],
        ...originFacts(content),
      ]),
    ),
    [
      section(
        "quality",
        "How good they are",
        content.figures && content.figures.length
          ? [pairedTable(content), bothCurves(content)]
          : el("p", {}, "The data has no actual values, so there are no figures."),
      ),
      content.differing
        ? section("differences", "Where they differ", agreementTable(content), disagreementTable(content))
        : null,
      section("save", "Take it with you", el("p", { class: "files" }, files)),
    ],
    content,
  );
}

drawComparison(readContent());
