//! A worker with some of the examples.

use super::query::{NO_FOLD, Plan, Query, RemotePath, Steps};
use crate::boost::class_fit::part;
use crate::boost::feature::{Feature, Numbers};
use crate::boost::local::Block;
use crate::boost::many::{Contributions, Layout};
use crate::boost::members::Members;
use crate::boost::pairs::is_in_sample;
use crate::boost::screen::is_sampled;
use crate::boost::search::Cuts;
use crate::boost::stepped::SteppedColumn;
use crate::boost::sums::{Sums, by_step};
use crate::boost::test::Test;
use pellucid_data::Dataset;
use pellucid_device::{DeviceError, Threads};
use pellucid_learn::parts::{from_bytes, invalid_query, pack};
use std::collections::{BTreeMap, HashMap};
use std::iter::StepBy;
use std::ops::Range;

/// The examples of a worker, in steps, and the state of the paths that were asked about.
#[derive(Debug)]
pub(crate) struct Worker {
    /// The index of the first example among all.
    first: u64,
    /// The number of examples of all workers.
    all: usize,
    codes: Vec<u32>,
    /// The scored examples.
    scored: StepBy<Range<usize>>,
    /// The fold of each example, by repetition.
    folds: Vec<Vec<u8>>,
    features: Vec<SteppedColumn>,
    paths: HashMap<(Cuts, u8), PathState>,
}

/// A path up to some rule.
#[derive(Debug, Default)]
struct PathState {
    taken: usize,
    pattern_of: Vec<u32>,
    /// The training examples, and the number of rules and the probabilities for which they were
    /// gathered.
    block: Block,
    /// Their contributions, if there are more than two classes; the block then has none.
    contributions: Option<Contributions>,
    block_of: Option<(usize, Vec<f64>)>,
}

/// Answers queries that need no plan.
pub(crate) fn survey(
    data: &Dataset,
    codes: &[u32],
    query: &[u8],
) -> Result<Option<Vec<u64>>, DeviceError> {
    match from_bytes(query)? {
        Query::Labels => Ok(Some(pack(codes))),
        Query::Values(examples) => Ok(Some(values(data, examples))),
        _ => Ok(None),
    }
}

/// Returns, for each feature, the number of distinct values, then each value with its count.
fn values(data: &Dataset, examples: usize) -> Vec<u64> {
    let mut words = Vec::new();
    each_feature(data, examples, |_, numbers| {
        let mut known: Vec<f64> =
            numbers.iter().filter(|number| !number.is_nan()).map(|number| number + 0.0).collect();
        known.sort_unstable_by(f64::total_cmp);
        let runs: Vec<&[f64]> = known.chunk_by(|one, other| one == other).collect();
        words.push(runs.len() as u64);
        words.extend(runs.iter().flat_map(|run| [run[0].to_bits(), run.len() as u64]));
    });
    words
}

