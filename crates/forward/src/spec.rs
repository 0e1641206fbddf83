//! The specification: one row and one node at a time.
//!
//! Sums of floats depend on the order of the additions, so the order is part of the specification:
//! inputs and nodes in ascending order, every step one correctly rounded operation, and every
//! `a·b + c` fused. The exponential function is specified too ([`exp2`]). A backend that follows it
//! computes every score to the last bit, and therefore the same ranks.
//!
//! This module knows nothing of tiles, vectors or threads. It is slow on purpose and serves as the
//! reference.

use crate::{Activation, Inputs, Pairs, RankRequest, Ranks, RowPart, Shape, TopCounts, Width};
use pellucid_bits::as_u32;
use std::f32::consts::LOG2_E;

/// The smallest exponent of `e`; smaller ones are clamped.
pub const SMALLEST_EXPONENT: f64 = -87.0;
/// The largest exponent of `e`. A node may grow up to `e^60`, about 1e26, so that sums of nodes
/// stay far below the largest float, 3e38, for any weights that a search finds. Rows keep their
/// order, and no score becomes infinite.
pub const LARGEST_EXPONENT: f64 = 60.0;
/// The smallest exponent of two.
pub const LEAST: f32 = -87.0 * LOG2_E;
/// The largest exponent of two.
pub const MOST: f32 = 60.0 * LOG2_E;
/// Adding it to a number below 2²² rounds the number to an integer in the last bits.
pub const ROUNDER: f32 = 12_582_912.0;
/// `2^f` for `|f|` up to one half is `1 + f·(C[0] + f·(C[1] + …))`, with a relative error of
/// 1.1e-7, and exact at 0. The coefficients minimize the largest relative error, rounded to floats.
pub const COEFFICIENTS: [f32; 5] = [
    f32::from_bits(0x3f31_7215),
    f32::from_bits(0x3e75_fcde),
    f32::from_bits(0x3d63_5ba9),
    f32::from_bits(0x3c1e_7545),
    f32::from_bits(0x3aad_dd0b),
];

/// Returns two to a power between [`LEAST`] and [`MOST`]. Powers outside of that range are clamped,
/// and NaN counts as the least. The result is always finite, positive and normal.
#[must_use]
pub fn exp2(power: f32) -> f32 {
    // Not `max` and `min`, because comparisons with NaN must be false.
    let power = if power > LEAST { power } else { LEAST };
    let power = if power < MOST { power } else { MOST };
    let rounded = power + ROUNDER;
    let fraction = power - (rounded - ROUNDER);
    let mut sum = COEFFICIENTS[4];
    for &coefficient in COEFFICIENTS[..4].iter().rev() {
        sum = sum.mul_add(fraction, coefficient);
    }
    let sum = sum.mul_add(fraction, 1.0);
    // The integer is added to the exponent; the bits above it in `rounded` are shifted out.
    f32::from_bits(sum.to_bits().wrapping_add(rounded.to_bits() << 23))
}

/// Returns the factor of the squared distance of an RBF node in a power of two: the negated width
/// in units of log2. It is computed once per network, in double precision, with code that gives the
/// same result everywhere.
#[must_use]
pub fn falloff(width: Width, gene: f32) -> f32 {
    let width = match width {
        Width::Raw => gene,
        Width::Softplus => softplus(gene),
    };
    -(width * LOG2_E)
}

/// Returns `ln(1 + e^gene)`, which is never negative.
#[must_use]
pub fn softplus(gene: f32) -> f32 {
    let gene = f64::from(gene);
    // Beyond this, both are equal in double precision.
    let exact = if gene > 40.0 { gene } else { libm::log1p(libm::exp(gene)) };
    // Rounded to the nearest float.
    #[expect(clippy::cast_possible_truncation)]
    let rounded = exact as f32;
    rounded
}

/// Returns the activation of a sum.
#[must_use]
pub fn activate(activation: Activation, sum: f32) -> f32 {
    match activation {
        Activation::Rbf(_) => exp2(sum),
        Activation::Sigmoid => 1.0 / (1.0 + exp2(sum * -LOG2_E)),
        Activation::Tanh => 1.0 - 2.0 / (1.0 + exp2(sum * (2.0 * LOG2_E))),
        Activation::Relu => {
            if sum > 0.0 {
                sum
            } else {
                0.0
            }
        }
    }
}

