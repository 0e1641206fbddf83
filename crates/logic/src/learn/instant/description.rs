//! The selection of a candidate by minimum description length.
//!
//! The best candidate on the training examples is often a long one that memorizes them. The one with the
//! shortest description of the labels is preferred: it has a literal more only if that corrects enough
//! examples.

use super::choose::Candidate;
use super::literals::Literals;
use super::scored;
use crate::learn::{ExpressionScore, LogicError, SearchContext};
use pellucid_program::ProgramId;

/// Prefers the candidate with the shortest description of the labels, unless there is a solution.
pub(super) fn prefer_short(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
) -> Result<(), LogicError> {
    let (programs, scores) = scored(context, made, sets)?;
    prefer_shortest(context, made, sets, &programs, &scores)
}

/// Does the same, given the programs and scores of all candidates.
pub(super) fn prefer_shortest(
    context: &mut SearchContext,
    made: &[Candidate],
    sets: &[Literals],
    programs: &[ProgramId],
    scores: &[ExpressionScore],
) -> Result<(), LogicError> {
    if context.is_solved() {
        return Ok(());
    }
    let examples = [context.task().positive.len() as u64, context.task().negative.len() as u64];
    let bits = |at: usize| {
        let covered = [scores[at].positive, scores[at].negative];
        let literals = sets[made[at].layer].len();
        description_bits(made[at].formula.literals(), literals, covered, examples)
    };
    let longest = context.options().length;
    let fitting = (0..made.len()).filter(|&at| scores[at].length <= longest);
    match fitting.min_by(|&one, &other| bits(one).total_cmp(&bits(other))) {
        Some(chosen) => context.prefer(programs[chosen], scores[chosen], f64::MAX),
        None => Ok(()),
    }
}

/// Returns the number of bits that describe the labels by a formula: which literals it has, and which
/// examples it classifies wrongly.
pub(super) fn description_bits(
    literals: usize,
    known: usize,
    [positive, negative]: [u64; 2],
    [positives, negatives]: [u64; 2],
) -> f64 {
    let (errors, examples) =
        ((positives - positive + negative) as f64, (positives + negatives) as f64);
    // Each literal is one of those known, plain or negated.
    literals as f64 * libm::log2(2.0 * known as f64)
        + examples * entropy((errors / examples).min(0.5))
}

/// The entropy of a share, in bits. The logarithm is the same on every system, unlike that of the standard
/// library, because it decides which candidate is selected.
fn entropy(share: f64) -> f64 {
    let term = |share: f64| if share > 0.0 { -share * libm::log2(share) } else { 0.0 };
    term(share) + term(1.0 - share)
}

#[cfg(test)]
mod tests {
    use super::description_bits;

    #[test]
    fn a_literal_is_worth_its_bits_if_it_corrects_enough_examples() {
        let of =
            |literals, errors: u64| description_bits(literals, 512, [100 - errors, 0], [100, 100]);
        // A literal takes ten bits.
        assert_eq!(of(3, 0), 30.0);
        assert_eq!(of(0, 100), 200.0);
        assert!(of(1, 40) < of(5, 30) && of(5, 0) < of(1, 40));
    }
}
