//! Learning from a table.

use crate::conditions::{Conditions, fold};
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::model::XcsModel;
use crate::order::Order;
use crate::params::{Mode, Params};
use crate::population::Classifier;
use crate::profile::PhaseClock;
use crate::system::{MatchInput, State, System};
use pellucid_bits::Level;
use pellucid_device::{DeviceKind, Machine};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Figures, Plan, Step, Stepper};
use pellucid_learn::sizes::Size;
use pellucid_matching::{Matching, Test, Way};
use std::sync::Arc;
use std::time::Duration;

/// The number of examples shown in a step of a run.
pub(crate) const EXAMPLES_PER_STEP: u64 = 1000;

/// A run that shows the rows of a table again and again, each time in a different order.
pub(crate) struct TableRun<'a, C: Conditions> {
    encoded: &'a Encoded,
    params: &'a Params,
    system: System<C>,
    iterations: u64,
    order: Order,
    /// The rows of the current round.
    rows: Vec<u32>,
    /// The number of the current round.
    round: u64,
    /// A digest of the population of an earlier model; part of the identity of a run.
    earlier_digest: u64,
}

impl<'a, C: Conditions> TableRun<'a, C> {
    pub(crate) fn new(
        encoded: &'a Encoded,
        params: &'a Params,
        conditions: C,
        level: Level,
    ) -> Self {
        let classes = pellucid_bits::as_u32(encoded.schema.outputs());
        let capacity = System::<C>::capacity(&params.life, classes);
        let matcher = Matching::over(level, &encoded.examples, capacity);
        let stream = Streams::new(params.seed).stream(&["life".into()]);
        let system = System::new(conditions, params.life.clone(), classes, stream, matcher);
        let iterations = iterations(params, encoded);
        let order = Order::new(params.seed, encoded.examples.rows(), encoded.weights.as_deref());
        let (rows, round) = (Vec::new(), u64::MAX);
        let mut run =
            TableRun { encoded, params, system, iterations, order, rows, round, earlier_digest: 0 };
        run.draw_order(0);
        run
    }

    /// Starts from the population of an earlier model.
    pub(crate) fn start_from(&mut self, model: &XcsModel) -> Result<(), XcsError> {
        crate::warm_start::insert_classifiers(self, self.encoded, model)?;
        let rules = &self.system.state.population.rules;
        self.earlier_digest = rules.iter().fold(1, |digest, rule| {
            let estimates = u64::from(rule.fitness.to_bits()) << 32 | u64::from(rule.experience);
            fold(fold(digest, rule.digest), fold(estimates, u64::from(rule.copies)))
        });
        Ok(())
    }

    /// Adds a rule.
    pub(crate) fn add(&mut self, tests: &[Test], rule: Classifier) -> u32 {
        // The matcher has no slots beyond the maximum population.
        self.system.delete_excess();
        self.system.insert_tests(tests, rule)
    }

    /// Increases the numerosity of a rule.
    pub(crate) fn add_copies(&mut self, slot: u32, copies: u32) {
        if self.system.rule(slot).copies > 0 {
            self.system.state.population.copy(slot as usize, copies, &self.params.life);
        }
    }

    /// Deletes excess rules.
    pub(crate) fn delete_excess(&mut self) {
        self.system.delete_excess();
    }

    /// Starts to measure the time of each phase.
    pub(crate) fn clock(&mut self) {
        self.system.clock = Some(Box::new(PhaseClock::new()));
    }

    /// Returns the current matching method.
    pub(crate) fn way(&self) -> Way {
        self.system.matcher.way()
    }

    /// Uses another matcher; there must be no rules yet.
    #[cfg(test)]
    pub(crate) fn match_by(&mut self, matcher: Matching) {
        self.system.matcher = matcher;
        self.go_on();
    }

    /// Uses the GPUs of a machine for matching, if there are any; there must be no rules yet.
    pub(crate) fn match_on(&mut self, machine: &Machine) {
        if machine.devices.iter().any(|device| device.kind() == DeviceKind::Gpu) {
            let capacity = System::<C>::capacity(&self.params.life, self.system.classes);
            self.system.matcher = Matching::on(machine, &self.encoded.examples, capacity);
            self.go_on();
        }
    }

