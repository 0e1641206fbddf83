use super::HypothesisArg;
use anyhow::{Result, bail};
use clap::Args;
use pellucid::engine::Hypothesis;
use pellucid::learn::metrics::Metric;
use pellucid::learn::params::{Check as _, Valid};
use pellucid::rules::params::{Covering, Mode, Params};

/// How rules are learned. What is not said stays as the mode has it.
#[derive(Debug, Args)]
pub(crate) struct RulesParams {
    /// 'default': a few rules that vote; 'g3p-mi': one rule, as in the paper; 'pareto': sensitivity against specificity
    #[arg(long, value_name = "MODE", default_value_t = Mode::Default, help_heading = "Rules")]
    pub(crate) mode: Mode,
    /// The seed; one seed gives one model on any machine
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many rows of a bag a rule must cover: 'auto', 'presence' (one), 'at-least=N' or 'between=A..B' [default: auto]
    #[arg(long, value_name = "COUNTED", help_heading = "Rules", value_parser = covering)]
    pub(crate) hypothesis: Option<Covering>,
    /// Attributes that rules may name [default: all]
    #[arg(long, value_delimiter = ',', value_name = "A,B", help_heading = "Rules")]
    pub(crate) attributes: Vec<String>,
    /// Operators that rules may use, among '>', '<=', '=' and '!=' [default: all]
    #[arg(long, value_delimiter = ',', value_name = "OP,…", help_heading = "Rules")]
    pub(crate) operators: Vec<String>,
    /// The most rules that vote [default: 50]
    #[arg(long, value_name = "N", help_heading = "Rules")]
    pub(crate) most_rules: Option<usize>,
    /// The most comparisons in a rule [default: 4]
    #[arg(long, value_name = "N", help_heading = "Rules")]
    pub(crate) most_comparisons: Option<usize>,
    /// How much an example of a class weighs, as in 'ill=5' [default: 1]
    #[arg(long, value_delimiter = ',', value_name = "CLASS=W", help_heading = "Rules", value_parser = class_weight)]
    pub(crate) class_weight: Vec<(String, f64)>,
    /// What makes a bred rule fit: accuracy, f1, mcc, … [default: sensitivity times specificity]
    #[arg(long, value_name = "METRIC", help_heading = "Breeding")]
    pub(crate) metric: Option<Metric>,
    /// Rules in a generation [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Breeding")]
    pub(crate) population: Option<usize>,
    /// Generations [default: 100]
    #[arg(long, value_name = "N", help_heading = "Breeding")]
    pub(crate) generations: Option<u64>,
    /// How often two parents are crossed, 0 to 1 [default: 0.95]
    #[arg(long, value_name = "P", help_heading = "Breeding")]
    pub(crate) crossover: Option<f64>,
    /// How often a child is mutated, 0 to 1 [default: 0.3]
    #[arg(long, value_name = "P", help_heading = "Breeding")]
    pub(crate) mutation: Option<f64>,
    /// The share of the best that lives on, 0 to 1 [default: 0.05]
    #[arg(long, value_name = "SHARE", help_heading = "Breeding")]
    pub(crate) elite: Option<f64>,
    /// The largest derivation of a bred rule: 4 for a comparison, 1 for a conjunction [default: 50]
    #[arg(long, value_name = "N", help_heading = "Breeding")]
    pub(crate) max_size: Option<usize>,
}

impl RulesParams {
    /// What they mean, checked.
    pub(crate) fn params(&self) -> Result<Valid<Params>> {
        let mut params = Params { mode: self.mode, seed: self.seed, ..Params::default() };
        // A flag that would change nothing is a mistake, and better told.
        let strangers = [
            ("--metric", self.metric.is_some(), Mode::G3pMi),
            ("--class-weight", !self.class_weight.is_empty(), Mode::Default),
            ("--most-rules", self.most_rules.is_some(), Mode::Default),
            ("--most-comparisons", self.most_comparisons.is_some(), Mode::Default),
        ];
        if let Some((flag, _, mode)) =
            strangers.iter().find(|(_, typed, mode)| *typed && *mode != self.mode)
        {
            bail!("{flag}: allowed in mode {mode} only, and the mode is {}", self.mode);
        }
        fn set<T: Clone>(place: &mut T, typed: &Option<T>) {
            if let Some(typed) = typed {
                *place = typed.clone();
            }
        }
        set(&mut params.covering, &self.hypothesis);
        set(&mut params.metric, &self.metric);
        set(&mut params.voting.most_rules, &self.most_rules);
        set(&mut params.voting.most_comparisons, &self.most_comparisons);
        set(&mut params.breeding.population, &self.population);
        set(&mut params.breeding.generations, &self.generations);
        set(&mut params.breeding.crossover, &self.crossover);
        set(&mut params.breeding.mutation, &self.mutation);
        set(&mut params.breeding.elite, &self.elite);
        set(&mut params.grammar.max_size, &self.max_size);
        params.grammar.attributes.clone_from(&self.attributes);
        if !self.operators.is_empty() {
            params.grammar.operators.clone_from(&self.operators);
        }
        params.class_weights.clone_from(&self.class_weight);
        Ok(params.check()?)
    }
}

fn covering(text: &str) -> Result<Covering, String> {
    if text == "auto" {
        return Ok(Covering::Auto);
    }
    match text.parse::<HypothesisArg>().map(|HypothesisArg(hypothesis)| hypothesis) {
        Ok(Hypothesis::Presence) => Ok(Covering::Presence),
        Ok(Hypothesis::AtLeast(least)) => Ok(Covering::AtLeast(least)),
        Ok(Hypothesis::Between(least, most)) => Ok(Covering::Between(least, most)),
        Ok(Hypothesis::Rows) | Err(_) => {
            Err("allowed are auto, presence, at-least=N and between=A..B with A <= B".to_owned())
        }
    }
}

fn class_weight(text: &str) -> Result<(String, f64), String> {
    let parsed = text
        .rsplit_once('=')
        .and_then(|(class, weight)| Some((class.to_owned(), weight.parse().ok()?)));
    parsed.ok_or_else(|| "allowed is CLASS=WEIGHT, as in ill=5".to_owned())
}
