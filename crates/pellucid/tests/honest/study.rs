//! Many small runs of a learner on a problem, with the reported scores and those on new data.

use crate::problems::Truth;
use pellucid::device::Machine;
use pellucid::learn::learner::{Inner, Predictions};
use pellucid::learn::metrics::{Backing, Figure, Summary};
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::registry::{Registry, Settings};
use std::fmt::{self, Display, Formatter};
use std::num::NonZeroUsize;

/// The number of equal ranges in which probabilities are compared with frequencies.
const RANGES: usize = 4;

/// The sums of one score over all runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreement {
    pub(crate) runs: f64,
    /// The number of runs whose interval contains the score on new data.
    pub(crate) covered: f64,
    reported: f64,
    fresh: f64,
    squares: f64,
}

impl Agreement {
    fn add(&mut self, reported: Option<Figure>, fresh: Option<Figure>) {
        let (Some(reported), Some(fresh)) = (reported, fresh) else { return };
        let (reported, fresh) = (reported.estimate, fresh.estimate.value);
        self.runs += 1.0;
        self.covered += f64::from(u8::from(reported.low <= fresh && fresh <= reported.high));
        self.reported += reported.value;
        self.fresh += fresh;
        self.squares += (reported.value - fresh).powi(2);
    }

    /// Returns the mean difference between the reported score and the score on new data, and its
    /// standard error.
    pub(crate) fn excess(&self) -> (f64, f64) {
        let mean = (self.reported - self.fresh) / self.runs;
        let variance = (self.squares / self.runs - mean * mean).max(0.0);
        (mean, (variance / self.runs).sqrt())
    }

    pub(crate) fn coverage(&self) -> f64 {
        self.covered / self.runs
    }
}

impl Display for Agreement {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.runs == 0.0 {
            return write!(out, "{:>34}", "-");
        }
        let (reported, fresh) = (self.reported / self.runs, self.fresh / self.runs);
        write!(out, "{reported:>10.3} {fresh:>10.3} {:>10.1} %", 100.0 * self.coverage())
    }
}

/// All scores of a study.
#[derive(Clone, Debug, Default)]
pub(crate) struct Study {
    pub(crate) accuracy: Agreement,
    pub(crate) auc: Agreement,
    pub(crate) brier: Agreement,
    /// For each range of predicted probabilities: the number of new examples, the sum of their
    /// probabilities, and the number of positive ones.
    pub(crate) ranges: [(f64, f64, f64); RANGES],
}

impl Study {
    /// Trains `runs` models on `examples` examples each.
    pub(crate) fn new(
        learner: &str,
        settings: &Settings,
        truth: Truth,
        examples: usize,
        runs: u32,
    ) -> Study {
        let mut study = Study::default();
        for run in 0..runs {
            study.add(learner, settings, truth, examples, u64::from(run));
        }
        study
    }

    fn add(
        &mut self,
        learner: &str,
        settings: &Settings,
        truth: Truth,
        examples: usize,
        seed: u64,
    ) {
        let (data, new) = match learner {
            "logic" => truth.individuals(seed, examples),
            _ => truth.tables(seed, examples),
        };
        let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
        let registry = Registry::standard();
        let learner = registry.find(learner).expect("registered");
        let driver = Driver::new(&Control::new());
        let settings = settings.clone().with("seed", seed);
        let learned = learner
            .fit(&data, &settings, Inner::default(), &machine, &driver, &mut Silent)
            .expect("a model");
        let held_out = learned.held_out.expect("an estimate");
        let reported = held_out.summary();
        let applied = learned.model.apply(&new, &machine).expect("new rows of the same kind");
        let schema = learned.model.schema();
        let predictions = Predictions::new(applied, &schema.classes, learned.model.calibration());
        let decisions = predictions.decisions().expect("labels");
        let fresh: Summary = decisions.summary();
        self.accuracy.add(reported.accuracy, fresh.accuracy);
        self.auc.add(reported.auc, fresh.auc);
        self.brier.add(reported.brier, fresh.brier);
        for (place, decision) in decisions.list().iter().enumerate() {
            let Backing::Probabilities(shares) = decisions.backing(place) else { continue };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "probabilities are from 0 to 1"
            )]
            let range = ((shares[1] * RANGES as f64) as usize).min(RANGES - 1);
            let (count, sum, happened) = &mut self.ranges[range];
            *count += 1.0;
            *sum += shares[1];
            *happened += f64::from(decision.actual);
        }
    }
}
