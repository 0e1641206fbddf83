//! Every concept of a context, on the devices of a machine, into one output.

use super::{BinaryForm, ConceptForm, JsonForm, SharedOutput, TextForm};
use pellucid_close::{Outcome, Terms, search_on};
use pellucid_data::Context;
use pellucid_device::{DeviceError, Machine};
use std::io::{self, Write};
use thiserror::Error;

/// The forms in which concepts are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListFormat {
    /// Lines with tabs: see [`TextForm`].
    #[default]
    Text,
    /// An object per line: see [`JsonForm`].
    Json,
    /// Packed bits: see [`BinaryForm`].
    Binary,
}

impl ListFormat {
    /// How the concepts of a context are written, with their objects or without.
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

/// Why a list is not whole.
#[derive(Debug, Error)]
pub enum ListError {
    /// A device failed after concepts were written.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The concepts could not be written.
    #[error("{0}")]
    Write(#[from] io::Error),
}

/// Lists the concepts of a context as they are found. What cannot be written ends the search.
///
/// # Errors
/// When writing fails, or a device after concepts were written.
pub fn list(
    context: &Context,
    machine: &Machine,
    terms: &Terms<'_>,
    format: ListFormat,
    out: impl Write + Send,
) -> Result<Outcome, ListError> {
    let form = format.form(context, terms.extents);
    let output = SharedOutput::new(out, &*form)?;
    let mut writers = output.writers(machine.threads.count());
    let stop = || output.has_failed() || terms.stop.is_some_and(|stop| stop());
    let terms = Terms { stop: Some(&stop), ..*terms };
    let found = search_on(machine, &context.relation, &terms, &mut writers);
    drop(writers);
    output.finish()?;
    Ok(found?)
}
