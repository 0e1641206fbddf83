// Networks in single precision, with the same bits as the library: every operation is rounded once, and a
// product plus a sum is rounded together.

/**
 * @typedef {[number, "number" | "truth" | "words" | "steps", number, number, any[]]} NetworkInput
 *   A column, its encoding, the middle and half of the range, and what the encoding needs.
 * @typedef {{
 *   inputs: NetworkInput[], clip: number, layers: [number, "rbf" | "sigmoid" | "tanh" | "relu"][],
 *   members: [string, number, number[]][], outputs: number, number: boolean, logarithmic: boolean,
 *   calibration: Calibration | null
 * }} NetworkModel Members have their genes as floats in base 64, a slope and an offset for each output.
 */

const DOUBLE = new Float64Array(1);
const HALVES = new Uint32Array(DOUBLE.buffer);
const FLOAT = new Float32Array(1);
const FLOAT_BITS = new Uint32Array(FLOAT.buffer);
/** The place of the lower half of a double, which differs by machine. */
const LOWER = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1;

/** Returns the float with these bits. @param {number} bits */
function floatOf(bits) {
  FLOAT_BITS[0] = bits;
  return FLOAT[0];
}

const LOG2_E = Math.fround(Math.LOG2E);
const LEAST_POWER = Math.fround(-87 * LOG2_E);
const MOST_POWER = Math.fround(60 * LOG2_E);
const ROUNDER = 12582912;
const POWER_TERMS = [0x3aaddd0b, 0x3c1e7545, 0x3d635ba9, 0x3e75fcde, 0x3f317215].map(floatOf);

/** Returns a·b + c of floats, rounded once. @param {number} a @param {number} b @param {number} c */
function fused(a, b, c) {
  // The product of two floats is exact in a double.
  const product = a * b;
  const sum = product + c;
  const part = sum - product;
  const error = product - (sum - part) + (c - part);
  if (error === 0 || !Number.isFinite(sum)) return Math.fround(sum);
  // The sum was rounded, and the float would be rounded again: an odd last bit keeps what was lost.
  DOUBLE[0] = sum;
  if ((HALVES[LOWER] & 1) === 0) {
    if (error > 0 === sum > 0) HALVES[LOWER] += 1;
    else {
      if (HALVES[LOWER] === 0) HALVES[1 - LOWER] -= 1;
      HALVES[LOWER] -= 1;
    }
  }
  return Math.fround(DOUBLE[0]);
}

/** Returns two to the power of a float. @param {number} power */
function powerOfTwo(power) {
  const within = power > LEAST_POWER ? Math.min(power, MOST_POWER) : LEAST_POWER;
  const rounded = Math.fround(within + ROUNDER);
  const fraction = Math.fround(within - Math.fround(rounded - ROUNDER));
  let sum = POWER_TERMS[0];
  for (const term of POWER_TERMS.slice(1)) sum = fused(sum, fraction, term);
  FLOAT[0] = fused(sum, fraction, 1);
  const bits = FLOAT_BITS[0];
  FLOAT[0] = rounded;
  return floatOf(bits + (FLOAT_BITS[0] << 23));
}

/** Returns the output of a node. @param {string} kind @param {number} sum */
function activated(kind, sum) {
  const round = Math.fround;
  if (kind === "relu") return sum > 0 ? sum : 0;
  if (kind === "rbf") return powerOfTwo(sum);
  if (kind === "sigmoid") return round(1 / round(1 + powerOfTwo(round(sum * -LOG2_E))));
  return round(1 - round(2 / round(1 + powerOfTwo(round(sum * round(2 * LOG2_E))))));
}

/**
 * Returns the outputs of a network. Genes are weights by layer and node, then centers, then widths or biases;
 * then the weights of each output.
 * @param {NetworkModel} model @param {Float32Array} genes @param {number[]} row
 */
function networkOutputs(model, genes, row) {
  let [values, at] = [row, 0];
  for (const [nodes, kind] of model.layers) {
    const count = values.length;
    const [centers, last] = [at + nodes * count, at + nodes * count * (kind === "rbf" ? 2 : 1)];
    const before = values;
    const weights = at;
    values = Array.from({ length: nodes }, (_, node) => {
      const start = weights + node * count;
      const own = genes[last + node];
      if (kind === "rbf") {
        let distance = 0;
        for (let input = 0; input < count; input += 1) {
          const apart = fused(genes[start + input], before[input], -genes[centers + node * count + input]);
          distance = fused(apart, apart, distance);
        }
        return activated(kind, Math.fround(own * distance));
      }
      let sum = own;
      for (let input = 0; input < count; input += 1) sum = fused(genes[start + input], before[input], sum);
      return activated(kind, sum);
    });
    at = last + nodes;
  }
  return Array.from({ length: model.outputs }, (_, place) => {
    const first = at + place * values.length;
    let output = 0;
    for (const [node, value] of values.entries()) output = fused(genes[first + node], value, output);
    return Number.isFinite(output) ? output + 0 : -Infinity;
  });
}

