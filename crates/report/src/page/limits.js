// The limits of the model: who is in the data, what is rare, and what the figures do not say.

/** With fewer examples than this, figures of a class are rough. */
const FEW = 30;

/** Returns sentences about the examples. @param {Content} content */
function exampleLimits(content) {
  const { task, data } = content;
  const counts = task.examples.length ? task.examples : (data && data.counts) || [];
  const noun = exampleNoun(content);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const limits = [];
  const from = content.provenance && content.provenance.data && content.run ? ` of ${visible(content.provenance.data[0])}` : "";
  if (all)
    limits.push(
      `The model was trained on ${counted(all, noun)}${from}. It says nothing about ${noun}s of another kind, place or time.`,
    );
  const rare = task.number
    ? []
    : task.classes.filter((_, code) => counts.length === task.classes.length && counts[code] < FEW);
  if (rare.length) {
    limits.push(
      `Few examples: ${listed(rare.slice(0, 12).map((name) => `${quoted(name)} (${counts[task.classes.indexOf(name)]})`))}. Figures for ${rare.length === 1 ? "this class" : "these classes"} are rough.`,
    );
  }
  if (task.never && task.never.length)
    limits.push(`The model never predicts ${listed(task.never.map(quoted), "or")}.`);
  return limits;
}

/** The most names in a sentence of the limits. */
const MOST_NAMED = 8;

/** Returns a name in a list, shortened if it is very long. @param {string} name */
function shortWord(name) {
  return name.length <= 80 ? word(name) : word(name.slice(0, 60) + "…");
}

/** Returns a sentence about the ranges of the columns of the model; none without such columns. @param {Content} content */
function rangeLimits(content) {
  const { data } = content;
  const numbers = (content.columns || []).filter((column) => column.kind === "numeric" && column.range);
  const own = data ? numbers.filter((column) => data.columns.some((other) => other.used && other.name === column.name)) : numbers;
  if (own.length === 0) return [];
  const shown = own.slice(0, MOST_NAMED).map((column) => `${shortWord(column.name)} from ${rangeText(column)}`);
  const rest = own.length - shown.length;
  return [
    `Ranges in the training data: ${listed(rest ? [...shown, counted(rest, "more column")] : shown)}. ` +
      (content.model && content.model.rules
        ? "A value outside its range is treated like the nearest one; the form marks it."
        : "The form marks values outside."),
  ];
}

/** Returns a sentence about rare categories and small groups; none if there are none. @param {Content} content */
function smallGroups(content) {
  const { data, groups } = content;
  const rare = (data ? data.columns : [])
    .filter((column) => column.used && column.categories && column.bins && (column.distinct || 0) <= column.categories.length)
    .flatMap((column) =>
      (column.categories || []).map((name, at) => ({
        text: `${shortWord(column.name)} ${shortWord(name)}`,
        count: (column.bins || []).reduce((sum, own) => sum + own[at], 0),
      })),
    );
  const small = (groups ? groups.groups : []).map((one) => ({
    text: `${shortWord(groups ? groups.column : "")} ${shortWord(one.name)}`,
    count: one.examples,
  }));
  const few = [...small, ...rare].filter(({ count }) => count > 0 && count < FEW).sort((a, b) => a.count - b.count);
  if (few.length === 0) return [];
  const shown = few.slice(0, MOST_NAMED).map(({ text, count }) => `${text} (${grouped(count)})`);
  const rest = few.length - shown.length;
  return [
    `Small groups: ${listed(rest ? [...shown, `${rest} more`] : shown)}. The model may be wrong for them without any figure showing it.`,
  ];
}

/** Returns sentences about the columns. @param {Content} content */
function columnLimits(content) {
  const limits = [];
  const columns = content.columns || [];
  limits.push(...rangeLimits(content), ...smallGroups(content));
  if (columns.some((column) => column.kind === "nominal"))
    limits.push(
      keepsUnseen(content)
        ? "A category that was not in the training data counts as an average one."
        : "A category that was not in the training data counts as missing.",
    );
  const data = content.data;
  const sparse = data ? data.columns.filter((column) => column.used && column.missing > 0.2 * data.rows) : [];
  if (sparse.length)
    limits.push(
      `Often missing: ${listed(sparse.slice(0, 8).map((column) => `${word(column.name)} (${percent(column.missing / (data ? data.rows : 1))})`))}.` +
        (keepsUnseen(content) ? "" : " A comparison with a missing value is false."),
    );
  const leaks = data ? data.columns.filter((column) => column.separates) : [];
  if (leaks.length) limits.push(`Possible leak: ${listed(leaks.map((column) => word(column.name)))}.`);
  return limits;
}

