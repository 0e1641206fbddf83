//! What a user may choose.

use crate::breed::Breeding;
use crate::grammar::Grammar;
use pellucid_engine::Hypothesis;
use pellucid_learn::metrics::Metric;
use pellucid_learn::params::{Check, ParamError, within};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How rules are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Accurate and readable: a few rules that vote, or one rule where one is as good.
    #[default]
    #[serde(rename = "default")]
    Default,
    /// The paper's algorithm: one rule for the positive class, by grammar-guided genetic programming.
    #[serde(rename = "g3p-mi")]
    G3pMi,
    /// Rules that trade sensitivity for specificity, none better than another in both.
    #[serde(rename = "pareto")]
    Pareto,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Default, Mode::G3pMi, Mode::Pareto];

    /// The mode's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::G3pMi => "g3p-mi",
            Mode::Pareto => "pareto",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Mode, String> {
        let found = Mode::ALL.into_iter().find(|mode| mode.name() == text);
        found.ok_or_else(|| format!("allowed are {}", Mode::ALL.map(Mode::name).join(", ")))
    }
}

/// How many rows of a bag a rule must cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covering {
    /// Whatever does best on the training data; at least one row in the modes that do not choose.
    #[default]
    Auto,
    /// At least one.
    Presence,
    /// At least so many.
    AtLeast(u32),
    /// Between so many and so many.
    Between(u32, u32),
}

impl Covering {
    /// The question to the engine, for bags or for single rows.
    #[must_use]
    pub fn hypothesis(self, has_bags: bool) -> Hypothesis {
        match self {
            _ if !has_bags => Hypothesis::Rows,
            Covering::Auto | Covering::Presence => Hypothesis::Presence,
            Covering::AtLeast(least) => Hypothesis::AtLeast(least),
            Covering::Between(least, most) => Hypothesis::Between(least, most),
        }
    }
}

/// Everything that may be chosen. What a mode does not use it passes over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How rules are learned.
    pub mode: Mode,
    /// The seed; one seed gives one model.
    pub seed: u64,
    /// Which rules may be made.
    pub grammar: Grammar,
    /// How rules are bred.
    pub breeding: Breeding,
    /// What makes a rule fit.
    pub metric: Metric,
    /// How many rows of a bag a rule must cover.
    pub covering: Covering,
    /// How rules are voted together.
    pub voting: Voting,
    /// How much an example of each class weighs, by the class's name; 1 where nothing is said.
    pub class_weights: Vec<(String, f64)>,
}

/// How the default mode makes rules and lets them vote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Voting {
    /// The most rules that vote, for each class against the rest.
    pub most_rules: usize,
    /// The most comparisons in a rule.
    pub most_comparisons: usize,
    /// How many rules are tried.
    pub candidates: usize,
    /// Whether one rule may stand for all when inner validation finds it as good.
    pub prefer_one_rule: bool,
}

impl Default for Voting {
    fn default() -> Voting {
        Voting { most_rules: 50, most_comparisons: 4, candidates: 1000, prefer_one_rule: true }
    }
}

impl Default for Params {
    fn default() -> Params {
        Params {
            mode: Mode::Default,
            seed: 0,
            grammar: Grammar::default(),
            breeding: Breeding::default(),
            metric: Metric::SensitivityTimesSpecificity,
            covering: Covering::Auto,
            voting: Voting::default(),
            class_weights: Vec::new(),
        }
    }
}

impl Check for Params {
    fn check_fields(&self) -> Result<(), ParamError> {
        self.grammar.check_fields()?;
        self.breeding.check_fields()?;
        within("most_rules", self.voting.most_rules, 1..=10_000)?;
        within("most_comparisons", self.voting.most_comparisons, 1..=20)?;
        within("candidates", self.voting.candidates, 10..=1_000_000)?;
        if let Covering::Between(least, most) = self.covering {
            within("between", least, ..=most)?;
        }
        for (class, weight) in &self.class_weights {
            if !(*weight > 0.0 && weight.is_finite()) {
                return Err(ParamError::new(
                    format!("weight of class '{class}'"),
                    weight,
                    "more than 0",
                ));
            }
        }
        Ok(())
    }
}
