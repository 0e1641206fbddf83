//! Scales one column. Distinct values are ranked, and thresholds are gaps between ranks. With `p`
//! gaps below a value, every scale assigns the value one or two ranges of attributes: the `p`-th
//! interval, all upper thresholds from the `p`-th on, or all lower thresholds before it.

use super::{ColumnScaling, Missing, Scale, ScaleError};
use crate::names::number_text;
use pellucid_data::{MISSING, Values};
use std::ops::Range;

/// A column with its attributes.
#[derive(Debug)]
pub(super) struct ScaledColumn {
    /// The names of the attributes.
    pub(super) names: Vec<String>,
    /// The rank of each value; [`MISSING`] if it is missing.
    ranks: Vec<u32>,
    /// The attributes of each rank.
    of_rank: Vec<[Range<u32>; 2]>,
    of_missing: Range<u32>,
}

impl ScaledColumn {
    /// Scales a column whose first attribute has the number `first`. With `must_fit`, an unsuitable
    /// scale is an error.
    pub(super) fn new(
        column: &str,
        values: &Values,
        scaling: ColumnScaling,
        must_fit: bool,
        first: usize,
    ) -> Result<ScaledColumn, ScaleError> {
        let (ranks, domain) = rank(values);
        let scale = if fits(scaling.scale, values, &domain) {
            scaling.scale
        } else if must_fit {
            return Err(misfit(column, scaling.scale, &domain));
        } else {
            Scale::Nominal
        };
        let gaps = match (scaling.cuts, values) {
            (Some(cuts), Values::Numeric(_)) => quantiles(&ranks, domain.len(), cuts),
            _ => (1..domain.len()).collect(),
        };
        let number = |offset: usize| first.saturating_add(offset).try_into().unwrap_or(u32::MAX);
        let run = |from: usize, to: usize| number(from)..number(to);
        let mut names = names(column, scale, &domain, &gaps);
        let below = |rank: usize| gaps.partition_point(|&gap| gap <= rank);
        let of = |rank: usize| match scale {
            Scale::Nominal => [run(below(rank), below(rank) + 1), run(0, 0)],
            Scale::AtMost => [run(below(rank), gaps.len()), run(0, 0)],
            Scale::AtLeast => [run(0, below(rank)), run(0, 0)],
            Scale::Interordinal => {
                [run(below(rank), gaps.len()), run(gaps.len(), gaps.len() + below(rank))]
            }
            Scale::Flag => [run(0, usize::from(flag(&domain[rank]) == Some(true))), run(0, 0)],
            Scale::Ignore => [run(0, 0), run(0, 0)],
        };
        let of_rank = (0..domain.len()).map(of).collect();
        let own_attribute = scaling.missing == Missing::Attribute
            && scale != Scale::Ignore
            && ranks.contains(&MISSING);
        let of_missing = run(names.len(), names.len() + usize::from(own_attribute));
        if own_attribute {
            names.push(format!("{column} is missing"));
        }
        Ok(ScaledColumn { names, ranks, of_rank, of_missing })
    }

    fn runs(&self, rank: u32) -> impl Iterator<Item = Range<u32>> {
        let known = self.of_rank.get(rank as usize);
        let missing = known.is_none().then(|| self.of_missing.clone());
        known.into_iter().flatten().cloned().chain(missing)
    }

    /// Appends the attributes of a value.
    pub(super) fn append(&self, index: usize, attributes: &mut Vec<u32>) {
        self.runs(self.ranks[index]).for_each(|run| attributes.extend(run));
    }

    /// Returns the number of crosses.
    pub(super) fn crosses(&self) -> u64 {
        self.ranks.iter().flat_map(|&rank| self.runs(rank)).map(|run| run.len() as u64).sum()
    }
}

