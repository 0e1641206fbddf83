//! Packed concepts, read back.

use super::binary::{BinaryForm, HEAD, LETTERS, VERSION};
use pellucid_bits::words::{full, is_subset, words_for};
use std::io::{self, Read};
use thiserror::Error;

/// Why there are no more concepts to read.
#[derive(Debug, Error)]
pub enum BinaryError {
    /// The bytes do not come.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is another kind of file.
    #[error("these are no packed concepts: they begin with the letters CONCEPTS")]
    Letters,
    /// It was written by a later version.
    #[error("found version {0} of packed concepts, this program knows version {VERSION}")]
    Version(u32),
    /// A number in the head that cannot be.
    #[error("the head says {0}, which cannot be")]
    Head(String),
    /// The last concept is not whole.
    #[error("the file ends in the middle of concept {0}")]
    Truncated(u64),
    /// A bit for something that is not there.
    #[error("concept {0} has a bit set beyond the last object or attribute")]
    Stray(u64),
}

/// A concept that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The attributes, as words.
    pub intent: Vec<u64>,
    /// How many objects have all of them.
    pub support: u64,
    /// Those objects, as words; empty if they were not written.
    pub extent: Vec<u64>,
}

/// Reads packed concepts one by one.
///
/// ```
/// use pellucid_concepts::write::{BinaryForm, ConceptForm, BinaryReader};
/// use pellucid_close::Found;
///
/// let form = BinaryForm { objects: 9, attributes: 2, extents: false };
/// let mut file = Vec::new();
/// form.head(&mut file);
/// form.push(&Found { intent: &[0b10], support: 7, extent: &[] }, &mut file);
/// let mut reader = BinaryReader::new(&file[..])?;
/// assert_eq!(reader.form(), form);
/// assert_eq!(reader.next()?.map(|concept| (concept.intent, concept.support)), Some((vec![0b10], 7)));
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
    /// Reads the head.
    ///
    /// # Errors
    /// When these are no packed concepts of this version.
    pub fn new(mut from: R) -> Result<BinaryReader<R>, BinaryError> {
        let mut bytes = Vec::new();
        (&mut from).take(HEAD as u64).read_to_end(&mut bytes)?;
        if bytes.len() < HEAD || !bytes.starts_with(LETTERS) {
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
            return Err(BinaryError::Head(format!("{} for whether there are extents", short(12))));
        }
        let form = BinaryForm {
            objects: number(16, "objects")?,
            attributes: number(24, "attributes")?,
            extents: short(12) == 1,
        };
        Ok(BinaryReader { from, form, read: 0, bytes })
    }

    /// What the head says.
    #[must_use]
    pub fn form(&self) -> BinaryForm {
        self.form
    }

    /// The next concept, if there is one.
    ///
    /// # Errors
    /// When it is not whole, or has what the context has not.
    #[expect(clippy::should_implement_trait, reason = "it may fail, and then there is no next one")]
    pub fn next(&mut self) -> Result<Option<Kept>, BinaryError> {
        let BinaryForm { objects, attributes, extents } = self.form;
        let (intent, extent) =
            (attributes.div_ceil(8), if extents { objects.div_ceil(8) } else { 0 });
        let length = intent + 8 + extent;
        self.bytes.clear();
        // As much memory as bytes come, whatever the head says.
        (&mut self.from).take(length as u64).read_to_end(&mut self.bytes)?;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        if self.bytes.len() < length {
            return Err(BinaryError::Truncated(self.read));
        }
        let kept = Kept {
            intent: unpack(&self.bytes[..intent], attributes),
            support: unpack(&self.bytes[intent..intent + 8], 64)[0],
            extent: unpack(&self.bytes[intent + 8..], if extents { objects } else { 0 }),
        };
        let whole = |set: &[u64], members| is_subset(set, &full(members));
        if !whole(&kept.intent, attributes) || (extents && !whole(&kept.extent, objects)) {
            return Err(BinaryError::Stray(self.read));
        }
        self.read += 1;
        Ok(Some(kept))
    }
}

/// Bytes as words.
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
    use pellucid_close::Found;
    use proptest::prelude::*;

    fn written(form: BinaryForm, concepts: &[Kept]) -> Vec<u8> {
        let mut file = Vec::new();
        form.head(&mut file);
        for Kept { intent, support, extent } in concepts {
            form.push(&Found { intent, support: *support, extent }, &mut file);
        }
        file
    }

    fn read(file: &[u8]) -> Result<Vec<Kept>, BinaryError> {
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
        fn what_was_written_is_read(
            objects in 0usize..200,
            attributes in 0usize..200,
            extents: bool,
            concepts in prop::collection::vec((any::<[u64; 4]>(), any::<u64>(), any::<[u64; 4]>()), 0..5),
        ) {
            let form = BinaryForm { objects, attributes, extents };
            let concepts: Vec<Kept> = concepts
                .iter()
                .map(|(intent, support, extent)| Kept {
                    intent: masked(intent, attributes),
                    support: *support,
                    extent: if extents { masked(extent, objects) } else { Vec::new() },
                })
                .collect();
            let file = written(form, &concepts);
            prop_assert_eq!(BinaryReader::new(&file[..]).unwrap().form(), form);
            prop_assert_eq!(&read(&file).unwrap(), &concepts);
            // A part of it is a part of the concepts, or says that it ends early.
            for cut in 0..file.len() {
                match read(&file[..cut]) {
                    Ok(some) => prop_assert!(concepts.starts_with(&some)),
                    Err(BinaryError::Truncated(_) | BinaryError::Letters) => {}
                    Err(other) => prop_assert!(false, "{}", other),
                }
            }
        }

        #[test]
        fn nothing_breaks_it(mut bytes in prop::collection::vec(any::<u8>(), 0..90), honest: bool) {
            if honest {
                let head = written(BinaryForm { objects: 3, attributes: 5, extents: true }, &[]);
                let end = bytes.len().min(16);
                bytes.splice(..end, head.into_iter().take(16));
            }
            let _ = read(&bytes);
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let form = BinaryForm { objects: 3, attributes: 5, extents: false };
        let one = Kept { intent: vec![0b10_0000], support: 1, extent: Vec::new() };
        let told = |file: &[u8]| read(file).unwrap_err().to_string();
        assert!(told(&written(form, &[one])).contains("concept 0 has a bit"));
        let mut file = written(form, &[]);
        file[8] = 9;
        assert!(told(&file).contains("version 9"));
        let mut file = written(form, &[]);
        file[23] = 1;
        assert!(told(&file).contains("72057594037927939 objects"));
        assert!(told(b"B\n\n3\n").contains("CONCEPTS"));
    }
}
