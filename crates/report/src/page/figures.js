// Figures as text, and what they mean.

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
  cost: "mean cost of a prediction; lower is better",
  r2: "explained share of the variance",
  mae: "mean distance between prediction and actual value",
  rmse: "large errors count more",
});
