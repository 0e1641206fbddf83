//! A learner from outside the workspace is registered, trained, cross-validated, saved, opened and
//! applied.

mod majority;

use majority::Majority;
use pellucid::device::Machine;
use pellucid::io::{ReadOptions, read_from};
use pellucid::learn::learner::{
    CrossValidationSetup, ExplanationRequest, ExportOptions, Inner, NoEstimate, Predicted,
    Predictions,
};
use pellucid::learn::run::{Clock, Control, Driver, Silent};
use pellucid::registry::{Data, Error, Registry, Settings};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn rows() -> Data {
    let mut csv = "noise,value,ill\n".to_owned();
    for row in 0..40 {
        csv += &format!("{},{},{}\n", row * 7 % 11, row, if row > 24 { "yes" } else { "no" });
    }
    Data::Table(read_from(csv.as_bytes(), "rows.csv", &ReadOptions::default()).expect("a table"))
}

fn one_thread() -> Machine {
    Machine::processor(NonZeroUsize::new(1)).expect("a CPU")
}

#[test]
fn the_learner_is_found_by_name_and_has_parameters() {
    let learners = Registry::standard().with::<Majority>();
    let names: Vec<&str> = learners.iter().map(|learner| learner.name()).collect();
    assert_eq!(names, ["rules", "xcs", "network", "logic", "majority"]);
    let learner = learners.find("majority").expect("registered");
    let parameters = learner.parameters();
    assert_eq!(parameters.len(), 1);
    let only = &parameters[0];
    assert_eq!(only.name, "most_examples");
    assert_eq!((only.default_text.as_str(), only.allowed.as_deref()), ("all", Some("at least 1")));
    let error = learner.check(&Settings::new().with("most_examples", 0)).expect_err("too few");
    assert_eq!(error.to_string(), "most_examples: found 0; expected a number of at least 1");
    let error = learner.check(&Settings::new().with("most_exampels", 3)).expect_err("misspelt");
    assert_eq!(
        error.to_string(),
        "most_exampels: unknown parameter; did you mean 'most_examples'?"
    );
    let error = learners.find("majorty").err().expect("misspelt").to_string();
    assert_eq!(
        error,
        "unknown learner 'majorty'; expected one of rules, xcs, network, logic, majority; \
         did you mean 'majority'?"
    );
}

#[test]
fn the_learner_is_trained_saved_opened_and_applied() {
    let (learners, data, machine) = (Registry::standard().with::<Majority>(), rows(), one_thread());
    let learner = learners.find("majority").expect("registered");
    let driver = Driver::new(&Control::new());
    let settings = Settings::new().with("most_examples", "30");
    let learned = learner
        .fit(&data, &settings, Inner::default(), &machine, &driver, &mut Silent)
        .expect("a model");
    assert_eq!(learned.train.get("accuracy"), Some(25.0 / 40.0));
    assert_eq!(learned.to_json("cpu")["stop"], "finished");
    let held_out = learned.held_out.expect("an estimate");
    let held_out = held_out.summary();
    assert_eq!((held_out.evaluated, held_out.auc), (40, None), "it has no scores to rank by");
    assert_eq!(held_out.accuracy.map(|figure| figure.estimate.value), Some(25.0 / 40.0));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("majority.json");
    learned.model.save(&path).expect("written");
    let model = learners.open(&path).expect("what was written");
    assert_eq!(model.to_json().expect("text"), learned.model.to_json().expect("text"));
    assert_eq!(model.text(), "always no\n\nThis model never predicts 'yes'.\n");
    assert_eq!(model.parameters()["most_examples"], 30);
    let applied = model.apply(&data, &machine).expect("its own data");
    assert_eq!(applied.predicted(), Predicted::Classes(&[0; 40]));
    let reason = applied.explain(7, &ExplanationRequest::default()).expect("a reason");
    assert_eq!(reason.text, "it is the most common class");
    let predictions = Predictions::new(applied, &model.schema().classes, model.calibration());
    let summary = predictions.decisions().expect("labels").summary();
    assert_eq!(summary.accuracy.map(|figure| figure.estimate.value), Some(25.0 / 40.0));
    let error = model.write("sql", &ExportOptions::default()).expect_err("no such form");
    assert_eq!(
        error.to_string(),
        "unknown form 'sql'; a model of majority can be written as text or json"
    );
    let error = Registry::standard().open(&path).err().expect("an unknown learner");
    assert!(matches!(error, Error::UnsupportedModel { .. }), "{error}");
    assert!(
        error.to_string().ends_with("'majority'; this version supports rules, xcs, network, logic"),
        "{error}"
    );
}

