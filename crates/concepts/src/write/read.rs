//! Reads packed concepts.

use super::binary::{BinaryForm, HEADER_BYTES, MAGIC, VERSION};
use pellucid_bits::words::{full, is_subset, words_for};
use std::io::{self, Read};
use thiserror::Error;

/// Why a file of packed concepts cannot be read.
#[derive(Debug, Error)]
pub enum BinaryError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has a different format.
    #[error("not a file of packed concepts; expected it to start with the letters CONCEPTS")]
    Letters,
    /// A later version wrote the file.
    #[error("found version {0} of packed concepts; expected version {VERSION}")]
    Version(u32),
    /// The header contains an invalid number.
    #[error("invalid header: {0}")]
    Head(String),
    /// The last record is incomplete.
    #[error("the file ends in the middle of concept {0}")]
    Truncated(u64),
    /// A bit beyond the last object or attribute is set.
    #[error("concept {0} has a bit set beyond the last object or attribute")]
    Stray(u64),
}

/// A concept read from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedConcept {
    /// The intent, as words.
    pub intent: Vec<u64>,
    /// The number of objects in the extent.
    pub support: u64,
    /// The extent, as words; empty if the file has no extents.
    pub extent: Vec<u64>,
}

/// Reads packed concepts one by one.
///
/// ```
/// use pellucid_concepts::write::{BinaryForm, ConceptForm, BinaryReader};
/// use pellucid_close::ConceptView;
///
/// let form = BinaryForm { objects: 9, attributes: 2, extents: false };
/// let mut file = Vec::new();
/// form.head(&mut file);
/// form.push(&ConceptView { intent: &[0b10], support: 7, extent: &[] }, &mut file);
/// let mut reader = BinaryReader::new(&file[..])?;
/// assert_eq!(reader.form(), form);
/// let first = reader.next()?.expect("a concept");
/// assert_eq!((first.intent, first.support), (vec![0b10], 7));
/// assert_eq!(reader.next()?, None);
/// # Ok::<(), pellucid_concepts::write::BinaryError>(())
/// ```
#[derive(Debug)]
pub struct BinaryReader<R> {
    from: R,
    form: BinaryForm,
    read: u64,
    bytes: Vec<u8>,
}

impl<R: Read> BinaryReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If the file is not a file of packed concepts of this version.
    pub fn new(mut from: R) -> Result<BinaryReader<R>, BinaryError> {
        let mut bytes = Vec::new();
        (&mut from).take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return Err(BinaryError::Letters);
        }
        let short =
            |at: usize| bytes[at..at + 4].iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
        let long =
            |at: usize| bytes[at..at + 8].iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
        let number = |at: usize, what: &str| {
            let wrong = || BinaryError::Head(format!("{} {what}", long(at)));
            u32::try_from(long(at)).ok().and_then(|n| usize::try_from(n).ok()).ok_or_else(wrong)
        };
        if short(8) != VERSION {
            return Err(BinaryError::Version(short(8)));
        }
        if short(12) > 1 {
            let flag = format!("{} as the extent flag", short(12));
            return Err(BinaryError::Head(flag));
        }
        let form = BinaryForm {
            objects: number(16, "objects")?,
            attributes: number(24, "attributes")?,
            extents: short(12) == 1,
        };
        Ok(BinaryReader { from, form, read: 0, bytes })
    }

    /// Returns what the header says.
    #[must_use]
    pub fn form(&self) -> BinaryForm {
        self.form
    }

    /// Returns the next concept, or `None` at the end of the file.
    ///
    /// # Errors
    /// If the record is incomplete or has bits beyond the context.
    #[expect(clippy::should_implement_trait, reason = "reading may fail")]
    pub fn next(&mut self) -> Result<Option<PackedConcept>, BinaryError> {
        let BinaryForm { objects, attributes, extents } = self.form;
        let (intent, extent) =
            (attributes.div_ceil(8), if extents { objects.div_ceil(8) } else { 0 });
        let length = intent + 8 + extent;
        self.bytes.clear();
        // Allocate only for bytes that are read, whatever the header says.
        (&mut self.from).take(length as u64).read_to_end(&mut self.bytes)?;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        if self.bytes.len() < length {
            return Err(BinaryError::Truncated(self.read));
        }
        let concept = PackedConcept {
            intent: unpack(&self.bytes[..intent], attributes),
            support: unpack(&self.bytes[intent..intent + 8], 64)[0],
            extent: unpack(&self.bytes[intent + 8..], if extents { objects } else { 0 }),
        };
        let whole = |set: &[u64], members| is_subset(set, &full(members));
        if !whole(&concept.intent, attributes) || (extents && !whole(&concept.extent, objects)) {
            return Err(BinaryError::Stray(self.read));
        }
        self.read += 1;
        Ok(Some(concept))
    }
}

