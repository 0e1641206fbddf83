// The drawing on the page: it can be moved, zoomed, clicked and walked with the arrow keys.

/** The shades of concepts, by the least share of the objects. */
const SHADES = [0.03, 0.14, 0.26, 0.4, 0.56, 0.75, 1];

/** Returns the shade of a concept, from 0 (no objects) to 7. @param {number} share */
function shadeOf(share) {
  return share === 0 ? 0 : Math.max(1, SHADES.filter((least) => share >= least).length);
}

/** Returns a smooth path through descending points. @param {[number, number][]} points */
function pathText(points) {
  const at = (/** @type {number[]} */ [x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  let path = `M${at(points[0])}`;
  if (points.length === 2) return `${path}L${at(points[1])}`;
  const slope = (/** @type {number} */ place) => {
    const [before, after] = [points[place - 1], points[place + 1]];
    if (!before || !after) return 0;
    const [one, other] = [
      (points[place][0] - before[0]) / (points[place][1] - before[1]),
      (after[0] - points[place][0]) / (after[1] - points[place][1]),
    ];
    return one * other > 0 ? (2 * one * other) / (one + other) : 0;
  };
  for (let place = 1; place < points.length; place += 1) {
    const [[x0, y0], [x1, y1]] = [points[place - 1], points[place]];
    const third = (y1 - y0) / 3;
    const straight = (x1 - x0) / (y1 - y0);
    const [start, end] = [
      place === 1 ? straight : slope(place - 1),
      place === points.length - 1 ? straight : slope(place),
    ];
    path += `C${at([x0 + start * third, y0 + third])} ${at([x1 - end * third, y1 - third])} ${at([x1, y1])}`;
  }
  return path;
}

/** Returns where the first line of each label is. @param {LatticeNode} node */
function labelHeights(node) {
  return {
    attributes: node.y - node.radius - 9 - 15 * (node.attributes.length - 1),
    objects: node.y + node.radius + 16,
  };
}

/** The drawing of a lattice. */
class LatticeDrawing {
  /** @param {Lattice} lattice @param {(concept: number) => void} clicked */
  constructor(lattice, clicked) {
    this.lattice = lattice;
    this.clicked = clicked;
    this.content = draw("g", {});
    this.svg = draw(
      "svg",
      { class: "lattice stage", role: "group", "aria-label": "Concept lattice" },
      this.content,
    );
    /** @type {LatticeLayout} */
    this.layout = { nodes: [], edges: [], width: 1, height: 1, labeled: true };
    /** @type {Map<number, Element>} */
    this.circles = new Map();
    /** @type {[LatticeEdge, Element][]} */
    this.lines = [];
    this.scale = 1;
    this.origin = [0, 0];
    this.listen();
    /** Whether the reader has moved or zoomed the drawing. */
    this.isMoved = false;
    new ResizeObserver(() => {
      if (!this.isMoved) this.fit();
    }).observe(this.svg);
  }

  /** Draws a layout. @param {LatticeLayout} layout */
  show(layout) {
    this.layout = layout;
    this.svg.classList.toggle("quick", !layout.labeled);
    const ink = layout.labeled ? 1 : Math.min(0.6, Math.max(0.15, Math.sqrt(600 / layout.edges.length)));
    this.lines = layout.edges.map((edge) => [edge, draw("path", { class: "e", d: pathText(edge.points) })]);
    this.circles = new Map(layout.nodes.map((node) => [node.concept, this.node(node)]));
    fill(
      this.content,
      draw(
        "g",
        { "stroke-opacity": ink.toFixed(2) },
        this.lines.map((pair) => pair[1]),
      ),
      draw("g", {}, [...this.circles.values()]),
    );
    this.fit();
  }

  /** Returns a concept. @param {LatticeNode} node */
  node(node) {
    const { lattice } = this;
    const heights = labelHeights(node);
    const lines = (/** @type {string} */ kind, /** @type {string[]} */ texts, /** @type {number} */ y) =>
      texts.length
        ? draw(
            "g",
            { class: "n", "aria-hidden": "true" },
            draw("rect", {
              class: "b",
              x: (node.x - Math.max(...texts.map(textWidth)) / 2 - 2).toFixed(1),
              y: (y - 11).toFixed(1),
              width: (Math.max(...texts.map(textWidth)) + 4).toFixed(1),
              height: 15 * texts.length,
              rx: 3,
            }),
            texts.map((text, place) =>
              draw("text", { class: kind, x: node.x.toFixed(1), y: (y + 15 * place).toFixed(1) }, text),
            ),
          )
        : null;
    const title = conceptTitle(lattice, node.concept);
    const isSmall = this.layout.nodes.length <= 400;
    return draw(
      "g",
      {
        class: "c",
        "data-c": node.concept,
        tabindex: isSmall ? "0" : "-1",
        role: "button",
      },
      draw("title", {}, title),
      draw("circle", {
        class: `s${shadeOf(node.share)}`,
        cx: node.x.toFixed(1),
        cy: node.y.toFixed(1),
        r: node.radius.toFixed(1),
      }),
      node.hidden
        ? draw(
            "text",
            { class: "more", x: node.x.toFixed(1), y: (node.y + 3.5).toFixed(1), "aria-hidden": "true" },
            "+",
          )
        : null,
      lines("a", node.attributes, heights.attributes),
      lines("o", node.objects, heights.objects),
    );
  }

  /** Shows the whole drawing. */
  fit() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width === 0) return;
    this.isMoved = false;
    this.scale = Math.min(1.5, width / this.layout.width, height / this.layout.height);
    this.origin = [
      (width - this.scale * this.layout.width) / 2,
      (height - this.scale * this.layout.height) / 2,
    ];
    this.place();
  }

  place() {
    const [x, y] = this.origin.map((end) => end.toFixed(2));
    this.content.setAttribute("transform", `translate(${x} ${y}) scale(${this.scale.toFixed(4)})`);
    this.svg.classList.toggle("near", this.scale > 0.9);
  }

  /** Zooms around a point of the window. @param {number} by @param {[number, number] | null} around */
  zoom(by, around = null) {
    this.isMoved = true;
    const box = this.svg.getBoundingClientRect();
    const [x, y] = around ? [around[0] - box.left, around[1] - box.top] : [box.width / 2, box.height / 2];
    const scale = Math.min(8, Math.max(0.01, this.scale * by));
    this.origin = [
      x - ((x - this.origin[0]) * scale) / this.scale,
      y - ((y - this.origin[1]) * scale) / this.scale,
    ];
    this.scale = scale;
    this.place();
  }

  /** Moves a concept to the middle, so large that it can be read. @param {number} concept */
  center(concept) {
    const node = this.layout.nodes.find((one) => one.concept === concept);
    if (!node) return;
    const { width, height } = this.svg.getBoundingClientRect();
    this.isMoved = true;
    this.scale = Math.max(this.scale, 0.9);
    this.origin = [width / 2 - this.scale * node.x, height / 2 - this.scale * node.y];
    this.place();
  }

  /** Lights some concepts and dims the others; null lights all. @param {Set<number> | null} concepts @param {number | null} selected */
  light(concepts, selected) {
    this.svg.classList.toggle("selected", concepts !== null);
    for (const [concept, circle] of this.circles) {
      circle.classList.toggle("on", concepts !== null && concepts.has(concept));
      circle.classList.toggle("at", concept === selected);
    }
    for (const [{ from, to }, line] of this.lines) {
      line.classList.toggle("on", concepts !== null && concepts.has(from) && concepts.has(to));
    }
  }

  listen() {
    /** @type {Map<number, [number, number]>} */
    const fingers = new Map();
    let isDragged = false;
    const { svg } = this;
    const spread = () => {
      const [one, other] = [...fingers.values()];
      return Math.hypot(one[0] - other[0], one[1] - other[1]);
    };
    svg.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(Math.pow(0.9985, event.deltaY), [event.clientX, event.clientY]);
      },
      { passive: false },
    );
    svg.addEventListener("pointerdown", (event) => {
      isDragged = false;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    window.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
      if (!isDragged && Math.hypot(dx, dy) < 4) return;
      isDragged = true;
      const was = fingers.size === 2 ? spread() : 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (was > 0) this.zoom(spread() / was, [event.clientX, event.clientY]);
      else {
        this.isMoved = true;
        this.origin = [this.origin[0] + dx, this.origin[1] + dy];
        this.place();
      }
    });
    for (const end of ["pointerup", "pointercancel"]) {
      window.addEventListener(end, (event) => fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
    const conceptAt = (/** @type {Event} */ event) => {
      const circle = /** @type {Element} */ (event.target).closest(".c");
      return circle ? Number(circle.getAttribute("data-c")) : null;
    };
    svg.addEventListener("click", (event) => {
      const concept = conceptAt(event);
      if (!isDragged && concept !== null) this.clicked(concept);
    });
    svg.addEventListener("keydown", (event) => {
      const { key } = /** @type {KeyboardEvent} */ (event);
      const concept = conceptAt(event);
      if (concept === null) return;
      const near = { ArrowUp: this.lattice.upper, ArrowDown: this.lattice.lower }[key];
      if (key === "Enter" || key === " ") this.clicked(concept);
      else if (near) this.focus([...linked(near, concept)]);
      else return;
      event.preventDefault();
    });
  }

  /** Moves the focus to the first of some concepts that is drawn. @param {number[]} concepts */
  focus(concepts) {
    const found = concepts.map((concept) => this.circles.get(concept)).find((circle) => circle);
    if (found) /** @type {SVGElement} */ (found).focus();
  }
}

/** Returns a concept in one line. @param {Lattice} lattice @param {number} concept */
function conceptTitle(lattice, concept) {
  const intent = intentOf(lattice, concept);
  const shown = intent.slice(0, 12).map((attribute) => lattice.attributes.short(attribute));
  const more = intent.length > shown.length ? ` and ${grouped(intent.length - shown.length)} more` : "";
  const names = shown.length ? `: ${shown.join(", ")}${more}` : "";
  return `${counted(lattice.supports[concept], "object")}, ${counted(intent.length, "attribute")}${names}`;
}
