//! A table, a question and a pool of programs, evaluated on whatever devices there are.

mod memo;

use crate::Resident;
use crate::batch::{Batch, Roots};
use crate::plan::{BindError, Bound, Formulas, Hypothesis, Lit, LiteralError, Tallies};
use crate::table::{Labels, Space, Table};
use memo::Memo;
use pellucid_bits::BitRows;
use pellucid_device::{
    Device, DeviceError, Executor, Fault, FaultListener, Machine, Schedule, Work,
};
use pellucid_program::{ProgramId, Programs};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Why programs could not be evaluated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EvaluateError {
    /// A program means nothing on the table.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A flat formula compares what the table does not have.
    #[error(transparent)]
    Literal(#[from] LiteralError),
    /// No device is left.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A question about bags with labels of rows, or the other way round.
    #[error("the hypothesis '{hypothesis}' counts {expected}, and the labels are of {found}")]
    Space {
        /// The hypothesis asked for.
        hypothesis: Hypothesis,
        /// What it counts.
        expected: &'static str,
        /// What the labels are of.
        found: &'static str,
    },
}

/// Evaluates many programs against one table.
///
/// The session owns the pool of programs, so that what a program means on the table is worked out once.
/// Counts that were computed before are remembered: asking again costs a look-up.
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
    bound: Bound,
    executor: Executor<dyn Resident>,
    memo: Memo,
    evaluated: u64,
}

impl Session {
    /// A session on some devices, with the default [`Schedule`].
    ///
    /// # Errors
    /// When no device takes the table, or the labels do not fit the hypothesis.
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

