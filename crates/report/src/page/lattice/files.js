// The drawing as files: SVG, PNG and TikZ, from the same layout.

/** The colors of a saved drawing, by shade. */
const FILE_SHADES = ["#ffffff", "#e6eef7", "#cbdcef", "#a9c6e4", "#84acd6", "#5f91c6", "#4377b3", "#2b5c99"];

/** Returns text for XML. @param {string} text */
function xmlText(text) {
  const names = /** @type {Object<string, string>} */ ({ "&": "amp", "<": "lt", ">": "gt", '"': "quot" });
  return text.replace(/[&<>"]/g, (letter) => `&${names[letter]};`);
}

/** Returns the drawing as SVG without a style, so that every program shows it. @param {LatticeLayout} layout */
function svgFile(layout) {
  const { width, height } = layout;
  const end = (/** @type {string} */ tag) => "<" + `/${tag}>`;
  const text = (
    /** @type {LatticeNode} */ node,
    /** @type {string[]} */ lines,
    /** @type {number} */ y,
    /** @type {string} */ look,
  ) =>
    lines.map(
      (line, place) =>
        `<text x="${node.x.toFixed(1)}" y="${(y + 15 * place).toFixed(1)}" text-anchor="middle" ${look}>` +
        `${xmlText(line)}${end("text")}`,
    );
  const parts = layout.edges.map(
    ({ points }) => `<path d="${pathText(points)}" fill="none" stroke="#8b98a8" stroke-width="1.2"/>`,
  );
  for (const node of layout.nodes) {
    const heights = labelHeights(node);
    parts.push(
      `<circle cx="${node.x.toFixed(1)}" cy="${node.y.toFixed(1)}" r="${node.radius.toFixed(1)}" ` +
        `fill="${FILE_SHADES[shadeOf(node.share)]}" stroke="#2b4a6f" stroke-width="1.4"/>`,
    );
    if (layout.labeled) {
      parts.push(...text(node, node.attributes, heights.attributes, 'fill="#17497f" font-weight="600"'));
      parts.push(...text(node, node.objects, heights.objects, 'fill="#3d3d3d"'));
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width.toFixed(0)}" height="${height.toFixed(0)}" ` +
    `viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" font-family="sans-serif" font-size="12">\n` +
    `<rect width="100%" height="100%" fill="#ffffff"/>\n${parts.join("\n")}\n${end("svg")}\n`
  );
}

/** Returns the drawing as a PNG image, twice as large. @param {LatticeLayout} layout @returns {Promise<Blob>} */
async function pngFile(layout) {
  const scale = Math.min(2, 8000 / Math.max(layout.width, layout.height));
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgFile(layout));
  await image.decode();
  const canvas = /** @type {HTMLCanvasElement} */ (
    el("canvas", { width: Math.ceil(scale * layout.width), height: Math.ceil(scale * layout.height) })
  );
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no image"))), "image/png");
  });
}

/** Returns text for TeX. @param {string} text */
function texText(text) {
  const names = /** @type {Object<string, string>} */ ({
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
  });
  return text.replace(/[\\~^<>#$%&_{}]/g, (letter) => names[letter] || `\\${letter}`);
}

/** Returns the drawing for LaTeX with TikZ. @param {LatticeLayout} layout */
function tikzFile(layout) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    `(${(x / 50).toFixed(2)},${(-y / 50).toFixed(2)})`;
  const lines = [
    "% Needs \\usepackage{tikz}.",
    "\\begin{tikzpicture}[",
    "  concept/.style={circle, draw, inner sep=0pt},",
    "  label/.style={font=\\footnotesize, align=center},",
    "]",
  ];
  for (const node of layout.nodes) {
    const size = (node.radius / 25).toFixed(2);
    const shade = Math.round(10 * shadeOf(node.share));
    lines.push(
      `\\node[concept, minimum size=${size}cm, fill=blue!${shade}] (c${node.concept}) at ${at(node.x, node.y)} {};`,
    );
    if (!layout.labeled) continue;
    const words = (/** @type {string[]} */ texts) => texts.map(texText).join("\\\\");
    if (node.attributes.length) {
      lines.push(`\\node[label, above] at (c${node.concept}.north) {${words(node.attributes)}};`);
    }
    if (node.objects.length) {
      lines.push(`\\node[label, below] at (c${node.concept}.south) {${words(node.objects)}};`);
    }
  }
  for (const { from, to, points } of layout.edges) {
    const bends = points.slice(1, -1).map(([x, y]) => `${at(x, y)} -- `);
    lines.push(`\\draw (c${from}) -- ${bends.join("")}(c${to});`);
  }
  return [...lines, "\\end{tikzpicture}", ""].join("\n");
}
