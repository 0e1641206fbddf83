// "Try it": predicts in the page, names the rules for and against the answer, and finds what would change it.

/** The most rules for and against an answer that are shown at once. */
const MOST_REASONS = 10;

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
            el("span", { class: colorOf(code), style: { width: `${100 * shares[code]}%` } }),
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
            ? opening(counted(places.length - MOST_REASONS, "more rule"), () =>
                el("ul", { class: "reasons" }, places.slice(MOST_REASONS).map(item)),
              )
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

/** Returns the answer of a change. @param {Content} content @param {Prediction} prediction */
function answerCell(content, prediction) {
  const { probabilities, predicted } = prediction;
  if (content.task.number) return el("span", { title: String(predicted) }, significant(predicted, 6));
  const share = probabilities ? ` (${percent(probabilities[predicted])})` : "";
  return [classMark(predicted), nameNode(content.task.classes[predicted]), share];
}

/** Returns what the changes mean. */
function changeNote() {
  return el(
    "p",
    { class: "soft" },
    "The smallest changes within the ranges seen. They show how the model decides, not what would happen if a value were changed in reality.",
  );
}

/**
 * Returns what would lead to a wanted prediction.
 * @param {Page} page @param {Cell[]} row @param {Set<number>} fixed @param {(prediction: Prediction) => boolean} isWanted
 */
function changesView(page, row, fixed, isWanted) {
  const { content } = page;
  const columns = content.columns || [];
  const { single, double } = smallestChanges(content, page.size, row, fixed, isWanted);
  const line = (/** @type {Change} */ change) => [
    change.changes.map(([at, value], place) => [
      place ? el("br") : null,
      el("strong", {}, nameNode(columns[at].name)),
      ` from ${valueText(columns[at], row[at])} to ${valueText(columns[at], value)}`,
    ]),
    answerCell(content, change.prediction),
  ];
  const answer = content.task.number ? "Prediction" : "Answer";
  if (single.length + double.length === 0) {
    const what = content.task.number ? "this prediction" : "another answer";
    return el("p", {}, `No change of one or two columns within the ranges seen leads to ${what}.`);
  }
  return [
    single.length ? table("", ["Change of one column", answer], single.map(line), "changes") : null,
    double.length ? table("", ["Change of two columns", answer], double.map(line), "changes") : null,
  ];
}

/**
 * Returns the fields that say which prediction is wanted, and a function that says whether a prediction is.
 * @param {Content} content @param {() => void} changed
 */
function wantedNumber(content, changed) {
  const [low, high] = content.task.number || [0, 1];
  const amount = /** @type {HTMLInputElement} */ (
    el("input", { type: "number", step: "any", value: significant((high - low) / 10, 1), "aria-label": "amount", input: changed })
  );
  const kind = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { "aria-label": "kind of change", change: changed },
      [
        ["up", "higher by at least"],
        ["down", "lower by at least"],
        ["least", "at least"],
        ["most", "at most"],
      ].map(([value, text]) => el("option", { value }, text)),
    )
  );
  const view = el("p", { class: "wanted" }, "A prediction that is ", kind, " ", amount);
  const isWanted = (/** @type {number} */ before, /** @type {number} */ after) => {
    const wanted = Number(amount.value);
    if (amount.value === "" || !Number.isFinite(wanted)) return false;
    if (kind.value === "least") return after >= wanted;
    if (kind.value === "most") return after <= wanted;
    return kind.value === "up" ? after - before >= wanted : before - after >= wanted;
  };
  return { view, isWanted };
}

/** Returns the section with the form. @param {Page} page */
function trySection(page) {
  const { content } = page;
  const columns = content.columns || [];
  if (content.task.bag) return bagSection(page);
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
    window.clearTimeout(timer);
    timer = window.setTimeout(showChanges, 150);
  };
  const showChanges = () => {
    const before = predict(content, page.size, row).predicted;
    const isWanted = (/** @type {Prediction} */ { predicted }) =>
      wanted ? wanted.isWanted(before, predicted) : predicted !== before;
    fill(changes, changesView(page, row, fixed, isWanted));
  };
  const wanted = content.task.number ? wantedNumber(content, () => showChanges()) : null;
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
    el("h3", {}, content.task.number ? "What would change the prediction" : "What would change the answer"),
    changeNote(),
    el(
      "details",
      { class: "fixed", open: fixed.size > 0 },
      el("summary", {}, "Columns that stay as they are"),
      locks,
    ),
    wanted ? wanted.view : null,
    changes,
    el("h3", {}, "Several rows"),
    pasteBox(page),
  );
}
