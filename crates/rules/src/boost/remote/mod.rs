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
use super::by_sums::{ConjunctionTotal, SumSource, Wanted};
use super::class_fit::ClassFit;
use super::constraints::Constraints;
use super::feature::Feature;
use super::members::{KnownRule, Members};
use super::search::{FoundRule, RuleSearch};
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
            gpu: None,
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
        let shares = &fit.shares()[..];
        let source = RemoteSums { examples: self, path, shares };
        search.best_by_sums(&source, (fit.examples(), 1.0 / SCALE), rules, streams)
    }

    /// Returns the digest of a path's examples that satisfy some conditions.
    pub(super) fn members(&self, path: &RemotePath, fit: &ClassFit, tests: &[Test]) -> Members {
        let found = self.totals(path, &fit.shares(), vec![tests.to_vec()]);
        found.and_then(|found| Some(found.first()?.members)).unwrap_or_default()
    }

    /// Returns the digests and sums of conjunctions.
    fn totals(
        &self,
        path: &RemotePath,
        shares: &[f64],
        beam: Vec<Vec<Test>>,
    ) -> Option<Vec<ConjunctionTotal>> {
        let (shares, words) = (shares.to_vec(), 6 * beam.len());
        let found = self.sum(&Query::Extension { path: path.clone(), shares, beam }, words)?;
        let total = |words: &[u64; 6]| {
            let [count, sum, sums @ ..] = *words;
            let sums = Sums(sums.map(u64::cast_signed));
            ConjunctionTotal { members: Members { count, sum }, sums }
        };
        Some(found.as_chunks::<6>().0.iter().map(total).collect())
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

/// A path, and the predicted probabilities of its patterns, about which workers are asked.
struct RemoteSums<'a> {
    examples: &'a RemoteExamples,
    path: &'a RemotePath,
    shares: &'a [f64],
}

impl SumSource for RemoteSums<'_> {
    fn step_sums(&self, beam: Vec<Wanted>, sampled: bool, count: usize) -> Option<Vec<Sums>> {
        let (path, shares) = (self.path.clone(), self.shares.to_vec());
        let found = self.examples.sum(&Query::Scan { path, shares, beam, sampled }, 4 * count)?;
        let sums = |words: &[u64; 4]| Sums(words.map(u64::cast_signed));
        Some(found.as_chunks().0.iter().map(sums).collect())
    }

    fn totals(&self, conjunctions: Vec<Vec<Test>>) -> Option<Vec<ConjunctionTotal>> {
        self.examples.totals(self.path, self.shares, conjunctions)
    }
}
