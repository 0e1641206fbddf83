//! Escapes control characters for terminals: names and values of a file may contain any character.

use pellucid::data::visible_text;
use std::borrow::Cow;
use std::io::{self, Write};

/// A writer that passes text through [`visible_text`] and other bytes unchanged.
#[derive(Debug)]
pub struct EscapingWriter<W> {
    inner: W,
    /// The first bytes of an incomplete character.
    pending: Vec<u8>,
}

impl<W: Write> EscapingWriter<W> {
    /// Wraps a writer.
    pub fn new(inner: W) -> EscapingWriter<W> {
        EscapingWriter { inner, pending: Vec::new() }
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let pending = std::mem::take(&mut self.pending);
        let all = if pending.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            Cow::Owned([&pending, bytes].concat())
        };
        for piece in all.utf8_chunks() {
            self.inner.write_all(visible_text(piece.valid()).as_bytes())?;
            let broken = piece.invalid();
            let is_last = broken.as_ptr_range().end == all.as_ptr_range().end;
            if is_last
                && std::str::from_utf8(broken).is_err_and(|error| error.error_len().is_none())
            {
                self.pending = broken.to_vec();
            } else {
                self.inner.write_all(broken)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        for plain in ["", "colour = 'dark blue'\n\ta", "größer ≥ 2"] {
            assert!(matches!(visible_text(plain), Cow::Borrowed(same) if same == plain), "{plain}");
        }
        assert_eq!(visible_text("a\u{1b}[31mred"), "a\\u001b[31mred");
        assert_eq!(visible_text("exe\u{202e}fdp.doc\r"), "exe\\u202efdp.doc\\r");
        assert_eq!(visible_text("\u{9b}2J\u{7f}\0\u{2066}"), "\\u009b2J\\u007f\\u0000\\u2066");
    }

    #[test]
    fn characters_may_be_split_between_writes() {
        let text = "ä\u{202e}€\u{1b}👩\n";
        for size in 1..text.len() {
            let mut out = EscapingWriter::new(Vec::new());
            for piece in text.as_bytes().chunks(size) {
                out.write_all(piece).expect("writing to a vector succeeds");
            }
            assert_eq!(out.inner, "ä\\u202e€\\u001b👩\n".as_bytes(), "pieces of {size}");
        }
        let mut out = EscapingWriter::new(Vec::new());
        out.write_all(b"\xff\xfea\x1b").expect("writing to a vector succeeds");
        assert_eq!(out.inner, b"\xff\xfea\\u001b");
    }
}
