//! Decodes bytes: UTF-8, UTF-16, Windows-1252 and Latin-1.
//!
//! A byte order mark decides. Without one the file is read as UTF-8 if it is valid UTF-8.
//! Otherwise, if it has no control characters, it is read as Windows-1252, which older Western
//! European spreadsheets use.

use crate::source::error::{Position, ReadError, ReadProblem};
use pellucid_data::{Message, message, parameter};
use std::fmt;
use std::str::FromStr;

/// The character encoding of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// Windows-1252, Microsoft's extension of Latin-1.
    Windows1252,
    /// ISO 8859-1.
    Latin1,
    /// ISO 8859-15: Latin-1 with the euro sign.
    Latin9,
}

impl TextEncoding {
    /// All encodings with their names.
    const NAMES: [(TextEncoding, &'static str); 6] = [
        (TextEncoding::Utf8, "utf-8"),
        (TextEncoding::Utf16Le, "utf-16le"),
        (TextEncoding::Utf16Be, "utf-16be"),
        (TextEncoding::Windows1252, "windows-1252"),
        (TextEncoding::Latin1, "iso-8859-1"),
        (TextEncoding::Latin9, "iso-8859-15"),
    ];

    /// Returns the name of the encoding.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(encoding, _)| *encoding == self);
        named.map_or("utf-8", |(_, name)| name)
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The error for an encoding name that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "found '{0}'; expected one of utf-8, utf-16le, utf-16be, windows-1252, iso-8859-1, iso-8859-15"
)]
pub struct UnknownEncoding(String);

impl FromStr for TextEncoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<TextEncoding, UnknownEncoding> {
        let lower = text.to_ascii_lowercase().replace('_', "-");
        let plain = match lower.as_str() {
            "utf8" => "utf-8",
            "utf-16" | "utf16" | "utf16le" | "unicode" => "utf-16le",
            "utf16be" => "utf-16be",
            "cp1252" | "1252" | "ansi" => "windows-1252",
            "latin1" | "latin-1" | "iso8859-1" => "iso-8859-1",
            "latin9" | "latin-9" | "iso8859-15" => "iso-8859-15",
            other => other,
        };
        let found = Self::NAMES.iter().find(|(_, name)| *name == plain);
        found
            .map(|(encoding, _)| *encoding)
            .ok_or_else(|| UnknownEncoding(text.chars().take(40).collect()))
    }
}

/// Decodes a file, and notes what was assumed about its encoding.
pub(crate) fn decode(
    mut bytes: Vec<u8>,
    given: Option<TextEncoding>,
    notes: &mut Vec<Message>,
) -> Result<String, ReadError> {
    let mark = marked(&bytes);
    if let Some((encoding, length)) = mark {
        // A byte order mark is never part of the text, and overrides the encoding that the caller named.
        bytes.drain(..length);
        if encoding != TextEncoding::Utf8 && given.is_none() {
            notes.push(message!("read the file as {encoding}, as its byte order mark says"));
        }
        return of(bytes, encoding);
    }
    if let Some(encoding) = given {
        return of(bytes, encoding);
    }
    if let Some(encoding) = by_zeros(&bytes) {
        notes.push(message!(
            "assumed the encoding is {encoding}, because every other byte is zero; use `",
            parameter("encoding"),
            "` to change it"
        ));
        return of(bytes, encoding);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            // Valid non-ASCII UTF-8 before this position means a damaged UTF-8 file.
            if bytes[..at].is_ascii() && bytes.iter().all(|&byte| is_written(byte)) {
                let encoding = TextEncoding::Windows1252;
                let line = line_of(&bytes, at);
                notes.push(message!(
                    "assumed the encoding is {encoding}, because line {line} is not valid UTF-8; use `",
                    parameter("encoding"),
                    "` to change it"
                ));
                return of(bytes, encoding);
            }
            Err(not_utf8(&bytes, at))
        }
    }
}

