// "Try it": predicts in the page, names the rules for and against the answer, and finds what would change it.

/** The most rules for and against an answer that are listed. */
const MOST_REASONS = 40;

/** Returns the prediction in words and bars. @param {Content} content @param {Prediction} prediction */
function predictionView(content, prediction) {
  const { task } = content;
  if (task.number)
    return el(
      "p",
      { class: "result" },
      nameNode(task.target),
      " = ",
      el("span", { title: String(prediction.predicted) }, significant(prediction.predicted, 6)),
    );
  const shares = prediction.probabilities;
  const order = task.classes.map((_, code) => code);
  if (shares) order.sort((a, b) => shares[b] - shares[a] || a - b);
  const rows = shares
    ? order
        .slice(0, 8)
        .map((code) => [
          [classMark(code), nameNode(task.classes[code])],
          el("span", { title: String(shares[code]) }, percent(shares[code], 1)),
          el(
            "span",
            { class: "bar", "aria-hidden": "true" },
            el("span", { class: `c${code % 6}`, style: { width: `${100 * shares[code]}%` } }),
          ),
        ])
    : [];
  return [
    el(
      "p",
      { class: "result" },
      classMark(prediction.predicted),
      nameNode(task.classes[prediction.predicted]),
    ),
    rows.length ? table("", ["Class", "Probability", ""], rows, "shares") : null,
  ];
}