/// Returns the output of a node.
#[must_use]
pub fn respond(shape: &Shape, genes: &[f32], layer: usize, node: usize, values: &[f32]) -> f32 {
    let activation = shape.layers()[layer].activation;
    let weights = &genes[shape.weights_of(layer, node)];
    let once = genes[shape.width_or_bias_of(layer, node)];
    if let Activation::Rbf(width) = activation {
        let centres = &genes[shape.centres_of(layer, node)];
        let mut distance = 0.0f32;
        for ((&value, &weight), &centre) in values.iter().zip(weights).zip(centres) {
            let apart = weight.mul_add(value, -centre);
            distance = apart.mul_add(apart, distance);
        }
        return activate(activation, falloff(width, once) * distance);
    }
    let mut sum = once;
    for (&value, &weight) in values.iter().zip(weights) {
        sum = weight.mul_add(value, sum);
    }
    activate(activation, sum)
}

/// Returns the score of a row: the output of the network, or minus infinity if the output is not
/// finite, so that such rows rank last and tie. No score is -0.
#[must_use]
pub fn score(shape: &Shape, genes: &[f32], row: &[f32]) -> f32 {
    let mut values = row.to_vec();
    for (number, layer) in shape.layers().iter().enumerate() {
        values =
            (0..layer.nodes).map(|node| respond(shape, genes, number, node, &values)).collect();
    }
    let mut output = 0.0f32;
    for (&value, &weight) in values.iter().zip(&genes[shape.outputs()]) {
        output = weight.mul_add(value, output);
    }
    let score = output + 0.0;
    if score.is_finite() { score } else { f32::NEG_INFINITY }
}

/// Returns the scores of all rows, in the order of the file.
#[must_use]
pub fn scores(shape: &Shape, genes: &[f32], inputs: &Inputs) -> Vec<f32> {
    (0..inputs.rows()).map(|row| score(shape, genes, &inputs.row(row))).collect()
}

/// Returns the statistics of a part from the scores of a network, by position.
pub(crate) fn ranks(inputs: &Inputs, scores: &[f32], ask: &RankRequest) -> Ranks {
    let part = inputs.part(ask.part);
    let members = |of: std::ops::Range<usize>| -> Vec<f32> {
        of.filter(|&place| part.has(place)).map(|place| scores[place]).collect()
    };
    let positives = members(0..inputs.positives());
    let negatives = members(inputs.positives()..inputs.rows());
    Ranks {
        top: ask.top.map_or(TopCounts::default(), |wanted| top(&positives, &negatives, wanted)),
        pairs: if ask.pairs { pairs(&positives, &negatives) } else { Pairs::default() },
        ..nothing_known(part)
    }
}

/// Returns the statistics of a part before anything is scored.
pub(crate) fn nothing_known(part: &RowPart) -> Ranks {
    Ranks { rows: as_u32(part.rows()), positives: as_u32(part.positives()), ..Ranks::default() }
}

/// Returns the statistics of the top. Scores are those of [`score`].
///
/// # Panics
/// When the size of the top is out of range.
#[must_use]
pub fn top(positives: &[f32], negatives: &[f32], wanted: usize) -> TopCounts {
    let mut all = [positives, negatives].concat();
    all.sort_unstable_by(|one, other| other.total_cmp(one));
    let threshold = all[wanted - 1];
    let count = |scores: &[f32], which: fn(f32, f32) -> bool| {
        as_u32(scores.iter().filter(|&&score| which(score, threshold)).count())
    };
    TopCounts {
        wanted: as_u32(wanted),
        above: count(&all, |score, threshold| score > threshold),
        tied: count(&all, |score, threshold| score == threshold),
        positives_above: count(positives, |score, threshold| score > threshold),
        positives_tied: count(positives, |score, threshold| score == threshold),
    }
}

