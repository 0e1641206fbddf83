//! Learning problems with known solutions: those of this repository, and external ones.

use pellucid_data::Problem;
use pellucid_device::Machine;
use pellucid_learn::learner::FittedModel;
use pellucid_logic::learn::{Logic, LogicLearner, Method};
use pellucid_logic::{Closure, KnowledgeBase};
use pellucid_testdata::{file_in, ours};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

/// Returns a knowledge base: one of this repository by its whole path, an external one by its path
/// among the ontologies.
fn knowledge(name: &str) -> Option<Arc<KnowledgeBase>> {
    let ontology = pellucid_io::read_ontology(&file_in("dl", name)?).expect("an ontology");
    Some(Arc::new(KnowledgeBase::new(ontology, &Closure::default()).expect("consistent enough")))
}

/// The first problem of a file.
fn problem(name: &str) -> Option<Problem> {
    let problems = pellucid_io::read_problems(&file_in("dl", name)?).expect("a problem");
    problems.into_iter().next()
}

fn machine() -> Machine {
    Machine::processor(NonZeroUsize::new(1)).expect("a CPU")
}

fn learner() -> LogicLearner<'static> {
    LogicLearner::new().method(Method::Instant).machine(&machine())
}

fn learn(kb: &Arc<KnowledgeBase>, problem: &Problem) -> FittedModel<Logic> {
    learner().fit(kb, problem).expect("a run")
}

/// All problems are solved. If the family is large enough, the solution is the planted definition.
#[test]
fn the_kin_problems_are_solved() {
    let kb = knowledge("tests/data/ontologies/kin.owl").expect("our own");
    let problems = pellucid_io::read_problems(&ours("tests/data/ontologies/kin.json"));
    let mut found = Vec::new();
    for problem in problems.expect("problems") {
        let learned = learn(&kb, &problem);
        assert_eq!(learned.train().get("f1"), Some(1.0), "{}", problem.name);
        found.push((problem.name, learned.model.body.answers[0].expression().to_owned()));
    }
    assert_eq!(found.len(), 8);
    for (name, expected) in [
        ("uncle", "Male and hasSibling some Parent"),
        ("brother", "Male and hasSibling some owl:Thing"),
        ("grandmother", "Female and hasChild some Parent"),
        ("cousin", "hasParent some (hasSibling some Parent)"),
        ("childless", "not Parent"),
        ("tall", "height some xsd:double[>= 1.75]"),
    ] {
        let answer = found.iter().find(|(problem, _)| problem == name).map(|(_, answer)| &**answer);
        assert_eq!(answer, Some(expected), "{name}");
    }
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
                "married some (hasParent some (hasSibling some Parent)) \
                 or hasParent some (hasSibling some Parent)"
            }
            "Grandgrandmother" => "Female and hasChild some Grandparent",
            "Grandgrandson" => "Male and hasParent some Grandchild",
            _ => continue,
        };
        assert_eq!(learned.model.body.answers[0].expression(), expected);
    }
}

#[test]
fn known_definitions_are_found() {
    for (ontology, conf, expected) in [
        (
            "tests/data/ontologies/kin.owl",
            "tests/data/ontologies/uncle.conf",
            "Male and hasSibling some Parent",
        ),
        ("father/father.owl", "father/father_owl.conf", "male and hasChild some owl:Thing"),
        ("trains/trains2.owl", "trains/trains_owl.conf", "hasCar some (ClosedCar and ShortCar)"),
        ("poker/pair50.owl", "poker/pair_owl.conf", "hasCard some (sameRank some owl:Thing)"),
        (
            "poker/straight.owl",
            "poker/straight_owl.conf",
            "hasCard min 4 (nextRank exactly 1 owl:Thing)",
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
        let (Some(kb), Some(problem)) = (knowledge(ontology), problem(conf)) else { continue };
        let learned = learn(&kb, &problem);
        assert_eq!(learned.model.body.answers[0].expression(), expected, "{conf}");
        assert_eq!(learned.train().get("accuracy"), Some(1.0), "{conf}");
    }
}

#[test]
fn solutions_generalize_to_held_out_individuals() {
    let real =
        ["family-benchmark/family-benchmark_rich_background.owl", "family-benchmark/Uncle.conf"];
    let ours = ["tests/data/ontologies/kin.owl", "tests/data/ontologies/uncle.conf"];
    for ([ontology, conf], parts, least, trivial) in
        [(ours, 3, 0.9, 0.3..0.35), (real, 10, 0.96, 0.6..0.7)]
    {
        let (Some(kb), Some(problem)) = (knowledge(ontology), problem(conf)) else { continue };
        let scores = learner().cross_validate(&kb, &problem, parts, 1).expect("all folds");
        assert_eq!(scores.scores().len(), parts, "{conf}");
        let f1 = scores.metric("f1").expect("every fold has one").mean;
        assert!(f1 > least, "{conf}: {f1}");
        let baseline = scores.metric("baseline_f1").expect("every fold has one").mean;
        assert!(trivial.contains(&baseline), "{conf}: {baseline}");
    }
}

#[test]
fn noise_is_not_memorized() {
    let files =
        ["mammographic/mammographic.owl.gz", "mammographic/pos.txt", "mammographic/neg.txt"];
    let [Some(_), Some(positive), Some(negative)] = files.map(|name| file_in("dl", name)) else {
        return;
    };
    let Some(kb) = knowledge(files[0]) else { return };
    let read = |path: &Path| pellucid_io::read_examples(path).expect("a list");
    let problem = Problem {
        name: "mammographic".into(),
        positive: read(&positive),
        negative: read(&negative),
    };
    let learned = learn(&kb, &problem);
    let best = &learned.model.body.answers[0];
    assert!(best.quality > 0.81 && best.length < 20, "{best:?}");
    let scores = learner().cross_validate(&kb, &problem, 5, 1).expect("all folds");
    let held_out = scores.metric("accuracy").expect("every fold has one").mean;
    assert!(best.quality - held_out < 0.03, "training {}, held out {held_out}", best.quality);
}
