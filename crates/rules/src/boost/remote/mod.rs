//! The search over remote examples, in parts.
//!
//! The head asks all workers for counts, adds up the answers, and decides which rule comes next.
//! The workers keep track of the rules that apply to their examples. All sums are integers, so the
//! rules are exactly those of a search with all examples in one place.
//!
//! The head knows the class and the fold of every example and, for each column, the values and how
//! often they occur. [`RemoteExamples`] asks and [`Worker`] answers; [`query`] defines the
//! messages.

mod many;
mod query;
mod worker;

use super::FeatureTable;
use super::class_fit::ClassFit;
use super::constraints::Constraints;
use super::feature::Feature;
use super::gain::{GainMeasure, fewest};
use super::members::{KnownRule, KnownRules, Members};
use super::scan::{ColumnScan, ScanTarget, scan_sums};
use super::search::{ExampleSource, Extended, FoundRule, RuleSearch, ScanPlan};
use super::stepped::{SteppedColumn, UNKNOWN, cuts, most_steps};
use super::sums::{SCALE, Sums};
use super::test::Test;
use crate::cut::pair;
use crate::params::Params;
use crate::parts::{RemoteRules, RulesQuery};
use pellucid_data::Dataset;
use pellucid_device::{DeviceError, Threads};
use pellucid_learn::parts::{invalid_answer, sum, to_bytes, unpack};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::Control;
use pellucid_learn::split::Split;
pub(super) use query::RemotePath;
use query::{NO_FOLD, Plan, Query, Step, Steps};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};
pub(crate) use worker::{Worker, survey};

/// The number of candidates per query; usually the beam needs no more.
const CANDIDATES: usize = 6;

/// The examples of remote workers.
#[derive(Debug)]
pub(crate) struct RemoteExamples {
    parts: RemoteRules,
    /// The fold of each example, by repetition.
    folds: Vec<Vec<u8>>,
    /// The first failure. After it, all searches return nothing.
    failed: Mutex<Option<DeviceError>>,
}

impl RemoteRules {
    /// Returns the class of each example, by part.
    ///
    /// # Errors
    /// If a part fails.
    pub fn labels(&self) -> Result<Vec<Vec<u32>>, DeviceError> {
        let answers = self.ask(RulesQuery::Grow(&to_bytes(&Query::Labels)?))?;
        answers.iter().map(|words| unpack(words).ok_or_else(invalid_answer)).collect()
    }
}

impl FeatureTable {
    /// Creates the features of remote examples. `head` has the columns, and `sizes` the number of
    /// examples of each part. Every `scored`-th example is scored.
    pub(crate) fn remote(
        head: &Dataset,
        parts: &RemoteRules,
        sizes: &[usize],
        codes: &[u32],
        (inner, scored): (&[Split], usize),
        params: &Params,
    ) -> Result<FeatureTable, DeviceError> {
        let examples = codes.len();
        let answers = parts.ask(RulesQuery::Grow(&to_bytes(&Query::Values(examples))?))?;
        let mut met: Vec<BTreeMap<u64, usize>> = Vec::new();
        for words in &answers {
            merge(&mut met, words).ok_or_else(invalid_answer)?;
        }
        let allowed = |op| params.grammar.has_operator(op);
        let (mut features, mut stepped, mut planned) = (Vec::new(), Vec::new(), Vec::new());
        let mut place = 0;
        worker::each_feature(head, examples, |feature, _| {
            let of_column = head.columns.iter().find(|column| column.name == feature.attribute());
            let is_known =
                of_column.is_none_or(|column| params.grammar.has_attribute(&column.name));
            if let Some((steps, own)) = met
                .get(place)
                .filter(|_| is_known)
                .and_then(|met| in_steps(&feature, met, most_steps(head)))
            {
                planned.push((place, steps));
                stepped.push(feature.restricted_to(own, &allowed));
                features.push(feature);
            }
            place += 1;
        });
        if place != met.len() {
            return Err(invalid_answer());
        }
        let repeats = inner.last().map_or(0, |last| last.repeat + 1);
        let mut folds = vec![vec![NO_FOLD; examples]; repeats];
        for (fold, split) in (0u8..).zip(inner) {
            let folds = &mut folds[split.repeat];
            split.test.iter().for_each(|&example| folds[example as usize] = fold);
        }
        let start = |part: usize| sizes[..part].iter().sum();
        let starts = (0..sizes.len()).map(start).collect();
        let plan = Plan { starts, examples, scored, folds, features: planned };
        parts.send_plan(&to_bytes(&plan)?)?;
        let folds = plan.folds;
        let constraints = Constraints::new(&features, &params.demands);
        let remote = RemoteExamples { parts: parts.clone(), folds, failed: Mutex::new(None) };
        let codes = codes.to_vec();
        Ok(FeatureTable {
            features,
            stepped,
            codes,
            numbers: None,
            weights: Vec::new(),
            constraints,
            digests: Vec::new(),
            remote: Some(remote),
            sample: OnceLock::new(),
            control: Control::new(),
        })
    }

