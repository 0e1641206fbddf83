//! `pellucid implications`: what follows from what in a context, always or nearly always.

use crate::args::{ImplicationsArgs, ImplicationsFormat, SortRules};
use crate::concepts::Ended;
use crate::out::{grouped, json_line, say, stdout, to_file_or_stdout};
use crate::{Outcome, context, interrupt, progress};
use anyhow::Result;
use pellucid::concepts::association::{self, Form, Rule, RuleOptions};
use pellucid::concepts::implications::{self, Base, BaseOptions, base};
use pellucid::engine::close::Stop;
use pellucid::engine::data::Context;
use pellucid::learn::run::Control;
use serde_json::json;
use std::io::Write;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// The lowest confidence of rules, if nothing is said.
const MIN_CONFIDENCE: f64 = 0.5;

pub(crate) fn run(args: &ImplicationsArgs) -> Result<Outcome> {
    context::check(&args.context)?;
    let control = interrupt::control_saying(args.time_limit, "stopping; what was found is kept")?;
    let context = context::load(&args.context, args.quiet)?;
    let start = Instant::now();
    let found = Found::in_context(args, &context, &control);
    let seconds = start.elapsed().as_secs_f64();
    to_file_or_stdout(&args.out, |out| Ok(found.write(args.format, &context, out)?))?;
    let (stop, implications) = (Ended::of(found.stop(), &control), found.implications());
    if args.json {
        let mut result = json!({
            "implications": implications,
            "seconds": seconds,
            "stop": stop.word(),
            "objects": context.objects.len(),
            "attributes": context.attributes.len(),
        });
        if let Found::Rules(rules, _) = &found {
            result["rules"] = json!(rules.len());
        }
        let mut out = stdout();
        json_line(&mut out, &result)?;
        out.flush()?;
    }
    if !args.quiet {
        let listed = match &found {
            Found::Base(_) => format!("{} implications", grouped(implications as u64)),
            Found::Rules(rules, _) => format!(
                "{} rules, {} of them without exception",
                grouped(rules.len() as u64),
                grouped(implications as u64)
            ),
        };
        say(format_args!("{}{listed} in {seconds:.2} s", stop.told()));
    }
    Ok(stop.outcome())
}

/// What was asked for and found.
enum Found {
    Base(Base),
    Rules(Vec<Rule>, Stop),
}

impl Found {
    fn in_context(args: &ImplicationsArgs, context: &Context, control: &Control) -> Found {
        let so_far = AtomicU64::new(0);
        let stop = || control.should_stop().is_some();
        let min_support = args.min_support.of(context.objects.len());
        let name = if args.rules { "rules" } else { "implications" };
        progress::watch(name, args.quiet, &so_far, || {
            if !args.rules {
                let options = BaseOptions {
                    min_support,
                    most: args.max,
                    stop: Some(&stop),
                    progress: Some(&so_far),
                };
                return Found::Base(base(&context.relation, &options));
            }
            let options = RuleOptions {
                form: if args.generic { Form::Generic } else { Form::Luxenburger },
                min_support,
                min_confidence: args.min_confidence.unwrap_or(MIN_CONFIDENCE),
                exact: true,
                longest_premise: args.longest_premise,
                most: args.max,
                stop: Some(&stop),
                progress: Some(&so_far),
            };
            sorted(args.sort.unwrap_or(SortRules::Confidence), context, &options)
        })
    }

    fn stop(&self) -> Stop {
        match self {
            Found::Base(base) => base.stop,
            Found::Rules(_, stop) => *stop,
        }
    }

    /// How many hold without exception.
    fn implications(&self) -> usize {
        match self {
            Found::Base(base) => base.implications.len(),
            Found::Rules(rules, _) => rules.iter().filter(|rule| rule.confidence >= 1.0).count(),
        }
    }

    fn write(
        &self,
        format: ImplicationsFormat,
        context: &Context,
        mut out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let (out, names) = (&mut out, &context.attributes);
        match (self, format) {
            (Found::Base(base), ImplicationsFormat::Text) => {
                implications::text::write_text(out, &base.implications, names)
            }
            (Found::Base(base), ImplicationsFormat::Json) => {
                implications::text::write_json(out, &base.implications, names)
            }
            (Found::Base(base), ImplicationsFormat::Csv) => {
                implications::text::write_csv(out, &base.implications, names)
            }
            (Found::Rules(rules, _), ImplicationsFormat::Text) => {
                association::text::write_text(out, rules, names)
            }
            (Found::Rules(rules, _), ImplicationsFormat::Json) => {
                association::text::write_json(out, rules, names)
            }
            (Found::Rules(rules, _), ImplicationsFormat::Csv) => {
                association::text::write_csv(out, rules, names)
            }
        }
    }
}

/// The rules in the order asked for; if there are more than asked for, the first of that order.
fn sorted(by: SortRules, context: &Context, options: &RuleOptions<'_>) -> Found {
    if by == SortRules::Confidence {
        let (rules, stop) = association::collect(&context.relation, options);
        return Found::Rules(rules, stop);
    }
    let all = RuleOptions { most: None, ..*options };
    let (mut rules, mut stop) = association::collect(&context.relation, &all);
    // The sort is stable: equals stay by confidence.
    rules.sort_by(|a, b| match by {
        SortRules::Lift => b.lift.total_cmp(&a.lift),
        SortRules::Support | SortRules::Confidence => b.support.cmp(&a.support),
    });
    let most = options.most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    if rules.len() > most {
        rules.truncate(most);
        if stop == Stop::Complete {
            stop = Stop::Most;
        }
    }
    Found::Rules(rules, stop)
}
