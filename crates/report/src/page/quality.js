// How good the model is: figures with intervals beside the baseline, curves and a threshold.

/** Returns a share or another figure as text. @param {string} key @param {number} value */
function figureText(key, value) {
  if (["accuracy", "balanced", "recall", "precision"].includes(key)) return percent(value, 1);
  if (key === "lift") return value.toFixed(2);
  if (key === "mae" || key === "rmse") return significant(value, 4);
  return value.toFixed(3);
}

/** What each figure means. */
const MEANINGS = /** @type {Object<string, string>} */ ({
  accuracy: "share of correct predictions",
  balanced: "mean over the classes of the share that is found",
  auc: "how often a random example of the class ranks above a random other one",
  f1: "harmonic mean of precision and sensitivity",
  brier: "mean squared error of the probabilities; lower is better",
  log_loss: "penalty for confident mistakes; lower is better",
  lift: "how much more often the class occurs among the 20 % with the highest probability",
  r2: "explained share of the variance",
  mae: "mean distance between prediction and actual value",
  rmse: "large errors count more",
});

/** Returns the table of figures. @param {Content} content */
function figuresTable(content) {
  const { evaluation, task } = content;
  if (!evaluation) return null;
  const row = (/** @type {string} */ key, /** @type {any} */ name, /** @type {number[]} */ value, /** @type {any} */ baseline) => [
    name, figureText(key, value[0]), `${figureText(key, value[1])} to ${figureText(key, value[2])}`, baseline];
  const rows = evaluation.figures.map((one) => row(one.key,
    [one.name, el("span", { class: "soft" }, " " + (MEANINGS[one.key] || ""))],
    one.value, figureText(one.key, one.baseline)));
  const classes = evaluation.classes || [];
  if (task.classes.length === 2 && classes.length === 2) {
    const [negative, positive] = classes;
    const extra = /** @type {[string, string, number[] | null][]} */ ([
      ["sensitivity", `share of ${word(task.classes[1])} that is found`, positive.recall],
      ["specificity", `share of ${word(task.classes[0])} that is recognized`, negative.recall],
      ["precision", `share of predictions of ${word(task.classes[1])} that are right`, positive.precision],
    ]);
    for (const [name, meaning, value] of extra.reverse()) {
      if (value) rows.splice(Math.min(rows.length, 2), 0, row("recall", [name, el("span", { class: "soft" }, " " + meaning)], value, "–"));
    }
  }
  return table("", ["Figure", "Value", "95 % interval", "Baseline"], rows, "figures");
}

/** Returns where the figures come from. @param {Content} content */
function sourceText(content) {
  const evaluation = /** @type {Evaluation} */ (content.evaluation);
  const noun = exampleNoun(content);
  if (evaluation.source.kind === "folds") {
    const { folds, repeats } = evaluation.source;
    const repeated = repeats > 1 ? `, repeated ${repeats} times` : "";
    return `Held-out data: each ${noun} is predicted by a model that was trained without it ` +
      `(${folds}-fold cross-validation${repeated}). ${counted(evaluation.evaluated, "prediction")}.`;
  }
  return `Predictions for ${visible(evaluation.source.name)}: ${counted(evaluation.evaluated, noun)} with a known value.`;
}

/** Returns the probability from which the model predicts the positive class. @param {Content} content */
function ownThreshold(content) {
  const rules = content.model && content.model.rules;
  const curve = rules && rules.sizes[rules.selected].calibration;
  // Rules predict the second class if its score is higher, which is a score of 0 or more.
  if (!curve || rules.ordered || content.task.classes.length !== 2) return 0.5;
  return softmax(curve.offsets)[1];
}

/** Returns a confusion matrix; a class without a code has no mark. @param {string[]} names @param {number[][]} counts @param {number[]} codes */
function confusionTable(names, counts, codes) {
  const most = Math.max(1, ...counts.flat());
  const rows = counts.map((row, actual) => [[codes[actual] < 0 ? null : classMark(codes[actual]), nameNode(names[actual])], ...row.map((count, predicted) =>
    el("span", { class: actual === predicted ? "right" : "wrong", style: { "--share": String(count / most) } }, grouped(count)))]);
  return table("Rows: actual class. Columns: predicted class.", ["", ...names.map(nameNode)], rows, "confusion");
}

