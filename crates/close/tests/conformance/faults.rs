//! Emulated GPUs that do not open, fail or panic: the others continue, and the CPU takes over if
//! none is left.

use super::{Collector, Concept, digest_of};
use pellucid_close::{ConceptView, SearchOutcome, SearchStop, Terms, Tuning, open, spec};
use pellucid_data::Relation;
use pellucid_device::gpu::{Emulation, emulated};
use pellucid_device::{Device, DeviceError, FailAt, FaultListener, Machine};
use pellucid_testdevices::threads;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Ten objects and 140 attributes, which is too many attributes for a tall context.
fn wide() -> Relation {
    let has = |object: u32, attribute: u32| {
        (object * object * 31 + attribute * attribute * 17 + object * attribute * 7) % 13 < 7
    };
    let row = |object| (0..140).filter(|&a| has(object, a)).collect::<Vec<u32>>();
    Relation::new(140, (0..10).map(row)).expect("attributes are in range")
}

/// Returns the outcome for [`wide`], which has enough concepts for many slices of seven nodes.
fn concepts_of_wide() -> SearchOutcome {
    let outcome = spec::concepts(&wide(), &Terms::default(), &mut ());
    assert!(outcome.concepts > 80, "{outcome:?}");
    outcome
}

/// An emulated GPU with one warp.
fn gpu(id: &str) -> Device {
    super::gpu(id, 1, 32, 48 << 10)
}

/// A GPU without the shared memory that a wide context needs.
fn small_gpu(id: &str) -> Device {
    emulated(id, Emulation { shared_bytes: 1 << 10, ..Emulation::default() }, threads(1))
}

/// A machine with the given devices, and the fault messages it reports.
fn machine(devices: Vec<Device>) -> (Machine, Arc<Mutex<Vec<String>>>) {
    let messages = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&messages);
    let mut machine = Machine::new(devices, threads(1));
    machine.faults =
        FaultListener::new(move |fault| listener.lock().unwrap().push(fault.to_string()));
    (machine, messages)
}

/// Returns the devices in the fault messages, in order.
fn fault_devices(messages: &Mutex<Vec<String>>) -> Vec<String> {
    let device = |fault: &String| fault.split([' ', ':']).nth(1).unwrap_or_default().to_owned();
    messages.lock().unwrap().iter().map(device).collect()
}

#[test]
fn a_gpu_that_does_not_open_is_left_out_and_the_other_searches() {
    // The second one fails too, but only when it searches.
    let (machine, messages) =
        machine(vec![gpu("first").failing(FailAt::Load), gpu("second").failing(FailAt::Call(1))]);
    let counted = open(&machine, &wide()).search(&Terms::default(), &mut [()]);
    assert_eq!(counted, Ok(concepts_of_wide()));
    assert_eq!(fault_devices(&messages), ["first", "second"]);
}

#[test]
fn a_gpu_that_is_lost_before_anything_was_shown_leaves_the_search_to_the_other() {
    for at in [FailAt::Call(1), FailAt::Call(2), FailAt::Panic(1), FailAt::Panic(2)] {
        for lost in 0..2 {
            let mut gpus = vec![gpu("first"), gpu("second")];
            gpus[lost] = gpus[lost].clone().failing(at);
            let (machine, messages) = machine(gpus);
            let counted = open(&machine, &wide()).search(&Terms::default(), &mut [()]);
            assert_eq!(counted, Ok(concepts_of_wide()), "{at:?}");
            assert_eq!(fault_devices(&messages), [["first", "second"][lost]], "{at:?}");
        }
    }
}

#[test]
fn a_gpu_that_is_too_small_is_left_out_and_the_other_searches() {
    let gpus = vec![small_gpu("small"), gpu("second").failing(FailAt::Call(1))];
    let (machine, messages) = machine(gpus);
    let counted = open(&machine, &wide()).search(&Terms::default(), &mut [()]);
    assert_eq!(counted, Ok(concepts_of_wide()));
    assert_eq!(fault_devices(&messages), ["small", "second"]);
}

#[test]
fn a_context_that_is_too_large_does_not_hide_a_later_failure() {
    let (machine, messages) = machine(vec![small_gpu("small").failing(FailAt::Call(1))]);
    for _ in 0..2 {
        let counted = open(&machine, &wide()).search(&Terms::default(), &mut [()]);
        assert_eq!(counted, Ok(concepts_of_wide()));
    }
    assert_eq!(fault_devices(&messages), ["small"]);
    let tall = Relation::new(3, [[0, 1], [1, 2], [0, 2]]).expect("attributes are in range");
    let counted = open(&machine, &tall).search(&Terms::default(), &mut [()]);
    assert_eq!(counted.map(|outcome| outcome.concepts), Ok(8));
    assert_eq!(fault_devices(&messages), ["small", "small"]);
    let messages = messages.lock().unwrap();
    assert!(messages[1].contains("lost in call 1"), "{messages:?}");
}

