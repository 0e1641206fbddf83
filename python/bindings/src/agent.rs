//! An agent that learns by acting, in an environment that Python brings.

use crate::{errors, json};
use pellucid::learn::rng::Stream;
use pellucid::xcs::environment::{self, Environment, Outcome, Trial};
use pellucid::xcs::params::Life;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use std::cell::RefCell;

/// Something in Python in which one acts: `begin()`, `see()` gives zeros and ones, `act(action)` gives the reward and whether
/// it is over.
struct World<'py> {
    object: Bound<'py, PyAny>,
    columns: usize,
    actions: u32,
    /// What Python raised first; from then on nothing is asked any more.
    raised: RefCell<Option<PyErr>>,
}

impl<'py> World<'py> {
    fn new(object: &Bound<'py, PyAny>) -> PyResult<World<'py>> {
        let (columns, actions) =
            (object.getattr("columns")?.extract()?, object.getattr("actions")?.extract()?);
        Ok(World { object: object.clone(), columns, actions, raised: RefCell::default() })
    }

    /// What an attempt gave, or nothing where it raised.
    fn attempt<T>(&self, attempt: impl FnOnce() -> PyResult<T>) -> Option<T> {
        if self.raised.borrow().is_some() {
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
        let acted = self.attempt(|| self.object.call_method1("act", (action,))?.extract());
        let (reward, is_over): (f64, bool) = acted.unwrap_or((0.0, true));
        Outcome { reward, is_over }
    }
}

/// A population of rules that learns by acting (XCS).
#[pyclass(module = "pellucid._native", unsendable)]
pub(crate) struct Agent(environment::Agent);

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
        let world = World::new(world)?;
        if world.columns == 0 || world.actions == 0 {
            return Err(PyValueError::new_err(
                "there must be something to see and something to do",
            ));
        }
        Ok(Agent(environment::Agent::new(&world, lived(life)?, dont_care, seed)))
    }

    /// The constants of a population, as published.
    #[staticmethod]
    fn published(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        json::dict(py, &published()?)
    }

    /// Meets a problem with random actions and learns from it; gives steps and reward.
    fn explore(&mut self, world: &Bound<'_, PyAny>) -> PyResult<(u64, f64)> {
        let mut world = World::new(world)?;
        let trial = self.0.explore(&mut world);
        world.finish(trial)
    }

    /// Meets a problem with the best actions it knows; gives steps and reward.
    fn exploit(&mut self, world: &Bound<'_, PyAny>) -> PyResult<(u64, f64)> {
        let mut world = World::new(world)?;
        let trial = self.0.exploit(&mut world);
        world.finish(trial)
    }

    /// How many different rules there are.
    #[getter]
    fn rules(&self) -> usize {
        self.0.rules()
    }

    /// A digest of all it knows: two agents that learned the same have the same.
    #[getter]
    fn digest(&self) -> u64 {
        self.0.digest()
    }
}

fn published() -> PyResult<Map<String, Value>> {
    match serde_json::to_value(environment::Agent::published()).map_err(errors::value)? {
        Value::Object(pairs) => Ok(pairs),
        _ => Ok(Map::new()),
    }
}

fn lived(chosen: &Bound<'_, PyDict>) -> PyResult<Life> {
    let mut life = published()?;
    for (name, value) in chosen.iter() {
        let name: String = name.extract()?;
        let Some(known) = life.get_mut(&name) else {
            let names: Vec<&str> = life.keys().map(String::as_str).collect();
            let told = format!("there is no '{name}', there are: {}", names.join(", "));
            return Err(PyValueError::new_err(told));
        };
        *known = json::from_python(&value)?;
    }
    serde_json::from_value(Value::Object(life)).map_err(errors::value)
}
