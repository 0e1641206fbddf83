//! Emulated GPUs that refuse, fail or panic: the others go on, and without any the processor does.

use super::{Concept, Keep, digest_of};
use pellucid_close::{
    ConceptView, SearchOutcome, SearchStop, Terms, Tuning, search_on, search_on_with, spec,
};
use pellucid_data::Relation;
use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, DeviceError, FailAt, FaultListener, Machine};
use pellucid_testdevices::threads;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Ten objects and 140 attributes: too many attributes for a tall context.
fn wide() -> Relation {
    let has = |object: u32, attribute: u32| {
        (object * object * 31 + attribute * attribute * 17 + object * attribute * 7) % 13 < 7
    };
    let row = |object| (0..140).filter(|&a| has(object, a)).collect::<Vec<u32>>();
    Relation::new(140, (0..10).map(row)).expect("attributes are in range")
}

/// Enough of them for many slices of seven nodes.
fn concepts_of_wide() -> SearchOutcome {
    let outcome = spec::concepts(&wide(), &Terms::default(), &mut ());
    assert!(outcome.concepts > 80, "{outcome:?}");
    outcome
}

/// An emulated GPU of one warp.
fn gpu(id: &str) -> Device {
    super::gpu(id, 1, 32, 48 << 10)
}

/// A GPU without the shared memory that a wide context needs.
fn small_gpu(id: &str) -> Device {
    emulated(id, Emulation { shared_bytes: 1 << 10, ..Emulation::default() }, threads(1))
}

/// A machine of some devices, and what is said of them.
fn machine(devices: Vec<Device>) -> (Machine, Arc<Mutex<Vec<String>>>) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&said);
    let mut machine = Machine::new(devices, threads(1));
    machine.faults =
        FaultListener::new(move |fault| listener.lock().unwrap().push(fault.to_string()));
    (machine, said)
}

/// Which devices something was said of, in order.
fn told_of(said: &Mutex<Vec<String>>) -> Vec<String> {
    let device = |fault: &String| fault.split([' ', ':']).nth(1).unwrap_or_default().to_owned();
    said.lock().unwrap().iter().map(device).collect()
}

#[test]
fn a_gpu_that_does_not_open_is_left_out_and_the_other_searches() {
    // The second fails too, but only once it searches.
    let (machine, said) =
        machine(vec![gpu("first").failing(FailAt::Load), gpu("second").failing(FailAt::Call(1))]);
    let counted = search_on(&machine, &wide(), &Terms::default(), &mut [()]);
    assert_eq!(counted, Ok(concepts_of_wide()));
    assert_eq!(told_of(&said), ["first", "second"]);
}

#[test]
fn a_gpu_that_is_lost_before_anything_was_shown_leaves_the_search_to_the_other() {
    for at in [FailAt::Call(1), FailAt::Call(2), FailAt::Panic(1), FailAt::Panic(2)] {
        for lost in 0..2 {
            let mut gpus = vec![gpu("first"), gpu("second")];
            gpus[lost] = gpus[lost].clone().failing(at);
            let (machine, said) = machine(gpus);
            let counted = search_on(&machine, &wide(), &Terms::default(), &mut [()]);
            assert_eq!(counted, Ok(concepts_of_wide()), "{at:?}");
            assert_eq!(told_of(&said), [["first", "second"][lost]], "{at:?}");
        }
    }
}

#[test]
fn a_gpu_that_is_too_small_is_left_out_and_the_other_searches() {
    let gpus = vec![small_gpu("small"), gpu("second").failing(FailAt::Call(1))];
    let (machine, said) = machine(gpus);
    let counted = search_on(&machine, &wide(), &Terms::default(), &mut [()]);
    assert_eq!(counted, Ok(concepts_of_wide()));
    assert_eq!(told_of(&said), ["small", "second"]);
}

#[test]
fn that_a_context_is_too_large_does_not_silence_a_later_failure() {
    let (machine, said) = machine(vec![small_gpu("small").failing(FailAt::Call(1))]);
    for _ in 0..2 {
        let counted = search_on(&machine, &wide(), &Terms::default(), &mut [()]);
        assert_eq!(counted, Ok(concepts_of_wide()));
    }
    assert_eq!(told_of(&said), ["small"]);
    let tall = Relation::new(3, [[0, 1], [1, 2], [0, 2]]).expect("attributes are in range");
    let counted = search_on(&machine, &tall, &Terms::default(), &mut [()]);
    assert_eq!(counted.map(|outcome| outcome.concepts), Ok(8));
    assert_eq!(told_of(&said), ["small", "small"]);
    let said = said.lock().unwrap();
    assert!(said[1].contains("it was lost in call 1"), "{said:?}");
}

#[test]
fn progress_begins_again_when_the_search_does() {
    for gpus in [1, 2] {
        let devices = (0..gpus).map(|number| gpu(&format!("gpu{number}")).failing(FailAt::Call(3)));
        let (machine, _) = machine(devices.collect());
        let progress = AtomicU64::new(0);
        let terms = Terms { progress: Some(&progress), ..Terms::default() };
        let counted = search_on(&machine, &wide(), &terms, &mut [()]).expect("the processor");
        assert_eq!(counted, concepts_of_wide());
        assert_eq!(progress.load(Ordering::Relaxed), counted.concepts);
    }
}

