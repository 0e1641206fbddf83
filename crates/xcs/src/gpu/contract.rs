//! Many classifier systems that learn side by side on a GPU, each step for step as on the CPU.
//!
//! None knows of another, so all can take their next step at once: a block of threads is a system, and one launch is many
//! steps of all of them. The plain version of a step is the learner's own (`system.rs`, `supervised.rs`, `reward.rs`), and
//! `lockstep/tests.rs` holds the kernels to it bit for bit: the same draws from the same generator, every sum in the same
//! order, every rounding spelled out.

use super::OpenSystems;
use pellucid_device::{DeviceError, Hardware};
use std::time::Duration;

/// The most labels (classes, actions) that a system on a GPU may have: a lane of a warp counts for each.
pub(crate) const MOST_LABELS: u32 = 32;
/// The most columns of two values.
pub(crate) const MOST_COLUMNS: u32 = 256;
/// The most slots of a population.
pub(crate) const MOST_SLOTS: usize = 1 << 17;

/// What a system is like, by what it does; see the learner's own parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constants {
    pub(crate) learning_rate: f64,
    pub(crate) accuracy_fall: f64,
    /// A whole power; other ones take a logarithm, and those differ in their last bit.
    pub(crate) accuracy_power: u32,
    pub(crate) forgiven_error: f64,
    pub(crate) accurate_from: f64,
    pub(crate) crossover_rate: f64,
    pub(crate) mutation: f64,
    pub(crate) tournament: f64,
    pub(crate) deletion_share: f64,
    pub(crate) exploration: f64,
    pub(crate) reward: f64,
    /// How often a covering rule names a column.
    pub(crate) named: f64,
    pub(crate) breeding_pause: u64,
    pub(crate) population: u32,
    pub(crate) deletion_experience: u32,
    pub(crate) subsumption_experience: u32,
    pub(crate) labels: u32,
    pub(crate) least_labels: u32,
    pub(crate) columns: u32,
    pub(crate) supervised: bool,
    pub(crate) subsume_children: bool,
    pub(crate) subsume_niche: bool,
    pub(crate) error_first: bool,
    pub(crate) two_point: bool,
}

/// What is known of a rule and its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rule {
    pub(crate) digest: u64,
    pub(crate) stamp: u64,
    pub(crate) label: u32,
    pub(crate) copies: u32,
    pub(crate) experience: u32,
    pub(crate) correct: u32,
    pub(crate) prediction: f32,
    pub(crate) error: f32,
    pub(crate) fitness: f32,
    pub(crate) niche: f32,
}

/// All that later steps of a system depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// The generator that it draws from.
    pub(crate) life: [u64; 4],
    /// The generator that its problems are drawn from.
    pub(crate) world: [u64; 4],
    /// How many steps were learned from.
    pub(crate) time: u64,
    /// All copies of all rules.
    pub(crate) copies: u64,
    /// The sum of their fitness, as it came about.
    pub(crate) fitness: f64,
    /// How many rules were ever made.
    pub(crate) made: u64,
    /// Rules, slot by slot.
    pub(crate) rules: Vec<Rule>,
    /// Which columns matter to each, so many words a slot.
    pub(crate) care: Vec<u64>,
    /// What they must be.
    pub(crate) value: Vec<u64>,
    /// Sectors of the wheel on which it is decided who must go.
    pub(crate) weights: Vec<u64>,
    /// Free slots; the last is filled next.
    pub(crate) free: Vec<u32>,
}

/// Where a system's inputs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    /// Multiplexers with so many address bits, drawn from its world.
    Multiplexer(u32),
    /// The rows of a table, by its place among those given, in the order that each run is told.
    Table(usize),
}

/// A system that is taken to a GPU.
#[derive(Clone, Debug)]
pub(crate) struct SystemSetup {
    /// What it is like.
    pub(crate) constants: Constants,
    /// How it stands.
    pub(crate) state: State,
    /// What it sees.
    pub(crate) inputs: Inputs,
}

/// Examples of columns of two values, with their labels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// By row, so many words of values and then as many that say which are known.
    pub(crate) rows: Vec<u64>,
    /// By row, the right label.
    pub(crate) labels: Vec<u32>,
}

/// How many predictions a system made in a run, and how many were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnswerCounts {
    /// How often it was asked.
    pub(crate) asked: u32,
    /// How often it was right.
    pub(crate) right: u32,
}

/// Systems on a device.
pub(crate) trait Lockstep: Send {
    /// Has every system take so many steps of its own. Those that learn from tables are shown the rows of `orders`, a row for each
    /// of their steps, one system after the other; others meet problems, and explore or not.
    ///
    /// # Errors
    /// When the device fails; how the systems stand is lost then.
    fn run(
        &mut self,
        steps: &[u32],
        explores: bool,
        orders: &[u32],
    ) -> Result<Vec<AnswerCounts>, DeviceError>;

    /// How they stand.
    ///
    /// # Errors
    /// When the device fails.
    fn states(&mut self) -> Result<Vec<State>, DeviceError>;

    /// How long kernels ran since this was last asked, where the device can tell.
    fn take_time(&mut self) -> Option<Duration>;
}

/// Takes systems to a GPU. All of them must have as many columns, to within a word of 64.
///
/// # Errors
/// When this is no GPU, the systems are not of a kind that lives there, or the card fails.
pub(crate) fn open(
    hardware: &Hardware,
    systems: &[SystemSetup],
    tables: &[Table],
) -> Result<Box<dyn Lockstep>, DeviceError> {
    match hardware {
        Hardware::Gpu(gpu) => gpu.open(OpenSystems { systems, tables }),
        Hardware::Processor(_) => {
            Err(DeviceError::new("cpu", "systems learn in lock-step on GPUs only"))
        }
    }
}
