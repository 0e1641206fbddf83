//! A table, a question and a pool of programs, evaluated on one or more devices.

mod memo;
mod prints;

use crate::Resident;
use crate::batch::{Batch, Roots};
use crate::plan::{BindError, BoundPrograms, Formulas, Hypothesis, Lit, LiteralError, Tallies};
use crate::table::{Labels, Space, Table};
use memo::{Found, Memo};
use pellucid_bits::{BitRows, as_u32};
use pellucid_device::{
    Device, DeviceError, Executor, Fault, FaultListener, Machine, Schedule, Work,
};
use pellucid_program::{ProgramId, Programs};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The reason why programs could not be evaluated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EvaluateError {
    /// A program does not fit the table.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A flat formula refers to a column or value that the table does not have.
    #[error(transparent)]
    Literal(#[from] LiteralError),
    /// All devices failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The hypothesis counts bags but the labels are for rows, or the other way round.
    #[error("the hypothesis '{hypothesis}' counts {expected}, but the labels are for {found}")]
    Space {
        /// The requested hypothesis.
        hypothesis: Hypothesis,
        /// What the hypothesis counts: rows or bags.
        expected: &'static str,
        /// What the labels are for: rows or bags.
        found: &'static str,
    },
}

/// Evaluates many programs on one table.
///
/// The session owns the pool of programs, so each program is bound to the table only once. The
/// session also remembers counts: a repeated question costs one lookup.
///
/// ```
/// use pellucid_cover::{Hypothesis, Labels, Session, Table};
/// use pellucid_data::Values;
/// use pellucid_device::Device;
/// use std::sync::Arc;
/// let table = Table::new(vec![("age".into(), Values::Numeric(vec![23.0, 51.0, 48.0, 35.0].into()))])?;
/// let labels = Labels::rows(&table, &[0, 1, 1, 0], 2)?;
/// let mut session = Session::new(Arc::new(table), labels, Hypothesis::Rows, &[Device::processor(None)?])?;
/// let old = session.programs_mut().parse("age > 40")?;
/// assert_eq!(session.tally(&[old])?.of(0), [0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    table: Arc<Table>,
    labels: Labels,
    hypothesis: Hypothesis,
    programs: Programs,
    bound: BoundPrograms,
    executor: Executor<dyn Resident>,
    memo: Memo,
    /// What the memo knew of the formulas of the last call.
    found: Found,
    evaluated: u64,
}

impl Session {
    /// Creates a session on the given devices, with the default [`Schedule`].
    ///
    /// # Errors
    /// When no device can load the table, or the labels do not fit the hypothesis.
    pub fn new(
        table: Arc<Table>,
        labels: Labels,
        hypothesis: Hypothesis,
        devices: &[Device],
    ) -> Result<Session, EvaluateError> {
        check_space(&labels, hypothesis)?;
        let executor = Executor::on(devices, |hardware| crate::open(hardware, &table))?;
        Ok(Session::with(executor, table, labels, hypothesis))
    }

    /// Creates a session on the devices of a machine, with its schedule. Faults are reported to the
    /// listener of the machine.
    ///
    /// # Errors
    /// When no device can load the table, or the labels do not fit the hypothesis.
    pub fn on(
        machine: &Machine,
        table: Arc<Table>,
        labels: Labels,
        hypothesis: Hypothesis,
    ) -> Result<Session, EvaluateError> {
        check_space(&labels, hypothesis)?;
        let executor = Executor::new(machine, |hardware| crate::open(hardware, &table))?;
        Ok(Session::with(executor, table, labels, hypothesis))
    }

    pub(crate) fn with(
        executor: Executor<dyn Resident>,
        table: Arc<Table>,
        labels: Labels,
        hypothesis: Hypothesis,
    ) -> Session {
        Session {
            programs: Programs::new(table.schema()),
            bound: BoundPrograms::default(),
            memo: Memo::new(labels.classes()),
            found: Found::default(),
            evaluated: 0,
            table,
            labels,
            hypothesis,
            executor,
        }
    }

