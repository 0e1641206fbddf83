//! Attribute exploration with an oracle, undo, several experts and sessions.

use pellucid_bits::words::{is_subset, words_for};
use pellucid_concepts::exploration::{Exploration, Question, Verdict};
use pellucid_concepts::implications::{BaseOptions, base};
use pellucid_data::{Context, Names, Relation};
use proptest::prelude::*;

fn relation() -> impl Strategy<Value = Relation> {
    (1usize..7).prop_flat_map(|attributes| {
        let row = prop::collection::btree_set(0..pellucid_bits::as_u32(attributes), 0..=attributes);
        prop::collection::vec(row, 0..7).prop_map(move |rows| {
            let rows: Vec<Vec<u32>> =
                rows.into_iter().map(|row| row.into_iter().collect()).collect();
            Relation::new(attributes, rows).expect("rows in order")
        })
    })
}

fn empty(attributes: usize) -> Context {
    let relation = Relation::new(attributes, Vec::<Vec<u32>>::new()).expect("no rows");
    let names: Names = (0..attributes).map(|attribute| format!("a{attribute}")).collect();
    Context::new("domain", Names::Listed(Vec::new()), names, relation)
}

/// Answers the question as the oracle knows. Returns whether it was accepted.
fn answer(exploration: &mut Exploration, oracle: &Relation) -> bool {
    let Question { premise, conclusion } = exploration.question().expect("a question").clone();
    let rows = (0..oracle.objects()).map(|object| oracle.row_words(object));
    let counter =
        rows.zip(0..).find(|(row, _)| is_subset(&premise, row) && !is_subset(&conclusion, row));
    match counter {
        None => exploration.accept().expect("no object violates it"),
        Some((row, number)) => {
            let name = format!("o{number} {}", exploration.answers().len());
            exploration.counterexample(name, &row).expect("it fits what was accepted");
        }
    }
    exploration.answers().last().expect("an answer").verdict == Verdict::Accepted
}

/// What follows from accepted implications.
fn closure(accepted: &[Question], set: &[u64]) -> Vec<u64> {
    let mut closed = set.to_vec();
    let mut last = Vec::new();
    while last != closed {
        last.clone_from(&closed);
        for question in accepted.iter().filter(|one| is_subset(&one.premise, &last)) {
            closed.iter_mut().zip(&question.conclusion).for_each(|(word, more)| *word |= more);
        }
    }
    closed
}

proptest! {
    /// The exploration ends with the base of the oracle, and no question follows from what was accepted.
    #[test]
    fn ends_with_the_base_of_the_oracle(
        oracle in relation(),
        undos in prop::collection::vec(any::<bool>(), 0..40),
        saves in prop::collection::vec(any::<bool>(), 0..40),
    ) {
        let mut exploration = Exploration::new(empty(oracle.attributes()), "ann");
        let (mut undos, mut saves) = (undos.into_iter(), saves.into_iter());
        while let Some(question) = exploration.question().cloned() {
            let accepted: Vec<Question> = exploration.accepted_questions().cloned().collect();
            let follows = closure(&accepted, &question.premise);
            prop_assert!(!is_subset(&question.conclusion, &follows), "{question:?} follows");
            answer(&mut exploration, &oracle);
            if undos.next() == Some(true) {
                exploration.undo();
                prop_assert_eq!(exploration.question(), Some(&question));
                answer(&mut exploration, &oracle);
            }
            if saves.next() == Some(true) {
                let again = Exploration::from_json(&exploration.to_json()).unwrap();
                prop_assert_eq!(again.question(), exploration.question());
                exploration = again;
            }
        }
        prop_assert!(exploration.is_finished());
        // Objects that nothing depends on need not occur, so supports may differ.
        let found = exploration.base().implications;
        let expected = base(&oracle, &BaseOptions::default()).implications;
        prop_assert_eq!(found.len(), expected.len());
        for (one, other) in found.iter().zip(&expected) {
            prop_assert_eq!((&one.premise, &one.conclusion), (&other.premise, &other.conclusion));
        }
    }

    /// What one expert does not know, another one is asked; together they find the base.
    #[test]
    fn another_expert_answers_the_rest(
        oracle in relation(),
        knows in prop::collection::vec(any::<bool>(), 80),
    ) {
        let mut exploration = Exploration::new(empty(oracle.attributes()), "ann");
        let mut knows = knows.into_iter();
        while let Some(question) = exploration.question().cloned() {
            if knows.next().unwrap_or(true) {
                answer(&mut exploration, &oracle);
            } else {
                exploration.unknown().unwrap();
                prop_assert_ne!(exploration.question(), Some(&question));
            }
        }
        exploration.set_expert("bob");
        while exploration.question().is_some() {
            answer(&mut exploration, &oracle);
        }
        prop_assert!(exploration.is_finished());
        prop_assert!(exploration.base().is_valid_in(&oracle));
        prop_assert!(base(&oracle, &BaseOptions::default()).is_valid_in(&exploration.context().relation));
    }

    #[test]
    fn any_text_is_a_session_or_an_error(text in "[\\[\\]{}\":,a-z0-9 ]{0,80}") {
        let _ = Exploration::from_json(&text);
    }
}

#[test]
fn wrong_counterexamples_are_refused() {
    let mut exploration = Exploration::new(empty(3), "ann");
    let set = |members: &[usize]| {
        let mut set = vec![0; words_for(3)];
        members.iter().for_each(|&member| pellucid_bits::words::insert(&mut set, member));
        set
    };
    let refuse = |exploration: &mut Exploration, name: &str, members: &[usize]| {
        exploration.counterexample(name, &set(members)).unwrap_err().to_string()
    };
    // Does every object have a0, a1 and a2?
    assert!(
        refuse(&mut exploration, "x", &[0, 1, 2]).contains("has all attributes of the conclusion")
    );
    assert_eq!(refuse(&mut exploration, " ", &[0]), "a counterexample needs a name");
    exploration.counterexample("x", &set(&[])).unwrap();
    exploration.accept().unwrap(); // Every object with a2 has a0 and a1.
    // Does every object with a1 have a0 and a2?
    assert!(refuse(&mut exploration, "x", &[]).contains("already an object named 'x'"));
    let message = refuse(&mut exploration, "y", &[1, 2]);
    assert!(message.contains("contradicts an accepted implication"), "{message}");
    assert!(message.contains("objects with a2 also have a0;"), "{message}");
    exploration.undo();
    exploration.counterexample("y", &set(&[2])).unwrap();
    assert_eq!(exploration.context().objects.len(), 2);
}

#[test]
fn sessions_that_do_not_fit_are_refused() {
    let message = |text: &str| Exploration::from_json(text).unwrap_err().to_string();
    assert!(message("{").starts_with("found no session of an exploration"), "{}", message("{"));
    let mut exploration = Exploration::new(empty(2), "ann");
    exploration.counterexample("x", &[0b01]).unwrap();
    let saved = exploration.to_json();
    let later = message(&saved.replace("\"version\": 1", "\"version\": 9"));
    assert_eq!(later, "found version 9; expected at most 1");
    let other = message(&saved.replace("\"a1\"", "\"b\"").replace("\"b\"", "\"a0\""));
    assert!(other.contains("two attributes have the same name"), "{other}");
    let unknown = message(&saved.replacen("\"a0\"", "\"c\"", 1));
    assert!(unknown.contains("found the attribute 'a0'; expected one of c, a1"), "{unknown}");
}
