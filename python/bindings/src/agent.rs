//! An agent that learns by acting, in an environment that Python brings.

use crate::guard::guarded;
use crate::{errors, json};
use pellucid::learn::rng::Stream;
use pellucid::xcs::environment::{self, Environment, Outcome, Trial};
use pellucid::xcs::params::Life;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Something in Python in which one acts: `begin()`, `see()` gives zeros and ones, `act(action)` gives the reward and whether
/// it is over.
struct World<'py> {
    object: Bound<'py, PyAny>,
    columns: usize,
    actions: u32,
    rewards: Rewards,
    /// What Python raised first, or what is wrong with an answer; from then on nothing is asked any more.
    raised: RefCell<Option<PyErr>>,
}

impl<'py> World<'py> {
    fn new(object: &Bound<'py, PyAny>, rewards: Rewards) -> PyResult<World<'py>> {
        let (columns, actions) =
            (object.getattr("columns")?.extract()?, object.getattr("actions")?.extract()?);
        Ok(World { object: object.clone(), columns, actions, rewards, raised: RefCell::default() })
    }

    /// What an attempt gave, or nothing where it raised.
    fn attempt<T>(&self, attempt: impl FnOnce() -> PyResult<T>) -> Option<T> {
        if self.has_failed() {
            return None;
        }
        let done = self.object.py().check_signals().and_then(|()| attempt());
        done.map_err(|error| *self.raised.borrow_mut() = Some(error)).ok()
    }

    fn finish(self, trial: Trial) -> PyResult<(u64, f64)> {
        match self.raised.into_inner() {
            Some(error) => Err(error),
            None => Ok((trial.steps, trial.reward)),
        }
    }

    /// A comparison with NaN is false, so NaN is refused too.
    fn check_reward(&self, reward: f64) -> PyResult<()> {
        let Rewards { announced, largest } = self.rewards;
        if reward.abs() <= largest {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "reward: found {reward:?}, allowed are -{largest} to {largest}, a thousand times the largest reward, which is {announced}; largest_reward sets another one. Nothing was learned from this step"
        )))
    }
}

/// Which rewards an agent learns from.
#[derive(Clone, Copy)]
struct Rewards {
    /// The largest reward, as the agent was told.
    announced: f64,
    /// The largest one, positive or negative, that is accepted.
    largest: f64,
}

impl Environment for World<'_> {
    fn columns(&self) -> usize {
        self.columns
    }

    fn actions(&self) -> u32 {
        self.actions
    }

    fn begin(&mut self, _: &mut Stream) {
        self.attempt(|| self.object.call_method0("begin"));
    }

    fn see(&self, codes: &mut Vec<u32>) {
        let seen: Option<Vec<u32>> = self.attempt(|| {
            let seen: Vec<u32> = self.object.call_method0("see")?.extract()?;
            if seen.len() != self.columns || seen.iter().any(|&code| code > 1) {
                let told = format!("see() must give {} zeros and ones", self.columns);
                return Err(PyValueError::new_err(told));
            }
            Ok(seen)
        });
        *codes = seen.unwrap_or_else(|| vec![0; self.columns]);
    }

    fn act(&mut self, action: u32) -> Outcome {
        let acted = self.attempt(|| {
            let (reward, is_over): (f64, bool) =
                self.object.call_method1("act", (action,))?.extract()?;
            self.check_reward(reward)?;
            Ok(Outcome { reward, is_over })
        });
        acted.unwrap_or(Outcome { reward: 0.0, is_over: true })
    }

    fn has_failed(&self) -> bool {
        self.raised.borrow().is_some()
    }
}

/// A population of rules that learns by acting (XCS). Any thread may use it, one at a time.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Agent {
    agent: Mutex<environment::Agent>,
    columns: usize,
    actions: u32,
    rewards: Rewards,
}

