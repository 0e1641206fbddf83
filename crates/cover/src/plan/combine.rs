use super::nodes::{Lit, Nodes, Test};
use super::pipeline::{Pipeline, PlanLimits, SlotOrder};
use super::programs::ProgramPlanner;
use super::steps::Plan;
use crate::cpu::{GivenRows, max_slots};
use crate::table::Masks;
use pellucid_bits::{Block, Level};
use std::ops::{Not, Range};

/// AND, OR and NOT of given rows of bits, planned in the same way as programs over a table. Every
/// distinct combination is computed once, and shared intermediate results are kept while a few
/// blocks of all rows are processed.
///
/// A [`Term`] is a given row or a combination of terms. [`plan`](Combinations::plan) turns terms
/// into a [`CombinationPlan`], which can be applied to given bits any number of times.
///
/// ```
/// use pellucid_bits::{Bits, Level};
/// use pellucid_cover::plan::Combinations;
///
/// let even: Bits = (0..100).map(|number| number % 2 == 0).collect();
/// let small: Bits = (0..100).map(|number| number < 10).collect();
/// let mut combinations = Combinations::default();
/// let (even_row, small_row) = (combinations.given(0), combinations.given(1));
/// let small_and_odd = combinations.all(&[small_row, !even_row]);
///
/// let combined = combinations.plan(&[small_and_odd]);
/// let mut blocks = even.blocks().to_vec();
/// combined.bits(Level::best(), &[even.blocks(), small.blocks()], 0..1, &mut [&mut blocks]);
/// assert_eq!(Bits::from_blocks(blocks, 100).ones().collect::<Vec<_>>(), [1, 3, 5, 7, 9]);
/// ```
#[derive(Debug, Default)]
pub struct Combinations {
    nodes: Nodes,
    planner: ProgramPlanner,
    pipeline: Pipeline,
    lits: Vec<Lit>,
}

/// A row of bits, given or combined from others; `!term` is its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(Lit);

impl Term {
    /// Returns the term that is always true or always false.
    #[must_use]
    pub fn constant(value: bool) -> Term {
        Term(if value { Lit::TRUE } else { Lit::FALSE })
    }
}

impl Not for Term {
    type Output = Term;

    fn not(self) -> Term {
        Term(!self.0)
    }
}

impl Combinations {
    /// Removes all terms but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Returns the term for given row number `row`.
    pub fn given(&mut self, row: u32) -> Term {
        Term(self.nodes.test(row, Test::Plane(0)))
    }

    /// Returns the AND of terms; true if there are none.
    pub fn all(&mut self, terms: &[Term]) -> Term {
        self.lits.clear();
        self.lits.extend(terms.iter().map(|term| term.0));
        Term(self.nodes.and(&mut self.lits))
    }

    /// Returns the OR of terms; false if there are none.
    pub fn any(&mut self, terms: &[Term]) -> Term {
        self.lits.clear();
        self.lits.extend(terms.iter().map(|term| !term.0));
        Term(!self.nodes.and(&mut self.lits))
    }

    /// Plans how to compute terms. In the plan they are called roots and are numbered in this
    /// order.
    pub fn plan(&mut self, roots: &[Term]) -> CombinationPlan {
        let Combinations { nodes, planner, pipeline, lits } = self;
        lits.clear();
        lits.extend(roots.iter().map(|root| root.0));
        let limits =
            PlanLimits { max_slots: max_slots(), share: false, slots: SlotOrder::ByColumn };
        let plans = planner.plan(pipeline, nodes, lits, limits);
        let leaves = plans.iter().flat_map(|plan| &plan.leaves);
        let given = leaves.map(|leaf| leaf.column as usize + 1).max().unwrap_or(0);
        CombinationPlan { plans, roots: roots.len(), given }
    }

    /// Takes back a plan that is no longer needed, so that the next plan can reuse its memory.
    pub fn take_back(&mut self, combined: CombinationPlan) {
        self.pipeline.take_back(combined.plans);
    }
}

/// The steps that compute roots from given rows.
#[derive(Debug)]
pub struct CombinationPlan {
    plans: Vec<Plan>,
    roots: usize,
    /// One past the largest given row that is used.
    given: usize,
}

impl CombinationPlan {
    /// Returns the number of roots.
    #[must_use]
    pub fn roots(&self) -> usize {
        self.roots
    }

    /// Writes a range of blocks of every root: those of root `r` to `bits[r]`. Bits past the end of
    /// a row follow the formula and are not always clear.
    ///
    /// # Panics
    /// When a row that is used is missing or too short, or `bits` has the wrong number of rows or
    /// blocks.
    pub fn bits(
        &self,
        level: Level,
        given: &[&[Block]],
        blocks: Range<usize>,
        bits: &mut [&mut [Block]],
    ) {
        self.check(given, &blocks);
        assert_eq!(bits.len(), self.roots, "expected one row for every root");
        assert!(
            bits.iter().all(|bits| bits.len() == blocks.len()),
            "expected the same number of blocks in every row"
        );
        level.run(GivenRows::bits(given, &self.plans, blocks, bits));
    }

    /// Counts the bits of each class in a range of blocks of every root and adds them to
    /// `counts[root * classes + class]`. The masks of all classes of a block are adjacent. A bit
    /// belongs to at most one class.
    ///
    /// # Panics
    /// When a row that is used is missing or too short, or the number of masks or counts is wrong.
    pub fn counts(
        &self,
        level: Level,
        given: &[&[Block]],
        blocks: Range<usize>,
        (masks, classes): (&[Block], usize),
        counts: &mut [u64],
    ) {
        self.check(given, &blocks);
        assert!(masks.len() >= blocks.end * classes, "expected masks for every block");
        assert_eq!(
            counts.len(),
            self.roots * classes,
            "expected one count for every root and class"
        );
        let masks = Masks { masks, width: classes, exclusive: true };
        level.run(GivenRows::counts(given, &self.plans, blocks, masks, counts));
    }

    fn check(&self, given: &[&[Block]], blocks: &Range<usize>) {
        assert!(given.len() >= self.given, "row {} is used but not given", self.given - 1);
        let mut used = self.plans.iter().flat_map(|plan| &plan.leaves);
        let long = used.all(|leaf| given[leaf.column as usize].len() >= blocks.end);
        assert!(long, "a row that is used has fewer than {} blocks", blocks.end);
    }
}
