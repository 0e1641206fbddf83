//! A toy learner with the driver: an interrupted and resumed run ends like an uninterrupted one.

use pellucid_learn::checkpoint::{Cadence, CheckpointError};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::model::{Model, Schema};
use pellucid_learn::rng::{Stream, Streams};
use pellucid_learn::run::{
    Control, Driver, Figures, JsonLines, ManualClock, Observer, Observers, Plan, Record, Run,
    RunError, RunRecorder, RunSummary, Silent, Step, Stepper, StopReason,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    generation: u64,
    genes: Vec<f64>,
    /// Not derived from the generation, so that its position must be restored.
    drift: Stream,
    best: f64,
}

/// Moves numbers toward zero by random mutation; each step takes a second of its clock.
struct Toy {
    seed: u64,
    steps: u64,
    patience: Option<u64>,
    solved_at: u64,
    clock: Arc<ManualClock>,
    control: Control,
    interrupt_at: Option<u64>,
    state: State,
}

impl Toy {
    fn new(seed: u64, steps: u64) -> Self {
        let mut drift = Streams::new(seed).stream(&["drift".into()]);
        let genes = (0..4).map(|_| drift.normal()).collect();
        let clock = ManualClock::new();
        let state = State { generation: 0, genes, drift, best: f64::NEG_INFINITY };
        let control = Control::with_clock(clock.clone());
        let (patience, solved_at, interrupt_at) = (None, u64::MAX, None);
        Self { seed, steps, patience, solved_at, clock, control, interrupt_at, state }
    }

    fn model(&self) -> String {
        let (params, model) = (self.seed, self.state.clone());
        let model = Model::new("toy", params, Schema::default(), model);
        model.to_json().expect("finite numbers")
    }
}

impl Stepper for Toy {
    type State = State;
    type Error = Infallible;

    fn plan(&self) -> Plan {
        let made_with = Fingerprint::new().with_number(self.seed);
        let mut plan = Plan::new("toy", serde_json::json!({ "seed": self.seed }), made_with);
        plan.patience = self.patience;
        plan.steps(self.steps)
    }

    fn step(&mut self) -> Result<Step, Infallible> {
        self.clock.advance(SECOND);
        let generation = Streams::new(self.seed).at(self.state.generation);
        let mut child = self.state.genes.clone();
        for (gene, value) in child.iter_mut().enumerate() {
            let mut stream = generation.stream(&[gene.into()]);
            if stream.chance(0.5) {
                *value += 0.3 * stream.normal();
            }
        }
        child[0] += 0.01 * self.state.drift.normal();
        let fitness = -child.iter().map(|gene| gene * gene).sum::<f64>();
        if fitness > self.state.best {
            (self.state.best, self.state.genes) = (fitness, child);
        }
        self.state.generation += 1;
        if Some(self.state.generation) == self.interrupt_at {
            self.control.interrupt();
        }
        Ok(Step {
            evaluated: 4,
            score: Some(self.state.best),
            values: Figures::new().with("best", self.state.best),
            stop: (self.state.generation >= self.solved_at).then_some(StopReason::Solved),
        })
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn restore(&mut self, state: State) -> Result<(), Infallible> {
        self.state = state;
        Ok(())
    }
}

fn run(toy: &mut Toy, driver: &Driver) -> Run {
    driver.run(toy, &mut Silent).expect("no errors")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(32)))]

    #[test]
    fn an_interrupted_run_ends_like_an_uninterrupted_one(
        seed: u64,
        mut stops in prop::collection::vec(1_u64..40, 1..4),
        every in 1_u64..10,
    ) {
        let mut straight = Toy::new(seed, 40);
        let driver = Driver::new(&straight.control);
        let whole = run(&mut straight, &driver);

        stops.sort_unstable();
        stops.dedup();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("toy.ckpt");
        let mut last = None;
        for stop in stops.iter().copied().map(Some).chain([None]) {
            let mut toy = Toy::new(seed, 40);
            toy.interrupt_at = stop;
            let driver =
                Driver::new(&toy.control).checkpoint(&path, Cadence::Steps(every)).resume(true);
            let part = run(&mut toy, &driver);
            let expected = if stop.is_some() { StopReason::Interrupted } else { StopReason::Steps };
            prop_assert_eq!(part.summary.stop, expected);
            prop_assert_eq!(part.summary.step, stop.unwrap_or(40));
            last = Some((toy.model(), part));
        }
        let (model, resumed) = last.expect("at least one part");
        prop_assert_eq!(model, straight.model());
        // Each step takes a second, so the seconds are equal as well.
        prop_assert_eq!(&resumed.records, &whole.records);
        prop_assert_eq!(resumed.summary, whole.summary);
    }

    #[test]
    fn a_killed_run_ends_like_an_uninterrupted_one(
        seed: u64,
        kill in 1_u64..40,
        every in 1_u64..10,
    ) {
        let mut straight = Toy::new(seed, 40);
        let driver = Driver::new(&straight.control);
        run(&mut straight, &driver);

        /// Copies the checkpoint at the step where the process is killed.
        struct Snapshot<'a> {
            at: u64,
            from: &'a std::path::Path,
            to: &'a std::path::Path,
        }
        impl Observer for Snapshot<'_> {
            fn record(&mut self, record: &Record) {
                if record.step == self.at {
                    std::fs::copy(self.from, self.to).expect("the first checkpoint exists");
                }
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        let (path, killed) = (folder.path().join("toy.ckpt"), folder.path().join("killed.ckpt"));
        let mut toy = Toy::new(seed, 40);
        let driver = Driver::new(&toy.control).checkpoint(&path, Cadence::Steps(every));
        driver.run(&mut toy, &mut Snapshot { at: kill, from: &path, to: &killed }).expect("it runs");

        let mut again = Toy::new(seed, 40);
        let driver =
            Driver::new(&again.control).checkpoint(&killed, Cadence::Steps(every)).resume(true);
        let resumed = run(&mut again, &driver);
        prop_assert_eq!(again.model(), straight.model());
        let begun = resumed.plan.resumed.expect("it was resumed").step;
        prop_assert!(begun < kill && kill - begun <= every);
    }
}

