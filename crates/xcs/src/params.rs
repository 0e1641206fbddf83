//! What a user may choose.

use crate::error::XcsError;
use crate::learner::Xcs;
use crate::model::MOST_COPIES;
use pellucid_data::Dataset;
use pellucid_learn::learner::{BoxError, Fitted};
use pellucid_learn::params::{ClassWeights, NamedChoice};
use pellucid_learn::run::RunError;
use pellucid_learn::split::CrossValidation;
use serde::{Deserialize, Serialize};

/// What rules learn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The class of each example is shown: rules live by how often they are right (UCS).
    #[default]
    Supervised,
    /// A class is guessed and rewarded: rules live by how well they foretell the reward (XCS).
    Reward,
}

impl NamedChoice for Mode {
    const ALL: &'static [Mode] = &[Mode::Supervised, Mode::Reward];

    fn name(self) -> &'static str {
        match self {
            Mode::Supervised => "supervised",
            Mode::Reward => "reward",
        }
    }
}

/// How the bounds of an interval are bred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bounds {
    /// A centre that moves and a spread that grows and shrinks.
    CentreSpread,
    /// A lower and an upper bound that move by themselves.
    #[default]
    Ordered,
    /// The same, and crossover exchanges single bounds.
    Unordered,
}

impl NamedChoice for Bounds {
    const ALL: &'static [Bounds] = &[Bounds::CentreSpread, Bounds::Ordered, Bounds::Unordered];

    fn name(self) -> &'static str {
        match self {
            Bounds::CentreSpread => "centre-spread",
            Bounds::Ordered => "ordered",
            Bounds::Unordered => "unordered",
        }
    }
}

/// How two parents are crossed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// What lies between two columns is exchanged.
    TwoPoint,
    /// Every column is exchanged or not by the toss of a coin.
    #[default]
    Uniform,
}

impl NamedChoice for Crossover {
    const ALL: &'static [Crossover] = &[Crossover::TwoPoint, Crossover::Uniform];

    fn name(self) -> &'static str {
        match self {
            Crossover::TwoPoint => "two-point",
            Crossover::Uniform => "uniform",
        }
    }
}

/// How a population lives: the constants of the publications, by what they do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Life {
    /// The most rules, copies counted (N).
    pub population: u32,
    /// How fast estimates move (beta).
    pub learning_rate: f64,
    /// The fall of accuracy past the error that is forgiven (alpha).
    pub accuracy_fall: f64,
    /// The power of accuracy (nu).
    pub accuracy_power: f64,
    /// The error that counts as none, as a share of the largest reward (epsilon 0).
    pub forgiven_error: f64,
    /// How often a rule must be right to count as accurate, in supervised learning.
    pub accurate_from: f64,
    /// Steps between two breedings in a niche (theta GA).
    pub breeding_pause: u64,
    /// How often parents are crossed (chi).
    pub crossover_rate: f64,
    /// How they are crossed.
    pub crossover: Crossover,
    /// How often a part of a condition is mutated (mu).
    pub mutation: f64,
    /// The share of a niche that meets in a tournament for parenthood (tau); 0 for a roulette.
    pub tournament: f64,
    /// Experience from which a rule may be deleted for its low fitness (theta del).
    pub deletion_experience: u32,
    /// The share of the mean fitness below which that happens (delta).
    pub deletion_share: f64,
    /// Experience from which a rule may take in narrower ones (theta sub).
    pub subsumption_experience: u32,
    /// Whether children are taken in by their parents.
    pub subsume_children: bool,
    /// Whether the widest accurate rule of a niche takes in the others.
    pub subsume_niche: bool,
    /// Whether the error of a rule moves before its prediction. The publication has it the other way round, but then the error of a
    /// young rule is taken from a prediction that has just been moved onto the reward, and looks too small: the multiplexer
    /// of 20 bits took 44 to 52 thousand steps so, and 26 to 34 thousand this way.
    pub error_first: bool,
    /// Whether rules of niches that err far more than others are made to ask more (specify).
    pub specify: bool,
    /// How many actions a match set must have; all of them by default (theta mna).
    pub least_actions: Option<u32>,
    /// The share of steps that explore.
    pub exploration: f64,
    /// What a future reward is worth, one step ahead (gamma).
    pub discount: f64,
    /// The largest reward.
    pub reward: f64,
}

