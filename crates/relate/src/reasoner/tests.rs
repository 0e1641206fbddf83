use super::*;
use crate::{Edges, Property};
use pellucid_data::Register;
use pellucid_program::Domain;

/// A world of a hundred people, each with a name.
fn reasoner() -> Reasoner {
    let people: Register = (0..100).map(|number| format!("i{number}")).collect();
    let names = (0..100).map(|number| format!("{:x} {number}", number * 7919)).collect();
    let edges = Edges::new(100, 100, (0..100).map(|number| [number, number]).collect());
    let world = World::new(Arc::new(people))
        .property("name", Property { values: Domain::Nominal(names), edges });
    Reasoner::new(Arc::new(world), &Machine::processor(None).unwrap()).unwrap()
}

#[test]
fn stored_values_are_discarded_like_answers() {
    let mut reasoner = reasoner();
    reasoner.ask(LabeledIndividuals::binary(&[3], &[5]));
    reasoner.memory = 16 << 10;
    let column = reasoner.world().value_column(0);
    let role = reasoner.world().property_role(0);
    for number in 0..2000 {
        let part = format!("{number:x}");
        let filler = reasoner.programs_mut().contains(column, &part).unwrap();
        let root = reasoner.programs_mut().related(
            pellucid_program::Quantifier::Some,
            role,
            false,
            filler,
        );
        reasoner.tally(&[root]).unwrap();
        let kept = reasoner.values.bytes()
            + reasoner.example_answers.bytes()
            + reasoner.all_answers.bytes();
        assert!(kept < reasoner.memory + 1024, "{kept} bytes after {number} conditions");
    }
}

#[test]
fn without_examples_nothing_is_counted() {
    let mut reasoner = reasoner();
    let root = reasoner.programs_mut().parse("some name (true)").unwrap();
    for classes in [0, 1, 2] {
        reasoner.ask(LabeledIndividuals::new(Vec::new(), Vec::new(), classes).unwrap());
        let tallies = reasoner.tally(&[root, root]).unwrap();
        assert_eq!(tallies.counts(), vec![0; 2 * classes]);
        assert_eq!(reasoner.cover_examples(&[root]).unwrap().count(0), 0);
    }
}

#[test]
fn the_scalar_level_uses_the_specification() {
    let machine = |level| {
        let threads = Arc::new(Threads::new(std::num::NonZeroUsize::new(1)).unwrap());
        let device = pellucid_device::Device::with_level(Arc::clone(&threads), level).unwrap();
        Machine::new(vec![device], threads)
    };
    assert!(by_specification::is_requested(&machine(Level::Scalar)));
    assert!(!by_specification::is_requested(&machine(Level::Portable)));
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        assert_eq!(machine(level).level(), level, "bits are combined at the level of the CPU");
    }
}
