//! Matches many conditions with many rows at once, on all devices together.

use crate::cpu::OnThreads;
use crate::{CodedExamples, Test, gpu};
use pellucid_bits::as_u32;
use pellucid_device::{DeviceError, Executor, Hardware, Machine, Work};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A list of conditions.
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
    /// Adds a condition.
    pub fn push(&mut self, tests: &[Test]) {
        self.tests.extend_from_slice(tests);
        self.starts.push(as_u32(self.tests.len()));
    }

    /// Returns the number of conditions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns whether there are no conditions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the tests of a condition.
    #[must_use]
    pub fn tests(&self, number: usize) -> &[Test] {
        &self.tests[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Returns the start of each condition in a range, with the end of the last one, and the tests of the
    /// range.
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

/// The vote of a condition: a label and a weight. Weights are integers, so that sums do not depend on the
/// order of addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ballot {
    /// The label.
    pub label: u32,
    /// The weight.
    pub votes: u32,
}

/// A selection of examples, by row number. Devices lay the rows out at the first use.
#[derive(Clone, Debug)]
pub struct Rows {
    list: Arc<[u32]>,
    /// A unique number, by which a device recognizes rows that it has laid out.
    number: u64,
}

impl Rows {
    /// Returns a selection of rows.
    #[must_use]
    pub fn new(list: &[u32]) -> Rows {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Rows { list: list.into(), number: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Returns a selection of all rows.
    #[must_use]
    pub fn all(examples: &CodedExamples) -> Rows {
        Rows::new(&(0..as_u32(examples.rows())).collect::<Vec<_>>())
    }

    /// Returns the row numbers.
    #[must_use]
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// Returns the number of 64-bit words with one bit per row.
    #[must_use]
    pub fn words(&self) -> usize {
        self.list.len().div_ceil(64)
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

/// The number of rows that vote together: one word of a GPU.
pub(crate) const VOTING_ROWS: usize = 32;

/// Examples on a device.
pub trait Residency: Debug + Send {
    /// Returns the rows that each condition of a range matches, in [`Rows::words`] words per condition.
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

    /// Returns the elected label of each row of a range, which is given in units of 32 rows. Conditions are
    /// sorted by label.
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

/// Copies examples to a device.
///
/// # Errors
/// When the device fails or has not enough memory.
pub fn open(
    hardware: &Hardware,
    examples: &Arc<CodedExamples>,
) -> Result<Box<dyn Residency>, DeviceError> {
    match hardware {
        Hardware::Processor(processor) => Ok(Box::new(OnThreads::new(processor, examples))),
        Hardware::Gpu(gpu) => gpu.open(gpu::SendExamples(examples)),
    }
}

/// Examples on all devices of a machine. The devices share conditions by the schedule of the machine: a fixed
/// share for the GPUs, or shares by measured speed. The results do not depend on the device.
///
/// ```
/// use pellucid_device::Machine;
/// use pellucid_matching::{Ballot, Conditions, CodeDomain, CodedExamples, MISSING, Rows, Survey, Test};
/// use std::sync::Arc;
///
/// let examples = Arc::new(CodedExamples::new(vec![CodeDomain::ordered(4)], vec![0, 3, 1, 2])?);
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
    /// Copies examples to the devices of a machine.
    ///
    /// # Errors
    /// When no device accepts them.
    pub fn new(machine: &Machine, examples: &Arc<CodedExamples>) -> Result<Survey, DeviceError> {
        Ok(Survey { executor: Executor::new(machine, |hardware| open(hardware, examples))? })
    }

    /// Returns the rows that each condition matches, one bit per row in the given order. Each condition takes
    /// [`Rows::words`] words; bits past the last row are zero.
    ///
    /// # Errors
    /// When no device works.
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

    /// Returns, for each row, the label with the most votes of the conditions that match it: the lowest label
    /// in a tie, and [`MISSING`](crate::MISSING) if no condition matches.
    ///
    /// # Errors
    /// When no device works.
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
        let items = rows.list().len().div_ceil(VOTING_ROWS);
        let mut out = vec![0; VOTING_ROWS * items];
        self.executor.run(Work {
            items,
            width: VOTING_ROWS,
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
