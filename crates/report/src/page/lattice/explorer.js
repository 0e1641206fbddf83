// The lattice explorer: controls, search, the drawing, and what is known of a concept.

/** The most names in a list before it is shortened. */
const MOST_LISTED = 60;
/** The most names of a list that can be opened. */
const MOST_OPENED = 3000;

/** What each measure means. */
const MEASURES = /** @type {Object<Measure, [string, string, (value: number) => string]>} */ ({
  support: ["Objects", "number of objects", (/** @type {number} */ value) => counted(value, "object")],
  stability: [
    "Stability",
    "share of the subsets of its objects that have exactly its attributes in common",
    (/** @type {number} */ value) => `a stability of ${value.toFixed(3)}`,
  ],
  delta: [
    "Delta",
    "smallest number of objects whose removal removes the concept",
    (/** @type {number} */ value) => `a delta of ${grouped(value)}`,
  ],
});

/** The state of the page. */
class Explorer {
  /** @param {LatticeContent} content @param {Lattice} lattice */
  constructor(content, lattice) {
    this.content = content;
    this.lattice = lattice;
    this.drawing = new LatticeDrawing(lattice, (concept) => this.select(concept));
    /** @type {number | null} */
    this.selected = null;
    /** @type {[number, number][]} */
    this.levels = levelsOf(lattice, "support");
    /** @type {View} */
    this.view = { measure: "support", least: 0, added: new Set(), around: null };
    this.status = el("p", { class: "soft", "aria-live": "polite" });
    this.panel = el("div", { class: "concept", "aria-live": "polite" });
    this.slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: 0, step: 1 }));
    this.slider.addEventListener("input", () => this.setLevel(Number(this.slider.value)));
    this.output = el("output", {});
    this.setMeasure("support");
    this.select(null);
  }

  /** Changes the measure of the iceberg. @param {Measure} measure */
  setMeasure(measure) {
    this.view.measure = measure;
    this.levels = levelsOf(this.lattice, measure);
    this.slider.max = String(this.levels.length - 1);
    this.slider.setAttribute("aria-label", `Least ${MEASURES[measure][0].toLowerCase()}`);
    this.setLevel(firstLevel(this.levels));
  }

  /** Shows the concepts that reach a level. @param {number} level */
  setLevel(level) {
    const [least] = this.levels[level] || [0, 0];
    this.slider.value = String(level);
    this.view = { measure: this.view.measure, least, added: new Set(), around: null };
    this.redraw();
  }

  /** Draws the view again. */
  redraw() {
    const { lattice, view } = this;
    const drawn = drawnOf(lattice, view);
    this.drawing.show(layoutOf(lattice, drawn));
    const isAll = drawn.concepts.length === lattice.count;
    const least = MEASURES[view.measure][2](view.least);
    this.output.textContent = isAll ? "all concepts" : `at least ${least}`;
    this.slider.setAttribute("aria-valuetext", this.output.textContent);
    const iceberg = `with at least ${least}${view.added.size ? " and what was added" : ""}`;
    const which = view.around === null ? iceberg : "above and below the selected one";
    const left = drawn.left ? ` ${grouped(drawn.left)} more would be too many to draw.` : "";
    this.status.textContent = isAll
      ? `All ${counted(lattice.count, "concept")}.`
      : `${grouped(drawn.concepts.length)} of ${counted(lattice.count, "concept")}: those ${which}.${left}` +
        " A circle with + has more concepts below.";
    this.light();
  }

  /** Lights what belongs to the selected concept. */
  light() {
    const { lattice, selected } = this;
    const around =
      selected === null
        ? null
        : new Set([...reached(lattice.upper, selected), ...reached(lattice.lower, selected)]);
    this.drawing.light(around, selected);
  }

  /** Adds concepts to the drawing. @param {number[]} concepts */
  add(concepts) {
    const fresh = concepts.filter((concept) => !this.drawing.circles.has(concept));
    if (fresh.length === 0) return;
    fresh.slice(0, MOST_DRAWN).forEach((concept) => this.view.added.add(concept));
    this.redraw();
  }

  /** Selects a concept; null selects none. @param {number | null} concept */
  select(concept) {
    this.selected = concept === this.selected ? null : concept;
    if (this.selected === null) {
      this.view.around = null;
      fill(this.panel, el("p", { class: "soft" }, "Select a concept to see its objects and attributes."));
      this.light();
      return;
    }
    this.add([this.selected]);
    fill(this.panel, conceptPanel(this, this.selected));
    this.light();
  }

  /** Selects a concept and moves it to the middle. @param {number} concept */
  visit(concept) {
    if (concept !== this.selected) this.select(concept);
    this.drawing.center(concept);
  }

  /** Returns listeners that light concepts while something is under the pointer. @param {() => Set<number>} concepts */
  lighting(concepts) {
    const on = () => this.drawing.light(concepts(), this.selected);
    const off = () => this.light();
    return { pointerenter: on, focus: on, pointerleave: off, blur: off };
  }
}

