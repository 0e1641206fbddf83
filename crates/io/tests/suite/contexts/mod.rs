//! Reading and writing formal contexts.

mod forms;
mod malformed;
mod mutations;
mod round_trip;
mod shared_data;

use pellucid_io::{Context, ContextOptions, read_context_from};

/// Reads a context from valid text.
fn sound(name: &str, text: &str, options: &ContextOptions) -> Context {
    read_context_from(text.as_bytes(), name, options)
        .unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

fn plain() -> ContextOptions {
    ContextOptions::default()
}

/// The names of objects, the names of attributes, and the rows.
type Contents = (Vec<String>, Vec<String>, Vec<Vec<u32>>);

fn contents(context: &Context) -> Contents {
    (
        context.objects.iter().map(Into::into).collect(),
        context.attributes.iter().map(Into::into).collect(),
        context.relation.rows().map(<[u32]>::to_vec).collect(),
    )
}
