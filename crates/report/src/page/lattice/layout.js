// The layout of the drawn concepts: layers from the top down, few crossings, straight lines.

/** With more bends than this, long lines are straight. */
const MOST_BENDS = 6000;
/** Up to this many concepts, all names are drawn. */
const MOST_LABELED = 150;

/**
 * @typedef {{
 *   concept: number, x: number, y: number, radius: number, share: number, attributes: string[],
 *   objects: string[], hidden: number
 * }} LatticeNode
 * @typedef {{from: number, to: number, points: [number, number][]}} LatticeEdge
 * @typedef {{
 *   nodes: LatticeNode[], edges: LatticeEdge[], width: number, height: number, labeled: boolean
 * }} LatticeLayout
 * @typedef {{layer: number[], up: number[][], down: number[][], half: number[]}} Layered
 */

/** Returns the length of the longest path from the top to each concept. @param {Drawn} drawn */
function ranksOf(drawn) {
  const ranks = new Map();
  for (const one of drawn.concepts) {
    const upper = drawn.upper.get(one) || [];
    ranks.set(
      one,
      upper.reduce((most, other) => Math.max(most, ranks.get(other) + 1), 0),
    );
  }
  return drawn.concepts.map((one) => ranks.get(one));
}

/** Returns what is written at each concept. @param {Lattice} lattice @param {Drawn} drawn @returns {LatticeNode[]} */
function latticeNodes(lattice, drawn) {
  const isDrawn = new Set(drawn.concepts);
  const labeled = drawn.concepts.length <= MOST_LABELED;
  const all = Math.max(1, lattice.ofObject.length);
  return drawn.concepts.map((concept) => {
    const share = lattice.supports[concept] / all;
    const own = [...linked(lattice.ownObjects, concept)];
    return {
      concept,
      x: 0,
      y: 0,
      radius: labeled ? 5 + 7 * Math.sqrt(share) : 3.5 + 5.5 * Math.sqrt(share),
      share,
      attributes: labelLines(lattice.attributes, addedAttributes(lattice, drawn, concept), "attribute"),
      objects: own.length > 3 ? [counted(own.length, "object")] : labelLines(lattice.objects, own, "object"),
      hidden: linked(lattice.lower, concept).filter((other) => !isDrawn.has(other)).length,
    };
  });
}

/** Returns concepts and bends of long lines in layers. @param {Drawn} drawn @param {LatticeNode[]} nodes @param {boolean} labeled @returns {[Layered, [number, number, number[]][]]} */
function layered(drawn, nodes, labeled) {
  const layer = ranksOf(drawn);
  const places = new Map(drawn.concepts.map((concept, place) => [concept, place]));
  const width = (/** @type {string[]} */ lines) => Math.max(0, ...lines.map(textWidth)) / 2;
  const half = nodes.map((node) =>
    labeled ? Math.max(node.radius, 1.12 * width(node.attributes), width(node.objects)) : node.radius,
  );
  /** @type {[number, number][]} */
  const pairs = drawn.concepts.flatMap((concept, place) =>
    (drawn.upper.get(concept) || []).map(
      (other) => /** @type {[number, number]} */ ([places.get(other), place]),
    ),
  );
  const total = pairs.reduce((sum, [from, to]) => sum + layer[to] - layer[from] - 1, 0);
  const links = () => nodes.map(() => /** @type {number[]} */ ([]));
  const [up, down] = [links(), links()];
  const join = (/** @type {number} */ high, /** @type {number} */ low) => {
    down[high].push(low);
    up[low].push(high);
  };
  const lines = pairs.map(([from, to]) => {
    const bends = [];
    let last = from;
    for (let between = layer[from] + 1; total <= MOST_BENDS && between < layer[to]; between += 1) {
      const bend = layer.push(between) - 1;
      up.push([]);
      down.push([]);
      half.push(labeled ? 3 : 0.5);
      join(last, bend);
      bends.push(bend);
      last = bend;
    }
    join(last, to);
    return /** @type {[number, number, number[]]} */ ([from, to, bends]);
  });
  return [{ layer, up, down, half }, lines];
}

/** Returns the order on each layer: sweeps by the mean place of neighbors, of which the best is kept. @param {Layered} graph */
function orderedLayers(graph) {
  const count = Math.max(0, ...graph.layer.map((layer) => layer + 1));
  /** @type {number[][]} */
  let layers = Array.from({ length: count }, () => []);
  graph.layer.forEach((layer, node) => layers[layer].push(node));
  const place = new Float64Array(graph.layer.length);
  const number = (/** @type {number[]} */ nodes) => nodes.forEach((node, at) => (place[node] = at));
  layers.forEach(number);
  let [best, fewest] = [layers.map((nodes) => nodes.slice()), Infinity];
  const rounds = graph.layer.length > 3000 ? 6 : 16;
  for (let round = 0; round < rounds; round += 1) {
    const isDown = round % 2 === 0;
    for (let step = 1; step < count; step += 1) {
      const nodes = layers[isDown ? step : count - 1 - step];
      const links = isDown ? graph.up : graph.down;
      const mean = new Map(
        nodes.map((node) => {
          const near = links[node];
          return [
            node,
            near.length ? near.reduce((sum, other) => sum + place[other], 0) / near.length : place[node],
          ];
        }),
      );
      nodes.sort((a, b) => (mean.get(a) || 0) - (mean.get(b) || 0) || place[a] - place[b]);
      number(nodes);
    }
    const crossings = crossingsOf(graph, layers, place);
    if (crossings < fewest) [best, fewest] = [layers.map((nodes) => nodes.slice()), crossings];
    if (fewest === 0) break;
  }
  return best;
}

