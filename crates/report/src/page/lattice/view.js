// Which concepts are drawn: an iceberg by a measure, and what the reader expands.

/** The most concepts that are drawn at once. */
const MOST_DRAWN = 1500;
/** At first at most this many concepts are drawn, so that names can be read. */
const FIRST_DRAWN = 80;

/**
 * @typedef {"support" | "stability" | "delta"} Measure
 * @typedef {{measure: Measure, least: number, added: Set<number>, around: number | null}} View
 * @typedef {{concepts: number[], upper: Map<number, number[]>, left: number}} Drawn
 */

/** Returns the values of a measure. @param {Lattice} lattice @param {Measure} measure */
function measured(lattice, measure) {
  if (measure === "stability" && lattice.stability) return lattice.stability;
  return measure === "delta" ? lattice.delta : lattice.supports;
}

/**
 * Returns the levels of a measure with the number of concepts that reach each, up to the first level with
 * more concepts than can be drawn.
 * @param {Lattice} lattice @param {Measure} measure @returns {[number, number][]}
 */
function levelsOf(lattice, measure) {
  const values = measured(lattice, measure).slice().sort().reverse();
  /** @type {[number, number][]} */
  const levels = [];
  for (let at = 0; at < values.length && (levels.length === 0 || at < MOST_DRAWN);) {
    let end = at + 1;
    while (end < values.length && values[end] === values[at]) end += 1;
    levels.push([values[at], end]);
    at = end;
  }
  return levels;
}

/** Returns the level that is shown at first. @param {[number, number][]} levels */
function firstLevel(levels) {
  const fitting = levels.filter(([, count]) => count <= FIRST_DRAWN);
  return Math.max(0, fitting.length - 1);
}

/** Returns the concepts of a view, in their order. @param {Lattice} lattice @param {View} view @returns {[number[], number]} */
function chosen(lattice, view) {
  const { around } = view;
  /** @type {number[]} */
  let wanted = [];
  if (around !== null) {
    wanted = [...reached(lattice.upper, around), ...reached(lattice.lower, around)];
  } else {
    const values = measured(lattice, view.measure);
    for (let one = 0; one < lattice.count; one += 1) if (values[one] >= view.least) wanted.push(one);
  }
  const kept = wanted.slice(0, MOST_DRAWN);
  const all = new Set([0, ...kept, ...view.added]);
  return [[...all].sort((a, b) => a - b), wanted.length - kept.length];
}

/** Returns the concepts of a view and their neighbors among them. @param {Lattice} lattice @param {View} view @returns {Drawn} */
function drawnOf(lattice, view) {
  const [concepts, left] = lattice.count > 0 ? chosen(lattice, view) : [[], 0];
  const places = new Map(concepts.map((concept, place) => [concept, place]));
  const isClosed = concepts.every((one) => linked(lattice.upper, one).every((other) => places.has(other)));
  const upper = isClosed
    ? new Map(concepts.map((one) => [one, [...linked(lattice.upper, one)]]))
    : bridged(lattice, concepts, places);
  return { concepts, upper, left };
}

/**
 * Returns the upper neighbors among some concepts, across those that are not drawn.
 * @param {Lattice} lattice @param {number[]} concepts @param {Map<number, number>} places
 * @returns {Map<number, number[]>}
 */
function bridged(lattice, concepts, places) {
  const words = (concepts.length + 31) >> 5;
  // The drawn concepts above each concept, as bits; upper concepts have smaller numbers.
  const last = concepts[concepts.length - 1] + 1;
  const above = new Uint32Array(last * words);
  for (let one = 0; one < last; one += 1) {
    for (const other of linked(lattice.upper, one)) {
      for (let word = 0; word < words; word += 1) above[one * words + word] |= above[other * words + word];
      const place = places.get(other);
      if (place !== undefined) above[one * words + (place >> 5)] |= 1 << (place & 31);
    }
  }
  const upper = new Map();
  for (const one of concepts) {
    const ancestors = concepts.filter((_, place) => (above[one * words + (place >> 5)] >>> (place & 31)) & 1);
    const indirect = new Uint32Array(words);
    for (const other of ancestors) {
      for (let word = 0; word < words; word += 1) indirect[word] |= above[other * words + word];
    }
    const isDirect = (/** @type {number} */ other) => {
      const place = places.get(other) || 0;
      return ((indirect[place >> 5] >>> (place & 31)) & 1) === 0;
    };
    upper.set(one, ancestors.filter(isDirect));
  }
  return upper;
}

/**
 * Returns the attributes that a drawn concept adds to those drawn above it.
 * @param {Lattice} lattice @param {Drawn} drawn @param {number} concept
 */
function addedAttributes(lattice, drawn, concept) {
  const upper = drawn.upper.get(concept) || [];
  const isWhole = linked(lattice.upper, concept).every((other) => upper.includes(other));
  if (isWhole) return [...linked(lattice.ownAttributes, concept)];
  const known = new Set(upper.flatMap((other) => intentOf(lattice, other)));
  return intentOf(lattice, concept).filter((attribute) => !known.has(attribute));
}
