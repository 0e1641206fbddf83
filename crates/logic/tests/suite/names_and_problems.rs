//! Tests of short names, learning problems and the summary of a knowledge base.

use crate::support::*;
use pellucid_data::{Datatype, Problem};
use pellucid_logic::kb::KbError;

fn problem(positive: &[&str], negative: &[&str]) -> Problem {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Problem { name: "aunts".into(), positive: names(positive), negative: names(negative) }
}

fn family() -> Builder {
    Builder::new()
        .is("http://x.org/f#anna", "http://x.org/f#Female")
        .is("http://x.org/f#bert", "http://x.org/f#Male")
        .is("http://x.org/f#carl", "http://x.org/f#Male")
}

#[test]
fn short_names_are_unambiguous() {
    let kb = family()
        .is("http://y.org/anna", "http://x.org/f/and")
        .is("_:b7", "http://xmlns.com/foaf/0.1/Person")
        .is("http://x.org/f#2nd", "http://x.org/f#a%20b")
        .kb();
    let shown: Vec<&str> = kb.short_names.individuals.iter().collect();
    let expected = [
        "<http://x.org/f#anna>",
        "bert",
        "carl",
        "<http://y.org/anna>",
        "_:b7",
        "<http://x.org/f#2nd>",
    ];
    assert_eq!(shown, expected);
    let classes: Vec<&str> = kb.short_names.classes.iter().collect();
    let expected = ["Female", "Male", "<http://x.org/f/and>", "Person", "<http://x.org/f#a%20b>"];
    assert_eq!(classes, expected);
    assert_eq!(kb.find_class("Female"), Some(0));
    assert_eq!(kb.find_class("http://x.org/f#Female"), Some(0));
    assert_eq!(kb.find_class("<http://x.org/f#Female>"), Some(0));
    assert_eq!(kb.find_class("foaf:Person"), Some(3));
    assert_eq!(kb.find_class("female"), None);
    assert_eq!(kb.suggest_class("Femal"), Some("Female"));
    assert_eq!(kb.find_individual("anna"), None, "there are two");
    assert_eq!(kb.find_individual("http://y.org/anna"), Some(3));
    assert_eq!(kb.find_individual("_:b7"), Some(4));
}

#[test]
fn examples_are_found_by_their_names() {
    let kb = family().same("http://x.org/f#carl", "http://x.org/f#charles").kb();
    let given = problem(&["http://x.org/f#anna"], &["bert", "http://x.org/f#charles", "bert"]);
    assert_eq!(kb.problem(&given), Ok((vec![0], vec![1, 2])));
    let found = kb.resolve(&given).unwrap();
    assert_eq!(found.notes, ["1 example is listed twice and counts once"]);
}

#[test]
fn errors_in_problems_are_reported() {
    let kb = family().kb();
    let error = |positive: &[&str], negative: &[&str]| {
        kb.problem(&problem(positive, negative)).unwrap_err().to_string()
    };
    assert_eq!(
        error(&["http://x.org/f#berd", "zoe"], &["carl"]),
        "'http://x.org/f#berd' is not an individual of 'test' (2 of 3 examples are unknown); \
         did you mean 'bert'?"
    );
    assert_eq!(
        error(&["anna", "bert"], &["http://x.org/f#anna"]),
        "'anna' is both a positive and a negative example"
    );
    assert_eq!(
        error(&[], &["anna"]),
        "the problem 'aunts' has no positive examples; expected at least one"
    );
    assert_eq!(
        error(&["anna"], &[]),
        "the problem 'aunts' has no negative examples; expected at least one"
    );
    let empty = Builder::new().kb();
    let no_individuals = empty.problem(&problem(&["anna"], &["bert"])).unwrap_err();
    assert_eq!(no_individuals, KbError::NoIndividuals { ontology: "test".into() });
}

#[test]
fn the_summary_lists_everything() {
    let kb = family()
        .sub_class(is("http://x.org/f#Female"), is("http://x.org/f#Person"))
        .edge("http://x.org/f#anna", "http://x.org/f#knows", "http://x.org/f#bert")
        .symmetric("http://x.org/f#knows")
        .value("http://x.org/f#anna", "http://x.org/f#age", "41", Datatype::Integer)
        .value("http://x.org/f#bert", "http://x.org/f#age", "7", Datatype::Integer)
        .kb();
    let page = "\
test: 3 individuals, 3 classes, 1 object property, 1 data property

class   instances  asserted
Male            2         2
Female          1         1
Person          1         0

object property  edges  asserted  subjects
knows                2         1         2

data property  kind     values  distinct  subjects  range
age            integer       2         2         2  7 to 41
";
    assert_eq!(kb.summary().to_string(), page);
    assert!(kb.summary().page(1).contains("Male           2         2\nand 2 more\n"));
}
