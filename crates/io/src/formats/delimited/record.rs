//! Splits text into records and values. A value is a slice of the text unless it contains doubled quotes.

use std::borrow::Cow;

use crate::source::error::{Position, ReadError, ReadProblem, shorten};

/// The delimiter and the quote of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CsvDialect {
    /// The delimiter; a space stands for runs of spaces and tabs.
    pub(crate) delimiter: u8,
    /// The quote, if there is one.
    pub(crate) quote: Option<u8>,
}

impl CsvDialect {
    fn is_blank(self, byte: u8) -> bool {
        byte == b' ' || byte == b'\r' || (byte == b'\t' && self.delimiter != b'\t')
    }

    /// Whether runs of blanks separate the values.
    pub(crate) fn by_blanks(self) -> bool {
        self.delimiter == b' '
    }
}

/// A record: its first line and its values.
#[derive(Debug, Default, Clone)]
pub(crate) struct DelimitedRecord<'a> {
    pub(crate) line: u64,
    pub(crate) values: Vec<Cow<'a, str>>,
}

/// The records of a text in order; blank lines are skipped.
#[derive(Debug, Clone)]
pub(crate) struct Records<'a> {
    text: &'a str,
    dialect: CsvDialect,
    max_record_bytes: usize,
    position: usize,
    line: u64,
}

impl<'a> Records<'a> {
    pub(crate) fn new(text: &'a str, dialect: CsvDialect, max_record_bytes: usize) -> Self {
        Self::starting_at(text, dialect, max_record_bytes, 1)
    }

    /// Creates the records of a text that begins at a later line of its file.
    pub(crate) fn starting_at(
        text: &'a str,
        dialect: CsvDialect,
        max_record_bytes: usize,
        line: u64,
    ) -> Self {
        Self { text, dialect, max_record_bytes, position: 0, line }
    }

    /// Returns the number of bytes read so far.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Reads the next record into `record`; returns false at the end.
    pub(crate) fn next(&mut self, record: &mut DelimitedRecord<'a>) -> Result<bool, ReadError> {
        record.values.clear();
        if !self.skip_blank_lines() {
            return Ok(false);
        }
        record.line = self.line;
        let start = self.position;
        while self.value(record)? {
            self.check_length(start, record.line)?;
        }
        self.check_length(start, record.line)?;
        Ok(true)
    }

    fn check_length(&self, start: usize, line: u64) -> Result<(), ReadError> {
        if self.position - start > self.max_record_bytes {
            let problem = ReadProblem::LineTooLong { limit: self.max_record_bytes };
            return Err(ReadError::at(Position::Line(line), problem));
        }
        Ok(())
    }

    fn skip_blank_lines(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let mut ahead = self.position;
        while let Some(&byte) = bytes.get(ahead) {
            ahead += 1;
            if byte == b'\n' {
                self.line += 1;
                self.position = ahead;
            } else if !self.dialect.is_blank(byte) {
                return true;
            }
        }
        false
    }

    /// Reads one value and the delimiter after it; returns false at the end of the record.
    fn value(&mut self, record: &mut DelimitedRecord<'a>) -> Result<bool, ReadError> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.position).is_some_and(|&byte| self.dialect.is_blank(byte)) {
            self.position += 1;
        }
        let first = bytes.get(self.position).copied();
        // Blanks at the end of a line are not a delimiter.
        if self.dialect.by_blanks() && matches!(first, None | Some(b'\n')) {
            return Ok(self.end_of_value());
        }
        if first.is_some() && first == self.dialect.quote {
            return self.quoted(record);
        }
        let rest = &bytes[self.position..];
        let delimiter = self.dialect.delimiter;
        let length = if self.dialect.by_blanks() {
            rest.iter().position(|&byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
        } else {
            rest.iter().position(|&byte| byte == delimiter || byte == b'\n')
        };
        let length = length.unwrap_or(rest.len());
        let mut trimmed = length;
        while trimmed > 0 && self.dialect.is_blank(rest[trimmed - 1]) {
            trimmed -= 1;
        }
        let mut value = &self.text[self.position..self.position + trimmed];
        // Unicode blanks are rare, and only a value that begins or ends with a non-ASCII byte can have them.
        if [value.as_bytes().first(), value.as_bytes().last()]
            .into_iter()
            .flatten()
            .any(|byte| !byte.is_ascii())
        {
            value = value.trim();
        }
        record.values.push(Cow::Borrowed(value));
        self.position += length;
        Ok(self.end_of_value())
    }

