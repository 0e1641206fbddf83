// The model of other learners: networks with their feature effects, and any model as text.

/**
 * Returns the effect of a column as a small plot.
 * @param {{column: string, importance: number, points: [any, number][]}} effect @param {number} most
 */
function effectFigure(effect, most) {
  const [width, height] = [220, 110];
  const svg = draw("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "plot small",
    role: "img",
    "aria-label": `Effect of ${visible(effect.column)}`,
  });
  const isNumeric = typeof effect.points[0][0] === "number";
  const x = (/** @type {number} */ at) => 10 + (at * (width - 20)) / Math.max(1, effect.points.length - 1);
  const y = (/** @type {number} */ score) => height / 2 - (score / most) * (height / 2 - 18);
  svg.append(draw("line", { class: "grid", x1: 6, x2: width - 6, y1: height / 2, y2: height / 2 }));
  if (isNumeric) {
    svg.append(
      draw("polyline", {
        class: "curve",
        points: effect.points.map(([, score], at) => `${x(at).toFixed(1)},${y(score).toFixed(1)}`).join(" "),
      }),
    );
  } else {
    effect.points.forEach(([, score], at) =>
      svg.append(draw("line", { class: "stem", x1: x(at), x2: x(at), y1: height / 2, y2: y(score) })),
    );
  }
  const name = (/** @type {any} */ value) =>
    visible(typeof value === "number" ? significant(value, 4) : String(value)).slice(0, 18);
  svg.append(draw("text", { x: 6, y: height - 2 }, name(effect.points[0][0])));
  svg.append(
    draw(
      "text",
      { x: width - 6, y: height - 2, "text-anchor": "end" },
      name(effect.points[effect.points.length - 1][0]),
    ),
  );
  return el(
    "figure",
    {},
    el(
      "figcaption",
      {},
      nameNode(effect.column),
      el("span", { class: "soft" }, ` importance ${effect.importance.toFixed(3)}`),
    ),
    svg,
  );
}

/** Returns the section about a network. @param {Content} content */
function networkSection(content) {
  const picture = /** @type {HTMLImageElement} */ (el("img", { alt: "A network of the model", class: "drawing" }));
  const model = /** @type {PageModel} */ (content.model);
  const effects = (model.effects || []).filter((effect) => effect.points.length > 1).slice(0, 12);
  const most = Math.max(0.1, ...effects.flatMap((effect) => effect.points.map((pair) => Math.abs(pair[1]))));
  if (model.drawing)
    unpacked(model.drawing).then((text) => {
      picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    });
  return section(
    "model",
    "The model",
    el("h3", {}, "Feature effects (partial dependence)"),
    el(
      "p",
      {},
      `Change of the score when all rows have a value; the vertical scale is ${signed(-most)} to ${signed(most)}. Importance is the loss of AUC when the column is permuted.`,
    ),
    el(
      "div",
      { class: "plots" },
      effects.map((effect) => effectFigure(effect, most)),
    ),
    model.drawing
      ? el(
          "details",
          {},
          el("summary", {}, "Drawing of a network"),
          picture,
        )
      : null,
    el("details", {}, el("summary", {}, "The model as text"), textBox(visibleLines(model.text || ""))),
  );
}

/** Returns text of several lines with visible control characters. @param {string} text */
function visibleLines(text) {
  return text.split("\n").map(visible).join("\n");
}

/** Returns the section about a model that is shown as text. @param {Content} content */
function textSection(content) {
  return section(
    "model",
    "The model",
    textBox(visibleLines((content.model && content.model.text) || "")),
  );
}
