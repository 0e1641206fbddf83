//! Reinforcement learning: environments, and an agent that learns in them.
//!
//! An [`Environment`] presents codes and takes actions. After each action it returns a reward and
//! whether the problem is over. A single-step problem, such as the [`Multiplexer`], is over after
//! one action. In a multi-step problem, such as a [`Maze`], the value of an action may show only
//! later; it is passed back from step to step with a discount.

mod compact;
mod cover;
mod limits;
mod maze;
mod multiplexer;
mod supervised;
mod together;

pub use compact::CompactRules;
pub use limits::{check, largest_accepted};
pub use maze::Maze;
pub use multiplexer::Multiplexer;
pub use together::GpuAgents;

use crate::conditions::Ternary;
use crate::params::SystemParams;
use crate::profile::{PhaseClock, Profile};
use crate::system::{MatchInput, System};
use pellucid_bits::{Level, LevelError};
use pellucid_learn::rng::{Stream, Streams};
use pellucid_matching::{CodeDomain, CodedExamples, Matching, Way};
use std::sync::Arc;

/// A problem in which an agent acts.
pub trait Environment {
    /// Returns the number of binary columns of an observation.
    fn columns(&self) -> usize;

    /// Returns the number of actions.
    fn actions(&self) -> u32;

    /// Starts a new problem.
    fn begin(&mut self, stream: &mut Stream);

    /// Writes the current observation, one code per column.
    fn see(&self, codes: &mut Vec<u32>);

    /// Performs an action.
    fn act(&mut self, action: u32) -> Outcome;

    /// Whether the environment has failed, for example because an external program stopped. The
    /// problem then ends, and the failed step is not learned from.
    fn has_failed(&self) -> bool {
        false
    }
}

/// The result of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The reward.
    pub reward: f64,
    /// Whether the problem is over.
    pub is_over: bool,
}

/// The result of one problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The number of steps.
    pub steps: u64,
    /// The total reward.
    pub reward: f64,
}

/// An agent that learns from rewards (XCS).
///
/// ```
/// use pellucid_xcs::environment::{Agent, Multiplexer};
/// use pellucid_xcs::params::SystemParams;
///
/// let mut problem = Multiplexer::new(2);
/// let life = SystemParams { population: 400, ..Agent::published() };
/// let mut agent = Agent::new(&problem, life, 0.33, 1)?;
/// for _ in 0..5_000 {
///     agent.explore(&mut problem);
/// }
/// let right = (0..100).filter(|_| agent.exploit(&mut problem).reward > 0.0).count();
/// assert!(right > 90);
/// # Ok::<(), pellucid_bits::LevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agent {
    system: System<Ternary>,
    /// The random stream of the environment, separate from that of the agent.
    world: Stream,
    codes: Vec<u32>,
    before: Vec<u32>,
}

/// The maximum number of steps of a problem.
const MAX_STEPS: u64 = 1500;

impl Agent {
    /// Returns the published constants for the multiplexer.
    #[must_use]
    pub fn published() -> SystemParams {
        SystemParams {
            crossover: crate::params::Crossover::TwoPoint,
            tournament: 0.0,
            subsume_niche: true,
            ..SystemParams::default()
        }
    }

    /// Creates an agent without rules. Covering leaves a column open with probability `dont_care`.
    ///
    /// # Errors
    /// When `PELLUCID_SIMD` is not a level that this CPU supports.
    pub fn new(
        environment: &impl Environment,
        life: SystemParams,
        dont_care: f64,
        seed: u64,
    ) -> Result<Agent, LevelError> {
        let level = Level::chosen()?;
        let way = if level == Level::Scalar { Way::Direct } else { Way::Sliced };
        Ok(Agent::by(way, level, environment, life, dont_care, seed))
    }

    /// Creates an agent with a given matching method and instruction set. The result of learning
    /// does not depend on them.
    #[must_use]
    pub fn by(
        way: Way,
        level: Level,
        environment: &impl Environment,
        life: SystemParams,
        dont_care: f64,
        seed: u64,
    ) -> Agent {
        let (columns, actions) = (environment.columns(), environment.actions());
        let examples = Arc::new(CodedExamples::none(vec![CodeDomain::ordered(2); columns]));
        let matcher =
            Matching::by(way, level, &examples, System::<Ternary>::capacity(&life, actions));
        let streams = Streams::new(seed);
        let conditions = Ternary::new(columns, dont_care);
        let system =
            System::new(conditions, life, actions, streams.stream(&["life".into()]), matcher);
        let world = streams.stream(&["world".into()]);
        Agent { system, world, codes: Vec::new(), before: Vec::new() }
    }

