//! What a user may choose.

use crate::Semantics;
use pellucid_learn::metrics::Metric;
use pellucid_learn::params::{Check, ParamError, within};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Auto, Method::Instant, Method::Refine, Method::Evolve];

    /// The method's name.
    #[must_use]
    pub fn name(self) -> &'static str {
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

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Method, String> {
        let found = Method::ALL.into_iter().find(|method| method.name() == text);
        found.ok_or_else(|| format!("allowed are {}", Method::ALL.map(Method::name).join(", ")))
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

impl Check for Options {
    fn check_fields(&self) -> Result<(), ParamError> {
        within("noise", self.noise, 0.0..1.0)?;
        within("length", self.length, 1..=10_000)?;
        within("penalty", self.penalty.unwrap_or(0.0), 0.0..=1.0)?;
        within("answers", self.answers, 1..=10_000)?;
        within("cardinality", self.operators.cardinality, 1..=1_000_000)?;
        within("hypotheses", self.hypotheses.unwrap_or(1), 1..)?;
        within("effort", self.effort, 1..)?;
        match self.measure {
            Metric::Accuracy
            | Metric::BalancedAccuracy
            | Metric::F1
            | Metric::F2
            | Metric::FHalf
            | Metric::Jaccard
            | Metric::Mcc
            | Metric::Youden
            | Metric::GMean
            | Metric::Kappa
            | Metric::SensitivityTimesSpecificity => Ok(()),
            other => Err(ParamError::new(
                "measure",
                format_args!("'{other}'"),
                "f1, accuracy, balanced_accuracy, jaccard, mcc, kappa, youden, g_mean, f2, f0.5, sens_x_spec",
            )),
        }
    }
}