/// A clock that advances by a minute with every call.
struct FastClock(AtomicU64);

impl Clock for FastClock {
    fn now(&self) -> Duration {
        Duration::from_secs(61 * self.0.fetch_add(1, Ordering::SeqCst))
    }
}

#[test]
fn a_missing_estimate_has_a_reason() {
    let (learners, machine) = (Registry::standard().with::<Majority>(), one_thread());
    let learner = learners.find("majority").expect("registered");
    let fit = |data: &Data, inner: Inner<'_>, control: &Control| {
        let (settings, driver) = (Settings::new(), Driver::new(control));
        let learned = learner.fit(data, &settings, inner, &machine, &driver, &mut Silent);
        learned.expect("a model").held_out.map(|_| ())
    };
    let inner = Inner::default();
    assert_eq!(fit(&rows(), inner, &Control::new()), Ok(()));
    let no_folds = Inner { folds: 0, ..inner };
    assert_eq!(fit(&rows(), no_folds, &Control::new()), Err(NoEstimate::NotAsked));
    let stopped = Control::new();
    stopped.interrupt();
    assert_eq!(fit(&rows(), inner, &stopped), Err(NoEstimate::CutShort));
    let control = Control::new();
    let stop = |_, _| control.interrupt();
    let stops = Inner { on_fold: &stop, ..inner };
    assert_eq!(fit(&rows(), stops, &control), Err(NoEstimate::Stopped));
    let slow = Control::with_clock(Arc::new(FastClock(AtomicU64::new(0))));
    assert_eq!(fit(&rows(), inner, &slow), Err(NoEstimate::TooLong));
    let few = read_from(&b"a,ill\n1,yes\n2,no\n3,no\n"[..], "few.csv", &ReadOptions::default());
    let few = Data::Table(few.expect("a table"));
    assert_eq!(fit(&few, inner, &Control::new()), Err(NoEstimate::TooFew));
}

#[test]
fn the_learner_is_cross_validated() {
    let (learners, data, machine) = (Registry::standard().with::<Majority>(), rows(), one_thread());
    let learner = learners.find("majority").expect("registered");
    let settings = Settings::new();
    let folds = learner.folds(&data, &settings, 5, 2).expect("enough rows");
    let how = CrossValidationSetup {
        folds: &folds,
        inner: 3,
        control: &Control::new(),
        threads: &machine.threads,
        machine: &|| Machine::processor(NonZeroUsize::new(1)),
        on_fold: &|score| assert_eq!(score.values.get("train_f1"), Some(0.0)),
    };
    let result = learner.cross_validate(&data, &settings, &how).expect("all folds");
    assert_eq!(result.scores().len(), 10);
    // The learner is the baseline.
    assert_eq!(result.metric("accuracy").map(|spread| spread.mean), result.baseline());
    let summary = result.summary().expect("a summary");
    assert_eq!((summary.evaluated, summary.units), (80, 40), "twice each");
}

#[test]
fn data_of_another_kind_is_an_error() {
    let learners = Registry::standard();
    let logic = learners.find("logic").expect("registered");
    let error = logic.folds(&rows(), &Settings::new(), 2, 1).expect_err("a table");
    assert_eq!(error.to_string(), "logic needs individuals of an ontology; found a table");
}