    /// Returns the number of distinct rules (macro-classifiers).
    #[must_use]
    pub fn rules(&self) -> usize {
        self.system.state.population.distinct()
    }

    /// Returns the sum of the numerosities of all rules.
    #[must_use]
    pub fn copies(&self) -> u64 {
        self.system.state.population.copies()
    }

    /// Returns the number of rules created so far.
    #[must_use]
    pub fn rules_created(&self) -> u64 {
        self.system.made
    }

    /// Checks the population. Returns a description of the first problem, such as a lost rule. For
    /// tests.
    #[must_use]
    pub fn find_problem(&self) -> Option<&'static str> {
        let population = &self.system.state.population;
        population.find_problem(self.codes.len(), self.system.classes as usize)
    }

    /// Starts to measure the time of each phase.
    pub fn clock(&mut self) {
        self.system.clock = Some(Box::new(PhaseClock::new()));
    }

    /// Returns the measured times.
    #[must_use]
    pub fn profile(&self) -> Option<&Profile> {
        self.system.clock.as_ref().map(|clock| &clock.profile)
    }

    /// Returns a digest of the population. Agents that learned the same have the same digest.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let rules = self.system.state.population.rules.iter();
        rules.fold(0, |digest, rule| {
            [
                rule.digest,
                u64::from(rule.class) << 32 | u64::from(rule.copies),
                u64::from(rule.prediction.to_bits()) << 32 | u64::from(rule.error.to_bits()),
                u64::from(rule.fitness.to_bits()) << 32 | u64::from(rule.experience),
            ]
            .into_iter()
            .fold(digest, crate::conditions::fold)
        })
    }

    /// Runs one problem with random actions and learns from it.
    pub fn explore(&mut self, environment: &mut impl Environment) -> Trial {
        self.run_trial(environment, true)
    }

    /// Runs one problem with the best known actions. Nothing is learned in single-step problems. In
    /// multi-step problems the estimates are updated, because otherwise the agent could follow a
    /// wrong rule forever.
    pub fn exploit(&mut self, environment: &mut impl Environment) -> Trial {
        self.run_trial(environment, false)
    }

    /// Takes a trait object to avoid a copy of this function for every environment.
    fn run_trial(&mut self, environment: &mut dyn Environment, explores: bool) -> Trial {
        environment.begin(&mut self.world);
        self.system.previous.clear();
        let (mut trial, mut reward_before) = (Trial { steps: 0, reward: 0.0 }, 0.0);
        loop {
            environment.see(&mut self.codes);
            if environment.has_failed() {
                return trial;
            }
            let input = MatchInput::Input(&self.codes);
            self.system.match_all_actions(input);
            let is_first = trial.steps == 0;
            // The first exploring step of a problem does not need the prediction array.
            let mut best = f64::NAN;
            let action = if explores {
                self.system.random_action()
            } else {
                let predictions = self.system.predictions();
                self.system.best_action(&predictions)
            };
            if !is_first {
                let predictions = self.system.predictions();
                best = predictions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            }
            self.system.take_action(action);
            let outcome = environment.act(action);
            if environment.has_failed() {
                return trial;
            }
            trial.steps += 1;
            trial.reward += outcome.reward;
            if explores {
                self.system.state.time += 1;
            }
            let is_over = outcome.is_over || trial.steps >= MAX_STEPS;
            if !is_first {
                let target = reward_before + self.system.life.discount * best;
                self.learn_before(target, explores);
            }
            if is_over {
                if explores || !is_first {
                    self.system.reinforce(outcome.reward, &self.codes, explores);
                }
                return trial;
            }
            self.system.previous.clear();
            self.system.previous.extend_from_slice(&self.system.niche);
            self.before.clone_from(&self.codes);
            reward_before = outcome.reward;
        }
    }

    /// Updates the action set of the previous step. The sets of the current step are kept aside.
    fn learn_before(&mut self, target: f64, breeds: bool) {
        let system = &mut self.system;
        let current = std::mem::take(&mut system.niche);
        system.niche = std::mem::take(&mut system.previous);
        // Deletions must also remove slots from the current set.
        system.previous = current;
        // A child of the previous step belongs to the match set of that step.
        let (matched, made) = (std::mem::take(&mut system.matched), system.made);
        if breeds {
            system.form_match_set(MatchInput::Input(&self.before));
        }
        system.reinforce(target, &self.before, breeds);
        if system.made == made {
            system.matched = matched;
        } else {
            // A child may also match the current input, so the match set is formed again.
            system.form_match_set(MatchInput::Input(&self.codes));
        }
        system.niche = std::mem::take(&mut system.previous);
    }
}
