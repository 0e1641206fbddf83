//! Evaluation of expressions on tables and ontologies.

use pellucid::devices::DeviceChoice;
use pellucid::evaluate::{
    CoveredExamples, Evaluator, ExpressionSize, OntologyQuestion, StreamSummary, TableQuestion,
};
use pellucid::prelude::*;

const BAGS: &str = "bag,x,class\na,1,0\na,7,0\nb,8,1\nb,9,1\n";

fn machine() -> Machine {
    DeviceChoice::named(["cpu"]).machine().expect("a CPU")
}

fn bags(question: &TableQuestion) -> Evaluator {
    let data = io::read_from(BAGS.as_bytes(), "bags.csv", &ReadOptions::default().bag("bag"));
    Evaluator::of_table(data.expect("bags"), question, &machine()).expect("an evaluator")
}

#[test]
fn bags_are_counted_unless_rows_are_requested() {
    let counts = |question: &TableQuestion| {
        let answers = bags(question).evaluate(&["x > 5"]).expect("answers");
        answers[0].clone().expect("an answer").counts
    };
    let of = |hypothesis| TableQuestion { hypothesis: Some(hypothesis), cover: false };
    assert_eq!(counts(&TableQuestion::default()), [1, 1]);
    assert_eq!(counts(&of(Hypothesis::Rows)), [1, 2]);
    assert_eq!(counts(&of(Hypothesis::AtLeast(2))), [0, 1]);
    let plain = io::read_from("x,class\n1,0\n2,1\n".as_bytes(), "t.csv", &ReadOptions::default());
    let result = Evaluator::of_table(plain.expect("rows"), &of(Hypothesis::Presence), &machine());
    let message = result.expect_err("no bags").to_string();
    assert!(message.starts_with("t: hypothesis: the data has no bags"), "{message}");
}

#[test]
fn covered_rows_are_listed_if_requested() {
    let mut evaluator = bags(&TableQuestion { cover: true, ..TableQuestion::default() });
    let answers = evaluator.evaluate(&["x > 7", "not true"]).expect("answers");
    let covered = |index: usize| answers[index].clone().expect("an answer").covered;
    assert_eq!(covered(0), Some(CoveredExamples::Rows(vec![2, 3])));
    assert_eq!(covered(1), Some(CoveredExamples::Rows(Vec::new())));
}

#[test]
fn a_stream_is_evaluated_line_by_line() {
    let mut evaluator = bags(&TableQuestion::default());
    let (mut text, mut pauses) = (Vec::new(), 0);
    let summary = evaluator.stream("x > 5\n\nnonsense(\nx > 8".as_bytes(), |evaluator, line| {
        match line {
            Some(line) => line.write_json(evaluator, &mut text)?,
            None => pauses += 1,
        }
        Ok(())
    });
    assert_eq!(summary.expect("a stream"), StreamSummary { lines: 4, errors: 2 });
    assert!(pauses >= 1);
    let text = String::from_utf8(text).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], r#"{"line":1,"counts":{"0":1,"1":1},"nodes":3}"#);
    assert!(lines[1].starts_with(r#"{"line":2,"error":"the line is empty"#), "{}", lines[1]);
    assert!(lines[2].starts_with(r#"{"line":3,"error":"column"#), "{}", lines[2]);
    assert_eq!(lines[3], r#"{"line":4,"counts":{"0":0,"1":1},"nodes":3}"#);
}

#[test]
fn class_expressions_are_evaluated_on_an_ontology() {
    let turtle = "@prefix : <http://example.org/#> .\n\
        :anna a :Woman ; :hasChild :carl . :bert a :Man ; :hasChild :carl . :carl a :Man .";
    let kb = || {
        let ontology = io::read_ontology_from(turtle.as_bytes(), "family.ttl").expect("turtle");
        KnowledgeBase::new(ontology, &Closure::default()).expect("a knowledge base")
    };
    let question = OntologyQuestion { cover: true, ..OntologyQuestion::default() };
    let mut evaluator = Evaluator::of_ontology(kb(), &question, &machine()).expect("an evaluator");
    assert_eq!(evaluator.classes(), ["all"]);
    let answers = evaluator.evaluate(&["hasChild some(Man)", "Child"]).expect("answers");
    let parents = answers[0].clone().expect("an answer");
    assert_eq!((parents.counts.as_slice(), parents.size), (&[2][..], ExpressionSize::Length(3)));
    let names = ["anna", "bert"].map(str::to_owned).to_vec();
    assert_eq!(parents.covered, Some(CoveredExamples::Individuals(names)));
    assert!(answers[1].as_ref().is_err_and(|why| why.contains("unknown class 'Child'")));

    let kb = kb();
    let problem = io::LearningProblem {
        name: "father".to_owned(),
        positive: vec!["bert".to_owned()],
        negative: vec!["anna".to_owned(), "carl".to_owned()],
    };
    let examples = Some(kb.resolve(&problem).expect("individuals"));
    let question = OntologyQuestion { examples, ..OntologyQuestion::default() };
    let mut evaluator = Evaluator::of_ontology(kb, &question, &machine()).expect("an evaluator");
    assert_eq!(evaluator.classes(), ["positive", "negative"]);
    let answers = evaluator.evaluate(&["Man"]).expect("answers");
    assert_eq!(answers[0].clone().expect("an answer").counts, [1, 1]);
}
