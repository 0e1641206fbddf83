//! The parameters of the learner.

use crate::error::NetworkError;
use crate::learner::Network;
use crate::metric::FitnessMetric;
use crate::task::NetworkTask;
use pellucid_data::Dataset;
use pellucid_forward::{Activation, Width};
use pellucid_learn::learner::{BoxError, FittedModel};
use pellucid_learn::params::NamedChoice;
use pellucid_learn::run::RunError;
use pellucid_learn::split::CrossValidation;
use serde::{Deserialize, Serialize};

/// The training method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// An ensemble of networks, trained by gradient descent and improved by a search on the metric.
    #[default]
    Default,
    /// One network, trained by the genetic algorithm of the publication.
    Paper,
}

impl NamedChoice for Mode {
    const ALL: &'static [Mode] = &[Mode::Default, Mode::Paper];

    fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::Paper => "paper",
        }
    }
}

/// The activation of hidden nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nodes {
    /// A radial basis function around a center.
    Rbf,
    /// The logistic function, from 0 to 1.
    Sigmoid,
    /// The hyperbolic tangent, from -1 to 1.
    #[default]
    Tanh,
    /// The rectified linear unit.
    Relu,
}

impl NamedChoice for Nodes {
    const ALL: &'static [Nodes] = &[Nodes::Rbf, Nodes::Sigmoid, Nodes::Tanh, Nodes::Relu];

    fn name(self) -> &'static str {
        match self {
            Nodes::Rbf => "rbf",
            Nodes::Sigmoid => "sigmoid",
            Nodes::Tanh => "tanh",
            Nodes::Relu => "relu",
        }
    }
}

impl Nodes {
    /// Returns the activation of the engine; radial nodes get widths of the given kind.
    #[must_use]
    pub fn activation(self, width: Width) -> Activation {
        match self {
            Nodes::Rbf => Activation::Rbf(width),
            Nodes::Sigmoid => Activation::Sigmoid,
            Nodes::Tanh => Activation::Tanh,
            Nodes::Relu => Activation::Relu,
        }
    }
}

/// The search method after gradient training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvolutionMethod {
    /// A genetic algorithm with crossover, mutation and hill climbing.
    #[default]
    Genetic,
    /// Separable natural evolution strategies: a normal distribution that moves toward better
    /// networks.
    Snes,
}

impl NamedChoice for EvolutionMethod {
    const ALL: &'static [EvolutionMethod] = &[EvolutionMethod::Genetic, EvolutionMethod::Snes];

    fn name(self) -> &'static str {
        match self {
            EvolutionMethod::Genetic => "genetic",
            EvolutionMethod::Snes => "snes",
        }
    }
}

/// The layers of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layers {
    /// The number of nodes in the hidden layer; `None` for the default of the mode.
    pub nodes: Option<usize>,
    /// Their activation; `None` for the default of the mode.
    pub activation: Option<Nodes>,
    /// The number of nodes in a second hidden layer; 0 for none.
    pub second: usize,
    /// The activation of the second layer.
    pub second_activation: Nodes,
}

impl Default for Layers {
    fn default() -> Layers {
        Layers { nodes: None, activation: None, second: 0, second_activation: Nodes::Tanh }
    }
}

/// The preparation of the inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PreparationParams {
    /// Categories in fewer rows than this have no effect.
    pub rare: usize,
    /// The number of pseudo-rows added to each category or bin.
    pub smoothing: f64,
    /// The maximum number of bins for the encoding of numbers by log odds or means; `None` for the
    /// default, which depends on the target.
    pub steps: Option<usize>,
    /// The largest absolute value of an input; 0 for no limit.
    pub clip: f64,
}

impl Default for PreparationParams {
    fn default() -> PreparationParams {
        PreparationParams { rare: 20, smoothing: 10.0, steps: None, clip: 5.0 }
    }
}

/// The settings of gradient training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DescentParams {
    /// The maximum number of epochs; `None` to choose it from the table size.
    pub rounds: Option<u64>,
    /// The initial learning rate.
    pub rate: f64,
    /// The batch size; `None` to choose it from the table size.
    pub batch: Option<usize>,
    /// The weight decay per step, as a share of the learning rate.
    pub decay: f64,
    /// The patience in epochs; `None` to choose it from the number of epochs.
    pub patience: Option<u64>,
}

impl Default for DescentParams {
    fn default() -> DescentParams {
        DescentParams { rounds: None, rate: 0.01, batch: None, decay: 0.0, patience: None }
    }
}

