//! Boosting: rules found one after the other, each for what the earlier ones leave unexplained.
//!
//! A [`search`] finds the rule that explains most of the residual, a [`refit`] fits the points of
//! all rules again, and the path keeps the models of all sizes on the way.
//!
//! With more than two classes, a rule has points for several of them ([`many`]).

mod by_sums;
mod class_fit;
mod constraints;
mod count;
mod dense;
mod feature;
mod gain;
mod joint_fit;
mod list_path;
mod local;
mod many;
mod mask;
mod members;
mod number_sums;
mod on_gpu;
mod pairs;
mod path;
mod refit;
pub(crate) mod remote;
mod scan;
mod score_path;
mod screen;
mod search;
mod stepped;
mod sums;
mod test;

use crate::params::Params;
use constraints::Constraints;
use feature::Feature;
use local::matching;
use members::{Members, digests};
use on_gpu::GpuExamples;
use pairs::{Pair, PairSample, is_in_sample};
pub(crate) use path::GrowingPath;
use pellucid_bits::Level;
use pellucid_data::Dataset;
use pellucid_device::Threads;
use pellucid_learn::run::Control;
use pellucid_program::{Edge, Expr, Interval, Op, Value};
use remote::{RemoteExamples, RemotePath};
pub(crate) use score_path::SavedPath;
pub(crate) use search::{Cuts, MANY_EXAMPLES};
use std::sync::OnceLock;
use stepped::SteppedColumn;
use test::{StepSet, Test};

/// Training data as features that rules may test.
#[derive(Debug)]
pub(crate) struct FeatureTable {
    features: Vec<Feature>,
    stepped: Vec<SteppedColumn>,
    codes: Vec<u32>,
    /// The target of each example, if it is a number.
    numbers: Option<Vec<f64>>,
    weights: Vec<f64>,
    constraints: Constraints,
    /// The digest of each example, if there are few.
    digests: Vec<u64>,
    /// The remote examples, if the data is distributed.
    remote: Option<RemoteExamples>,
    /// The examples on a GPU, if one takes part.
    gpu: Option<GpuExamples>,
    /// A sample of the examples, taken on first use.
    sample: OnceLock<PairSample>,
    /// Stops a search early; its result is then discarded.
    pub(crate) control: Control,
}

impl FeatureTable {
    /// Creates the features of some data, given the weight of each example.
    pub(crate) fn new(
        data: &Dataset,
        weights: Vec<f64>,
        params: &Params,
        threads: &Threads,
    ) -> FeatureTable {
        let allowed = |op| params.grammar.has_operator(op);
        let columns: Vec<_> = data
            .columns
            .iter()
            .filter(|column| params.grammar.has_attribute(&column.name))
            .collect();
        let of_column = |place: usize| Feature::of_column(data, columns[place], &allowed);
        let (features, stepped): (Vec<Feature>, Vec<SteppedColumn>) = threads
            .map(columns.len(), of_column)
            .into_iter()
            .flatten()
            .chain(Feature::rows(data, &allowed))
            .unzip();
        let numbers = data.number.as_ref().map(|number| number.values.clone());
        let constraints = Constraints::new(&features, &params.demands);
        let codes = data.example_codes();
        let digests = if codes.len() < MANY_EXAMPLES { digests(codes.len()) } else { Vec::new() };
        let (remote, gpu, sample, control) = (None, None, OnceLock::new(), Control::new());
        FeatureTable {
            features,
            stepped,
            codes,
            numbers,
            weights,
            constraints,
            digests,
            remote,
            gpu,
            sample,
            control,
        }
    }

    /// Returns the pairs of conditions that are useful only together on a path, given its training examples,
    /// or its state if they are remote.
    fn pairs_of_path(
        &self,
        (examples, path): (&[u32], &RemotePath),
        conditions: usize,
        level: Level,
    ) -> Vec<Pair> {
        match &self.remote {
            _ if conditions < 2 => Vec::new(),
            Some(remote) => self.pairs(|example| !remote.is_held_out(path, example), level),
            None => {
                let mut is_training = vec![false; self.codes.len()];
                examples.iter().for_each(|&example| is_training[example as usize] = true);
                self.pairs(|example| is_training[example as usize], level)
            }
        }
    }

