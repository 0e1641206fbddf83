//! The text form of a summary: a heading, then lists with aligned columns.

use super::summary::KbSummary;
use super::{Datatype, literal};
use std::fmt::Write;

/// The default maximum number of lines per list.
pub(super) const MAX_LINES: usize = 30;

/// Formats a summary with at most `most` lines per list.
pub(super) fn page(summary: &KbSummary, most: usize) -> String {
    let mut page = String::new();
    let counts = [
        counted(summary.individuals, "individual", "individuals"),
        counted(summary.classes.len(), "class", "classes"),
        counted(summary.roles.len(), "object property", "object properties"),
        counted(summary.properties.len(), "data property", "data properties"),
    ];
    // Writing to a string cannot fail.
    let _ = writeln!(page, "{}: {}", summary.name, counts.join(", "));
    if summary.statements > 0 {
        let _ = writeln!(page, "{} statements in the file", summary.statements);
    }
    let classes = summary
        .classes
        .iter()
        .map(|class| [class.name.clone(), class.members.to_string(), class.asserted.to_string()]);
    list(&mut page, ["class", "instances", "asserted"], classes.collect(), most);
    let roles = summary.roles.iter().map(|role| {
        let (edges, asserted) = (role.edges.to_string(), role.asserted.to_string());
        [role.name.clone(), edges, asserted, role.subjects.to_string()]
    });
    list(&mut page, ["object property", "edges", "asserted", "subjects"], roles.collect(), most);
    let properties = summary.properties.iter().map(|property| {
        let range = property.range.map_or_else(String::new, |[low, high]| {
            let show = |number| match property.datatype {
                Datatype::Date => literal::show_date(number).unwrap_or_else(|| number.to_string()),
                _ => number.to_string(),
            };
            format!("{} to {}", show(low), show(high))
        });
        let (values, distinct) = (property.values.to_string(), property.distinct.to_string());
        let (name, subjects) = (property.name.clone(), property.subjects.to_string());
        [name, kind(property.datatype).to_owned(), values, distinct, subjects, range]
    });
    let heads = ["data property", "kind", "values", "distinct", "subjects", "range"];
    list(&mut page, heads, properties.collect(), most);
    let ignored = summary.ignored.iter().map(|(name, count)| [name.clone(), count.to_string()]);
    list(&mut page, ["ignored construct", "times"], ignored.collect(), most);
    if !summary.notes.is_empty() {
        page.push('\n');
        for note in summary.notes.iter().take(most) {
            let _ = writeln!(page, "note: {note}");
        }
        write_rest(&mut page, summary.notes.len(), most);
    }
    page
}

/// Writes a list with a header; numbers are right-aligned, text is left-aligned.
fn list<const N: usize>(page: &mut String, heads: [&str; N], rows: Vec<[String; N]>, most: usize) {
    if rows.is_empty() {
        return;
    }
    let (count, heads) = (rows.len(), heads.map(str::to_owned));
    let shown: Vec<[String; N]> =
        std::iter::once(heads).chain(rows.into_iter().take(most)).collect();
    let mut widths = [0; N];
    for row in &shown {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    page.push('\n');
    for row in &shown {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let text = column == 0 || matches!(shown[0][column].as_str(), "kind" | "range");
            let gap = if column == 0 { "" } else { "  " };
            let _ = match text {
                true => write!(line, "{gap}{cell:<width$}"),
                false => write!(line, "{gap}{cell:>width$}"),
            };
        }
        let _ = writeln!(page, "{}", line.trim_end());
    }
    write_rest(page, count, most);
}

fn write_rest(page: &mut String, count: usize, most: usize) {
    if count > most {
        let _ = writeln!(page, "and {} more", count - most);
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn kind(datatype: Datatype) -> &'static str {
    match datatype {
        Datatype::Integer => "integer",
        Datatype::Real => "real",
        Datatype::Boolean => "boolean",
        Datatype::Date => "date",
        Datatype::Text => "text",
    }
}
