//! The parameters of the learner.

use crate::error::XcsError;
use crate::learner::Xcs;
use crate::model::MOST_COPIES;
use pellucid_data::Dataset;
use pellucid_learn::learner::{BoxError, FittedModel};
use pellucid_learn::params::{ClassWeights, NamedChoice};
use pellucid_learn::run::RunError;
use pellucid_learn::sizes::Size;
use pellucid_learn::split::CrossValidation;
use serde::{Deserialize, Serialize};

/// The learning mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Rules learn from the class of each example (UCS), or from its number (XCSF).
    #[default]
    Supervised,
    /// Rules choose a class and learn from the reward (XCS).
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

/// The representation of interval bounds in mutation and crossover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bounds {
    /// A center that moves and a spread that grows and shrinks.
    CentreSpread,
    /// A lower and an upper bound that change independently.
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

/// The crossover operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Exchanges the columns between two points.
    TwoPoint,
    /// Exchanges each column with probability one half.
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

/// The constants of a classifier system, with their symbols in the publications.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SystemParams {
    /// The maximum total numerosity (N).
    pub population: u32,
    /// The learning rate of estimates (beta).
    pub learning_rate: f64,
    /// The factor of accuracy beyond the accepted error (alpha).
    pub accuracy_fall: f64,
    /// The exponent of accuracy (nu).
    pub accuracy_power: f64,
    /// The accepted error, as a share of the largest reward (epsilon 0).
    pub forgiven_error: f64,
    /// The accuracy from which a rule counts as accurate, in supervised mode.
    pub accurate_from: f64,
    /// The mean number of steps between two runs of the genetic algorithm in a niche (theta GA).
    pub breeding_pause: u64,
    /// The probability of crossover (chi).
    pub crossover_rate: f64,
    /// The crossover operator.
    pub crossover: Crossover,
    /// The probability of mutation of each part of a condition (mu).
    pub mutation: f64,
    /// The tournament size as a share of the niche (tau); 0 for roulette-wheel selection.
    pub tournament: f64,
    /// The experience from which low fitness increases the deletion vote (theta del).
    pub deletion_experience: u32,
    /// The share of the mean fitness below which that happens (delta).
    pub deletion_share: f64,
    /// The experience from which a rule may subsume others (theta sub).
    pub subsumption_experience: u32,
    /// Whether parents subsume their children.
    pub subsume_children: bool,
    /// Whether the most general accurate rule of a niche subsumes the others.
    pub subsume_niche: bool,
    /// Whether the error of a rule is updated before its prediction. The publication updates the
    /// prediction first. Then the error of a new rule is measured from a prediction that was just
    /// set to the reward, so it is too small. The 20-bit multiplexer took 44,000 to 52,000 steps
    /// that way, and 26,000 to 34,000 this way.
    pub error_first: bool,
    /// Whether the specify operator is used.
    pub specify: bool,
    /// The minimum number of actions in a match set; all of them by default (theta mna).
    pub least_actions: Option<u32>,
    /// The probability of an exploration step.
    pub exploration: f64,
    /// The discount factor of future rewards (gamma).
    pub discount: f64,
    /// The largest reward.
    pub reward: f64,
}

impl SystemParams {
    /// Returns the accepted error as a share of the largest reward. It is never 0, so that the error
    /// of a perfect rule is below it and can be divided by.
    pub(crate) fn forgiven_error(&self) -> f64 {
        self.forgiven_error.max(1e-30)
    }
}

impl Default for SystemParams {
    fn default() -> SystemParams {
        SystemParams {
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

/// The parameters of the classifier system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The learning mode.
    pub mode: Mode,
    /// The number of examples shown, counting repeats.
    pub iterations: Option<u64>,
    /// The constants of the classifier system.
    pub life: SystemParams,
    /// The representation of interval bounds.
    pub bounds: Bounds,
    /// The mean number of columns in a new rule.
    pub named: Option<f64>,
    /// The maximum half-width of a new interval, as a share of the values of the column.
    pub spread: f64,
    /// The maximum change of a mutated bound, as a share of the values of the column.
    pub reach: f64,
    /// The share of the examples, at the end, without crossover and mutation.
    pub condensation: f64,
    /// The weight of the examples of each class.
    pub class_weights: ClassWeights,
    /// Whether the whole population is the model.
    pub keep_all: bool,
    /// Whether the model file contains the population.
    pub keep_population: bool,
    /// The maximum number of rules to select.
    pub most_rules: Option<usize>,
    /// Which of the models of all sizes is selected by held-out data.
    pub size: Size,
    /// The most rules of the model; overrides the size.
    pub rules: Option<usize>,
    /// The random seed.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            mode: Mode::Supervised,
            iterations: None,
            life: SystemParams { mutation: 0.2, ..SystemParams::default() },
            bounds: Bounds::default(),
            named: None,
            spread: 0.5,
            reach: 0.2,
            condensation: 0.0,
            class_weights: ClassWeights::default(),
            keep_all: false,
            keep_population: false,
            most_rules: None,
            size: Size::default(),
            rules: None,
            seed: 0,
        }
    }
}

