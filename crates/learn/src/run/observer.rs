//! Observers of a run: progress bars, logs, callbacks, reports.

use super::{History, Plan, Record, Run, RunSummary};
use pellucid_data::Message;
use serde::Serialize;
use std::io::{self, Write};

/// An observer of a run. The default methods do nothing.
///
/// An observer cannot stop the run by itself; give it a clone of the [`Control`](super::Control)
/// for that.
pub trait Observer {
    /// Called before the first step, or the first step after a resume.
    fn started(&mut self, plan: &Plan) {
        let _ = plan;
    }

    /// Called after each step.
    fn record(&mut self, record: &Record) {
        let _ = record;
    }

    /// Called with a warning for the user.
    fn warned(&mut self, message: &Message) {
        let _ = message;
    }

    /// Called when the run changes its strategy without changing the result.
    fn remarked(&mut self, message: &str) {
        let _ = message;
    }

    /// Called at the end of the run.
    fn stopped(&mut self, summary: &RunSummary) {
        let _ = summary;
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn started(&mut self, plan: &Plan) {
        (**self).started(plan);
    }

    fn record(&mut self, record: &Record) {
        (**self).record(record);
    }

    fn warned(&mut self, message: &Message) {
        (**self).warned(message);
    }

    fn remarked(&mut self, message: &str) {
        (**self).remarked(message);
    }

    fn stopped(&mut self, summary: &RunSummary) {
        (**self).stopped(summary);
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Several observers as one, called in the order in which they were added.
#[derive(Default)]
pub struct Observers<'a>(Vec<Box<dyn Observer + 'a>>);

impl<'a> Observers<'a> {
    /// Returns an empty list of observers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the list with one more observer.
    #[must_use]
    pub fn with(mut self, observer: impl Observer + 'a) -> Self {
        self.0.push(Box::new(observer));
        self
    }
}

impl Observer for Observers<'_> {
    fn started(&mut self, plan: &Plan) {
        self.0.iter_mut().for_each(|observer| observer.started(plan));
    }

    fn record(&mut self, record: &Record) {
        self.0.iter_mut().for_each(|observer| observer.record(record));
    }

    fn warned(&mut self, message: &Message) {
        self.0.iter_mut().for_each(|observer| observer.warned(message));
    }

    fn remarked(&mut self, message: &str) {
        self.0.iter_mut().for_each(|observer| observer.remarked(message));
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.0.iter_mut().for_each(|observer| observer.stopped(summary));
    }
}

/// Writes one JSON object per line, with a field `event`: `started`, `record`, `warning`, `remark`
/// or `stopped`.
///
/// A closed pipe (`| head`) is not an error: nothing more is written. Any other error also ends the
/// output but not the run; [`JsonLines::finish`] returns it.
#[derive(Debug)]
pub struct JsonLines<W> {
    writer: W,
    error: Option<io::Error>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Started(&'a Plan),
    Record(&'a Record),
    Warning { message: &'a str },
    Remark { message: &'a str },
    Stopped(&'a RunSummary),
}

impl<W: Write> JsonLines<W> {
    /// Returns an observer that writes to `writer` and flushes each line.
    pub fn new(writer: W) -> Self {
        Self { writer, error: None }
    }

    /// Returns the writer.
    ///
    /// # Errors
    /// If a line could not be written for another reason than a closed pipe.
    pub fn finish(self) -> io::Result<W> {
        match self.error {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(self.writer),
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        if self.error.is_none() {
            self.error = self.try_line(line).err();
        }
    }

    fn try_line(&mut self, line: &Line<'_>) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.writer.write_all(&text)?;
        self.writer.flush()
    }
}

impl<W: Write> Observer for JsonLines<W> {
    fn started(&mut self, plan: &Plan) {
        self.line(&Line::Started(plan));
    }

    fn record(&mut self, record: &Record) {
        self.line(&Line::Record(record));
    }

    fn warned(&mut self, message: &Message) {
        self.line(&Line::Warning { message });
    }

    fn remarked(&mut self, message: &str) {
        self.line(&Line::Remark { message });
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.line(&Line::Stopped(summary));
    }
}

/// Records a [`Run`].
#[derive(Debug, Default)]
pub struct RunRecorder {
    plan: Option<Plan>,
    history: History,
    warnings: Vec<String>,
    remarks: Vec<String>,
    summary: Option<RunSummary>,
}

impl RunRecorder {
    /// Returns an empty recorder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the run, if it has ended.
    #[must_use]
    pub fn into_run(self) -> Option<Run> {
        let (plan, summary) = (self.plan?, self.summary?);
        let records = self.history.into_records();
        let (warnings, remarks) = (self.warnings, self.remarks);
        Some(Run { plan, records, warnings, remarks, summary })
    }
}

impl Observer for RunRecorder {
    fn started(&mut self, plan: &Plan) {
        if let Some(resumed) = &plan.resumed {
            self.history = resumed.history.clone();
        }
        self.plan = Some(plan.clone());
    }

    fn record(&mut self, record: &Record) {
        self.history.push(record.clone());
    }

    fn warned(&mut self, message: &Message) {
        self.warnings.push(message.to_string());
    }

    fn remarked(&mut self, message: &str) {
        self.remarks.push(message.to_owned());
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.summary = Some(summary.clone());
    }
}
