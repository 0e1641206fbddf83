//! The parameters of the rule learner.

use crate::breed::Breeding;
pub use crate::constraints::RuleConstraints;
use crate::constraints::{DIRECTIONS, check_directions};
use crate::decide::ThresholdGoal;
use crate::grammar::{Grammar, LEAST_SIZE, check_operators};
use crate::learner::Rules;
pub use crate::number::Loss;
use crate::train::RulesError;
use pellucid_cover::Hypothesis;
use pellucid_data::Dataset;
use pellucid_learn::learner::{BoxError, FittedModel};
use pellucid_learn::metrics::Metric;
use pellucid_learn::params::{ClassWeights, NamedChoice, ParamError, Setting, SettingKind};
use pellucid_learn::run::RunError;
pub use pellucid_learn::sizes::Size;
use pellucid_learn::split::CrossValidation;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Accurate and readable: a few rules whose points add up, or one rule if it is as good.
    #[default]
    #[serde(rename = "default")]
    Default,
    /// The paper's algorithm: one rule for the positive class, by grammar-guided genetic programming.
    #[serde(rename = "g3p-mi")]
    G3pMi,
    /// The Pareto front of sensitivity and specificity.
    #[serde(rename = "pareto")]
    Pareto,
    /// An ordered list: the first rule that applies decides.
    #[serde(rename = "list")]
    List,
    /// A scorecard: whole points for the values of single columns.
    #[serde(rename = "scorecard")]
    Scorecard,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 5] =
        [Mode::Default, Mode::Scorecard, Mode::List, Mode::G3pMi, Mode::Pareto];
}

impl NamedChoice for Mode {
    const ALL: &'static [Mode] = &Mode::ALL;

    fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::G3pMi => "g3p-mi",
            Mode::Pareto => "pareto",
            Mode::List => "list",
            Mode::Scorecard => "scorecard",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// Checks that at least one attribute is allowed.
fn check_interactions(name: &'static str, most: &Option<usize>) -> Result<(), ParamError> {
    match most {
        Some(0) => Err(ParamError::new(name, 0, "1 or more")),
        _ => Ok(()),
    }
}

/// The number of rows of a bag that a rule must cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covering {
    /// Chosen on the training data; at least one row in modes that do not choose.
    #[default]
    Auto,
    /// At least one.
    Presence,
    /// At least this many.
    AtLeast(u32),
    /// Between these numbers, inclusive.
    Between(u32, u32),
}

impl Covering {
    /// Returns the hypothesis for the engine, for bags or for single rows.
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

impl Setting for Covering {
    const KIND: SettingKind = SettingKind::Text;

    fn read(text: &str) -> Result<Covering, String> {
        let number = |digits: &str| digits.trim().parse::<u32>().ok();
        let parsed = match text.split_once('=') {
            None if text == "auto" => Some(Covering::Auto),
            None if text == "presence" => Some(Covering::Presence),
            Some(("at-least", least)) => number(least).map(Covering::AtLeast),
            Some(("between", range)) => range
                .split_once("..")
                .and_then(|(least, most)| number(least).zip(number(most)))
                .filter(|(least, most)| least <= most)
                .map(|(least, most)| Covering::Between(least, most)),
            _ => None,
        };
        parsed.ok_or_else(|| COVERINGS.to_owned())
    }

    fn show(&self) -> String {
        match self {
            Covering::Auto => "auto".to_owned(),
            Covering::Presence => "presence".to_owned(),
            Covering::AtLeast(least) => format!("at-least={least}"),
            Covering::Between(least, most) => format!("between={least}..{most}"),
        }
    }

    fn allowed() -> Option<String> {
        Some(COVERINGS.to_owned())
    }
}

const COVERINGS: &str = "auto, presence, at-least=N, between=A..B (A <= B)";

/// Checks that the range is not empty.
fn check_covering(name: &'static str, covering: &Covering) -> Result<(), ParamError> {
    match covering {
        Covering::Between(least, most) if least > most => {
            Err(ParamError::new(name, covering.show(), COVERINGS))
        }
        _ => Ok(()),
    }
}

/// All parameters. A mode ignores those that it does not use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The algorithm.
    pub mode: Mode,
    /// The random seed.
    pub seed: u64,
    /// The rules that are allowed.
    pub grammar: Grammar,
    /// The parameters of breeding.
    pub breeding: Breeding,
    /// The fitness of a rule in mode g3p-mi.
    pub metric: Metric,
    /// The number of rows of a bag that a rule must cover.
    pub covering: Covering,
    /// The parameters of modes default and list.
    pub voting: VotingParams,
    /// Constraints on rules.
    pub demands: RuleConstraints,
    /// The weight of an example of each class, by the name of the class; 1 by default.
    pub class_weights: ClassWeights,
}

