//! Programs over random worlds: every backend and the specification agree with an oracle over plain
//! sets.
#![expect(clippy::cast_possible_truncation, reason = "worlds are small")]

mod backends;
mod case;
#[cfg(feature = "emulator")]
mod memory;
mod oracle;

use backends::backends;
use case::Case;
use pellucid_device::Machine;
use pellucid_program::{ProgramId, Programs};
use pellucid_relate::{LabeledIndividuals, Reasoner, World, spec};
use pellucid_testdevices::{Draw, cases};
use proptest::prelude::*;
use std::sync::Arc;

/// Draws examples in three classes: all individuals in order, or a random list with repetitions.
fn examples(draw: &mut Draw, individuals: usize) -> LabeledIndividuals {
    let all_individuals = draw.below(3) == 0;
    let (mut who, mut codes) = (Vec::new(), Vec::new());
    let number =
        if all_individuals { individuals } else { draw.below(2 * individuals as u32 + 1) as usize };
    for place in 0..number {
        who.push(if all_individuals { place as u32 } else { draw.below(individuals as u32) });
        codes.push(draw.below(3));
    }
    LabeledIndividuals::new(who, codes, 3).unwrap()
}

/// Checks the specification against the oracle, for a few individuals of each program, because it
/// follows every path of roles again for each of them.
fn check_specification(
    world: &World,
    programs: &Programs,
    roots: &[ProgramId],
    expected: &[oracle::Members],
) {
    let step = (world.len() / 40).max(1);
    for (&root, members) in roots.iter().zip(expected) {
        for who in (0..world.len()).step_by(step) {
            let found = spec::holds(world, programs, root, who as u32);
            assert_eq!(found, members[who], "{} of {who}", programs.text(root));
        }
    }
}

fn check(seed: u64, size: u32) {
    let mut draw = Draw::new(seed);
    let case = Case::draw(&mut draw, size);
    let world = Arc::new(case.world);
    let individuals = world.len();
    let holds: Vec<_> = case.exprs.iter().map(|expr| oracle::members(&case.facts, expr)).collect();
    let mut is_specified = false;
    for machine in backends() {
        let mut reasoner = Reasoner::new(Arc::clone(&world), &machine).unwrap();
        let roots: Vec<ProgramId> =
            case.exprs.iter().map(|expr| reasoner.programs_mut().add(expr).unwrap()).collect();
        if !std::mem::replace(&mut is_specified, true) {
            check_specification(&world, reasoner.programs(), &roots, &holds);
        }
        let examples = examples(&mut draw, individuals);
        reasoner.ask(examples.clone());
        // First the examples alone, then all individuals, then both from stored answers.
        for round in 0..2 {
            let shown = reasoner.cover_examples(&roots).unwrap();
            let tallies = reasoner.tally(&roots).unwrap();
            for (number, &root) in roots.iter().enumerate() {
                let text = || reasoner.programs().text(root);
                let mut counts = [0; 3];
                for (place, &who) in examples.individuals().iter().enumerate() {
                    let expected = holds[number][who as usize];
                    let found = shown.get(number, place);
                    assert_eq!(found, expected, "{} of {who}, round {round}, {machine:?}", text());
                    counts[examples.codes()[place] as usize] += u64::from(expected);
                }
                assert_eq!(tallies.of(number), counts, "{}, {machine:?}", text());
            }
            if round == 0 {
                let covered = reasoner.cover(&roots).unwrap();
                for (number, &root) in roots.iter().enumerate() {
                    for (who, &expected) in holds[number].iter().enumerate() {
                        let text = || reasoner.programs().text(root);
                        let found = covered.get(number, who);
                        assert_eq!(found, expected, "{} of {who}, {machine:?}", text());
                    }
                }
            }
        }
        // No stored answers: counts alone.
        reasoner.forget_answers();
        let again = reasoner.tally(&roots).unwrap();
        let shown = reasoner.cover_examples(&roots).unwrap();
        for number in 0..roots.len() {
            assert_eq!(again.of(number).iter().sum::<u64>(), shown.count(number));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(12)))]

    #[test]
    fn small_worlds(seed in any::<u64>()) {
        check(seed, 40);
    }
}

#[test]
fn worlds_of_several_blocks() {
    for seed in 0..4 {
        check(seed, 3000);
    }
}

#[test]
fn many_examples_are_only_counted() {
    check(17, 40_000);
}

#[test]
fn classes_alone_are_counted_as_a_table() {
    let mut draw = Draw::new(5);
    let world = loop {
        let case = Case::draw(&mut draw, 80_000);
        if case.world.len() > 40_000 {
            break Arc::new(case.world);
        }
    };
    let texts =
        ["A", "not B", "A and B and C", "A and not (B or Empty)", "true", "Empty", "C or A"];
    let all_individuals: Vec<u32> = (0..world.len() as u32).collect();
    let some: Vec<u32> =
        all_individuals.iter().copied().filter(|_| draw.below(3) > 0).rev().collect();
    for machine in backends() {
        let mut reasoner = Reasoner::new(Arc::clone(&world), &machine).unwrap();
        for examples in [&all_individuals, &some] {
            let codes: Vec<u32> = examples.iter().map(|who| who % 7 % 2).collect();
            reasoner.ask(LabeledIndividuals::new(examples.clone(), codes, 2).unwrap());
            // Together with a role they are counted in another way.
            for alone in [true, false] {
                let mut roots: Vec<ProgramId> =
                    texts.map(|text| reasoner.programs_mut().parse(text).unwrap()).to_vec();
                if !alone {
                    roots.push(reasoner.programs_mut().parse("some r (A)").unwrap());
                }
                let tallies = reasoner.tally(&roots).unwrap();
                for (number, &root) in roots.iter().enumerate() {
                    let mut counts = [0; 2];
                    for &who in examples {
                        let holds = spec::holds(&world, reasoner.programs(), root, who);
                        counts[who as usize % 7 % 2] += u64::from(holds);
                    }
                    assert_eq!(tallies.of(number), counts, "{}", reasoner.programs().text(root));
                }
            }
            reasoner.forget_programs();
        }
    }
}

#[test]
fn conditions_on_the_wrong_sort_are_rejected() {
    let mut draw = Draw::new(1);
    let case = Case::draw(&mut draw, 10);
    let machine = Machine::processor(None).unwrap();
    let mut reasoner = Reasoner::new(Arc::new(case.world), &machine).unwrap();
    for (text, message) in [
        ("number > 3", "'number' is a data property, not a class; write 'some number (…)'"),
        (
            "some r (number > 3)",
            "'number' is a data property, not a class; write 'some number (…)'",
        ),
        ("A and number > 3", "'number' is a data property, not a class; write 'some number (…)'"),
        (
            "some number (A)",
            "the filler of data property 'number' must be a condition on its values; found 'A'",
        ),
        (
            "B or some number (word = x)",
            "the filler of data property 'number' must be a condition on its values; found 'word = x'",
        ),
        ("not some inverse number (number > 1)", "data property 'number' has no inverse"),
    ] {
        let root = reasoner.programs_mut().parse(text).unwrap();
        assert_eq!(reasoner.cover(&[root]).unwrap_err().to_string(), message, "{text}");
    }
    let fine = reasoner.programs_mut().parse("some number (true) and only r (false)").unwrap();
    assert!(reasoner.cover(&[fine]).is_ok());
}
