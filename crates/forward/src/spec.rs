//! The specification: one row and one node at a time, one number after the other.
//!
//! Floats do not add up to the same sum in every order, so the order is part of what is said here: inputs
//! from the first to the last, nodes from the first to the last, each step one correctly rounded operation,
//! and every `a·b + c` a fused one. The exponential is spelled out too ([`exp2`]). A backend that keeps to it
//! gives every score to the last bit, and ranks follow.
//!
//! Nothing here knows of tiles, vectors or threads. It is slow on purpose and never deleted.

use crate::{Activation, Ask, Inputs, Pairs, Part, Ranks, Shape, Top, Width};
use pellucid_bits::as_u32;
use std::f32::consts::LOG2_E;

/// The smallest exponent of `e` that is told apart.
pub const SMALLEST_EXPONENT: f64 = -87.0;
/// The largest exponent of `e`. A node may grow up to `e^60`, about 1e26, so that sums of nodes stay far
/// below the largest float, 3e38, whatever weights a search finds: rows keep their order, and no score
/// becomes infinite.
pub const LARGEST_EXPONENT: f64 = 60.0;
/// The smallest exponent of two.
pub const LEAST: f32 = -87.0 * LOG2_E;
/// The largest exponent of two.
pub const MOST: f32 = 60.0 * LOG2_E;
/// Added to a number below 2²² it leaves no room for a fraction, and the whole number is in the last bits.
pub const ROUNDER: f32 = 12_582_912.0;
/// `2^f` for `f` within a half of 0 is `1 + f·(C[0] + f·(C[1] + …))`, to 1.1e-7 of its size and exact at 0.
/// The coefficients have the least largest relative error that was found, rounded to floats.
pub const COEFFICIENTS: [f32; 5] = [
    f32::from_bits(0x3f31_7215),
    f32::from_bits(0x3e75_fcde),
    f32::from_bits(0x3d63_5ba9),
    f32::from_bits(0x3c1e_7545),
    f32::from_bits(0x3aad_dd0b),
];

/// Two to a power between [`LEAST`] and [`MOST`]: powers outside count as the nearest of the two, and what is
/// no number as the least. The result is always a finite positive number, never a denormal one.
#[must_use]
pub fn exp2(power: f32) -> f32 {
    // Written as it is, not with `max` and `min`: a comparison with what is no number fails.
    let power = if power > LEAST { power } else { LEAST };
    let power = if power < MOST { power } else { MOST };
    let rounded = power + ROUNDER;
    let fraction = power - (rounded - ROUNDER);
    let mut sum = COEFFICIENTS[4];
    for &coefficient in COEFFICIENTS[..4].iter().rev() {
        sum = sum.mul_add(fraction, coefficient);
    }
    let sum = sum.mul_add(fraction, 1.0);
    // The whole number goes to where the exponent is; everything above it in `rounded` is shifted out.
    f32::from_bits(sum.to_bits().wrapping_add(rounded.to_bits() << 23))
}

/// What the squared distance of an RBF node is multiplied by, to get a power of two: its width, negated and
/// in units of two. It is worked out once for a network, in double precision by code that is the same
/// everywhere.
#[must_use]
pub fn falloff(width: Width, gene: f32) -> f32 {
    let width = match width {
        Width::Raw => gene,
        Width::Softplus => softplus(gene),
    };
    -(width * LOG2_E)
}

/// `ln(1 + e^gene)`, which is never negative.
#[must_use]
pub fn softplus(gene: f32) -> f32 {
    let gene = f64::from(gene);
    // From here on they are equal to more digits than there are.
    let exact = if gene > 40.0 { gene } else { libm::log1p(libm::exp(gene)) };
    // Rounded to the nearest float.
    #[expect(clippy::cast_possible_truncation)]
    let rounded = exact as f32;
    rounded
}

/// What a node that sums up makes of its sum.
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

/// What a node gives for some values.
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

/// The score of a row: the network's output, or minus infinity where that is infinite or no number, so that
/// such rows rank last and tie. No score is -0.
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

/// The scores of all rows, in the order of the file.
#[must_use]
pub fn scores(shape: &Shape, genes: &[f32], inputs: &Inputs) -> Vec<f32> {
    (0..inputs.rows()).map(|row| score(shape, genes, &inputs.row(row))).collect()
}

/// What the scores of a network, given by place, say about a part.
pub(crate) fn ranks(inputs: &Inputs, scores: &[f32], ask: &Ask) -> Ranks {
    let part = inputs.part(ask.part);
    let members = |of: std::ops::Range<usize>| -> Vec<f32> {
        of.filter(|&place| part.has(place)).map(|place| scores[place]).collect()
    };
    let positives = members(0..inputs.positives());
    let negatives = members(inputs.positives()..inputs.rows());
    Ranks {
        top: ask.top.map_or(Top::default(), |wanted| top(&positives, &negatives, wanted)),
        pairs: if ask.pairs { pairs(&positives, &negatives) } else { Pairs::default() },
        ..nothing_known(part)
    }
}

/// What is known of a part before anything is scored.
pub(crate) fn nothing_known(part: &Part) -> Ranks {
    Ranks { rows: as_u32(part.rows()), positives: as_u32(part.positives()), ..Ranks::default() }
}

/// Who is among so many of the best. Scores are as [`score`] gives them.
///
/// # Panics
/// When fewer than one or more than all are wanted.
#[must_use]
pub fn top(positives: &[f32], negatives: &[f32], wanted: usize) -> Top {
    let mut all = [positives, negatives].concat();
    all.sort_unstable_by(|one, other| other.total_cmp(one));
    let threshold = all[wanted - 1];
    let count = |scores: &[f32], which: fn(f32, f32) -> bool| {
        as_u32(scores.iter().filter(|&&score| which(score, threshold)).count())
    };
    Top {
        wanted: as_u32(wanted),
        above: count(&all, |score, threshold| score > threshold),
        tied: count(&all, |score, threshold| score == threshold),
        positives_above: count(positives, |score, threshold| score > threshold),
        positives_tied: count(positives, |score, threshold| score == threshold),
    }
}

/// Every positive against every negative.
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
    fn powers_of_two_are_as_good_as_promised() {
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
    fn activations_are_what_they_are_called() {
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

    /// The network of the paper, by hand.
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
    fn what_is_not_finite_ranks_last() {
        let shape =
            Shape::new(1, &[Layer { nodes: 2, activation: Activation::Relu }]).expect("a shape");
        let huge = 3e38;
        let genes = [1.0, 1.0, 0.0, 0.0, huge, -huge];
        // Too large alone, and then less the same: no number.
        assert_eq!(score(&shape, &genes, &[2.0]), f32::NEG_INFINITY);
        assert_eq!(score(&shape, &[1.0, 0.0, 0.0, 0.0, huge, 0.0], &[2.0]), f32::NEG_INFINITY);
        assert_eq!(score(&shape, &[0.0, 0.0, 0.0, 0.0, -0.0, -0.0], &[2.0]).to_bits(), 0);
    }
}
