//! A complete learner that always predicts the most common class.

use pellucid::device::Machine;
use pellucid::io::Dataset;
use pellucid::learn::fingerprint::Fingerprint;
use pellucid::learn::learner::{
    Actuals, Applied, BoxError, DataKind, Describe, Examples, Explanation, ExplanationRequest, Fit,
    FitResult, ModelOf, Output, Predicted, scores,
};
use pellucid::learn::model::{Model, Schema};
use pellucid::learn::params::Valid;
use pellucid::learn::run::{Driver, Observer, Plan, RunError, Step, Stepper, StopReason};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;

/// The parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Params {
    most: Option<usize>,
}

pellucid::learn::parameters! {
    Params {
        group "Majority" {
            /// Number of examples to count, from the first
            most_examples(Option<usize>: most) within(1..) default_is("all");
        }
    }
}

/// The model: the number of examples of each class.
pub(crate) type Counts = Vec<u64>;

fn largest(counts: &Counts) -> u32 {
    let ranked = (0..).zip(counts).max_by_key(|&(class, count)| (count, std::cmp::Reverse(class)));
    ranked.map_or(0, |(class, _): (u32, _)| class)
}

/// Trains in one step. The driver provides time limits, interrupts and checkpoints.
struct Counting {
    codes: Vec<u32>,
    counts: Counts,
}

impl Stepper for Counting {
    type State = Counts;
    type Error = Infallible;

    fn plan(&self) -> Plan {
        let numbers = self.codes.iter().map(|&code| u64::from(code));
        let print = numbers.fold(Fingerprint::new(), Fingerprint::with_number);
        Plan::new(Majority::NAME, serde_json::Value::Null, print)
    }

    fn step(&mut self) -> Result<Step, Infallible> {
        self.codes.iter().for_each(|&code| self.counts[code as usize] += 1);
        Ok(Step { evaluated: 1, stop: Some(StopReason::Finished), ..Step::default() })
    }

    fn state(&self) -> &Counts {
        &self.counts
    }

    fn restore(&mut self, counts: Counts) -> Result<(), Infallible> {
        self.counts = counts;
        Ok(())
    }
}

/// The same prediction for every example.
struct Always {
    predicted: Vec<u32>,
    actual: Actuals,
}

impl Applied for Always {
    fn predicted(&self) -> Predicted<'_> {
        Predicted::Classes(&self.predicted)
    }

    fn actual(&self) -> &Actuals {
        &self.actual
    }

    fn explain(&self, _: usize, _: &ExplanationRequest<'_>) -> Result<Explanation, BoxError> {
        let text = "it is the most common class".to_owned();
        Ok(Explanation { json: text.clone().into(), text })
    }
}

/// The learner.
pub(crate) struct Majority;

impl Describe for Majority {
    const NAME: &'static str = "majority";
    const ABOUT: &'static str = "The most common class";
    const KIND: DataKind = DataKind::Table;
    const OUTPUT: Output = Output::CLASSES;

    type Params = Params;
    type Data = Dataset;
    type Body = Counts;
    type Error = Infallible;

    fn text(model: &ModelOf<Self>) -> String {
        format!("always {}\n", model.schema.classes[largest(model) as usize])
    }
}

impl Fit for Majority {
    fn fit(
        data: &Dataset,
        params: Valid<Params>,
        _: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<FitResult<Params, Counts>, RunError<Infallible>> {
        let (classes, mut codes) = (Examples::classes(data), data.codes());
        codes.truncate(params.most.unwrap_or(usize::MAX));
        let mut counting = Counting { codes, counts: vec![0; classes.len()] };
        let run = driver.run(&mut counting, observer)?;
        let (schema, params) = (Schema { classes, ..Schema::default() }, params.into_inner());
        let model = Model::new(Self::NAME, params, schema, counting.counts);
        let always = vec![largest(&model); data.examples()];
        let train = scores(&data.codes(), &always, model.schema.classes.len());
        Ok(FitResult { model, run, train, out_of_fold: None, notes: Vec::new() })
    }

    fn apply(
        model: &ModelOf<Self>,
        data: &Dataset,
        _: &Machine,
    ) -> Result<Box<dyn Applied>, Infallible> {
        let predicted = vec![largest(model); data.examples()];
        let actual = Actuals::of_table(data, &model.schema.classes);
        Ok(Box::new(Always { predicted, actual }))
    }
}
