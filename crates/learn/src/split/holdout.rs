//! A single stratified split.

use super::{Split, SplitError, by_class};
use crate::rng::Streams;

/// Holds out a share of the examples, about the same share of each class.
///
/// The test data has `fraction` of all examples, rounded, but neither side is empty. Each class
/// contributes its share rounded down, and the classes with the largest remainders one more (in a
/// tie, the smaller code), so no class is off by a whole example.
///
/// # Errors
/// If the fraction is not between 0 and 1 or there are fewer than two examples.
pub fn holdout(codes: &[u32], fraction: f64, seed: u64) -> Result<Split, SplitError> {
    if !(fraction > 0.0 && fraction < 1.0) {
        return Err(SplitError::Fraction(fraction));
    }
    if codes.len() < 2 {
        return Err(SplitError::TooFewExamples(codes.len()));
    }
    let wanted = whole((fraction * codes.len() as f64).round()).clamp(1, codes.len() - 1);
    let classes = by_class(codes)?;
    // Each class with its share rounded down, then one more for the largest remainders.
    let mut gives: Vec<(u32, usize, f64)> = classes
        .iter()
        .map(|(&code, members)| {
            let exact = fraction * members.len() as f64;
            (code, whole(exact), exact - exact.floor())
        })
        .collect();
    gives.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    let mut missing = wanted.saturating_sub(gives.iter().map(|give| give.1).sum());
    let mut stream = Streams::new(seed).stream(&["holdout".into()]);
    for give in &mut gives {
        let more = missing.min(1);
        give.1 += more;
        missing -= more;
    }
    gives.sort_by_key(|give| give.0);
    let mut held_out = vec![false; codes.len()];
    for ((_, count, _), members) in gives.into_iter().zip(classes.values()) {
        let mut members = members.clone();
        stream.shuffle(&mut members);
        members.iter().take(count).for_each(|&example| held_out[example as usize] = true);
    }
    let (test, train) = (0_u32..).take(codes.len()).partition(|&e| held_out[e as usize]);
    Ok(Split { repeat: 0, fold: 0, train, test })
}

/// Returns the whole part of a number of examples.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a length")]
fn whole(number: f64) -> usize {
    number.floor() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn class_shares_are_kept(
            codes in prop::collection::vec(0_u32..4, 2..200),
            fraction in 0.01_f64..0.99,
            seed: u64,
        ) {
            let split = holdout(&codes, fraction, seed).expect("two examples");
            prop_assert_eq!(split.train.len() + split.test.len(), codes.len());
            prop_assert!(!split.train.is_empty() && !split.test.is_empty());
            prop_assert!((split.test.len() as f64 - fraction * codes.len() as f64).abs() <= 1.0);
            for class in 0..4 {
                let all = codes.iter().filter(|&&c| c == class).count() as f64;
                let held = split.test.iter().filter(|&&e| codes[e as usize] == class);
                let held = held.count() as f64;
                prop_assert!((held - fraction * all).abs() <= 1.0 + 1e-9, "{} of {}", held, all);
            }
            prop_assert_eq!(holdout(&codes, fraction, seed).expect("again"), split);
        }
    }

    #[test]
    fn impossible_fractions_are_rejected() {
        assert_eq!(holdout(&[0, 1], 1.0, 0), Err(SplitError::Fraction(1.0)));
        assert!(holdout(&[0, 1], f64::NAN, 0).is_err());
        assert_eq!(holdout(&[0], 0.5, 0), Err(SplitError::TooFewExamples(1)));
    }

    #[test]
    fn the_baseline_is_the_majority_class_of_the_training_data() {
        let codes = [0, 0, 0, 1, 1];
        let split = Split { repeat: 0, fold: 0, train: vec![0, 1, 3], test: vec![2, 4] };
        assert_eq!(split.baseline(&codes), 0.5);
        let tie = Split { repeat: 0, fold: 0, train: vec![0, 3], test: vec![1, 2] };
        assert_eq!(tie.baseline(&codes), 1.0, "in a tie the smaller code");
    }
}
