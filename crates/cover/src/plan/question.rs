use crate::table::Space;
use std::fmt::{self, Display, Formatter};

/// When a program holds for an example.
///
/// Over bags it is the number of covered rows that decides. Both ends belong to the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hypothesis {
    /// Every row is an example of its own.
    Rows,
    /// A bag in which at least one row is covered.
    Presence,
    /// A bag in which at least so many rows are covered.
    AtLeast(u32),
    /// A bag in which between so many and so many rows are covered.
    Between(u32, u32),
}

impl Hypothesis {
    /// Whether it speaks of rows or of bags.
    #[must_use]
    pub fn space(self) -> Space {
        if self == Hypothesis::Rows { Space::Rows } else { Space::Bags }
    }

    /// Whether an example with this many covered rows satisfies it.
    #[must_use]
    pub fn holds(self, covered: usize) -> bool {
        let (low, high) = self.range();
        covered >= low as usize && high.is_none_or(|high| covered <= high as usize)
    }

    /// How it is decided with bit-sliced counters.
    pub(crate) fn decision(self) -> Decision {
        let bits = |number: u32| (u32::BITS - number.leading_zeros()) as usize;
        match self.range() {
            (0, None) => Decision::Always,
            (1, None) => Decision::Presence,
            (low, Some(high)) if low > high => Decision::Never,
            (low, high) => Decision::Count { planes: bits(high.unwrap_or(low)), low, high },
        }
    }

    /// The least and the greatest number of covered rows; no greatest means no limit.
    #[must_use]
    pub fn range(self) -> (u32, Option<u32>) {
        match self {
            Hypothesis::Rows | Hypothesis::Presence => (1, None),
            Hypothesis::AtLeast(low) => (low, None),
            Hypothesis::Between(low, high) => (low, Some(high)),
        }
    }
}

/// When a bag is positive, made ready for bit-sliced counting.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decision {
    Never,
    Always,
    Presence,
    /// Counters of `planes` bits and one that says they ran over; `low` and, if there is one, `high` fit into
    /// them.
    Count {
        planes: usize,
        low: u32,
        high: Option<u32>,
    },
}

impl Decision {
    /// Planes that a counter takes.
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

/// What comes back: for each root, how many examples of each class it holds for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tallies {
    classes: usize,
    counts: Vec<u64>,
}

impl Tallies {
    /// `roots` tallies of `classes` zeros.
    #[must_use]
    pub fn zeros(roots: usize, classes: usize) -> Tallies {
        Tallies { classes, counts: vec![0; roots * classes] }
    }

    /// How many roots were counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len().checked_div(self.classes).unwrap_or(0)
    }

    /// Whether there is no count.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The counts of one root, class by class.
    #[must_use]
    pub fn of(&self, root: usize) -> &[u64] {
        &self.counts[root * self.classes..(root + 1) * self.classes]
    }

    /// The counts of all roots, one after the other.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The counts of all roots, to be written.
    pub fn counts_mut(&mut self) -> &mut [u64] {
        &mut self.counts
    }

    /// The counts of one root, to be written.
    pub(crate) fn of_mut(&mut self, root: usize) -> &mut [u64] {
        &mut self.counts[root * self.classes..(root + 1) * self.classes]
    }
}
