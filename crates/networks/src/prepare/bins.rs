//! Values sorted into bins, and how much likelier the positive class is in each.

use super::Encoding;
use pellucid_bits::as_u32;
use pellucid_data::MISSING;
use std::collections::BTreeMap;

/// The bin of values that say nothing of their own, because they are rare.
const OTHER: usize = 0;
/// The bin of missing values.
const ABSENT: usize = 1;
/// The bins of values that speak begin here.
const FIRST: usize = 2;

/// Values sorted into bins.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// The bin of each row.
    pub(super) of_row: Vec<u32>,
    /// How many bins there are.
    count: usize,
    meaning: Meaning,
    /// Whether missing values occur often enough to have an opinion.
    missing_has_log_odds: bool,
}

/// What the bins from [`FIRST`] on stand for.
#[derive(Clone, Debug)]
enum Meaning {
    Words(Vec<String>),
    /// Where bins end; the last has no end.
    Cuts(Vec<f64>),
}

impl Bins {
    /// A bin for each word that occurs in enough rows; nothing where no two words and missing values can be told apart.
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

    /// The same from how many rows have each word, and how many have none, without the rows; and the bin of each word, and last of a missing one.
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

    /// Bins of about equally many rows; nothing where there are no two.
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

    /// How values are written with these log odds.
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

/// Where bins of about equally many rows end, the last one without an end. A number that many rows share has a bin of its own,
/// and the others share what bins are left: of a column that is mostly 0 the rest is told apart as finely as any other.
fn cuts(sorted: &[f64], most: usize, rare: usize) -> Vec<f64> {
    // A step needs as many rows as a word.
    let rare = rare.max(1);
    let mut bins = most.min(sorted.len() / rare);
    let mut cuts = Vec::new();
    // Rows not yet in a bin that is closed, those of them in the bin that is open, and its largest number.
    let (mut left, mut open, mut largest) = (sorted.len(), 0, f64::NEG_INFINITY);
    for run in sorted.chunk_by(|a, b| a == b) {
        if bins < 2 {
            break;
        }
        // Nothing can be told from a bin that ends with infinity.
        let wants_to_be_alone = run.len() >= (left / bins).max(rare);
        if wants_to_be_alone && open >= rare && largest.is_finite() {
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

/// By bin and fold how many rows there are of each class.
pub(super) struct LogOdds {
    folds: usize,
    /// Positives and negatives of a bin in a fold, bins outside.
    counts: Vec<[u64; 2]>,
    /// The same for all rows of a fold.
    totals: Vec<[u64; 2]>,
    /// The same for all rows of a bin.
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

    /// Without any row.
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

    /// Adds some rows of one bin, fold and class.
    pub(super) fn add(&mut self, bin: u32, fold: usize, positive: bool, rows: u64) {
        let (bin, class) = (bin as usize, usize::from(!positive));
        self.counts[bin * self.folds + fold][class] += rows;
        self.totals[fold][class] += rows;
        self.sums[bin][class] += rows;
        self.all[class] += rows;
    }

    /// The log odds of a bin by all rows but those of a fold; by all rows where there is one fold.
    pub(super) fn without(&self, bin: u32, fold: u32) -> f64 {
        let (bin, fold) = (bin as usize, fold as usize);
        if self.folds < 2 {
            return self.of(bin, self.sums[bin], self.all);
        }
        let less = |all: [u64; 2], part: [u64; 2]| [all[0] - part[0], all[1] - part[1]];
        let own = less(self.sums[bin], self.counts[bin * self.folds + fold]);
        self.of(bin, own, less(self.all, self.totals[fold]))
    }

    /// The log odds of each bin by all rows.
    pub(super) fn of_all(&self) -> Vec<f64> {
        (0..self.bins).map(|bin| self.of(bin, self.sums[bin], self.all)).collect()
    }

    /// How much the odds of the positive class are raised in a bin with so many positives and negatives of so many.
    fn of(&self, bin: usize, [own, others]: [u64; 2], [all, rest]: [u64; 2]) -> f64 {
        if bin == OTHER || all == 0 || rest == 0 {
            return 0.0;
        }
        let (own, others, all, rest) = (own as f64, others as f64, all as f64, rest as f64);
        match self.smoothing {
            // As many rows as this are added that are like all rows together.
            Some(rows) => {
                let share = all / (all + rest);
                let (yes, no) = (own + rows * share, others + rows * (1.0 - share));
                if yes <= 0.0 || no <= 0.0 {
                    // Without smoothing a bin of one class has no odds; half a row stands for none.
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
