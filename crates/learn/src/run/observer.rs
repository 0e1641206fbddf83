//! Those who watch a run: progress, logs, callbacks, reports.

use super::{History, Plan, Record, Run, RunSummary};
use serde::Serialize;
use std::io::{self, Write};

/// Something that watches a run. Every method does nothing unless it is written out.
///
/// An observer cannot stop the run it watches; give it a clone of the [`Control`](super::Control)
/// for that.
pub trait Observer {
    /// The run is about to take its first step, or the first after a resume.
    fn started(&mut self, plan: &Plan) {
        let _ = plan;
    }

    /// A step is done.
    fn record(&mut self, record: &Record) {
        let _ = record;
    }

    /// Something happened that does not end the run but that a person should know.
    fn warned(&mut self, message: &str) {
        let _ = message;
    }

    /// Something was chosen on the way that changes how the work is done, and not what comes of it.
    fn remarked(&mut self, message: &str) {
        let _ = message;
    }

    /// The run has ended.
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

    fn warned(&mut self, message: &str) {
        (**self).warned(message);
    }

    fn remarked(&mut self, message: &str) {
        (**self).remarked(message);
    }

    fn stopped(&mut self, summary: &RunSummary) {
        (**self).stopped(summary);
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Several observers as one, told in the order in which they were added.
#[derive(Default)]
pub struct Observers<'a>(Vec<Box<dyn Observer + 'a>>);

impl<'a> Observers<'a> {
    /// No observers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These observers and one more.
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

    fn warned(&mut self, message: &str) {
        self.0.iter_mut().for_each(|observer| observer.warned(message));
    }

    fn remarked(&mut self, message: &str) {
        self.0.iter_mut().for_each(|observer| observer.remarked(message));
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.0.iter_mut().for_each(|observer| observer.stopped(summary));
    }
}

/// Writes one JSON object a line, told apart by `event`: `started`, `record`, `warning`, `remark`,
/// `stopped`.
///
/// A reader that goes away (`| head`) is no error: nothing more is written. Any other error also
/// ends the writing, without ending the run; [`JsonLines::finish`] tells it.
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
    /// Lines that go to the given writer, flushed one by one so that a pipe sees them at once.
    pub fn new(writer: W) -> Self {
        Self { writer, error: None }
    }

    /// The writer back.
    ///
    /// # Errors
    /// When a line could not be written for another reason than that the reader went away.
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

    fn warned(&mut self, message: &str) {
        self.line(&Line::Warning { message });
    }

    fn remarked(&mut self, message: &str) {
        self.line(&Line::Remark { message });
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.line(&Line::Stopped(summary));
    }
}

/// Collects what it sees into a [`Run`].
#[derive(Debug, Default)]
pub struct Keep {
    plan: Option<Plan>,
    history: History,
    warnings: Vec<String>,
    remarks: Vec<String>,
    summary: Option<RunSummary>,
}

impl Keep {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The run that was seen, if it has ended.
    #[must_use]
    pub fn into_run(self) -> Option<Run> {
        let (plan, summary) = (self.plan?, self.summary?);
        let records = self.history.into_records();
        let (warnings, remarks) = (self.warnings, self.remarks);
        Some(Run { plan, records, warnings, remarks, summary })
    }
}

impl Observer for Keep {
    fn started(&mut self, plan: &Plan) {
        if let Some(resumed) = &plan.resumed {
            self.history = resumed.history.clone();
        }
        self.plan = Some(plan.clone());
    }

    fn record(&mut self, record: &Record) {
        self.history.push(record.clone());
    }

    fn warned(&mut self, message: &str) {
        self.warnings.push(message.to_owned());
    }

    fn remarked(&mut self, message: &str) {
        self.remarks.push(message.to_owned());
    }

    fn stopped(&mut self, summary: &RunSummary) {
        self.summary = Some(summary.clone());
    }
}
