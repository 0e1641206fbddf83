//! Learning from a table, a thousand examples a step.

use crate::conditions::Conditions;
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::params::{Mode, Params};
use crate::system::{Question, State, System};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Figures, Plan, Step, Stepper};
use pellucid_matching::{Matching, Test};
use std::sync::Arc;

/// Examples shown in a step.
pub(crate) const SHOWN: u64 = 1000;

/// A population that is shown the rows of a table, again and again, each time in another order.
pub(crate) struct TableRun<'a, C: Conditions> {
    encoded: &'a Encoded,
    params: &'a Params,
    system: System<C>,
    iterations: u64,
    order: Vec<u32>,
    /// Which order that is.
    round: u64,
}

impl<'a, C: Conditions> TableRun<'a, C> {
    pub(crate) fn new(encoded: &'a Encoded, params: &'a Params, conditions: C) -> Self {
        let classes = pellucid_bits::as_u32(encoded.schema.classes.len());
        let hooks = System::<C>::hooks(&params.life, classes);
        let board = Matching::over(&encoded.examples, hooks);
        let stream = Streams::new(params.seed).stream(&["life".into()]);
        let system = System::new(conditions, params.life.clone(), classes, stream, board);
        let iterations = iterations(params, encoded.examples.rows());
        let mut run =
            TableRun { encoded, params, system, iterations, order: Vec::new(), round: u64::MAX };
        run.foresee(0);
        run
    }

    /// Matches on another board from now on.
    #[cfg(test)]
    pub(crate) fn match_by(&mut self, board: Matching) {
        self.system.board = board;
        self.round = u64::MAX;
        self.foresee(self.system.state.shown);
    }

    /// The population as it stands.
    pub(crate) fn system(&self) -> &System<C> {
        &self.system
    }

    /// The same, to be given another state; then [`TableRun::go_on`].
    pub(crate) fn system_mut(&mut self) -> &mut System<C> {
        &mut self.system
    }

    /// Goes on from the state that the system has now.
    pub(crate) fn go_on(&mut self) {
        self.system.board.forget_order();
        self.round = u64::MAX;
        self.foresee(self.system.state.shown);
    }

    /// What it is shown, and what was chosen for it.
    pub(crate) fn encoded(&self) -> &'a Encoded {
        self.encoded
    }

    pub(crate) fn params(&self) -> &'a Params {
        self.params
    }

    /// How many examples it will have been shown at its end.
    pub(crate) fn end(&self) -> u64 {
        self.iterations.div_ceil(SHOWN) * SHOWN
    }

    /// The tests of each rule.
    pub(crate) fn tests(&self, slot: usize) -> Vec<Test> {
        let conditions = &self.system.state.population.conditions;
        let (mut one, mut tests) = (C::One::default(), Vec::new());
        conditions.take(slot, &mut one);
        conditions.tests(&one, &mut tests);
        tests
    }

    /// Draws the order of a round, and tells the board which rows will come. Orders depend on the seed and the round alone.
    fn foresee(&mut self, shown: u64) {
        let rows = self.encoded.examples.rows() as u64;
        let (round, place) = (shown / rows, shown % rows);
        if round != self.round {
            self.round = round;
            order_of(self.params.seed, round, self.encoded.examples.rows(), &mut self.order);
            self.system.board.foresee(&self.order[usize::try_from(place).unwrap_or(0)..]);
        }
    }

    /// Shows the next example. Says whether the rules were right about it before, where they were asked.
    pub(crate) fn show(&mut self) -> Option<bool> {
        let (shown, rows) = (self.system.state.shown, self.encoded.examples.rows() as u64);
        self.foresee(shown);
        let row = self.order[usize::try_from(shown % rows).unwrap_or(0)] as usize;
        let (examples, class) = (Arc::clone(&self.encoded.examples), self.encoded.classes[row]);
        let question = Question::Row(row, examples.row(row));
        self.system.state.shown += 1;
        match self.params.mode {
            Mode::Supervised => Some(self.system.show(question, class) == Some(class)),
            Mode::Reward => {
                self.system.match_all_actions(question);
                let explores = self.system.state.stream.chance(self.params.life.exploration);
                if !explores {
                    let predictions = self.system.predictions();
                    return Some(self.system.best_action(&predictions) == class);
                }
                let action = self.system.random_action();
                self.system.state.time += 1;
                self.system.take_action(action);
                let reward = if action == class { self.params.life.reward } else { 0.0 };
                self.system.reinforce(reward, question.codes(), true);
                None
            }
        }
    }
}

/// The order in which rows are shown in a round.
pub(crate) fn order_of(seed: u64, round: u64, rows: usize, into: &mut Vec<u32>) {
    into.clear();
    into.extend(0..pellucid_bits::as_u32(rows));
    Streams::new(seed).at("order").stream(&[round.into()]).shuffle(into);
}

/// How many examples are shown.
pub(crate) fn iterations(params: &Params, rows: usize) -> u64 {
    params.iterations.unwrap_or_else(|| (rows as u64 * 100).clamp(50_000, 500_000))
}

impl<C: Conditions> Stepper for TableRun<'_, C> {
    type State = State<C>;
    type Error = XcsError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(self.params).unwrap_or_default();
        // What is done afterwards, and how long, may change between two runs.
        let same =
            Params { iterations: None, keep_all: false, most_rules: 0, ..self.params.clone() };
        let chosen = serde_json::to_vec(&same).unwrap_or_default();
        let print = self.encoded.fingerprint().with(chosen);
        Plan::new(crate::model::LEARNER, params, print).steps(self.iterations.div_ceil(SHOWN))
    }

    fn step(&mut self) -> Result<Step, XcsError> {
        let (mut asked, mut right) = (0_u32, 0_u32);
        for _ in 0..SHOWN {
            if let Some(was_right) = self.show() {
                asked += 1;
                right += u32::from(was_right);
            }
        }
        let population = &self.system.state.population;
        let rules = population.distinct().max(1) as f64;
        let error = match self.params.mode {
            Mode::Supervised => {
                population.slots().map(|slot| 1.0 - population.rules[slot].accuracy()).sum()
            }
            Mode::Reward => {
                let errors = population.slots().map(|slot| f64::from(population.rules[slot].error));
                errors.sum::<f64>() / self.params.life.reward
            }
        };
        let named: usize = population.slots().map(|slot| population.conditions.asks(slot)).sum();
        let values = Figures::new()
            .with("accuracy", f64::from(right) / f64::from(asked.max(1)))
            .with("rules", rules)
            .with("error", error / rules)
            .with("columns_named", named as f64 / rules);
        Ok(Step { evaluated: SHOWN, score: None, values, stop: None })
    }

    fn state(&self) -> &State<C> {
        &self.system.state
    }

    fn restore(&mut self, state: State<C>) -> Result<(), XcsError> {
        let (columns, classes) =
            (self.encoded.examples.domains().len(), self.encoded.schema.classes.len());
        let hooks = System::<C>::hooks(&self.params.life, self.system.classes);
        let misfit = state.population.misfit(columns, classes);
        if let Some(misfit) = misfit {
            return Err(XcsError::Checkpoint(misfit));
        }
        if state.population.rules.len() > hooks || state.time > state.shown {
            return Err(XcsError::Checkpoint("the population is larger than it may be"));
        }
        if state.population.rules.iter().any(|rule| rule.stamp > state.time) {
            return Err(XcsError::Checkpoint("a rule comes from the future"));
        }
        self.system.restore(state);
        self.go_on();
        Ok(())
    }
}
