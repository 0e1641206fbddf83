//! The search over very many local examples on a GPU.
//!
//! The steps of all columns stay on the GPU. For each rule, the CPU sends the group of each example (its
//! [pattern](super::class_fit) and class) and the gradient and curvature of each group; conjunctions are sent
//! as conditions, and only sums come back. Sums are integers, so the rules are those of the CPU.

use super::FeatureTable;
use super::by_sums::{ConjunctionTotal, SumSource, Wanted};
use super::class_fit::{ClassFit, ExampleGroups};
use super::members::{KnownRule, Members, digests};
use super::screen::is_sampled;
use super::search::{FoundRule, RuleSearch};
use super::stepped::SteppedColumn;
use super::sums::Sums;
use super::test::Test;
use pellucid_device::{Device, DeviceError, DeviceKind, Fault, FaultListener, Machine};
use pellucid_histogram::{
    Conjunction, ResidentSteps, StepColumn, StepSums, StepTable, StepTest, Total, open,
};
use pellucid_learn::rng::Streams;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The examples of a table on a GPU.
#[derive(Debug)]
pub(crate) struct GpuExamples {
    /// The table; `None` after a failure, and the CPU then continues.
    table: Mutex<Option<Box<dyn ResidentSteps>>>,
    searches: AtomicUsize,
    faults: FaultListener,
}

impl FeatureTable {
    /// Copies the table to the first GPU of a machine, if there is one and there are many examples. A failure
    /// is reported, and the CPU searches.
    pub(crate) fn use_gpu(&mut self, machine: &Machine) {
        let is_gpu = |device: &&Device| device.kind() == DeviceKind::Gpu;
        let Some(device) = machine.devices.iter().find(is_gpu) else { return };
        if !self.digests.is_empty() || self.numbers.is_some() || self.remote.is_some() {
            return;
        }
        let columns = self.stepped.iter().map(column).collect();
        let examples = (0u32..).take(self.codes.len());
        let sample: Vec<u32> = examples.filter(|&one| is_sampled(u64::from(one))).collect();
        let digests = digests(self.codes.len());
        let table = StepTable { columns, digests: &digests, sample: &sample };
        match open(device.hardware(), &table) {
            Ok(None) => {}
            Ok(Some(table)) => {
                let (table, searches) = (Mutex::new(Some(table)), AtomicUsize::new(0));
                let faults = machine.faults.clone();
                self.gpu = Some(GpuExamples { table, searches, faults });
            }
            Err(error) => report(&machine.faults, error),
        }
    }
}

fn column(stepped: &SteppedColumn) -> StepColumn<'_> {
    StepColumn { steps: &stepped.steps, count: stepped.count }
}

/// Reports that the CPU takes over.
fn report(faults: &FaultListener, error: DeviceError) {
    faults.hear(&Fault { error, left: 1 });
}

impl GpuExamples {
    /// Returns the number of a new path.
    pub(super) fn new_search(&self) -> usize {
        self.searches.fetch_add(1, Ordering::Relaxed)
    }

    /// Asks the GPU; `None` after a failure. Nothing else happens while the GPU is locked, because a thread
    /// that waits for others may take up another search, which would wait for the GPU forever.
    fn ask<T>(
        &self,
        question: impl FnOnce(&mut dyn ResidentSteps) -> Result<T, DeviceError>,
    ) -> Option<T> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = question(&mut **table.as_mut()?);
        match answer {
            Ok(answer) => Some(answer),
            Err(error) => {
                *table = None;
                drop(table);
                report(&self.faults, error);
                None
            }
        }
    }

    /// Returns the rule with the largest gain on a path that differs from the known rules. The outer `None`
    /// means that the CPU must search: after a failure, or if examples of a class differ in weight.
    pub(super) fn best(
        &self,
        search: &RuleSearch<'_>,
        number: usize,
        (fit, examples): (&ClassFit, &[u32]),
        rules: &[KnownRule],
        streams: Streams,
    ) -> Option<Option<FoundRule>> {
        if !search.cuts.are_all() {
            return None;
        }
        let ExampleGroups { group_of, groups, weights, unit } = fit.groups(examples)?;
        self.ask(|table| table.set_groups(number, &group_of, &groups))?;
        let source = GpuSums { gpu: self, number, weights };
        let found = search.best_by_sums(&source, (examples.len(), unit), rules, streams);
        let has_failed = self.table.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        if has_failed { None } else { Some(found) }
    }
}

/// The sums of a path on a GPU.
struct GpuSums<'a> {
    gpu: &'a GpuExamples,
    number: usize,
    /// The weight of an example outside and inside the class.
    weights: [i64; 2],
}

impl GpuSums<'_> {
    fn sums(&self, found: &StepSums) -> Sums {
        let [outside, inside] =
            [0, 1].map(|side| self.weights[side] * i64::from(found.counts[side]));
        Sums([found.gradient, found.curvature, outside + inside, inside])
    }
}

/// Returns conditions as bits.
fn conjunction(tests: &[Test]) -> Conjunction {
    let test = |test: &Test| {
        let column = u32::try_from(test.feature).unwrap_or(u32::MAX);
        StepTest::new(column, |step| test.set.contains(step))
    };
    tests.iter().map(test).collect()
}

impl SumSource for GpuSums<'_> {
    fn step_sums(&self, beam: Vec<Wanted>, sampled: bool, _: usize) -> Option<Vec<Sums>> {
        let wanted = |(tests, wanted): &Wanted| {
            let columns = (0u32..).zip(wanted).filter(|(_, is_wanted)| **is_wanted);
            (conjunction(tests), columns.map(|(column, _)| column).collect())
        };
        let wanted: Vec<(Conjunction, Vec<u32>)> = beam.iter().map(wanted).collect();
        let found = self.gpu.ask(|table| table.step_sums(self.number, &wanted, sampled))?;
        Some(found.iter().map(|found| self.sums(found)).collect())
    }

    fn totals(&self, conjunctions: Vec<Vec<Test>>) -> Option<Vec<ConjunctionTotal>> {
        let conjunctions: Vec<Conjunction> =
            conjunctions.iter().map(|tests| conjunction(tests)).collect();
        let found = self.gpu.ask(|table| table.totals(self.number, &conjunctions))?;
        let total = |total: &Total| {
            let count = total.sums.counts.map(u64::from).iter().sum();
            let members = Members { count, sum: total.digest };
            ConjunctionTotal { members, sums: self.sums(&total.sums) }
        };
        Some(found.iter().map(total).collect())
    }
}
