//! Concepts on GPUs, real ones where there are any and emulated ones with the feature `emulator`: the same as by the
//! specification, in every shape of context and however the work is cut.

use pellucid_close::{Found, Outcome, Stop, Terms, Visitor, search_on, spec};
use pellucid_data::Relation;
use pellucid_device::{Device, DeviceKind, FailAt, FaultListener, Machine, Threads, devices};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// GPUs alone and in pairs.
fn gpus() -> Vec<Vec<Device>> {
    let threads = Arc::new(Threads::new(None).expect("threads"));
    let mut crews: Vec<Vec<Device>> = Vec::new();
    #[cfg(feature = "emulator")]
    {
        use pellucid_device::gpu::{Emulation, emulated};
        let gpu = |multiprocessors, threads_in_block, shared_bytes| {
            // Room for few records at a time.
            let memory = Some(2 << 10);
            let shape = Emulation {
                memory,
                multiprocessors,
                threads: threads_in_block,
                shared_bytes,
                ..Emulation::default()
            };
            emulated("gpu", shape, Arc::clone(&threads))
        };
        crews.push(vec![gpu(1, 32, 48 << 10)]);
        crews.push(vec![gpu(2, 128, 20 << 10)]);
        crews.push(vec![gpu(1, 64, 200 << 10), gpu(1, 96, 8 << 10)]);
    }
    let found = devices(&threads).expect("devices").devices;
    let real: Vec<_> =
        found.into_iter().filter(|device| device.kind() == DeviceKind::Gpu).collect();
    if let Some(first) = real.first() {
        crews.push(vec![first.clone()]);
        crews.push(vec![first.clone(), first.clone()]);
    }
    crews
}

/// A machine on which no device may fail.
fn machine(devices: Vec<Device>) -> Machine {
    let thread = Threads::new(NonZeroUsize::new(1)).expect("a thread");
    let mut machine = Machine::new(devices, Arc::new(thread));
    machine.faults = FaultListener::new(|fault| panic!("{fault}"));
    machine
}

type Concepts = Vec<(Vec<u64>, u64, Vec<u64>)>;

/// Keeps what it sees: intent, support, extent.
#[derive(Default)]
struct Keep(Concepts);

impl Visitor for Keep {
    fn visit(&mut self, found: &Found<'_>) {
        self.0.push((found.intent.to_vec(), found.support, found.extent.to_vec()));
    }
}

/// All that is listed, in order, and the outcome.
fn listed(search: impl FnOnce(&mut [Keep]) -> Outcome) -> (Concepts, Outcome) {
    let mut visitors = [Keep::default(), Keep::default()];
    let outcome = search(&mut visitors);
    let mut all: Concepts = visitors.into_iter().flat_map(|visitor| visitor.0).collect();
    all.sort_unstable();
    (all, outcome)
}

