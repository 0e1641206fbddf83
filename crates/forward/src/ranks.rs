//! What the ranks of scores say, in whole numbers, so that it is the same in whatever order it was counted.

/// How the rows that tie across the lower end of the top are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// Each by the share of the tie that fits: the expectation over all orders of the tied rows. A network
    /// that gives all rows the same score has lift 1.
    #[default]
    Shared,
    /// None of them, as in the paper. Such a network has lift 0.
    Strict,
}

/// Who stands among the best rows of a part. The *threshold* is the score of the last row that fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Top {
    /// How many rows were asked for; 0 where nobody asked.
    pub wanted: u32,
    /// Rows with a score above the threshold, fewer than wanted.
    pub above: u32,
    /// Rows with the threshold as their score: they fill the top, and some may be left out.
    pub tied: u32,
    /// Positives above the threshold.
    pub positives_above: u32,
    /// Positives at the threshold.
    pub positives_tied: u32,
}

impl Top {
    /// How many positives there are in the top.
    #[must_use]
    pub fn positives(&self, ties: Ties) -> f64 {
        let (above, tied) = (f64::from(self.positives_above), f64::from(self.positives_tied));
        let left = self.wanted - self.above.min(self.wanted);
        if left >= self.tied {
            return above + tied;
        }
        match ties {
            Ties::Shared => above + tied * f64::from(left) / f64::from(self.tied),
            Ties::Strict => above,
        }
    }
}

/// How positives stand to negatives: every positive of a part against every negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pairs {
    /// Pairs in which the positive has the higher score.
    pub won: u64,
    /// Pairs in which both have the same score.
    pub tied: u64,
}

/// What the scores of one network say about one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ranks {
    /// The rows of the part.
    pub rows: u32,
    /// Its positives.
    pub positives: u32,
    /// Who is in the top, where that was asked.
    pub top: Top,
    /// How positives stand to negatives, where that was asked.
    pub pairs: Pairs,
}

impl Ranks {
    /// How many times more positives the top has than as many random rows; larger is better. 0 without
    /// positives or a top.
    #[must_use]
    pub fn lift(&self, ties: Ties) -> f64 {
        if self.positives == 0 {
            return 0.0;
        }
        self.precision(ties) / (f64::from(self.positives) / f64::from(self.rows))
    }

    /// The share of positives in the top; larger is better. 0 without a top.
    #[must_use]
    pub fn precision(&self, ties: Ties) -> f64 {
        if self.top.wanted == 0 {
            return 0.0;
        }
        self.top.positives(ties) / f64::from(self.top.wanted)
    }

    /// The area under the ROC curve: the chance that a positive stands before a negative, a tie half a
    /// chance; larger is better. One half where one of the classes is not there.
    #[must_use]
    pub fn auc(&self) -> f64 {
        let pairs = u64::from(self.positives) * u64::from(self.rows - self.positives);
        if pairs == 0 {
            return 0.5;
        }
        (2.0 * self.pairs.won as f64 + self.pairs.tied as f64) / (2.0 * pairs as f64)
    }
}
