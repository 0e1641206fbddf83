//! Statistics of the ranks of scores, as integers that do not depend on the order of counting.

/// How rows that tie across the end of the top are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TieCounting {
    /// Each tied row counts by the share of the tie that fits into the top: the expectation over
    /// random orders. Constant scores have lift 1.
    #[default]
    Shared,
    /// Tied rows do not count, as in the paper. Constant scores have lift 0.
    Strict,
}

/// Statistics of the highest-scoring rows of a part. The *threshold* is the score of the last row
/// that fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TopCounts {
    /// The requested size; 0 if it was not requested.
    pub wanted: u32,
    /// The number of rows above the threshold; less than the requested size.
    pub above: u32,
    /// The number of rows at the threshold; some of them may not fit into the top.
    pub tied: u32,
    /// The number of positives above the threshold.
    pub positives_above: u32,
    /// The number of positives at the threshold.
    pub positives_tied: u32,
}

impl TopCounts {
    /// Returns the number of positives in the top.
    #[must_use]
    pub fn positives(&self, ties: TieCounting) -> f64 {
        let (above, tied) = (f64::from(self.positives_above), f64::from(self.positives_tied));
        let left = self.wanted - self.above.min(self.wanted);
        if left >= self.tied {
            return above + tied;
        }
        match ties {
            TieCounting::Shared => above + tied * f64::from(left) / f64::from(self.tied),
            TieCounting::Strict => above,
        }
    }
}

/// Counts of pairs of a positive and a negative row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pairs {
    /// The number of pairs in which the positive has the higher score.
    pub won: u64,
    /// The number of pairs with equal scores.
    pub tied: u64,
}

/// The rank statistics of one network on one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ranks {
    /// The number of rows of the part.
    pub rows: u32,
    /// The number of positive rows.
    pub positives: u32,
    /// The statistics of the top, if requested.
    pub top: TopCounts,
    /// The counts of pairs, if requested.
    pub pairs: Pairs,
}

impl Ranks {
    /// Returns the lift: the share of positives in the top, divided by the overall share. Higher is
    /// better; 0 without positives or without a top.
    #[must_use]
    pub fn lift(&self, ties: TieCounting) -> f64 {
        if self.positives == 0 {
            return 0.0;
        }
        self.precision(ties) / (f64::from(self.positives) / f64::from(self.rows))
    }

    /// Returns the precision: the share of positives in the top. Higher is better; 0 without a top.
    #[must_use]
    pub fn precision(&self, ties: TieCounting) -> f64 {
        if self.top.wanted == 0 {
            return 0.0;
        }
        self.top.positives(ties) / f64::from(self.top.wanted)
    }

    /// Returns the area under the ROC curve: the probability that a positive has a higher score
    /// than a negative, with ties counted half. Higher is better; 0.5 if a class is absent.
    #[must_use]
    pub fn auc(&self) -> f64 {
        let pairs = u64::from(self.positives) * u64::from(self.rows - self.positives);
        if pairs == 0 {
            return 0.5;
        }
        (2.0 * self.pairs.won as f64 + self.pairs.tied as f64) / (2.0 * pairs as f64)
    }
}
