// The first section: what the model predicts, how good it is in a sentence, and where it comes from.

/** Returns the noun for an example. @param {Content} content */
function exampleNoun(content) {
  if (content.learner === "logic") return "individual";
  return content.task.bag || (content.data && content.data.bags) ? "bag" : "row";
}

/** Returns what the model predicts. @param {Content} content */
function taskSentence(content) {
  const { task, data } = content;
  // A page groups the digits of counts, which the sentence of the library does not.
  if (task.answer && (task.number || task.classes.length < 2 || content.learner === "logic")) return task.answer;
  const classes =
    task.classes.length > 8 ? `one of ${task.classes.length} classes` : listed(task.classes.map(word), "or");
  const outcome = task.number ? "a number" : classes;
  const columns = task.used ? ` from ${counted(task.used, "column")}` : "";
  const counts = task.examples.length ? task.examples : (data && data.counts) || [];
  const all = counts.reduce((sum, count) => sum + count, 0);
  const noun = exampleNoun(content);
  const by =
    counts.length > 1 && counts.length <= 8
      ? ": " + counts.map((count, code) => `${grouped(count)} ${word(task.classes[code] || "")}`).join(", ")
      : "";
  return (
    `Predicts ${word(task.target)} (${outcome})${columns}.` + (all ? ` ${counted(all, noun)}${by}.` : "")
  );
}

/** Returns a figure of the evaluation. @param {Content} content @param {string} key */
function figureOf(content, key) {
  return content.evaluation && content.evaluation.figures.find((figure) => figure.key === key);
}

/** Returns the curve of the other of two classes. @param {Curve} curve @returns {Curve} */
function mirrored(curve) {
  const back = (/** @type {number[]} */ list) => list.slice().reverse();
  return {
    class: 1 - curve.class,
    at: back(curve.at).map((at) => 1 - at),
    own: back(curve.others),
    others: back(curve.own),
  };
}

/**
 * Returns the share of a class among the highest probabilities.
 * @param {Curve} curve @param {number} share
 */
function gainAt(curve, share) {
  const total = curve.own.reduce((sum, n) => sum + n, 0);
  const all = total + curve.others.reduce((sum, n) => sum + n, 0);
  let [room, found] = [share * all, 0];
  for (let at = 0; at < curve.own.length && room > 0; at += 1) {
    const here = curve.own[at] + curve.others[at];
    // Of examples with equal probabilities, a random part is taken.
    found += curve.own[at] * Math.min(1, room / here);
    room -= here;
  }
  return total ? found / total : 0;
}

/** Returns how good the model is, in sentences. @param {Content} content */
function qualitySentence(content) {
  const { evaluation, task } = content;
  if (!evaluation) return null;
  const where =
    evaluation.source.kind === "folds" ? "On held-out data" : `On ${visible(evaluation.source.name)}`;
  const r2 = figureOf(content, "r2");
  const mae = figureOf(content, "mae");
  if (r2 && mae) {
    return (
      `${where}, it explains ${percent(Math.max(0, r2.value[0]))} of the variance. The mean absolute error is ` +
      `${significant(mae.value[0], 3)}; always predicting the median gives ${significant(mae.baseline, 3)}.`
    );
  }
  const accuracy = figureOf(content, "accuracy");
  if (!accuracy) return null;
  const [value, low, high] = accuracy.value.map((share) => percent(share));
  const common = commonClass(content);
  let text =
    `${where}, it is right for ${value} of the ${exampleNoun(content)}s (95 % interval: ${low} to ${high}). ` +
    `The baseline (always ${quoted(common)}) is right for ${percent(accuracy.baseline)}.`;
  const cost = figureOf(content, "cost");
  if (cost && evaluation.cheapest)
    text +=
      ` It costs ${significant(cost.value[0], 3)} per ${exampleNoun(content)} on average; ` +
      `always answering ${quoted(evaluation.cheapest)} costs ${significant(cost.baseline, 3)}.`;
  const positive = task.classes.length === 2 && evaluation.curves ? evaluation.curves[0] : null;
  if (positive && evaluation.probabilities && evaluation.classes) {
    const isRare = evaluation.classes[1].examples <= evaluation.classes[0].examples;
    const rare = isRare ? positive : mirrored(positive);
    text +=
      ` Checking the ${percent(0.2)} of ${exampleNoun(content)}s with the highest probability of ` +
      `${quoted(task.classes[rare.class])} finds ${percent(gainAt(rare, 0.2))} of all ${quoted(task.classes[rare.class])}.`;
  }
  return text;
}

/** Returns the most common class of the evaluation. @param {Content} content */
function commonClass(content) {
  const classes = (content.evaluation && content.evaluation.classes) || [];
  const most = classes.reduce((best, one, code) => (one.examples > classes[best].examples ? code : best), 0);
  return content.task.classes[most] || "";
}

/** Returns a warning if the figures are too good. @param {Content} content */
function trainingWarning(content) {
  const evaluation = content.evaluation;
  if (!evaluation || evaluation.source.kind !== "data") return null;
  const text = evaluation.source.training
    ? "This file has as many examples of each class as the training data, so it probably is the training data. " +
      "Then the figures are too good: they are not an estimate for new data."
    : "If the model was trained on these rows, the figures are too good.";
  return el("p", { class: evaluation.source.training ? "warning" : "note" }, text);
}

/** Returns the first section. @param {Page} page */
function answerSection(page) {
  const { content } = page;
  const from = content.provenance;
  /** @type {[string, any][]} */
  const facts = [];
  const file = (/** @type {[string, string]} */ pair) => [
    nameNode(pair[0]),
    pair[1] ? el("span", { class: "soft" }, ` (SHA-256 ${pair[1]}…)`) : null,
  ];
  if (from && from.data) facts.push(["Data", file(from.data)]);
  if (from && from.model) facts.push(["Model", file(from.model)]);
  if (content.learner) facts.push(["Learner", content.learner]);
  facts.push(...originFacts(content));
  const quality = drawnAtSize(page, "p", () => qualitySentence(contentAtSize(page)));
  quality.className = "lead";
  return el(
    "header",
    { id: "answer" },
    el("h1", {}, nameNode(content.task.target)),
    el("p", { class: "lead" }, expandable(taskSentence(content), 600)),
    quality,
    trainingWarning(content),
    factList(facts),
  );
}
