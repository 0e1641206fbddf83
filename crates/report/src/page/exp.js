// The exponential function with the same bits on every machine: e_exp.c of FreeBSD's msun
// (copyright 2004 Sun Microsystems, freely usable), as the library computes it.

const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const INVERSE_LN2 = 1.442695040888963387;

/** Returns e to the power of a number. @param {number} x */
function exp(x) {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893383973096) return Infinity;
  if (x < -745.13321910194110842) return 0;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const high = bits.getUint32(0) & 0x7fffffff;
  let k = 0;
  let upper = x;
  let lower = 0;
  if (high > 0x3fd62e42) {
    k = high >= 0x3ff0a2b2 ? Math.trunc(INVERSE_LN2 * x + (x < 0 ? -0.5 : 0.5)) : x < 0 ? -1 : 1;
    upper = x - k * LN2_HIGH;
    lower = k * LN2_LOW;
    x = upper - lower;
  } else if (high <= 0x3e300000) {
    return 1 + x;
  }
  const square = x * x;
  const c =
    x -
    square *
      (1.66666666666666019037e-1 +
        square *
          (-2.77777777770155933842e-3 +
            square *
              (6.61375632143793436117e-5 +
                square * (-1.6533902205465251539e-6 + square * 4.13813679705723846039e-8))));
  const y = 1 + ((x * c) / (2 - c) - lower + upper);
  if (k === 0) return y;
  if (k > 1023) return y * 2 * Math.pow(2, 1023);
  if (k < -1022) return y * Math.pow(2, -969) * Math.pow(2, k + 969);
  return y * Math.pow(2, k);
}

/** Returns the softmax of some numbers. @param {number[]} numbers */
function softmax(numbers) {
  const largest = numbers.reduce((most, number) => Math.max(most, number), -Infinity);
  const powers = numbers.map((number) => exp(number - largest));
  const sum = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / sum);
}