/// Returns the encoding of the byte order mark, and the length of the mark.
fn marked(bytes: &[u8]) -> Option<(TextEncoding, usize)> {
    let marks: [(&[u8], TextEncoding); 3] = [
        (b"\xef\xbb\xbf", TextEncoding::Utf8),
        (b"\xff\xfe", TextEncoding::Utf16Le),
        (b"\xfe\xff", TextEncoding::Utf16Be),
    ];
    let found = marks.iter().find(|(mark, _)| bytes.starts_with(mark));
    found.map(|&(mark, encoding)| (encoding, mark.len()))
}

/// Detects UTF-16 without a byte order mark by the zero bytes of ASCII letters.
fn by_zeros(bytes: &[u8]) -> Option<TextEncoding> {
    const LOOKED_AT: usize = 4096;
    let sample = &bytes[..bytes.len().min(LOOKED_AT)];
    let pairs = sample.len() / 2;
    if pairs < 4 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let zeros =
        |start: usize| sample.iter().skip(start).step_by(2).filter(|&&byte| byte == 0).count();
    match (zeros(0), zeros(1)) {
        (0, zeros) if zeros * 10 > pairs * 9 => Some(TextEncoding::Utf16Le),
        (zeros, 0) if zeros * 10 > pairs * 9 => Some(TextEncoding::Utf16Be),
        _ => None,
    }
}

/// Whether a byte occurs in Windows-1252 text; other bytes indicate a binary file.
fn is_written(byte: u8) -> bool {
    match byte {
        b'\t' | b'\n' | b'\r' | 0x0c | 0x1a => true,
        0x00..=0x1f | 0x7f => false,
        0x80..=0x9f => windows(byte).is_some(),
        _ => true,
    }
}

fn of(bytes: Vec<u8>, encoding: TextEncoding) -> Result<String, ReadError> {
    match encoding {
        TextEncoding::Utf8 => String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            not_utf8(error.as_bytes(), at)
        }),
        TextEncoding::Utf16Le => of_pairs(&bytes, u16::from_le_bytes),
        TextEncoding::Utf16Be => of_pairs(&bytes, u16::from_be_bytes),
        TextEncoding::Latin1 => Ok(bytes.into_iter().map(char::from).collect()),
        TextEncoding::Latin9 => Ok(bytes.into_iter().map(latin9).collect()),
        TextEncoding::Windows1252 => {
            if let Some(at) = bytes
                .iter()
                .position(|&byte| matches!(byte, 0x80..=0x9f) && windows(byte).is_none())
            {
                let found = format!("byte 0x{:02x}", bytes[at]);
                let expected = "a windows-1252 character".to_owned();
                let position = Position::Line(line_of(&bytes, at));
                return Err(ReadError::at(position, ReadProblem::Form { found, expected }));
            }
            let letter = |byte: u8| windows(byte).unwrap_or(char::from(byte));
            Ok(bytes.into_iter().map(letter).collect())
        }
    }
}

