// The threshold of a class: a slider that moves the confusion matrix, the cost and the marked points.

/** Returns the probability from which the model predicts the positive class. @param {Content} content */
function ownThreshold(content) {
  const rules = content.model && content.model.rules;
  const curve = rules && rules.sizes[rules.selected].calibration;
  // Rules predict the second class if its score is higher, which is a score of 0 or more.
  if (!curve || rules.ordered || content.task.classes.length !== 2) return 0.5;
  return softmax(curve.offsets)[1];
}

/** With more classes than this, a confusion matrix has small cells. */
const DENSE = 9;

/**
 * Returns a confusion matrix; a class without a code has no mark.
 * @param {string[]} names @param {number[][]} counts @param {number[]} codes
 */
function confusionTable(names, counts, codes) {
  const most = Math.max(1, ...counts.flat());
  const rows = counts.map((row, actual) => [
    [codes[actual] < 0 ? null : classMark(codes[actual]), nameNode(names[actual])],
    ...row.map((count, predicted) =>
      el(
        "span",
        { class: actual === predicted ? "right" : "wrong", style: { "--share": String(count / most) } },
        grouped(count),
      ),
    ),
  ]);
  return table(
    "Rows: actual class. Columns: predicted class.",
    ["", ...names.map(nameNode)],
    rows,
    names.length > DENSE ? "confusion dense" : "confusion",
  );
}

/** Returns the counts of the decisions of the model itself; null if they are unknown. @param {Evaluation} evaluation @returns {Counts | null} */
function ownDecisions(evaluation) {
  if (!evaluation.confusion) return null;
  const [[tn, fp], [fn, tp]] = evaluation.confusion;
  return { tp, fp, fn, tn };
}

/** Returns curves of one class with a threshold slider. @param {Content} content @param {Curve} curve */
function thresholdPanel(content, curve) {
  const { evaluation, task } = content;
  const areProbabilities = Boolean(evaluation && evaluation.probabilities);
  const name = quoted(task.classes[curve.class]);
  const isPair = task.classes.length === 2;
  const names = [task.classes[curve.class], isPair ? task.classes[1 - curve.class] : "other classes"];
  const codes = [curve.class, isPair ? 1 - curve.class : -1];
  const { figures, mark, list } = classCurves(curve, name, areProbabilities, exampleNoun(content));
  const own = task.classes.length === 2 ? ownThreshold(content) : 0.5;
  const ends = areProbabilities ? [0, 1] : [Math.min(...curve.at), Math.max(...curve.at)];
  const start = areProbabilities ? own : 0;
  const counts = el("div", { class: "counts", "aria-live": "polite" });
  const output = el("output", {});
  const known = (isPair && evaluation && evaluation.costs) || [];
  const cost = (/** @type {string} */ label, /** @type {number} */ code) =>
    /** @type {HTMLInputElement} */ (
      el("input", { type: "number", min: 0, step: "any", value: known[code] ?? 1, "aria-label": label })
    );
  // A false alarm is a missed example of the other class.
  const missed = cost(`cost of a missed ${name}`, curve.class);
  const alarm = cost("cost of a false alarm", 1 - curve.class);
  const costs = el("p", { class: "soft" });
  const input = /** @type {HTMLInputElement} */ (
    el("input", {
      type: "range",
      min: ends[0],
      max: ends[1],
      step: areProbabilities ? 0.01 : (ends[1] - ends[0]) / 200 || 1,
      value: start,
    })
  );
  const totalCost = (/** @type {Counts} */ c) => c.fn * Number(missed.value) + c.fp * Number(alarm.value);
  // With integer points many examples lie on the threshold, and each fold has one of its own: the decisions of
  // the models are known exactly.
  const decided = isPair && curve.class === 1 && evaluation ? ownDecisions(evaluation) : null;
  const show = (/** @type {number} */ threshold) => {
    const c = threshold === start && decided ? decided : countsAt(list, threshold);
    mark(c);
    output.textContent = areProbabilities
      ? percent(threshold, threshold < 0.1 || threshold > 0.9 ? 1 : 0)
      : significant(threshold, 3);
    const all = c.tp + c.fp + c.fn + c.tn;
    fill(
      counts,
      confusionTable(
        names,
        [
          [c.tp, c.fn],
          [c.fp, c.tn],
        ],
        codes,
      ),
      el(
        "dl",
        { class: "facts tight" },
        [
          ["Sensitivity", percent(sensitivity(c), 1)],
          ["Specificity", percent(specificity(c), 1)],
          ["Precision", c.tp + c.fp ? percent(precisionOf(c), 1) : "none flagged"],
          [`Predicted as ${name}`, percent(flagged(c), 1)],
          ["Accuracy", percent(accuracyOf(c), 1)],
        ].map(([term, value]) => [el("dt", {}, term), el("dd", {}, value)]),
      ),
    );
    const best = list.reduce((least, one) => (totalCost(one) < totalCost(least) ? one : least), list[0]);
    const at =
      best.at === Infinity
        ? "predicting none"
        : `a threshold of ${areProbabilities ? percent(best.at, 1) : significant(best.at, 3)}`;
    costs.textContent =
      `Cost per 100 ${exampleNoun(content)}s: ${significant((100 * totalCost(c)) / all, 3)}. ` +
      `Lowest: ${significant((100 * totalCost(best)) / all, 3)} with ${at}.`;
  };
  // The slider has steps, so at the beginning it may stand beside the threshold.
  const update = () => show(Number(input.value));
  input.addEventListener("input", update);
  missed.addEventListener("input", update);
  alarm.addEventListener("input", update);
  const reset = el(
    "button",
    {
      type: "button",
      click: () => {
        input.value = String(start);
        show(start);
      },
    },
    areProbabilities && content.model ? "Threshold of the model" : "Reset",
  );
  show(start);
  return el(
    "div",
    {},
    el(
      "div",
      { class: "panel split" },
      el(
        "div",
        {},
        el(
          "label",
          { class: "slider" },
          el(
            "span",
            {},
            `Predict ${name} at a ${areProbabilities ? "probability" : "score"} of at least `,
            output,
          ),
          input,
        ),
        reset,
        el("p", { class: "costs" }, `A missed ${name} costs `, missed, ", a false alarm costs ", alarm, "."),
        costs,
      ),
      counts,
    ),
    el("div", { class: "plots" }, figures),
  );
}
