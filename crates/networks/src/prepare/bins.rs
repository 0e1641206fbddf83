//! Bins of values, and the log odds of the positive class in each bin.

use super::Encoding;
use pellucid_bits::as_u32;
use pellucid_data::MISSING;
use std::collections::BTreeMap;

/// The bin of rare values, whose log odds are 0.
pub(super) const OTHER: usize = 0;
/// The bin of missing values.
const ABSENT: usize = 1;
/// The first bin of ordinary values.
const FIRST: usize = 2;

/// The assignment of rows to bins.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// The bin of each row.
    pub(super) of_row: Vec<u32>,
    /// The number of bins.
    count: usize,
    meaning: Meaning,
    /// Whether missing values are frequent enough to have log odds of their own.
    missing_has_log_odds: bool,
}

/// The meaning of the bins from [`FIRST`] on.
#[derive(Clone, Debug)]
enum Meaning {
    Words(Vec<String>),
    /// The upper bounds of the bins; the last bin has none.
    Cuts(Vec<f64>),
}

impl Bins {
    /// Creates a bin for each category that occurs in enough rows. Returns `None` if all values are
    /// the same.
    pub(super) fn words(codes: &[u32], categories: &[String], rare: usize) -> Option<Bins> {
        let mut counts = vec![0_usize; categories.len()];
        let mut missing = 0;
        for &code in codes {
            match counts.get_mut(code as usize) {
                Some(count) => *count += 1,
                None => missing += 1,
            }
        }
        debug_assert!(codes.iter().all(|&code| code == MISSING || (code as usize) < counts.len()));
        let (bins, bin_of) = Bins::counted(&counts, missing, categories, rare)?;
        let bin = |&code: &u32| bin_of[(code as usize).min(categories.len())];
        Some(Bins { of_row: codes.iter().map(bin).collect(), ..bins })
    }

    /// Creates the same bins from the number of rows of each category and of missing values. Also
    /// returns the bin of each category, with that of missing values last.
    pub(super) fn counted(
        counts: &[usize],
        missing: usize,
        categories: &[String],
        rare: usize,
    ) -> Option<(Bins, Vec<u32>)> {
        let distinct = counts.iter().filter(|&&count| count > 0).count() + usize::from(missing > 0);
        if distinct < 2 {
            return None;
        }
        let mut bin_of = Vec::with_capacity(counts.len() + 1);
        let mut words = Vec::new();
        for (&count, word) in counts.iter().zip(categories) {
            if count >= rare.max(1) {
                bin_of.push(as_u32(FIRST + words.len()));
                words.push(word.clone());
            } else {
                bin_of.push(as_u32(OTHER));
            }
        }
        let missing_has_log_odds = missing >= rare.max(1);
        bin_of.push(as_u32(if missing_has_log_odds { ABSENT } else { OTHER }));
        let (count, meaning) = (FIRST + words.len(), Meaning::Words(words));
        Some((Bins { of_row: Vec::new(), count, meaning, missing_has_log_odds }, bin_of))
    }

    /// Creates bins with about equal numbers of rows. Returns `None` if there are fewer than two.
    pub(super) fn steps(numbers: &[f64], most: usize, rare: usize) -> Option<Bins> {
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|n| !n.is_nan()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let missing = numbers.len() - sorted.len();
        let missing_has_log_odds = missing >= rare.max(1);
        let cuts = cuts(&sorted, most, rare);
        if cuts.is_empty() {
            return None;
        }
        let bin = |&number: &f64| {
            if number.is_nan() {
                return as_u32(if missing_has_log_odds { ABSENT } else { OTHER });
            }
            as_u32(FIRST + cuts.partition_point(|&cut| cut < number))
        };
        let of_row = numbers.iter().map(bin).collect();
        let count = FIRST + cuts.len() + 1;
        Some(Bins { of_row, count, meaning: Meaning::Cuts(cuts), missing_has_log_odds })
    }

    /// Returns the number of bins.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns the encoding with the given log odds.
    pub(super) fn encoding(&self, log_odds: &[f64]) -> Encoding {
        let missing = if self.missing_has_log_odds { log_odds[ABSENT] } else { 0.0 };
        let log_odds = &log_odds[FIRST..];
        match &self.meaning {
            Meaning::Words(words) => {
                let values: BTreeMap<String, f64> =
                    words.iter().cloned().zip(log_odds.iter().copied()).collect();
                Encoding::LogOdds { values, missing }
            }
            Meaning::Cuts(cuts) => {
                Encoding::Steps { cuts: cuts.clone(), log_odds: log_odds.to_vec(), missing }
            }
        }
    }
}