#[test]
fn the_time_limit_starts_again_with_each_resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.ckpt");
    for (limit, stop, step) in
        [(10, StopReason::Time, 10), (15, StopReason::Time, 25), (99, StopReason::Steps, 40)]
    {
        let mut toy = Toy::new(1, 40);
        let control = toy.control.clone().time_limit(SECOND * limit);
        let driver =
            Driver::new(&control).checkpoint(&path, Cadence::Time(SECOND * 4)).resume(true);
        let summary = run(&mut toy, &driver).summary;
        assert_eq!((summary.stop, summary.step), (stop, step));
        assert_eq!(summary.seconds, step as f64, "time before a resume counts");
        assert_eq!(summary.evaluated, step * 4);
    }
}

#[test]
fn each_stop_reason_is_reported() {
    let mut toy = Toy::new(1, 0);
    let driver = Driver::new(&toy.control);
    assert_eq!(run(&mut toy, &driver).summary.stop, StopReason::Steps);

    let mut toy = Toy::new(1, 100);
    toy.solved_at = 100;
    let driver = Driver::new(&toy.control);
    assert_eq!(run(&mut toy, &driver).summary.stop, StopReason::Solved, "the result has priority");

    let mut toy = Toy::new(1, 100_000);
    toy.patience = Some(200);
    let driver = Driver::new(&toy.control);
    let stalled = run(&mut toy, &driver);
    assert_eq!(stalled.summary.stop, StopReason::Stalled);
    let best = stalled.summary.best.expect("the toy has a score");
    let first = stalled.records.iter().find(|record| record.values.get("best") == Some(best));
    assert_eq!(first.map(|record| record.step + 200), Some(stalled.summary.step));

    let mut toy = Toy::new(1, 100);
    toy.control.interrupt();
    let driver = Driver::new(&toy.control);
    assert_eq!(run(&mut toy, &driver).summary.step, 0, "an early interrupt takes no step");
    assert_eq!(serde_json::to_string(&StopReason::Stalled).expect("a word"), "\"stalled\"");
    assert_eq!(StopReason::Time.to_string(), "reached the time limit");
}