impl Agent {
    /// The agent, if no other thread acts with it, and it is not asked from within its own environment.
    fn free(&self) -> PyResult<MutexGuard<'_, environment::Agent>> {
        match self.agent.try_lock() {
            Ok(agent) => Ok(agent),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the agent is in the middle of an episode, in another thread or in the environment that called this; an agent does one thing at a time",
            )),
            Err(TryLockError::Poisoned(_)) => Err(PyRuntimeError::new_err(
                "the agent broke off in the middle of a step, and what it knows may be wrong; make another one",
            )),
        }
    }

    /// An environment for this agent, which must have the size it was made for.
    fn world<'py>(&self, world: &Bound<'py, PyAny>) -> PyResult<World<'py>> {
        let world = World::new(world, self.rewards)?;
        if (world.columns, world.actions) == (self.columns, self.actions) {
            return Ok(world);
        }
        Err(PyValueError::new_err(format!(
            "found an environment of {} columns and {} actions; the agent was made for {} and {}",
            world.columns, world.actions, self.columns, self.actions
        )))
    }

    fn meet(
        &self,
        world: &Bound<'_, PyAny>,
        trial: impl FnOnce(&mut environment::Agent, &mut World<'_>) -> Trial,
    ) -> PyResult<(u64, f64)> {
        guarded(|| {
            let mut world = self.world(world)?;
            let trial = trial(&mut *self.free()?, &mut world);
            world.finish(trial)
        })
    }
}

#[pymethods]
impl Agent {
    /// An agent that knows nothing. `life` are the constants that differ from the published ones.
    #[new]
    fn new(
        world: &Bound<'_, PyAny>,
        life: &Bound<'_, PyDict>,
        dont_care: f64,
        seed: u64,
    ) -> PyResult<Agent> {
        guarded(|| {
            let life = constants(life)?;
            let largest = environment::largest_accepted(&life);
            let rewards = Rewards { announced: life.reward, largest };
            let world = World::new(world, rewards)?;
            environment::check(&world, &life, dont_care).map_err(errors::value)?;
            let agent = Mutex::new(environment::Agent::new(&world, life, dont_care, seed));
            Ok(Agent { agent, columns: world.columns, actions: world.actions, rewards })
        })
    }

    /// The constants of a population, as published.
    #[staticmethod]
    fn published(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        json::dict(py, &published()?)
    }

    /// Meets a problem with random actions and learns from it; gives steps and reward.
    fn explore(&self, world: &Bound<'_, PyAny>) -> PyResult<(u64, f64)> {
        self.meet(world, |agent, world| agent.explore(world))
    }

    /// Meets a problem with the best actions it knows; gives steps and reward.
    fn exploit(&self, world: &Bound<'_, PyAny>) -> PyResult<(u64, f64)> {
        self.meet(world, |agent, world| agent.exploit(world))
    }

    /// How many different rules there are.
    #[getter]
    fn rules(&self) -> PyResult<usize> {
        Ok(self.free()?.rules())
    }

    /// A digest of all it knows: two agents that learned the same have the same.
    #[getter]
    fn digest(&self) -> PyResult<u64> {
        Ok(self.free()?.digest())
    }
}

fn published() -> PyResult<Map<String, Value>> {
    match serde_json::to_value(environment::Agent::published()).map_err(errors::value)? {
        Value::Object(pairs) => Ok(pairs),
        _ => Ok(Map::new()),
    }
}

/// The constants of a population: the published ones, but for those that were chosen.
fn constants(chosen: &Bound<'_, PyDict>) -> PyResult<Life> {
    let mut life = published()?;
    for (name, value) in chosen.iter() {
        let name: String = name.extract()?;
        if !life.contains_key(&name) {
            let names: Vec<&str> = life.keys().map(String::as_str).collect();
            let told = format!("there is no '{name}', there are: {}", names.join(", "));
            return Err(PyValueError::new_err(told));
        }
        let wrong =
            |problem: &dyn std::fmt::Display| PyValueError::new_err(format!("{name}: {problem}"));
        let value = json::from_python(&value).map_err(|error| wrong(&error.value(chosen.py())))?;
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        serde_json::from_value::<Life>(Value::Object(alone)).map_err(|error| wrong(&error))?;
        life.insert(name, value);
    }
    serde_json::from_value(Value::Object(life)).map_err(errors::value)
}
