// Curves from counts by probability, and what a threshold means for them.

/**
 * @typedef {{tp: number, fp: number, fn: number, tn: number}} Counts
 */

/** Returns the counts of all thresholds, from above the highest probability down. @param {Curve} curve */
function countsByThreshold(curve) {
  const positives = curve.own.reduce((sum, n) => sum + n, 0);
  const negatives = curve.others.reduce((sum, n) => sum + n, 0);
  let [tp, fp] = [0, 0];
  const list = [{ at: Infinity, tp, fp, fn: positives, tn: negatives }];
  curve.at.forEach((at, place) => {
    tp += curve.own[place];
    fp += curve.others[place];
    list.push({ at, tp, fp, fn: positives - tp, tn: negatives - fp });
  });
  return list;
}

/**
 * Returns the counts at a threshold.
 * @param {ReturnType<typeof countsByThreshold>} list @param {number} threshold
 */
function countsAt(list, threshold) {
  let found = list[0];
  for (const one of list) if (one.at >= threshold) found = one;
  return found;
}

const ratio = (/** @type {number} */ part, /** @type {number} */ whole) => (whole ? part / whole : 0);
const sensitivity = (/** @type {Counts} */ c) => ratio(c.tp, c.tp + c.fn);
const specificity = (/** @type {Counts} */ c) => ratio(c.tn, c.tn + c.fp);
const precisionOf = (/** @type {Counts} */ c) => ratio(c.tp, c.tp + c.fp);
const flagged = (/** @type {Counts} */ c) => ratio(c.tp + c.fp, c.tp + c.fp + c.fn + c.tn);
const accuracyOf = (/** @type {Counts} */ c) => ratio(c.tp + c.tn, c.tp + c.fp + c.fn + c.tn);

/** Returns groups of about equal size with their mean probability and observed share. @param {Curve} curve */
function calibrationGroups(curve) {
  const all = curve.own.reduce((sum, n) => sum + n, 0) + curve.others.reduce((sum, n) => sum + n, 0);
  const room = Math.max(1, all / 10);
  const groups = [];
  let [count, own, sum] = [0, 0, 0];
  for (let at = curve.at.length - 1; at >= 0; at -= 1) {
    const here = curve.own[at] + curve.others[at];
    [count, own, sum] = [count + here, own + curve.own[at], sum + here * curve.at[at]];
    if (count >= room || at === 0) {
      groups.push({ count, probability: sum / count, observed: own / count });
      [count, own, sum] = [0, 0, 0];
    }
  }
  return groups;
}

/** Returns the 95 % interval of a share (Wilson). @param {number} share @param {number} count */
function wilson(share, count) {
  const z = 1.96,
    square = z * z;
  const middle = (share + square / (2 * count)) / (1 + square / count);
  const half =
    (z / (1 + square / count)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count * count));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/**
 * Draws the curves of a class. Returns the figures and a function that marks the counts of a threshold.
 * @param {Curve} curve @param {string} name @param {boolean} areProbabilities @param {string} noun
 */
function classCurves(curve, name, areProbabilities, noun) {
  const list = countsByThreshold(curve);
  // A curve has the color of its class.
  const color = `curve ${colorOf(curve.class).replace("c", "s")}`;
  const base = ratio(list[0].fn, list[0].fn + list[0].tn);
  /** @type {[number, number]} */
  const unit = [0, 1];
  const roc = plot({
    title: "ROC curve",
    x: "false alarms (1 − specificity)",
    y: "sensitivity",
    xs: unit,
    ys: unit,
    percent: true,
  });
  addLine(
    roc,
    [
      [0, 0],
      [1, 1],
    ],
    "reference",
  );
  addLine(
    roc,
    list.map((c) => [1 - specificity(c), sensitivity(c)]),
    color,
  );
  const pr = plot({
    title: "Precision and recall",
    x: "sensitivity (recall)",
    y: "precision",
    xs: unit,
    ys: unit,
    percent: true,
  });
  addLine(
    pr,
    [
      [0, base],
      [1, base],
    ],
    "reference",
  );
  addLine(
    pr,
    list.slice(1).map((c) => [sensitivity(c), precisionOf(c)]),
    color,
  );
  const gains = plot({
    title: "Gains",
    x: `${noun}s checked, highest first`,
    y: `${noun}s of ${name} found`,
    xs: unit,
    ys: unit,
    percent: true,
  });
  addLine(
    gains,
    [
      [0, 0],
      [1, 1],
    ],
    "reference",
  );
  addLine(
    gains,
    list.map((c) => [flagged(c), sensitivity(c)]),
    color,
  );
  const figures = [
    figure(roc, "Dashed: chance."),
    figure(pr, `Dashed: share of ${name} overall.`),
    figure(gains, "Dashed: random order."),
  ];
  const dots = [roc, pr, gains].map((on) => addDot(on, 0, 0, "here", 5, ""));
  if (areProbabilities) {
    const calibration = plot({
      title: "Calibration",
      x: "predicted probability",
      y: "observed share",
      xs: unit,
      ys: unit,
      percent: true,
    });
    addLine(
      calibration,
      [
        [0, 0],
        [1, 1],
      ],
      "reference",
    );
    for (const group of calibrationGroups(curve)) {
      const [low, high] = wilson(group.observed, group.count);
      addLine(
        calibration,
        [
          [group.probability, low],
          [group.probability, high],
        ],
        `whisker ${colorOf(curve.class).replace("c", "s")}`,
      );
      addDot(
        calibration,
        group.probability,
        group.observed,
        `dot ${colorOf(curve.class).replace("c", "f")}`,
        4,
        `${counted(group.count, noun)}: predicted ${percent(group.probability)}, observed ${percent(group.observed)}`,
      );
    }
    figures.push(figure(calibration, "Tenths of the predictions, with 95 % intervals."));
  }
  const mark = (/** @type {Counts} */ c) => {
    moveDot(roc, dots[0], 1 - specificity(c), sensitivity(c));
    moveDot(pr, dots[1], sensitivity(c), precisionOf(c));
    moveDot(gains, dots[2], flagged(c), sensitivity(c));
  };
  return { figures, mark, list };
}