/** Returns curves of one class with a threshold slider. @param {Content} content @param {Curve} curve */
function thresholdPanel(content, curve) {
  const { evaluation, task } = content;
  const areProbabilities = Boolean(evaluation && evaluation.probabilities);
  const name = word(task.classes[curve.class]);
  const isPair = task.classes.length === 2;
  const names = [task.classes[curve.class], isPair ? task.classes[1 - curve.class] : "other classes"];
  const codes = [curve.class, isPair ? 1 - curve.class : -1];
  const { figures, mark, list } = classCurves(curve, name, areProbabilities, exampleNoun(content));
  const own = task.classes.length === 2 ? ownThreshold(content) : 0.5;
  const ends = areProbabilities ? [0, 1] : [Math.min(...curve.at), Math.max(...curve.at)];
  const start = areProbabilities ? own : 0;
  const counts = el("div", { class: "counts", "aria-live": "polite" });
  const output = el("output", {});
  const cost = (/** @type {string} */ label) => /** @type {HTMLInputElement} */ (el("input", { type: "number", min: 0, step: "any", value: 1, "aria-label": label }));
  const [missed, alarm] = [cost(`cost of a missed ${name}`), cost("cost of a false alarm")];
  const costs = el("p", { class: "soft" });
  const input = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: ends[0], max: ends[1],
    step: areProbabilities ? 0.01 : (ends[1] - ends[0]) / 200 || 1, value: start }));
  const totalCost = (/** @type {Counts} */ c) => c.fn * Number(missed.value) + c.fp * Number(alarm.value);
  const show = (/** @type {number} */ threshold) => {
    const c = mark(threshold);
    output.textContent = areProbabilities ? percent(threshold, threshold < 0.1 || threshold > 0.9 ? 1 : 0) : significant(threshold, 3);
    const all = c.tp + c.fp + c.fn + c.tn;
    fill(counts, confusionTable(names, [[c.tp, c.fn], [c.fp, c.tn]], codes),
      el("dl", { class: "facts tight" },
        [["Sensitivity", percent(sensitivity(c), 1)], ["Specificity", percent(specificity(c), 1)],
          ["Precision", c.tp + c.fp ? percent(precisionOf(c), 1) : "none flagged"],
          [`Predicted as ${name}`, percent(flagged(c), 1)], ["Accuracy", percent(accuracyOf(c), 1)]]
          .map(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])));
    const best = list.reduce((least, one) => (totalCost(one) < totalCost(least) ? one : least), list[0]);
    const at = best.at === Infinity ? "predicting none" : `a threshold of ${areProbabilities ? percent(best.at, 1) : significant(best.at, 3)}`;
    costs.textContent = `Cost per 100 ${exampleNoun(content)}s: ${significant((100 * totalCost(c)) / all, 3)}. ` +
      `Lowest: ${significant((100 * totalCost(best)) / all, 3)} with ${at}.`;
  };
  const update = () => show(Number(input.value));
  input.addEventListener("input", update);
  missed.addEventListener("input", update);
  alarm.addEventListener("input", update);
  const reset = el("button", { type: "button", click: () => { input.value = String(start); show(start); } }, areProbabilities && content.model ? "Threshold of the model" : "Reset");
  show(start);
  return el("div", {},
    el("div", { class: "panel split" },
      el("div", {},
        el("label", { class: "slider" }, el("span", {}, `Predict ${name} from a ${areProbabilities ? "probability" : "score"} of `, output, " on"), input),
        reset,
        el("p", { class: "costs" }, `A missed ${name} costs `, missed, ", a false alarm costs ", alarm, "."), costs),
      counts),
    el("div", { class: "plots" }, figures));
}

/** Returns a table of the classes. @param {Content} content */
function classTable(content) {
  const { evaluation, task } = content;
  if (!evaluation || !evaluation.classes || task.classes.length < 3) return null;
  const cell = (/** @type {number[] | null} */ value) => (value ? `${percent(value[0], 1)} (${percent(value[1])} to ${percent(value[2])})` : "–");
  const rows = evaluation.classes.map((one, code) => [[classMark(code), nameNode(task.classes[code])], grouped(one.examples),
    grouped(one.predicted), cell(one.recall), cell(one.precision)]);
  return table("By class", ["Class", "Examples", "Predicted", "Found (recall)", "Right when predicted (precision)"], rows, "");
}

