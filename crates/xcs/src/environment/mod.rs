//! Problems that are met step by step, and an agent that learns to do well in them.
//!
//! An [`Environment`] shows codes and takes actions; after each it says what the action earned and whether the problem is over.
//! A problem of one step, such as the [`Multiplexer`], is over at once. In others, such as a [`Maze`], what an action is worth
//! shows only later, and its worth is handed back from step to step, less each time.

mod limits;
mod maze;
mod multiplexer;
mod together;

pub use limits::{check, largest_accepted};
pub use maze::Maze;
pub use multiplexer::Multiplexer;
pub use together::Together;

use crate::conditions::Ternary;
use crate::params::Life;
use crate::profile::{PhaseClock, Profile};
use crate::system::{Question, System};
use pellucid_bits::Level;
use pellucid_learn::rng::{Stream, Streams};
use pellucid_matching::{Domain, Examples, Matching, Way};
use std::sync::Arc;

/// Something in which one acts.
pub trait Environment {
    /// How many columns of two values each are seen.
    fn columns(&self) -> usize;

    /// How many actions there are.
    fn actions(&self) -> u32;

    /// Begins another problem.
    fn begin(&mut self, stream: &mut Stream);

    /// What is seen now, a code for each column.
    fn see(&self, codes: &mut Vec<u32>);

    /// Acts.
    fn act(&mut self, action: u32) -> Outcome;

    /// Whether it no longer works, as when a program behind it fails. Then the problem ends, and nothing is
    /// learned from the step that failed.
    fn has_failed(&self) -> bool {
        false
    }
}

/// What came of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// What it earned.
    pub reward: f64,
    /// Whether the problem is over.
    pub is_over: bool,
}

/// How a problem went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// How many steps it took.
    pub steps: u64,
    /// What was earned.
    pub reward: f64,
}

/// A population that learns by acting (XCS).
///
/// ```
/// use pellucid_xcs::environment::{Agent, Multiplexer};
/// use pellucid_xcs::params::Life;
///
/// let mut problem = Multiplexer::new(2);
/// let life = Life { population: 400, ..Agent::published() };
/// let mut agent = Agent::new(&problem, life, 0.33, 1);
/// for _ in 0..5_000 {
///     agent.explore(&mut problem);
/// }
/// let right = (0..100).filter(|_| agent.exploit(&mut problem).reward > 0.0).count();
/// assert!(right > 90);
/// ```
#[derive(Clone, Debug)]
pub struct Agent {
    system: System<Ternary>,
    /// What happens around it is drawn apart from what it draws itself.
    world: Stream,
    codes: Vec<u32>,
    before: Vec<u32>,
}

/// No problem takes longer.
const MOST_STEPS: u64 = 1500;

impl Agent {
    /// The constants that are published for the multiplexer.
    #[must_use]
    pub fn published() -> Life {
        Life {
            crossover: crate::params::Crossover::TwoPoint,
            tournament: 0.0,
            subsume_niche: true,
            ..Life::default()
        }
    }

    /// An agent that knows nothing. New rules leave a column open with probability `dont_care`.
    #[must_use]
    pub fn new(environment: &impl Environment, life: Life, dont_care: f64, seed: u64) -> Agent {
        let level = Level::chosen().unwrap_or(Level::Portable);
        let way = if level == Level::Scalar { Way::Direct } else { Way::Sliced };
        Agent::by(way, level, environment, life, dont_care, seed)
    }

    /// The same, matching one way on one set of instructions. What is learned does not depend on it.
    #[must_use]
    pub fn by(
        way: Way,
        level: Level,
        environment: &impl Environment,
        life: Life,
        dont_care: f64,
        seed: u64,
    ) -> Agent {
        let (columns, actions) = (environment.columns(), environment.actions());
        let examples = Arc::new(Examples::none(vec![Domain::ordered(2); columns]));
        let board = Matching::by(way, level, &examples, System::<Ternary>::hooks(&life, actions));
        let streams = Streams::new(seed);
        let conditions = Ternary::new(columns, dont_care);
        let system =
            System::new(conditions, life, actions, streams.stream(&["life".into()]), board);
        let world = streams.stream(&["world".into()]);
        Agent { system, world, codes: Vec::new(), before: Vec::new() }
    }

    /// How many different rules it has.
    #[must_use]
    pub fn rules(&self) -> usize {
        self.system.state.population.distinct()
    }

    /// How many rules it has, copies counted.
    #[must_use]
    pub fn copies(&self) -> u64 {
        self.system.state.population.copies()
    }

    /// How many rules were ever made.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.system.made
    }

    /// What is wrong with the population, if anything is: rules lost or counted twice. For tests.
    #[must_use]
    pub fn misfit(&self) -> Option<&'static str> {
        let population = &self.system.state.population;
        population.misfit(self.codes.len(), self.system.classes as usize)
    }

    /// Clocks the phases of every step from now on.
    pub fn clock(&mut self) {
        self.system.clock = Some(Box::new(PhaseClock::new()));
    }

    /// Where time went since then.
    #[must_use]
    pub fn profile(&self) -> Option<&Profile> {
        self.system.clock.as_ref().map(|clock| &clock.profile)
    }

    /// A digest of everything it knows. Two agents that learned the same have the same.
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

    /// Meets a problem with random actions and learns from it.
    pub fn explore(&mut self, environment: &mut impl Environment) -> Trial {
        self.meet(environment, true)
    }

    /// Meets a problem with the best actions it knows. In problems of one step nothing is learned from it; in longer
    /// ones estimates are updated, since otherwise a rule that leads astray would never be found out.
    pub fn exploit(&mut self, environment: &mut impl Environment) -> Trial {
        self.meet(environment, false)
    }

    /// Not one for every environment: what takes time here is the population.
    fn meet(&mut self, environment: &mut dyn Environment, explores: bool) -> Trial {
        environment.begin(&mut self.world);
        self.system.previous.clear();
        let (mut trial, mut reward_before) = (Trial { steps: 0, reward: 0.0 }, 0.0);
        loop {
            environment.see(&mut self.codes);
            if environment.has_failed() {
                return trial;
            }
            let question = Question::Input(&self.codes);
            self.system.match_all_actions(question);
            let alone = trial.steps == 0;
            // On an exploring step of a single-step problem nobody asks what is foretold.
            let mut best = f64::NAN;
            let action = if explores {
                self.system.random_action()
            } else {
                let predictions = self.system.predictions();
                self.system.best_action(&predictions)
            };
            if !alone {
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
            let is_over = outcome.is_over || trial.steps >= MOST_STEPS;
            if !alone {
                let target = reward_before + self.system.life.discount * best;
                self.learn_before(target, explores);
            }
            if is_over {
                if explores || !alone {
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

    /// Lets the action set of the step before learn what it led to. The sets of this step wait meanwhile.
    fn learn_before(&mut self, target: f64, breeds: bool) {
        let system = &mut self.system;
        let now = std::mem::take(&mut system.niche);
        system.niche = std::mem::take(&mut system.previous);
        // Deletions on the way must not leave slots of others in the set of this step.
        system.previous = now;
        // A child of that step belongs to the match set of that step.
        let (matched, made) = (std::mem::take(&mut system.matched), system.made);
        if breeds {
            system.form(Question::Input(&self.before));
        }
        system.reinforce(target, &self.before, breeds);
        if system.made == made {
            system.matched = matched;
        } else {
            // A child may match what is seen now as well; who is looked for here later must find it.
            system.form(Question::Input(&self.codes));
        }
        system.niche = std::mem::take(&mut system.previous);
    }
}
