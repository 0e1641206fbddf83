//! Concepts on their way out: written as they are found, and forgotten.
//!
//! Picture several clerks who write into one book. Each has a sheet of its own for what it finds; when the sheet is full it is
//! copied into the book, and a new one is begun. So nobody waits for the book at every line, no line is torn in two, and
//! there is never more than one sheet for each clerk, however many concepts there are.
//!
//! [`list()`] does all of it: every concept of a context, on the devices of a machine, in a [`ListFormat`]. Underneath, a
//! [`ConceptWriter`] for every thread of a search fills a buffer and hands it to the [`SharedOutput`]; how a concept is written is a
//! [`ConceptForm`]: [`TextForm`] for people, [`JsonForm`] for scripts, [`BinaryForm`] for programs that read hundreds of millions.
//!
//! ```
//! use pellucid_concepts::enumerate::enumerate;
//! use pellucid_concepts::write::{SharedOutput, TextForm};
//! use pellucid_close::Terms;
//! use pellucid_data::Relation;
//! use pellucid_data::Context;
//!
//! let relation = Relation::new(2, [[0].as_slice(), &[0, 1]])?;
//! let context = Context::new("pets", ["cat", "bat"].into_iter().collect(), ["fur", "wings"].into_iter().collect(), relation);
//! let form = TextForm::new(&context, true);
//! let output = SharedOutput::new(Vec::new(), &form)?;
//! let mut writers = output.writers(1);
//! enumerate(&context.relation, &Terms { extents: true, ..Terms::default() }, &mut writers);
//! drop(writers);
//! assert_eq!(output.finish()?, b"2\tfur\tcat, bat\n1\tfur, wings\tbat\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary;
mod json;
mod list;
mod output;
mod read;
mod text;

pub use binary::BinaryForm;
pub use json::JsonForm;
pub use list::{ListError, ListFormat, list};
pub use output::{ConceptWriter, SharedOutput};
pub use read::{BinaryError, BinaryReader, Kept};
pub use text::TextForm;

use pellucid_bits::words::members;
use pellucid_close::Found;

/// How a concept is written.
pub trait ConceptForm: Sync {
    /// What stands before the first concept.
    fn head(&self, buffer: &mut Vec<u8>) {
        let _ = buffer;
    }

    /// Appends a concept.
    fn push(&self, found: &Found<'_>, buffer: &mut Vec<u8>);
}

/// Appends a set: what stands for its members, with a mark between them.
fn push_set(set: &[u64], names: &[Box<[u8]>], between: &[u8], buffer: &mut Vec<u8>) {
    for (index, member) in members(set).enumerate() {
        if index > 0 {
            buffer.extend_from_slice(between);
        }
        buffer.extend_from_slice(&names[member]);
    }
}

/// Appends a number in digits.
fn push_number(number: u64, buffer: &mut Vec<u8>) {
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
    fn numbers_in_digits() {
        for number in [0, 7, 10, 99, 100, 8_124, u64::from(u32::MAX), u64::MAX] {
            let mut buffer = Vec::new();
            push_number(number, &mut buffer);
            assert_eq!(buffer, number.to_string().into_bytes());
        }
    }
}