/// The parameters of modes default and list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VotingParams {
    /// The most rules of a path; with many classes, as many for each six of them.
    pub most_rules: usize,
    /// The most comparisons in a rule.
    pub most_comparisons: usize,
    /// The most different columns in a model.
    pub most_columns: Option<usize>,
    /// Which size is selected.
    pub size: Size,
    /// The most rules of the selected model; overrides the size.
    pub rules: Option<usize>,
    /// Whether a short list may replace rules with scores if it is as good in cross-validation.
    pub prefer_one_rule: bool,
    /// The loss, if a number is predicted.
    pub loss: Loss,
    /// The goal of the decision threshold.
    pub decide: ThresholdGoal,
}

impl Default for VotingParams {
    fn default() -> VotingParams {
        VotingParams {
            most_rules: 50,
            most_comparisons: 3,
            most_columns: None,
            size: Size::Medium,
            rules: None,
            prefer_one_rule: true,
            loss: Loss::Squared,
            decide: ThresholdGoal::Accuracy,
        }
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
            voting: VotingParams::default(),
            demands: RuleConstraints::default(),
            class_weights: ClassWeights::default(),
        }
    }
}

pellucid_learn::parameters! {
    Params, by mode {
        group "Rules" {
            /// 'default': a few rules whose points add up; 'scorecard': whole points for the values
            /// of columns, and of pairs if they are worth it; 'list': IF … ELSE IF … ELSE; 'g3p-mi': one
            /// rule, as in the paper; 'pareto': a Pareto front of sensitivity and specificity
            mode(Mode: mode) value("MODE");
            /// How many rows of a bag a rule must cover: 'auto', 'presence' (one), 'at-least=N' or
            /// 'between=A..B'
            hypothesis(Covering: covering) value("COUNT") rule(check_covering);
            /// Columns that rules may use
            attributes(Vec<String>: grammar.attributes) default_is("all");
            /// Columns that rules must not use
            forbid(Vec<String>: grammar.forbidden) default_is("none");
            /// Columns of which every rule uses at least one
            require(Vec<String>: demands.require) default_is("none") only_in(FINDING);
            /// Columns whose higher values never lower (+) or never raise (-) the score of the
            /// positive class, or the predicted number
            monotone(Vec<String>: demands.monotone) value("COLUMN=±,…") default_is("none")
                allowed(DIRECTIONS) only_in(SCORING)
                rule(|name, texts| check_directions(name, texts));
            /// The most different columns in a rule
            interactions(Option<usize>: demands.interactions) value("N") default_is("no limit")
                only_in(&["default", "list"])
                rule(check_interactions);
            /// Operators that rules may use
            operators(Vec<String>: grammar.operators) value("OP,…") default_is("all")
                allowed(">, <=, =, !=")
                rule(|name, operators| check_operators(name, operators));
            /// Which model is selected: the smallest that explains nearly as much as the best
            /// ('small': at least 90 % of it), or the best one ('large')
            size(Size: voting.size) value("SIZE") only_in(FINDING);
            /// Select the largest model with at most N rules; overrides the size
            rules(Option<usize>: voting.rules) value("N") default_is("by size") only_in(FINDING);
            /// The most rules to search for; with more than six classes, for each six of them
            most_rules(usize: voting.most_rules) within(1..=10_000) only_in(FINDING);
            /// The most comparisons in a rule; in a scorecard at most 2
            most_comparisons(usize: voting.most_comparisons) within(1..=20) only_in(FINDING);
            /// The most different columns in a model
            most_columns(Option<usize>: voting.most_columns) value("N") default_is("no limit")
                only_in(SCORING)
                rule(check_interactions);
            /// Always use rules whose points add up, even if a short list of rules is as good
            always_vote(bool: not voting.prefer_one_rule) only_in(&["default"]);
            /// The weight of each example of a class, as in 'ill=5'; 'balanced': all classes have
            /// the same total weight
            class_weight(ClassWeights: class_weights) value("CLASS=W") default_is("1") only_in(FINDING)
                rule(|name, weights: &ClassWeights| weights.check(name));
        }
        group "Deciding" {
            /// What the decision threshold is chosen for: accuracy, balanced accuracy, a recall of
            /// the positive class, or the lowest cost, as in 'cost:ill=5'
            decide(ThresholdGoal: voting.decide) value("AIM") only_in(&["default"]);
            /// The loss of a predicted number: squared or absolute error
            loss(Loss: voting.loss) value("LOSS") only_in(FINDING);
        }
        group "Breeding" {
            /// The fitness of a rule: accuracy, f1, mcc, …
            metric(Metric: metric) value("METRIC") only_in(&["g3p-mi"]);
            /// The number of rules in a generation
            population(usize: breeding.population) within(2..=10_000_000) used_in(BREEDING);
            /// The number of generations
            generations(u64: breeding.generations) within(0..=1_000_000_000) used_in(BREEDING);
            /// The probability that two parents are crossed
            crossover(f64: breeding.crossover) value("P") within(0.0..=1.0) used_in(BREEDING);
            /// The probability that a child is mutated
            mutation(f64: breeding.mutation) value("P") within(0.0..=1.0) used_in(BREEDING);
            /// The share of the best rules that survive unchanged
            elite(f64: breeding.elite) value("SHARE") within(0.0..=1.0) used_in(BREEDING);
            /// The number of rules in a tournament that selects a parent
            tournament(usize: breeding.tournament) within(1..=1000) used_in(BREEDING);
            /// The largest derivation of a rule: 4 for a comparison, 1 for a conjunction
            max_size(usize: grammar.max_size) within(LEAST_SIZE..=1000) used_in(BREEDING);
        }
        group "Run" {
            /// The random seed; the same seed gives the same model on any machine
            seed(u64: seed) allowed("a whole number");
        }
    }

    /// Trains IF-THEN rules on a table, or on bags of rows.
    ///
    /// ```
    /// use pellucid_rules::RuleLearner;
    /// # use pellucid_data::{ClassTarget, Column, Dataset};
    /// # use pellucid_data::Values;
    /// # let numbers = (0..20).map(f64::from).collect();
    /// # let target = ClassTarget {
    /// #     name: "ill".into(),
    /// #     classes: vec!["no".into(), "yes".into()],
    /// #     codes: (0..20).map(|row| u32::from(row > 9)).collect(),
    /// # };
    /// # let data = Dataset {
    /// #     name: "patients".into(),
    /// #     columns: vec![Column { name: "value".into(), values: Values::Numeric(numbers) }],
    /// #     rows: 20,
    /// #     target: Some(target),
    /// #     bags: None,
    /// #     notes: Vec::new(),
    /// #     ..Dataset::default()
    /// # };
    /// let model = RuleLearner::new().most_rules(5).seed(1).fit(&data)?;
    /// assert_eq!(model.predict(&data)?.classes()[19], "yes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    builder RuleLearner for Rules;
}

/// The modes that find rules one after the other.
const FINDING: &[&str] = &["default", "scorecard", "list"];
/// The modes whose rules have points that add up.
const SCORING: &[&str] = &["default", "scorecard"];
/// The modes that breed rules.
const BREEDING: &[&str] = &["g3p-mi", "pareto"];

impl RuleLearner<'_> {
    /// Fits a model.
    ///
    /// # Errors
    /// If a parameter is invalid, the data cannot be used, or a device or the checkpoint fails.
    pub fn fit(self, data: &Dataset) -> Result<FittedModel<Rules>, RunError<RulesError>> {
        self.0.fit(data)
    }

    /// Runs a cross-validation with this many folds and repetitions.
    ///
    /// # Errors
    /// As [`RuleLearner::fit`], and if the examples cannot be split into the folds.
    pub fn cross_validate(
        self,
        data: &Dataset,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        self.0.cross_validate(data, folds, repeats)
    }
}