impl Default for Life {
    fn default() -> Life {
        Life {
            population: 2000,
            learning_rate: 0.2,
            accuracy_fall: 0.1,
            accuracy_power: 5.0,
            forgiven_error: 0.01,
            accurate_from: 0.99,
            breeding_pause: 25,
            crossover_rate: 0.8,
            crossover: Crossover::Uniform,
            mutation: 0.04,
            tournament: 0.4,
            deletion_experience: 20,
            deletion_share: 0.1,
            subsumption_experience: 20,
            subsume_children: true,
            subsume_niche: false,
            error_first: true,
            specify: false,
            least_actions: None,
            exploration: 0.5,
            discount: 0.71,
            reward: 1000.0,
        }
    }
}

/// Everything that may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// What rules learn from.
    pub mode: Mode,
    /// How many examples are shown, counted as often as they are.
    pub iterations: Option<u64>,
    /// How the population lives.
    pub life: Life,
    /// How bounds are bred.
    pub bounds: Bounds,
    /// How many columns a new rule names on average.
    pub named: Option<f64>,
    /// The widest that a new interval reaches to either side, as a share of the column's values.
    pub spread: f64,
    /// How far a mutated bound moves at most, as a share of the column's values.
    pub reach: f64,
    /// The share of the examples, the last ones, for which nothing new is bred.
    pub condensation: f64,
    /// How much an example of each class weighs.
    pub class_weights: ClassWeights,
    /// Whether the whole population votes.
    pub keep_all: bool,
    /// Whether the model carries its population, to go on from.
    pub keep_population: bool,
    /// The most rules in the model.
    pub most_rules: usize,
    /// The seed; one seed gives one model.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            mode: Mode::Supervised,
            iterations: None,
            life: Life { mutation: 0.2, ..Life::default() },
            bounds: Bounds::default(),
            named: None,
            spread: 0.5,
            reach: 0.2,
            condensation: 0.0,
            class_weights: ClassWeights::default(),
            keep_all: false,
            keep_population: false,
            most_rules: 50,
            seed: 0,
        }
    }
}

