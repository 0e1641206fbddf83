//! Readers of models, checkpoints, and models that training continues from.
//!
//! Every learner and every mode has samples. A model is opened, printed, exported and applied. A
//! checkpoint is resumed until its run finishes.

use crate::readers::{ReadOutcome, Reader, file_reader, outcome_of};
use crate::{examples, samples};
use pellucid::device::Machine;
use pellucid::learn::checkpoint::Cadence;
use pellucid::learn::learner::{DataKind, ExplanationRequest, ExportOptions, Inner};
use pellucid::learn::model::StoredModel;
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::registry::{AnyLearner, AnyModel, Data, Error, Registry, Settings};
use std::borrow::Cow;
use std::path::Path;

/// Returns settings that train XCS on small tables in milliseconds.
fn short_xcs() -> Settings {
    Settings::new().with("iterations", 2000).with("population", 60)
}

fn few_generations() -> Settings {
    Settings::new().with("generations", 2).with("population", 4).with("rounds", 2).with("nodes", 3)
}

fn paper_network() -> Settings {
    Settings::new().with("mode", "paper").with("generations", 3).with("population", 6)
}

fn evolution(mode: &str) -> Settings {
    Settings::new().with("mode", mode).with("population", 20).with("generations", 3)
}

fn rule_list() -> Settings {
    Settings::new().with("mode", "list")
}

fn rewarded() -> Settings {
    short_xcs().with("mode", "reward")
}

fn method(name: &str, hypotheses: u64) -> Settings {
    Settings::new().with("method", name).with("max_hypotheses", hypotheses)
}

/// Returns readers of models, one per learner.
pub(crate) fn models(machine: &Machine) -> Vec<Reader> {
    let learners = Registry::standard();
    let learned = |learner, data: &Data, settings| {
        let learner = learners.find(learner).expect("a learner");
        samples::model(learner, data, &settings, machine)
    };
    let (switches, mixed, amounts) = (examples::switches(), examples::mixed(), examples::amounts());
    let mut rules = samples::files(&[
        "tests/compat/rules-calibrated-0.1.0.json",
        "tests/compat/rules-default-0.1.0.json",
        "tests/compat/rules-g3p-mi-0.1.0.json",
        "tests/compat/rules-pareto-0.1.0.json",
        "tests/compat/rules-reading-0.1.0.json",
        "tests/compat/rules-votes-0.1.0.json",
    ]);
    rules.push(learned("rules", &mixed, Settings::new()));
    rules.push(learned("rules", &mixed, rule_list()));
    rules.push(learned("rules", &amounts, Settings::new()));
    let mut classifiers = samples::files(&["tests/compat/xcs-0.1.0.json"]);
    classifiers.push(learned("xcs", &switches, short_xcs().with("keep_population", true)));
    classifiers.push(learned("xcs", &mixed, short_xcs().with("keep_all", true)));
    classifiers.push(learned("xcs", &mixed, rewarded()));
    classifiers.push(learned("xcs", &amounts, short_xcs().with("keep_population", true)));
    let mut networks = samples::files(&[
        "tests/compat/network-default-0.1.0.json",
        "tests/compat/network-paper-0.1.0.json",
    ]);
    networks.push(learned("network", &switches, few_generations()));
    networks.push(learned("network", &switches, paper_network()));
    let mut logic = samples::files(&["tests/compat/logic-0.1.0.json"]);
    logic.push(learned("logic", &examples::uncles(), Settings::new()));
    let tables = || vec![examples::switches(), examples::mixed(), examples::amounts()];
    let model = |name: Cow<'static, str>, turns, samples, data: Vec<Data>| {
        let machine = machine.clone();
        let read = move |bytes: &[u8]| {
            outcome_of(open_model(bytes), |model| use_model(&*model, &data, &machine))
        };
        Reader::new(name, turns, samples, read)
    };
    let with_trains = [vec![examples::trains()], tables()].concat();
    let mut readers = vec![
        model("model-rules".into(), 5, rules, with_trains),
        model("model-logic".into(), 3, logic, vec![examples::uncles()]),
        model("model-xcs".into(), 4, classifiers, tables()),
        model("model-network".into(), 4, networks, tables()),
    ];
    // Any other learner of the registry, with its defaults.
    for learner in learners.iter() {
        let (name, data) = (format!("model-{}", learner.name()), data_for(learner));
        if !readers.iter().any(|reader| reader.name == name) {
            let sample = samples::model(learner, &data, &Settings::new(), machine);
            readers.push(model(name.into(), 3, vec![sample], vec![data]));
        }
    }
    readers
}

/// Returns a small data set that a learner can use.
fn data_for(learner: &dyn AnyLearner) -> Data {
    match learner.kind() {
        DataKind::Table => examples::switches(),
        DataKind::Ontology => examples::uncles(),
    }
}

