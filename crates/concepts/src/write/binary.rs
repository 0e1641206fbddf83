//! Concepts for programs: packed, and each as long as the other.
//!
//! All numbers are little-endian. The head has 32 bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 0 to 7 | the letters `CONCEPTS` |
//! | 8 to 11 | the version, 1 |
//! | 12 to 15 | 1 if extents are there, otherwise 0 |
//! | 16 to 23 | how many objects the context has |
//! | 24 to 31 | how many attributes it has |
//!
//! Then come the concepts, as many as there are, each with the same parts: the intent, a bit for every attribute in as few
//! whole bytes as can be (attribute *a* is bit `a % 8` of byte `a / 8`); the support in eight bytes; and, if there are
//! extents, the extent like the intent, a bit for every object. Names are not in the file: bits follow the context's order.

use super::ConceptForm;
use pellucid_close::Found;

/// The letters a file begins with.
pub(super) const LETTERS: &[u8; 8] = b"CONCEPTS";
/// The version that is written.
pub(super) const VERSION: u32 = 1;
/// How long the head is.
pub(super) const HEAD: usize = 32;

/// A head of 32 bytes, and then for every concept its attributes as bits, its support, and perhaps its objects as bits.
///
/// [`BinaryReader`](super::BinaryReader) reads it back; the guide to concepts tells the layout byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryForm {
    /// How many objects the context has.
    pub objects: usize,
    /// How many attributes it has.
    pub attributes: usize,
    /// Whether the objects of concepts are written.
    pub extents: bool,
}

impl ConceptForm for BinaryForm {
    fn head(&self, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(LETTERS);
        buffer.extend_from_slice(&VERSION.to_le_bytes());
        buffer.extend_from_slice(&u32::from(self.extents).to_le_bytes());
        buffer.extend_from_slice(&(self.objects as u64).to_le_bytes());
        buffer.extend_from_slice(&(self.attributes as u64).to_le_bytes());
    }

    fn push(&self, found: &Found<'_>, buffer: &mut Vec<u8>) {
        pack(found.intent, self.attributes, buffer);
        buffer.extend_from_slice(&found.support.to_le_bytes());
        if self.extents {
            pack(found.extent, self.objects, buffer);
        }
    }
}

/// A set of up to so many members, in whole bytes.
fn pack(set: &[u64], members: usize, buffer: &mut Vec<u8>) {
    let end = buffer.len() + members.div_ceil(8);
    set.iter().for_each(|word| buffer.extend_from_slice(&word.to_le_bytes()));
    buffer.truncate(end);
}