    /// A session on the devices of a machine, with its schedule; its listener hears of faults.
    ///
    /// # Errors
    /// When no device takes the table, or the labels do not fit the hypothesis.
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
            bound: Bound::default(),
            memo: Memo::new(labels.classes()),
            evaluated: 0,
            table,
            labels,
            hypothesis,
            executor,
        }
    }

    /// Splits batches over the devices in another way; shares are in the order in which the devices were
    /// given.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.executor.set_schedule(schedule);
    }

    /// Who is to hear of devices that fail, when it happens. Those that have already failed are told at once.
    pub fn set_fault_listener(&mut self, listener: FaultListener) {
        self.executor.set_listener(listener);
    }

    /// Asks another question of the same table. What was remembered is forgotten.
    ///
    /// # Errors
    /// When the labels do not fit the hypothesis.
    pub fn ask(&mut self, labels: Labels, hypothesis: Hypothesis) -> Result<(), EvaluateError> {
        check_space(&labels, hypothesis)?;
        self.memo = Memo::new(labels.classes());
        (self.labels, self.hypothesis) = (labels, hypothesis);
        Ok(())
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Which examples count, and for which class.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// When a program holds for an example.
    #[must_use]
    pub fn hypothesis(&self) -> Hypothesis {
        self.hypothesis
    }

    /// The pool of programs.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// The pool of programs, to add to.
    pub fn programs_mut(&mut self) -> &mut Programs {
        &mut self.programs
    }

    /// Forgets the counts that were computed before, but not the programs: the next question is answered
    /// afresh.
    pub fn forget_counts(&mut self) {
        self.memo.clear();
    }

    /// Empties the pool and everything remembered about it; all ids of programs lose their meaning. A caller
    /// that reads an endless stream of programs does this now and then, so that memory does not grow.
    pub fn forget_programs(&mut self) {
        self.programs.clear();
        self.bound.clear();
        self.memo.clear();
    }

    /// How many programs were counted on a device, remembered ones not among them.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// How long the devices themselves computed since this was last asked, all together; nothing where none
    /// can tell it apart from planning and transfers. Measuring costs a GPU some time itself, so it is done
    /// only once asked for, and as long as it is to `go_on`.
    pub fn take_device_time(&mut self, go_on: bool) -> Option<Duration> {
        let times = self.executor.residents().filter_map(|resident| resident.take_time(go_on));
        times.reduce(|sum, time| sum + time)
    }

    /// Takes the devices' failures since the last call, each to be told once.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        self.executor.take_faults()
    }

    /// Counts, for each root, the examples of each class for which it holds, or adds up what they weigh.
    ///
    /// # Errors
    /// When a program means nothing on the table, or no device is left.
    pub fn tally(&mut self, roots: &[ProgramId]) -> Result<Tallies, EvaluateError> {
        self.bound.extend(&self.programs, &self.table)?;
        let lits = self.lits(roots)?;
        self.memo.make_room(self.bound.nodes().len(), roots.len());
        let mut places = Vec::with_capacity(roots.len());
        let (mut new_roots, mut new_lits) = (Vec::new(), Vec::new());
        for (&root, lit) in roots.iter().zip(lits) {
            let (place, is_new) = self.memo.of_lit(lit);
            places.push(place);
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
        Ok(self.gather(&places))
    }

    /// [`Session::tally`] of programs in a pool that is only lent. It is always the same pool, whose schema
    /// begins with the columns of the table.
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

    /// Counts, for each flat formula, the examples of each class for which it holds, or adds up what they
    /// weigh.
    ///
    /// # Errors
    /// When a literal does not fit the table, or no device is left.
    pub fn tally_formulas(&mut self, formulas: &Formulas) -> Result<Tallies, EvaluateError> {
        formulas.check(&self.table)?;
        self.memo.make_room(self.bound.nodes().len(), formulas.len());
        let mut places = Vec::with_capacity(formulas.len());
        let mut new_roots = Vec::new();
        for &form in formulas.roots() {
            let (place, is_new) = self.memo.of_formula(formulas, form);
            places.push(place);
            if is_new {
                new_roots.push(form);
            }
        }
        let new = Roots::Formulas { formulas, roots: &new_roots };
        let batch = Batch { roots: new, labels: &self.labels, hypothesis: self.hypothesis };
        count(&mut self.executor, &batch, &mut self.memo)?;
        self.evaluated += new_roots.len() as u64;
        Ok(self.gather(&places))
    }

    /// The counts at some places of the memo.
    fn gather(&self, places: &[usize]) -> Tallies {
        let mut tallies = Tallies::zeros(places.len(), self.labels.classes());
        for (index, &place) in places.iter().enumerate() {
            tallies.of_mut(index).copy_from_slice(self.memo.at(place));
        }
        tallies
    }

    fn lits(&self, roots: &[ProgramId]) -> Result<Vec<Lit>, BindError> {
        roots.iter().map(|&root| self.bound.of(root)).collect()
    }

    /// The rows, in the order of the table, that each root covers. One device computes them.
    ///
    /// # Errors
    /// When a program means nothing on the table, or no device is left.
    pub fn cover(&mut self, roots: &[ProgramId]) -> Result<BitRows, EvaluateError> {
        self.bound.extend(&self.programs, &self.table)?;
        let lits = self.lits(roots)?;
        let roots =
            Roots::Programs { programs: &self.programs, bound: &self.bound, roots, lits: &lits };
        let batch = Batch { roots, labels: &self.labels, hypothesis: self.hypothesis };
        Ok(self.executor.one(batch.len(), |resident| resident.cover(&batch))?)
    }

    /// The rows, in the order of the table, that each flat formula covers. One device computes them.
    ///
    /// # Errors
    /// When a literal does not fit the table, or no device is left.
    pub fn cover_formulas(&mut self, formulas: &Formulas) -> Result<BitRows, EvaluateError> {
        formulas.check(&self.table)?;
        let roots = Roots::Formulas { formulas, roots: formulas.roots() };
        let batch = Batch { roots, labels: &self.labels, hypothesis: self.hypothesis };
        Ok(self.executor.one(batch.len(), |resident| resident.cover(&batch))?)
    }
}

/// Counts what is new to the memo, which has the last places ready for it.
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
    let counted = if labels.is_one_mask_a_class() {
        count(sums)
    } else if width == 0 {
        // No example weighs anything.
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