/// Returns the rank of every value among the distinct ones, and the texts of these: numbers
/// ascending, categories in their order, false before true.
fn rank(values: &Values) -> (Vec<u32>, Vec<String>) {
    match values {
        Values::Numeric(values) => {
            // 0 and -0 are one value.
            let plain = |value: f64| if value == 0.0 { 0.0 } else { value };
            let known = values.iter().filter(|value| !value.is_nan());
            let mut domain: Vec<f64> = known.map(|&value| plain(value)).collect();
            domain.sort_unstable_by(f64::total_cmp);
            domain.dedup();
            let position =
                |value: f64| domain.binary_search_by(|known| known.total_cmp(&value)).ok();
            let rank = |&value: &f64| {
                position(plain(value)).and_then(|rank| u32::try_from(rank).ok()).unwrap_or(MISSING)
            };
            (
                values.iter().map(rank).collect(),
                domain.iter().map(|&value| number_text(value)).collect(),
            )
        }
        Values::Nominal { codes, categories } => keep_used(codes.clone(), categories),
        Values::Boolean(values) => {
            let code = |value: &Option<bool>| value.map_or(MISSING, u32::from);
            let categories = ["false".to_owned(), "true".to_owned()];
            keep_used(values.iter().map(code).collect(), &categories)
        }
    }
}

/// Keeps only the categories that occur, and renumbers the codes.
fn keep_used(mut codes: Vec<u32>, categories: &[String]) -> (Vec<u32>, Vec<String>) {
    let mut rank_of = vec![MISSING; categories.len()];
    for &code in codes.iter().filter(|&&code| code != MISSING) {
        rank_of[code as usize] = 0;
    }
    let mut kept = Vec::new();
    for ((rank, category), next) in
        rank_of.iter_mut().zip(categories).filter(|(rank, _)| **rank == 0).zip(0..)
    {
        *rank = next;
        kept.push(category.clone());
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING) {
        *code = rank_of[*code as usize];
    }
    (codes, kept)
}

/// Parses a flag.
fn flag(value: &str) -> Option<bool> {
    let is = |words: [&str; 3]| words.iter().any(|word| value.eq_ignore_ascii_case(word));
    is(["true", "yes", "1"]).then_some(true).or_else(|| is(["false", "no", "0"]).then_some(false))
}

fn fits(scale: Scale, values: &Values, domain: &[String]) -> bool {
    match scale {
        Scale::Nominal | Scale::Ignore => true,
        Scale::AtMost | Scale::AtLeast | Scale::Interordinal => {
            matches!(values, Values::Numeric(_))
        }
        Scale::Flag => domain.iter().all(|value| flag(value).is_some()),
    }
}

fn misfit(column: &str, scale: Scale, domain: &[String]) -> ScaleError {
    let column = column.to_owned();
    match scale {
        Scale::Flag => {
            let found = domain.iter().find(|value| flag(value).is_none()).cloned();
            ScaleError::NotFlag { column, found: found.unwrap_or_default() }
        }
        _ => ScaleError::NoOrder { column },
    }
}

/// Returns gaps with about equally many values between any two. A gap is identified by the rank
/// above it.
fn quantiles(ranks: &[u32], domain: usize, cuts: usize) -> Vec<usize> {
    let mut counts = vec![0u128; domain];
    ranks.iter().filter(|&&rank| rank != MISSING).for_each(|&rank| counts[rank as usize] += 1);
    let known: u128 = counts.iter().sum();
    let parts = cuts as u128 + 1;
    let mut gaps = Vec::new();
    // The next gap is due when `seen * parts` reaches `next * known`.
    let mut next = 1;
    let mut seen = 0;
    for (rank, count) in counts.iter().enumerate().take(domain.saturating_sub(1)) {
        seen += count;
        if next < parts && seen * parts >= next * known {
            gaps.push(rank + 1);
            next = seen * parts / known + 1;
        }
    }
    gaps
}

fn names(column: &str, scale: Scale, domain: &[String], gaps: &[usize]) -> Vec<String> {
    let at_most = gaps.iter().map(|&gap| format!("{column}<={}", domain[gap - 1]));
    let at_least = gaps.iter().map(|&gap| format!("{column}>={}", domain[gap]));
    match scale {
        Scale::Nominal if domain.is_empty() => Vec::new(),
        Scale::Nominal => {
            let starts = std::iter::once(0).chain(gaps.iter().copied());
            let ends = gaps.iter().copied().chain([domain.len()]);
            let interval = |(start, end): (usize, usize)| match end - start {
                1 => format!("{column}={}", domain[start]),
                _ => format!("{column} in [{}, {}]", domain[start], domain[end - 1]),
            };
            starts.zip(ends).map(interval).collect()
        }
        Scale::AtMost => at_most.collect(),
        Scale::AtLeast => at_least.collect(),
        Scale::Interordinal => at_most.chain(at_least).collect(),
        Scale::Flag => vec![column.to_owned()],
        Scale::Ignore => Vec::new(),
    }
}