/** Returns predicted against actual numbers. @param {Content} content */
function numberPlot(content) {
  const { evaluation, task } = content;
  const points = (evaluation && evaluation.points) || [];
  if (points.length === 0) return null;
  const all = points.flat();
  const [low, high] = all.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  const on = plot({ title: "Predicted and actual", x: `predicted ${visible(task.target)}`.slice(0, 40), y: "actual", xs: [low, high], ys: [low, high] });
  addLine(on, [[low, low], [high, high]], "reference");
  for (const [predicted, actual] of points) addDot(on, predicted, actual, "faint", 2.5, "");
  const sample = evaluation && evaluation.sampled ? ` A sample of ${grouped(points.length)} predictions.` : "";
  return el("div", { class: "plots" }, figure(on, `Dashed: equal.${sample}`));
}

/** Returns what the model file says about its quality. @param {Content} content */
function storedQuality(content) {
  const model = content.model;
  const held = model && model.held_out;
  if (held) {
    const name = word(content.task.classes[1] || "positive");
    const gains = plot({ title: "Gains", x: "rows checked, highest first", y: `${name} found`, xs: [0, 1], ys: [0, 1], percent: true });
    addLine(gains, [[0, 0], [1, 1]], "reference");
    addLine(gains, [[0, 0], ...held.gains.map((/** @type {any} */ one) => [one.taken, one.found]), [1, 1]], "curve");
    const calibration = plot({ title: "Calibration", x: "predicted probability", y: "observed share", xs: [0, 1], ys: [0, 1], percent: true });
    addLine(calibration, [[0, 0], [1, 1]], "reference");
    held.calibration.forEach((/** @type {any} */ one) => addDot(calibration, one.probability, one.happened, "dot", 4,
      `${counted(one.rows, "row")}: predicted ${percent(one.probability)}, observed ${percent(one.happened)}`));
    const auc = held.auc ? ` AUC ${held.auc.value.toFixed(3)} (95 % interval: ${held.auc.low.toFixed(3)} to ${held.auc.high.toFixed(3)}).` : "";
    return [el("p", {}, `Held-out data, as stored in the model: ${counted(held.rows.all, "row")}, ${grouped(held.rows.positive)} ${name}.${auc}`),
      el("div", { class: "plots" }, figure(gains, "Dashed: random order."), held.calibration.length ? figure(calibration, "Tenths of the rows.") : null)];
  }
  const rules = model && model.rules;
  const size = rules && rules.sizes[rules.selected];
  const parts = [];
  if (size && typeof size.accuracy === "number") parts.push(`accuracy ${percent(size.accuracy, 1)}`);
  if (size && typeof size.auc === "number") parts.push(`AUC ${size.auc.toFixed(3)}`);
  if (size && typeof size.r2 === "number") parts.push(`R² ${size.r2.toFixed(3)}`);
  if (size && typeof size.mae === "number") parts.push(`mean absolute error ${significant(size.mae)}`);
  const how = "For intervals and curves, write the report while training (pellucid learn … --report FILE.html), or give data.";
  return el("p", {}, parts.length ? `The model file has its cross-validation figures: ${listed(parts)}. ${how}` : `The model file has no figures on held-out data. ${how}`);
}

/** Returns the section about quality. @param {Content} content */
function qualitySection(content) {
  const { evaluation, task } = content;
  if (!evaluation) return section("quality", "How good it is", storedQuality(content));
  const curves = evaluation.curves || [];
  const panel = el("div", {});
  const choose = (/** @type {number} */ place) => fill(panel, thresholdPanel(content, curves[place]));
  const select = curves.length > 1 ? el("label", {}, "Curves of class ", el("select", {
    change: (/** @type {Event} */ event) => choose(Number(/** @type {HTMLSelectElement} */ (event.target).value)),
  }, curves.map((curve, place) => el("option", { value: place }, visible(task.classes[curve.class]))))) : null;
  if (curves.length > 0) choose(0);
  return section("quality", "How good it is",
    el("p", {}, sourceText(content)), trainingWarning(content), figuresTable(content),
    classTable(content),
    task.classes.length > 2 && evaluation.confusion ? confusionTable(task.classes, evaluation.confusion, task.classes.map((_, code) => code)) : null,
    curves.length ? el("h3", {}, task.classes.length === 2 ? "Choose a threshold" : "One class against the rest") : null,
    select, panel, numberPlot(content));
}
