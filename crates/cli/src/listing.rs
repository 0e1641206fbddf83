//! What lists of concepts and of interval patterns have in common: their files, limits and progress, and
//! how they end.

use crate::context;
use anyhow::{Context as _, Result};
use pellucid::bits::Level;
use pellucid::close::Terms;
use pellucid::concepts::estimate::{ConceptForecast, forecast};
use pellucid::concepts::summary::Completion;
use pellucid::data::Relation;
use pellucid::files::Replacement;
use pellucid::learn::run::{Control, StopReason};
use pellucid_arguments::{ConceptsArgs, Destinations, is_standard};
use pellucid_terminal::forecast::{Expected, Forecast};
use pellucid_terminal::out::shared_stdout;
use pellucid_terminal::{ExitStatus, progress};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// The files of the command. The list and the summary after it may share standard output; a context
/// written before them could not be read back.
pub(crate) fn files(args: &ConceptsArgs) -> Destinations<'_> {
    let files = context::files(&args.context);
    let beside_context = args.context.write.as_deref().filter(|path| is_standard(path));
    match (args.count || args.estimate, args.json) {
        (true, _) => {
            let prints = if args.estimate { "--estimate" } else { "--count" };
            files.writes(prints, beside_context)
        }
        (false, true) if !is_standard(&args.out) => {
            files.writes("--out", Some(&args.out)).writes("--json", beside_context)
        }
        (false, _) => files.writes("--out", Some(&args.out)),
    }
}

/// Runs a search with the limits of the flags, and shows how many concepts or patterns it has found
/// and, with a forecast, how many there are.
pub(crate) fn watch_search<R>(
    args: &ConceptsArgs,
    found: &str,
    objects: usize,
    control: &Control,
    forecast: Option<Forecast<'_>>,
    search: impl FnOnce(&Terms<'_>) -> R,
) -> R {
    let so_far = AtomicU64::new(0);
    let stop = || control.should_stop().is_some();
    let terms = Terms {
        min_support: args.min_support.of(objects),
        most: args.max,
        extents: args.extents,
        stop: Some(&stop),
        progress: Some(&so_far),
        ..Terms::default()
    };
    // Lines and a progress bar on one terminal would overlap.
    let quiet = args.quiet || (prints_list(args) && std::io::stdout().is_terminal());
    progress::watch_with(found, quiet, &so_far, forecast, || search(&terms))
}

/// Estimates how many concepts a search that is under way will find.
pub(crate) fn expected(
    relation: &Relation,
    min_support: u64,
    seed: u64,
    level: Level,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Expected> {
    let ConceptForecast { concepts: number, low, high } =
        forecast(relation, min_support, seed, level, stop)?;
    Some(Expected { number, low, high })
}

/// Returns whether the list goes to standard output.
pub(crate) fn prints_list(args: &ConceptsArgs) -> bool {
    !args.count && !args.estimate && is_standard(&args.out)
}

/// Writes a list to standard output, or to a file that appears once it is whole.
pub(crate) fn write_list<R>(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<R>,
) -> Result<R> {
    if is_standard(path) {
        return write(&mut shared_stdout());
    }
    let shown = || path.display().to_string();
    let mut file = Replacement::begin(path).with_context(shown)?;
    let found = write(&mut file).with_context(shown)?;
    file.finish().with_context(shown)?;
    Ok(found)
}

/// Returns why a list is incomplete, as a prefix of the message; empty for a complete list.
pub(crate) fn incomplete_prefix(stop: Completion) -> String {
    match stop {
        Completion::Complete => String::new(),
        Completion::Cut(StopReason::Cap) => "reached --max, there are more: ".to_owned(),
        Completion::Cut(reason) => format!("{reason}, the list may be incomplete: "),
    }
}

/// Returns the outcome of a command that lists.
pub(crate) fn outcome(stop: Completion) -> ExitStatus {
    if stop.is_pause() { ExitStatus::Incomplete } else { ExitStatus::Done }
}
