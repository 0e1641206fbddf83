use crate::kernel::{Bound, Hypothesis, Lit};
use crate::program::{ProgramId, Programs};
use crate::table::Labels;
use std::ops::Range;

/// Many roots to be evaluated together, and what is to be counted.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) bound: &'a Bound,
    pub(crate) roots: &'a [ProgramId],
    pub(crate) lits: &'a [Lit],
    pub(crate) labels: &'a Labels,
    pub(crate) hypothesis: Hypothesis,
}

impl<'a> Batch<'a> {
    /// How many roots there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Whether there is no root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// How many classes are counted for each root.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.labels.classes()
    }

    /// Some of the roots.
    #[must_use]
    pub fn part(&self, roots: Range<usize>) -> Batch<'a> {
        Batch { roots: &self.roots[roots.clone()], lits: &self.lits[roots], ..*self }
    }
}
