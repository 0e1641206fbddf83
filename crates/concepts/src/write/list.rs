//! Lists every concept of a context, using the devices of a machine.

use super::{BinaryForm, ConceptForm, JsonForm, SharedOutput, TextForm};
use pellucid_close::{SearchOutcome, Terms, open};
use pellucid_data::Context;
use pellucid_device::{DeviceError, Machine};
use std::io::{self, Write};
use thiserror::Error;

/// The output formats for concepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListFormat {
    /// Tab-separated lines: see [`TextForm`].
    #[default]
    Text,
    /// One JSON object per line: see [`JsonForm`].
    Json,
    /// Packed bits: see [`BinaryForm`].
    Binary,
}

impl ListFormat {
    /// Returns the writer of this format for a context, with or without extents.
    #[must_use]
    pub fn form(self, context: &Context, extents: bool) -> Box<dyn ConceptForm> {
        match self {
            ListFormat::Text => Box::new(TextForm::new(context, extents)),
            ListFormat::Json => Box::new(JsonForm::new(context, extents)),
            ListFormat::Binary => {
                let (objects, attributes) = (context.objects.len(), context.attributes.len());
                Box::new(BinaryForm { objects, attributes, extents })
            }
        }
    }
}

/// Why a list is incomplete.
#[derive(Debug, Error)]
pub enum ListError {
    /// A device failed after concepts were written.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Writing failed.
    #[error("{0}")]
    Write(#[from] io::Error),
}

/// Writes the concepts of a context while they are found. A write error ends the search.
///
/// # Errors
/// If writing fails, or if a device fails after concepts were written.
pub fn list(
    context: &Context,
    machine: &Machine,
    terms: &Terms<'_>,
    format: ListFormat,
    out: impl Write + Send,
) -> Result<SearchOutcome, ListError> {
    let form = format.form(context, terms.extents);
    let output = SharedOutput::new(out, &*form)?;
    let mut writers = output.writers(machine.threads.count());
    let stop = || output.has_failed() || terms.stop.is_some_and(|stop| stop());
    let terms = Terms { stop: Some(&stop), ..*terms };
    let found = open(machine, &context.relation).search(&terms, &mut writers);
    drop(writers);
    output.finish()?;
    Ok(found?)
}
