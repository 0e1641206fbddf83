//! Programs over random worlds: every way to answer them gives what the specification gives.

mod case;

use case::{Case, Draw};
use pellucid_engine::world::{Examples, Reasoner, spec};
use pellucid_engine::{Machine, ProgramId};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Everybody in a random order, some twice or not at all, in three classes.
fn examples(draw: &mut Draw, individuals: usize) -> Examples {
    let everybody = draw.below(3) == 0;
    let (mut who, mut codes) = (Vec::new(), Vec::new());
    let number = if everybody { individuals } else { draw.below(2 * individuals as u32 + 1) as usize };
    for place in 0..number {
        who.push(if everybody { place as u32 } else { draw.below(individuals as u32) });
        codes.push(draw.below(3));
    }
    Examples::new(who, codes, 3).unwrap()
}

fn check(seed: u64, size: u32) {
    let mut draw = Draw::new(seed);
    let case = Case::draw(&mut draw, size);
    let world = Arc::new(case.world);
    let individuals = world.len();
    for threads in [1, 3] {
        let machine = Machine::processor(NonZeroUsize::new(threads)).unwrap();
        let mut reasoner = Reasoner::new(Arc::clone(&world), &machine).unwrap();
        let roots: Vec<ProgramId> =
            case.exprs.iter().map(|expr| reasoner.programs_mut().add(expr).unwrap()).collect();
        let holds = |reasoner: &Reasoner, root, who| {
            spec::holds(&world, reasoner.programs(), root, who)
        };
        let examples = examples(&mut draw, individuals);
        reasoner.ask(examples.clone());
        // First the examples alone, then everybody, then what is known of both.
        for round in 0..2 {
            let shown = reasoner.cover_examples(&roots).unwrap();
            let tallies = reasoner.tally(&roots).unwrap();
            for (number, &root) in roots.iter().enumerate() {
                let mut counts = [0; 3];
                for (place, &who) in examples.individuals().iter().enumerate() {
                    let expected = holds(&reasoner, root, who);
                    let text = || reasoner.programs().text(root);
                    assert_eq!(shown.get(number, place), expected, "{} of {who}, round {round}", text());
                    counts[examples.codes()[place] as usize] += u64::from(expected);
                }
                assert_eq!(tallies.of(number), counts, "{}", reasoner.programs().text(root));
            }
            if round == 0 {
                let covered = reasoner.cover(&roots).unwrap();
                for (number, &root) in roots.iter().enumerate() {
                    for who in 0..individuals {
                        let expected = holds(&reasoner, root, who as u32);
                        assert_eq!(covered.get(number, who), expected, "{} of {who}", reasoner.programs().text(root));
                    }
                }
            }
        }
        // Nothing known: counts alone.
        reasoner.forget_answers();
        let again = reasoner.tally(&roots).unwrap();
        let shown = reasoner.cover_examples(&roots).unwrap();
        for number in 0..roots.len() {
            assert_eq!(again.of(number).iter().sum::<u64>(), shown.count(number));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn small_worlds(seed in any::<u64>()) {
        check(seed, 40);
    }
}

#[test]
fn worlds_of_several_blocks() {
    for seed in 0..6 {
        check(seed, 3000);
    }
}

#[test]
fn many_examples_are_only_counted() {
    check(17, 40_000);
}

#[test]
fn questions_to_the_wrong_sort_of_thing_are_refused() {
    let mut draw = Draw::new(1);
    let case = Case::draw(&mut draw, 10);
    let machine = Machine::processor(None).unwrap();
    let mut reasoner = Reasoner::new(Arc::new(case.world), &machine).unwrap();
    for (text, complaint) in [
        ("number > 3", "'number' is a data property and says nothing of an individual itself; write 'some number (…)'"),
        ("some r (number > 3)", "'number' is a data property and says nothing of an individual itself; write 'some number (…)'"),
        ("A and number > 3", "'number' is a data property and says nothing of an individual itself; write 'some number (…)'"),
        ("some number (A)", "a restriction of the data property 'number' can only ask about its values, and this one asks 'A'"),
        ("B or some number (word = x)", "a restriction of the data property 'number' can only ask about its values, and this one asks 'word = x'"),
        ("not some inverse number (number > 1)", "the data property 'number' has no inverse: values have no properties"),
    ] {
        let root = reasoner.programs_mut().parse(text).unwrap();
        assert_eq!(reasoner.cover(&[root]).unwrap_err().to_string(), complaint, "{text}");
    }
    let fine = reasoner.programs_mut().parse("some number (true) and only r (false)").unwrap();
    assert!(reasoner.cover(&[fine]).is_ok());
}
