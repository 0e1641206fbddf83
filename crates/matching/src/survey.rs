//! Many conditions against many rows at once, on all devices together.

use crate::cpu::OnThreads;
use crate::{Examples, Test, gpu};
use pellucid_bits::as_u32;
use pellucid_device::{DeviceError, Executor, Hardware, Machine, Work};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Conditions, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    starts: Vec<u32>,
    tests: Vec<Test>,
}

impl Default for Conditions {
    fn default() -> Conditions {
        Conditions { starts: vec![0], tests: Vec::new() }
    }
}

impl Conditions {
    /// Adds one.
    pub fn push(&mut self, tests: &[Test]) {
        self.tests.extend_from_slice(tests);
        self.starts.push(as_u32(self.tests.len()));
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tests of one.
    #[must_use]
    pub fn tests(&self, number: usize) -> &[Test] {
        &self.tests[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Where some begin among all tests, one past the last included, and their tests.
    pub(crate) fn part(&self, part: Range<usize>) -> (&[u32], &[Test]) {
        let starts = &self.starts[part.start..=part.end];
        (starts, &self.tests[starts[0] as usize..starts[part.len()] as usize])
    }
}

impl<'a> FromIterator<&'a [Test]> for Conditions {
    fn from_iter<I: IntoIterator<Item = &'a [Test]>>(all: I) -> Conditions {
        let mut conditions = Conditions::default();
        all.into_iter().for_each(|tests| conditions.push(tests));
        conditions
    }
}

/// What the vote of a condition is worth, and for whom. Votes are whole numbers, so that their sums do not depend on who
/// adds them up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ballot {
    /// For whom.
    pub label: u32,
    /// How much.
    pub votes: u32,
}

/// Some of the examples, by their numbers. Devices lay them out when they first see them.
#[derive(Clone, Debug)]
pub struct Rows {
    list: Arc<[u32]>,
    /// No other has it, so that a device knows what it has laid out.
    number: u64,
}

impl Rows {
    /// These.
    #[must_use]
    pub fn new(list: &[u32]) -> Rows {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Rows { list: list.into(), number: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// All of them.
    #[must_use]
    pub fn all(examples: &Examples) -> Rows {
        Rows::new(&(0..as_u32(examples.rows())).collect::<Vec<_>>())
    }

    /// Their numbers.
    #[must_use]
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// Words of 64 of them.
    #[must_use]
    pub fn words(&self) -> usize {
        self.list.len().div_ceil(64)
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

/// Rows for which there are votes together: a word of a GPU.
pub(crate) const VOTING: usize = 32;

/// Examples on a device.
pub trait Residency: Debug + Send {
    /// Which rows some of the conditions match: so many words of 64 rows for each.
    ///
    /// # Errors
    /// When the device fails.
    fn cover(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        part: Range<usize>,
        out: &mut [u64],
    ) -> Result<(), DeviceError>;

    /// Whom the conditions, sorted by whom they vote for, elect for some of the rows, given in pieces of 32.
    ///
    /// # Errors
    /// When the device fails.
    fn vote(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        ballots: &[Ballot],
        part: Range<usize>,
        out: &mut [u32],
    ) -> Result<(), DeviceError>;
}

/// Takes examples to a device.
///
/// # Errors
/// When the device fails or has no room.
pub fn open(
    hardware: &Hardware,
    examples: &Arc<Examples>,
) -> Result<Box<dyn Residency>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(OnThreads::new(processor, examples))),
        Hardware::Gpu(gpu) => gpu.open(gpu::SendExamples(examples)),
    }
}

/// Examples on all devices of a machine, which share conditions by its schedule: a fixed share for the GPUs, or what each was
/// seen to do. Answers are the same whoever gives them.
///
/// ```
/// use pellucid_device::Machine;
/// use pellucid_matching::{Ballot, Conditions, Domain, Examples, MISSING, Rows, Survey, Test};
/// use std::sync::Arc;
///
/// let examples = Arc::new(Examples::new(vec![Domain::ordered(4)], vec![0, 3, 1, 2])?);
/// let mut survey = Survey::new(&Machine::processor(None)?, &examples)?;
/// let (low, high) = ([Test::between(0, 0, 1)], [Test::between(0, 1, 2)]);
/// let conditions: Conditions = [&low[..], &high[..]].into_iter().collect();
/// let rows = Rows::all(&examples);
/// assert_eq!(survey.cover(&rows, &conditions)?, [0b0101, 0b1100]);
/// let ballots = [Ballot { label: 7, votes: 2 }, Ballot { label: 5, votes: 1 }];
/// assert_eq!(survey.elect(&rows, &conditions, &ballots)?, [7, MISSING, 7, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Survey {
    executor: Executor<dyn Residency>,
}

impl Survey {
    /// Takes examples to the devices of a machine.
    ///
    /// # Errors
    /// When none takes them.
    pub fn new(machine: &Machine, examples: &Arc<Examples>) -> Result<Survey, DeviceError> {
        Ok(Survey { executor: Executor::new(machine, |hardware| open(hardware, examples))? })
    }

    /// Which rows each condition matches, a bit for each in their order: so many words a condition, bits past the last row clear.
    ///
    /// # Errors
    /// When no device is left.
    pub fn cover(&mut self, rows: &Rows, conditions: &Conditions) -> Result<Vec<u64>, DeviceError> {
        let mut out = vec![0; conditions.len() * rows.words()];
        self.executor.run(Work {
            items: conditions.len(),
            width: rows.words(),
            unit: rows.list().len().max(1) as f64,
            out: &mut out,
            work: |there: &mut (dyn Residency + 'static), part, out: &mut [u64]| {
                there.cover(rows, conditions, part, out)
            },
        })?;
        Ok(out)
    }

    /// Whom the conditions that match a row elect, by row: who gets most votes, of equal ones the lowest label, and
    /// [`MISSING`](crate::MISSING) where nobody votes.
    ///
    /// # Errors
    /// When no device is left.
    pub fn elect(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        ballots: &[Ballot],
    ) -> Result<Vec<u32>, DeviceError> {
        let mut order: Vec<usize> = (0..conditions.len().min(ballots.len())).collect();
        order.sort_by_key(|&number| ballots[number].label);
        let sorted: Conditions = order.iter().map(|&number| conditions.tests(number)).collect();
        let ballots: Vec<Ballot> = order.iter().map(|&number| ballots[number]).collect();
        let items = rows.list().len().div_ceil(VOTING);
        let mut out = vec![0; VOTING * items];
        self.executor.run(Work {
            items,
            width: VOTING,
            unit: sorted.len().max(1) as f64,
            out: &mut out,
            work: |there: &mut (dyn Residency + 'static), part, out: &mut [u32]| {
                there.vote(rows, &sorted, &ballots, part, out)
            },
        })?;
        out.truncate(rows.list().len());
        Ok(out)
    }
}
