//! The log loss of scores whose scale is unknown.

/// The most examples used to find the scale of a model's scores.
const MOST_FOR_SCALE: usize = 2048;

/// Returns the log loss of scaled scores; at most 5.
#[must_use]
pub fn log_loss(scores: &[f64], actual: usize, scale: f64) -> f64 {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = scores.iter().map(|score| libm::exp(scale * (score - top))).sum();
    (libm::log(total) + scale * (top - scores[actual])).min(5.0)
}

/// Returns the factor for scores that minimizes the log loss, on a few thousand of `count` examples. It is
/// between 2 to the power of both limits. `example` returns the scores, the class and the weight of an
/// example, if it is scored.
pub fn best_scale(
    count: usize,
    (least, most): (f64, f64),
    example: impl Fn(usize) -> Option<(Vec<f64>, u32, f64)>,
) -> f64 {
    let step = count.div_ceil(MOST_FOR_SCALE).max(1);
    let sampled: Vec<_> = (0..count).step_by(step).filter_map(example).collect();
    let total_loss = |power: f64| {
        let factor = libm::exp2(power);
        let loss = |(scores, actual, weight): &(Vec<f64>, u32, f64)| {
            weight * log_loss(scores, *actual as usize, factor)
        };
        sampled.iter().map(loss).sum()
    };
    libm::exp2(lowest(total_loss, least, most))
}

/// Returns the minimum of a unimodal function to about 0.01, by golden-section search.
fn lowest(function: impl Fn(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (to - golden * (to - from), from + golden * (to - from));
    let (mut at_left, mut at_right) = (function(left), function(right));
    while to - from > 0.02 {
        if at_left <= at_right {
            (to, right, at_right) = (right, left, at_left);
            left = to - golden * (to - from);
            at_left = function(left);
        } else {
            (from, left, at_left) = (left, right, at_right);
            right = from + golden * (to - from);
            at_right = function(right);
        }
    }
    f64::midpoint(from, to)
}
