//! Whether the comparisons of many formulas are few, judged by a sample.

use super::Formulas;

/// The number of literals in a sample.
const SAMPLE: usize = 256;

/// How often comparisons are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variety {
    /// At most about 160 different comparisons: most of a sample are repeated.
    Few,
    /// Something in between, or unknown.
    Medium,
    /// At least about 4,000 different comparisons: hardly any of a sample is repeated.
    Many,
}

impl Formulas {
    /// Returns how often comparisons are repeated in a sample of all formulas.
    pub(crate) fn variety(&self) -> Variety {
        let step = self.tokens.len().div_ceil(SAMPLE).max(1);
        let mut sample: Vec<u64> = self.tokens.iter().step_by(step).map(|token| token.0).collect();
        let sampled = sample.len();
        sample.sort_unstable();
        sample.dedup();
        match sample.len() {
            distinct if 2 * distinct <= sampled => Variety::Few,
            distinct if 32 * distinct >= 31 * sampled => Variety::Many,
            _ => Variety::Medium,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Literal;

    #[test]
    fn variety_follows_the_number_of_comparisons() {
        for (comparisons, expected) in [
            (1, Variety::Few),
            (60, Variety::Few),
            (1_000, Variety::Medium),
            (20_000, Variety::Many),
        ] {
            let mut formulas = Formulas::new();
            let mut chance = 1_u64;
            for _ in 0..5_000 {
                for _ in 0..3 {
                    chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let number = (chance >> 33) % comparisons;
                    let number = u32::try_from(number).expect("a small number");
                    formulas.literal(Literal::new(number % 7, number / 7, false));
                }
                formulas.end_group();
                formulas.end_root();
            }
            assert_eq!(formulas.variety(), expected, "{comparisons} comparisons");
        }
    }
}