/**
 * Returns a button in a list that lights concepts and leads to one of them; a negative number leads nowhere.
 * @param {Explorer} explorer @param {number} concept @param {() => Set<number>} lit @param {...any} label
 */
function conceptButton(explorer, concept, lit, ...label) {
  const click = () => {
    if (concept >= 0) explorer.visit(concept);
  };
  return el(
    "li",
    {},
    el("button", { type: "button", class: "name", ...explorer.lighting(lit), click }, ...label),
  );
}

/**
 * Returns names as a list of buttons that light their concepts and lead to them.
 * @param {Explorer} explorer @param {"attributes" | "objects"} kind @param {number[]} which
 */
function nameButtons(explorer, kind, which) {
  const { lattice } = explorer;
  const names = lattice[kind];
  const concepts = kind === "attributes" ? conceptsWithAttribute : conceptsWithObject;
  const button = (/** @type {number} */ at) => {
    const concept = kind === "attributes" ? lattice.ofAttribute[at] : lattice.ofObject[at];
    return conceptButton(explorer, concept, () => concepts(lattice, at), names.node(at));
  };
  const shown = which.slice(0, MOST_LISTED);
  const rest = which.slice(MOST_LISTED, MOST_OPENED);
  const more = el("details", {}, el("summary", {}, `${grouped(which.length - shown.length)} more`));
  more.addEventListener(
    "toggle",
    () => {
      const beyond = which.length - MOST_OPENED;
      more.append(el("ul", { class: "names" }, rest.map(button)));
      if (beyond > 0)
        more.append(el("p", { class: "soft" }, `and ${grouped(beyond)} more; save the list to see all.`));
    },
    { once: true },
  );
  return [el("ul", { class: "names" }, shown.map(button)), rest.length ? more : null];
}