/** Returns the number of crossings between neighboring layers. @param {Layered} graph @param {number[][]} layers @param {Float64Array} place */
function crossingsOf(graph, layers, place) {
  let crossings = 0;
  for (const nodes of layers) {
    const ends = nodes.flatMap((node) => graph.down[node].map((other) => place[other]).sort((a, b) => a - b));
    // Each pair of lines that swaps its order crosses: counted by a Fenwick tree over the lower places.
    const tree = new Uint32Array(Math.max(1, ...ends.map((end) => end + 2)));
    ends.forEach((end, seen) => {
      let before = 0;
      for (let at = end + 1; at > 0; at -= at & -at) before += tree[at];
      crossings += seen - before;
      for (let at = end + 1; at < tree.length; at += at & -at) tree[at] += 1;
    });
  }
  return crossings;
}

/**
 * Returns the places nearest to the wanted ones that keep their distances (isotonic regression).
 * @param {number[]} wanted @param {number[]} gaps the least distance to the one before
 */
function apart(wanted, gaps) {
  /** @type {{sum: number, count: number}[]} */
  const blocks = [];
  /** @type {number[]} */
  const offsets = [];
  let offset = 0;
  wanted.forEach((place, at) => {
    offset += at ? gaps[at] : 0;
    offsets.push(offset);
    blocks.push({ sum: place - offset, count: 1 });
    while (blocks.length > 1) {
      const [before, last] = blocks.slice(-2);
      if (before.sum / before.count <= last.sum / last.count) break;
      blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  });
  const means = blocks.flatMap(({ sum, count }) => Array(count).fill(sum / count));
  return means.map((mean, at) => mean + offsets[at]);
}

/** Returns the horizontal places of all nodes. @param {Layered} graph @param {number[][]} layers @param {number} gap @param {number[]} rows */
function placedAcross(graph, layers, gap, rows) {
  const x = new Float64Array(graph.layer.length);
  const gaps = layers.map((nodes, layer) =>
    nodes.map((node, at) => (at ? (graph.half[node] + graph.half[nodes[at - 1]] + gap) / rows[layer] : 0)),
  );
  const settle = (/** @type {number} */ layer, /** @type {number[]} */ wanted) =>
    apart(wanted, gaps[layer]).forEach((place, at) => (x[layers[layer][at]] = place));
  layers.forEach((nodes, layer) =>
    settle(
      layer,
      nodes.map(() => 0),
    ),
  );
  for (let round = 0; round < 14; round += 1) {
    const isDown = round % 2 === 0;
    for (let step = 0; step < layers.length; step += 1) {
      const layer = isDown ? step : layers.length - 1 - step;
      const wanted = layers[layer].map((node) => {
        // The last rounds balance both sides.
        const near =
          round > 9 ? [...graph.up[node], ...graph.down[node]] : (isDown ? graph.up : graph.down)[node];
        return near.length ? near.reduce((sum, other) => sum + x[other], 0) / near.length : x[node];
      });
      settle(layer, wanted);
    }
  }
  return x;
}

/** Returns the layout of a view. @param {Lattice} lattice @param {Drawn} drawn @returns {LatticeLayout} */
function layoutOf(lattice, drawn) {
  const nodes = latticeNodes(lattice, drawn);
  const labeled = nodes.length <= MOST_LABELED;
  const [graph, lines] = layered(drawn, nodes, labeled);
  const layers = orderedLayers(graph);
  const concepts = layers.map((layer) => layer.filter((node) => node < nodes.length));
  const inRow = Math.max(60, 1.7 * Math.sqrt(nodes.length));
  const rows = concepts.map((layer) => (labeled ? 1 : Math.max(1, Math.ceil(layer.length / inRow))));
  const x = placedAcross(graph, layers, labeled ? 16 : 6, rows);
  const half = (/** @type {number} */ node) => graph.half[node];
  const [left, right] = [
    x.reduce((least, at, node) => Math.min(least, at - half(node)), 0),
    x.reduce((most, at, node) => Math.max(most, at + half(node)), 0),
  ];
  const width = Math.max(right - left + 48, 320);
  const shift = (width - (right + left)) / 2;
  const free = Math.min(600, Math.max(36, (0.5 * width) / Math.max(2, layers.length)));
  const middle = layers.map(() => 0);
  let bottom = 24;
  concepts.forEach((layer, at) => {
    const above = labeled ? 15 * Math.max(0, ...layer.map((node) => nodes[node].attributes.length)) : 0;
    const below = labeled ? 15 * Math.max(0, ...layer.map((node) => nodes[node].objects.length)) : 0;
    const reach = Math.max(0, ...layer.map((node) => nodes[node].radius));
    const pitch = 2 * reach + 6;
    const spread = (pitch * (rows[at] - 1)) / 2;
    middle[at] = bottom + (at ? free : 0) + above + 6 + reach + spread;
    bottom = middle[at] + spread + reach + 6 + below;
    layer.forEach((node, place) => {
      nodes[node].x = x[node] + shift;
      nodes[node].y = middle[at] + pitch * ((place % rows[at]) - (rows[at] - 1) / 2);
    });
  });
  const point = (/** @type {number} */ node) =>
    /** @type {[number, number]} */ (
      node < nodes.length ? [nodes[node].x, nodes[node].y] : [x[node] + shift, middle[graph.layer[node]]]
    );
  const edges = lines.map(([from, to, bends]) => ({
    from: nodes[from].concept,
    to: nodes[to].concept,
    points: [from, ...bends, to].map(point),
  }));
  return { nodes, edges, width, height: bottom + 24, labeled };
}