    /// Processes items: concurrently with remote examples, because most of the time is spent
    /// waiting.
    pub(crate) fn each<T: Send>(
        &self,
        items: &mut [T],
        threads: &Threads,
        work: impl Fn(&mut T) + Sync,
    ) {
        match self.remote {
            None => threads.each(items, |_, item| work(item)),
            Some(_) => std::thread::scope(|scope| {
                for item in items {
                    scope.spawn(|| work(item));
                }
            }),
        }
    }

    /// Returns the first failure of a worker, if any.
    pub(crate) fn failure(&self) -> Option<DeviceError> {
        let failed = &self.remote.as_ref()?.failed;
        failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Adds the values of a part, with keys that sort like the numbers.
fn merge(met: &mut Vec<BTreeMap<u64, usize>>, mut words: &[u64]) -> Option<()> {
    let mut place = 0;
    while let Some((&count, rest)) = words.split_first() {
        let (pairs, rest) = rest.split_at_checked(usize::try_from(count).ok()?.checked_mul(2)?)?;
        if place == met.len() {
            met.push(BTreeMap::new());
        }
        for pair in pairs.chunks_exact(2) {
            *met[place].entry(ascending(pair[0])).or_insert(0) += usize::try_from(pair[1]).ok()?;
        }
        (words, place) = (rest, place + 1);
    }
    Some(())
}

/// Returns the bits of a number as a word that sorts like the number.
fn ascending(bits: u64) -> u64 {
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Returns the number of such a word.
fn number(word: u64) -> f64 {
    f64::from_bits(if word >> 63 == 1 { word & !(1 << 63) } else { !word })
}

/// Returns the steps of a feature with these values; `None` if it is constant.
fn in_steps(
    feature: &Feature,
    met: &BTreeMap<u64, usize>,
    most: usize,
) -> Option<(Steps, SteppedColumn)> {
    if met.len() < 2 {
        return None;
    }
    if let Feature::Category(_, categories) = feature {
        let count = categories.len();
        return Some((Steps::Categories(count), SteppedColumn::categories(&[], count)));
    }
    let distinct: Vec<f64> = met.keys().map(|&word| number(word)).collect();
    let ends = met.values().scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    let cuts = cuts(&distinct, &ends.collect::<Vec<_>>(), most);
    let stepped = SteppedColumn { pair: pair(&distinct), ..SteppedColumn::cut(&[], cuts.clone()) };
    Some((Steps::Cuts(cuts), stepped))
}

impl RemoteExamples {
    /// Returns the answers of all parts; `None` after a failure.
    fn answers(&self, query: &Query) -> Option<Vec<Vec<u64>>> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_some() {
            return None;
        }
        drop(failed);
        let found = to_bytes(query).and_then(|query| self.parts.ask(RulesQuery::Grow(&query)));
        match found {
            Ok(answers) => Some(answers),
            Err(error) => {
                failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(error);
                None
            }
        }
    }

    /// Records a failure if an answer is invalid.
    fn sensible<T>(&self, found: Option<T>) -> Option<T> {
        if found.is_none() {
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.get_or_insert_with(invalid_answer);
        }
        found
    }

    /// Returns the sum of the answers of all parts, if each has this many words.
    fn sum(&self, query: &Query, words: usize) -> Option<Vec<u64>> {
        let answers = self.answers(query)?;
        self.sensible(sum(&answers).ok().filter(|sum| sum.len() == words))
    }

    /// Returns whether an example is held out on a path.
    pub(super) fn is_held_out(&self, path: &RemotePath, example: u32) -> bool {
        path.fold != NO_FOLD && self.folds.iter().any(|folds| folds[example as usize] == path.fold)
    }

    /// Returns the steps of the examples in the sample, by feature; nothing after a failure.
    pub(super) fn sample(&self, features: &[SteppedColumn], examples: &[u32]) -> Vec<Vec<u8>> {
        let mut steps = vec![Vec::with_capacity(examples.len()); features.len()];
        for words in self.answers(&Query::Sample).into_iter().flatten() {
            let Some(own) = self.sensible(unpack(&words)) else { break };
            let each = own.len() / features.len().max(1);
            for (steps, own) in steps.iter_mut().zip(own.chunks(each.max(1))) {
                steps.extend(own.iter().map(|&step| u8::try_from(step).unwrap_or(UNKNOWN)));
            }
        }
        let is_whole = |steps: &Vec<u8>| steps.len() == examples.len();
        let whole = self.sensible(steps.iter().all(is_whole).then_some(()));
        if whole.is_none() {
            steps.fill(vec![UNKNOWN; examples.len()]);
        }
        steps
    }

    /// Returns the rule with the largest gain on a path that differs from the known rules.
    pub(super) fn best(
        &self,
        search: &RuleSearch<'_>,
        fit: &ClassFit,
        path: &RemotePath,
        rules: &[KnownRule],
        streams: Streams,
    ) -> Option<FoundRule> {
        let shares = fit.shares();
        let all = self.extend_by(path, &shares, vec![Vec::new()])?;
        let examples = fit.examples();
        let &Extension { members, sums } = all.first()?;
        let known = KnownRules { all: members, least: fewest(examples), rules };
        let gain = GainMeasure::new(sums, 1.0 / SCALE, examples, search.alone, search.clear);
        let far = || {
            let (shares, answers) = (shares.clone(), Answers::default());
            RemoteBeam { examples: self, search, gain: &gain, path, shares, answers }
        };
        search.best_of(far, &known, streams)
    }

    /// Returns the digest of a path's examples that satisfy some conditions.
    pub(super) fn members(&self, path: &RemotePath, fit: &ClassFit, tests: &[Test]) -> Members {
        let found = self.extend_by(path, &fit.shares(), vec![tests.to_vec()]);
        found.and_then(|found| Some(found.first()?.members)).unwrap_or_default()
    }

    /// Returns the digests and sums of extended conjunctions.
    fn extend_by(
        &self,
        path: &RemotePath,
        shares: &[f64],
        beam: Vec<Vec<Test>>,
    ) -> Option<Vec<Extension>> {
        let (shares, words) = (shares.to_vec(), 6 * beam.len());
        let found = self.sum(&Query::Extension { path: path.clone(), shares, beam }, words)?;
        let longer = |words: &[u64; 6]| {
            let [count, sum, sums @ ..] = *words;
            let sums = Sums(sums.map(u64::cast_signed));
            Extension { members: Members { count, sum }, sums }
        };
        Some(found.as_chunks::<6>().0.iter().map(longer).collect())
    }

    /// Adds a rule to a path. Returns the examples that move from each pattern to a new one, in the
    /// order of the examples.
    pub(super) fn take(
        &self,
        path: &mut RemotePath,
        tests: &[Test],
        patterns: usize,
    ) -> Vec<PatternMove> {
        let query = Query::Take { path: path.clone(), tests: tests.to_vec() };
        let Some(answers) = self.answers(&query) else { return Vec::new() };
        let mut moved: BTreeMap<u64, (u64, Vec<u64>)> = BTreeMap::new();
        for words in answers.iter().flat_map(|words| words.chunks_exact(2 + path.classes)) {
            let (old, first, counts) = (words[0], words[1], &words[2..]);
            let new = || (u64::MAX, vec![0; path.classes]);
            let known = moved.entry(old).or_insert_with(new);
            known.0 = known.0.min(first);
            known.1.iter_mut().zip(counts).for_each(|(known, count)| *known += count);
        }
        let mut moved: Vec<(u64, (u64, Vec<u64>))> = moved.into_iter().collect();
        moved.sort_by_key(|(_, (first, _))| *first);
        let is_known = |(old, _): &(u64, (u64, Vec<u64>))| *old < patterns as u64;
        if self.sensible(moved.iter().all(is_known).then_some(())).is_none() {
            return Vec::new();
        }
        #[expect(clippy::cast_possible_truncation, reason = "below the number of patterns")]
        let one = |(old, (_, counts)): (u64, (u64, Vec<u64>))| PatternMove {
            old: old as u32,
            weights: counts.into_iter().map(|count| count as f64).collect(),
        };
        let moved: Vec<PatternMove> = moved.into_iter().map(one).collect();
        let pairs = moved.iter().map(|moved| moved.old).zip((0u32..).skip(patterns)).collect();
        path.taken.push(Step { tests: tests.to_vec(), moved: pairs });
        moved
    }

    /// Returns the patterns of the scored examples in a path's held-out fold.
    pub(super) fn held_out(&self, path: &RemotePath, examples: usize, patterns: usize) -> Vec<u32> {
        let found = self.answers(&Query::HeldOut(path.clone())).and_then(|answers| {
            let own: Option<Vec<Vec<u32>>> = answers.iter().map(|words| unpack(words)).collect();
            let own = own.map(|own| own.concat());
            let is_sound = |own: &Vec<u32>| {
                own.len() == examples && own.iter().all(|&pattern| (pattern as usize) < patterns)
            };
            self.sensible(own.filter(is_sound))
        });
        found.unwrap_or_else(|| vec![0; examples])
    }
}

/// The training examples that a new rule moves from a pattern to a new one.
#[derive(Clone, Debug)]
pub(super) struct PatternMove {
    pub(super) old: u32,
    /// The weight of the examples of each class.
    pub(super) weights: Vec<f64>,
}

/// The digest and the sums of an extended conjunction.
#[derive(Clone, Copy, Debug)]
struct Extension {
    members: Members,
    sums: Sums,
}

/// The answers for some successive candidates of a scan.
#[derive(Debug)]
struct Answers<E> {
    /// The index of the first candidate.
    first: usize,
    found: Vec<E>,
}

impl<E> Default for Answers<E> {
    fn default() -> Answers<E> {
        Answers { first: 0, found: Vec::new() }
    }
}

impl<E: Clone> Answers<E> {
    /// Returns the answer for a candidate; if it is unknown, asks for it together with those that follow.
    fn get(
        &mut self,
        beam: &[Vec<Test>],
        candidates: &[Extended],
        place: usize,
        ask: impl FnOnce(Vec<Vec<Test>>) -> Option<Vec<E>>,
    ) -> Option<E> {
        if !(self.first..self.first + self.found.len()).contains(&place) {
            let tests = |(_, from, test): &Extended| {
                beam[*from].iter().copied().chain([*test]).collect::<Vec<Test>>()
            };
            let next = candidates[place..].iter().take(CANDIDATES).map(tests).collect();
            (self.first, self.found) = (place, ask(next).unwrap_or_default());
        }
        self.found.get(place - self.first).cloned()
    }
}

/// The beam of a search over remote examples.
struct RemoteBeam<'a> {
    examples: &'a RemoteExamples,
    search: &'a RuleSearch<'a>,
    gain: &'a GainMeasure,
    path: &'a RemotePath,
    shares: Vec<f64>,
    answers: Answers<Extension>,
}

impl ExampleSource for RemoteBeam<'_> {
    type Extension = Extension;