/** Returns what is known of a concept. @param {Explorer} explorer @param {number} concept */
function conceptPanel(explorer, concept) {
  const { lattice, content } = explorer;
  const [intent, extent] = [intentOf(lattice, concept), extentOf(lattice, concept)];
  const support = lattice.supports[concept];
  const known = new Set(intent);
  const share = percent(support / Math.max(1, content.objects), 1);
  /** @type {[string, any][]} */
  const facts = [["Objects", `${grouped(support)} of ${grouped(content.objects)} (${share})`]];
  if (lattice.stability) facts.push(["Stability", lattice.stability[concept].toFixed(3)]);
  facts.push(["Delta", grouped(lattice.delta[concept])]);
  const [upper, lower] = [[...linked(lattice.upper, concept)], [...linked(lattice.lower, concept)]];
  const neighbor = (/** @type {number} */ other) => {
    const theirs = intentOf(lattice, other);
    const isBelow = other > concept;
    const has = new Set(theirs);
    const different = isBelow
      ? theirs.filter((one) => !known.has(one))
      : intent.filter((one) => !has.has(one));
    const names = different
      .slice(0, 6)
      .map((one, place) => [place ? ", " : "", lattice.attributes.node(one)]);
    const rest = different.length > 6 ? ` and ${different.length - 6} more` : "";
    return conceptButton(
      explorer,
      other,
      () => new Set([concept, other]),
      isBelow ? "with " : "without ",
      names,
      rest,
      ` (${counted(lattice.supports[other], "object")})`,
    );
  };
  const neighbors = (/** @type {string} */ title, /** @type {number[]} */ which) =>
    which.length
      ? [
          el("h3", { class: "minor" }, `${title} (${grouped(which.length)})`),
          el("ul", { class: "names" }, which.slice(0, MOST_LISTED).map(neighbor)),
          which.length > MOST_LISTED
            ? el("p", { class: "soft" }, `and ${grouped(which.length - MOST_LISTED)} more`)
            : null,
        ]
      : null;
  const button = (/** @type {string} */ text, /** @type {() => void} */ click) =>
    el("button", { type: "button", click }, text);
  return [
    el("h3", {}, "Selected concept"),
    factList(facts),
    el(
      "p",
      { class: "files" },
      lower.length
        ? button(`Show the ${counted(lower.length, "concept")} below`, () => explorer.add(lower))
        : null,
      upper.length
        ? button(`Show the ${counted(upper.length, "concept")} above`, () => explorer.add(upper))
        : null,
      button("Show only what is above and below", () => {
        explorer.view = { ...explorer.view, added: new Set([concept]), around: concept };
        explorer.redraw();
      }),
      button("Close", () => explorer.select(null)),
    ),
    el("h3", { class: "minor" }, `Attributes (${grouped(intent.length)})`),
    intent.length ? nameButtons(explorer, "attributes", intent) : el("p", { class: "soft" }, "none"),
    el("h3", { class: "minor" }, `Objects (${grouped(support)})`),
    extent.length
      ? nameButtons(explorer, "objects", extent)
      : el("p", { class: "soft" }, support ? "not in this page" : "none"),
    extent.length > 0 && extent.length < support
      ? el("p", { class: "soft" }, `This page has ${grouped(extent.length)} of them.`)
      : null,
    extent.length
      ? saveButton("Save the objects", "objects.csv", () =>
          csvText(
            ["object"],
            extent.map((object) => [lattice.objects.whole(object)]),
          ),
        )
      : null,
    neighbors("Directly below", lower),
    neighbors("Directly above", upper),
  ];
}

/** Returns the search field with its results. @param {Explorer} explorer */
function searchBox(explorer) {
  const { lattice } = explorer;
  const results = el("div", { class: "results" });
  const find = (/** @type {NameList} */ names, /** @type {string} */ wanted) => {
    const found = [];
    for (let at = 0; at < names.count; at += 1)
      if (names.whole(at).toLowerCase().includes(wanted)) found.push(at);
    return found;
  };
  const show = (/** @type {string} */ wanted) => {
    const part = (/** @type {string} */ title, /** @type {"attributes" | "objects"} */ kind) => {
      const found = find(lattice[kind], wanted);
      return [
        el("h3", { class: "minor" }, `${title} (${grouped(found.length)})`),
        nameButtons(explorer, kind, found),
      ];
    };
    fill(results, part("Attributes", "attributes"), part("Objects", "objects"));
  };
  show("");
  const input = el("input", {
    type: "search",
    placeholder: "attribute or object",
    input: (/** @type {Event} */ event) =>
      show(/** @type {HTMLInputElement} */ (event.target).value.trim().toLowerCase()),
  });
  return el("div", { class: "search" }, el("label", {}, "Search ", input), results);
}

