use crate::table::Space;
use std::fmt::{self, Display, Formatter};

/// Defines when a program covers an example.
///
/// For bags, the number of covered rows decides. Both ends of a range are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hypothesis {
    /// Every row is an example.
    Rows,
    /// A bag with at least one covered row.
    Presence,
    /// A bag with at least this number of covered rows.
    AtLeast(u32),
    /// A bag whose number of covered rows is in this range.
    Between(u32, u32),
}

impl Hypothesis {
    /// Returns whether examples are rows or bags.
    #[must_use]
    pub fn space(self) -> Space {
        if self == Hypothesis::Rows { Space::Rows } else { Space::Bags }
    }

    /// Returns whether an example with this number of covered rows satisfies the hypothesis.
    #[must_use]
    pub fn holds(self, covered: usize) -> bool {
        let (low, high) = self.range();
        covered >= low as usize && high.is_none_or(|high| covered <= high as usize)
    }

    /// Returns the hypothesis in the form used for bit-sliced counting.
    pub(crate) fn decision(self) -> Decision {
        let bits = |number: u32| (u32::BITS - number.leading_zeros()) as usize;
        match self.range() {
            (0, None) => Decision::Always,
            (1, None) => Decision::Presence,
            (low, Some(high)) if low > high => Decision::Never,
            (low, high) => Decision::Count { planes: bits(high.unwrap_or(low)), low, high },
        }
    }

    /// Returns the minimum and maximum number of covered rows; `None` means no maximum.
    #[must_use]
    pub fn range(self) -> (u32, Option<u32>) {
        match self {
            Hypothesis::Rows | Hypothesis::Presence => (1, None),
            Hypothesis::AtLeast(low) => (low, None),
            Hypothesis::Between(low, high) => (low, Some(high)),
        }
    }
}

/// The condition for a positive bag, in the form used for bit-sliced counting.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decision {
    Never,
    Always,
    Presence,
    /// Counters of `planes` bits and one overflow bit. `low` and, if present, `high` fit into
    /// `planes` bits.
    Count {
        planes: usize,
        low: u32,
        high: Option<u32>,
    },
}

impl Decision {
    /// Returns the number of planes of a counter.
    pub(crate) fn state(self) -> usize {
        match self {
            Decision::Never | Decision::Always => 0,
            Decision::Presence => 1,
            Decision::Count { planes, .. } => planes + 1,
        }
    }
}

impl Display for Hypothesis {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Hypothesis::Rows => out.write_str("rows"),
            Hypothesis::Presence => out.write_str("at least one row"),
            Hypothesis::AtLeast(low) => write!(out, "at least {low} rows"),
            Hypothesis::Between(low, high) => write!(out, "{low} to {high} rows"),
        }
    }
}

/// The result: for each root, the number of covered examples of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tallies {
    classes: usize,
    counts: Vec<u64>,
}

impl Tallies {
    /// Creates `roots` tallies of `classes` zeros.
    #[must_use]
    pub fn zeros(roots: usize, classes: usize) -> Tallies {
        Tallies { classes, counts: vec![0; roots * classes] }
    }

    /// Returns the number of roots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len().checked_div(self.classes).unwrap_or(0)
    }

    /// Returns whether there are no counts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the counts of one root, one per class.
    #[must_use]
    pub fn of(&self, root: usize) -> &[u64] {
        &self.counts[root * self.classes..(root + 1) * self.classes]
    }

    /// Returns the counts of all roots, root by root.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the counts of all roots for writing.
    pub fn counts_mut(&mut self) -> &mut [u64] {
        &mut self.counts
    }

    /// Returns the counts of one root for writing.
    pub(crate) fn of_mut(&mut self, root: usize) -> &mut [u64] {
        &mut self.counts[root * self.classes..(root + 1) * self.classes]
    }
}
