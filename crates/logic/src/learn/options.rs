//! What a user may choose.

use super::{Individuals, Logic, LogicError};
use crate::{KnowledgeBase, Semantics};
use pellucid_data::Problem;
use pellucid_learn::learner::{BoxError, Fitted};
use pellucid_learn::metrics::Metric;
use pellucid_learn::params::{NamedChoice, ParamError};
use pellucid_learn::run::RunError;
use pellucid_learn::split::CrossValidation;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// How class expressions are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// At once if that solves it; else refinement and evolution after it.
    #[default]
    Auto,
    /// Everything small is tried and covers are made of it.
    Instant,
    /// From the general to the special, the most promising first.
    Refine,
    /// Bred.
    Evolve,
}

impl NamedChoice for Method {
    const ALL: &'static [Method] = &[Method::Auto, Method::Instant, Method::Refine, Method::Evolve];

    fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Instant => "instant",
            Method::Refine => "refine",
            Method::Evolve => "evolve",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// Which operators expressions may be made of, beside `and`, `or` and `some`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Operators {
    /// `not`.
    pub negation: bool,
    /// `only`.
    pub universal: bool,
    /// Roles followed backwards.
    pub inverse: bool,
    /// The largest number in `min`, `max` and `exactly`; 1 allows none of them.
    pub cardinality: u32,
    /// Comparisons of numbers.
    pub numeric: bool,
    /// Values that are texts or truth values.
    pub strings: bool,
    /// `{anna}` and `r value anna`.
    pub nominals: bool,
}

impl Default for Operators {
    fn default() -> Operators {
        Operators {
            negation: true,
            universal: true,
            inverse: true,
            cardinality: 10,
            numeric: true,
            strings: true,
            nominals: false,
        }
    }
}

/// Everything that may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// How expressions are looked for.
    pub method: Method,
    /// What makes one good.
    pub measure: Metric,
    /// Which share of the examples may be wrong before an answer stops being a solution.
    pub noise: f64,
    /// The most that an expression may be long.
    pub length: u32,
    /// What a unit of length costs in quality. Nothing said, cross-validation within the training examples chooses, and
    /// where it sees no use in shortness length only decides between equals.
    pub penalty: Option<f64>,
    /// How many answers are kept.
    pub answers: usize,
    /// Classes and properties that no answer may name, by IRI or short name.
    pub exclude: Vec<String>,
    /// What expressions may be made of.
    pub operators: Operators,
    /// What `only` and `max` mean to searches that use them. Answers are exact in the standard meaning: another choice makes
    /// them say the difference, as in `only r (C) and some r (C)`.
    pub semantics: Semantics,
    /// The most hypotheses to try in all. A pair of literals is one, however its literals are signed, joined and weighed, and
    /// however often.
    pub hypotheses: Option<u64>,
    /// How many hypotheses refinement and evolution may each try where method auto calls them.
    pub effort: u64,
    /// The seed; one seed gives one model.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::Auto,
            measure: Metric::F1,
            noise: 0.0,
            length: 60,
            penalty: None,
            answers: 10,
            exclude: Vec::new(),
            operators: Operators::default(),
            semantics: Semantics::Standard,
            hypotheses: None,
            effort: 20_000,
            seed: 0,
        }
    }
}

pellucid_learn::parameters! {
    Options, by method {
        group "Logic" {
            /// 'instant': all that is small, put together; 'refine': from the general to the special; 'evolve': bred; 'auto': each in turn until the examples are told apart
            method(Method: method) value("METHOD");
            /// What makes an expression good: f1, accuracy, mcc, …
            metric(Metric: measure) value("METRIC") allowed(measures()) rule(check_measure);
            /// The share of examples that may be wrong before an answer stops being a solution
            noise(f64: noise) value("SHARE") within(0.0..1.0);
            /// The most that an expression may be long: names, numbers and operators counted
            max_length(u32: length) within(1..=10_000);
            /// What a unit of length costs in quality
            penalty(Option<f64>: penalty) value("COST") within(0.0..=1.0)
                default_is("what examples that were held back speak for");
            /// How many answers are kept
            answers(usize: answers) within(1..=10_000);
            /// Classes and properties that no answer may name, by short name or IRI
            exclude(Vec<String>: exclude) default_is("none");
            /// Hypotheses that 'refine' and 'evolve' may each try
            effort(u64: effort) within(1..) used_in(&["auto", "refine", "evolve"]);
            /// The most hypotheses to try in all
            max_hypotheses(Option<u64>: hypotheses) within(1..) default_is("no limit");
        }
        group "Operators" {
            /// No 'not'
            no_negation(bool: not operators.negation);
            /// No 'only'
            no_only(bool: not operators.universal);
            /// No properties followed backwards
            no_inverse(bool: not operators.inverse);
            /// The largest number in 'min', 'max' and 'exactly'; 1 allows none of them
            max_cardinality(u32: operators.cardinality) within(1..=1_000_000);
            /// No comparisons of numbers
            no_numbers(bool: not operators.numeric);
            /// No values that are texts or truth values
            no_strings(bool: not operators.strings);
            /// Allow single individuals: '{anna}' and 'hasChild value anna'
            nominals(bool: operators.nominals);
            /// What 'only' and 'max' mean where there are no fillers: 'standard', 'hthedl' or 'someonly'; answers say it in full
            semantics(Semantics: semantics) value("HOW");
        }
        group "Run" {
            /// The seed; one seed gives one model on any machine
            seed(u64: seed) allowed("a whole number");
        }
    }

    /// Learns class expressions from positive and negative individuals of an ontology.
    ///
    /// See the [crate's front page](crate) for an example.
    builder LogicLearner for Logic;
}

/// The measures that an answer can be looked for by: those that grow with what is right.
const MEASURES: [Metric; 11] = [
    Metric::F1,
    Metric::Accuracy,
    Metric::BalancedAccuracy,
    Metric::Jaccard,
    Metric::Mcc,
    Metric::Kappa,
    Metric::Youden,
    Metric::GMean,
    Metric::F2,
    Metric::FHalf,
    Metric::SensitivityTimesSpecificity,
];

fn measures() -> String {
    MEASURES.map(Metric::name).join(", ")
}

fn check_measure(name: &'static str, measure: &Metric) -> Result<(), ParamError> {
    if MEASURES.contains(measure) {
        return Ok(());
    }
    Err(ParamError::new(name, format_args!("'{measure}'"), measures()))
}

impl LogicLearner<'_> {
    /// Learns class expressions for a problem.
    ///
    /// # Errors
    /// When a parameter is not allowed, the examples cannot be used, or the devices or the checkpoint fail.
    pub fn fit(
        self,
        kb: &Arc<KnowledgeBase>,
        problem: &Problem,
    ) -> Result<Fitted<Logic>, RunError<LogicError>> {
        self.0.fit(&Individuals::examples(kb, problem).map_err(RunError::Learner)?)
    }

    /// Learns without a part of the examples and judges by that part, for each of so many folds, and all of that so often.
    ///
    /// # Errors
    /// As [`LogicLearner::fit`], and when the examples cannot be split so.
    pub fn cross_validate(
        self,
        kb: &Arc<KnowledgeBase>,
        problem: &Problem,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        self.0.cross_validate(&Individuals::examples(kb, problem)?, folds, repeats)
    }
}
