//! If devices fail before a concept is listed, the search is handed over. Runs on all groups of
//! devices, including real ones.

use super::groups;
use pellucid_close::{Terms, open, spec};
use pellucid_data::Relation;
use pellucid_device::{Device, FailAt, FaultListener, Machine};
use pellucid_testdevices::threads;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn when_all_devices_fail_the_cpu_searches() {
    let rows: Vec<Vec<u32>> =
        (0..7).map(|object| (0..7).filter(|&a| a != object).collect()).collect();
    let relation = Relation::new(7, rows).unwrap();
    let whole = spec::concepts(&relation, &Terms::default(), &mut ());
    for group in groups() {
        for at in [FailAt::Load, FailAt::Call(1), FailAt::Panic(1)] {
            let failing: Vec<Device> = group.iter().map(|gpu| gpu.clone().failing(at)).collect();
            let (devices, faults) = (failing.len(), Arc::new(AtomicUsize::new(0)));
            let counter = Arc::clone(&faults);
            let mut machine = Machine::new(failing, threads(1));
            machine.faults = FaultListener::new(move |_| {
                counter.fetch_add(1, Ordering::SeqCst);
            });
            let counted = open(&machine, &relation).search(&Terms::default(), &mut [()]);
            assert_eq!(counted, Ok(whole), "{at:?}");
            assert_eq!(faults.load(Ordering::SeqCst), devices, "{at:?}");
        }
    }
}