    fn scan(&mut self, beam: &[Vec<Test>], plan: &ScanPlan<'_>) -> Vec<Vec<ColumnScan>> {
        let RuleSearch { features, constraints, cuts, .. } = *self.search;
        let &ScanPlan { wanted, sampled, conditions, streams } = plan;
        let gain = &self.gain.of_scan(sampled);
        let beam: Vec<(Vec<Test>, Vec<bool>)> =
            beam.iter().cloned().zip(wanted.iter().cloned()).collect();
        let steps = |(feature, is_wanted): (&SteppedColumn, &bool)| {
            if *is_wanted { 4 * (feature.count + 1) } else { 0 }
        };
        let words =
            beam.iter().map(|(_, wanted)| features.iter().zip(wanted).map(steps).sum::<usize>());
        let words = words.sum();
        let (path, shares) = (self.path.clone(), self.shares.clone());
        let query = Query::Scan { path, shares, beam: beam.clone(), sampled };
        self.answers = Answers::default();
        let Some(found) = self.examples.sum(&query, words) else { return Vec::new() };
        let mut found = found.as_chunks::<4>().0.iter();
        let mut look = |from: usize, feature: usize| {
            let (tests, wanted) = &beam[from];
            if !wanted[feature] {
                return ColumnScan::default();
            }
            let stepped = &features[feature];
            let sums = found.by_ref().take(stepped.count + 1);
            let sums: Vec<Sums> = sums.map(|words| Sums(words.map(u64::cast_signed))).collect();
            let target = ScanTarget { stepped, demands: constraints.demands(tests, feature) };
            let mut stream = streams.stream(&[from.into(), feature.into()]);
            let best = scan_sums(&sums, target, cuts, gain, conditions, &mut stream);
            ColumnScan { best, sums: Vec::new() }
        };
        (0..beam.len())
            .map(|from| (0..features.len()).map(|feature| look(from, feature)).collect())
            .collect()
    }

    fn extend_by(
        &mut self,
        beam: &[Vec<Test>],
        candidates: &[Extended],
        place: usize,
    ) -> Extension {
        let ask = |tests| self.examples.extend_by(self.path, &self.shares, tests);
        // After a failure the result does not matter.
        let nothing = || Extension { members: Members::default(), sums: Sums::default() };
        self.answers.get(beam, candidates, place, ask).unwrap_or_else(nothing)
    }

    fn is_same(one: &Extension, other: &Extension) -> bool {
        one.members == other.members
    }

    fn members(longer: &Extension) -> Members {
        longer.members
    }

    fn weight(&self, longer: &Extension) -> f64 {
        self.gain.weight_of(&longer.sums)
    }

    fn whole_weight(&self) -> f64 {
        self.gain.weight()
    }

    fn favors(&self, longer: &Extension) -> bool {
        self.gain.favors(&longer.sums)
    }

    fn set_beam(&mut self, _: Vec<(usize, Extension)>) {}
}
