//! Writes concepts while they are found, without keeping them.
//!
//! Every thread of a search fills a buffer of its own and passes it to the shared output when it is
//! full. Threads rarely wait for each other, lines stay whole, and memory does not grow with the
//! number of concepts.
//!
//! [`list()`] writes every concept of a context in a [`ListFormat`], using the devices of a
//! machine. It is built on one [`ConceptWriter`] per thread, a [`SharedOutput`], and a
//! [`ConceptForm`]: [`TextForm`], [`JsonForm`] or [`BinaryForm`].
//!
//! ```
//! use pellucid_concepts::enumerate::enumerate;
//! use pellucid_concepts::write::{SharedOutput, TextForm};
//! use pellucid_close::Terms;
//! use pellucid_data::Relation;
//! use pellucid_data::Context;
//!
//! let relation = Relation::new(2, [[0].as_slice(), &[0, 1]])?;
//! let (objects, attributes) = (["cat", "bat"], ["fur", "wings"]);
//! let names = |names: [&str; 2]| names.into_iter().collect();
//! let context = Context::new("pets", names(objects), names(attributes), relation);
//! let form = TextForm::new(&context, true);
//! let output = SharedOutput::new(Vec::new(), &form)?;
//! let mut writers = output.writers(1);
//! enumerate(&context.relation, &Terms { extents: true, ..Terms::default() }, &mut writers)?;
//! drop(writers);
//! assert_eq!(output.finish()?, b"2\tfur\tcat, bat\n1\tfur, wings\tbat\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary;
mod json;
pub(crate) mod lines;
mod list;
mod output;
mod read;
mod text;

pub use binary::BinaryForm;
pub use json::JsonForm;
pub use list::{ListError, ListFormat, list};
pub use output::{ConceptWriter, SharedOutput};
pub use read::{BinaryError, BinaryReader, PackedConcept};
pub use text::TextForm;

use pellucid_bits::words::members;
use pellucid_close::ConceptView;

/// An output format for concepts.
pub trait ConceptForm: Sync {
    /// Appends the header of the file.
    fn head(&self, buffer: &mut Vec<u8>) {
        let _ = buffer;
    }

    /// Appends a concept.
    fn push(&self, found: &ConceptView<'_>, buffer: &mut Vec<u8>);
}

/// Appends a set: the encoded names of its members, with a separator.
pub(crate) fn push_set(set: &[u64], names: &[Box<[u8]>], between: &[u8], buffer: &mut Vec<u8>) {
    for (index, member) in members(set).enumerate() {
        if index > 0 {
            buffer.extend_from_slice(between);
        }
        buffer.extend_from_slice(&names[member]);
    }
}

/// Appends a number in decimal digits.
pub(crate) fn push_number(number: u64, buffer: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let (mut first, mut left) = (digits.len(), number);
    loop {
        first -= 1;
        digits[first] = b"0123456789"[(left % 10) as usize];
        left /= 10;
        if left == 0 {
            break;
        }
    }
    buffer.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal() {
        for number in [0, 7, 10, 99, 100, 8_124, u64::from(u32::MAX), u64::MAX] {
            let mut buffer = Vec::new();
            push_number(number, &mut buffer);
            assert_eq!(buffer, number.to_string().into_bytes());
        }
    }
}