    /// Returns the pairs of conditions that are useful only together, given which examples are for training.
    fn pairs(&self, is_training: impl Fn(u32) -> bool, level: Level) -> Vec<Pair> {
        let classes = self.codes.iter().max().map_or(0, |&most| most + 1);
        // One of two classes is enough, and a number is above the median or not.
        let separated = if classes > 2 { 0..classes } else { 1..2 };
        let sample = self.sample.get_or_init(|| {
            let examples = (0u32..).take(self.codes.len());
            let is_own = |example: &u32| is_in_sample(u64::from(*example), self.codes.len());
            let examples: Vec<u32> = examples.filter(is_own).collect();
            let steps = match &self.remote {
                Some(remote) => remote.sample(&self.stepped, &examples),
                None => self.stepped.iter().map(|stepped| stepped.of_examples(&examples)).collect(),
            };
            PairSample::new(examples, &self.stepped, steps, separated.len())
        });
        let middle = self.numbers.as_deref().map(median);
        let is_own = |class: u32| -> Box<dyn Fn(u32) -> bool + '_> {
            match (&self.numbers, middle) {
                (Some(numbers), Some(middle)) => {
                    Box::new(move |example| numbers[example as usize] > middle)
                }
                _ => Box::new(move |example| self.codes[example as usize] == class),
            }
        };
        let own: Vec<_> = separated.map(is_own).collect();
        let may_join = |one: &Test, other: &Test| self.constraints.may_join(one, other);
        sample.pairs(level, is_training, &own, may_join)
    }

    /// Returns whether searches should stop now.
    pub(crate) fn is_stopped(&self) -> bool {
        self.control.should_stop().is_some()
    }

    /// Returns the examples that satisfy some conditions.
    fn cover(&self, tests: &[Test], threads: &Threads) -> Vec<u32> {
        let steps = |test: &Test| &self.stepped[test.feature].steps;
        let sets: Vec<(StepSet, &[u8])> =
            tests.iter().map(|test| (test.set, &steps(test)[..])).collect();
        let holds =
            |example: u32| sets.iter().all(|(set, steps)| set.contains(steps[example as usize]));
        matching(self.codes.len(), threads, holds)
    }

    /// Returns a function that says whether an example satisfies some conditions.
    pub(crate) fn covers<'a>(&'a self, tests: &'a [Test]) -> impl Fn(u32) -> bool + 'a {
        let steps = |test: &Test| &self.stepped[test.feature].steps;
        move |example| tests.iter().all(|test| test.set.contains(steps(test)[example as usize]))
    }

    /// Returns the digest of those of some examples that satisfy some conditions.
    fn members(&self, tests: &[Test], examples: &[u32]) -> Members {
        let covers = self.covers(tests);
        let members = examples.iter().filter(|example| covers(**example));
        members.map(|&example| Members::one(u64::from(example))).sum()
    }

    /// Returns the condition of a rule as an expression.
    fn condition(&self, tests: &[Test]) -> Expr {
        let condition = |test: &Test| {
            let (feature, stepped) = (&self.features[test.feature], &self.stepped[test.feature]);
            match (test.set, stepped.pair) {
                // With two values it is clearer to name one: `smoker = 1`.
                (StepSet::Above(_), Some([_, high])) => feature.is(high),
                (StepSet::UpTo(_), Some([low, _])) => feature.is(low),
                (StepSet::Above(step), None) => {
                    feature.condition(stepped.cuts[usize::from(step)], true)
                }
                (StepSet::UpTo(step), None) => {
                    feature.condition(stepped.cuts[usize::from(step)], false)
                }
                (StepSet::Among(_), _) => {
                    let steps = (0..stepped.count).filter_map(|step| u8::try_from(step).ok());
                    let codes: Vec<u8> = steps.filter(|&step| test.set.contains(step)).collect();
                    feature.among(&codes)
                }
            }
        };
        let mut parts: Vec<Expr> = Vec::with_capacity(tests.len());
        for test in tests {
            let part = condition(test);
            match parts
                .iter()
                .enumerate()
                .find_map(|(place, other)| Some((place, between(other, &part)?)))
            {
                Some((place, interval)) => parts[place] = interval,
                None => parts.push(part),
            }
        }
        Expr::and(parts)
    }
}

/// Returns the median of some numbers, the higher one of two.
fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// Returns two ends of an interval as one condition.
fn between(one: &Expr, other: &Expr) -> Option<Expr> {
    let (Expr::Compare(name, op, Value::Number(low)), Expr::Compare(same, to, Value::Number(high))) =
        (one, other)
    else {
        return None;
    };
    match (op, to) {
        (Op::Greater, Op::LessEqual) if name == same => {
            let (low, high) =
                (Edge { value: *low, closed: false }, Edge { value: *high, closed: true });
            Some(Expr::Within(name.clone(), Interval { low, high }))
        }
        (Op::LessEqual, Op::Greater) if name == same => between(other, one),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
