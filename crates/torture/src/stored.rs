//! What learners write and read again: models, checkpoints, and models that learning continues from.
//!
//! Every learner and every mode has samples here. A model is opened, printed, exported and applied; a checkpoint is resumed
//! to the end of its run.

use crate::readers::{Outcome, Reader, answered, file_reader};
use crate::{examples, sound};
use pellucid::device::Machine;
use pellucid::learn::checkpoint::Cadence;
use pellucid::learn::learner::{ExportOptions, Inner};
use pellucid::learn::model::StoredModel;
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::registry::{AnyModel, Data, Error, Registry, Settings};
use std::path::Path;

/// Settings with which classifiers of the small tables are learned in milliseconds.
fn short_life() -> Settings {
    Settings::new().with("iterations", 2000).with("population", 60)
}

fn few_generations() -> Settings {
    Settings::new().with("generations", 2).with("population", 4).with("rounds", 2).with("nodes", 3)
}

fn paper_network() -> Settings {
    Settings::new().with("mode", "paper").with("generations", 3).with("population", 6)
}

fn breeding(mode: &str) -> Settings {
    Settings::new().with("mode", mode).with("population", 20).with("generations", 3)
}

fn rule_list() -> Settings {
    Settings::new().with("mode", "list")
}

fn rewarded() -> Settings {
    short_life().with("mode", "reward")
}

fn method(name: &str, hypotheses: u64) -> Settings {
    Settings::new().with("method", name).with("max_hypotheses", hypotheses)
}

/// Readers of models, one for each learner.
pub(crate) fn models(machine: &Machine) -> Vec<Reader> {
    let learners = Registry::standard();
    let learned = |learner, data: &Data, settings| {
        let learner = learners.find(learner).expect("a learner");
        sound::model(learner, data, &settings, machine)
    };
    let (switches, mixed, amounts) = (examples::switches(), examples::mixed(), examples::amounts());
    let mut rules = sound::files(&[
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
    let mut classifiers = sound::files(&["tests/compat/xcs-0.1.0.json"]);
    classifiers.push(learned("xcs", &switches, short_life().with("keep_population", true)));
    classifiers.push(learned("xcs", &mixed, short_life().with("keep_all", true)));
    classifiers.push(learned("xcs", &mixed, rewarded()));
    let mut networks = sound::files(&[
        "tests/compat/network-default-0.1.0.json",
        "tests/compat/network-paper-0.1.0.json",
    ]);
    networks.push(learned("network", &switches, few_generations()));
    networks.push(learned("network", &switches, paper_network()));
    let mut logic = sound::files(&["tests/compat/logic-0.1.0.json"]);
    logic.push(learned("logic", &examples::uncles(), Settings::new()));
    let tables = || vec![examples::switches(), examples::mixed(), examples::amounts()];
    let model = |name, turns, samples, data: Vec<Data>| {
        let machine = machine.clone();
        let read = move |bytes: &[u8]| {
            answered(opened(bytes), |model| use_model(&*model, &data, &machine))
        };
        Reader::new(name, turns, samples, read)
    };
    vec![
        model(
            "model-rules",
            5,
            rules,
            [vec![examples::trains()], tables()].into_iter().flatten().collect(),
        ),
        model("model-logic", 3, logic, vec![examples::uncles()]),
        model("model-xcs", 4, classifiers, tables()),
        model("model-network", 4, networks, tables()),
    ]
}

fn opened(bytes: &[u8]) -> Result<Box<dyn AnyModel>, Error> {
    let stored = StoredModel::parse(Path::new("m.json"), bytes.to_vec())?;
    Registry::standard().find(stored.learner())?.open(&stored)
}

/// Does everything that can be done with a model.
fn use_model(model: &dyn AnyModel, data: &[Data], machine: &Machine) {
    drop(model.text());
    let learners = Registry::standard();
    let learner = learners.find(model.learner()).expect("the learner that opened the model");
    for name in learner.forms().iter().map(|form| form.name).chain(["json"]) {
        drop(model.write(name, &ExportOptions::default()));
    }
    for data in data {
        let Ok(applied) = model.apply(data, machine) else { continue };
        for example in 0..applied.len() {
            let _ = applied.predicted(example);
            drop((applied.votes(example), applied.explain(example)));
        }
    }
}

/// Readers of checkpoints, one for each mode of each learner.
pub(crate) fn checkpoints(folder: &Path, machine: &Machine) -> Vec<Reader> {
    let form = |name: &'static str, learner: &'static str, settings: Settings, data: Data| {
        let (machine, path) = (machine.clone(), folder.join(name));
        let learners = Registry::standard();
        let known = learners.find(learner).expect("a learner");
        let sample = sound::checkpoint(known, &data, &settings, &machine, &path);
        let read = file_reader(path, move |path| {
            let control = Control::new();
            let driver = Driver::new(&control).checkpoint(path, Cadence::default()).resume(true);
            fitted(learner, &data, &settings, &machine, &driver)
        });
        Reader::new(name, 1, vec![sample], read).sealed(sound::sealed_checkpoint)
    };
    vec![
        form("checkpoint-g3p-mi", "rules", breeding("g3p-mi"), examples::trains()),
        form("checkpoint-pareto", "rules", breeding("pareto"), examples::trains()),
        form("checkpoint-default", "rules", Settings::new(), examples::trains()),
        form("checkpoint-default-classes", "rules", Settings::new(), examples::mixed()),
        form("checkpoint-default-number", "rules", Settings::new(), examples::amounts()),
        form("checkpoint-list", "rules", rule_list(), examples::mixed()),
        form("checkpoint-evolve", "logic", method("evolve", 600), examples::uncles()),
        form("checkpoint-refine", "logic", method("refine", 300), examples::uncles()),
        form("checkpoint-xcs", "xcs", short_life(), examples::switches()),
        form("checkpoint-xcs-intervals", "xcs", short_life(), examples::mixed()),
        form("checkpoint-xcs-reward", "xcs", rewarded(), examples::mixed()),
        form("checkpoint-network", "network", few_generations(), examples::switches()),
        form("checkpoint-network-paper", "network", paper_network(), examples::switches()),
    ]
}

/// The reader of models that learning continues from; of the standard learners only xcs can.
pub(crate) fn continued(machine: &Machine) -> Reader {
    let learners = Registry::standard();
    let xcs = learners.find("xcs").expect("a learner");
    let kept = || short_life().with("keep_population", true);
    let sample = |data: &Data| sound::model(xcs, data, &kept(), machine);
    let samples = vec![sample(&examples::mixed()), sample(&examples::switches())];
    let (machine, data) = (machine.clone(), [examples::mixed(), examples::switches()]);
    Reader::new("continue-xcs", 2, samples, move |bytes| {
        let Ok(stored) = StoredModel::parse(Path::new("m.json"), bytes.to_vec()) else {
            return Outcome::Refused;
        };
        let driver = Driver::new(&Control::new()).earlier(stored);
        let results = data.each_ref().map(|data| fitted("xcs", data, &kept(), &machine, &driver));
        if results.contains(&Outcome::Accepted) { Outcome::Accepted } else { Outcome::Refused }
    })
}

/// Learns with a driver that brings a file to start from.
fn fitted(
    learner: &str,
    data: &Data,
    settings: &Settings,
    machine: &Machine,
    driver: &Driver,
) -> Outcome {
    let learners = Registry::standard();
    let known = learners.find(learner).expect("a learner");
    let alone = Inner { folds: 0, ..Inner::default() };
    answered(known.fit(data, settings, alone, machine, driver, &mut Silent), drop)
}
