//! Fits the sets of values in a condition to the residuals.
//!
//! The set of a rule in the population is partly chance: a value that hardly occurs in its niche may
//! be in it or not. For the model a set gets the values that belong together. (Bounds of intervals
//! stay as they evolved: the best ones for the training data overfit it.)

use super::residual::{Residuals, Share};
use pellucid_bits::{BLOCK_BITS, words};
use pellucid_data::MISSING;
use pellucid_matching::{CodeDomain, CodedExamples, Coverage, Test, spec};

/// Gives every test of a nominal column the set of values with the largest gain.
pub(super) fn fit_sets(
    tests: &mut [Test],
    residuals: &Residuals,
    examples: &CodedExamples,
    coverage: &mut Coverage<'_>,
) {
    for place in 0..tests.len() {
        let domain = examples.domains()[tests[place].attribute as usize];
        if domain.is_set {
            let others = [&tests[..place], &tests[place + 1..]].concat();
            let shares = by_code(tests[place].attribute, &others, residuals, examples, coverage);
            tests[place] = best_set(tests[place], &shares, residuals, domain);
        }
    }
}

/// Returns the sums of the examples that satisfy some tests, by the code of a column.
fn by_code(
    attribute: u32,
    tests: &[Test],
    residuals: &Residuals,
    examples: &CodedExamples,
    coverage: &mut Coverage<'_>,
) -> Vec<Share> {
    let attribute = attribute as usize;
    let mut shares = vec![Share::default(); examples.domains()[attribute].codes as usize];
    let covered = coverage.of(tests).to_vec();
    for (block, (covered, rows)) in
        covered.iter().zip(coverage.rows().chunks(BLOCK_BITS)).enumerate()
    {
        for place in words::members(&covered.0) {
            let code = examples.row(rows[place] as usize)[attribute];
            if code != MISSING {
                shares[code as usize].add(residuals.example(block * BLOCK_BITS + place));
            }
        }
    }
    shares
}

/// The minimum z-score of the mean residual of a value in a set. Other values would make a set longer and
/// hardly matter.
const MIN_SCORE: f64 = 1.5;
/// The share of the gain that a set may lose by leaving out such values.
const MAX_LOSS: f64 = 0.1;

/// Returns the best set of values: those with the highest mean residuals, or the lowest if the test
/// lowers the number. It does not have all values.
fn best_set(test: Test, shares: &[Share], residuals: &Residuals, domain: CodeDomain) -> Test {
    let sum = |codes: &mut dyn Iterator<Item = u32>| {
        codes.fold(Share::default(), |mut sum, code| {
            sum.add(shares[code as usize]);
            sum
        })
    };
    let before = sum(&mut (0..domain.codes).filter(|&code| spec::satisfies(domain, &test, code)));
    let sign = if before.residual < 0.0 { -1.0 } else { 1.0 };
    let mean = |code: u32| sign * shares[code as usize].residual / shares[code as usize].weight;
    let is_clear = |&code: &u32| {
        let share = shares[code as usize];
        share.weight > 0.0
            && sign * share.residual > 0.0
            && residuals.significance(share) >= MIN_SCORE * MIN_SCORE
    };
    let mut codes: Vec<u32> = (0..domain.codes).filter(is_clear).collect();
    codes.sort_by(|&one, &other| mean(other).total_cmp(&mean(one)).then(one.cmp(&other)));
    let least = (1.0 - MAX_LOSS) * residuals.gain_of(before);
    let (mut best, mut set, mut sums) = ((least, test), 0, Share::default());
    let most = (domain.codes as usize).saturating_sub(1);
    for code in codes.into_iter().take(most) {
        sums.add(shares[code as usize]);
        set |= 1 << code;
        let gain = residuals.gain_of(sums);
        if gain > best.0 {
            best = (gain, Test::one_of(test.attribute, set));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_bits::Level;
    use pellucid_ruleset::number::{Loss, NumberFit};

    #[test]
    fn a_set_gets_the_values_that_belong_together() {
        // Values 0, 1 and 2 of six raise the number, inside the lower half of another column.
        let rows = 0..240_u32;
        let codes: Vec<u32> = rows.clone().flat_map(|row| [row % 6, row / 120]).collect();
        let number = |row: u32| if row % 6 < 3 && row < 120 { 10.0 } else { 0.0 };
        let numbers: Vec<f64> = rows.clone().map(number).collect();
        let domains = vec![CodeDomain::nominal(6), CodeDomain::ordered(2)];
        let examples = CodedExamples::new(domains, codes).expect("codes");
        let mut fit = NumberFit::new(&numbers, vec![1.0; 240].into(), Loss::Squared);
        fit.refit();
        let residuals = Residuals::of(&fit);
        let mut coverage = Coverage::new(Level::Portable, &examples, rows.collect());
        let within = |set: u64| vec![Test::one_of(0, set), Test::between(1, 0, 0)];
        for set in [0b1, 0b101, 0b1011, 0b111] {
            let mut tests = within(set);
            fit_sets(&mut tests, &residuals, &examples, &mut coverage);
            assert_eq!(tests, within(0b111), "{set:b}");
        }
        for set in [0b1000, 0b11_1000] {
            let mut tests = vec![Test::one_of(0, set)];
            fit_sets(&mut tests, &residuals, &examples, &mut coverage);
            assert_eq!(tests, [Test::one_of(0, 0b11_1000)], "{set:b}");
        }
    }
}
