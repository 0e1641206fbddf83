//! Exponentials that many rows share: plain arithmetic, so that the compiler does sixteen at once and every instruction set
//! gives the same bits.

/// e to the power of x, to about two units in the last place. What would overflow or vanish is cut at e^88 and e^-87.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    /// Adding this puts the whole part of a small number into the last bits of the sum.
    const WHOLE: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + WHOLE;
    let whole = shifted - WHOLE;
    // ln 2 in two parts, the first short enough that its product with a whole number is exact.
    let rest = x - whole * 0.693_359_4;
    let rest = rest - whole * -2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    sum = sum * rest + 1.398_2e-3;
    sum = sum * rest + 8.333_452e-3;
    sum = sum * rest + 4.166_579_6e-2;
    sum = sum * rest + 1.666_666_5e-1;
    sum = sum * rest + 0.5;
    let power = sum * rest * rest + rest + 1.0;
    let places = shifted.to_bits().wrapping_sub(WHOLE.to_bits());
    power * f32::from_bits(places.wrapping_add(127) << 23)
}

/// 1 / (1 + e^-x).
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    2.0 * sigmoid(2.0 * x) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_exponential(x in -87.0_f32..88.0) {
            let truth = f64::from(x).exp();
            prop_assert!((f64::from(exp(x)) / truth - 1.0).abs() < 3e-7, "{x}: {} {truth}", exp(x));
        }
    }

    #[test]
    fn what_is_beyond_is_finite() {
        for x in [f32::INFINITY, 1e30, -1e30, f32::NEG_INFINITY] {
            assert!(exp(x).is_finite() && exp(x) > 0.0);
        }
        assert!(exp(f32::NAN).is_nan());
    }
}