#[test]
fn a_finished_run_resumes_to_the_same_end_and_may_have_more_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.ckpt");
    let resume = |steps, solved_at| {
        let mut toy = Toy::new(3, steps);
        toy.solved_at = solved_at;
        let driver = Driver::new(&toy.control).checkpoint(&path, Cadence::default()).resume(true);
        let run = run(&mut toy, &driver);
        (run, toy.model())
    };
    let (first, model) = resume(10, u64::MAX);
    assert_eq!(first.warnings.len(), 1, "there was no checkpoint yet");
    assert!(
        first.warnings[0].ends_with("toy.ckpt does not exist yet; starting from the beginning")
    );
    let (again, same) = resume(10, u64::MAX);
    assert_eq!((&again.records, again.summary.step, same), (&first.records, 10, model));
    let (more, _) = resume(20, 15);
    assert_eq!((more.summary.stop, more.summary.step), (StopReason::Solved, 15));
    let (solved, _) = resume(20, 15);
    assert_eq!((solved.summary.stop, solved.summary.step), (StopReason::Solved, 15));
}

#[test]
fn fewer_steps_than_done_are_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.ckpt");
    let resume = |steps| {
        let mut toy = Toy::new(3, steps);
        let driver = Driver::new(&toy.control).checkpoint(&path, Cadence::default()).resume(true);
        driver.run(&mut toy, &mut Silent)
    };
    resume(10).expect("nothing there yet");
    let before = std::fs::read(&path).expect("a checkpoint");
    let error = resume(4).expect_err("too few steps").to_string();
    assert!(error.contains("has 10 steps, but this run has only 4;"), "{error}");
    assert_eq!(std::fs::read(&path).expect("still there"), before);
    assert_eq!(resume(10).expect("as many").summary.step, 10);
}

#[test]
fn a_checkpoint_in_use_is_left_alone() {
    /// Opens the same checkpoint during the run.
    struct Intruder<'a>(&'a std::path::Path, Vec<String>);
    impl Observer for Intruder<'_> {
        fn record(&mut self, _: &Record) {
            let mut toy = Toy::new(3, 10);
            let driver =
                Driver::new(&toy.control).checkpoint(self.0, Cadence::Steps(1)).resume(true);
            let error = driver.run(&mut toy, &mut Silent).expect_err("it is in use");
            assert!(matches!(&error, RunError::Checkpoint(CheckpointError::InUse(_))), "{error}");
            self.1.push(error.to_string());
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.ckpt");
    let mut toy = Toy::new(3, 4);
    let driver = Driver::new(&toy.control).checkpoint(&path, Cadence::Steps(1));
    let mut intruder = Intruder(&path, Vec::new());
    driver.run(&mut toy, &mut intruder).expect("undisturbed");
    assert_eq!(intruder.1.len(), 4);
    assert!(
        intruder.1[0]
            .ends_with("is in use by another run; wait for it to end, or use another file")
    );
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    assert_eq!(names.len(), 1, "nothing is left over: {names:?}");
}

#[test]
fn checkpoints_of_other_runs_are_neither_used_nor_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.ckpt");
    let start = |seed, resume| {
        let mut toy = Toy::new(seed, 5);
        let driver = Driver::new(&toy.control).checkpoint(&path, Cadence::default()).resume(resume);
        driver.run(&mut toy, &mut Silent)
    };
    start(1, false).expect("nothing there yet");
    let before = std::fs::read(&path).expect("a checkpoint");
    let error = start(1, false).expect_err("it exists");
    assert!(matches!(error, RunError::Checkpoint(CheckpointError::Exists(_))), "{error}");
    let error = start(2, true).expect_err("another seed").to_string();
    assert!(error.contains("belongs to other data or parameters"), "{error}");
    assert_eq!(std::fs::read(&path).expect("still there"), before);
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_an_error_only_at_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    let path = inner.join("toy.ckpt");
    let mut toy = Toy::new(1, 6);
    let driver = Driver::new(&toy.control).checkpoint(&path, Cadence::Steps(2));
    let error = driver.run(&mut toy, &mut Silent).expect_err("no folder").to_string();
    assert!(error.starts_with("cannot write checkpoint "), "{error}");

    /// Removes the folder during the run.
    struct Remove<'a>(&'a std::path::Path);
    impl Observer for Remove<'_> {
        fn record(&mut self, record: &Record) {
            if record.step == 3 {
                std::fs::remove_dir_all(self.0).expect("it was there");
            }
        }
    }
    std::fs::create_dir(&inner).expect("a folder");
    let run = driver.run(&mut toy, &mut Remove(&inner)).expect("the work goes on");
    assert_eq!((run.summary.stop, run.summary.step), (StopReason::Steps, 6));
    assert_eq!(run.warnings.len(), 3, "steps 4 and 6, and the end: {:?}", run.warnings);
}

