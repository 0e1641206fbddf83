//! Formal contexts in and out.

mod forms;
mod malformed;
mod mutations;
mod round_trip;
mod shared_data;

use pellucid_io::{Context, ContextOptions, read_context_from};

/// A context from text that is sound.
fn sound(name: &str, text: &str, options: &ContextOptions) -> Context {
    read_context_from(text.as_bytes(), name, options)
        .unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

fn plain() -> ContextOptions {
    ContextOptions::default()
}

/// The names of objects, the names of attributes, and the rows.
type Told = (Vec<String>, Vec<String>, Vec<Vec<u32>>);

fn told(context: &Context) -> Told {
    (
        context.objects.iter().map(Into::into).collect(),
        context.attributes.iter().map(Into::into).collect(),
        context.relation.rows().map(<[u32]>::to_vec).collect(),
    )
}
