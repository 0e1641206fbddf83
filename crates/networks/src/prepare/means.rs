//! The mean of a predicted number in each bin. Numbers are standardized, so their sums are not large.

use super::bins::{Bins, OTHER};

/// The number of rows and the sum of their numbers by bin and fold.
pub(super) struct Means {
    folds: usize,
    /// By bin and fold; the bin is the outer index.
    parts: Vec<Total>,
    by_fold: Vec<Total>,
    by_bin: Vec<Total>,
    all: Total,
    /// The number of pseudo-rows with the overall mean added to each bin.
    smoothing: f64,
}

/// The number of rows and the sum of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Total {
    rows: f64,
    sum: f64,
}

impl Total {
    fn add(&mut self, number: f64) {
        self.rows += 1.0;
        self.sum += number;
    }

    fn without(self, part: Total) -> Total {
        Total { rows: self.rows - part.rows, sum: self.sum - part.sum }
    }

    fn mean(self) -> f64 {
        if self.rows > 0.0 { self.sum / self.rows } else { 0.0 }
    }
}

impl Means {
    pub(super) fn new(bins: &Bins, numbers: &[f64], fold: &[u32], smoothing: f64) -> Means {
        let folds = fold.iter().map(|&fold| fold as usize + 1).max().unwrap_or(1);
        let count = bins.count();
        let none = Total::default();
        let mut means = Means {
            folds,
            parts: vec![none; count * folds],
            by_fold: vec![none; folds],
            by_bin: vec![none; count],
            all: none,
            smoothing,
        };
        for ((&bin, &fold), &number) in bins.of_row.iter().zip(fold).zip(numbers) {
            let (bin, fold) = (bin as usize, fold as usize);
            means.parts[bin * folds + fold].add(number);
            means.by_fold[fold].add(number);
            means.by_bin[bin].add(number);
            means.all.add(number);
        }
        means
    }

    /// Returns the mean of a bin from all rows outside a fold, or from all rows if there is only one
    /// fold.
    pub(super) fn without(&self, bin: u32, fold: u32) -> f64 {
        let (bin, fold) = (bin as usize, fold as usize);
        if self.folds < 2 {
            return self.of(bin, self.by_bin[bin], self.all);
        }
        let own = self.by_bin[bin].without(self.parts[bin * self.folds + fold]);
        self.of(bin, own, self.all.without(self.by_fold[fold]))
    }

    /// Returns the mean of each bin from all rows.
    pub(super) fn of_all(&self) -> Vec<f64> {
        (0..self.by_bin.len()).map(|bin| self.of(bin, self.by_bin[bin], self.all)).collect()
    }

    /// Returns the mean of a bin minus the overall mean.
    fn of(&self, bin: usize, own: Total, all: Total) -> f64 {
        if bin == OTHER || own.rows + self.smoothing <= 0.0 {
            return 0.0;
        }
        let overall = all.mean();
        (own.sum - own.rows * overall) / (own.rows + self.smoothing)
    }
}
