//! Reproducible damage to files.

use pellucid::learn::rng::{Stream, Streams};

/// Numbers at the limits of number types, as text.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1e308",
    "-1e309",
    "nan",
    "inf",
    "255",
    "256",
    "65536",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "0.00000000000000000000000000001",
];

/// Bytes with a special meaning for some reader.
const LETTERS: &[u8] = b"\n\r\t ,;|\"'\\{}[]()<>@%?.:#^_-+0179eaxyn*&~\0\x1b\x80\xc3\xef\xff";

/// Words with a special meaning for some reader.
const WORDS: [&str; 20] = [
    "@attribute",
    "@data",
    "@end",
    "{",
    "}",
    "\"\"\"",
    "<<",
    "@prefix",
    "@base",
    "_:b",
    "owl:Thing",
    "a",
    "null",
    "true",
    "[[[[[[[[",
    "((((((((",
    "not not",
    "&#0;",
    "<!ENTITY x \"&x;\">",
    "\u{feff}",
];

/// Damages files. The same seed and case give the same damage.
#[derive(Debug)]
pub struct Mutator(Stream);

impl Mutator {
    /// Returns the mutator for a case.
    #[must_use]
    pub fn new(seed: u64, case: u64) -> Mutator {
        Mutator(Streams::new(seed).stream(&["torture".into(), case.into()]))
    }

    /// Returns a random number below `count`, or 0 if `count` is 0.
    #[must_use]
    pub fn below(&mut self, count: usize) -> usize {
        self.0.index(count.max(1))
    }

    /// Returns true with the given probability.
    #[must_use]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.chance(probability)
    }

    /// Damages a file at one or several positions. Parts of `other`, a valid file of the same kind,
    /// may be inserted.
    #[must_use]
    pub fn damage(&mut self, file: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = file.to_vec();
        // Damage only a few positions: readers reject a file that is damaged everywhere at its first byte.
        let times = 1 + self.below(3) * self.below(4);
        for _ in 0..times {
            self.once(&mut bytes, other);
        }
        bytes
    }

    fn once(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        if bytes.is_empty() {
            bytes.push(self.letter());
            return;
        }
        let at = self.below(bytes.len());
        let length = 1 + self.below(24);
        let end = (at + length).min(bytes.len());
        match self.below(13) {
            0 => bytes[at] ^= 1 << self.below(8),
            1 => bytes[at] = self.letter(),
            2 => bytes.insert(at, self.letter()),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let position = self.below(bytes.len());
                bytes.splice(position..position, piece);
            }
            5 => bytes.truncate(at),
            6 => self.number_as_text(bytes, at),
            7 => self.number_as_bytes(bytes, at),
            8 => {
                let word = WORDS[self.below(WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
            9 => {
                // Replace a piece by a piece of the other file.
                let from = self.below(other.len());
                let until = (from + 1 + self.below(200)).min(other.len());
                bytes.splice(at..end, other[from..until].iter().copied());
            }
            10 => {
                // Repeat a piece.
                let piece = bytes[at..end].to_vec();
                let copies = 1 << self.below(9);
                bytes.splice(at..at, piece.repeat(copies));
            }
            11 => {
                let to = self.below(bytes.len());
                bytes.swap(at, to);
            }
            _ => self.line(bytes, at),
        }
    }

    fn letter(&mut self) -> u8 {
        if self.chance(0.7) {
            LETTERS[self.below(LETTERS.len())]
        } else {
            u8::try_from(self.below(256)).unwrap_or(0)
        }
    }

    /// Replaces the next digits by another number.
    fn number_as_text(&mut self, bytes: &mut Vec<u8>, at: usize) {
        let digit = |byte: &u8| byte.is_ascii_digit();
        let start = bytes[at..].iter().position(digit).map_or(at, |ahead| at + ahead);
        let end = bytes[start..].iter().position(|byte| !digit(byte));
        let end = end.map_or(bytes.len(), |ahead| start + ahead);
        let number = NUMBERS[self.below(NUMBERS.len())];
        bytes.splice(start..end, number.bytes());
    }

    /// Overwrites one to ten bytes with a number, as binary files contain them.
    fn number_as_bytes(&mut self, bytes: &mut [u8], at: usize) {
        let extreme =
            [0_u64, 1, 0x7f, 0x80, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX >> 1, u64::MAX];
        let number = extreme[self.below(extreme.len())];
        let mut packed = number.to_le_bytes().to_vec();
        if self.chance(0.5) {
            packed.truncate(4);
        } else if self.chance(0.5) {
            // Variable-length encoding with seven bits per byte.
            packed =
                (0..10).map(|byte| ((number >> (7 * byte).min(63)) & 0x7f) as u8 | 0x80).collect();
            packed[9] &= 0x7f;
        }
        for (target, byte) in bytes[at..].iter_mut().zip(packed) {
            *target = byte;
        }
    }

    /// Repeats or removes the line at a position.
    fn line(&mut self, bytes: &mut Vec<u8>, at: usize) {
        let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let end = bytes[at..].iter().position(|&byte| byte == b'\n');
        let end = end.map_or(bytes.len(), |ahead| at + ahead + 1);
        if self.chance(0.5) {
            let line = bytes[start..end].to_vec();
            bytes.splice(start..start, line);
        } else {
            bytes.drain(start..end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mutator;

    #[test]
    fn the_same_case_gives_the_same_damage() {
        let file = b"a,b,class\n1,2,x\n3,4,y\n".repeat(3);
        let damaged = |case| Mutator::new(7, case).damage(&file, b"other");
        let all: Vec<Vec<u8>> = (0..200).map(damaged).collect();
        assert_eq!(all, (0..200).map(damaged).collect::<Vec<_>>());
        let changed = all.iter().filter(|bytes| **bytes != file).count();
        assert!(changed > 150, "{changed} of 200 are damaged");
        assert!(all.iter().all(|bytes| bytes.len() < 100_000));
    }
}