/// Rows and columns of all sorts: empty, full, repeated, few and many.
fn context() -> impl Strategy<Value = Relation> {
    let shape = prop_oneof![
        (1u32..12, 0usize..12),
        Just((64, 9)),
        Just((65, 9)),
        Just((129, 9)),
        Just((130, 12)),
        (3u32..6, 1000usize..1100),
        Just((9, 2100)),
    ];
    (shape, 0.0..1.0f64, any::<u64>()).prop_map(|((attributes, objects), density, seed)| {
        let mut state = seed | 1;
        let mut draw = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let rows = (0..objects).map(|_| {
            let row = match draw() {
                kind if kind < 0.05 => 0.0,
                kind if kind > 0.95 => 1.0,
                _ => density,
            };
            (0..attributes).filter(|_| draw() < row).collect::<Vec<u32>>()
        });
        let mut rows: Vec<Vec<u32>> = rows.collect();
        if rows.len() > 3 {
            rows[1] = rows[0].clone();
        }
        Relation::new(attributes as usize, rows).expect("attributes are in range")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn gpus_list_what_the_specification_lists(relation in context(), min_support in 0u64..4) {
        let terms = Terms { min_support, extents: true, most: None, ..Terms::default() };
        let most = Terms { most: Some(3000), ..terms };
        let (expected, whole) = listed(|visitors| spec::concepts(&relation, &most, &mut visitors[0]));
        prop_assume!(whole.stop == Stop::Complete);
        for crew in gpus() {
            let (found, outcome) = listed(|visitors| {
                search_on(&machine(crew.clone()), &relation, &terms, visitors).expect("no failure")
            });
            prop_assert_eq!(&outcome, &whole);
            prop_assert_eq!(&found, &expected);
            let counted = search_on(&machine(crew.clone()), &relation, &terms, &mut [()]).expect("no failure");
            prop_assert_eq!(&counted, &whole);
        }
    }
}

fn graph(nodes: u32, edge: impl Fn(u32, u32) -> bool) -> Relation {
    let row = |a: u32| (0..nodes).filter(|&b| edge(a.min(b), a.max(b))).collect::<Vec<u32>>();
    Relation::new(nodes as usize, (0..nodes).map(row)).expect("nodes are in range")
}

#[test]
fn graphs_and_limits() {
    let graph = graph(140, |a, b| (a * 7 + b * 13) % 11 == 0 && a % 3 != b % 5);
    let (expected, whole) =
        listed(|visitors| spec::concepts(&graph, &Terms::default(), &mut visitors[0]));
    assert!(expected.len() > 50, "{}", expected.len());
    for crew in gpus() {
        let run = |terms: &Terms<'_>| {
            listed(|visitors| {
                search_on(&machine(crew.clone()), &graph, terms, visitors).expect("no failure")
            })
        };
        assert_eq!(run(&Terms::default()), (expected.clone(), whole));
        let (few, outcome) = run(&Terms { most: Some(7), ..Terms::default() });
        assert_eq!((few.len(), outcome.concepts, outcome.stop), (7, 7, Stop::Most));
        let all = whole.concepts;
        assert_eq!(run(&Terms { most: Some(all), ..Terms::default() }).1, whole);
        let told: &(dyn Fn() -> bool + Sync) = &|| true;
        let (_, outcome) = run(&Terms { stop: Some(told), ..Terms::default() });
        assert!(outcome.concepts <= all);
    }
}

/// A GPU that is lost before anything was shown hands the whole search to the processor, with one fault; one that is lost
/// later is an error, because what was shown cannot be taken back.
#[test]
fn a_gpu_that_fails_hands_over_while_nothing_was_shown() {
    let graph = graph(140, |a, b| (a * 7 + b * 13) % 11 == 0 && a % 3 != b % 5);
    let whole = spec::concepts(&graph, &Terms::default(), &mut ());
    for crew in gpus() {
        for at in [FailAt::Load, FailAt::Call(1), FailAt::Call(2)] {
            let failing: Vec<Device> = crew.iter().map(|gpu| gpu.clone().failing(at)).collect();
            let told = Arc::new(AtomicUsize::new(0));
            let listener = {
                let told = Arc::clone(&told);
                FaultListener::new(move |_| {
                    told.fetch_add(1, Ordering::SeqCst);
                })
            };
            let mut machine = machine(failing);
            machine.faults = listener;
            let counted = search_on(&machine, &graph, &Terms::default(), &mut [()]);
            assert_eq!(counted, Ok(whole), "{at:?}");
            // A large GPU may be done before its second call.
            let told = told.load(Ordering::SeqCst);
            assert!(told == 1 || (at == FailAt::Call(2) && told == 0), "{at:?}");
        }
        // Records of the first slice are shown after the third one was asked for.
        let lost = crew[0].clone().failing(FailAt::Call(4));
        let mut visitors = [Keep::default()];
        let mut machine = machine(vec![lost]);
        machine.faults = FaultListener::default();
        let ended = search_on(&machine, &graph, &Terms::default(), &mut visitors);
        match ended {
            Ok(outcome) => assert_eq!(outcome, whole),
            Err(error) => {
                assert!(error.to_string().contains("it was lost in call 4"), "{error}");
                assert!(!visitors[0].0.is_empty());
            }
        }
    }
}