/// Passes all features to `add`, including constant ones.
pub(super) fn each_feature(
    data: &Dataset,
    examples: usize,
    mut add: impl FnMut(Feature, Numbers<'_>),
) {
    for column in &data.columns {
        Feature::each(data, column, examples, &mut add);
    }
    if let Some((feature, numbers)) = Feature::row_count(data) {
        add(feature, numbers);
    }
}

impl Worker {
    /// Creates the worker with this index.
    pub(crate) fn new(
        data: &Dataset,
        codes: Vec<u32>,
        place: usize,
        plan: &[u8],
    ) -> Result<Worker, DeviceError> {
        let plan: Plan = from_bytes(plan)?;
        let first = *plan.starts.get(place).ok_or_else(invalid_query)?;
        let own = |folds: &Vec<u8>| Some(folds.get(first..)?.get(..codes.len())?.to_vec());
        let folds: Option<Vec<Vec<u8>>> = plan.folds.iter().map(own).collect();
        let folds = folds.ok_or_else(invalid_query)?;
        let steps: BTreeMap<usize, Steps> = plan.features.into_iter().collect();
        let (mut features, mut place) = (Vec::with_capacity(steps.len()), 0);
        each_feature(data, plan.examples, |_, numbers| {
            features.extend(steps.get(&place).map(|steps| match steps {
                Steps::Cuts(cuts) => SteppedColumn::cut(&numbers, cuts.clone()),
                Steps::Categories(count) => SteppedColumn::categories(&numbers, *count),
            }));
            place += 1;
        });
        let step = plan.scored.max(1);
        let next = first.checked_next_multiple_of(step).ok_or_else(invalid_query)? - first;
        let scored = (next..codes.len()).step_by(step);
        let (first, all, paths) = (first as u64, plan.examples, HashMap::new());
        Ok(Worker { first, all, codes, scored, folds, features, paths })
    }

    /// Answers a query.
    pub(crate) fn answer(
        &mut self,
        query: &[u8],
        threads: &Threads,
    ) -> Result<Vec<u64>, DeviceError> {
        match from_bytes(query)? {
            Query::Sample => Ok(pack(&self.sample())),
            Query::Scan { path, shares, beam, sampled } => {
                self.gather(&path, shares, threads)?;
                self.scan(&path, &beam, sampled, threads)
            }
            Query::Extension { path, shares, beam } => {
                self.gather(&path, shares, threads)?;
                self.extend_by(&path, &beam, threads)
            }
            Query::Take { path, tests } => self.take(&path, &tests),
            Query::HeldOut(path) => {
                self.follow(&path)?;
                let followed = self.paths.get(&Self::key(&path)).ok_or_else(invalid_query)?;
                let own: Vec<u32> = self
                    .scored
                    .clone()
                    .filter(|&example| self.is_held_out(&path, example))
                    .map(|example| followed.pattern_of[example])
                    .collect();
                Ok(pack(&own))
            }
            Query::Labels | Query::Values(_) => Err(invalid_query()),
        }
    }

    /// Returns the steps of the examples in the sample, feature by feature.
    fn sample(&self) -> Vec<u32> {
        let is_own = |example: &u32| is_in_sample(self.first + u64::from(*example), self.all);
        let examples = (0u32..).take(self.codes.len()).filter(is_own);
        let examples: Vec<u32> = examples.collect();
        let steps = self.features.iter().flat_map(|stepped| stepped.of_examples(&examples));
        steps.map(u32::from).collect()
    }

    /// Returns whether an example is held out on a path. Folds are numbered across repetitions, so
    /// at most one repetition has the path's fold.
    fn is_held_out(&self, path: &RemotePath, example: usize) -> bool {
        path.fold != NO_FOLD && self.folds.iter().any(|folds| folds[example] == path.fold)
    }

    fn key(path: &RemotePath) -> (Cuts, u8) {
        (path.way, path.fold)
    }

    /// Replays a path to its end.
    fn follow(&mut self, path: &RemotePath) -> Result<&mut PathState, DeviceError> {
        self.known(path.taken.iter().flat_map(|step| &step.tests))?;
        let followed = self.paths.entry(Self::key(path)).or_default();
        if followed.pattern_of.is_empty() || followed.taken > path.taken.len() {
            *followed = PathState { pattern_of: vec![0; self.codes.len()], ..PathState::default() };
        }
        for step in &path.taken[followed.taken..] {
            let moved: HashMap<u32, u32> = step.moved.iter().copied().collect();
            for (example, pattern) in followed.pattern_of.iter_mut().enumerate() {
                if holds(&self.features, &step.tests, example) {
                    *pattern = *moved.get(pattern).ok_or_else(invalid_query)?;
                }
            }
        }
        followed.taken = path.taken.len();
        Ok(followed)
    }

    /// Checks that conditions are on features that exist.
    fn known<'a>(&self, mut tests: impl Iterator<Item = &'a Test>) -> Result<(), DeviceError> {
        match tests.all(|test| test.feature < self.features.len()) {
            true => Ok(()),
            false => Err(invalid_query()),
        }
    }

    /// Gathers the training examples of a path, unless they are up to date.
    fn gather(
        &mut self,
        path: &RemotePath,
        shares: Vec<f64>,
        threads: &Threads,
    ) -> Result<(), DeviceError> {
        let mut followed = std::mem::take(self.follow(path)?);
        let now = (followed.taken, shares);
        if followed.block_of.as_ref() != Some(&now) {
            let width = if path.classes > 2 { path.classes } else { 1 };
            let layout = Layout { classes: path.classes };
            let mut values =
                vec![0; if width > 1 { self.codes.len() * layout.stride() } else { 0 }];
            let mut block = Block::default();
            for (example, &code) in (0u32..).zip(&self.codes) {
                let place = example as usize;
                if self.is_held_out(path, place) {
                    continue;
                }
                let pattern = followed.pattern_of[place] as usize;
                let shares = now.1.get(pattern * width..).and_then(|shares| shares.get(..width));
                let shares = shares.ok_or_else(invalid_query)?;
                block.examples.push(example);
                match *shares {
                    [share] => block.parts.push(part(1.0, share, code == 1, 1.0)),
                    _ => {
                        let own = &mut values[place * layout.stride()..][..layout.stride()];
                        layout.write(own, (1.0, code), shares, 1.0);
                    }
                }
            }
            let level = threads.level();
            let all = (width > 1).then(|| Contributions::new(layout, values, 1.0, level));
            (followed.block, followed.contributions, followed.block_of) = (block, all, Some(now));
        }
        self.paths.insert(Self::key(path), followed);
        Ok(())
    }

    /// Returns the examples of a conjunction.
    fn block(&self, path: &RemotePath, tests: &[Test]) -> Result<Block, DeviceError> {
        self.known(tests.iter())?;
        let all = &self.paths.get(&Self::key(path)).ok_or_else(invalid_query)?.block;
        let mut own = Block::default();
        for (place, &example) in all.examples.iter().enumerate() {
            if holds(&self.features, tests, example as usize) {
                own.examples.push(example);
                own.parts.extend(all.parts.get(place));
            }
        }
        Ok(own)
    }

    /// Returns the contributions of the examples of a path with more than two classes.
    fn contributions(&self, path: &RemotePath) -> Option<&Contributions> {
        self.paths.get(&Self::key(path))?.contributions.as_ref()
    }

    fn scan(
        &self,
        path: &RemotePath,
        beam: &[(Vec<Test>, Vec<bool>)],
        sampled: bool,
        threads: &Threads,
    ) -> Result<Vec<u64>, DeviceError> {
        let mut words = Vec::new();
        for (tests, wanted) in beam.iter().filter(|(_, wanted)| wanted.contains(&true)) {
            let mut block = self.block(path, tests)?;
            if sampled {
                let is_sampled = |example: u32| is_sampled(self.first + u64::from(example));
                block = match block.parts.is_empty() {
                    true => Block {
                        examples: block
                            .examples
                            .into_iter()
                            .filter(|&one| is_sampled(one))
                            .collect(),
                        parts: Vec::new(),
                    },
                    false => block.only(is_sampled),
                };
            }
            let features: Vec<&SteppedColumn> =
                self.features.iter().zip(wanted).filter(|one| *one.1).map(|one| one.0).collect();
            let many = self.contributions(path);
            let sums = threads.map(features.len(), |place| -> Vec<i64> {
                let (stepped, mut sums) = (features[place], Vec::new());
                let (steps, count) = (&stepped.steps, stepped.count + 1);
                if let Some(many) = many {
                    return many.by_step(steps, count, &block.examples);
                }
                let block = std::slice::from_ref(&block);
                by_step(threads.level(), steps, block, count, &mut sums);
                sums.iter().flat_map(|sums| sums.0).collect()
            });
            words.extend(sums.into_iter().flatten().map(i64::cast_unsigned));
        }
        Ok(words)
    }

    fn extend_by(
        &self,
        path: &RemotePath,
        beam: &[Vec<Test>],
        threads: &Threads,
    ) -> Result<Vec<u64>, DeviceError> {
        let many = self.contributions(path);
        let of = |place: usize| -> Result<Vec<u64>, DeviceError> {
            let block = self.block(path, &beam[place])?;
            let member = |&example: &u32| Members::one(self.first + u64::from(example));
            let Members { count, sum } = block.examples.iter().map(member).sum();
            let sums = match many {
                Some(many) => many.sums(&block.examples),
                None => Sums::of(&block.parts).0.to_vec(),
            };
            let sums = sums.into_iter().map(i64::cast_unsigned);
            Ok([count, sum].into_iter().chain(sums).collect())
        };
        let found: Result<Vec<Vec<u64>>, DeviceError> =
            threads.map(beam.len(), of).into_iter().collect();
        Ok(found?.concat())
    }

    fn take(&mut self, path: &RemotePath, tests: &[Test]) -> Result<Vec<u64>, DeviceError> {
        self.known(tests.iter())?;
        self.follow(path)?;
        let pattern_of = &self.paths.get(&Self::key(path)).ok_or_else(invalid_query)?.pattern_of;
        let mut moved: BTreeMap<u32, (u64, Vec<u64>)> = BTreeMap::new();
        for (example, pattern) in pattern_of.iter().enumerate() {
            if holds(&self.features, tests, example) {
                let first = self.first + example as u64;
                let new = || (first, vec![0; path.classes]);
                let (_, counts) = moved.entry(*pattern).or_insert_with(new);
                if !self.is_held_out(path, example) {
                    let code = self.codes[example] as usize;
                    *counts.get_mut(code).ok_or_else(invalid_query)? += 1;
                }
            }
        }
        let words = |(old, (first, counts)): (u32, (u64, Vec<u64>))| {
            [u64::from(old), first].into_iter().chain(counts)
        };
        Ok(moved.into_iter().flat_map(words).collect())
    }
}

/// Returns whether a conjunction is true for an example.
fn holds(features: &[SteppedColumn], tests: &[Test], example: usize) -> bool {
    tests.iter().all(|test| test.set.contains(features[test.feature].steps[example]))
}