/// Counts the pairs of positives and negatives.
#[must_use]
pub fn pairs(positives: &[f32], negatives: &[f32]) -> Pairs {
    let mut pairs = Pairs::default();
    for positive in positives {
        for negative in negatives {
            pairs.won += u64::from(positive > negative);
            pairs.tied += u64::from(positive == negative);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Layer;

    #[test]
    fn powers_of_two_are_accurate() {
        let mut worst = 0.0f64;
        for step in 0..2_000_000 {
            let power = LEAST + (MOST - LEAST) * (step as f32 / 2e6);
            let exact = f64::from(power).exp2();
            worst = worst.max((f64::from(exp2(power)) - exact).abs() / exact);
        }
        assert!(worst < 2.5e-7, "{worst}");
        for whole in -125..=86i16 {
            assert_eq!(exp2(f32::from(whole)), 2.0f32.powi(whole.into()));
        }
        for (odd, as_if) in
            [(f32::NAN, LEAST), (f32::INFINITY, MOST), (f32::NEG_INFINITY, LEAST), (1e30, MOST)]
        {
            assert_eq!(exp2(odd), exp2(as_if));
        }
        assert!(exp2(LEAST).is_normal() && exp2(MOST).is_normal());
        assert!((f64::from(exp2(LEAST)) / SMALLEST_EXPONENT.exp() - 1.0).abs() < 1e-5);
        assert!((f64::from(exp2(MOST)) / LARGEST_EXPONENT.exp() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn activations_match_their_definitions() {
        for step in -400..=400i16 {
            let sum = f32::from(step) / 16.0;
            let exact = f64::from(sum);
            let near = |activation, expected: f64| {
                let found = f64::from(activate(activation, sum));
                assert!(
                    (found - expected).abs() < 4e-7,
                    "{activation:?} of {sum}: {found} and {expected}"
                );
            };
            near(Activation::Sigmoid, 1.0 / (1.0 + (-exact).exp()));
            near(Activation::Tanh, exact.tanh());
            near(Activation::Relu, exact.max(0.0));
            let smooth = if exact > 30.0 { exact } else { exact.exp().ln_1p() };
            assert!((f64::from(softplus(sum)) - smooth).abs() <= 1e-7 * smooth.max(1e-30), "{sum}");
        }
        assert_eq!(softplus(f32::NEG_INFINITY), 0.0);
        assert_eq!(softplus(1e30), 1e30);
    }

    /// The network of the paper, computed by hand.
    #[test]
    fn a_small_network_by_hand() {
        let shape = Shape::new(2, &[Layer { nodes: 2, activation: Activation::Rbf(Width::Raw) }])
            .expect("a shape");
        let genes = [
            1.0, 2.0, 0.0, 0.5, /* centres */ 0.5, -1.0, 0.0, 0.25, /* widths */ 0.3,
            -0.2, /* outputs */ 2.0, -1.0,
        ];
        let distance: [f64; 2] = [
            (1.5f64 - 0.5).powi(2) + (2.0f64 * 0.75 + 1.0).powi(2),
            (0.5f64 * 0.75 - 0.25).powi(2),
        ];
        let expected = 2.0 * (-0.3 * distance[0]).exp() - (0.2 * distance[1]).exp();
        let found = f64::from(score(&shape, &genes, &[1.5, 0.75]));
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }

    #[test]
    fn scores_that_are_not_finite_rank_last() {
        let shape =
            Shape::new(1, &[Layer { nodes: 2, activation: Activation::Relu }]).expect("a shape");
        let huge = 3e38;
        let genes = [1.0, 1.0, 0.0, 0.0, huge, -huge];
        // Infinity minus infinity is NaN.
        assert_eq!(score(&shape, &genes, &[2.0]), f32::NEG_INFINITY);
        assert_eq!(score(&shape, &[1.0, 0.0, 0.0, 0.0, huge, 0.0], &[2.0]), f32::NEG_INFINITY);
        assert_eq!(score(&shape, &[0.0, 0.0, 0.0, 0.0, -0.0, -0.0], &[2.0]).to_bits(), 0);
    }
}
