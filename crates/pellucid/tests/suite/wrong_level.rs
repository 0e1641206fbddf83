//! A wrong value of `PELLUCID_SIMD` is an error of every learner, not a silent default.
//!
//! The variable is read once per process, so every test runs itself again in a process with a wrong
//! value.

use pellucid::bits::Level;
use pellucid::close::Terms;
use pellucid::concepts::{association, enumerate, lattice::Lattice};
use pellucid::data::Relation;
use pellucid::devices::DeviceChoice;
use pellucid::prelude::*;
use pellucid::xcs::environment::{Agent, Multiplexer};
use pellucid::xcs::trial::Trials;
use std::fmt::Display;
use std::process::Command;

const WRONG: &str = "sse9";
const SENTENCE: &str =
    "PELLUCID_SIMD: found 'sse9'; expected one of scalar, portable, avx2, avx512";

/// Expects the sentence in the error of each attempt; `test` is the name of the calling test.
fn expect_the_sentence(test: &str, attempts: &[&dyn Fn() -> Option<String>]) {
    if std::env::var("PELLUCID_SIMD").as_deref() == Ok(WRONG) {
        for attempt in attempts {
            let message = attempt().expect("an error");
            assert!(message.contains(SENTENCE), "{message}");
        }
        return;
    }
    let mut child = Command::new(std::env::current_exe().expect("the path of this test"));
    child.args(["--exact", &format!("wrong_level::{test}")]).env("PELLUCID_SIMD", WRONG);
    let output = child.output().expect("the test starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// Returns the text of an error.
fn message<T, E: Display>(result: Result<T, E>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

fn table() -> Dataset {
    let rows: String = (0..40).map(|row| format!("{row},{}\n", u8::from(row > 20))).collect();
    let csv = format!("x,class\n{rows}");
    io::read_from(csv.as_bytes(), "table.csv", &ReadOptions::default()).expect("a table")
}

fn relation() -> Relation {
    Relation::new(3, [[0, 2].as_slice(), &[1, 2], &[0, 1, 2]]).expect("a relation")
}

#[test]
fn devices_and_threads() {
    expect_the_sentence(
        "devices_and_threads",
        &[
            &|| message(Machine::processor(None)),
            &|| message(Device::processor(None)),
            &|| message(pellucid::device::Threads::new(None)),
            &|| message(DeviceChoice::default().machine()),
            &|| message(Level::chosen()),
        ],
    );
}

#[test]
fn rule_learners() {
    expect_the_sentence("rule_learners", &[&|| message(RuleLearner::new().fit(&table()))]);
}

#[test]
fn classifier_systems() {
    expect_the_sentence(
        "classifier_systems",
        &[
            &|| message(XcsLearner::new().fit(&table())),
            &|| message(Agent::new(&Multiplexer::new(2), Agent::published(), 0.33, 1)),
            &|| message(Trials::over(&table())),
        ],
    );
}

#[test]
fn networks() {
    expect_the_sentence("networks", &[&|| message(NetworkLearner::new().fit(&table()))]);
}

#[test]
fn class_expressions() {
    expect_the_sentence(
        "class_expressions",
        &[&|| {
            let turtle = "@prefix : <http://example.org/#> . :anna a :Woman . :bert a :Man .";
            let ontology = io::read_ontology_from(turtle.as_bytes(), "family.ttl").expect("Turtle");
            let kb = Arc::new(KnowledgeBase::new(ontology, &Closure::default()).expect("a world"));
            let problem = io::LearningProblem {
                name: "man".to_owned(),
                positive: vec!["bert".to_owned()],
                negative: vec!["anna".to_owned()],
            };
            message(LogicLearner::new().fit(&kb, &problem))
        }],
    );
}

#[test]
fn concepts() {
    let terms = Terms::default();
    expect_the_sentence(
        "concepts",
        &[
            &|| message(enumerate::collect(&relation(), &terms)),
            &|| message(enumerate::enumerate(&relation(), &terms, &mut [()])),
            &|| message(Lattice::build(&relation(), &terms, 1)),
            &|| message(association::collect(&relation(), &association::RuleOptions::default())),
            &|| message(pellucid::close::search(&relation(), &terms, &mut [()])),
        ],
    );
}