pellucid_learn::parameters! {
    Params, by mode {
        group "Classifier system" {
            /// 'supervised': rules learn from the class of each example (UCS) or from its number (XCSF);
            /// 'reward': rules choose a class and learn from a reward (XCS)
            mode(Mode: mode) value("MODE");
            /// Number of examples shown, counting repeats
            iterations(Option<u64>: iterations) within(1..=1_000_000_000_000)
                default_is("100 per row, 50,000 to 500,000; 20 per row, 20,000 to 100,000 for a number");
            /// Maximum population size (total numerosity)
            population(u32: life.population) within(10..=MOST_COPIES);
            /// Mean number of columns in the condition of a new rule
            columns_named(Option<f64>: named) within(0.1..=100_000.0)
                default_is("set by the number of columns");
            /// Maximum half-width of a new interval, as a share of the values of the column
            spread(f64: spread) value("SHARE") within(0.0..=1.0);
            /// Which model is selected: the smallest that explains nearly as much as the best
            /// ('small': at least 90 % of it), or the best one ('large')
            size(Size: size) value("SIZE");
            /// Select the largest model with at most N rules; overrides the size
            rules(Option<usize>: rules) value("N") default_is("by size");
            /// Maximum number of rules to select; models of all smaller sizes are scored on held-out data
            most_rules(Option<usize>: most_rules) within(1..=100_000)
                default_is("50, or 10 per class if that is more");
            /// Weight of the examples of a class, as in 'ill=5';
            /// 'balanced' gives all classes the same total weight
            class_weight(ClassWeights: class_weights) value("CLASS=W") default_is("1")
                rule(|name, weights: &ClassWeights| weights.check(name));
            /// Use the whole population as the model, with the fitness of each rule as its points
            keep_all(bool: keep_all);
            /// Store the population in the model file, so that learning can continue from it
            keep_population(bool: keep_population);
        }
        group "Genetic algorithm" {
            /// Mean number of steps between two runs of the genetic algorithm in a niche
            breeding_pause(u64: life.breeding_pause) within(0..=1_000_000_000);
            /// Probability of crossover
            crossover_rate(f64: life.crossover_rate) value("P") within(0.0..=1.0);
            /// Crossover operator
            crossover(Crossover: life.crossover) value("METHOD");
            /// Probability of mutation of each part of a condition
            mutation(f64: life.mutation) value("P") within(0.0..=1.0);
            /// Representation of interval bounds in mutation and crossover
            bounds(Bounds: bounds) value("METHOD");
            /// Maximum change of a mutated bound, as a share of the values of the column
            reach(f64: reach) value("SHARE") within(0.0..=1.0);
            /// Tournament size for parent selection, as a share of the niche; 0 for roulette-wheel
            /// selection
            tournament(f64: life.tournament) value("SHARE") within(0.0..=1.0);
            /// Share of the examples, at the end, without crossover and mutation, so that the
            /// population condenses
            condensation(f64: condensation) value("SHARE") within(0.0..=0.9);
            /// Turn off the subsumption of children by their parents
            no_child_subsumption(bool: not life.subsume_children);
            /// Let the most general accurate rule of a niche subsume the others
            niche_subsumption(bool: life.subsume_niche);
        }
        group "Estimates" {
            /// Learning rate of the estimates
            learning_rate(f64: life.learning_rate) value("RATE") within(0.0001..=1.0);
            /// Exponent of accuracy in the fitness
            accuracy_power(f64: life.accuracy_power) within(0.1..=100.0);
            /// Accuracy from which a rule counts as accurate
            accurate_from(f64: life.accurate_from) value("SHARE") within(0.0..=1.0) only_in(&["supervised"]);
            /// Prediction error up to which a rule counts as accurate, as a share of the reward, or of the
            /// standard deviation if the target is a number; not used for classes in mode supervised
            forgiven_error(f64: life.forgiven_error) value("SHARE") within(0.0..=1.0);
            /// In niches with a high error, add a more specific copy of a rule (specify operator)
            specify(bool: life.specify) only_in(&["reward"]);
            /// Update the prediction of a rule before its error, as published; the default order
            /// learns in fewer steps
            prediction_first(bool: not life.error_first) only_in(&["reward"]);
            /// Minimum number of classes in a match set; covering adds rules for the others
            least_actions(Option<u32>: life.least_actions) within(1..=1_000_000)
                default_is("all") only_in(&["reward"]);
            /// Probability of an exploration step, which chooses a random class
            exploration(f64: life.exploration) value("P") within(0.0..=1.0) only_in(&["reward"]);
        }
        group "Run" {
            /// Random seed; the same seed gives the same model on any machine
            seed(u64: seed) allowed("a whole number");
        }
    }

    /// Learns a classifier system from a table.
    ///
    /// ```
    /// use pellucid_xcs::XcsLearner;
    /// # use pellucid_data::{ClassTarget, Column, Dataset, Values};
    /// # let numbers = (0..40).map(f64::from).collect();
    /// # let target = ClassTarget {
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
    /// assert_eq!(model.predict(&data)?.classes()[20], "yes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    builder XcsLearner for Xcs;
}

impl XcsLearner<'_> {
    /// Trains a model.
    ///
    /// # Errors
    /// When a parameter is out of range, the data is unsuitable, or a device or the checkpoint fails.
    pub fn fit(self, data: &Dataset) -> Result<FittedModel<Xcs>, RunError<XcsError>> {
        self.0.fit(data)
    }

    /// Runs a cross-validation.
    ///
    /// # Errors
    /// As [`XcsLearner::fit`], and when the examples cannot be split into that many folds.
    pub fn cross_validate(
        self,
        data: &Dataset,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        self.0.cross_validate(data, folds, repeats)
    }
}
