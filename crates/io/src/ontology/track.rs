//! Converts byte offsets of a parser to lines and columns.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::source::error::Position;

/// The number of recent bytes to keep; parsers read ahead less than that.
const KEPT: usize = 64 << 10;

/// A reader that records its bytes in a [`PositionTracker`].
pub(super) struct TrackingReader<R> {
    inner: R,
    tracker: Rc<RefCell<PositionTracker>>,
}

/// The most recent bytes, and the number of lines before them.
#[derive(Debug, Default)]
pub(super) struct PositionTracker {
    recent: Vec<u8>,
    /// The file offset of the recent bytes, and the line at that offset.
    offset: u64,
    line: u64,
    /// The file offset at which that line begins.
    line_start: u64,
}

impl<R> TrackingReader<R> {
    pub(super) fn new(inner: R) -> (Self, Rc<RefCell<PositionTracker>>) {
        let tracker =
            Rc::new(RefCell::new(PositionTracker { line: 1, ..PositionTracker::default() }));
        (Self { inner, tracker: Rc::clone(&tracker) }, tracker)
    }
}

impl<R: Read> Read for TrackingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.inner.read(buffer)?;
        self.tracker.borrow_mut().see(&buffer[..taken]);
        Ok(taken)
    }
}

impl PositionTracker {
    fn see(&mut self, bytes: &[u8]) {
        if self.recent.len() + bytes.len() > 2 * KEPT {
            let cut = self.recent.len().saturating_sub(KEPT);
            (self.line, self.line_start) = self.reach(cut);
            self.offset += cut as u64;
            self.recent.drain(..cut);
        }
        self.recent.extend_from_slice(bytes);
    }

    /// Returns the line after the first `count` recent bytes, and the offset at which it begins.
    fn reach(&self, count: usize) -> (u64, u64) {
        let passed = &self.recent[..count];
        let ends = passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let last = passed.iter().rposition(|&byte| byte == b'\n');
        let start = last.map_or(self.line_start, |last| self.offset + last as u64 + 1);
        (self.line + ends, start)
    }

    /// Returns the position of a byte offset.
    pub(super) fn at(&self, offset: u64) -> Position {
        let count = usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let (line, start) = self.reach(count.min(self.recent.len()));
        Position::Character { line, column: offset.saturating_sub(start) + 1 }
    }

    /// Returns the line of a byte offset.
    pub(super) fn line(&self, position: u64) -> u64 {
        let count = usize::try_from(position.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        self.reach(count.min(self.recent.len())).0
    }

    /// Returns the position after the last byte.
    pub(super) fn end(&self) -> Position {
        self.at(self.offset + self.recent.len() as u64)
    }

    /// Whether a text is among the recent bytes.
    pub(super) fn saw(&self, text: &[u8]) -> bool {
        self.recent.windows(text.len().max(1)).any(|window| window == text)
    }
}

#[cfg(test)]
mod tests {
    use super::TrackingReader;
    use crate::source::error::Position;
    use std::io::Read;

    #[test]
    fn positions_are_correct_after_many_blocks() {
        let text = "abc\ndefgh\n".repeat(100_000);
        let (mut reader, tracker) = TrackingReader::new(text.as_bytes());
        let mut buffer = [0; 7919];
        let mut position = 0;
        loop {
            let taken = reader.read(&mut buffer).expect("memory is readable");
            if taken == 0 {
                break;
            }
            let before = &text.as_bytes()[..position + taken / 2];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let column = (before.len() - start) as u64 + 1;
            let found = tracker.borrow().at(before.len() as u64);
            assert_eq!(found, Position::Character { line, column });
            position += taken;
        }
        assert_eq!(position, text.len());
    }
}
