//! Long work beside the interpreter: on a thread of its own, while the caller's thread waits for Ctrl-C and tells of progress.

use crate::guard::{broken, caught};
use crate::json;
use crate::machine::warn_of_faults;
use pellucid::learn::run::{Control, Observer, Plan, Record, RunSummary};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long a signal may wait, and how often progress is told at most.
const BEAT: Duration = Duration::from_millis(40);

/// What comes from the thread that works.
enum Message<T> {
    Told(Value),
    Done(Result<T, String>),
}

/// Tells the caller how far the work is.
pub(crate) struct Teller<'a>(Option<&'a (dyn Fn(Value) + Send + Sync)>);

impl Teller<'_> {
    /// Tells it, if anybody listens.
    pub(crate) fn tell(&self, news: impl FnOnce() -> Value) {
        if let Some(tell) = self.0 {
            tell(news());
        }
    }
}

/// Does `work` without the interpreter. Ctrl-C interrupts `control`, and when the work has stopped, `KeyboardInterrupt` is raised;
/// so is what `progress` raises.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    control: &Control,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Teller<'_>) -> T + Send,
) -> PyResult<T> {
    let listens = progress.is_some();
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(move || at_work(sender, listens, work));
            let mut failed: Option<PyErr> = None;
            let mut heard = Instant::now();
            loop {
                let message = receiver.recv_timeout(BEAT);
                if let Ok(Message::Done(done)) = message {
                    // A signal that came in the last moment is left to the interpreter.
                    return failed.map_or_else(|| done.map_err(broken), Err);
                }
                let news = match message {
                    Ok(Message::Told(news)) => Some(news),
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(broken("the work broke off".to_owned()));
                    }
                    _ => None,
                };
                if failed.is_some() || (news.is_none() && heard.elapsed() < BEAT / 2) {
                    continue;
                }
                heard = Instant::now();
                let attended = Python::attach(|py| {
                    py.check_signals()?;
                    warn_of_faults(py)?;
                    if let (Some(progress), Some(news)) = (&progress, &news) {
                        progress.call1(py, (json::to_python(py, news)?,))?;
                    }
                    Ok(())
                });
                if let Err(error) = attended {
                    control.interrupt();
                    failed = Some(error);
                }
            }
        })
    })?;
    warn_of_faults(py)?;
    Ok(done)
}

fn at_work<T>(sender: Sender<Message<T>>, listens: bool, work: impl FnOnce(&Teller<'_>) -> T)
where
    T: Send,
{
    let shared = Mutex::new(sender.clone());
    let tell = |news: Value| {
        if let Ok(sender) = shared.lock() {
            // Nobody waits any more: then nobody is told.
            let _ = sender.send(Message::Told(news));
        }
    };
    let done = caught(|| work(&Teller(listens.then_some(&tell))));
    let _ = sender.send(Message::Done(done));
}

/// Tells of a run, a few times a second and at its ends.
pub(crate) struct RunTeller<'a> {
    teller: &'a Teller<'a>,
    last: Option<Instant>,
}

impl<'a> RunTeller<'a> {
    pub(crate) fn new(teller: &'a Teller<'a>) -> RunTeller<'a> {
        RunTeller { teller, last: None }
    }
}

impl Observer for RunTeller<'_> {
    fn started(&mut self, plan: &Plan) {
        let (learner, steps) = (plan.learner.as_ref(), plan.steps);
        self.teller.tell(|| json!({ "event": "started", "learner": learner, "steps": steps }));
    }

    fn record(&mut self, record: &Record) {
        if self.last.is_some_and(|last| last.elapsed() < BEAT) {
            return;
        }
        self.last = Some(Instant::now());
        self.teller.tell(|| tagged("step", json!(record)));
    }

    fn warned(&mut self, message: &str) {
        self.teller.tell(|| json!({ "event": "warning", "message": message }));
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.teller.tell(|| tagged("stopped", json!(summary)));
    }
}

fn tagged(event: &str, mut value: Value) -> Value {
    if let Value::Object(pairs) = &mut value {
        pairs.insert("event".to_owned(), event.into());
    }
    value
}
