//! `pellucid implications`: lists the stem base or association rules of a context.

use crate::context;
use crate::listing::{incomplete_prefix, outcome};
use anyhow::Result;
use pellucid::concepts::association::{RuleBasis, RuleOptions, RuleOrder};
use pellucid::concepts::consequences::{Consequences, ConsequencesFormat};
use pellucid::concepts::implications::BaseOptions;
use pellucid::concepts::summary::Completion;
use pellucid::data::Context;
use pellucid::learn::run::Control;
use pellucid_arguments::{ImplicationsArgs, ImplicationsFormat, SortRules};
use pellucid_terminal::out::{grouped, json_line, say, stdout, to_file_or_stdout};
use pellucid_terminal::{ExitStatus, interrupt, progress};
use std::io::Write;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

pub(crate) fn run(args: &ImplicationsArgs) -> Result<ExitStatus> {
    let files = context::files(&args.context).writes("--out", Some(&args.out));
    context::check(&args.context, &files)?;
    let control =
        interrupt::control_saying(args.time_limit, "stopping; rules found so far are kept")?;
    let context = context::load(&args.context, None, args.quiet)?;
    let start = Instant::now();
    let found = find(args, &context, &control)?;
    let seconds = start.elapsed().as_secs_f64();
    let format = format(args.format);
    to_file_or_stdout(&args.out, |mut out| {
        Ok(found.write(format, &context.attributes, &mut out)?)
    })?;
    let stop = Completion::of(found.stop(), &control);
    let summary = found.summary(stop, seconds, &context);
    if args.json {
        let mut out = stdout();
        json_line(&mut out, &serde_json::to_value(&summary)?)?;
        out.flush()?;
    }
    if !args.quiet {
        let exact = grouped(summary.implications as u64);
        let count = match summary.rules {
            None => format!("{exact} implications"),
            Some(rules) => format!(
                "{} association rules, {exact} of them with a confidence of 1",
                grouped(rules as u64)
            ),
        };
        say(format_args!("{}{count} in {seconds:.2} s", incomplete_prefix(stop)));
    }
    Ok(outcome(stop))
}

/// Returns the format of a list of implications.
pub(crate) fn format(format: ImplicationsFormat) -> ConsequencesFormat {
    match format {
        ImplicationsFormat::Text => ConsequencesFormat::Text,
        ImplicationsFormat::Json => ConsequencesFormat::Json,
        ImplicationsFormat::Csv => ConsequencesFormat::Csv,
    }
}

fn find(args: &ImplicationsArgs, context: &Context, control: &Control) -> Result<Consequences> {
    let so_far = AtomicU64::new(0);
    let stop = || control.should_stop().is_some();
    let (stop, progress) = (Some(&stop as &(dyn Fn() -> bool + Sync)), Some(&so_far));
    let min_support = args.min_support.of(context.objects.len());
    let name = if args.rules { "rules" } else { "implications" };
    progress::watch(name, args.quiet, &so_far, || {
        if !args.rules {
            let options = BaseOptions { min_support, most: args.max, stop, progress };
            return Ok(Consequences::base(&context.relation, &options));
        }
        let defaults = RuleOptions::default();
        let options = RuleOptions {
            basis: if args.generic { RuleBasis::Generic } else { RuleBasis::Luxenburger },
            min_support,
            min_confidence: args.min_confidence.unwrap_or(defaults.min_confidence),
            order: args.sort.map_or(defaults.order, |by| match by {
                SortRules::Confidence => RuleOrder::Confidence,
                SortRules::Support => RuleOrder::Support,
                SortRules::Lift => RuleOrder::Lift,
            }),
            longest_premise: args.longest_premise,
            most: args.max,
            stop,
            progress,
            ..defaults
        };
        Ok(Consequences::rules(&context.relation, &options)?)
    })
}
