//! A GPU with a memory limit stays within it, or reports why it cannot and leaves the work to other
//! devices.

use crate::backends::{emulated, machine};
use pellucid_bits::Level;
use pellucid_data::Register;
use pellucid_device::FaultListener;
use pellucid_relate::{Links, Reasoner, World, spec};
use pellucid_testdevices::cpu;
use std::sync::{Arc, Mutex};

const PEOPLE: u32 = 2000;

/// A world with roles of different sizes.
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

/// Evaluates some programs with a GPU limited to `bytes`. Returns the fault messages.
fn fault_messages(bytes: usize, texts: &[&str]) -> Vec<String> {
    let messages: Arc<Mutex<Vec<String>>> = Arc::default();
    let mut machine = machine(vec![emulated(Some(bytes)), cpu(1, Level::best())]);
    let listener = Arc::clone(&messages);
    machine.faults =
        FaultListener::new(move |fault| listener.lock().unwrap().push(fault.to_string()));
    // Use only the GPU while it works.
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
    let messages = messages.lock().unwrap();
    messages.clone()
}

const TEXTS: [&str; 6] =
    ["some r1 (A)", "some r2 (A)", "some r3 (A)", "some r4 (A)", "only r2 (A)", "min 2 r4 (A)"];

#[test]
fn work_that_does_not_fit_is_reported_and_done_elsewhere() {
    let messages = fault_messages(10_000, &TEXTS);
    let [sentence] = &messages[..] else { panic!("{messages:?}") };
    assert!(sentence.starts_with("device cuda:0: following 'r1' needs "), "{sentence}");
    assert!(sentence.contains(" bytes of GPU memory; 10000 are available; "), "{sentence}");
}

#[test]
fn roles_take_turns_where_not_all_fit() {
    // Find the memory that the largest role alone needs, to within 64 bytes. The other roles need a
    // little more, because buffers have grown.
    let fits = |bytes: usize, texts: &[&str]| fault_messages(bytes, texts).is_empty();
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
    assert_eq!(
        fault_messages(enough + 8192, &TEXTS),
        Vec::<String>::new(),
        "one role at a time fits"
    );
}
