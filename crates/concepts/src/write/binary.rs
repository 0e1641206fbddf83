//! Concepts as packed binary records of equal length.
//!
//! All numbers are little-endian. The header has 32 bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 0 to 7 | the letters `CONCEPTS` |
//! | 8 to 11 | the version, 1 |
//! | 12 to 15 | 1 if extents are included, otherwise 0 |
//! | 16 to 23 | the number of objects in the context |
//! | 24 to 31 | the number of attributes in the context |
//!
//! The records follow. Each has the intent, one bit per attribute in whole bytes (attribute *a* is
//! bit `a % 8` of byte `a / 8`); the support in eight bytes; and, if extents are included, the
//! extent, one bit per object. The file contains no names: bits follow the order of the context.

use super::ConceptForm;
use pellucid_close::ConceptView;

/// The first bytes of a file.
pub(super) const MAGIC: &[u8; 8] = b"CONCEPTS";
/// The version of the format.
pub(super) const VERSION: u32 = 1;
/// The length of the header in bytes.
pub(super) const HEADER_BYTES: usize = 32;

/// Writes a header of 32 bytes, then the intent, the support and optionally the extent of every
/// concept.
///
/// [`BinaryReader`](super::BinaryReader) reads it. The guide to concepts documents the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryForm {
    /// The number of objects in the context.
    pub objects: usize,
    /// The number of attributes in the context.
    pub attributes: usize,
    /// Whether extents are written.
    pub extents: bool,
}

impl ConceptForm for BinaryForm {
    fn head(&self, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(MAGIC);
        buffer.extend_from_slice(&VERSION.to_le_bytes());
        buffer.extend_from_slice(&u32::from(self.extents).to_le_bytes());
        buffer.extend_from_slice(&(self.objects as u64).to_le_bytes());
        buffer.extend_from_slice(&(self.attributes as u64).to_le_bytes());
    }

    fn push(&self, found: &ConceptView<'_>, buffer: &mut Vec<u8>) {
        pack(found.intent, self.attributes, buffer);
        buffer.extend_from_slice(&found.support.to_le_bytes());
        if self.extents {
            pack(found.extent, self.objects, buffer);
        }
    }
}

/// Appends a set as whole bytes; `members` is the size of the universe.
fn pack(set: &[u64], members: usize, buffer: &mut Vec<u8>) {
    let end = buffer.len() + members.div_ceil(8);
    set.iter().for_each(|word| buffer.extend_from_slice(&word.to_le_bytes()));
    buffer.truncate(end);
}