#[test]
fn progress_begins_again_when_the_search_does() {
    for gpus in [1, 2] {
        let devices = (0..gpus).map(|number| gpu(&format!("gpu{number}")).failing(FailAt::Call(3)));
        let (machine, _) = machine(devices.collect());
        let progress = AtomicU64::new(0);
        let terms = Terms { progress: Some(&progress), ..Terms::default() };
        let counted =
            open(&machine, &wide()).search(&terms, &mut [()]).expect("the CPU takes over");
        assert_eq!(counted, concepts_of_wide());
        assert_eq!(progress.load(Ordering::Relaxed), counted.concepts);
    }
}

#[test]
fn a_panic_before_anything_was_shown_hands_over_like_an_error() {
    for call in [1, 2] {
        let (machine, messages) = machine(vec![gpu("gpu").failing(FailAt::Panic(call))]);
        let mut shown = 0;
        let visitor = |_: &ConceptView<'_>| shown += 1;
        let outcome = open(&machine, &wide()).search(&Terms::default(), &mut [visitor]);
        assert_eq!(outcome, Ok(concepts_of_wide()));
        assert_eq!(shown, concepts_of_wide().concepts);
        assert_eq!(messages.lock().unwrap().len(), 1);
        assert!(
            messages.lock().unwrap()[0]
                .starts_with("device gpu: panicked: simulated failure in call "),
            "{messages:?}"
        );
    }
}

/// Returns the outcome of a search on some devices, the concepts that the visitors received,
/// sorted, and the devices that failed.
fn listed(
    devices: Vec<Device>,
    terms: &Terms<'_>,
    tuning: Tuning,
) -> (Result<SearchOutcome, DeviceError>, Vec<Concept>, Vec<String>) {
    let (machine, messages) = machine(devices);
    let mut visitors = [Collector::default(), Collector::default()];
    let outcome = open(&machine, &wide()).tuned(tuning).search(terms, &mut visitors);
    let mut concepts: Vec<Concept> = visitors.into_iter().flat_map(|visitor| visitor.0).collect();
    concepts.sort_unstable();
    (outcome, concepts, fault_devices(&messages))
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
                let (outcome, concepts, messages) = listed(devices, &terms, Tuning::default());
                assert_eq!(outcome, Ok(concepts_of_wide()), "{at:?}");
                assert_eq!(concepts, expected, "{at:?}");
                assert_eq!(progress.into_inner(), concepts_of_wide().concepts, "{at:?}");
                assert!(messages == ["lost"] || messages.is_empty(), "{at:?}: {messages:?}");
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
fn a_lost_gpu_is_an_error_if_more_was_listed_than_can_be_remembered() {
    for at in [FailAt::Call(6), FailAt::Panic(6)] {
        let tuning = Tuning { remembered: 3, ..Tuning::default() };
        let gpus = vec![gpu("gpu").failing(at)];
        let (outcome, concepts, messages) = listed(gpus, &Terms::default(), tuning);
        let error = outcome.expect_err("concepts were listed").to_string();
        assert!(error.starts_with("device gpu: ") && error.contains("call 6"), "{error}");
        assert!(!concepts.is_empty());
        assert!(messages.is_empty());
    }
}

/// Any operation on the GPU may be the first to fail: an allocation, a copy or a kernel.
#[test]
fn any_gpu_operation_may_fail() {
    let whole = concepts_of_wide();
    for at in 0..48 {
        let emulation = Emulation { fails_at: Some(at), ..Emulation::default() };
        let (machine, messages) = machine(vec![emulated("gpu", emulation, threads(1))]);
        let counted = open(&machine, &wide()).search(&Terms::default(), &mut [()]);
        assert_eq!(counted, Ok(whole), "operation {at}");
        assert_eq!(fault_devices(&messages), ["gpu"], "operation {at}");
    }
}

#[test]
#[should_panic(expected = "enough of this")]
fn a_panic_in_a_visitor_is_not_a_device_failure() {
    let (machine, _) = machine(vec![gpu("gpu")]);
    let visitor = |concept: &ConceptView<'_>| assert!(concept.support > 3, "enough of this");
    let _ = open(&machine, &wide()).search(&Terms::default(), &mut [visitor, visitor]);
}