fn of_pairs(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, ReadError> {
    let error = |found: String, line: u64| {
        let expected = "a UTF-16 character".to_owned();
        ReadError::at(Position::Line(line), ReadProblem::Form { found, expected })
    };
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut line = 1;
    for letter in char::decode_utf16(units) {
        let letter = letter.map_err(|half| {
            error(format!("an unpaired surrogate, 0x{:04x}", half.unpaired_surrogate()), line)
        })?;
        line += u64::from(letter == '\n');
        text.push(letter);
    }
    if !bytes.len().is_multiple_of(2) {
        return Err(error("a single byte at the end of the file".to_owned(), line));
    }
    Ok(text)
}

fn not_utf8(bytes: &[u8], at: usize) -> ReadError {
    let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let problem = ReadProblem::NotUtf8 { at: at - start + 1, byte: bytes[at] };
    ReadError::at(Position::Line(line_of(bytes, at)), problem)
}

fn line_of(bytes: &[u8], at: usize) -> u64 {
    bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1
}

/// The characters of Windows-1252 between 0x80 and 0x9f; five codes are unused.
fn windows(byte: u8) -> Option<char> {
    const LETTERS: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0',
        '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    let index = byte.checked_sub(0x80)?;
    LETTERS.get(usize::from(index)).copied().filter(|&letter| letter != '\0')
}

fn latin9(byte: u8) -> char {
    match byte {
        0xa4 => '€',
        0xa6 => 'Š',
        0xa8 => 'š',
        0xb4 => 'Ž',
        0xb8 => 'ž',
        0xbc => 'Œ',
        0xbd => 'œ',
        0xbe => 'Ÿ',
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8], given: Option<TextEncoding>) -> Result<(String, usize), String> {
        let mut notes = Vec::new();
        let text = decode(bytes.to_vec(), given, &mut notes).map_err(|error| error.to_string())?;
        Ok((text, notes.len()))
    }

    #[test]
    fn encodings_are_detected() {
        let both = |text: &str, notes| Ok((text.to_owned(), notes));
        assert_eq!(read("Größe\n".as_bytes(), None), both("Größe\n", 0));
        assert_eq!(read(b"\xef\xbb\xbfa\n", None), both("a\n", 0));
        assert_eq!(read(b"Gr\xf6\xdfe \x80\n", None), both("Größe €\n", 1));
        assert_eq!(read(b"\xff\xfeG\0r\0\xf6\0", None), both("Grö", 1));
        assert_eq!(read(b"\xfe\xff\0G\0r\0\xf6", None), both("Grö", 1));
        assert_eq!(read(b"a\0,\0b\0\n\x001\0,\x002\0\n\0", None), both("a,b\n1,2\n", 1));
        assert_eq!(read(b"\xa4", Some(TextEncoding::Latin9)), both("€", 0));
        assert_eq!(read(b"\xa4", Some(TextEncoding::Latin1)), both("¤", 0));
    }

    #[test]
    fn binary_data_is_an_error() {
        for bytes in [&b"a\xff\x00b"[..], b"\x89PNG\r\n\x1a\n\0", "ä,\u{1}\n".as_bytes()] {
            let given = read(bytes, None);
            assert!(
                given.is_err() || bytes.is_ascii() || std::str::from_utf8(bytes).is_ok(),
                "{given:?}"
            );
        }
        // Valid UTF-8 letters before the damage.
        assert!(read(b"\xc3\xa4\n\xff\n", None).unwrap_err().contains("line 2"));
        assert!(read(b"\xff\xfea\0\x00\xd8", None).unwrap_err().contains("unpaired surrogate"));
        assert!(read(b"\xff\xfea\0b", None).unwrap_err().contains("single byte"));
        assert!(read(b"\x81", Some(TextEncoding::Windows1252)).unwrap_err().contains("0x81"));
    }

    #[test]
    fn names_round_trip() {
        for (encoding, name) in TextEncoding::NAMES {
            assert_eq!(name.parse(), Ok(encoding));
            assert_eq!(encoding.to_string(), name);
        }
        assert!("klingon".parse::<TextEncoding>().is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_text_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let all = TextEncoding::NAMES.map(|(encoding, _)| Some(encoding));
            for given in std::iter::once(None).chain(all) {
                let _ = read(&bytes, given);
            }
        }

        #[test]
        fn utf_16_round_trips(text in "\\PC{0,60}") {
            let little = u16::to_le_bytes as fn(u16) -> [u8; 2];
            for (mark, pair) in [([0xff, 0xfe], little), ([0xfe, 0xff], u16::to_be_bytes)] {
                let mut bytes = mark.to_vec();
                bytes.extend(text.encode_utf16().flat_map(pair));
                prop_assert_eq!(read(&bytes, None).map(|(text, _)| text), Ok(text.clone()));
            }
        }
    }
}
