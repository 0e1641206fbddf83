//! Devices that fail, in every way and place: the others do the work, each failure is told once, and no count
//! changes.

use pellucid_bits::{BitRows, Level};
use pellucid_cover::{Hypothesis, Labels, Session, Table, Tallies};
use pellucid_data::Values;
use pellucid_device::{Device, FailAt, FaultListener, Schedule, Threads};
use pellucid_program::ProgramId;
use pellucid_testdevices::cases;
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// The processor under another name.
fn device(id: &str, at: Option<FailAt>) -> Device {
    let thread = Arc::new(Threads::new(NonZeroUsize::new(1)).expect("a thread"));
    let cpu = Device::with_level(thread, Level::Portable).expect("portable is everywhere");
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

fn way() -> impl Strategy<Value = Option<FailAt>> {
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
    fn as_long_as_one_device_works_nothing_changes(
        ways in prop::collection::vec(way(), 1..4),
        place in 0usize..4,
        number in 1usize..300,
        shares in prop::option::of(prop::collection::vec(0.0..1.0f64, 4)),
        covers_first: bool,
    ) {
        let mut ways = ways;
        ways.insert(place.min(ways.len()), None);
        let devices: Vec<_> =
            ways.iter().enumerate().map(|(index, &at)| device(&format!("d{index}"), at)).collect();
        let schedule = shares.map_or(Schedule::Idle, Schedule::Shares);
        let mut session = session(&devices, &schedule).expect("one takes the table");
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        session.set_fault_listener(FaultListener::new({
            let heard = Arc::clone(&heard);
            move |fault| heard.lock().expect("no panic").push(fault.error.device.clone())
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
        prop_assert_eq!(&failed, &*heard.lock().expect("no panic"));
        failed.sort();
        failed.dedup();
        prop_assert_eq!(failed.len(), faults.len(), "each is told once");
        for fault in &faults {
            let place: usize = fault.error.device[1..].parse().expect("a place");
            prop_assert!(ways[place].is_some(), "{} works", fault.error.device);
            prop_assert!((1..devices.len()).contains(&fault.left));
        }
        for (index, _) in ways.iter().enumerate().filter(|(_, at)| **at == Some(FailAt::Load)) {
            let id = format!("d{index}");
            prop_assert!(failed.contains(&id), "{id} takes no table");
        }
        prop_assert!(session.take_faults().is_empty());
    }
}

#[test]
fn when_all_fail_it_is_an_error_that_says_so() {
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
            assert_eq!(faults.len(), 1, "the other one is the error: {faults:?}");
            assert_eq!(faults[0].left, 1);
            assert!(faults[0].to_string().ends_with("; its work goes to the other device"));
            let none = "device none: no device is left";
            assert_eq!(session.tally(&roots).unwrap_err().to_string(), none);
            assert_eq!(session.cover(&roots).unwrap_err().to_string(), none);
        }
    }
    let mut session = session(&both(FailAt::Call(1), FailAt::Call(1)), &Schedule::Idle).unwrap();
    let roots = rules(&mut session, 10);
    assert!(
        session.cover(&roots).unwrap_err().to_string().starts_with("device other: it was lost")
    );
    assert_eq!(session.take_faults().len(), 1);
}

#[test]
fn a_device_that_fails_in_many_sessions_is_told_once() {
    let devices = [device("good", None), device("bad", Some(FailAt::Load))];
    let heard = Arc::new(Mutex::new(0));
    let listener = FaultListener::new({
        let heard = Arc::clone(&heard);
        move |_| *heard.lock().expect("no panic") += 1
    });
    for _ in 0..3 {
        let mut session = session(&devices, &Schedule::Idle).expect("a session");
        session.set_fault_listener(listener.clone());
        assert_eq!(session.take_faults().len(), 1);
    }
    assert_eq!(*heard.lock().expect("no panic"), 1);
}

#[test]
fn with_a_share_of_nothing_a_device_is_not_called() {
    let devices = [device("good", None), device("bad", Some(FailAt::Call(1)))];
    let mut session = session(&devices, &Schedule::Shares(vec![1.0, 0.0])).expect("a session");
    let roots = rules(&mut session, 200);
    session.tally(&roots).expect("tallies");
    session.cover(&roots).expect("rows");
    assert!(session.take_faults().is_empty());
}

#[test]
fn a_probe_names_the_device_that_fails_once() {
    let failing = device("cuda:0", Some(FailAt::Call(2)));
    let error = pellucid_cover::probe(&failing).expect_err("it fails").to_string();
    assert_eq!(error.matches("cuda:0").count(), 1, "{error}");
}
