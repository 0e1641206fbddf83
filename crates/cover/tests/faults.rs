//! Tests devices that fail at every point: the other devices take over the work, each failure is
//! reported once, and the counts stay the same.

use pellucid_bits::{BitRows, Level};
use pellucid_cover::{Hypothesis, Labels, Session, Table, Tallies};
use pellucid_data::Values;
use pellucid_device::{Device, FailAt, FaultListener, Schedule, Threads};
use pellucid_program::ProgramId;
use pellucid_testdevices::cases;
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// Returns the CPU under another name.
fn device(id: &str, at: Option<FailAt>) -> Device {
    let thread = Arc::new(Threads::new(NonZeroUsize::new(1)).expect("a thread"));
    let cpu = Device::with_level(thread, Level::Portable)
        .expect("the portable level is always available");
    let named = cpu.with_id(id);
    match at {
        Some(at) => named.failing(at),
        None => named,
    }
}

fn table() -> Arc<Table> {
    let column =
        |factor: usize| Values::Numeric((0..700).map(|row| (row * factor % 101) as f64).collect());
    Arc::new(Table::new(vec![("a".into(), column(7)), ("b".into(), column(13))]).expect("a table"))
}

fn session(devices: &[Device], schedule: &Schedule) -> Result<Session, String> {
    let table = table();
    let codes: Vec<u32> = (0..table.rows()).map(|row| (row % 3 == 0).into()).collect();
    let labels = Labels::rows(&table, &codes, 2).expect("labels");
    let mut session = Session::new(table, labels, Hypothesis::Rows, devices)
        .map_err(|error| error.to_string())?;
    session.set_schedule(schedule.clone());
    Ok(session)
}

fn rules(session: &mut Session, number: usize) -> Vec<ProgramId> {
    let rule = |cut| format!("a > {} and b <= {}", cut % 97, cut / 3);
    (0..number).map(|cut| session.programs_mut().parse(&rule(cut)).expect("a rule")).collect()
}

fn expected(number: usize) -> (Tallies, BitRows) {
    let mut alone = session(&[device("good", None)], &Schedule::Idle).expect("a session");
    let roots = rules(&mut alone, number);
    (alone.tally(&roots).expect("tallies"), alone.cover(&roots).expect("rows"))
}

fn failure() -> impl Strategy<Value = Option<FailAt>> {
    prop_oneof![
        2 => Just(None),
        1 => Just(Some(FailAt::Load)),
        2 => (1u64..6).prop_map(|call| Some(FailAt::Call(call))),
        1 => (1u64..6).prop_map(|call| Some(FailAt::Panic(call))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), ..ProptestConfig::default() })]

    #[test]
    fn results_stay_the_same_while_one_device_works(
        failures in prop::collection::vec(failure(), 1..4),
        working in 0usize..4,
        number in 1usize..300,
        shares in prop::option::of(prop::collection::vec(0.0..1.0f64, 4)),
        covers_first: bool,
    ) {
        let mut failures = failures;
        failures.insert(working.min(failures.len()), None);
        let devices: Vec<_> =
            failures.iter().enumerate().map(|(index, &at)| device(&format!("d{index}"), at)).collect();
        let schedule = shares.map_or(Schedule::Idle, Schedule::Shares);
        let mut session = session(&devices, &schedule).expect("one device loads the table");
        let received: Arc<Mutex<Vec<String>>> = Arc::default();
        session.set_fault_listener(FaultListener::new({
            let received = Arc::clone(&received);
            move |fault| received.lock().expect("no panic").push(fault.error.device.clone())
        }));
        let roots = rules(&mut session, number);
        let (tallies, rows) = expected(number);
        if covers_first {
            prop_assert_eq!(session.cover(&roots).expect("rows"), rows.clone());
        }
        for _ in 0..8 {
            prop_assert_eq!(session.tally(&roots).expect("tallies"), tallies.clone());
            session.forget_counts();
        }
        prop_assert_eq!(session.cover(&roots).expect("rows"), rows);
        let faults = session.take_faults();
        let mut failed: Vec<String> = faults.iter().map(|fault| fault.error.device.clone()).collect();
        prop_assert_eq!(&failed, &*received.lock().expect("no panic"));
        failed.sort();
        failed.dedup();
        prop_assert_eq!(failed.len(), faults.len(), "each failure is reported once");
        for fault in &faults {
            let index: usize = fault.error.device[1..].parse().expect("a device index");
            prop_assert!(failures[index].is_some(), "{} works", fault.error.device);
            prop_assert!((1..devices.len()).contains(&fault.left));
        }
        for (index, _) in failures.iter().enumerate().filter(|(_, at)| **at == Some(FailAt::Load)) {
            let id = format!("d{index}");
            prop_assert!(failed.contains(&id), "{id} cannot load the table");
        }
        prop_assert!(session.take_faults().is_empty());
    }
}

