//! A table, a question and a pool of programs, evaluated on whatever devices there are.

use crate::bits::BitRows;
use crate::device::{Batch, Device, DeviceError};
use crate::kernel::{BindError, Bound, Hypothesis, Lit, Tallies};
use crate::program::{ProgramId, Programs, Schema};
use crate::schedule::{Fault, Member, Schedule, run};
use crate::table::{Labels, Space, Table};
use std::sync::Arc;
use thiserror::Error;

/// Why programs could not be evaluated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EvaluateError {
    /// A program means nothing on the table.
    #[error(transparent)]
    Bind(#[from] BindError),
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
/// The session owns the pool of programs, so that what a program means on the table is worked out once. Counts that were
/// computed before are remembered: asking again costs a look-up.
///
/// ```
/// use pellucid_engine::{Cpu, Hypothesis, Labels, Session, Table, Values};
/// use std::sync::Arc;
/// let table = Table::new(vec![("age".into(), Values::Numeric(vec![23.0, 51.0, 48.0, 35.0]))])?;
/// let labels = Labels::rows(&table, &[0, 1, 1, 0], 2)?;
/// let mut session = Session::new(Arc::new(table), labels, Hypothesis::Rows, &[Arc::new(Cpu::new(None)?)])?;
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
    members: Vec<Member>,
    schedule: Schedule,
    memo: Memo,
    faults: Vec<Fault>,
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
        devices: &[Arc<dyn Device>],
    ) -> Result<Session, EvaluateError> {
        let mut members = Vec::with_capacity(devices.len());
        let mut refusals = Vec::new();
        for device in devices {
            match device.load(&table) {
                Ok(resident) => members.push(Member { resident: Some(resident) }),
                Err(error) => {
                    // It keeps its place, so that shares still fit.
                    members.push(Member { resident: None });
                    refusals.push(error);
                }
            }
        }
        let left = members.iter().filter(|member| member.resident.is_some()).count();
        if left == 0 {
            let none =
                || DeviceError { device: "none".into(), reason: "no device was given".into() };
            return Err(refusals.pop().unwrap_or_else(none).into());
        }
        let mut session = Session::with_members(table, labels, hypothesis, members)?;
        session.faults.extend(refusals.into_iter().map(|error| Fault { error, left }));
        Ok(session)
    }

    /// A session on one device that is only lent.
    pub(crate) fn on(
        device: &dyn Device,
        table: Arc<Table>,
        labels: Labels,
        hypothesis: Hypothesis,
    ) -> Result<Session, EvaluateError> {
        let resident = device.load(&table)?;
        let member = Member { resident: Some(resident) };
        Session::with_members(table, labels, hypothesis, vec![member])
    }

    fn with_members(
        table: Arc<Table>,
        labels: Labels,
        hypothesis: Hypothesis,
        members: Vec<Member>,
    ) -> Result<Session, EvaluateError> {
        check_space(&labels, hypothesis)?;
        Ok(Session {
            programs: Programs::new(Schema::of(&table)),
            bound: Bound::new(),
            memo: Memo::new(labels.classes()),
            faults: Vec::new(),
            schedule: Schedule::default(),
            evaluated: 0,
            table,
            labels,
            hypothesis,
            members,
        })
    }

    /// Splits batches over the devices in another way; shares are in the order in which the devices were given.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = schedule;
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

    /// Forgets the counts that were computed before, but not the programs: the next question is answered afresh.
    pub fn forget_counts(&mut self) {
        self.memo.clear();
    }

    /// Empties the pool and everything remembered about it; all ids of programs lose their meaning. A caller that reads
    /// an endless stream of programs does this now and then, so that memory does not grow.
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

    /// Takes the devices' failures since the last call, each to be told once.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// Counts, for each root, the examples of each class for which it holds.
    ///
    /// # Errors
    /// When a program means nothing on the table, or no device is left.
    pub fn tally(&mut self, roots: &[ProgramId]) -> Result<Tallies, EvaluateError> {
        self.bound.extend(&self.programs, &self.table)?;
        let lits = self.lits(roots)?;
        self.memo.make_room(self.bound.len(), roots.len());
        let mut places = Vec::with_capacity(roots.len());
        let (mut new_roots, mut new_lits) = (Vec::new(), Vec::new());
        for (&root, lit) in roots.iter().zip(lits) {
            let (place, is_new) = self.memo.place(lit);
            places.push(place);
            if is_new {
                new_roots.push(root);
                new_lits.push(lit);
            }
        }
        if !new_roots.is_empty() {
            let batch = Batch {
                programs: &self.programs,
                bound: &self.bound,
                roots: &new_roots,
                lits: &new_lits,
                labels: &self.labels,
                hypothesis: self.hypothesis,
            };
            match run(
                &mut self.members,
                &self.schedule,
                &batch,
                self.memo.last_mut(new_roots.len()),
            ) {
                Ok(faults) => self.faults.extend(faults),
                Err(error) => {
                    self.memo.clear();
                    return Err(error.into());
                }
            }
            self.evaluated += new_roots.len() as u64;
        }
        let mut tallies = Tallies::zeros(roots.len(), self.labels.classes());
        for (index, place) in places.into_iter().enumerate() {
            tallies.of_mut(index).copy_from_slice(self.memo.at(place));
        }
        Ok(tallies)
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
        let batch = Batch {
            programs: &self.programs,
            bound: &self.bound,
            roots,
            lits: &lits,
            labels: &self.labels,
            hypothesis: self.hypothesis,
        };
        let mut last = DeviceError { device: "none".into(), reason: "no device is left".into() };
        for index in 0..self.members.len() {
            let Some(resident) = &mut self.members[index].resident else { continue };
            match resident.cover(&batch) {
                Ok(rows) => return Ok(rows),
                Err(error) => {
                    self.members[index].resident = None;
                    let left =
                        self.members.iter().filter(|member| member.resident.is_some()).count();
                    self.faults.push(Fault { error: error.clone(), left });
                    last = error;
                }
            }
        }
        Err(last.into())
    }
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

/// Counts that were computed before, by what the program means on the table.
#[derive(Debug)]
struct Memo {
    classes: usize,
    /// By literal: the place of its counts, from 1; 0 where there are none.
    places: Vec<u32>,
    counts: Vec<u64>,
}

/// How many programs are remembered; past that all are forgotten and it starts anew.
const REMEMBERED: usize = 1 << 20;

impl Memo {
    fn new(classes: usize) -> Memo {
        Memo { classes, places: Vec::new(), counts: Vec::new() }
    }

    fn clear(&mut self) {
        self.places.clear();
        self.counts.clear();
    }

    fn len(&self) -> usize {
        self.counts.len() / self.classes
    }

    fn make_room(&mut self, nodes: usize, roots: usize) {
        if self.len() + roots > REMEMBERED {
            self.clear();
        }
        self.places.resize(2 * nodes, 0);
    }

    /// Where the counts of a literal are, and whether they still have to be computed.
    fn place(&mut self, lit: Lit) -> (usize, bool) {
        let next = self.len() + 1;
        let place = &mut self.places[lit.index()];
        let is_new = *place == 0;
        if is_new {
            *place = u32::try_from(next).unwrap_or(u32::MAX);
            self.counts.resize(next * self.classes, 0);
        }
        (*place as usize - 1, is_new)
    }

    fn at(&self, place: usize) -> &[u64] {
        &self.counts[place * self.classes..(place + 1) * self.classes]
    }

    /// The counts of the last so many literals that got a place.
    fn last_mut(&mut self, number: usize) -> &mut [u64] {
        let first = self.counts.len() - number * self.classes;
        &mut self.counts[first..]
    }
}