/// The settings of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EvolutionParams {
    /// The search method.
    pub search: EvolutionMethod,
    /// The population size; `None` for the default of the mode.
    pub population: Option<usize>,
    /// The maximum number of generations; `None` for the default of the mode.
    pub generations: Option<u64>,
    /// The number of generations without improvement after which the search stops.
    pub patience: u64,
}

impl Default for EvolutionParams {
    fn default() -> EvolutionParams {
        EvolutionParams {
            search: EvolutionMethod::Genetic,
            population: None,
            generations: None,
            patience: 1,
        }
    }
}

/// The parameters of the network learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The training method.
    pub mode: Mode,
    /// The metric that the search optimizes.
    pub metric: FitnessMetric,
    /// The share of the highest-scoring rows that lift and precision are computed on.
    pub top: f64,
    /// The number of highest-scoring rows, instead of a share.
    pub top_rows: Option<usize>,
    /// The layers of each network.
    pub layers: Layers,
    /// The number of networks in the ensemble, each with a different held-out fold.
    pub islands: usize,
    /// The preparation of the inputs.
    pub preparing: PreparationParams,
    /// The settings of gradient training.
    pub descent: DescentParams,
    /// The settings of the search.
    pub breeding: EvolutionParams,
    /// The random seed.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            mode: Mode::Default,
            metric: FitnessMetric::Lift,
            top: 0.2,
            top_rows: None,
            layers: Layers::default(),
            islands: 5,
            preparing: PreparationParams::default(),
            descent: DescentParams::default(),
            breeding: EvolutionParams::default(),
            seed: 0,
        }
    }
}

impl Params {
    /// Returns the number of nodes in the hidden layer.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.layers.nodes.unwrap_or(match self.mode {
            Mode::Default => 16,
            Mode::Paper => 4,
        })
    }

    /// Returns the activation of the hidden nodes.
    #[must_use]
    pub fn activation(&self) -> Nodes {
        self.layers.activation.unwrap_or(match self.mode {
            Mode::Default => Nodes::Tanh,
            Mode::Paper => Nodes::Rbf,
        })
    }

    /// Returns the population size.
    #[must_use]
    pub fn population(&self) -> usize {
        self.breeding.population.unwrap_or(match self.mode {
            Mode::Default => 8,
            Mode::Paper => 50,
        })
    }

    /// Returns the maximum number of generations.
    #[must_use]
    pub fn generations(&self) -> u64 {
        self.breeding.generations.unwrap_or(match self.mode {
            Mode::Default => 6,
            Mode::Paper => 12_000,
        })
    }

    /// Returns the maximum number of bins for the encoding of numbers.
    pub(crate) fn steps(&self, task: NetworkTask) -> usize {
        self.preparing.steps.unwrap_or(if task == NetworkTask::TwoClasses { 32 } else { 0 })
    }

    /// Returns the largest absolute value of an input, if there is a limit.
    #[must_use]
    pub fn clip(&self) -> Option<f64> {
        let clip = self.preparing.clip;
        (self.mode == Mode::Default && clip > 0.0).then_some(clip)
    }
}

/// The modes with gradient training.
const GRADIENT: &[&str] = &["default"];

