//! What a user may choose.

use crate::error::NetworkError;
use crate::learner::Network;
use crate::metric::FitnessMetric;
use pellucid_data::Dataset;
use pellucid_forward::{Activation, Width};
use pellucid_learn::learner::{BoxError, Fitted};
use pellucid_learn::params::NamedChoice;
use pellucid_learn::run::RunError;
use pellucid_learn::split::CrossValidation;
use serde::{Deserialize, Serialize};

/// How networks are trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Trained by gradient, bred on the metric, and several of them together.
    #[default]
    Default,
    /// One network, bred as in the publication.
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

/// What a hidden node does with its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nodes {
    /// A hill around a centre.
    Rbf,
    /// A slope from 0 to 1.
    Sigmoid,
    /// A slope from -1 to 1.
    #[default]
    Tanh,
    /// Nothing below a threshold, then a straight line.
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
    /// The same in the words of the engine; radial nodes with widths of this kind.
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

/// How better networks are looked for once they are trained by gradient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchMethod {
    /// Crossover, mutation and hill climbing.
    #[default]
    Genetic,
    /// A cloud of networks around one, which moves and stretches towards the better ones.
    Snes,
}

impl NamedChoice for SearchMethod {
    const ALL: &'static [SearchMethod] = &[SearchMethod::Genetic, SearchMethod::Snes];

    fn name(self) -> &'static str {
        match self {
            SearchMethod::Genetic => "genetic",
            SearchMethod::Snes => "snes",
        }
    }
}

/// What the network looks like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layers {
    /// Nodes of the hidden layer; nothing for what the mode usually has.
    pub nodes: Option<usize>,
    /// What they do; nothing for what the mode usually has.
    pub activation: Option<Nodes>,
    /// Nodes of a second hidden layer; 0 for none.
    pub second: usize,
    /// What those do.
    pub second_activation: Nodes,
}

impl Default for Layers {
    fn default() -> Layers {
        Layers { nodes: None, activation: None, second: 0, second_activation: Nodes::Tanh }
    }
}

/// How a table becomes inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preparing {
    /// Words in fewer rows say nothing.
    pub rare: usize,
    /// Rows of no opinion that are added to those of a word.
    pub smoothing: f64,
    /// In how many steps numbers are told by log odds too.
    pub steps: usize,
    /// How far from 0 an input may lie; 0 for any distance.
    pub clip: f64,
}

impl Default for Preparing {
    fn default() -> Preparing {
        Preparing { rare: 20, smoothing: 10.0, steps: 32, clip: 5.0 }
    }
}

/// How the gradient is followed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Descent {
    /// Rounds over the training rows at most; nothing for as many as the table needs.
    pub rounds: Option<u64>,
    /// How far a step goes at first.
    pub rate: f64,
    /// Rows for a step; nothing for what suits the table.
    pub batch: Option<usize>,
    /// What weights lose in a step, as a share of the rate.
    pub decay: f64,
    /// Rounds without a better loss on held-out rows after which it ends; nothing for what suits the rounds.
    pub patience: Option<u64>,
}

impl Default for Descent {
    fn default() -> Descent {
        Descent { rounds: None, rate: 0.01, batch: None, decay: 0.0, patience: None }
    }
}

/// How networks are bred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breeding {
    /// How better networks are looked for.
    pub search: SearchMethod,
    /// NetworkEnsemble of a population; nothing for what the mode usually has.
    pub population: Option<usize>,
    /// Generations at most; nothing for what the mode usually has.
    pub generations: Option<u64>,
    /// Generations without a better network on held-out rows after which it ends.
    pub patience: u64,
}

impl Default for Breeding {
    fn default() -> Breeding {
        Breeding { search: SearchMethod::Genetic, population: None, generations: None, patience: 1 }
    }
}

/// Everything that may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How networks are trained.
    pub mode: Mode,
    /// What makes a network good.
    pub metric: FitnessMetric,
    /// The share at the top that lift and precision are about.
    pub top: f64,
    /// The number of rows at the top, where it is not a share.
    pub top_rows: Option<usize>,
    /// What the network looks like.
    pub layers: Layers,
    /// How many networks are trained, each held to another part of the rows.
    pub islands: usize,
    /// How a table becomes inputs.
    pub preparing: Preparing,
    /// How the gradient is followed.
    pub descent: Descent,
    /// How networks are bred.
    pub breeding: Breeding,
    /// The seed; one seed gives one model.
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
            preparing: Preparing::default(),
            descent: Descent::default(),
            breeding: Breeding::default(),
            seed: 0,
        }
    }
}

impl Params {
    /// Nodes of the hidden layer.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.layers.nodes.unwrap_or(match self.mode {
            Mode::Default => 16,
            Mode::Paper => 4,
        })
    }

    /// What hidden nodes do.
    #[must_use]
    pub fn activation(&self) -> Nodes {
        self.layers.activation.unwrap_or(match self.mode {
            Mode::Default => Nodes::Tanh,
            Mode::Paper => Nodes::Rbf,
        })
    }

    /// NetworkEnsemble of a population.
    #[must_use]
    pub fn population(&self) -> usize {
        self.breeding.population.unwrap_or(match self.mode {
            Mode::Default => 8,
            Mode::Paper => 50,
        })
    }

    /// Generations at most.
    #[must_use]
    pub fn generations(&self) -> u64 {
        self.breeding.generations.unwrap_or(match self.mode {
            Mode::Default => 6,
            Mode::Paper => 12_000,
        })
    }

    /// How far from 0 an input may lie, where it is said.
    #[must_use]
    pub fn clip(&self) -> Option<f64> {
        let clip = self.preparing.clip;
        (self.mode == Mode::Default && clip > 0.0).then_some(clip)
    }
}