/// Returns the upper bounds of bins with about equal numbers of rows; the last bin has none. A
/// frequent number gets a bin of its own, and the others share the remaining bins. So the nonzero
/// values of a column that is mostly 0 are resolved as finely as those of any other column.
fn cuts(sorted: &[f64], most: usize, rare: usize) -> Vec<f64> {
    // A bin needs as many rows as a category.
    let rare = rare.max(1);
    let mut bins = most.min(sorted.len() / rare);
    let mut cuts = Vec::new();
    // The rows that are not in a closed bin, those in the open bin, and its largest number.
    let (mut left, mut open, mut largest) = (sorted.len(), 0, f64::NEG_INFINITY);
    for run in sorted.chunk_by(|a, b| a == b) {
        if bins < 2 {
            break;
        }
        // A bound must be finite.
        let fills_a_bin = run.len() >= (left / bins).max(rare);
        if fills_a_bin && open >= rare && largest.is_finite() {
            cuts.push(largest);
            (left, bins, open) = (left - open, bins - 1, 0);
        }
        (open, largest) = (open + run.len(), run[0]);
        let is_full = bins > 1 && open >= (left / bins).max(rare);
        if is_full && left - open >= rare && largest.is_finite() {
            cuts.push(largest);
            (left, bins, open) = (left - open, bins - 1, 0);
        }
    }
    cuts
}

/// The number of rows of each class by bin and fold.
pub(super) struct LogOdds {
    folds: usize,
    /// Positives and negatives by bin and fold; the bin is the outer index.
    counts: Vec<[u64; 2]>,
    /// Positives and negatives by fold.
    totals: Vec<[u64; 2]>,
    /// Positives and negatives by bin.
    sums: Vec<[u64; 2]>,
    all: [u64; 2],
    smoothing: Option<f64>,
    bins: usize,
}

impl LogOdds {
    pub(super) fn new(
        bins: &Bins,
        positive: &[bool],
        fold: &[u32],
        smoothing: Option<f64>,
    ) -> LogOdds {
        let folds = fold.iter().map(|&fold| fold as usize + 1).max().unwrap_or(1);
        let mut odds = LogOdds::empty(bins, folds, smoothing);
        for ((&bin, &fold), &positive) in bins.of_row.iter().zip(fold).zip(positive) {
            odds.add(bin, fold as usize, positive, 1);
        }
        odds
    }

    /// Creates counts of zero.
    pub(super) fn empty(bins: &Bins, folds: usize, smoothing: Option<f64>) -> LogOdds {
        LogOdds {
            folds,
            counts: vec![[0; 2]; bins.count * folds],
            totals: vec![[0; 2]; folds],
            sums: vec![[0; 2]; bins.count],
            all: [0; 2],
            smoothing,
            bins: bins.count,
        }
    }

    /// Adds rows of one bin, fold and class.
    pub(super) fn add(&mut self, bin: u32, fold: usize, positive: bool, rows: u64) {
        let (bin, class) = (bin as usize, usize::from(!positive));
        self.counts[bin * self.folds + fold][class] += rows;
        self.totals[fold][class] += rows;
        self.sums[bin][class] += rows;
        self.all[class] += rows;
    }

    /// Returns the log odds of a bin from all rows outside a fold, or from all rows if there is
    /// only one fold.
    pub(super) fn without(&self, bin: u32, fold: u32) -> f64 {
        let (bin, fold) = (bin as usize, fold as usize);
        if self.folds < 2 {
            return self.of(bin, self.sums[bin], self.all);
        }
        let less = |all: [u64; 2], part: [u64; 2]| [all[0] - part[0], all[1] - part[1]];
        let own = less(self.sums[bin], self.counts[bin * self.folds + fold]);
        self.of(bin, own, less(self.all, self.totals[fold]))
    }

    /// Returns the log odds of each bin from all rows.
    pub(super) fn of_all(&self) -> Vec<f64> {
        (0..self.bins).map(|bin| self.of(bin, self.sums[bin], self.all)).collect()
    }

    /// Returns the log odds of a bin relative to the overall log odds, from the positives and
    /// negatives in the bin and overall.
    fn of(&self, bin: usize, [own, others]: [u64; 2], [all, rest]: [u64; 2]) -> f64 {
        if bin == OTHER || all == 0 || rest == 0 {
            return 0.0;
        }
        let (own, others, all, rest) = (own as f64, others as f64, all as f64, rest as f64);
        match self.smoothing {
            // Adds pseudo-rows with the overall class ratio.
            Some(rows) => {
                let share = all / (all + rest);
                let (yes, no) = (own + rows * share, others + rows * (1.0 - share));
                if yes <= 0.0 || no <= 0.0 {
                    // Without smoothing, a bin with one class has infinite log odds; half a row is
                    // added instead.
                    return libm::log((own + 0.5) / (others + 0.5)) - libm::log(all / rest);
                }
                libm::log(yes / no) - libm::log(all / rest)
            }
            None => {
                let part = 1.0 / (self.bins - FIRST).max(1) as f64;
                libm::log(((own + part) / (all + 1.0)) / ((others + part) / (rest + 1.0)))
            }
        }
    }
}