    /// Sets how batches are split over the devices. Shares are in the order in which the devices
    /// were given.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.executor.set_schedule(schedule);
    }

    /// Sets the listener that is notified when a device fails. Earlier failures are reported to it
    /// immediately.
    pub fn set_fault_listener(&mut self, listener: FaultListener) {
        self.executor.set_listener(listener);
    }

    /// Sets another question on the same table and clears the remembered counts.
    ///
    /// # Errors
    /// When the labels do not fit the hypothesis.
    pub fn ask(&mut self, labels: Labels, hypothesis: Hypothesis) -> Result<(), EvaluateError> {
        check_space(&labels, hypothesis)?;
        self.memo = Memo::new(labels.classes());
        (self.labels, self.hypothesis) = (labels, hypothesis);
        Ok(())
    }

    /// Returns the table.
    #[must_use]
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Returns the labels: which examples count, and for which class.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Returns the hypothesis: when a program covers an example.
    #[must_use]
    pub fn hypothesis(&self) -> Hypothesis {
        self.hypothesis
    }

    /// Returns the pool of programs.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Returns the pool of programs for adding more.
    pub fn programs_mut(&mut self) -> &mut Programs {
        &mut self.programs
    }

    /// Clears the remembered counts but keeps the programs. The next question is computed again.
    pub fn forget_counts(&mut self) {
        self.memo.clear();
    }

    /// Clears the pool and everything remembered about it. All program ids become invalid. A caller
    /// that reads an endless stream of programs calls this from time to time to limit memory.
    pub fn forget_programs(&mut self) {
        self.programs.clear();
        self.bound.clear();
        self.memo.clear();
    }

    /// Returns the number of programs evaluated on a device. Remembered results are not included.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Returns the total time that the devices themselves have computed since the last call, or
    /// `None` if no device can separate it from planning and transfers. Measuring slows a GPU down,
    /// so it starts with the first call and continues only while `go_on` is set.
    pub fn take_device_time(&mut self, go_on: bool) -> Option<Duration> {
        let times = self.executor.residents().filter_map(|resident| resident.take_time(go_on));
        times.reduce(|sum, time| sum + time)
    }

    /// Returns the device failures since the last call. Each failure is returned once.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        self.executor.take_faults()
    }

    /// Counts, for each root, the covered examples of each class, or adds up their weights.
    ///
    /// # Errors
    /// When a program does not fit the table, or all devices failed.
    pub fn tally(&mut self, roots: &[ProgramId]) -> Result<Tallies, EvaluateError> {
        self.bound.extend(&self.programs, &self.table)?;
        let lits = self.lits(roots)?;
        self.memo.make_room(self.bound.nodes().len(), roots.len());
        let mut indices = Vec::with_capacity(roots.len());
        let (mut new_roots, mut new_lits) = (Vec::new(), Vec::new());
        for (&root, lit) in roots.iter().zip(lits) {
            let (index, is_new) = self.memo.of_lit(lit);
            indices.push(as_u32(index));
            if is_new {
                new_roots.push(root);
                new_lits.push(lit);
            }
        }
        let new = Roots::Programs {
            programs: &self.programs,
            bound: &self.bound,
            roots: &new_roots,
            lits: &new_lits,
        };
        let batch = Batch { roots: new, labels: &self.labels, hypothesis: self.hypothesis };
        count(&mut self.executor, &batch, &mut self.memo)?;
        self.evaluated += new_roots.len() as u64;
        Ok(self.gather(&indices))
    }

    /// Does the same as [`Session::tally`] for programs in a pool that the caller owns. It must be
    /// the same pool in every call, and its schema must begin with the columns of the table.
    ///
    /// # Errors
    /// As [`Session::tally`].
    pub fn tally_lent(
        &mut self,
        programs: &mut Programs,
        roots: &[ProgramId],
    ) -> Result<Tallies, EvaluateError> {
        std::mem::swap(&mut self.programs, programs);
        let tallies = self.tally(roots);
        std::mem::swap(&mut self.programs, programs);
        tallies
    }

    /// Counts, for each flat formula, the covered examples of each class, or adds up their weights.
    ///
    /// # Errors
    /// When a literal does not fit the table, or all devices failed.
    pub fn tally_formulas(&mut self, formulas: &Formulas) -> Result<Tallies, EvaluateError> {
        formulas.check(&self.table)?;
        self.memo.make_room(self.bound.nodes().len(), formulas.len());
        self.memo.find(formulas, &mut self.found);
        let Found { indices, new_roots } = &self.found;
        let new = Roots::Formulas { formulas, roots: new_roots };
        let batch = Batch { roots: new, labels: &self.labels, hypothesis: self.hypothesis };
        count(&mut self.executor, &batch, &mut self.memo)?;
        self.evaluated += new_roots.len() as u64;
        Ok(self.gather(indices))
    }

    /// Returns the counts at some indices of the memo.
    fn gather(&self, indices: &[u32]) -> Tallies {
        let mut tallies = Tallies::zeros(indices.len(), self.labels.classes());
        // New formulas that all differ have adjacent counts.
        if let Some(&first) = indices.first()
            && indices.iter().zip(first..).all(|(&index, expected)| index == expected)
        {
            tallies.counts_mut().copy_from_slice(self.memo.range(first as usize, indices.len()));
            return tallies;
        }
        for (root, &index) in indices.iter().enumerate() {
            tallies.of_mut(root).copy_from_slice(self.memo.at(index as usize));
        }
        tallies
    }

    fn lits(&self, roots: &[ProgramId]) -> Result<Vec<Lit>, BindError> {
        roots.iter().map(|&root| self.bound.of(root)).collect()
    }

    /// Returns the rows, in table order, that each root covers. One device computes them.
    ///
    /// # Errors
    /// When a program does not fit the table, or all devices failed.
    pub fn cover(&mut self, roots: &[ProgramId]) -> Result<BitRows, EvaluateError> {
        self.bound.extend(&self.programs, &self.table)?;
        let lits = self.lits(roots)?;
        let roots =
            Roots::Programs { programs: &self.programs, bound: &self.bound, roots, lits: &lits };
        let batch = Batch { roots, labels: &self.labels, hypothesis: self.hypothesis };
        Ok(self.executor.one(batch.len(), |resident| resident.cover(&batch))?)
    }

    /// Returns the rows, in table order, that each flat formula covers. One device computes them.
    ///
    /// # Errors
    /// When a literal does not fit the table, or all devices failed.
    pub fn cover_formulas(&mut self, formulas: &Formulas) -> Result<BitRows, EvaluateError> {
        formulas.check(&self.table)?;
        let roots = Roots::Formulas { formulas, roots: formulas.roots() };
        let batch = Batch { roots, labels: &self.labels, hypothesis: self.hypothesis };
        Ok(self.executor.one(batch.len(), |resident| resident.cover(&batch))?)
    }
}

