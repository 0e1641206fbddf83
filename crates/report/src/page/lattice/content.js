// A lattice as it stands in the page: decoded once, then walked. Everything is derived from the covering
// relation and from the concept that each name belongs to.

/**
 * @typedef {{starts: Uint32Array, items: Uint32Array}} Links The numbers that belong to each number.
 * @typedef {{
 *   version: string, provenance?: any, name: string, concepts: number, edges: number, objects: number,
 *   attributes: number, stable: boolean, named: boolean, names: string, numbers: string, least: number
 * }} LatticeContent
 * @typedef {{
 *   count: number, supports: Uint32Array, upper: Links, lower: Links, delta: Uint32Array,
 *   stability: Float64Array | null, ofAttribute: Int32Array, ofObject: Int32Array,
 *   ownAttributes: Links, ownObjects: Links, rows: Map<number, Set<number>>,
 *   attributes: NameList, objects: NameList
 * }} Lattice Concepts without one are -1; `rows` has the attributes of objects without a concept.
 */

/** Returns bytes that were compressed with gzip and encoded in base 64. @param {string} packed */
async function unpackedBytes(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns a function that reads the next number: seven bits in each byte. @param {Uint8Array} bytes */
function numberReader(bytes) {
  let at = 0;
  return () => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
}

/** Returns the members of each group. @param {Int32Array} groups @param {number} count @returns {Links} */
function byGroup(groups, count) {
  const starts = new Uint32Array(count + 1);
  for (const group of groups) if (group >= 0) starts[group + 1] += 1;
  for (let group = 0; group < count; group += 1) starts[group + 1] += starts[group];
  const [items, next] = [new Uint32Array(starts[count]), starts.slice()];
  groups.forEach((group, member) => {
    if (group >= 0) items[next[group]++] = member;
  });
  return { starts, items };
}

/** Returns the links in the other direction. @param {Links} links @returns {Links} */
function reversedLinks({ starts, items }) {
  const count = starts.length - 1;
  const from = new Uint32Array(items.length);
  for (let one = 0; one < count; one += 1) from.fill(one, starts[one], starts[one + 1]);
  const found = byGroup(Int32Array.from(items), count);
  return { starts: found.starts, items: found.items.map((place) => from[place]) };
}

/** Returns the numbers that belong to a number. @param {Links} links @param {number} one */
function linked(links, one) {
  return links.items.subarray(links.starts[one], links.starts[one + 1]);
}

/** Returns the lattice of a page. @param {LatticeContent} content @returns {Promise<Lattice>} */
async function readLattice(content) {
  const next = numberReader(await unpackedBytes(content.numbers));
  const names = JSON.parse(await unpacked(content.names));
  const count = content.concepts;
  const read = (/** @type {number} */ length) => Uint32Array.from({ length }, next);
  const supports = read(count);
  for (let one = 1; one < count; one += 1) supports[one] = supports[one - 1] - supports[one];
  const starts = new Uint32Array(count + 1);
  read(count).forEach((size, one) => (starts[one + 1] = starts[one] + size));
  const items = read(starts[count]);
  for (let one = 0; one < count; one += 1) {
    for (let at = starts[one + 1] - 1, last = one; at >= starts[one]; at -= 1)
      last = items[at] = last - items[at];
  }
  const upper = { starts, items };
  const delta = read(count);
  const stability = content.stable ? Float64Array.from(read(count), (value) => value / 1000) : null;
  const concepts = (/** @type {number} */ length) => Int32Array.from(read(length), (value) => value - 1);
  const [ofAttribute, ofObject] = [concepts(content.attributes), concepts(content.objects)];
  const rows = new Map();
  ofObject.forEach((concept, object) => {
    if (concept >= 0) return;
    let last = -1;
    rows.set(object, new Set(Array.from({ length: next() }, () => (last += next() + 1))));
  });
  return {
    count,
    supports,
    upper,
    lower: reversedLinks(upper),
    delta,
    stability,
    ofAttribute,
    ofObject,
    ownAttributes: byGroup(ofAttribute, count),
    ownObjects: byGroup(ofObject, count),
    rows,
    attributes: new NameList(names.attributes, content.attributes, "attribute"),
    objects: new NameList(names.objects, content.objects, "object"),
  };
}

/** Returns a concept and all that are reachable from it. @param {Links} links @param {number} start */
function reached(links, start) {
  const seen = new Set([start]);
  for (const one of seen) linked(links, one).forEach((other) => seen.add(other));
  return seen;
}

/** Returns the attributes of a concept, ascending. @param {Lattice} lattice @param {number} concept */
function intentOf(lattice, concept) {
  const own = [...reached(lattice.upper, concept)].flatMap((one) => [...linked(lattice.ownAttributes, one)]);
  return own.sort((a, b) => a - b);
}

/** Returns the objects of a concept, ascending. @param {Lattice} lattice @param {number} concept */
function extentOf(lattice, concept) {
  const own = [...reached(lattice.lower, concept)].flatMap((one) => [...linked(lattice.ownObjects, one)]);
  if (lattice.rows.size > 0) {
    const intent = intentOf(lattice, concept);
    for (const [object, row] of lattice.rows) {
      if (intent.every((attribute) => row.has(attribute))) own.push(object);
    }
  }
  return own.sort((a, b) => a - b);
}

/** Returns the concepts that have an attribute. @param {Lattice} lattice @param {number} attribute */
function conceptsWithAttribute(lattice, attribute) {
  const concept = lattice.ofAttribute[attribute];
  return concept < 0 ? new Set() : reached(lattice.lower, concept);
}

/** Returns the concepts that contain an object. @param {Lattice} lattice @param {number} object */
function conceptsWithObject(lattice, object) {
  const concept = lattice.ofObject[object];
  if (concept >= 0) return reached(lattice.upper, concept);
  const row = lattice.rows.get(object) || new Set();
  const found = new Set();
  for (let one = 0; one < lattice.count; one += 1) {
    const isWithin = linked(lattice.ownAttributes, one).every((attribute) => row.has(attribute));
    if (isWithin && linked(lattice.upper, one).every((other) => found.has(other))) found.add(one);
  }
  return found;
}
