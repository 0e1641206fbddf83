//! A GPU with a limit to its memory keeps within it, or says why not and leaves the work to others.

use crate::backends::{emulated, machine};
use pellucid_bits::Level;
use pellucid_data::Register;
use pellucid_device::FaultListener;
use pellucid_relate::{Links, Reasoner, World, spec};
use pellucid_testdevices::cpu;
use std::sync::{Arc, Mutex};

const PEOPLE: u32 = 2000;

/// Roles of different sizes, so that one takes more than another.
fn world() -> Arc<World> {
    let names: Register = (0..PEOPLE).map(|number| format!("i{number}")).collect();
    let mut world =
        World::new(Arc::new(names)).class("A", (0..PEOPLE).map(|number| number % 3 == 0).collect());
    for step in 1..5 {
        let pairs = (0..PEOPLE).flat_map(|who| (0..step).map(move |by| [who, (who + by) % PEOPLE]));
        let links = Links::new(PEOPLE as usize, pairs.collect());
        world = world.role(&format!("r{step}"), links);
    }
    Arc::new(world)
}

/// Asks some questions with so many bytes on the GPU: what was told of it.
fn asked(bytes: usize, texts: &[&str]) -> Vec<String> {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let mut machine = machine(vec![emulated(Some(bytes)), cpu(1, Level::best())]);
    let heard = Arc::clone(&told);
    machine.faults = FaultListener::new(move |fault| heard.lock().unwrap().push(fault.to_string()));
    // The GPU alone, as long as it can.
    machine.schedule = pellucid_device::Schedule::Shares(vec![1.0, 0.0]);
    let mut reasoner = Reasoner::new(world(), &machine).unwrap();
    for text in texts {
        let root = reasoner.programs_mut().parse(text).unwrap();
        let covered = reasoner.cover(&[root]).unwrap();
        for who in 0..PEOPLE {
            let expected = spec::holds(reasoner.world(), reasoner.programs(), root, who);
            assert_eq!(covered.get(0, who as usize), expected, "{text} of {who}");
        }
    }
    let told = told.lock().unwrap();
    told.clone()
}

const TEXTS: [&str; 6] =
    ["some r1 (A)", "some r2 (A)", "some r3 (A)", "some r4 (A)", "only r2 (A)", "min 2 r4 (A)"];

#[test]
fn what_does_not_fit_is_refused_with_a_sentence_and_done_elsewhere() {
    let told = asked(10_000, &TEXTS);
    let [sentence] = &told[..] else { panic!("{told:?}") };
    assert!(sentence.starts_with("device cuda:0: following 'r1' needs "), "{sentence}");
    assert!(sentence.contains(" bytes of GPU memory; 10000 are available; "), "{sentence}");
}

#[test]
fn roles_take_turns_where_not_all_fit() {
    // The least that the largest role alone needs, to within a few bytes; beside it memory that grows has
    // grown a little more.
    let fits = |bytes: usize, texts: &[&str]| asked(bytes, texts).is_empty();
    let (mut too_few, mut enough) = (10_000, 1 << 24);
    assert!(fits(enough, &TEXTS[5..]));
    while enough - too_few > 64 {
        let middle = (too_few + enough) / 2;
        if fits(middle, &TEXTS[5..]) {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    assert_eq!(asked(enough + 8192, &TEXTS), Vec::<String>::new(), "one role at a time fits");
}
