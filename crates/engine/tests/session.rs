//! Sessions: what is remembered, devices that fail, questions that do not fit.

use pellucid_engine::{
    Batch, BindError, BitRows, Cpu, Device, DeviceError, DeviceKind, EvaluateError, Hypothesis,
    Labels, ProgramId, Programs, Quantifier, Resident, Schedule, Session, Table, TableError,
    Values,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn table(rows: usize) -> Arc<Table> {
    let column =
        |factor: usize| Values::Numeric((0..rows).map(|row| (row * factor % 101) as f64).collect());
    Arc::new(Table::new(vec![("a".into(), column(7)), ("b".into(), column(13))]).unwrap())
}

fn labels(table: &Table) -> Labels {
    let codes: Vec<u32> = (0..table.rows()).map(|row| (row % 3 == 0).into()).collect();
    Labels::rows(table, &codes, 2).unwrap()
}

fn rules(programs: &mut Programs) -> Vec<ProgramId> {
    (0..300)
        .map(|cut| programs.parse(&format!("a > {} and b <= {}", cut % 100, cut / 3)).unwrap())
        .collect()
}

/// A device that works until a number of calls, then fails; it counts the roots it was given.
#[derive(Debug)]
struct Fragile {
    id: String,
    inner: Cpu,
    calls_left: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<usize>>>,
}

#[derive(Debug)]
struct FragileTable {
    inner: Box<dyn Resident>,
    id: String,
    calls_left: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<usize>>>,
}

impl Fragile {
    fn device(id: &str, calls: usize) -> (Arc<dyn Device>, Arc<Mutex<Vec<usize>>>) {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let device = Fragile {
            id: id.into(),
            inner: Cpu::new(std::num::NonZeroUsize::new(1)).unwrap(),
            calls_left: Arc::new(AtomicUsize::new(calls)),
            seen: Arc::clone(&seen),
        };
        (Arc::new(device), seen)
    }
}

impl Device for Fragile {
    fn id(&self) -> &str {
        &self.id
    }

    fn kind(&self) -> DeviceKind {
        DeviceKind::Processor
    }

    fn description(&self) -> String {
        "fails".into()
    }

    fn load(&self, table: &Arc<Table>) -> Result<Box<dyn Resident>, DeviceError> {
        Ok(Box::new(FragileTable {
            inner: self.inner.load(table)?,
            id: self.id.clone(),
            calls_left: Arc::clone(&self.calls_left),
            seen: Arc::clone(&self.seen),
        }))
    }
}

impl FragileTable {
    fn work(&self) -> Result<(), DeviceError> {
        let left = self
            .calls_left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map(|_| ())
            .map_err(|_| DeviceError { device: self.id.clone(), reason: "out of memory".into() })
    }
}

impl Resident for FragileTable {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        self.seen.lock().unwrap().push(batch.len());
        // A device that fails may have written anything before.
        counts.fill(99);
        self.work()?;
        counts.fill(0);
        self.inner.tally(batch, counts)
    }

    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        self.work()?;
        self.inner.cover(batch)
    }
}

#[test]
fn the_work_of_a_device_that_fails_goes_to_the_others() {
    let table = table(5000);
    let mut alone = Session::new(
        Arc::clone(&table),
        labels(&table),
        Hypothesis::Rows,
        &[Fragile::device("good", usize::MAX).0],
    )
    .unwrap();
    let roots = rules(alone.programs_mut());
    let expected = alone.tally(&roots).unwrap();

    for schedule in [Schedule::Idle, Schedule::Shares(vec![1.0, 3.0, 1.0])] {
        for calls in [0, 1, 2] {
            let (good, good_seen) = Fragile::device("good", usize::MAX);
            let (bad, bad_seen) = Fragile::device("bad", calls);
            let (worse, _) = Fragile::device("worse", 0);
            let devices = [good, bad, worse];
            let mut session =
                Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &devices)
                    .unwrap();
            session.set_schedule(schedule.clone());
            let roots = rules(session.programs_mut());
            assert_eq!(session.tally(&roots).unwrap(), expected, "{schedule:?}, {calls} calls");
            let faults = session.take_faults();
            // Every device is asked: for its share, or to see how fast it is.
            let worse = "device worse: out of memory";
            assert!(faults.iter().any(|fault| fault.error.to_string() == worse));
            assert!(session.take_faults().is_empty(), "each failure is told once");
            // A device that is out stays out.
            let before = bad_seen.lock().unwrap().len();
            session.forget_counts();
            assert_eq!(session.tally(&roots).unwrap(), expected);
            if calls == 0 {
                assert_eq!(bad_seen.lock().unwrap().len(), before);
            }
            assert!(good_seen.lock().unwrap().iter().sum::<usize>() > 0);
        }
    }
}

#[test]
fn a_device_that_works_alone_gets_the_batch_whole() {
    let table = table(500);
    let (one, seen) = Fragile::device("one", usize::MAX);
    let (other, unseen) = Fragile::device("other", usize::MAX);
    let mut session =
        Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &[one, other]).unwrap();
    session.set_schedule(Schedule::Shares(vec![1.0, 0.0]));
    let roots = rules(session.programs_mut());
    session.tally(&roots).unwrap();
    assert_eq!(
        seen.lock().unwrap().iter().map(|&roots| roots as u64).collect::<Vec<_>>(),
        [session.evaluated()]
    );
    assert!(unseen.lock().unwrap().is_empty());
}

