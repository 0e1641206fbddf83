//! The one place where text becomes safe to show.
//!
//! Names and values come from files of strangers. A terminal obeys some characters instead of showing them: it moves, recolours,
//! retitles, or turns the order of letters around so that a line seems to say something else. Such a character is shown by its
//! number, as in `\u001b`, which JSON and Turtle read back as the character.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Whether a terminal does something with a character instead of showing it. Ends of lines and tabs are meant.
fn is_obeyed(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        // Marks, embeddings, overrides and isolates of writing from the right; separators of lines.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        _ => letter.is_control(),
    }
}

/// A text in which everything can be seen.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_obeyed(letter) {
            // Writing into a string cannot fail.
            let _ = write!(shown, "\\u{:04x}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// A terminal to which text goes as [`visible`]; what is no text goes as it is.
#[derive(Debug)]
pub(crate) struct Visible<W> {
    inner: W,
    /// The first bytes of a letter whose others have not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Visible<W> {
    pub(crate) fn new(inner: W) -> Visible<W> {
        Visible { inner, begun: Vec::new() }
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let begun = std::mem::take(&mut self.begun);
        let all = if begun.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            Cow::Owned([&begun, bytes].concat())
        };
        for piece in all.utf8_chunks() {
            self.inner.write_all(visible(piece.valid()).as_bytes())?;
            let broken = piece.invalid();
            let is_last = broken.as_ptr_range().end == all.as_ptr_range().end;
            if is_last
                && std::str::from_utf8(broken).is_err_and(|error| error.error_len().is_none())
            {
                self.begun = broken.to_vec();
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
    fn what_a_terminal_would_obey_is_shown() {
        for plain in ["", "colour = 'dark blue'\n\ta", "größer ≥ 2", "שלום", "👩‍🔬"]
        {
            assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain), "{plain}");
        }
        assert_eq!(visible("a\u{1b}[31mred"), "a\\u001b[31mred");
        assert_eq!(visible("exe\u{202e}fdp.doc\r"), "exe\\u202efdp.doc\\u000d");
        assert_eq!(visible("\u{9b}2J\u{7f}\0\u{2066}"), "\\u009b2J\\u007f\\u0000\\u2066");
    }

    #[test]
    fn letters_may_come_in_pieces() {
        let text = "ä\u{202e}€\u{1b}👩\n";
        for size in 1..text.len() {
            let mut out = Visible::new(Vec::new());
            for piece in text.as_bytes().chunks(size) {
                out.write_all(piece).expect("a vector takes all");
            }
            assert_eq!(out.inner, "ä\\u202e€\\u001b👩\n".as_bytes(), "pieces of {size}");
        }
        let mut out = Visible::new(Vec::new());
        out.write_all(b"\xff\xfea\x1b").expect("a vector takes all");
        assert_eq!(out.inner, b"\xff\xfea\\u001b");
    }
}
