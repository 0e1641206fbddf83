//! `pellucid concepts`: every formal concept of a context, counted or written as it is found.

use crate::args::{ConceptsArgs, ConceptsFormat};
use crate::out::{grouped, json_line, rate, say, shared_stdout, stdout};
use crate::{Outcome, context, interrupt, progress};
use anyhow::{Context as _, Result, bail};
use pellucid::concepts::write::{Binary, Form, Json, Text, Tray};
use pellucid::engine::Machine;
use pellucid::engine::close::{Outcome as Found, Relation, Stop, Terms, Visitor, search_on};
use pellucid::engine::data::Context;
use pellucid::learn::run::{Control, StopReason};
use serde_json::json;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

pub(crate) fn run(args: &ConceptsArgs) -> Result<Outcome> {
    let to_stdout = !args.count && args.out == Path::new("-");
    if to_stdout && args.format == ConceptsFormat::Binary {
        if args.json {
            bail!(
                "--json: the result would end up among the packed concepts; name a file by --out"
            );
        }
        if std::io::stdout().is_terminal() {
            bail!("--format: packed concepts are not for a terminal; name a file by --out");
        }
    }
    context::check(&args.context)?;
    let machine = args.devices().machine(args.quiet)?;
    let control = interrupt::control_saying(args.time_limit, "stopping; what was found is kept")?;
    let context = context::load(&args.context, args.quiet)?;
    let start = Instant::now();
    let search = Search {
        args,
        machine: &machine,
        control: &control,
        min_support: args.min_support.of(context.objects.len()),
        // Lines and a bar on one terminal would run into each other.
        quiet: args.quiet || (to_stdout && std::io::stdout().is_terminal()),
    };
    let found = search.run(&context)?;
    let seconds = start.elapsed().as_secs_f64();
    let stop = Ended::of(found.stop, &control);
    let mut out = stdout();
    if args.json {
        let device: Vec<&str> = machine.devices.iter().map(|device| device.id()).collect();
        let result = json!({
            "concepts": found.concepts,
            "digest": found.digest.to_string(),
            "seconds": seconds,
            "stop": stop.word(),
            "objects": context.objects.len(),
            "attributes": context.attributes.len(),
            "device": device.join(","),
        });
        json_line(&mut out, &result)?;
    } else if args.count {
        writeln!(out, "{}", found.concepts)?;
    }
    out.flush()?;
    if !args.quiet {
        say(format_args!(
            "{}{} concepts in {seconds:.2} s ({}/s), digest {}",
            stop.told(),
            grouped(found.concepts),
            rate(found.concepts as f64 / seconds.max(1e-9)),
            found.digest
        ));
    }
    Ok(stop.outcome())
}

/// What is asked, and of whom.
struct Search<'a> {
    args: &'a ConceptsArgs,
    machine: &'a Machine,
    control: &'a Control,
    min_support: u64,
    quiet: bool,
}

impl Search<'_> {
    fn run(&self, context: &Context) -> Result<Found> {
        let Context { objects, attributes, relation, .. } = context;
        let (args, extents) = (self.args, self.args.extents);
        if args.count {
            return self.visit(relation, &mut vec![(); self.threads()], &|| false);
        }
        let form: Box<dyn Form> = match args.format {
            ConceptsFormat::Text => Box::new(Text::new(context, extents)),
            ConceptsFormat::Json => Box::new(Json::new(context, extents)),
            ConceptsFormat::Binary => {
                let (objects, attributes) = (objects.len(), attributes.len());
                Box::new(Binary { objects, attributes, extents })
            }
        };
        if args.out == Path::new("-") {
            return self.write(relation, &*form, shared_stdout());
        }
        let shown = || args.out.display().to_string();
        let file = File::create(&args.out).with_context(shown)?;
        self.write(relation, &*form, file).with_context(shown)
    }

    /// Writes what is found. What cannot be written ends the search.
    fn write(&self, relation: &Relation, form: &dyn Form, out: impl Write + Send) -> Result<Found> {
        let tray = Tray::new(out, form)?;
        let mut scribes = tray.scribes(self.threads());
        let found = self.visit(relation, &mut scribes, &|| tray.has_failed());
        drop(scribes);
        tray.finish()?;
        found
    }

    fn visit<V: Visitor>(
        &self,
        relation: &Relation,
        visitors: &mut [V],
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Found> {
        let so_far = AtomicU64::new(0);
        let stop = || is_over() || self.control.should_stop().is_some();
        let terms = Terms {
            min_support: self.min_support,
            most: self.args.max,
            extents: self.args.extents,
            stop: Some(&stop),
            progress: Some(&so_far),
            ..Terms::default()
        };
        progress::watch("concepts", self.quiet, &so_far, || {
            Ok(search_on(&self.machine, relation, &terms, visitors)?)
        })
    }

    fn threads(&self) -> usize {
        self.machine.threads.count()
    }
}

/// Why a listing ended, told the same way by all that list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Complete,
    Because(StopReason),
}

impl Ended {
    /// What a search says, and who told it to stop.
    pub(crate) fn of(stop: Stop, control: &Control) -> Ended {
        match stop {
            Stop::Complete => Ended::Complete,
            Stop::Most => Ended::Because(StopReason::Cap),
            Stop::Told => Ended::Because(control.should_stop().unwrap_or(StopReason::Interrupted)),
        }
    }

    /// For programs.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Ended::Because(StopReason::Cap) => "cap",
            Ended::Because(StopReason::Time) => "time",
            Ended::Because(_) => "interrupted",
            Ended::Complete => "complete",
        }
    }

    /// For people, before what there is: nothing if that is everything.
    pub(crate) fn told(self) -> String {
        match self {
            Ended::Complete => String::new(),
            Ended::Because(StopReason::Cap) => "as many as asked for, there are more: ".to_owned(),
            Ended::Because(reason) => format!("{reason}, there may be more: "),
        }
    }

    /// Whoever asked for so many at most got what was asked for.
    pub(crate) fn outcome(self) -> Outcome {
        match self {
            Ended::Because(reason) if reason.is_pause() => Outcome::CutShort,
            _ => Outcome::Done,
        }
    }
}
