//! KEEL's `.dat`: the bag first, the class as the output.

use std::io::Write;

use super::{FileColumns, WriteError, attribute_type, attribute_value, nominal_type};
use crate::formats::attribute::token::quote;
use pellucid_data::Dataset;

/// Writes a data set as a KEEL file; a bag becomes the first attribute, as in KEEL's multiple-instance files.
///
/// To read it back, name the bag column: KEEL does not mark it.
///
/// # Errors
/// Fails if writing fails or the data set is inconsistent.
pub fn write_keel(data: &Dataset, mut out: impl Write) -> Result<(), WriteError> {
    let layout = FileColumns::new(data)?;
    writeln!(out, "@relation {}", quote(&data.name))?;
    let mut inputs = Vec::new();
    if let Some(bags) = layout.bags {
        writeln!(out, "@attribute {} {}", quote(&bags.name), nominal_type(&bags.names))?;
        inputs.push(quote(&bags.name));
    }
    for column in layout.columns {
        writeln!(
            out,
            "@attribute {} {}",
            quote(&column.name),
            attribute_type(&column.values, "real")
        )?;
        inputs.push(quote(&column.name));
    }
    if let Some(target) = layout.target {
        writeln!(out, "@attribute {} {}", quote(&target.name), nominal_type(&target.classes))?;
    }
    writeln!(out, "@inputs {}", inputs.join(", "))?;
    if let Some(target) = layout.target {
        writeln!(out, "@outputs {}", quote(&target.name))?;
    }
    writeln!(out, "@data")?;
    for row in 0..data.rows {
        let bag = layout.bag(row).map(quote).into_iter();
        let features = layout.columns.iter().map(|column| attribute_value(&column.values, row));
        let values: Vec<_> = bag.chain(features).chain(layout.class(row).map(quote)).collect();
        writeln!(out, "{}", values.join(", "))?;
    }
    Ok(out.flush()?)
}