/// Converts bytes to words.
fn unpack(bytes: &[u8], members: usize) -> Vec<u64> {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let words: Vec<u64> = bytes.chunks(8).map(word).collect();
    debug_assert_eq!(words.len(), words_for(members));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::ConceptForm;
    use pellucid_close::ConceptView;
    use proptest::prelude::*;

    fn encode(form: BinaryForm, concepts: &[PackedConcept]) -> Vec<u8> {
        let mut file = Vec::new();
        form.head(&mut file);
        for PackedConcept { intent, support, extent } in concepts {
            form.push(&ConceptView { intent, support: *support, extent }, &mut file);
        }
        file
    }

    fn read(file: &[u8]) -> Result<Vec<PackedConcept>, BinaryError> {
        let mut reader = BinaryReader::new(file)?;
        let mut concepts = Vec::new();
        while let Some(concept) = reader.next()? {
            concepts.push(concept);
        }
        Ok(concepts)
    }

    fn masked(words: &[u64], members: usize) -> Vec<u64> {
        full(members).iter().zip(words).map(|(all, word)| all & word).collect()
    }

    proptest! {
        #[test]
        fn round_trips(
            objects in 0usize..200,
            attributes in 0usize..200,
            extents: bool,
            concepts in prop::collection::vec((any::<[u64; 4]>(), any::<u64>(), any::<[u64; 4]>()), 0..5),
        ) {
            let form = BinaryForm { objects, attributes, extents };
            let concepts: Vec<PackedConcept> = concepts
                .iter()
                .map(|(intent, support, extent)| PackedConcept {
                    intent: masked(intent, attributes),
                    support: *support,
                    extent: if extents { masked(extent, objects) } else { Vec::new() },
                })
                .collect();
            let file = encode(form, &concepts);
            prop_assert_eq!(BinaryReader::new(&file[..]).unwrap().form(), form);
            prop_assert_eq!(&read(&file).unwrap(), &concepts);
            // A truncated file gives the first concepts or reports the truncation.
            for cut in 0..file.len() {
                match read(&file[..cut]) {
                    Ok(some) => prop_assert!(concepts.starts_with(&some)),
                    Err(BinaryError::Truncated(_) | BinaryError::Letters) => {}
                    Err(other) => prop_assert!(false, "{}", other),
                }
            }
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..90),
            valid_head: bool,
        ) {
            if valid_head {
                let head = encode(BinaryForm { objects: 3, attributes: 5, extents: true }, &[]);
                let end = bytes.len().min(16);
                bytes.splice(..end, head.into_iter().take(16));
            }
            let _ = read(&bytes);
        }
    }

    #[test]
    fn errors_are_reported() {
        let form = BinaryForm { objects: 3, attributes: 5, extents: false };
        let one = PackedConcept { intent: vec![0b10_0000], support: 1, extent: Vec::new() };
        let error = |file: &[u8]| read(file).unwrap_err().to_string();
        assert!(error(&encode(form, &[one])).contains("concept 0 has a bit"));
        let mut file = encode(form, &[]);
        file[8] = 9;
        assert!(error(&file).contains("version 9"));
        let mut file = encode(form, &[]);
        file[23] = 1;
        assert!(error(&file).contains("72057594037927939 objects"));
        assert!(error(b"B\n\n3\n").contains("CONCEPTS"));
    }
}
