//! Work split over devices: a device that fails is not used again, its pieces go to the others, and
//! no piece counts as completed by mistake.

use pellucid_device::{Device, DeviceError, Executor, FailAt, Machine, Schedule, Work};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The number of items in each call of a device.
type CallSizes = Arc<Mutex<Vec<usize>>>;

fn device(id: &str) -> Device {
    Device::processor(NonZeroUsize::new(1)).unwrap().with_id(id)
}

fn executor(devices: Vec<Device>, schedule: &Schedule) -> (Executor<CallSizes>, Vec<CallSizes>) {
    let mut machine = Machine::processor(NonZeroUsize::new(1)).unwrap();
    machine.devices = devices;
    machine.schedule = schedule.clone();
    let all = Mutex::new(Vec::new());
    let open = |_: &_| {
        let seen = CallSizes::default();
        all.lock().unwrap().push(Arc::clone(&seen));
        Ok(Box::new(seen))
    };
    let executor = Executor::new(&machine, open).unwrap();
    (executor, all.into_inner().unwrap())
}

/// Computes squares. Before it is done, a device leaves invalid values behind.
fn squares(executor: &mut Executor<CallSizes>, items: usize) -> Result<Vec<u64>, DeviceError> {
    let mut out = vec![0; items];
    executor.run(Work {
        items,
        width: 1,
        unit: 1.0,
        out: &mut out,
        work: |seen: &mut CallSizes, items: Range<usize>, out: &mut [u64]| {
            seen.lock().unwrap().push(items.len());
            out.fill(99);
            out.iter_mut().zip(items).for_each(|(square, item)| *square = (item * item) as u64);
            Ok(())
        },
    })?;
    Ok(out)
}

#[test]
fn the_work_of_a_device_that_fails_goes_to_the_others() {
    let expected: Vec<u64> = (0..300).map(|item| item * item).collect();
    for schedule in [Schedule::Idle, Schedule::Shares(vec![1.0, 3.0, 1.0])] {
        for calls in [1, 2, 3] {
            for at in [FailAt::Call(calls), FailAt::Panic(calls)] {
                let worse = device("worse").failing(FailAt::Call(1));
                let devices = vec![device("good"), device("bad").failing(at), worse];
                let (mut executor, seen) = executor(devices, &schedule);
                assert_eq!(squares(&mut executor, 300).unwrap(), expected, "{schedule:?} {at:?}");
                let faults = executor.take_faults();
                // Every device is used, for its share or for a trial.
                assert!(faults.iter().any(|fault| fault.error.device == "worse"), "{faults:?}");
                assert!(executor.take_faults().is_empty(), "each failure is returned once");
                let before = seen[1].lock().unwrap().len();
                assert_eq!(squares(&mut executor, 300).unwrap(), expected);
                if calls == 1 {
                    assert_eq!(
                        seen[1].lock().unwrap().len(),
                        before,
                        "a failed device is not used again"
                    );
                }
                assert!(seen[0].lock().unwrap().iter().sum::<usize>() > 0);
            }
        }
    }
}

#[test]
fn the_only_device_gets_all_work_in_one_piece() {
    let schedule = Schedule::Shares(vec![1.0, 0.0]);
    let (mut executor, seen) = executor(vec![device("one"), device("other")], &schedule);
    squares(&mut executor, 500).unwrap();
    assert_eq!(*seen[0].lock().unwrap(), [500]);
    assert!(seen[1].lock().unwrap().is_empty());
}

/// A number whose default panics `PANICS_LEFT` times. This is the only way to cause a panic in the
/// executor itself from a test.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PanickingDefault(u64);

static PANICS_LEFT: AtomicUsize = AtomicUsize::new(0);

impl Default for PanickingDefault {
    fn default() -> PanickingDefault {
        let left = PANICS_LEFT
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert!(left.is_err(), "not now");
        PanickingDefault(0)
    }
}

/// A panic outside of the work of a device must not lose a piece.
#[test]
fn a_panic_outside_of_a_device_loses_no_piece() {
    // The first device has the larger part and works on this thread. The second one fails, and its
    // results are cleared.
    let schedule = Schedule::Shares(vec![3.0, 1.0]);
    let (mut executor, _) = executor(vec![device("good"), device("bad")], &schedule);
    let here = std::thread::current().id();
    let mut out = vec![PanickingDefault(0); 40];
    PANICS_LEFT.store(1, Ordering::SeqCst);
    executor
        .run(Work {
            items: 40,
            width: 1,
            unit: 1.0,
            out: &mut out,
            work: |_: &mut CallSizes, items: Range<usize>, out: &mut [PanickingDefault]| {
                if std::thread::current().id() != here {
                    return Err(DeviceError::new("bad", "lost"));
                }
                out.iter_mut()
                    .zip(items)
                    .for_each(|(out, item)| *out = PanickingDefault(item as u64 + 1));
                Ok(())
            },
        })
        .unwrap();
    assert_eq!(PANICS_LEFT.load(Ordering::SeqCst), 0, "the panic happened");
    assert_eq!(out, (1..=40).map(PanickingDefault).collect::<Vec<_>>());
    let faults = executor.take_faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].error.to_string(), "device bad: panicked: not now");
}