pellucid_learn::parameters! {
    Params, by mode {
        group "Network" {
            /// 'default': several networks, trained by gradient descent and, for two classes, improved
            /// by a search; 'paper': one network for two classes, trained by the genetic algorithm of
            /// the publication
            mode(Mode: mode) value("MODE");
            /// Metric that the search optimizes for two classes: 'lift', 'precision', 'auc', 'mcc'
            /// (higher is better) or 'log-loss' (lower is better)
            metric(FitnessMetric: metric) value("METRIC");
            /// Share of the highest-scoring rows that lift and precision are computed on
            top(f64: top) value("SHARE") within(0.0001..=1.0);
            /// Number of highest-scoring rows, instead of a share
            top_rows(Option<usize>: top_rows) within(1..=1_000_000_000) default_is("set by top");
            /// Number of hidden nodes
            nodes(Option<usize>: layers.nodes) within(1..=1024) default_is("16; 4 in mode paper");
            /// Activation of the hidden nodes: 'rbf', 'sigmoid', 'tanh' or 'relu'
            activation(Option<Nodes>: layers.activation) value("KIND") default_is("tanh; rbf in mode paper");
            /// Number of nodes in a second hidden layer; 0 for none
            second_layer(usize: layers.second) value("NODES") within(0..=1024);
            /// Activation of the second layer
            second_activation(Nodes: layers.second_activation) value("KIND");
            /// Number of networks in the ensemble, each with a different held-out fold
            islands(usize: islands) within(1..=100) used_in(GRADIENT);
        }
        group "Preparation" {
            /// Categories in fewer rows than this have no effect
            rare(usize: preparing.rare) value("ROWS") within(1..=1_000_000);
            /// Number of pseudo-rows with the overall class ratio or mean added to each category or bin
            smoothing(f64: preparing.smoothing) value("ROWS") within(0.0..=1_000_000.0) used_in(GRADIENT);
            /// Maximum number of bins for the encoding of numbers by log odds or means; 0 for none
            steps(Option<usize>: preparing.steps) within(0..=1000)
                default_is("32 for two classes, otherwise 0") used_in(GRADIENT);
            /// Largest absolute value of an input, where 1 is half the range of the middle 80 %;
            /// 0 for no limit
            clip(f64: preparing.clip) value("DISTANCE") within(0.0..=1_000_000.0) used_in(GRADIENT);
        }
        group "Gradient" {
            /// Maximum number of epochs
            rounds(Option<u64>: descent.rounds) within(0..=100_000)
                default_is("25, or as many as 1,000 steps need") used_in(GRADIENT);
            /// Initial learning rate
            learning_rate(f64: descent.rate) value("RATE") within(0.000_001..=1.0) used_in(GRADIENT);
            /// Batch size
            batch(Option<usize>: descent.batch) value("ROWS") within(1..=1_000_000)
                default_is("1/16 of the rows, 16 to 512") used_in(GRADIENT);
            /// Weight decay per step, as a share of the learning rate
            decay(f64: descent.decay) value("SHARE") within(0.0..=10.0) used_in(GRADIENT);
            /// Number of epochs without a lower loss on held-out rows after which gradient training stops
            round_patience(Option<u64>: descent.patience) value("ROUNDS") within(1..=100_000)
                default_is("a quarter of the epochs, at least 6") used_in(GRADIENT);
        }
        group "Search" {
            /// Search method, for two classes: 'genetic' or 'snes'
            search(EvolutionMethod: breeding.search) value("METHOD") used_in(GRADIENT);
            /// Population size of the search, for two classes
            population(Option<usize>: breeding.population) within(2..=1_000_000)
                default_is("8; 50 in mode paper");
            /// Maximum number of generations of the search, for two classes
            generations(Option<u64>: breeding.generations) within(0..=1_000_000_000)
                default_is("6; 12,000 in mode paper");
            /// Number of generations without a better network on held-out rows after which the search stops
            patience(u64: breeding.patience) value("GENERATIONS") within(1..=1_000_000_000) used_in(GRADIENT);
        }
        group "Run" {
            /// Random seed; the same seed gives the same model
            seed(u64: seed) allowed("a whole number");
        }
    }

    /// Trains an ensemble of networks on a table.
    ///
    /// ```
    /// use pellucid_networks::NetworkLearner;
    /// # use pellucid_data::{ClassTarget, Column, Dataset, Values};
    /// # let numbers = (0..200).map(f64::from).collect();
    /// # let target = ClassTarget {
    /// #     name: "answers".into(),
    /// #     classes: vec!["no".into(), "yes".into()],
    /// #     codes: (0..200).map(|row| u32::from((80..120).contains(&row))).collect(),
    /// # };
    /// # let data = Dataset {
    /// #     name: "letters".into(),
    /// #     columns: vec![Column { name: "age".into(), values: Values::Numeric(numbers) }],
    /// #     rows: 200,
    /// #     target: Some(target),
    /// #     ..Dataset::default()
    /// # };
    /// let model = NetworkLearner::new().nodes(4).seed(1_u64).fit(&data)?;
    /// assert_eq!(model.predict(&data)?.classes()[100], "yes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    builder NetworkLearner for Network;
}

impl NetworkLearner<'_> {
    /// Trains a model.
    ///
    /// # Errors
    /// When a parameter is out of range, the data is unsuitable, or a device or the checkpoint fails.
    pub fn fit(self, data: &Dataset) -> Result<FittedModel<Network>, RunError<NetworkError>> {
        self.0.fit(data)
    }

    /// Runs a cross-validation.
    ///
    /// # Errors
    /// As [`NetworkLearner::fit`], and when the examples cannot be split into that many folds.
    pub fn cross_validate(
        self,
        data: &Dataset,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        self.0.cross_validate(data, folds, repeats)
    }
}