    /// Skips the delimiter or line end after a value; returns false at the end of the record.
    fn end_of_value(&mut self) -> bool {
        match self.text.as_bytes().get(self.position) {
            None => false,
            Some(b'\n') => {
                self.position += 1;
                self.line += 1;
                false
            }
            Some(_) => {
                self.position += 1;
                true
            }
        }
    }

    fn quoted(&mut self, record: &mut DelimitedRecord<'a>) -> Result<bool, ReadError> {
        let bytes = self.text.as_bytes();
        let quote = bytes[self.position];
        let place = Position::Value { line: self.line, column: record.values.len() + 1 };
        let mut owned: Option<String> = None;
        let mut start = self.position + 1;
        loop {
            let rest = &bytes[start..];
            let close = rest.iter().position(|&byte| byte == quote).map(|length| start + length);
            // An unclosed quote would otherwise include the rest of the file.
            let close = close.filter(|&close| close - self.position <= self.max_record_bytes);
            let Some(close) = close else {
                return Err(ReadError::at(
                    place,
                    ReadProblem::OpenQuote { quote: char::from(quote) },
                ));
            };
            let piece = &self.text[start..close];
            if bytes.get(close + 1) == Some(&quote) {
                owned.get_or_insert_default().push_str(piece);
                owned.get_or_insert_default().push(char::from(quote));
                start = close + 2;
                continue;
            }
            let value = match owned {
                Some(mut text) => {
                    text.push_str(piece);
                    Cow::Owned(text)
                }
                None => Cow::Borrowed(piece),
            };
            self.line += value.bytes().filter(|&byte| byte == b'\n').count() as u64;
            record.values.push(value);
            self.position = close + 1;
            break;
        }
        let spaced = bytes.get(self.position).is_some_and(|&byte| self.dialect.is_blank(byte));
        while bytes.get(self.position).is_some_and(|&byte| self.dialect.is_blank(byte)) {
            self.position += 1;
        }
        match bytes.get(self.position) {
            None | Some(b'\n') => Ok(self.end_of_value()),
            Some(_) if self.dialect.by_blanks() && spaced => Ok(true),
            Some(&byte) if byte == self.dialect.delimiter => Ok(self.end_of_value()),
            Some(_) => {
                let rest = self.text.get(self.position..).unwrap_or_default();
                let found = shorten(rest.lines().next().unwrap_or_default());
                Err(ReadError::at(place, ReadProblem::AfterQuote { found }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CsvDialect, DelimitedRecord, Records};

    fn cut(text: &str, delimiter: u8, quote: Option<u8>) -> Vec<(u64, Vec<String>)> {
        let mut records = Records::new(text, CsvDialect { delimiter, quote }, 1000);
        let mut record = DelimitedRecord::default();
        let mut all = Vec::new();
        while records.next(&mut record).expect("sound text") {
            all.push((record.line, record.values.iter().map(|value| value.to_string()).collect()));
        }
        all
    }

    #[test]
    fn trims_and_unquotes() {
        let found = cut("a , \"b, \"\"c\"\"\" ,d\r\n\r\n \n1,,3\n", b',', Some(b'"'));
        let wanted = [(1, vec!["a", "b, \"c\"", "d"]), (4, vec!["1", "", "3"])];
        assert_eq!(found.len(), 2);
        for ((line, values), (wanted_line, wanted_values)) in found.iter().zip(&wanted) {
            assert_eq!(
                (line, values),
                (wanted_line, &wanted_values.iter().map(|v| v.to_string()).collect())
            );
        }
    }

    #[test]
    fn runs_of_blanks_are_one_delimiter() {
        let found = cut("  1 2\t 3 \n4  '5 6' 7\r\n", b' ', Some(b'\''));
        assert_eq!(found[0], (1, vec!["1".into(), "2".into(), "3".into()]));
        assert_eq!(found[1], (2, vec!["4".into(), "5 6".into(), "7".into()]));
    }

    #[test]
    fn empty_tabs_are_values_and_quoted_lines_count() {
        let found = cut("\t\t\n\"x\ny\"\t\t1\nz\t2\t3", b'\t', Some(b'"'));
        assert_eq!(found[0], (1, vec![String::new(), String::new(), String::new()]));
        assert_eq!(found[1], (2, vec!["x\ny".into(), String::new(), "1".into()]));
        assert_eq!(found[2], (4, vec!["z".into(), "2".into(), "3".into()]));
    }
}
