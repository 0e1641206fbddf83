//! The parameters of the logic learner.

use super::{Individuals, Logic, LogicError};
use crate::{KnowledgeBase, Semantics};
use pellucid_data::Problem;
use pellucid_learn::learner::{BoxError, FittedModel};
use pellucid_learn::metrics::Metric;
use pellucid_learn::params::{NamedChoice, ParamError};
use pellucid_learn::run::RunError;
use pellucid_learn::split::CrossValidation;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The search method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// `instant`, `refine` and `evolve`; the answer of the best one by cross-validation.
    #[default]
    Auto,
    /// Enumerates small expressions and combines them.
    Instant,
    /// Best-first search from general to specific expressions (CELOE, OCEL).
    Refine,
    /// Evolutionary search.
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

/// The constructors allowed in expressions, in addition to `and`, `or` and `some`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Operators {
    /// `not`.
    pub negation: bool,
    /// `only`.
    pub universal: bool,
    /// Inverse object properties.
    pub inverse: bool,
    /// The maximum number in `min`, `max` and `exactly`; 1 disables them.
    pub cardinality: u32,
    /// Numeric comparisons.
    pub numeric: bool,
    /// String and boolean values.
    pub strings: bool,
    /// `{anna}` and `r value anna`.
    pub nominals: bool,
    /// Coordinates of a drawing: numeric properties such as `x` and `y`.
    pub coordinates: bool,
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
            coordinates: false,
        }
    }
}

/// All parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The search method.
    pub method: Method,
    /// The metric to optimize.
    pub measure: Metric,
    /// The share of misclassified examples that a solution may have.
    pub noise: f64,
    /// The maximum length of an expression.
    pub length: u32,
    /// The penalty per unit of length. `None` selects it by cross-validation on the training
    /// examples; if that finds no benefit in shorter expressions, length only breaks ties.
    pub penalty: Option<f64>,
    /// The size of the leaderboard.
    pub answers: usize,
    /// Classes and properties that expressions must not use, by IRI or short name.
    pub exclude: Vec<String>,
    /// The allowed constructors.
    pub operators: Operators,
    /// The meaning of `only` and `max` during the search. Expressions are written in the standard
    /// semantics: another choice makes the difference explicit, as in `only r (C) and some r (C)`.
    pub semantics: Semantics,
    /// The maximum number of candidates to evaluate. A pair of literals counts once, regardless of
    /// signs, connectives and weights.
    pub hypotheses: Option<u64>,
    /// The number of candidates that refinement and evolution may each evaluate if method auto runs
    /// them.
    pub effort: u64,
    /// The number of candidates to evaluate after the search, to find a shorter expression that is as good as
    /// the answer, or to prove that there is none. A candidate over all individuals counts as several.
    pub proof_effort: u64,
    /// The random seed. Equal seeds give equal models.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::Auto,
            measure: Metric::Accuracy,
            noise: 0.0,
            length: 60,
            penalty: None,
            answers: 10,
            exclude: Vec::new(),
            operators: Operators::default(),
            semantics: Semantics::Standard,
            hypotheses: None,
            effort: 20_000,
            proof_effort: 1_000_000,
            seed: 0,
        }
    }
}

pellucid_learn::parameters! {
    Options, by method {
        group "Logic" {
            /// Search method: 'instant' combines small expressions, 'refine' searches from general
            /// to specific, 'evolve' is an evolutionary search, 'auto' runs all three and selects
            /// one by cross-validation
            method(Method: method) value("METHOD");
            /// Metric to optimize: accuracy, f1, mcc, …
            metric(Metric: measure) value("METRIC") allowed(measures()) rule(check_measure);
            /// Share of misclassified examples that a solution may have
            noise(f64: noise) value("SHARE") within(0.0..1.0);
            /// Maximum length of an expression (names, numbers and operators)
            max_length(u32: length) within(1..=10_000);
            /// Penalty per unit of expression length
            penalty(Option<f64>: penalty) value("COST") within(0.0..=1.0)
                default_is("selected by cross-validation");
            /// Size of the leaderboard
            answers(usize: answers) within(1..=10_000);
            /// Classes and properties that expressions must not use, by short name or IRI
            exclude(Vec<String>: exclude) default_is("none");
            /// Candidates that 'refine' and 'evolve' may each evaluate
            effort(u64: effort) within(1..) used_in(&["auto", "refine", "evolve"]);
            /// Candidates to evaluate after the search, to find a shorter expression that is as
            /// good as the answer or to prove that there is none; 0 skips this
            proof_effort(u64: proof_effort) allowed("an integer of at least 0");
            /// Maximum number of candidates to evaluate in total
            max_hypotheses(Option<u64>: hypotheses) within(1..) default_is("no limit");
        }
        group "Operators" {
            /// Do not use 'not'
            no_negation(bool: not operators.negation);
            /// Do not use 'only'
            no_only(bool: not operators.universal);
            /// Do not use inverse properties
            no_inverse(bool: not operators.inverse);
            /// Maximum number in 'min', 'max' and 'exactly'; 1 disables them
            max_cardinality(u32: operators.cardinality) within(1..=1_000_000);
            /// Do not use numeric comparisons
            no_numbers(bool: not operators.numeric);
            /// Do not use string and boolean values
            no_strings(bool: not operators.strings);
            /// Allow individuals in expressions: '{anna}' and 'hasChild value anna'
            nominals(bool: operators.nominals);
            /// Use coordinates of a drawing: numeric properties such as 'x' and 'y'
            coordinates(bool: operators.coordinates);
            /// Meaning of 'only' and 'max' for individuals without fillers; learned expressions are
            /// written in the standard semantics
            semantics(Semantics: semantics) value("HOW");
        }
        group "Run" {
            /// Random seed; equal seeds give equal models on any machine
            seed(u64: seed) allowed("an integer of at least 0");
        }
    }

    /// Learns class expressions from positive and negative individuals of an ontology.
    ///
    /// See the [crate's front page](crate) for an example.
    builder LogicLearner for Logic;
}

/// The supported metrics: those that increase with correct predictions.
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
    /// Learns class expressions for a learning problem.
    ///
    /// # Errors
    /// If a parameter is invalid, the examples cannot be used, or a device or the checkpoint fails.
    pub fn fit(
        self,
        kb: &Arc<KnowledgeBase>,
        problem: &Problem,
    ) -> Result<FittedModel<Logic>, RunError<LogicError>> {
        self.0.fit(&Individuals::examples(kb, problem).map_err(RunError::Learner)?)
    }

    /// Cross-validates the learner.
    ///
    /// # Errors
    /// As [`LogicLearner::fit`], and if the examples cannot be split.
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