/// The modes that follow a gradient.
const GRADIENT: &[&str] = &["default"];

pellucid_learn::parameters! {
    Params, by mode {
        group "Network" {
            /// 'default': several networks, trained by gradient and bred on the metric; 'paper': one network, bred as in the publication
            mode(Mode: mode) value("MODE");
            /// What makes a network good: 'lift', 'precision', 'auc' and 'mcc' (larger is better), 'log-loss' (smaller is better)
            metric(FitnessMetric: metric) value("METRIC");
            /// The share of the rows at the top that lift and precision are about
            top(f64: top) value("SHARE") within(0.0001..=1.0);
            /// The number of rows at the top, in place of a share
            top_rows(Option<usize>: top_rows) within(1..=1_000_000_000) default_is("by the share");
            /// Hidden nodes
            nodes(Option<usize>: layers.nodes) within(1..=1024) default_is("16; 4 in mode paper");
            /// What hidden nodes do: 'rbf', 'sigmoid', 'tanh' or 'relu'
            activation(Option<Nodes>: layers.activation) value("KIND") default_is("tanh; rbf in mode paper");
            /// Nodes of a second hidden layer; 0 for none
            second_layer(usize: layers.second) value("NODES") within(0..=1024);
            /// What the nodes of the second layer do
            second_activation(Nodes: layers.second_activation) value("KIND");
            /// NetworkEnsemble that are trained and asked together, each held to another part of the rows
            islands(usize: islands) within(1..=100) used_in(GRADIENT);
        }
        group "Preparation" {
            /// Words in fewer rows than this say nothing
            rare(usize: preparing.rare) value("ROWS") within(1..=1_000_000);
            /// Rows of no opinion that are added to those of each word or step
            smoothing(f64: preparing.smoothing) value("ROWS") within(0.0..=1_000_000.0) used_in(GRADIENT);
            /// Steps in which numbers are also told by log odds, at most; 0 for none
            steps(usize: preparing.steps) within(0..=1000) used_in(GRADIENT);
            /// How far from 0 an input may lie, where 1 is half the range of the middle 80 %; 0 for any distance
            clip(f64: preparing.clip) value("DISTANCE") within(0.0..=1_000_000.0) used_in(GRADIENT);
        }
        group "Gradient" {
            /// Rounds over the training rows at most
            rounds(Option<u64>: descent.rounds) within(0..=100_000) default_is("25, in small tables as many as make 1,000 steps") used_in(GRADIENT);
            /// How far a step goes at first
            learning_rate(f64: descent.rate) value("RATE") within(0.000_001..=1.0) used_in(GRADIENT);
            /// Rows for a step
            batch(Option<usize>: descent.batch) value("ROWS") within(1..=1_000_000) default_is("a sixteenth, 16 to 512") used_in(GRADIENT);
            /// What weights lose in each step, as a share of the rate
            decay(f64: descent.decay) value("SHARE") within(0.0..=10.0) used_in(GRADIENT);
            /// Rounds without a smaller loss on held-out rows after which the gradient is followed no more
            round_patience(Option<u64>: descent.patience) value("ROUNDS") within(1..=100_000) default_is("a quarter of the rounds, at least 6") used_in(GRADIENT);
        }
        group "Breeding" {
            /// How better networks are looked for: 'genetic' or 'snes'
            search(SearchMethod: breeding.search) value("HOW") used_in(GRADIENT);
            /// NetworkEnsemble of a population
            population(Option<usize>: breeding.population) within(2..=1_000_000) default_is("8; 50 in mode paper");
            /// Generations at most
            generations(Option<u64>: breeding.generations) within(0..=1_000_000_000) default_is("6; 12,000 in mode paper");
            /// Generations without a better network on held-out rows after which breeding ends
            patience(u64: breeding.patience) value("GENERATIONS") within(1..=1_000_000_000) used_in(GRADIENT);
        }
        group "Run" {
            /// The seed; one seed gives one model
            seed(u64: seed) allowed("a whole number");
        }
    }

    /// Learns networks that rank, from a table.
    ///
    /// ```
    /// use pellucid_networks::NetworkLearner;
    /// # use pellucid_data::{Column, Dataset, Target, Values};
    /// # let numbers = (0..200).map(f64::from).collect();
    /// # let target = Target {
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
    /// assert_eq!(model.predict(&data)?[100], "yes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    builder NetworkLearner for Network;
}

impl NetworkLearner<'_> {
    /// Learns networks.
    ///
    /// # Errors
    /// When a parameter is not allowed, the data cannot be learned from, or the devices or the checkpoint fail.
    pub fn fit(self, data: &Dataset) -> Result<Fitted<Network>, RunError<NetworkError>> {
        self.0.fit(data)
    }

    /// Learns without a part of the examples and judges by that part, for each of so many folds, and all of that so often.
    ///
    /// # Errors
    /// As [`NetworkLearner::fit`], and when the examples cannot be split so.
    pub fn cross_validate(
        self,
        data: &Dataset,
        folds: usize,
        repeats: usize,
    ) -> Result<CrossValidation, BoxError> {
        self.0.cross_validate(data, folds, repeats)
    }
}