    /// Returns the classifier system.
    pub(crate) fn system(&self) -> &System<C> {
        &self.system
    }

    /// Returns the classifier system, to replace its state; call [`TableRun::go_on`] afterwards.
    pub(crate) fn system_mut(&mut self) -> &mut System<C> {
        &mut self.system
    }

    /// Continues from the current state of the system.
    pub(crate) fn go_on(&mut self) {
        self.system.matcher.forget_order();
        self.round = u64::MAX;
        self.draw_order(self.system.state.shown);
    }

    /// Returns the training data.
    pub(crate) fn encoded(&self) -> &'a Encoded {
        self.encoded
    }

    pub(crate) fn params(&self) -> &'a Params {
        self.params
    }

    /// Returns the order of the rows.
    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Returns the total number of examples at the end of the run.
    pub(crate) fn end(&self) -> u64 {
        self.iterations.div_ceil(EXAMPLES_PER_STEP) * EXAMPLES_PER_STEP
    }

    /// Returns the tests of a rule.
    pub(crate) fn tests(&self, slot: usize) -> Vec<Test> {
        let conditions = &self.system.state.population.conditions;
        let (mut one, mut room) = (C::Condition::default(), Vec::new());
        conditions.load(slot, &mut one);
        conditions.tests(&one, &mut room).to_vec()
    }

    /// Draws the order of a round, and announces the next rows to the matcher. The order depends
    /// only on the seed and the number of the round.
    fn draw_order(&mut self, shown: u64) {
        let rows = self.encoded.examples.rows() as u64;
        let (round, place) = (shown / rows, shown % rows);
        if round != self.round {
            self.round = round;
            self.order.round(round, &mut self.rows);
            self.system.matcher.foresee(&self.rows[usize::try_from(place).unwrap_or(0)..]);
        }
    }

    /// Returns the number of examples after which crossover and mutation are off.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of u64")]
    fn breeds_until(&self) -> u64 {
        match self.params.condensation {
            0.0 => u64::MAX,
            share => (self.iterations as f64 * (1.0 - share)) as u64,
        }
    }

    /// Shows the next example. Returns how well the rules predicted it before, if they were asked: 1 for the
    /// right class and 0 for another one, or the absolute error of a number.
    pub(crate) fn show(&mut self) -> Option<f64> {
        let (shown, rows) = (self.system.state.shown, self.encoded.examples.rows() as u64);
        self.draw_order(shown);
        let row = self.rows[usize::try_from(shown % rows).unwrap_or(0)] as usize;
        let (examples, class) = (Arc::clone(&self.encoded.examples), self.encoded.classes[row]);
        let input = MatchInput::Row(row, examples.row(row));
        self.system.state.shown += 1;
        self.system.is_condensing = shown >= self.breeds_until();
        let is_right = |predicted: Option<u32>| f64::from(u8::from(predicted == Some(class)));
        if let Some(numbers) = &self.encoded.numbers {
            // The largest reward stands for one standard deviation.
            let (unit, actual) = (self.params.life.reward, numbers.scaled[row]);
            let predicted = self.system.learn_number(input, unit * actual)?;
            return Some(numbers.scale.spread * (actual - predicted / unit).abs());
        }
        match self.params.mode {
            Mode::Supervised => Some(is_right(self.system.learn_example(input, class))),
            Mode::Reward => {
                self.system.match_all_actions(input);
                let explores = self.system.state.stream.chance(self.params.life.exploration);
                if !explores {
                    let predictions = self.system.predictions();
                    return Some(is_right(Some(self.system.best_action(&predictions))));
                }
                let action = self.system.random_action();
                self.system.state.time += 1;
                self.system.take_action(action);
                let reward = if action == class { self.params.life.reward } else { 0.0 };
                self.system.reinforce(reward, input.codes(), true);
                None
            }
        }
    }
}

