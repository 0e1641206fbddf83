//! Many classifier systems that live side by side on a GPU, each step for step as the processor would have it.
//!
//! Picture hundreds of villages, each with its own weather. None knows of another, so all can take their next step at once: a
//! block of threads is a village ([`Villager`] is what comes in and goes out), and one launch is many steps of all of them.
//!
//! What a step is, is not decided here. The plain version is the learner's own (`pellucid-xcs`), and its tests hold this one
//! to it bit for bit: the same draws from the same generator, every sum in the same order, every rounding spelled out.

use crate::gpu;
use pellucid_device::{DeviceError, Hardware};
use std::time::Duration;

/// The most labels (classes, actions) that a system on a GPU may have: a lane of a warp counts for each.
pub const MOST_LABELS: u32 = 32;
/// The most columns of two values.
pub const MOST_COLUMNS: u32 = 256;
/// The most slots of a population.
pub const MOST_SLOTS: usize = 1 << 17;

/// What a system is like, by what it does; see the learner's own parameters.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "they are the learner's parameters, under their names")]
pub struct Constants {
    pub learning_rate: f64,
    pub accuracy_fall: f64,
    /// A whole power; other ones take a logarithm, and those differ in their last bit.
    pub accuracy_power: u32,
    pub forgiven_error: f64,
    pub accurate_from: f64,
    pub crossover_rate: f64,
    pub mutation: f64,
    pub tournament: f64,
    pub deletion_share: f64,
    pub exploration: f64,
    pub reward: f64,
    /// How often a covering rule names a column.
    pub named: f64,
    pub breeding_pause: u64,
    pub population: u32,
    pub deletion_experience: u32,
    pub subsumption_experience: u32,
    pub labels: u32,
    pub least_labels: u32,
    pub columns: u32,
    pub supervised: bool,
    pub subsume_children: bool,
    pub subsume_niche: bool,
    pub error_first: bool,
    pub two_point: bool,
}

/// What is known of a rule and its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "they are the learner's own, under their names")]
pub struct Rule {
    pub digest: u64,
    pub stamp: u64,
    pub label: u32,
    pub copies: u32,
    pub experience: u32,
    pub correct: u32,
    pub prediction: f32,
    pub error: f32,
    pub fitness: f32,
    pub niche: f32,
}

/// All that later steps of a system depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The generator that it draws from.
    pub life: [u64; 4],
    /// The generator that its problems are drawn from.
    pub world: [u64; 4],
    /// How many steps were learned from.
    pub time: u64,
    /// All copies of all rules.
    pub copies: u64,
    /// The sum of their fitness, as it came about.
    pub fitness: f64,
    /// How many rules were ever made.
    pub made: u64,
    /// Rules, slot by slot.
    pub rules: Vec<Rule>,
    /// Which columns matter to each, so many words a slot.
    pub care: Vec<u64>,
    /// What they must be.
    pub value: Vec<u64>,
    /// Sectors of the wheel on which it is decided who must go.
    pub weights: Vec<u64>,
    /// Free slots; the last is filled next.
    pub free: Vec<u32>,
}

/// Where a system's inputs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Multiplexers with so many address bits, drawn from its world.
    Multiplexer(u32),
    /// The rows of a table, by its place among those given, in the order that each run is told.
    Table(usize),
}

/// A system: what it is like, how it stands, what it sees.
#[derive(Clone, Debug)]
pub struct Villager {
    /// What it is like.
    pub constants: Constants,
    /// How it stands.
    pub state: State,
    /// What it sees.
    pub inputs: Inputs,
}

/// Examples of columns of two values, with their labels.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// By row, so many words of values and then as many that say which are known.
    pub rows: Vec<u64>,
    /// By row, the right label.
    pub labels: Vec<u32>,
}

/// What a system said in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// How often it was asked.
    pub asked: u32,
    /// How often it was right.
    pub right: u32,
}

/// Systems on a device.
pub trait Lockstep: Send {
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
    ) -> Result<Vec<Said>, DeviceError>;

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
pub fn open(
    hardware: &Hardware,
    systems: &[Villager],
    tables: &[Table],
) -> Result<Box<dyn Lockstep>, DeviceError> {
    match hardware {
        Hardware::Gpu(gpu) => gpu.open(gpu::Settle { systems, tables }),
        Hardware::Processor(_) => {
            Err(DeviceError::new("cpu", "systems live in lock-step on GPUs alone"))
        }
    }
}
