//! The interface for many classifier systems that learn in parallel on a GPU, with the same steps as on the
//! CPU.
//!
//! The systems are independent, so all of them take their next step at once: a block of threads runs one
//! system, and one launch runs many steps of all systems. The specification (`spec.rs`) is the learner on the
//! CPU, and `lockstep/tests.rs` checks that the kernels give the same bits: the same draws from the same
//! generator, every sum in the same order, every rounding explicit.

use super::OpenSystems;
use pellucid_device::{DeviceError, Hardware};
use std::time::Duration;

/// The maximum number of labels (classes or actions) of a system on a GPU: each lane of a warp handles one
/// label.
pub(crate) const MAX_LABELS: u32 = 32;
/// The maximum number of binary columns.
pub(crate) const MAX_COLUMNS: u32 = 256;
/// The maximum number of slots of a population.
pub(crate) const MAX_SLOTS: usize = 1 << 17;

/// The constants of a system; see the parameters of the learner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constants {
    pub(crate) learning_rate: f64,
    pub(crate) accuracy_fall: f64,
    /// An integer power. Other powers need a logarithm, whose last bit differs between devices.
    pub(crate) accuracy_power: u32,
    pub(crate) forgiven_error: f64,
    pub(crate) accurate_from: f64,
    pub(crate) crossover_rate: f64,
    pub(crate) mutation: f64,
    pub(crate) tournament: f64,
    pub(crate) deletion_share: f64,
    pub(crate) exploration: f64,
    pub(crate) reward: f64,
    /// The probability that a covering rule names a column.
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

/// The record of a rule and its copies.
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

/// The state of a system: everything that later steps depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// The random generator of the system.
    pub(crate) life: [u64; 4],
    /// The random generator of its problems.
    pub(crate) world: [u64; 4],
    /// The number of learning steps so far.
    pub(crate) time: u64,
    /// The total number of copies of all rules.
    pub(crate) copies: u64,
    /// The sum of their fitness, with the rounding of its history.
    pub(crate) fitness: f64,
    /// The number of rules created so far.
    pub(crate) made: u64,
    /// The rules by slot.
    pub(crate) rules: Vec<Rule>,
    /// The columns that each rule tests, as a fixed number of words per slot.
    pub(crate) care: Vec<u64>,
    /// The values that these columns must have.
    pub(crate) value: Vec<u64>,
    /// The deletion weights of the roulette wheel.
    pub(crate) weights: Vec<u64>,
    /// The free slots; the last one is filled next.
    pub(crate) free: Vec<u32>,
}

/// The source of the inputs of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    /// Multiplexer problems with this number of address bits, drawn from `State::world`.
    Multiplexer(u32),
    /// The rows of a table, given by its index, in the order passed to each run.
    Table(usize),
}

/// A system to run on a GPU.
#[derive(Clone, Debug)]
pub(crate) struct SystemSetup {
    /// The constants of the system.
    pub(crate) constants: Constants,
    /// The initial state.
    pub(crate) state: State,
    /// The source of its inputs.
    pub(crate) inputs: Inputs,
}

/// Examples with binary columns, and their labels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// For each row, the words of the values, followed by as many words that mark the values that are not
    /// missing.
    pub(crate) rows: Vec<u64>,
    /// The correct label of each row.
    pub(crate) labels: Vec<u32>,
}

/// The number of predictions of a system in a run, and the number of correct ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnswerCounts {
    /// The number of predictions.
    pub(crate) asked: u32,
    /// The number of correct predictions.
    pub(crate) right: u32,
}

/// Systems on a device.
pub(crate) trait Lockstep: Send {
    /// Runs the given number of steps of each system. Systems that learn from tables use the rows of
    /// `orders`, one row for each of their steps, one system after the other. The others use multiplexer
    /// problems, with or without exploration.
    ///
    /// # Errors
    /// When the device fails. The states of the systems are then lost.
    fn run(
        &mut self,
        steps: &[u32],
        explores: bool,
        orders: &[u32],
    ) -> Result<Vec<AnswerCounts>, DeviceError>;

    /// Returns the states of all systems.
    ///
    /// # Errors
    /// When the device fails.
    fn states(&mut self) -> Result<Vec<State>, DeviceError>;

    /// Returns the running time of the kernels since the last call, if the device measures it.
    fn take_time(&mut self) -> Option<Duration>;
}

/// Copies systems to a GPU. All systems must need the same number of 64-bit words for their columns.
///
/// # Errors
/// When the device is not a GPU, a system is not supported there, or the GPU fails.
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
