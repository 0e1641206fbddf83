//! WEKA's relational ARFF: one line a bag, its instances inside one quoted value.

use std::io::Write;

use super::{Layout, WriteError, attribute_type, attribute_value, nominal_type};
use crate::attribute::token::quote;
use crate::dataset::Dataset;

/// Writes bags as a relational ARFF file: the bag's name, its instances, its class.
///
/// Rows of one bag stand together in the file, so rows that were scattered come back grouped by bag.
///
/// # Errors
/// When writing fails, or when the data set is inconsistent or has no bags.
pub fn write_arff(data: &Dataset, mut out: impl Write) -> Result<(), WriteError> {
    let layout = Layout::new(data)?;
    let bags = layout.bags.ok_or(WriteError::NoBags)?;
    writeln!(out, "@relation {}\n", quote(&data.name))?;
    writeln!(out, "@attribute {} {}", quote(&bags.name), nominal_type(&bags.names))?;
    writeln!(out, "@attribute instances relational")?;
    for column in layout.columns {
        writeln!(
            out,
            "  @attribute {} {}",
            quote(&column.name),
            attribute_type(&column.values, "numeric")
        )?;
    }
    writeln!(out, "@end instances")?;
    if let Some(target) = layout.target {
        writeln!(out, "@attribute {} {}", quote(&target.name), nominal_type(&target.classes))?;
    }
    writeln!(out, "\n@data")?;
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); bags.names.len()];
    for (row, &bag) in bags.of_row.iter().enumerate() {
        rows_of[bag as usize].push(row);
    }
    for (name, rows) in bags.names.iter().zip(&rows_of) {
        let instances: Vec<String> = rows
            .iter()
            .map(|&row| {
                let values =
                    layout.columns.iter().map(|column| attribute_value(&column.values, row));
                values.collect::<Vec<_>>().join(",")
            })
            .collect();
        write!(out, "{},\"{}\"", quote(name), escape(&instances))?;
        match rows.first().and_then(|&row| layout.class(row)) {
            Some(class) => writeln!(out, ",{}", quote(class))?,
            None => writeln!(out)?,
        }
    }
    Ok(out.flush()?)
}

/// Joins the instances by a literal backslash-n and guards what would end the quotes.
fn escape(instances: &[String]) -> String {
    instances.join("\n").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