/** Returns the score of a prediction in words. @param {Page} page @param {Prediction} prediction */
function scoreText(page, prediction) {
  const { task } = page.content;
  const model = ruleModel(page);
  if (task.number || (model && model.ordered)) return null;
  const card = model && model.sizes[page.size].card;
  if (card) return totalText(card, prediction.scores[1] - prediction.scores[0]);
  const tidy = (/** @type {number} */ score) => twoDecimals(Math.round(score * 1e9) / 1e9);
  if (task.classes.length === 2) {
    return el("p", {}, `Score: ${tidy(prediction.scores[1] - prediction.scores[0])}`);
  }
  const best = prediction.scores
    .map((score, code) => ({ score, code }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 6);
  return el(
    "p",
    {},
    "Scores: ",
    best.map(({ score, code }, place) => [
      place ? ", " : "",
      nameNode(task.classes[code]),
      ` ${tidy(score)}`,
    ]),
  );
}

/**
 * Returns the rules that apply, for and against the answer.
 * @param {Page} page @param {Prediction} prediction
 */
function reasons(page, prediction) {
  const { content } = page;
  const model = ruleModel(page);
  const size = model.sizes[page.size];
  const item = (/** @type {number} */ place) =>
    el(
      "li",
      {},
      el("code", {}, expandable(model.pool[size.rules[place][0]].text, 160)),
      " ",
      el("span", { class: "then" }, consequence(content, model, size, size.rules[place][1])),
    );
  const all = size.rules.map((_, place) => place).filter((place) => prediction.applied[place]);
  const list = (/** @type {string} */ title, /** @type {number[]} */ places) =>
    places.length
      ? [
          el("h3", { class: "minor" }, title),
          el("ul", { class: "reasons" }, places.slice(0, MOST_REASONS).map(item)),
          places.length > MOST_REASONS
            ? el("p", { class: "soft" }, `And ${counted(places.length - MOST_REASONS, "rule")} with fewer points.`)
            : null,
        ]
      : null;
  if (size.card && size.card.columns.every(([names]) => names.length > 0)) return cardReasons(size, prediction);
  if (model.ordered) {
    return all.length
      ? list("The first rule that applies", all.slice(0, 1))
      : el("p", {}, "No rule applies.");
  }
  if (all.length === 0) return el("p", {}, "No rule applies: the starting score decides.");
  if (content.task.number) {
    return [
      list(
        "Raise the prediction",
        all.filter((place) => size.rules[place][1][0][1] >= 0),
      ),
      list(
        "Lower the prediction",
        all.filter((place) => size.rules[place][1][0][1] < 0),
      ),
      el("p", { class: "soft" }, `Starting value: ${size.base[0]}`),
    ];
  }
  const weights = new Map(
    all.map((place) => [place, favors(size.rules[place][1], prediction.predicted, content.task.classes.length)]),
  );
  const weight = (/** @type {number} */ place) => weights.get(place) || 0;
  const bySize = (/** @type {number} */ a, /** @type {number} */ b) =>
    Math.abs(weight(b)) - Math.abs(weight(a));
  const start =
    content.task.classes.length === 2
      ? el("p", { class: "soft" }, `Starting score: ${twoDecimals(size.base[1] - size.base[0])}`)
      : null;
  return [
    list("Rules for this answer", all.filter((place) => weight(place) >= 0).sort(bySize)),
    list("Rules against it", all.filter((place) => weight(place) < 0).sort(bySize)),
    start,
  ];
}

/** Returns what would change the answer. @param {Page} page @param {Cell[]} row @param {Set<number>} fixed */
function changesView(page, row, fixed) {
  const { content } = page;
  const columns = content.columns || [];
  const { single, double } = smallestChanges(content, page.size, row, fixed);
  const line = (/** @type {Change} */ change) => {
    const { probabilities, predicted } = change.prediction;
    return [
      change.changes.map(([at, value], place) => [
        place ? el("br") : null,
        el("strong", {}, nameNode(columns[at].name)),
        ` from ${valueText(columns[at], row[at])} to ${valueText(columns[at], value)}`,
      ]),
      [
        classMark(predicted),
        nameNode(content.task.classes[predicted]),
        probabilities ? ` (${percent(probabilities[predicted])})` : "",
      ],
    ];
  };
  if (single.length + double.length === 0) {
    return el("p", {}, "No change of one or two columns within the ranges seen leads to another answer.");
  }
  return [
    single.length ? table("", ["Change of one column", "Answer"], single.map(line), "changes") : null,
    double.length ? table("", ["Change of two columns", "Answer"], double.map(line), "changes") : null,
  ];
}

/** Returns the section with the form. @param {Page} page */
function trySection(page) {
  const { content } = page;
  const columns = content.columns || [];
  if (content.task.bag) {
    return section(
      "try",
      "Try it",
      el(
        "p",
        {},
        `Paste the rows of a bag (column ${word(content.task.bag)}). All rows without a bag column form one bag.`,
      ),
      pasteBox(page),
    );
  }
  const row = columns.map((column) => typicalValue(content, column));
  const fixed = new Set(
    columns.map((_, at) => at).filter((at) => (content.fixed || []).includes(columns[at].name)),
  );
  const [fields, result, why, changes, locks] = ["fields", "", "", "", "locks"].map((name) =>
    el("div", { class: name }),
  );
  result.setAttribute("aria-live", "polite");
  let timer = 0;
  const predictNow = () => {
    const prediction = predict(content, page.size, row);
    fill(result, predictionView(content, prediction), scoreText(page, prediction));
    fill(why, ruleModel(page) ? reasons(page, prediction) : networkReasons(content, row, prediction.predicted));
    if (content.task.number) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => fill(changes, changesView(page, row, fixed)), 150);
  };
  const lock = (/** @type {number} */ at) =>
    el(
      "label",
      {},
      el("input", {
        type: "checkbox",
        checked: fixed.has(at),
        change: (/** @type {Event} */ event) => {
          if (/** @type {HTMLInputElement} */ (event.target).checked) fixed.add(at);
          else fixed.delete(at);
          predictNow();
        },
      }),
      " ",
      nameNode(columns[at].name),
    );
  const build = () => {
    const used = usedColumns(content, page.size);
    fill(
      fields,
      used.map((at) =>
        field(columns[at], at, row[at], readingOf(content), (value) => {
          row[at] = value;
          predictNow();
        }),
      ),
    );
    fill(locks, used.map(lock));
    predictNow();
  };
  const reset = (/** @type {(column: Column) => Cell} */ value) => () => {
    columns.forEach((column, at) => {
      row[at] = value(column);
    });
    build();
  };
  const missing = (/** @type {Column} */ column) => (column.kind === "numeric" ? NaN : null);
  page.onSize.push(build);
  build();
  return section(
    "try",
    "Try it",
    el(
      "p",
      {},
      `Enter the values of one ${exampleNoun(content)}. The page predicts exactly as the command predict does; nothing leaves this page.`,
    ),
    el(
      "div",
      { class: "panel split" },
      el(
        "form",
        { submit: (/** @type {Event} */ event) => event.preventDefault() },
        fields,
        el(
          "p",
          {},
          el(
            "button",
            { type: "button", click: reset((column) => typicalValue(content, column)) },
            "Typical values",
          ),
          " ",
          el("button", { type: "button", click: reset(missing) }, "All missing"),
        ),
      ),
      el("div", {}, result, why),
    ),
    content.task.number
      ? null
      : [
          el("h3", {}, "What would change the answer"),
          el(
            "p",
            { class: "soft" },
            "The smallest changes within the ranges seen. They show how the model decides, not what would happen if a value were changed in reality.",
          ),
          el(
            "details",
            { class: "fixed", open: fixed.size > 0 },
            el("summary", {}, "Columns that stay as they are"),
            locks,
          ),
          changes,
        ],
    el("h3", {}, "Several rows"),
    pasteBox(page),
  );
}
