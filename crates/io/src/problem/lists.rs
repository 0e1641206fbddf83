//! Lists of individuals, one name per line.

use super::once;
use crate::source::error::{ReadError, ReadProblem};

pub(super) fn read(text: &str) -> Result<Vec<String>, ReadError> {
    let lines = text.lines().map(str::trim);
    let filled = lines.filter(|line| !line.is_empty() && *line != "#" && !line.starts_with("# "));
    let names = filled.map(|line| unwrapped(line).to_owned()).filter(|name| !name.is_empty());
    let names = once(names.collect());
    if names.is_empty() {
        let expected = "the IRI of an individual on each line";
        return Err(ReadProblem::NoExamples { which: "names", expected }.into());
    }
    Ok(names)
}

/// Returns a name without the brackets or quotes around it.
pub(super) fn unwrapped(name: &str) -> &str {
    let around = [('<', '>'), ('"', '"'), ('\'', '\'')];
    let inside = |(open, close)| name.strip_prefix(open)?.strip_suffix(close);
    around.into_iter().find_map(inside).unwrap_or(name)
}
