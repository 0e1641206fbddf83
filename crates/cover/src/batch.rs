use crate::plan::{
    Bound, FormulaPlanner, Formulas, Hypothesis, Lit, Pipeline, Plan, PlanLimits, ProgramPlanner,
};
use crate::spec;
use crate::table::{Labels, Table};
use pellucid_bits::BitRows;
use pellucid_program::{ProgramId, Programs};
use std::ops::Range;

/// Many roots to be evaluated together, and what is to be counted.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub(crate) roots: Roots<'a>,
    pub(crate) labels: &'a Labels,
    pub(crate) hypothesis: Hypothesis,
}

/// Programs of a pool, or flat formulas.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Roots<'a> {
    Programs { programs: &'a Programs, bound: &'a Bound, roots: &'a [ProgramId], lits: &'a [Lit] },
    Formulas { formulas: &'a Formulas, roots: &'a [u32] },
}

impl<'a> Batch<'a> {
    /// How many roots there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.roots {
            Roots::Programs { roots, .. } => roots.len(),
            Roots::Formulas { roots, .. } => roots.len(),
        }
    }

    /// Whether there is no root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers are counted for each root: one for every mask of the labels.
    #[must_use]
    pub fn width(&self) -> usize {
        self.labels.width()
    }

    /// Some of the roots.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Batch<'a> {
        let roots = match self.roots {
            Roots::Programs { programs, bound, roots, lits } => {
                let (roots, lits) = (&roots[range.clone()], &lits[range]);
                Roots::Programs { programs, bound, roots, lits }
            }
            Roots::Formulas { formulas, roots } => {
                Roots::Formulas { formulas, roots: &roots[range] }
            }
        };
        Batch { roots, ..*self }
    }

    /// What is to be computed.
    pub(crate) fn plan(
        &self,
        planners: &mut Planners,
        table: &Table,
        limits: PlanLimits,
    ) -> Vec<Plan> {
        let Planners { pipeline, programs, formulas: planner } = planners;
        match self.roots {
            Roots::Programs { bound, lits, .. } => {
                programs.plan(pipeline, bound.nodes(), lits, limits)
            }
            Roots::Formulas { formulas, roots } => {
                planner.plan(pipeline, table.columns(), formulas, roots, limits)
            }
        }
    }

    /// The counts by the specification, added to `counts`.
    pub(crate) fn plain_tally(&self, table: &Table, counts: &mut [u64]) {
        let holds = |root, row| self.plain_holds(table, root, row);
        let count = |position, counts: &mut [u64]| {
            self.labels.masks_at(position).for_each(|mask| counts[mask] += 1);
        };
        spec::tally_by(
            table,
            self.labels.space(),
            self.hypothesis,
            holds,
            count,
            counts.chunks_exact_mut(self.width()),
        );
    }

    /// The rows covered by the specification.
    pub(crate) fn plain_cover(&self, table: &Table) -> BitRows {
        spec::cover_by(table, self.len(), |root, row| self.plain_holds(table, root, row))
    }

    fn plain_holds(&self, table: &Table, root: usize, row: usize) -> bool {
        match self.roots {
            Roots::Programs { programs, roots, .. } => {
                spec::holds(table, programs, roots[root], row)
            }
            Roots::Formulas { formulas, roots } => formulas.holds(table, roots[root], row),
        }
    }
}

/// What makes plans, with the memory it keeps between batches.
#[derive(Debug, Default)]
pub(crate) struct Planners {
    pipeline: Pipeline,
    programs: ProgramPlanner,
    formulas: FormulaPlanner,
}

impl Planners {
    /// Takes plans back that were done with: the next will need no new memory.
    pub(crate) fn take_back(&mut self, plans: Vec<Plan>) {
        self.pipeline.take_back(plans);
    }
}
