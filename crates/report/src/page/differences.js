// Differences of figures as text.

/** @typedef {{value: number, low: number, high: number}} Estimate */

/** Returns a p-value as text. @param {number} p */
function probabilityText(p) {
  return p < 0.001 ? "under 0.001" : p.toFixed(3);
}

/** Returns a difference with its sign. @param {string} key @param {number} value */
function differenceText(key, value) {
  const size = figureText(key === "balanced_accuracy" ? "balanced" : key, Math.abs(value)).replace("\u00a0%", "");
  return Number(size) === 0 ? size : (value < 0 ? "−" : "+") + size;
}
