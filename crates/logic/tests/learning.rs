//! Real problems whose answers are known.

use pellucid_engine::Machine;
use pellucid_engine::data::Problem;
use pellucid_learn::learner::Fitted;
use pellucid_logic::learn::{Logic, LogicLearner, Method};
use pellucid_logic::{Closure, KnowledgeBase};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The path of a data file, or nothing (and a word about it) where the data folder is absent.
fn data_file(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("PELLUCID_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let found = Some(folder.join("dl").join(name)).filter(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: {name} absent");
    }
    found
}

fn knowledge(name: &str) -> Option<Arc<KnowledgeBase>> {
    let ontology = pellucid_io::read_ontology(&data_file(name)?).expect("an ontology");
    Some(Arc::new(KnowledgeBase::new(ontology, &Closure::default()).expect("consistent enough")))
}

fn problem(name: &str) -> Option<Problem> {
    let problems = pellucid_io::read_problems(&data_file(name)?).expect("a problem");
    problems.into_iter().next()
}

fn machine() -> Machine {
    Machine::processor(NonZeroUsize::new(1)).expect("a processor")
}

fn learner() -> LogicLearner<'static> {
    LogicLearner::new().method(Method::Instant).machine(&machine())
}

fn learn(kb: &Arc<KnowledgeBase>, problem: &Problem) -> Fitted<Logic> {
    learner().fit(kb, problem).expect("a run")
}

#[test]
fn all_family_problems_are_solved() {
    let Some(kb) = knowledge("family-benchmark/family-benchmark_rich_background.owl") else {
        return;
    };
    let names = "Aunt Brother Cousin Daughter Father Granddaughter Grandfather Grandgranddaughter \
        Grandgrandfather Grandgrandmother Grandgrandson Grandmother Grandson Mother \
        PersonWithASibling Sister Son Uncle";
    for name in names.split_whitespace() {
        let Some(problem) = problem(&format!("family-benchmark/{name}.conf")) else { return };
        let learned = learn(&kb, &problem);
        assert_eq!(learned.train().get("f1"), Some(1.0), "{name}");
        let expected = match name {
            "Aunt" => {
                "Female and (married some (hasSibling some Parent) or hasSibling some Parent)"
            }
            "Uncle" => "Male and (married some (hasSibling some Parent) or hasSibling some Parent)",
            "Cousin" => {
                "married some (hasParent some (hasSibling some Parent)) or hasParent some (hasSibling some Parent)"
            }
            "Grandgrandmother" => "Female and hasChild some Grandparent",
            "Grandgrandson" => "Male and hasParent some Grandchild",
            _ => continue,
        };
        assert_eq!(learned.model.model.answers[0].expression(), expected);
    }
}

#[test]
fn known_definitions_are_found() {
    for (ontology, conf, expected) in [
        ("father/father.owl", "father/father_owl.conf", "male and hasChild some owl:Thing"),
        (
            "trains/trains2.owl",
            "trains/trains_owl.conf",
            "hasCar some ClosedCar and hasCar min 2 ShortCar",
        ),
        ("poker/pair50.owl", "poker/pair_owl.conf", "hasCard some (sameRank some owl:Thing)"),
        (
            "poker/straight.owl",
            "poker/straight_owl.conf",
            "not (hasCard some (sameRank some owl:Thing)) and hasCard min 4 (nextRank some owl:Thing)",
        ),
        (
            "moral/moral_43instances.owl",
            "moral/moral_43examples_simple_owl.conf",
            "blameworthy or vicarious_blame",
        ),
        (
            "yinyang/basicFamily.owl",
            "yinyang/GrandParent.conf",
            "hasChild some (hasChild some owl:Thing)",
        ),
    ] {
        let (Some(kb), Some(problem)) = (knowledge(ontology), problem(conf)) else { return };
        let learned = learn(&kb, &problem);
        assert_eq!(learned.model.model.answers[0].expression(), expected, "{conf}");
        assert_eq!(learned.train().get("accuracy"), Some(1.0), "{conf}");
    }
}

#[test]
fn answers_hold_for_relatives_that_were_held_out() {
    let Some(kb) = knowledge("family-benchmark/family-benchmark_rich_background.owl") else {
        return;
    };
    let Some(problem) = problem("family-benchmark/Uncle.conf") else { return };
    let judged = learner().cross_validate(&kb, &problem, 10, 1).expect("all folds");
    assert_eq!(judged.scores().len(), 10);
    let f1 = judged.metric("f1").expect("every fold has one").mean;
    assert!(f1 > 0.96, "{f1}");
    let trivial = judged.metric("baseline_f1").expect("every fold has one").mean;
    assert!((0.6..0.7).contains(&trivial), "{trivial}");
}

#[test]
fn noise_is_not_learned_by_heart() {
    let files =
        ["mammographic/mammographic.owl.gz", "mammographic/pos.txt", "mammographic/neg.txt"];
    let [Some(_), Some(positive), Some(negative)] = files.map(data_file) else { return };
    let Some(kb) = knowledge(files[0]) else { return };
    let read = |path: &Path| pellucid_io::read_examples(path).expect("a list");
    let problem = Problem {
        name: "mammographic".into(),
        positive: read(&positive),
        negative: read(&negative),
    };
    let learned = learn(&kb, &problem);
    let best = &learned.model.model.answers[0];
    assert!(best.quality > 0.82 && best.length < 20, "{best:?}");
    let longer = learned.model.model.answers.iter().any(|other| other.quality > best.quality);
    assert!(longer, "longer ones are better on the examples they were learned from");
}