#[test]
fn no_device_left_is_an_error_and_nothing_wrong_is_remembered() {
    let table = table(100);
    let (bad, _) = Fragile::device("bad", 1);
    let mut session =
        Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &[bad]).unwrap();
    let first = session.programs_mut().parse("a > 50").unwrap();
    let second = session.programs_mut().parse("a > 60").unwrap();
    session.tally(&[first]).unwrap();
    assert_eq!(session.tally(&[second]).unwrap_err().to_string(), "device bad: out of memory");
    assert_eq!(session.tally(&[second]).unwrap_err().to_string(), "device none: no device is left");
    assert!(session.cover(&[first]).is_err());
}

#[test]
fn what_was_counted_before_is_not_counted_again() {
    let table = table(1000);
    let (device, seen) = Fragile::device("cpu", usize::MAX);
    let mut session =
        Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &[device]).unwrap();
    let roots = rules(session.programs_mut());
    let tallies = session.tally(&roots).unwrap();
    let distinct = session.evaluated();
    assert_eq!(session.tally(&roots).unwrap(), tallies);
    assert_eq!(session.evaluated(), distinct);
    // Other words, same rows: no value lies between 50 and 50.5.
    let one = session.programs_mut().parse("a > 50").unwrap();
    let other = session.programs_mut().parse("a >= 50.5 and true").unwrap();
    session.tally(&[one]).unwrap();
    let before = session.evaluated();
    session.tally(&[other, one, other]).unwrap();
    assert_eq!(session.evaluated(), before);
    assert_eq!(seen.lock().unwrap().iter().sum::<usize>() as u64, before);

    // Another question is answered afresh.
    let all = Labels::rows(&table, &vec![0; 1000], 1).unwrap();
    session.ask(all, Hypothesis::Rows).unwrap();
    assert_eq!(session.tally(&[one]).unwrap().of(0).len(), 1);

    session.forget_programs();
    assert!(session.programs().is_empty());
    let again = rules(session.programs_mut());
    session.ask(labels(&table), Hypothesis::Rows).unwrap();
    assert_eq!(session.tally(&again).unwrap(), tallies);
}

#[test]
fn what_does_not_fit_is_said() {
    let table = table(10);
    let cpu: Arc<dyn Device> = Arc::new(Cpu::new(None).unwrap());
    let new = |labels, hypothesis| {
        Session::new(Arc::clone(&table), labels, hypothesis, std::slice::from_ref(&cpu))
    };
    assert_eq!(
        new(labels(&table), Hypothesis::Presence).unwrap_err().to_string(),
        "the hypothesis 'at least one row' counts bags, and the labels are of rows"
    );
    assert_eq!(
        Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &[])
            .unwrap_err()
            .to_string(),
        "device none: no device was given"
    );
    let mut session = new(labels(&table), Hypothesis::Rows).unwrap();
    let always = session.programs_mut().constant(true);
    let related = session.programs_mut().related(Quantifier::Some, 0, false, always);
    assert_eq!(session.tally(&[related]).unwrap_err(), EvaluateError::Bind(BindError::Roles));
    // It harms no other program.
    assert_eq!(session.tally(&[always]).unwrap().of(0).iter().sum::<u64>(), 10);
    let part = session.programs_mut().not(related);
    let whole = session.programs_mut().and(&[part, related]);
    assert_eq!(session.cover(&[part]).unwrap_err(), EvaluateError::Bind(BindError::Roles));
    assert_eq!(session.tally(&[whole]).unwrap().of(0), [0, 0], "a contradiction needs no role");
    assert!(session.tally(&[]).unwrap().is_empty());

    assert_eq!(Labels::bags(&table, &[0], 1).unwrap_err(), TableError::NoBags);
    assert_eq!(Labels::rows(&table, &[0; 9], 1).unwrap_err().to_string(), "9 labels for 10 rows");
    assert_eq!(
        Labels::rows(&table, &[2; 10], 2).unwrap_err().to_string(),
        "example 0 has class 2, there are 2 classes"
    );
    assert_eq!(Labels::rows(&table, &[0; 10], 0).unwrap_err(), TableError::NoClasses);
    let column = |values: Vec<f64>| ("x".to_owned(), Values::Numeric(values));
    let error = |result: Result<Table, TableError>| result.unwrap_err().to_string();
    assert_eq!(
        error(Table::with_bags(vec![column(vec![1.0])], &[0, 0])),
        "column 'x' has 1 values, the table has 2 rows"
    );
    assert_eq!(
        error(Table::with_bags(vec![column(vec![1.0])], &[3])),
        "bag 0 has no row; bags are numbered from 0 without gaps"
    );
    assert_eq!(
        error(Table::new(vec![column(vec![]), column(vec![])])),
        "two columns are called 'x'"
    );
    let nominal = Values::Nominal { codes: vec![1], categories: vec!["only".into()] };
    assert_eq!(
        error(Table::new(vec![("k".into(), nominal)])),
        "column 'k': row 0 has code 1, allowed are 0 to 0 or missing"
    );
    assert!(
        Cpu::new(std::num::NonZeroUsize::new(5000))
            .unwrap_err()
            .to_string()
            .contains("allowed are 1 to 1024")
    );
}