/** Returns the controls above the drawing. @param {Explorer} explorer */
function latticeControls(explorer) {
  const { drawing, lattice } = explorer;
  const measures = /** @type {Measure[]} */ (["support", "stability", "delta"]).filter(
    (name) => name !== "stability" || lattice.stability,
  );
  const select = el(
    "select",
    {
      change: (/** @type {Event} */ event) =>
        explorer.setMeasure(/** @type {Measure} */ (/** @type {HTMLSelectElement} */ (event.target).value)),
    },
    measures.map((name) => el("option", { value: name }, MEASURES[name][0].toLowerCase())),
  );
  const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ click) =>
    el(
      "button",
      { type: "button", "aria-label": /^\p{L}/u.test(text) ? null : label, title: label, click },
      text,
    );
  return el(
    "div",
    { class: "controls" },
    el("label", {}, "Concepts by ", select),
    el("span", { class: "least" }, explorer.slider, explorer.output),
    el(
      "span",
      { class: "zoom" },
      button("+", "Zoom in", () => drawing.zoom(1.4)),
      button("−", "Zoom out", () => drawing.zoom(1 / 1.4)),
      button("Fit", "Show the whole drawing", () => drawing.fit()),
    ),
  );
}

/** Returns the files to save. @param {Explorer} explorer */
function latticeFiles(explorer) {
  const { drawing } = explorer;
  const name = "lattice";
  return section(
    "save",
    "Take it with you",
    el(
      "p",
      { class: "files" },
      "The drawing as it is shown: ",
      saveButton("SVG", `${name}.svg`, () => svgFile(drawing.layout)),
      saveButton("PNG", `${name}.png`, () => pngFile(drawing.layout)),
      saveButton("TikZ", `${name}.tex`, () => tikzFile(drawing.layout)),
    ),
  );
}

/** Returns how to read the drawing. @param {Lattice} lattice */
function readingSection(lattice) {
  const prefixes = [lattice.attributes, lattice.objects]
    .filter((names) => names.prefix)
    .map((names) =>
      el(
        "li",
        {},
        `All names of ${names.noun}s start with `,
        el("code", {}, visible(names.prefix)),
        ", which is left out here.",
      ),
    );
  return section(
    "read",
    "How to read it",
    el(
      "ul",
      {},
      el(
        "li",
        {},
        "Each circle is a concept: a set of objects, and all attributes that they have in common. A larger and darker circle has more objects.",
      ),
      el("li", {}, "A line leads down to a concept with fewer objects and more attributes."),
      el(
        "li",
        {},
        "Each name is written once. A concept has every attribute above it and every object below it.",
      ),
      el("li", {}, "A long name is shortened in the drawing. The list beside it has the whole name."),
      el("li", {}, "Drag to move, turn the wheel to zoom, use the arrow keys to walk up and down."),
      prefixes,
    ),
    factList(
      /** @type {[string, any][]} */ (Object.values(MEASURES).map(([name, meaning]) => [name, meaning])),
    ),
  );
}

/** Draws the page. @param {LatticeContent} content */
async function startLattice(content) {
  const lattice = await readLattice(content);
  const explorer = new Explorer(content, lattice);
  const least = content.least > 0 ? ` with at least ${counted(content.least, "object")}` : "";
  const header = el(
    "header",
    {},
    el("h1", {}, "Concepts of ", nameNode(content.name)),
    el(
      "p",
      { class: "lead" },
      `${counted(content.objects, "object")}, ${counted(content.attributes, "attribute")}, ` +
        `${counted(content.concepts, "concept")}${least}.`,
    ),
    content.named
      ? null
      : el("p", { class: "warning" }, "This page has no names of objects: they would make it too large."),
    factList(originFacts(content)),
  );
  const side = el("div", { class: "side" }, explorer.panel, searchBox(explorer));
  const explore = section(
    "explore",
    "Lattice",
    latticeControls(explorer),
    explorer.status,
    el("div", { class: "explorer" }, explorer.drawing.svg, reachable(side, "Names and concepts")),
  );
  drawPage(header, [explore, readingSection(lattice), latticeFiles(explorer)], content);
  explorer.drawing.fit();
  // For programs that drive the page.
  Object.defineProperty(window, "pellucid", { value: Object.freeze({ content, lattice, explorer }) });
}

startLattice(readContent());
