// Plots, drawn as SVG.

const PLOT = { width: 320, height: 260, left: 50, right: 22, top: 12, bottom: 44 };

/** Returns about five round numbers between two ends. @param {number} low @param {number} high */
function ticks(low, high) {
  const rough = (high - low) / 4 || 1;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) || rough;
  const list = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) {
    list.push(Number(at.toPrecision(10)));
  }
  return list;
}

/** Returns the name of an axis, with its unit. @param {string} name @param {string} unit */
function axisName(name, unit) {
  return visible(name).slice(0, 28) + (unit ? ` (${visible(unit).slice(0, 12)})` : "");
}

/**
 * Returns the values themselves as ticks if they are few and far enough apart for their labels.
 * @param {number[]} values
 */
function fewTicks(values) {
  const sorted = [...new Set(values)].sort((one, other) => one - other);
  const room = (sorted[sorted.length - 1] - sorted[0]) / 8;
  const isApart = sorted.every((value, at) => at === 0 || value - sorted[at - 1] >= room);
  return sorted.length <= 6 && isApart ? sorted : undefined;
}

/**
 * A plot with axes.
 * @param {{title: string, x: string, y: string, xs: [number, number], ys: [number, number], percent?: boolean,
 *   squareX?: boolean, whole?: boolean, xTicks?: number[], xText?: (x: number) => string}} options
 */
function plot(options) {
  const { width, height, left, right, top, bottom } = PLOT;
  const [[x0, x1], [y0, y1]] = [options.xs, options.ys];
  const across = (/** @type {number} */ x) => left + (width - left - right) * ((x - x0) / (x1 - x0 || 1));
  const down = (/** @type {number} */ y) =>
    height - bottom - (height - top - bottom) * ((y - y0) / (y1 - y0 || 1));
  const numberText = (/** @type {number[]} */ places) => {
    const step = places.length > 1 ? 100 * Math.abs(places[1] - places[0]) : 1;
    // Steps of half a percent need a decimal, or two ticks would have the same text.
    const digits = step >= 1 && Number.isInteger(Number(step.toPrecision(6))) ? 0 : step >= 0.1 ? 1 : 2;
    return (/** @type {number} */ value) =>
      options.percent ? `${(100 * value).toFixed(digits)} %` : significant(value, 4);
  };
  const svg = draw("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": options.title,
    class: "plot",
  });
  const xTicks = (options.xTicks || ticks(x0, x1)).filter((x) => !options.whole || Number.isInteger(x));
  const xNumber = numberText(xTicks);
  for (const x of xTicks) {
    svg.append(draw("line", { class: "grid", x1: across(x), x2: across(x), y1: top, y2: height - bottom }));
    const text = options.xText ? options.xText(x) : options.whole ? String(x) : xNumber(x);
    svg.append(draw("text", { x: across(x), y: height - bottom + 15, "text-anchor": "middle" }, text));
  }
  const yTicks = ticks(y0, y1);
  const yNumber = numberText(yTicks);
  for (const y of yTicks) {
    svg.append(draw("line", { class: "grid", x1: left, x2: width - right, y1: down(y), y2: down(y) }));
    svg.append(draw("text", { x: left - 6, y: down(y) + 4, "text-anchor": "end" }, yNumber(y)));
  }
  const middle = (top + height - bottom) / 2;
  svg.append(
    draw(
      "text",
      { class: "axis", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" },
      options.x,
    ),
  );
  svg.append(
    draw(
      "text",
      {
        class: "axis",
        x: 0,
        y: 0,
        "text-anchor": "middle",
        transform: `translate(11 ${middle}) rotate(-90)`,
      },
      options.y,
    ),
  );
  return { svg, across, down, title: options.title };
}

/** @typedef {ReturnType<typeof plot>} Plot */

/** Adds a line through points. @param {Plot} on @param {[number, number][]} points @param {string} kind */
function addLine(on, points, kind) {
  const text = points.map(([x, y]) => `${on.across(x).toFixed(1)},${on.down(y).toFixed(1)}`).join(" ");
  on.svg.append(draw("polyline", { class: kind, points: text }));
}

/**
 * Adds a dot with a title.
 * @param {Plot} on @param {number} x @param {number} y @param {string} kind @param {number} radius
 * @param {string} title
 */
function addDot(on, x, y, kind, radius, title) {
  const dot = draw(
    "circle",
    { class: kind, cx: on.across(x), cy: on.down(y), r: radius },
    title ? draw("title", {}, title) : null,
  );
  on.svg.append(dot);
  return dot;
}

/** Moves a dot. @param {Plot} on @param {Element} dot @param {number} x @param {number} y */
function moveDot(on, dot, x, y) {
  dot.setAttribute("cx", String(on.across(x)));
  dot.setAttribute("cy", String(on.down(y)));
}

/** Returns a plot with its caption. @param {Plot} on @param {string} caption */
function figure(on, caption) {
  return el(
    "figure",
    {},
    el("figcaption", {}, el("strong", {}, on.title), caption ? ". " + caption : ""),
    on.svg,
  );
}

/** Returns a bar whose parts are shares of the whole. @param {number[]} parts @param {number} whole */
function shareBar(parts, whole) {
  return el(
    "span",
    { class: "bar", "aria-hidden": "true" },
    parts.map((part, code) =>
      part > 0
        ? el("span", { class: colorOf(code), style: { width: `${(100 * part) / Math.max(whole, 1)}%` } })
        : null,
    ),
  );
}
