//! A learner that nobody here knows goes the whole way: registered, fitted, cross-validated, saved, opened, asked.

mod majority;

use majority::Majority;
use pellucid::device::Machine;
use pellucid::io::{ReadOptions, read_from};
use pellucid::learn::learner::{ExportOptions, Inner, Judging, Predictions};
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::registry::{Data, Error, Registry, Settings};
use std::num::NonZeroUsize;

fn rows() -> Data {
    let mut csv = "noise,value,ill\n".to_owned();
    for row in 0..40 {
        csv += &format!("{},{},{}\n", row * 7 % 11, row, if row > 24 { "yes" } else { "no" });
    }
    Data::Table(read_from(csv.as_bytes(), "rows.csv", &ReadOptions::default()).expect("a table"))
}

fn one_thread() -> Machine {
    Machine::processor(NonZeroUsize::new(1)).expect("a processor")
}

#[test]
fn it_is_found_by_name_and_its_parameters_show() {
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
    assert_eq!(error.to_string(), "most_examples: found 0, allowed at least 1");
    let error = learner.check(&Settings::new().with("most_exampels", 3)).expect_err("misspelt");
    assert_eq!(
        error.to_string(),
        "most_exampels: there is no such parameter; did you mean 'most_examples'?"
    );
    let error = learners.find("majorty").err().expect("misspelt").to_string();
    assert_eq!(
        error,
        "there is no learner 'majorty', there are: rules, xcs, network, logic, majority; did you mean 'majority'?"
    );
}

#[test]
fn it_is_fitted_saved_opened_and_asked() {
    let (learners, data, machine) = (Registry::standard().with::<Majority>(), rows(), one_thread());
    let learner = learners.find("majority").expect("registered");
    let driver = Driver::new(&Control::new());
    let settings = Settings::new().with("most_examples", "30");
    let learned = learner
        .fit(&data, &settings, Inner::default(), &machine, &driver, &mut Silent)
        .expect("a model");
    assert_eq!(learned.train.get("accuracy"), Some(25.0 / 40.0));
    assert_eq!(learned.to_json("cpu")["stop"], "finished");
    let held_out = learned.held_out.expect("an estimate").summary();
    assert_eq!((held_out.judged, held_out.auc), (40, None), "it has no scores to rank by");
    assert_eq!(held_out.accuracy.map(|figure| figure.estimate.value), Some(25.0 / 40.0));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("majority.json");
    learned.model.save(&path).expect("written");
    let model = learners.open(&path).expect("what was written");
    assert_eq!(model.to_json().expect("text"), learned.model.to_json().expect("text"));
    assert_eq!(model.text(), "always no\n");
    assert_eq!(model.parameters()["most_examples"], 30);
    let applied = model.apply(&data, &machine).expect("its own data");
    assert_eq!((applied.len(), applied.predicted(24), applied.predicted(25)), (40, 0, 0));
    assert_eq!(applied.explain(7).expect("a reason").text, "it is the most common class");
    let predictions = Predictions::new(applied, &model.schema().classes, model.calibration());
    let judged = predictions.decisions().expect("labels").summary();
    assert_eq!(judged.accuracy.map(|figure| figure.estimate.value), Some(25.0 / 40.0));
    let error = model.write("sql", &ExportOptions::default()).expect_err("no such form");
    assert_eq!(error.to_string(), "a model of majority is shown as text or json, not as sql");
    let error = Registry::standard().open(&path).err().expect("nobody knows it");
    assert!(matches!(error, Error::ModelOf { .. }), "{error}");
    assert!(
        error.to_string().ends_with("'majority', this version knows: rules, xcs, network, logic"),
        "{error}"
    );
}

#[test]
fn it_is_cross_validated() {
    let (learners, data, machine) = (Registry::standard().with::<Majority>(), rows(), one_thread());
    let learner = learners.find("majority").expect("registered");
    let settings = Settings::new();
    let folds = learner.folds(&data, &settings, 5, 2).expect("enough rows");
    let how = Judging {
        folds: &folds,
        inner: 3,
        control: &Control::new(),
        threads: &machine.threads,
        machine: &|| Machine::processor(NonZeroUsize::new(1)),
        told: &|score| assert_eq!(score.values.get("train_f1"), Some(0.0)),
    };
    let result = learner.cross_validate(&data, &settings, &how).expect("all folds");
    assert_eq!(result.scores().len(), 10);
    // It is the trivial baseline.
    assert_eq!(result.metric("accuracy").map(|spread| spread.mean), result.baseline());
    let summary = result.summary().expect("judged");
    assert_eq!((summary.judged, summary.units), (80, 40), "twice each");
}

#[test]
fn data_of_another_kind_is_refused() {
    let learners = Registry::standard();
    let logic = learners.find("logic").expect("registered");
    let error = logic.folds(&rows(), &Settings::new(), 2, 1).expect_err("a table");
    assert_eq!(error.to_string(), "logic takes individuals of an ontology, found a table");
}
