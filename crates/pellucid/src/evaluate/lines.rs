//! Lines of input, in batches of those that are available without waiting.

use std::io::{BufRead, BufReader, Read};

/// The maximum length of a line.
const LINE_BYTES: u64 = 1 << 20;

/// A line of input, or the error.
pub(super) type Line = Result<String, String>;

/// A reader of lines.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    has_started: bool,
    /// The maximum number of lines in a batch.
    most: usize,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(source: R, most: usize) -> Lines<R> {
        Lines { input: BufReader::with_capacity(1 << 18, source), has_started: false, most }
    }

    /// Reads at least one line, and further lines that are available without waiting. Returns false
    /// at the end of the input.
    pub(super) fn read_batch(&mut self, lines: &mut Vec<Line>) -> std::io::Result<bool> {
        lines.clear();
        while let Some(mut line) = read_line(&mut self.input)? {
            if let (false, Ok(text)) = (self.has_started, &mut line) {
                // Some editors write a byte order mark at the start of a file.
                if text.starts_with('\u{feff}') {
                    text.remove(0);
                }
            }
            self.has_started = true;
            lines.push(line);
            if lines.len() == self.most || !self.input.buffer().contains(&b'\n') {
                break;
            }
        }
        Ok(!lines.is_empty())
    }
}

fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    input.take(LINE_BYTES + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 > LINE_BYTES && bytes.last() != Some(&b'\n') {
        skip_line(input)?;
        return Ok(Some(Err(format!("the line is longer than {LINE_BYTES} bytes"))));
    }
    let line = String::from_utf8(bytes).map_err(|error| {
        let column = error.utf8_error().valid_up_to() + 1;
        format!("byte {column} is not UTF-8 text")
    });
    Ok(Some(line))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (length, ends) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if ends {
            return Ok(());
        }
    }
}