/** Returns the natural logarithm of 1 + x for x from 0: s_log1p.c of FreeBSD's msun. @param {number} x */
function log1p(x) {
  DOUBLE[0] = x;
  const high = HALVES[1 - LOWER];
  if (high < 0x3ca00000 || !Number.isFinite(x)) return x;
  let [k, c, f] = [0, 0, x];
  if (high >= 0x3fda827a) {
    const whole = 1 + x;
    DOUBLE[0] = whole;
    const shifted = HALVES[1 - LOWER] + (0x3ff00000 - 0x3fe6a09e);
    k = (shifted >>> 20) - 0x3ff;
    c = k < 54 ? (k >= 2 ? 1 - (whole - x) : x - (whole - 1)) / whole : 0;
    HALVES[1 - LOWER] = (shifted & 0xfffff) + 0x3fe6a09e;
    f = DOUBLE[0] - 1;
  }
  const half = 0.5 * f * f;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const odd =
    z *
    (6.66666666666673513e-1 +
      w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  return s * (half + (odd + even)) + (k * LN2_LOW + c) - half + f + k * LN2_HIGH;
}

/** Returns a value as a number; a missing number without odds of its own is NaN. @param {NetworkInput} input @param {Cell} cell */
function encodedCell([, kind, , , extra], cell) {
  const isMissing = cell === null || (typeof cell === "number" && Number.isNaN(cell));
  if (kind === "number") return isMissing ? NaN : Number(cell);
  if (kind === "truth") return isMissing ? NaN : cell ? 1 : 0;
  const [odds, missing, cuts] = extra;
  if (isMissing) return missing;
  if (kind === "steps") return odds[cuts.filter((/** @type {number} */ cut) => cut < Number(cell)).length];
  const found = odds.find((/** @type {[string, number]} */ pair) => pair[0] === cell);
  return found ? found[1] : 0;
}

/** Returns the inputs of the networks for a row. @param {NetworkModel} model @param {Cell[]} row */
function networkInputs(model, row) {
  return model.inputs.map((input) => {
    const number = encodedCell(input, row[input[0]]);
    if (Number.isNaN(number)) return 0;
    const moved = (number - input[2]) / input[3];
    return Math.fround(Math.min(Math.max(moved, -model.clip), model.clip));
  });
}

/** The genes of each network of a page, which are decoded once. */
const decodedGenes = /** @type {WeakMap<NetworkModel, Float32Array[]>} */ (new WeakMap());

/** Returns the genes of all networks. @param {NetworkModel} model @returns {Float32Array[]} */
function genesOf(model) {
  const known = decodedGenes.get(model);
  if (known) return known;
  const genes = model.members.map(([packed]) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(4 * at, true));
  });
  decodedGenes.set(model, genes);
  return genes;
}

/** Returns the scores of prepared inputs: the means over the networks. @param {NetworkModel} model @param {number[]} inputs */
function networkScores(model, inputs) {
  const sums = new Array(model.outputs).fill(0);
  genesOf(model).forEach((genes, at) => {
    const [, slope, offsets] = model.members[at];
    networkOutputs(model, genes, inputs).forEach((output, place) => {
      const scaled = model.logarithmic ? Math.sign(output) * log1p(Math.abs(output)) : output;
      sums[place] += slope * scaled + offsets[place];
    });
  });
  return sums.map((sum) => {
    const score = sum / Math.max(1, model.members.length);
    return Number.isFinite(score) ? score : -3.4028234663852886e38;
  });
}

/** Predicts a row. @param {NetworkModel} model @param {Cell[]} row @returns {Prediction} */
function predictByNetwork(model, row) {
  const found = networkScores(model, networkInputs(model, row));
  const curve = model.calibration;
  if (model.number) return { applied: [], scores: found, probabilities: null, predicted: found[0] };
  const scores = model.outputs === 1 ? [0, found[0]] : found;
  const values = scores.map((score, code) => (curve ? curve.slope * score + curve.offsets[code] : score));
  const probabilities = curve && softmax(values);
  if (model.outputs > 1) {
    return { applied: [], scores, probabilities, predicted: values.indexOf(Math.max(...values)) };
  }
  const margin = curve ? curve.slope * scores[1] + (curve.offsets[1] - curve.offsets[0]) : scores[1];
  return { applied: [], scores, probabilities, predicted: margin > 0 ? 1 : 0 };
}