pellucid_learn::parameters! {
    Params, by mode {
        group "Classifier system" {
            /// 'supervised': rules are shown the class of each example; 'reward': they guess, and learn from a reward (XCS)
            mode(Mode: mode) value("MODE");
            /// How many examples are shown, each counted as often as it is
            iterations(Option<u64>: iterations) within(1..=1_000_000_000_000) default_is("100 for each, 50,000 to 500,000");
            /// The most rules alive, copies counted
            population(u32: life.population) within(10..=MOST_COPIES);
            /// Columns that a new rule names on average
            columns_named(Option<f64>: named) within(0.1..=100_000.0) default_is("by their number");
            /// The widest that a new interval reaches to either side, as a share of the column's values
            spread(f64: spread) value("SHARE") within(0.0..=1.0);
            /// The most rules in the model, chosen so that together they say most
            most_rules(usize: most_rules) within(1..=100_000);
            /// How much an example of a class weighs, as in 'ill=5'; 'balanced': all classes weigh the same together
            class_weight(ClassWeights: class_weights) value("CLASS=W") default_is("1")
                rule(|name, weights: &ClassWeights| weights.check(name));
            /// Keep the whole population in the model: all rules vote, by their fitness
            keep_all(bool: keep_all);
            /// Keep the population in the model file, beside the rules that vote, to go on learning from
            keep_population(bool: keep_population);
        }
        group "Breeding" {
            /// Steps between two breedings in a niche
            breeding_pause(u64: life.breeding_pause) within(0..=1_000_000_000);
            /// How often parents are crossed
            crossover_rate(f64: life.crossover_rate) value("P") within(0.0..=1.0);
            /// How they are crossed
            crossover(Crossover: life.crossover) value("HOW");
            /// How often a part of a condition is mutated
            mutation(f64: life.mutation) value("P") within(0.0..=1.0);
            /// How the bounds of an interval are bred
            bounds(Bounds: bounds) value("HOW");
            /// How far a mutated bound moves at most, as a share of the column's values
            reach(f64: reach) value("SHARE") within(0.0..=1.0);
            /// The share of a niche that meets in a tournament for parenthood; 0 for a roulette
            tournament(f64: life.tournament) value("SHARE") within(0.0..=1.0);
            /// The share of the examples, the last ones, for which nothing new is bred: the fit crowd out the others
            condensation(f64: condensation) value("SHARE") within(0.0..=0.9);
            /// Do not let parents take in children that say less than they do
            no_child_subsumption(bool: not life.subsume_children);
            /// Let the widest accurate rule of a niche take in the others
            niche_subsumption(bool: life.subsume_niche);
        }
        group "Estimates" {
            /// How fast estimates move
            learning_rate(f64: life.learning_rate) value("RATE") within(0.0001..=1.0);
            /// The power of accuracy in fitness
            accuracy_power(f64: life.accuracy_power) within(0.1..=100.0);
            /// How often a rule must be right to count as accurate
            accurate_from(f64: life.accurate_from) value("SHARE") within(0.0..=1.0) only_in(&["supervised"]);
            /// The error that counts as none, as a share of the reward
            forgiven_error(f64: life.forgiven_error) value("SHARE") within(0.0..=1.0) only_in(&["reward"]);
            /// Where rules err far more than elsewhere, copy one and let it ask more (specify)
            specify(bool: life.specify) only_in(&["reward"]);
            /// Move the prediction of a rule before its error, as published; the other order learns in fewer steps
            prediction_first(bool: not life.error_first) only_in(&["reward"]);
            /// For how many classes there must be a rule before one is guessed
            least_actions(Option<u32>: life.least_actions) within(1..=1_000_000) default_is("all") only_in(&["reward"]);
            /// How often a class is guessed at random rather than by the rules
            exploration(f64: life.exploration) value("P") within(0.0..=1.0) only_in(&["reward"]);
        }
        group "Run" {
            /// The seed; one seed gives one model on any machine
            seed(u64: seed) allowed("a whole number");
        }
    }

    /// Learns a population of classifiers from a table.
    ///
    /// ```
    /// use pellucid_xcs::XcsLearner;
    /// # use pellucid_data::{Column, Dataset, Target, Values};
    /// # let numbers = (0..40).map(f64::from).collect();
    /// # let target = Target {
    /// #     name: "ill".into(),
    /// #     classes: vec!["no".into(), "yes".into()],
    /// #     codes: (0..40).map(|row| u32::from((10..30).contains(&row))).collect(),
    /// # };
    /// # let data = Dataset {
    /// #     name: "patients".into(),
    /// #     columns: vec![Column { name: "value".into(), values: Values::Numeric(numbers) }],
    /// #     rows: 40,
    /// #     target: Some(target),
    /// #     ..Dataset::default()
    /// # };
    /// let model = XcsLearner::new().iterations(5_000_u64).seed(1_u64).fit(&data)?;
    /// assert_eq!(model.predict(&data)?[20], "yes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    builder XcsLearner for Xcs;
}

impl XcsLearner<'_> {
    /// Learns classifiers.
    ///
    /// # Errors
    /// When a parameter is not allowed, the data cannot be learned from, or the devices or the checkpoint fail.
    pub fn fit(self, data: &Dataset) -> Result<Fitted<Xcs>, RunError<XcsError>> {
        self.0.fit(data)
    }

    /// Learns without a part of the examples and judges by that part, for each of so many folds, and all of that so often.
    ///
    /// # Errors
    /// As [`XcsLearner::fit`], and when the examples cannot be split so.
    pub fn cross_validate(
        self,
        data: &Dataset,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        self.0.cross_validate(data, folds, repeats)
    }
}
