//! XCS agents in environments that are Python objects.

use crate::guard::guarded;
use crate::{errors, json};
use pellucid::learn::rng::Stream;
use pellucid::xcs::environment::{self, Environment, Outcome, Trial};
use pellucid::xcs::params::SystemParams;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// An environment that is a Python object.
///
/// It has the methods `begin()`, `see()` (returns zeros and ones) and `act(action)` (returns the reward and
/// whether the episode is over).
struct World<'py> {
    object: Bound<'py, PyAny>,
    columns: usize,
    actions: u32,
    rewards: Rewards,
    /// The first exception of the environment, or the error for an invalid return value. After it the
    /// environment is not called anymore.
    raised: RefCell<Option<PyErr>>,
}

impl<'py> World<'py> {
    fn new(object: &Bound<'py, PyAny>, rewards: Rewards) -> PyResult<World<'py>> {
        let (columns, actions) =
            (object.getattr("columns")?.extract()?, object.getattr("actions")?.extract()?);
        Ok(World { object: object.clone(), columns, actions, rewards, raised: RefCell::default() })
    }

    /// Calls the environment, unless an earlier call failed. Returns nothing if the call raises an exception.
    fn attempt<T>(&self, call: impl FnOnce() -> PyResult<T>) -> Option<T> {
        if self.has_failed() {
            return None;
        }
        let result = self.object.py().check_signals().and_then(|()| call());
        result.map_err(|error| *self.raised.borrow_mut() = Some(error)).ok()
    }

    fn finish(self, trial: Trial) -> PyResult<(u64, f64)> {
        match self.raised.into_inner() {
            Some(error) => Err(error),
            None => Ok((trial.steps, trial.reward)),
        }
    }

    /// Checks that a reward is in the accepted range. A comparison with NaN is false, so NaN is rejected too.
    fn check_reward(&self, reward: f64) -> PyResult<()> {
        let Rewards { declared, limit } = self.rewards;
        if reward.abs() <= limit {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "reward: found {reward:?}; expected -{limit} to {limit}, which is 1000 times the largest reward \
             ({declared}); use largest_reward to change it. The agent did not learn from this step"
        )))
    }
}

/// The range of the rewards.
#[derive(Clone, Copy)]
struct Rewards {
    /// The largest reward, as declared by the user.
    declared: f64,
    /// The largest absolute value that is accepted.
    limit: f64,
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
                let message = format!("see() must return {} zeros and ones", self.columns);
                return Err(PyValueError::new_err(message));
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

/// An XCS agent. Only one thread can use it at a time.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Agent {
    agent: Mutex<environment::Agent>,
    columns: usize,
    actions: u32,
    rewards: Rewards,
}

impl Agent {
    /// Locks the agent. Fails if another thread uses it, or if its own environment calls it.
    fn lock(&self) -> PyResult<MutexGuard<'_, environment::Agent>> {
        match self.agent.try_lock() {
            Ok(agent) => Ok(agent),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the agent is busy with an episode in another thread or in its own environment; an agent \
                 runs one episode at a time",
            )),
            Err(TryLockError::Poisoned(_)) => Err(PyRuntimeError::new_err(
                "an internal error interrupted the agent, and its state may be inconsistent; create a new \
                 agent",
            )),
        }
    }

    /// Wraps an environment, which must have the size that the agent was created for.
    fn world<'py>(&self, world: &Bound<'py, PyAny>) -> PyResult<World<'py>> {
        let world = World::new(world, self.rewards)?;
        if (world.columns, world.actions) == (self.columns, self.actions) {
            return Ok(world);
        }
        Err(PyValueError::new_err(format!(
            "found an environment with {} columns and {} actions; the agent was created for {} and {}",
            world.columns, world.actions, self.columns, self.actions
        )))
    }

    fn run_episode(
        &self,
        world: &Bound<'_, PyAny>,
        trial: impl FnOnce(&mut environment::Agent, &mut World<'_>) -> Trial,
    ) -> PyResult<(u64, f64)> {
        guarded(|| {
            let mut world = self.world(world)?;
            let trial = trial(&mut *self.lock()?, &mut world);
            world.finish(trial)
        })
    }
}

#[pymethods]
impl Agent {
    /// Creates an untrained agent. `life` contains the constants that differ from the published values.
    #[new]
    fn new(
        world: &Bound<'_, PyAny>,
        life: &Bound<'_, PyDict>,
        dont_care: f64,
        seed: u64,
    ) -> PyResult<Agent> {
        guarded(|| {
            let life = constants(life)?;
            let limit = environment::largest_accepted(&life);
            let rewards = Rewards { declared: life.reward, limit };
            let world = World::new(world, rewards)?;
            environment::check(&world, &life, dont_care).map_err(errors::value)?;
            let agent =
                environment::Agent::new(&world, life, dont_care, seed).map_err(errors::value)?;
            let agent = Mutex::new(agent);
            Ok(Agent { agent, columns: world.columns, actions: world.actions, rewards })
        })
    }

    /// Returns the published constants of a population.
    #[staticmethod]
    fn published(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        json::dict(py, &published()?)
    }

    /// Runs an episode with random actions and learns from it. Returns the number of steps and the reward.
    fn explore(&self, world: &Bound<'_, PyAny>) -> PyResult<(u64, f64)> {
        self.run_episode(world, |agent, world| agent.explore(world))
    }

    /// Runs an episode with the best known actions. Returns the number of steps and the reward.
    fn exploit(&self, world: &Bound<'_, PyAny>) -> PyResult<(u64, f64)> {
        self.run_episode(world, |agent, world| agent.exploit(world))
    }

    /// The number of distinct rules.
    #[getter]
    fn rules(&self) -> PyResult<usize> {
        Ok(self.lock()?.rules())
    }

    /// A digest of the state. Agents with the same state have the same digest.
    #[getter]
    fn digest(&self) -> PyResult<u64> {
        Ok(self.lock()?.digest())
    }
}

fn published() -> PyResult<Map<String, Value>> {
    match serde_json::to_value(environment::Agent::published()).map_err(errors::value)? {
        Value::Object(pairs) => Ok(pairs),
        _ => Ok(Map::new()),
    }
}

/// Returns the published constants of a population, with those in `chosen` replaced.
fn constants(chosen: &Bound<'_, PyDict>) -> PyResult<SystemParams> {
    let mut life = published()?;
    for (name, value) in chosen.iter() {
        let name: String = name.extract()?;
        if !life.contains_key(&name) {
            let names: Vec<&str> = life.keys().map(String::as_str).collect();
            let message =
                format!("unknown constant '{name}'; expected one of {}", names.join(", "));
            return Err(PyValueError::new_err(message));
        }
        let invalid =
            |problem: &dyn std::fmt::Display| PyValueError::new_err(format!("{name}: {problem}"));
        let value =
            json::from_python(&value).map_err(|error| invalid(&error.value(chosen.py())))?;
        // Parse the value on its own first, so that the message names the constant.
        let single = Map::from_iter([(name.clone(), value.clone())]);
        serde_json::from_value::<SystemParams>(Value::Object(single))
            .map_err(|error| invalid(&error))?;
        life.insert(name, value);
    }
    serde_json::from_value(Value::Object(life)).map_err(errors::value)
}
