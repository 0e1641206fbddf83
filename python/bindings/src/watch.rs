//! Long-running work on its own thread, while the calling thread handles Ctrl-C and reports progress.

use crate::guard::{caught, panic_error};
use crate::json;
use crate::machine::warn_of_faults;
use pellucid::learn::run::{Control, Observer, Plan, Record, RunSummary};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The longest delay before a signal is handled, and the shortest time between two progress events.
const BEAT: Duration = Duration::from_millis(40);

/// A message from the thread that does the work.
enum Message<T> {
    Progress(Value),
    Done(Result<T, String>),
}

/// Sends progress events to the calling thread.
pub(crate) struct ProgressSender<'a>(Option<&'a (dyn Fn(Value) + Send + Sync)>);

impl ProgressSender<'_> {
    /// Sends an event, which is only built if progress was requested.
    pub(crate) fn send(&self, event: impl FnOnce() -> Value) {
        if let Some(send) = self.0 {
            send(event());
        }
    }
}

/// Runs `work` without the interpreter's lock.
///
/// Ctrl-C interrupts `control`; after the work has stopped, `KeyboardInterrupt` is raised. An exception that
/// `progress` raises is handled in the same way.
pub(crate) fn run_watched<T: Send>(
    py: Python<'_>,
    control: &Control,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&ProgressSender<'_>) -> T + Send,
) -> PyResult<T> {
    let reports = progress.is_some();
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(move || work_and_report(sender, reports, work));
            wait(&receiver, control, progress.as_ref())
        })
    })?;
    warn_of_faults(py)?;
    Ok(done)
}

/// Waits for the work to finish. Handles signals and reports progress in the meantime.
fn wait<T>(
    receiver: &Receiver<Message<T>>,
    control: &Control,
    progress: Option<&Py<PyAny>>,
) -> PyResult<T> {
    let mut raised: Option<PyErr> = None;
    let mut last_check = Instant::now();
    loop {
        let event = match receiver.recv_timeout(BEAT) {
            Ok(Message::Done(done)) => {
                // A signal that arrives at the last moment is left to the interpreter.
                return raised.map_or_else(|| done.map_err(panic_error), Err);
            }
            Ok(Message::Progress(event)) => Some(event),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(panic_error("the worker thread ended without a result".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) => None,
        };
        if raised.is_some() || (event.is_none() && last_check.elapsed() < BEAT / 2) {
            continue;
        }
        last_check = Instant::now();
        let checked = Python::attach(|py| {
            py.check_signals()?;
            warn_of_faults(py)?;
            if let (Some(progress), Some(event)) = (progress, &event) {
                progress.call1(py, (json::to_python(py, event)?,))?;
            }
            Ok(())
        });
        if let Err(error) = checked {
            control.interrupt();
            raised = Some(error);
        }
    }
}

fn work_and_report<T: Send>(
    sender: Sender<Message<T>>,
    reports: bool,
    work: impl FnOnce(&ProgressSender<'_>) -> T,
) {
    let shared = Mutex::new(sender.clone());
    let send = |event: Value| {
        if let Ok(sender) = shared.lock() {
            // Sending fails only if the receiver is gone, and then the event is not needed.
            let _ = sender.send(Message::Progress(event));
        }
    };
    let done = caught(|| work(&ProgressSender(reports.then_some(&send))));
    let _ = sender.send(Message::Done(done));
}

/// Reports the start, the end and the progress of a run, the latter a few times per second.
pub(crate) struct RunReporter<'a> {
    sender: &'a ProgressSender<'a>,
    last: Option<Instant>,
}

impl<'a> RunReporter<'a> {
    pub(crate) fn new(sender: &'a ProgressSender<'a>) -> RunReporter<'a> {
        RunReporter { sender, last: None }
    }
}

impl Observer for RunReporter<'_> {
    fn started(&mut self, plan: &Plan) {
        let (learner, steps) = (plan.learner.as_ref(), plan.steps);
        self.sender.send(|| json!({ "event": "started", "learner": learner, "steps": steps }));
    }

    fn record(&mut self, record: &Record) {
        if self.last.is_some_and(|last| last.elapsed() < BEAT) {
            return;
        }
        self.last = Some(Instant::now());
        self.sender.send(|| tag_event("step", json!(record)));
    }

    fn warned(&mut self, message: &pellucid::data::Message) {
        self.sender.send(|| json!({ "event": "warning", "message": message }));
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.sender.send(|| tag_event("stopped", json!(summary)));
    }
}

/// Adds the name of an event to its values.
fn tag_event(event: &str, mut value: Value) -> Value {
    if let Value::Object(pairs) = &mut value {
        pairs.insert("event".to_owned(), event.into());
    }
    value
}