/** Returns sentences about the figures and the decision. @param {Content} content */
function figureLimits(content) {
  const { evaluation, task } = content;
  const limits = [];
  if (!evaluation) limits.push("There is no evaluation on held-out data with intervals in this report.");
  else if (evaluation.source.kind === "folds") {
    limits.push(
      "The figures estimate how models of this kind do on similar data. They were not measured on data from another source.",
    );
  }
  const rules = content.model && content.model.rules;
  const size = rules && rules.sizes[rules.selected];
  if (size && !task.number) {
    limits.push(
      size.calibration
        ? "Probabilities are calibrated on out-of-fold scores. They assume that the classes are as frequent as in the training data."
        : "The model has no probabilities: it was trained without inner cross-validation, or it is too small.",
    );
  }
  if (size && size.unstable) limits.push(size.unstable);
  const notes = (rules && rules.notes) || [];
  if (task.classes.length === 2 && size && size.calibration && !rules.ordered) {
    limits.push(
      `The model predicts ${quoted(task.classes[1])} from a probability of about ${percent(ownThreshold(content))}.` +
        (notes.length ? "" : decisionText(content)),
    );
  }
  limits.push("The model describes associations. It does not say what would happen if a value were changed.");
  return limits;
}

/** Returns how the threshold was chosen. @param {Content} content */
function decisionText(content) {
  const decide = content.parameters && content.parameters.decide;
  if (typeof decide !== "string") return "";
  if (decide === "accuracy") return " No threshold was chosen: it is where the score is 0, which aims at the most correct predictions.";
  if (decide.startsWith("cost")) return " This threshold has the lowest cost on held-out data, for the given costs.";
  return ` The threshold was chosen on held-out data for ${decide.replace(/_/g, " ")}.`;
}

/** Returns a sentence about what was tried before the model was selected; null if it is unknown. @param {Content} content */
function triedText(content) {
  const { run, evaluation } = content;
  if (!run) return null;
  const sizes = content.model && content.model.rules ? content.model.rules.sizes.length : 0;
  const ended = run.stop === "finished" ? "" : ` The run ended because it ${stopText(run.stop)}.`;
  const isHeldOut = evaluation && evaluation.source.kind === "folds";
  return (
    `What was tried: ${grouped(run.evaluated)} ${run.counts}` +
    (sizes > 1 ? `, and ${counted(sizes, "size")} of the model.` : ".") +
    (sizes > 1 && isHeldOut ? " The figures at the selected size include the choice of the size." : "") +
    ended
  );
}

/** Returns why a run ended, after "because it". @param {string} stop */
function stopText(stop) {
  return /^(reached|completed)/.test(stop) ? stop : stop === "no further improvement" ? "found no further improvement" : `was ${stop}`;
}

/** Returns the parameters as a table. @param {Content} content */
function parameterTable(content) {
  const parameters = Object.entries(content.parameters || {});
  if (parameters.length === 0) return null;
  const shown = (/** @type {any} */ value) =>
    typeof value === "string" ? visible(value) : value === null ? "–" : visible(JSON.stringify(value));
  return el(
    "details",
    {},
    el("summary", {}, "Training parameters"),
    table(
      "",
      ["Parameter", "Value"],
      parameters.map(([name, value]) => [el("code", {}, name), shown(value)]),
      "parameters",
    ),
  );
}

/** Returns the section about limits. @param {Content} content */
function limitsSection(content) {
  const limits = [
    ...exampleLimits(content),
    ...columnLimits(content),
    ...figureLimits(content),
    ...[triedText(content)].filter((text) => text !== null),
  ];
  return section(
    "limits",
    "Limits",
    el(
      "ul",
      {},
      limits.map((text) => el("li", {}, text)),
    ),
    parameterTable(content),
  );
}