#[test]
fn a_failure_of_all_devices_is_an_error() {
    let both = |one, other| [device("one", Some(one)), device("other", Some(other))];
    let error = session(&both(FailAt::Load, FailAt::Load), &Schedule::Idle).unwrap_err();
    assert_eq!(error, "device other: out of memory while opening (simulated failure)");
    let halves = Schedule::Shares(vec![1.0, 1.0]);
    for schedule in [Schedule::Idle, halves] {
        for at in [FailAt::Call, FailAt::Panic] {
            let mut session = session(&both(at(1), at(1)), &schedule).expect("a session");
            let roots = rules(&mut session, 100);
            let error = session.tally(&roots).unwrap_err().to_string();
            assert!(
                error.starts_with("device o") && error.contains("simulated failure"),
                "{error}"
            );
            let faults = session.take_faults();
            assert_eq!(faults.len(), 1, "the second failure is returned as the error: {faults:?}");
            assert_eq!(faults[0].left, 1);
            assert!(faults[0].to_string().ends_with("; its work goes to the other device"));
            let none = "device none: no device is left";
            assert_eq!(session.tally(&roots).unwrap_err().to_string(), none);
            assert_eq!(session.cover(&roots).unwrap_err().to_string(), none);
        }
    }
    let mut session = session(&both(FailAt::Call(1), FailAt::Call(1)), &Schedule::Idle).unwrap();
    let roots = rules(&mut session, 10);
    assert!(session.cover(&roots).unwrap_err().to_string().starts_with("device other: lost"));
    assert_eq!(session.take_faults().len(), 1);
}

#[test]
fn a_device_that_fails_in_many_sessions_is_reported_once() {
    let devices = [device("good", None), device("bad", Some(FailAt::Load))];
    let received = Arc::new(Mutex::new(0));
    let listener = FaultListener::new({
        let received = Arc::clone(&received);
        move |_| *received.lock().expect("no panic") += 1
    });
    for _ in 0..3 {
        let mut session = session(&devices, &Schedule::Idle).expect("a session");
        session.set_fault_listener(listener.clone());
        assert_eq!(session.take_faults().len(), 1);
    }
    assert_eq!(*received.lock().expect("no panic"), 1);
}

#[test]
fn a_device_with_a_share_of_zero_is_not_used() {
    let devices = [device("good", None), device("bad", Some(FailAt::Call(1)))];
    let mut session = session(&devices, &Schedule::Shares(vec![1.0, 0.0])).expect("a session");
    let roots = rules(&mut session, 200);
    session.tally(&roots).expect("tallies");
    session.cover(&roots).expect("rows");
    assert!(session.take_faults().is_empty());
}

#[test]
fn a_probe_error_names_the_device_once() {
    let failing = device("cuda:0", Some(FailAt::Call(2)));
    let error = pellucid_cover::probe(&failing).expect_err("it fails").to_string();
    assert_eq!(error.matches("cuda:0").count(), 1, "{error}");
}