/// Returns the number of examples to show.
pub(crate) fn iterations(params: &Params, encoded: &Encoded) -> u64 {
    let rows = encoded.examples.rows() as u64;
    params.iterations.unwrap_or_else(|| match encoded.numbers {
        None => (rows * 100).clamp(50_000, 500_000),
        Some(_) => (rows * 20).clamp(20_000, 100_000),
    })
}

impl<C: Conditions> Stepper for TableRun<'_, C> {
    type State = State<C>;
    type Error = XcsError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(self.params).unwrap_or_default();
        // The length of a run and the selection of the model may differ between a run and its
        // continuation.
        let same = Params {
            // With condensation the number of examples affects the population.
            iterations: self.params.iterations.filter(|_| self.params.condensation > 0.0),
            keep_all: false,
            keep_population: false,
            most_rules: None,
            size: Size::default(),
            rules: None,
            ..self.params.clone()
        };
        let chosen = serde_json::to_vec(&same).unwrap_or_default();
        let print = self.encoded.fingerprint().with(chosen).with_number(self.earlier_digest);
        Plan::new(crate::model::LEARNER, params, print)
            .steps(self.iterations.div_ceil(EXAMPLES_PER_STEP))
            .counts("examples shown")
    }

    fn step(&mut self) -> Result<Step, XcsError> {
        let (mut asked, mut sum) = (0_u32, 0.0);
        for _ in 0..EXAMPLES_PER_STEP {
            if let Some(quality) = self.show() {
                asked += 1;
                sum += quality;
            }
        }
        let population = &self.system.state.population;
        let rules = population.distinct().max(1) as f64;
        let scale = self.encoded.numbers.as_ref().map(|numbers| numbers.scale);
        let error = match self.params.mode {
            Mode::Supervised if scale.is_none() => {
                population.slots().map(|slot| 1.0 - population.rules[slot].accuracy()).sum()
            }
            _ => {
                let errors = population.slots().map(|slot| f64::from(population.rules[slot].error));
                let unit = scale.map_or(1.0, |scale| scale.spread);
                unit * errors.sum::<f64>() / self.params.life.reward
            }
        };
        let named: usize =
            population.slots().map(|slot| population.conditions.specificity(slot)).sum();
        let values = Figures::new()
            .with(if scale.is_some() { "mae" } else { "accuracy" }, sum / f64::from(asked.max(1)))
            .with("rules", rules)
            .with("copies", population.copies() as f64)
            .with("error", error / rules)
            .with("columns_named", named as f64 / rules);
        Ok(Step { evaluated: EXAMPLES_PER_STEP, score: None, values, stop: None })
    }

    fn remark(&mut self) -> Option<String> {
        let (way, tried) = self.system.matcher.chosen()?;
        let cost = |(way, time): &(Way, Duration)| {
            format!("{} {:.2}", way.name(), 1e6 * time.as_secs_f64())
        };
        let tried: Vec<String> = tried.iter().map(cost).collect();
        let shown = self.system.state.shown;
        Some(format!(
            "after {shown} examples: matching method '{}' selected; microseconds per example: {}",
            way.name(),
            tried.join(", ")
        ))
    }

    fn state(&self) -> &State<C> {
        &self.system.state
    }

    fn restore(&mut self, state: State<C>) -> Result<(), XcsError> {
        let (columns, classes) =
            (self.encoded.examples.domains().len(), self.encoded.schema.outputs());
        let capacity = System::<C>::capacity(&self.params.life, self.system.classes);
        let find_problem = state.population.find_problem(columns, classes);
        if let Some(find_problem) = find_problem {
            return Err(XcsError::Checkpoint(find_problem));
        }
        if state.shown > 1 << 60 {
            return Err(XcsError::Checkpoint("the number of examples is too large"));
        }
        let most = u64::from(crate::model::MOST_COPIES);
        let is_large = state.population.rules.len() > capacity || state.population.copies() > most;
        if is_large || state.time > state.shown {
            return Err(XcsError::Checkpoint("the population is too large"));
        }
        if state.population.rules.iter().any(|rule| rule.stamp > state.time) {
            return Err(XcsError::Checkpoint("a rule has a time stamp in the future"));
        }
        self.system.restore(state);
        self.go_on();
        Ok(())
    }
}
