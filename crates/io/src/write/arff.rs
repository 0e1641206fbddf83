//! WEKA's ARFF: one line per row; with bags, its relational form with one line per bag and its
//! instances in one quoted value.

use std::borrow::Cow;
use std::io::Write;

use super::{FileColumns, WriteError, attribute_type, attribute_value, nominal_type};
use crate::formats::attribute::token::quote;
use pellucid_data::{Bags, Dataset};

/// Writes an ARFF file. A data set with bags becomes a relational file: the name of the bag, its
/// instances, its class.
///
/// The rows of a bag are adjacent in the file, so reading it back groups rows by bag.
///
/// # Errors
/// Fails if writing fails or the data set is inconsistent.
pub fn write_arff(data: &Dataset, mut out: impl Write) -> Result<(), WriteError> {
    let layout = FileColumns::new(data)?;
    writeln!(out, "@relation {}\n", quote(&data.name))?;
    if let Some(bags) = layout.bags {
        writeln!(out, "@attribute {} {}", quote(&bags.name), nominal_type(&bags.names))?;
        writeln!(out, "@attribute instances relational")?;
    }
    let indent = if layout.bags.is_some() { "  " } else { "" };
    for column in layout.columns {
        let kind = attribute_type(&column.values, "numeric");
        writeln!(out, "{indent}@attribute {} {kind}", quote(&column.name))?;
    }
    if layout.bags.is_some() {
        writeln!(out, "@end instances")?;
    }
    if let Some(target) = layout.target {
        writeln!(out, "@attribute {} {}", quote(&target.name), nominal_type(&target.classes))?;
    }
    writeln!(out, "\n@data")?;
    match layout.bags {
        Some(bags) => write_bags(&layout, bags, &mut out)?,
        None => {
            for row in 0..data.rows {
                let class = layout.class(row).map(quote);
                let values: Vec<_> = features(&layout, row).into_iter().chain(class).collect();
                writeln!(out, "{}", values.join(","))?;
            }
        }
    }
    Ok(out.flush()?)
}

fn write_bags(
    layout: &FileColumns<'_>,
    bags: &Bags,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); bags.names.len()];
    for (row, &bag) in bags.of_row.iter().enumerate() {
        rows_of[bag as usize].push(row);
    }
    for (name, rows) in bags.names.iter().zip(&rows_of) {
        let instances: Vec<String> =
            rows.iter().map(|&row| features(layout, row).join(",")).collect();
        write!(out, "{},\"{}\"", quote(name), escape(&instances))?;
        match rows.first().and_then(|&row| layout.class(row)) {
            Some(class) => writeln!(out, ",{}", quote(class))?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// Returns the features of a row as text.
fn features<'a>(layout: &FileColumns<'a>, row: usize) -> Vec<Cow<'a, str>> {
    layout.columns.iter().map(|column| attribute_value(&column.values, row)).collect()
}

/// Joins the instances by a literal backslash-n and escapes quotes.
fn escape(instances: &[String]) -> String {
    instances.join("\n").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
