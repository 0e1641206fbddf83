use crate::plan::{
    BoundPrograms, FormulaPlanner, Formulas, Hypothesis, Lit, Pipeline, Plan, PlanLimits,
    ProgramPlanner, Variety,
};
use crate::spec;
use crate::table::{Labels, Table};
use pellucid_bits::BitRows;
use pellucid_program::{ProgramId, Programs};
use std::ops::Range;

/// The roots to evaluate together, and what to count.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub(crate) roots: Roots<'a>,
    pub(crate) labels: &'a Labels,
    pub(crate) hypothesis: Hypothesis,
}

/// The roots of a batch: programs of a pool, or flat formulas.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Roots<'a> {
    Programs {
        programs: &'a Programs,
        bound: &'a BoundPrograms,
        roots: &'a [ProgramId],
        lits: &'a [Lit],
    },
    Formulas {
        formulas: &'a Formulas,
        roots: &'a [u32],
    },
}

impl<'a> Batch<'a> {
    /// Returns the number of roots.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.roots {
            Roots::Programs { roots, .. } => roots.len(),
            Roots::Formulas { roots, .. } => roots.len(),
        }
    }

    /// Returns whether there are no roots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of counts per root: one for each mask of the labels.
    #[must_use]
    pub fn width(&self) -> usize {
        self.labels.width()
    }

    /// Returns a batch of a range of the roots.
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

    /// Returns how often the comparisons of the roots are repeated.
    pub(crate) fn variety(&self) -> Variety {
        match self.roots {
            Roots::Programs { .. } => Variety::Medium,
            Roots::Formulas { formulas, .. } => formulas.variety(),
        }
    }

    /// Plans the steps that compute the roots.
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

    /// Counts according to the specification and adds the result to `counts`.
    pub(crate) fn plain_tally(&self, table: &Table, counts: &mut [u64]) {
        let covers = |root, row| self.plain_covers(table, root, row);
        let count = |position, counts: &mut [u64]| {
            self.labels.masks_at(position).for_each(|mask| counts[mask] += 1);
        };
        spec::tally_by(
            table,
            self.labels.space(),
            self.hypothesis,
            covers,
            count,
            counts.chunks_exact_mut(self.width()),
        );
    }

    /// Returns the covered rows according to the specification.
    pub(crate) fn plain_cover(&self, table: &Table) -> BitRows {
        spec::cover_by(table, self.len(), |root, row| self.plain_covers(table, root, row))
    }

    fn plain_covers(&self, table: &Table, root: usize, row: usize) -> bool {
        match self.roots {
            Roots::Programs { programs, roots, .. } => {
                spec::holds(table, programs, roots[root], row)
            }
            Roots::Formulas { formulas, roots } => formulas.covers(table, roots[root], row),
        }
    }
}

/// The planners for both kinds of roots, and the memory they keep between batches.
#[derive(Debug, Default)]
pub(crate) struct Planners {
    pipeline: Pipeline,
    programs: ProgramPlanner,
    formulas: FormulaPlanner,
}

impl Planners {
    /// Takes back plans that are no longer needed, so that the next plans can reuse their memory.
    pub(crate) fn take_back(&mut self, plans: Vec<Plan>) {
        self.pipeline.take_back(plans);
    }
}
