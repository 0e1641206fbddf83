use super::nodes::{Lit, Nodes, Test};
use super::pipeline::{Pipeline, PlanLimits, SlotOrder};
use super::programs::ProgramPlanner;
use super::steps::Plan;
use crate::cpu::{GivenRows, most_slots};
use crate::table::Masks;
use pellucid_bits::{Block, Level};
use std::ops::{Not, Range};

/// AND, OR and NOT of rows of bits that are given, planned as programs over a table are: every distinct
/// combination is computed once, and what many need is kept while a few blocks of all rows are at hand.
///
/// A [`Term`] is a given row or what was made of others. [`plan`](Combinations::plan) turns some of them into
/// steps, which [`Combined`] takes for given bits, as often as they are asked for.
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

/// A row of bits, given or made of others; `!term` is its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(Lit);

impl Term {
    /// Always so, or never.
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
    /// Forgets all terms but keeps the memory they took.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// The row of some number among those that will be given.
    pub fn given(&mut self, row: u32) -> Term {
        Term(self.nodes.test(row, Test::Plane(0)))
    }

    /// All of some terms; none is always so.
    pub fn all(&mut self, terms: &[Term]) -> Term {
        self.lits.clear();
        self.lits.extend(terms.iter().map(|term| term.0));
        Term(self.nodes.and(&mut self.lits))
    }

    /// Any of some terms; none is never so.
    pub fn any(&mut self, terms: &[Term]) -> Term {
        self.lits.clear();
        self.lits.extend(terms.iter().map(|term| !term.0));
        Term(!self.nodes.and(&mut self.lits))
    }

    /// How some terms are computed; they are then called roots, and numbered in this order.
    pub fn plan(&mut self, roots: &[Term]) -> Combined {
        let Combinations { nodes, planner, pipeline, lits } = self;
        lits.clear();
        lits.extend(roots.iter().map(|root| root.0));
        let limits = PlanLimits { most: most_slots(), share: false, slots: SlotOrder::ByColumn };
        let plans = planner.plan(pipeline, nodes, lits, limits);
        let leaves = plans.iter().flat_map(|plan| &plan.leaves);
        let given = leaves.map(|leaf| leaf.column as usize + 1).max().unwrap_or(0);
        Combined { plans, roots: roots.len(), given }
    }

    /// Takes back what was done with: the next plan will need less new memory.
    pub fn take_back(&mut self, combined: Combined) {
        self.pipeline.take_back(combined.plans);
    }
}

/// How some roots are computed from given rows.
#[derive(Debug)]
pub struct Combined {
    plans: Vec<Plan>,
    roots: usize,
    /// One past the greatest given row that is used.
    given: usize,
}

impl Combined {
    /// How many roots there are.
    #[must_use]
    pub fn roots(&self) -> usize {
        self.roots
    }

    /// Writes some blocks of every root: those of root `r` to `bits[r]`. Whatever lies past the last bit of a
    /// row is as the formula has it, and not always clear.
    ///
    /// # Panics
    /// When a row that is used is not given or too short, or `bits` does not have so many blocks for each
    /// root.
    pub fn bits(
        &self,
        level: Level,
        given: &[&[Block]],
        blocks: Range<usize>,
        bits: &mut [&mut [Block]],
    ) {
        self.check(given, &blocks);
        assert_eq!(bits.len(), self.roots, "a row for every root");
        assert!(bits.iter().all(|bits| bits.len() == blocks.len()), "room for every block");
        level.run(GivenRows::bits(given, &self.plans, blocks, bits));
    }

    /// Counts the bits of each class in some blocks of every root and adds them to `counts[root * classes +
    /// class]`. The masks of all classes of a block lie side by side; a bit is of one class at most.
    ///
    /// # Panics
    /// When a row that is used is not given or too short, there are too few masks, or not so many counts.
    pub fn counts(
        &self,
        level: Level,
        given: &[&[Block]],
        blocks: Range<usize>,
        (masks, classes): (&[Block], usize),
        counts: &mut [u64],
    ) {
        self.check(given, &blocks);
        assert!(masks.len() >= blocks.end * classes, "masks for every block");
        assert_eq!(counts.len(), self.roots * classes, "a count for every root and class");
        let masks = Masks { masks, width: classes, exclusive: true };
        level.run(GivenRows::counts(given, &self.plans, blocks, masks, counts));
    }

    fn check(&self, given: &[&[Block]], blocks: &Range<usize>) {
        assert!(given.len() >= self.given, "row {} is used and not given", self.given - 1);
        let mut used = self.plans.iter().flat_map(|plan| &plan.leaves);
        let long = used.all(|leaf| given[leaf.column as usize].len() >= blocks.end);
        assert!(long, "a row that is used has fewer than {} blocks", blocks.end);
    }
}