/// Counts the new roots of the memo, whose counts are its last entries.
fn count(
    executor: &mut Executor<dyn Resident>,
    batch: &Batch<'_>,
    memo: &mut Memo,
) -> Result<(), DeviceError> {
    let (labels, width) = (batch.labels, batch.width());
    let mut count = |out: &mut [u64]| {
        executor.run(Work {
            items: batch.len(),
            width,
            unit: 1.0,
            out,
            work: |resident: &mut (dyn Resident + 'static), roots, counts: &mut [u64]| {
                resident.tally(&batch.part(roots), counts)
            },
        })
    };
    let sums = memo.last_mut(batch.len());
    let counted = if labels.has_one_mask_per_class() {
        count(sums)
    } else if width == 0 {
        // All weights are 0.
        Ok(())
    } else {
        let mut counts = vec![0; batch.len() * width];
        let counted = count(&mut counts);
        let sums = sums.chunks_exact_mut(labels.classes());
        counts.chunks_exact(width).zip(sums).for_each(|(counts, sums)| labels.add_up(counts, sums));
        counted
    };
    if counted.is_err() {
        memo.clear();
    }
    counted
}

fn check_space(labels: &Labels, hypothesis: Hypothesis) -> Result<(), EvaluateError> {
    let name = |space| if space == Space::Rows { "rows" } else { "bags" };
    if labels.space() == hypothesis.space() {
        return Ok(());
    }
    Err(EvaluateError::Space {
        hypothesis,
        expected: name(hypothesis.space()),
        found: name(labels.space()),
    })
}