#[test]
fn a_panic_before_anything_was_shown_hands_over_like_an_error() {
    for call in [1, 2] {
        let (machine, said) = machine(vec![gpu("gpu").failing(FailAt::Panic(call))]);
        let mut shown = 0;
        let visitor = |_: &ConceptView<'_>| shown += 1;
        let outcome = search_on(&machine, &wide(), &Terms::default(), &mut [visitor]);
        assert_eq!(outcome, Ok(concepts_of_wide()));
        assert_eq!(shown, concepts_of_wide().concepts);
        assert_eq!(said.lock().unwrap().len(), 1);
        assert!(said.lock().unwrap()[0].starts_with("device gpu: it panicked: call "), "{said:?}");
    }
}

/// Everything that was listed, in order: what the visitors of a search on some devices saw.
fn listed(
    devices: Vec<Device>,
    terms: &Terms<'_>,
    tuning: Tuning,
) -> (Result<SearchOutcome, DeviceError>, Vec<Concept>, Vec<String>) {
    let (machine, said) = machine(devices);
    let mut visitors = [Keep::default(), Keep::default()];
    let outcome = search_on_with(&machine, &wide(), terms, &mut visitors, tuning);
    let mut concepts: Vec<Concept> = visitors.into_iter().flat_map(|visitor| visitor.0).collect();
    concepts.sort_unstable();
    (outcome, concepts, told_of(&said))
}

#[test]
fn a_gpu_that_is_lost_after_concepts_were_listed_leaves_the_others_to_the_cpu() {
    let terms = Terms { extents: true, ..Terms::default() };
    let (_, expected, _) = listed(vec![gpu("gpu")], &terms, Tuning::default());
    for call in [3, 5, 8, 12] {
        for at in [FailAt::Call(call), FailAt::Panic(call)] {
            for devices in [vec!["lost"], vec!["lost", "other"], vec!["other", "lost"]] {
                let device = |&id: &&str| match id {
                    "lost" => gpu(id).failing(at),
                    _ => gpu(id),
                };
                let devices = devices.iter().map(device).collect();
                let progress = AtomicU64::new(0);
                let terms = Terms { progress: Some(&progress), ..terms };
                let (outcome, concepts, said) = listed(devices, &terms, Tuning::default());
                assert_eq!(outcome, Ok(concepts_of_wide()), "{at:?}");
                assert_eq!(concepts, expected, "{at:?}");
                assert_eq!(progress.into_inner(), concepts_of_wide().concepts, "{at:?}");
                assert!(said == ["lost"] || said.is_empty(), "{at:?}: {said:?}");
            }
        }
    }
}

#[test]
fn limits_count_what_was_listed_before_a_gpu_was_lost() {
    let whole = concepts_of_wide().concepts;
    for call in [4, 6, 9] {
        for most in [whole / 2, whole - 1, whole, whole + 1] {
            let terms = Terms { most: Some(most), ..Terms::default() };
            let gpus = vec![gpu("gpu").failing(FailAt::Call(call))];
            let (outcome, concepts, _) = listed(gpus, &terms, Tuning::default());
            let outcome = outcome.expect("the CPU lists the rest");
            assert_eq!(outcome.concepts, most.min(whole), "call {call}");
            assert_eq!(
                outcome.stop,
                if most < whole { SearchStop::Limit } else { SearchStop::Complete }
            );
            assert_eq!(outcome.digest, digest_of(&concepts), "call {call}, {most}");
            assert_eq!(concepts.len() as u64, outcome.concepts);
            assert!(concepts.windows(2).all(|pair| pair[0].0 != pair[1].0), "listed twice");
        }
    }
}

#[test]
fn a_lost_gpu_is_an_error_where_too_much_was_listed_to_be_remembered() {
    for at in [FailAt::Call(6), FailAt::Panic(6)] {
        let tuning = Tuning { remembered: 3, ..Tuning::default() };
        let gpus = vec![gpu("gpu").failing(at)];
        let (outcome, concepts, said) = listed(gpus, &Terms::default(), tuning);
        let error = outcome.expect_err("concepts were listed").to_string();
        assert!(error.starts_with("device gpu: ") && error.contains("call 6"), "{error}");
        assert!(!concepts.is_empty());
        assert!(said.is_empty());
    }
}

/// Whichever operation on the card is the first to fail, whether memory, a copy or a kernel.
#[test]
fn any_operation_of_the_card_may_fail() {
    let whole = concepts_of_wide();
    for at in 0..48 {
        let emulation = Emulation { fails_at: Some(at), ..Emulation::default() };
        let (machine, said) = machine(vec![emulated("gpu", emulation, threads(1))]);
        let counted = search_on(&machine, &wide(), &Terms::default(), &mut [()]);
        assert_eq!(counted, Ok(whole), "operation {at}");
        assert_eq!(told_of(&said), ["gpu"], "operation {at}");
    }
}

#[test]
#[should_panic(expected = "enough of this")]
fn a_visitor_that_panics_is_no_failure_of_the_device() {
    let (machine, _) = machine(vec![gpu("gpu")]);
    let visitor = |concept: &ConceptView<'_>| assert!(concept.support > 3, "enough of this");
    let _ = search_on(&machine, &wide(), &Terms::default(), &mut [visitor, visitor]);
}
