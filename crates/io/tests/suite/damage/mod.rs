//! Random damage to files.

use proptest::prelude::*;

/// One change of a file.
#[derive(Debug, Clone)]
pub(crate) enum Damage {
    Flip { at: usize, bit: u8 },
    Replace { at: usize, byte: u8 },
    Insert { at: usize, byte: u8 },
    Delete { at: usize, length: usize },
    Repeat { at: usize, length: usize },
    Truncate { at: usize },
}

impl Damage {
    pub(crate) fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |at: usize| at % (bytes.len() + 1);
        match *self {
            _ if bytes.is_empty() => {}
            Self::Flip { at, bit } => {
                let at = at % bytes.len();
                bytes[at] ^= 1 << (bit % 8);
            }
            Self::Replace { at, byte } => {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            Self::Insert { at, byte } => bytes.insert(place(at), byte),
            Self::Delete { at, length } => {
                let start = place(at);
                let end = (start + length).min(bytes.len());
                bytes.drain(start..end);
            }
            Self::Repeat { at, length } => {
                let start = place(at);
                let end = (start + length).min(bytes.len());
                let piece = bytes[start..end].to_vec();
                bytes.splice(end..end, piece);
            }
            Self::Truncate { at } => bytes.truncate(place(at)),
        }
    }
}

/// Generates damage of every kind.
pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    // Characters with a meaning in one of the formats are the most likely to cause problems.
    let byte = prop_oneof![
        proptest::sample::select(b"\n\r\t ,;|\"'\\{}[]@%?.-+0179eaxyn\xef\xc3\xff".to_vec()),
        any::<u8>()
    ];
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, bit)| Damage::Flip { at, bit }),
        (any::<usize>(), byte.clone()).prop_map(|(at, byte)| Damage::Replace { at, byte }),
        (any::<usize>(), byte).prop_map(|(at, byte)| Damage::Insert { at, byte }),
        (any::<usize>(), 1..20usize).prop_map(|(at, length)| Damage::Delete { at, length }),
        (any::<usize>(), 1..40usize).prop_map(|(at, length)| Damage::Repeat { at, length }),
        any::<usize>().prop_map(|at| Damage::Truncate { at }),
    ]
}
