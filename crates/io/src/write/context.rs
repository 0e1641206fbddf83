//! Writes formal contexts. What a format cannot represent is an error, so nothing is lost silently.

use std::borrow::Cow;
use std::io::Write;

use super::WriteError;
use super::csv::cell;
use pellucid_data::{Context, Names};
use rustc_hash::FxHashSet;

/// Writes Burmeister's `.cxt`: names, then a row of `X` and `.` for every object. Reading it
/// returns the same context.
///
/// ```
/// use pellucid_io::{ContextOptions, read_context_from, write_cxt};
/// let context = read_context_from("owl,1,0\nbat,1,1\n".as_bytes(), "pets.csv", &ContextOptions::default())?;
/// let mut text = Vec::new();
/// write_cxt(&context, &mut text)?;
/// assert_eq!(text, b"B\npets\n2\n2\n\nowl\nbat\n1\n2\nX.\nXX\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if writing fails or a name contains a line break.
pub fn write_cxt(context: &Context, mut out: impl Write) -> Result<(), WriteError> {
    refuse_breaks("object", &context.objects)?;
    refuse_breaks("attribute", &context.attributes)?;
    let name = if has_break(&context.name) { "" } else { context.name.trim() };
    let (objects, attributes) = (context.objects.len(), context.attributes.len());
    write!(out, "B\n{name}\n{objects}\n{attributes}\n\n")?;
    for name in context.objects.iter().chain(context.attributes.iter()) {
        writeln!(out, "{name}")?;
    }
    let mut line = Vec::with_capacity(attributes + 1);
    for row in context.relation.rows() {
        line.clear();
        line.resize(attributes, b'.');
        row.iter().for_each(|&attribute| line[attribute as usize] = b'X');
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(out.flush()?)
}

/// Writes FIMI's `.dat`: one line per object with the numbers of its attributes.
///
/// If all attribute names are distinct numbers, those numbers are written, otherwise the indices of
/// the attributes, counted from 1. The format does not store other names or the names of objects.
///
/// # Errors
/// Fails if writing fails, if there is no object, or if an attribute has no object and would be lost.
pub fn write_dat(context: &Context, mut out: impl Write) -> Result<(), WriteError> {
    let supports = context.relation.supports();
    if let Some(unused) = supports.iter().position(|&support| support == 0) {
        let name = context.attributes.get(unused);
        return refuse(format!("attribute '{name}' has no objects; a .dat file would lose it"));
    }
    if context.objects.is_empty() {
        return refuse("the context has no objects; a .dat file would be empty".to_owned());
    }
    let numbers = numbers(&context.attributes);
    let mut line = String::new();
    let mut sorted = Vec::new();
    for row in context.relation.rows() {
        sorted.clear();
        sorted.extend(row.iter().map(|&attribute| numbers[attribute as usize]));
        sorted.sort_unstable();
        line.clear();
        for (position, number) in sorted.iter().enumerate() {
            line.push_str(if position > 0 { " " } else { "" });
            line.push_str(&number.to_string());
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(out.flush()?)
}

/// Returns the attribute names as numbers if all are distinct numbers, otherwise their indices from 1.
fn numbers(names: &Names) -> Vec<usize> {
    let number = |name: Cow<'_, str>| {
        let number = name.parse::<u32>().ok().filter(|number| *number.to_string() == *name)?;
        usize::try_from(number).ok()
    };
    let called: Option<Vec<usize>> = names.iter().map(number).collect();
    let mut seen = FxHashSet::default();
    called
        .filter(|numbers| numbers.iter().all(|&number| seen.insert(number)))
        .unwrap_or_else(|| (1..=names.len()).collect())
}

/// Writes CSV with a header: object names in the first column, `1` for a cross and `0` for no
/// cross. Reading it returns the same context.
///
/// # Errors
/// Fails if writing fails.
pub fn write_context_csv(context: &Context, mut out: impl Write) -> Result<(), WriteError> {
    // The blank corner marks a table with names on both sides.
    out.write_all(b"\"\"")?;
    for name in context.attributes.iter() {
        write!(out, ",{}", cell(&name))?;
    }
    out.write_all(b"\n")?;
    let mut cells = Vec::new();
    for (name, row) in context.objects.iter().zip(context.relation.rows()) {
        out.write_all(cell(&name).as_bytes())?;
        cells.clear();
        (0..context.attributes.len()).for_each(|_| cells.extend_from_slice(b",0"));
        row.iter().for_each(|&attribute| cells[2 * attribute as usize + 1] = b'1');
        cells.push(b'\n');
        out.write_all(&cells)?;
    }
    Ok(out.flush()?)
}

/// Writes a dependency graph: a line `FROM TO` for every cross. Both directions are written if both
/// exist, so reading a symmetric graph gives the same result with and without making it symmetric.
/// Modules are read back in the order in which they first appear.
///
/// # Errors
/// Fails if writing fails, if objects and attributes are not the same modules, if a name is empty,
/// contains blanks or occurs twice, or if a module is in no pair and would be lost.
pub fn write_pairs(context: &Context, mut out: impl Write) -> Result<(), WriteError> {
    let (objects, attributes) = (&context.objects, &context.attributes);
    if objects.len() != attributes.len() || objects.iter().ne(attributes.iter()) {
        return refuse(
            "objects and attributes differ; a list of pairs needs the same names for both"
                .to_owned(),
        );
    }
    let mut seen = FxHashSet::default();
    let mut used = context.relation.supports();
    used.iter_mut().zip(context.relation.rows()).for_each(|(used, row)| *used += row.len() as u64);
    for (name, used) in objects.iter().zip(used) {
        if name.is_empty() || name.contains(|c: char| c.is_whitespace()) {
            return refuse(format!("found the name '{name}'; expected a name without blanks"));
        }
        if used == 0 {
            return refuse(format!("module '{name}' is in no pair; a list of pairs would lose it"));
        }
        if !seen.insert(name.clone()) {
            return refuse(format!("two modules are named '{name}'; expected unique names"));
        }
    }
    if objects.is_empty() {
        return refuse("the context has no modules; a list of pairs would be empty".to_owned());
    }
    for (from, row) in objects.iter().zip(context.relation.rows()) {
        for &to in row {
            writeln!(out, "{from} {}", attributes.get(to as usize))?;
        }
    }
    Ok(out.flush()?)
}

fn refuse(reason: String) -> Result<(), WriteError> {
    Err(WriteError::Unfit(reason))
}

fn has_break(name: &str) -> bool {
    name.contains(['\n', '\r'])
}

fn refuse_breaks(what: &str, names: &Names) -> Result<(), WriteError> {
    match names.iter().find(|name| has_break(name)) {
        Some(name) => refuse(format!(
            "the name of {what} '{}' contains a line break, which a .cxt file cannot store",
            name.escape_debug()
        )),
        None => Ok(()),
    }
}