#[test]
fn observers_see_the_same_run() {
    let mut toy = Toy::new(1, 3);
    let (mut keep, mut lines) = (RunRecorder::new(), JsonLines::new(Vec::new()));
    let driver = Driver::new(&toy.control).resume(true);
    let run = {
        let mut observers = Observers::new().with(&mut keep).with(&mut lines).with(Silent);
        driver.run(&mut toy, &mut observers).expect("it runs")
    };
    assert_eq!(keep.into_run(), Some(run.clone()));
    let text =
        String::from_utf8(lines.finish().expect("writing to a vector succeeds")).expect("text");
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let names: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(names, ["started", "warning", "record", "record", "record", "stopped"]);
    assert_eq!(events[5]["stop"], "steps");
    assert_eq!(events[2]["values"]["best"].as_f64(), run.records[0].values.get("best"));
    let json = serde_json::to_string(&run).expect("plain data");
    assert_eq!(serde_json::from_str::<Run>(&json).expect("what was written"), run);
}

/// A learner whose second step fails.
struct FailingStepper(Toy);

impl Stepper for FailingStepper {
    type State = State;
    type Error = io::Error;

    fn plan(&self) -> Plan {
        self.0.plan()
    }

    fn step(&mut self) -> Result<Step, io::Error> {
        match self.0.state.generation {
            0 => Ok(self.0.step().expect("a toy does not fail")),
            _ => Err(io::Error::other("a device is gone")),
        }
    }

    fn state(&self) -> &State {
        &self.0.state
    }

    fn restore(&mut self, state: State) -> Result<(), io::Error> {
        self.0.state = state;
        Ok(())
    }
}

#[test]
fn observers_are_notified_of_a_failed_run() {
    let mut toy = FailingStepper(Toy::new(1, 3));
    let mut keep = RunRecorder::new();
    let error = Driver::new(&toy.0.control.clone()).run(&mut toy, &mut keep).expect_err("it fails");
    assert_eq!(error.to_string(), "a device is gone");
    let run = keep.into_run().expect("a run that ended");
    assert_eq!((run.summary.stop, run.summary.step), (StopReason::Failed, 1));
}

/// A writer that fails from the second line on.
struct FailingWriter(io::ErrorKind, usize);

impl Write for FailingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1 > 1 { Err(self.0.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let summary =
        RunSummary { stop: StopReason::Steps, step: 1, evaluated: 1, seconds: 0.0, best: None };
    for (kind, ok) in [(io::ErrorKind::BrokenPipe, true), (io::ErrorKind::StorageFull, false)] {
        let mut lines = JsonLines::new(FailingWriter(kind, 0));
        (0..4).for_each(|_| lines.stopped(&summary));
        assert_eq!(lines.finish().is_ok(), ok, "{kind}");
    }
}

/// Counts to ten. It is stopped within its fourth step and reverts the step.
struct RevertingStepper {
    count: u64,
    control: Control,
    is_first: bool,
}

impl Stepper for RevertingStepper {
    type State = u64;
    type Error = Infallible;

    fn plan(&self) -> Plan {
        let made_with = Fingerprint::new().with_number(1);
        Plan::new("abandons", serde_json::Value::Null, made_with).steps(10)
    }

    fn step(&mut self) -> Result<Step, Infallible> {
        if self.is_first && self.count == 3 {
            self.control.interrupt();
            return Ok(Step { stop: Some(StopReason::Interrupted), ..Step::default() });
        }
        self.count += 1;
        Ok(Step { evaluated: 1, ..Step::default() })
    }

    fn state(&self) -> &u64 {
        &self.count
    }

    fn restore(&mut self, state: u64) -> Result<(), Infallible> {
        self.count = state;
        Ok(())
    }
}

#[test]
fn a_reverted_step_does_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("abandons.ckpt");
    let ran = |is_first: bool| {
        let control = Control::new();
        let driver = Driver::new(&control).checkpoint(&path, Cadence::Steps(1)).resume(true);
        let mut counting = RevertingStepper { count: 0, control, is_first };
        let run = driver.run(&mut counting, &mut Silent).expect("no errors");
        (run.summary.step, run.summary.stop, counting.count)
    };
    assert_eq!(ran(true), (3, StopReason::Interrupted, 3));
    assert_eq!(ran(false), (10, StopReason::Steps, 10), "no step is lost to the interrupt");
}