fn open_model(bytes: &[u8]) -> Result<Box<dyn AnyModel>, Error> {
    let stored = StoredModel::parse(Path::new("m.json"), bytes.to_vec())?;
    Registry::standard().find(stored.learner())?.open(&stored)
}

/// Prints, exports and applies a model.
fn use_model(model: &dyn AnyModel, data: &[Data], machine: &Machine) {
    drop(model.text());
    let learners = Registry::standard();
    let learner = learners.find(model.learner()).expect("the learner that opened the model");
    for name in learner.forms().iter().map(|form| form.name).chain(["json"]) {
        drop(model.write(name, &ExportOptions::default()));
    }
    for data in data {
        let Ok(applied) = model.apply(data, machine) else { continue };
        let _ = (applied.predicted(), applied.scores());
        for example in 0..applied.len() {
            drop(applied.explain(example, &ExplanationRequest::default()));
        }
    }
}

/// Returns readers of checkpoints, one per mode of each learner.
pub(crate) fn checkpoints(folder: &Path, machine: &Machine) -> Vec<Reader> {
    let form = |name: &str, learner: &'static str, settings: Settings, data: Data| {
        let (machine, path) = (machine.clone(), folder.join(name));
        let learners = Registry::standard();
        let known = learners.find(learner).expect("a learner");
        let sample = samples::checkpoint(known, &data, &settings, &machine, &path);
        let read = file_reader(path, move |path| {
            let control = Control::new();
            let driver = Driver::new(&control).checkpoint(path, Cadence::default()).resume(true);
            fit(learner, &data, &settings, &machine, &driver)
        });
        Reader::new(name.to_owned(), 1, vec![sample], read).sealed(samples::seal_checkpoint)
    };
    let mut readers = vec![
        form("checkpoint-g3p-mi", "rules", evolution("g3p-mi"), examples::trains()),
        form("checkpoint-pareto", "rules", evolution("pareto"), examples::trains()),
        form("checkpoint-default", "rules", Settings::new(), examples::trains()),
        form("checkpoint-default-classes", "rules", Settings::new(), examples::mixed()),
        form("checkpoint-default-number", "rules", Settings::new(), examples::amounts()),
        form("checkpoint-list", "rules", rule_list(), examples::mixed()),
        form("checkpoint-evolve", "logic", method("evolve", 600), examples::uncles()),
        form("checkpoint-refine", "logic", method("refine", 300), examples::uncles()),
        form("checkpoint-xcs", "xcs", short_xcs(), examples::switches()),
        form("checkpoint-xcs-intervals", "xcs", short_xcs(), examples::mixed()),
        form("checkpoint-xcs-reward", "xcs", rewarded(), examples::mixed()),
        form("checkpoint-network", "network", few_generations(), examples::switches()),
        form("checkpoint-network-paper", "network", paper_network(), examples::switches()),
    ];
    // Any other learner of the registry, with its defaults.
    let has_own = |name: &str| ["rules", "logic", "xcs", "network"].contains(&name);
    for learner in Registry::standard().iter().filter(|learner| !has_own(learner.name())) {
        let name = format!("checkpoint-{}", learner.name());
        readers.push(form(&name, learner.name(), Settings::new(), data_for(learner)));
    }
    readers
}

/// Returns the reader of models that training continues from, which only XCS supports.
pub(crate) fn continued(machine: &Machine) -> Reader {
    let learners = Registry::standard();
    let xcs = learners.find("xcs").expect("a learner");
    let kept = || short_xcs().with("keep_population", true);
    let sample = |data: &Data| samples::model(xcs, data, &kept(), machine);
    let samples = vec![sample(&examples::mixed()), sample(&examples::switches())];
    let (machine, data) = (machine.clone(), [examples::mixed(), examples::switches()]);
    Reader::new("continue-xcs", 2, samples, move |bytes| {
        let Ok(stored) = StoredModel::parse(Path::new("m.json"), bytes.to_vec()) else {
            return ReadOutcome::Rejected;
        };
        let driver = Driver::new(&Control::new()).earlier(stored);
        let results = data.each_ref().map(|data| fit("xcs", data, &kept(), &machine, &driver));
        if results.contains(&ReadOutcome::Accepted) {
            ReadOutcome::Accepted
        } else {
            ReadOutcome::Rejected
        }
    })
}

/// Trains with a driver that starts from a file.
fn fit(
    learner: &str,
    data: &Data,
    settings: &Settings,
    machine: &Machine,
    driver: &Driver,
) -> ReadOutcome {
    let learners = Registry::standard();
    let known = learners.find(learner).expect("a learner");
    let alone = Inner { folds: 0, ..Inner::default() };
    outcome_of(known.fit(data, settings, alone, machine, driver, &mut Silent), drop)
}
