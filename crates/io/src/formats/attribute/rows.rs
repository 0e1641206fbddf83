//! The lines after `@data`: dense rows, sparse rows, rows that hold a bag of rows, and weights,
//! which are ignored.

use super::column::AttributeColumns;
use super::header::{AttributeHeader, Slot};
use super::token::{self, AttributeToken};
use crate::cells::parser::CellParser;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};

/// Fills the columns from the data lines.
pub(super) struct AttributeRows<'h, 'f> {
    pub(super) header: &'h AttributeHeader,
    pub(super) columns: Vec<AttributeColumns<'f>>,
    pub(super) parser: CellParser<'h>,
    /// Whether a `%` after a row begins a comment, as in ARFF.
    pub(super) comments: bool,
    /// The line of each row.
    pub(super) lines: Vec<u64>,
    /// The data line of each row, counted from 1; it names bags that have no name.
    pub(super) outer: Vec<u64>,
    pub(super) weights: u64,
    records: u64,
}

impl<'h, 'f> AttributeRows<'h, 'f> {
    pub(super) fn new(
        header: &'h AttributeHeader,
        columns: Vec<AttributeColumns<'f>>,
        parser: CellParser<'h>,
        comments: bool,
    ) -> Self {
        let (lines, outer) = (Vec::new(), Vec::new());
        Self { header, columns, parser, comments, lines, outer, weights: 0, records: 0 }
    }

    /// Adds one data line.
    pub(super) fn push<'a>(
        &mut self,
        number: u64,
        line: &'a str,
        tokens: &mut Vec<AttributeToken<'a>>,
    ) -> Result<(), ReadError> {
        let at_line = |problem| ReadError::at(Position::Line(number), problem);
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            return Ok(());
        }
        self.records += 1;
        if line.starts_with('{') {
            return self.push_sparse(number, line);
        }
        let expected = self.header.slots.len();
        token::split(line, expected > 1, self.comments, tokens).map_err(at_line)?;
        if tokens.len() == expected + 1 && tokens.last().is_some_and(is_weight) {
            tokens.pop();
            self.weights += 1;
        }
        if tokens.len() != expected {
            return Err(at_line(ReadProblem::Ragged { found: tokens.len(), expected }));
        }
        let relational =
            self.header.slots.iter().position(|slot| matches!(slot, Slot::Relational(_)));
        match relational {
            None => self.push_dense(number, tokens),
            Some(position) => self.push_bag(number, tokens, position),
        }
    }

    fn push_dense(&mut self, number: u64, tokens: &[AttributeToken<'_>]) -> Result<(), ReadError> {
        for (position, (column, token)) in self.columns.iter_mut().zip(tokens).enumerate() {
            let pushed = column.push(token, number, &self.parser);
            pushed.map_err(|problem| value_error(number, position, problem))?;
        }
        self.end_row(number);
        Ok(())
    }

    fn end_row(&mut self, number: u64) {
        self.lines.push(number);
        self.outer.push(self.records);
    }

    /// Adds one row for each row inside the relational value, with the values around it.
    fn push_bag(
        &mut self,
        number: u64,
        tokens: &[AttributeToken<'_>],
        relational: usize,
    ) -> Result<(), ReadError> {
        let header = self.header;
        let mut inner = Vec::new();
        let Slot::Relational(range) = &header.slots[relational] else { return Ok(()) };
        let text = &tokens[relational];
        let instances: Vec<&str> = if text.is_missing() {
            Vec::new()
        } else {
            text.text.lines().filter(|row| !row.trim().is_empty()).collect()
        };
        if instances.is_empty() {
            let bag = tokens.iter().enumerate().find(|&(position, _)| position != relational);
            let bag = bag.map(|(_, token)| shorten(&token.text)).unwrap_or_default();
            return Err(ReadError::at(Position::Line(number), ReadProblem::EmptyBag { bag }));
        }
        for instance in instances {
            let fail = |problem| value_error(number, relational, problem);
            token::split(instance, range.len() > 1, false, &mut inner).map_err(fail)?;
            if inner.len() != range.len() {
                return Err(fail(ReadProblem::Ragged {
                    found: inner.len(),
                    expected: range.len(),
                }));
            }
            for (column, token) in self.columns[range.clone()].iter_mut().zip(&inner) {
                column.push(token, number, &self.parser).map_err(fail)?;
            }
            for (position, (slot, token)) in header.slots.iter().zip(tokens).enumerate() {
                if let Slot::Plain(attribute) = slot {
                    let pushed = self.columns[*attribute].push(token, number, &self.parser);
                    pushed.map_err(|problem| value_error(number, position, problem))?;
                }
            }
            self.end_row(number);
        }
        Ok(())
    }

    /// Adds a row of the form `{index value, …}`, with indices from 0.
    fn push_sparse(&mut self, number: u64, line: &str) -> Result<(), ReadError> {
        let at_line = |problem| ReadError::at(Position::Line(number), problem);
        let expected =
            |what: &str| ReadProblem::Form { found: shorten(line), expected: what.to_owned() };
        if self.header.relational().is_some() {
            return Err(at_line(expected(
                "a dense row, because the file has a relational attribute",
            )));
        }
        let (mut pairs, mut rest) = (Vec::new(), line[1..].trim_start());
        while !rest.starts_with('}') {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let index = rest[..digits].parse::<usize>().ok();
            let Some(index) = index.filter(|&index| index < self.columns.len()) else {
                let last = self.columns.len() - 1;
                return Err(at_line(expected(&format!("an index from 0 to {last} and a value"))));
            };
            rest = rest[digits..].trim_start();
            let (text, quoted, after) = if rest.starts_with(['\'', '"']) {
                let (text, after) = token::quoted(rest).map_err(at_line)?;
                (text, true, after)
            } else {
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                (rest[..end].trim_end().into(), false, &rest[end..])
            };
            pairs.push((index, AttributeToken { text, quoted }));
            rest = after.trim_start();
            match rest.strip_prefix(',') {
                Some(next) => rest = next.trim_start(),
                None if rest.starts_with('}') => {}
                None => return Err(at_line(expected("a row that ends with '}'"))),
            }
        }
        self.pass_weight(rest[1..].trim()).map_err(at_line)?;
        pairs.sort_by_key(|&(index, _)| index);
        if let Some(pair) = pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(at_line(expected(&format!("index {} only once", pair[0].0))));
        }
        let mut pairs = pairs.into_iter().peekable();
        for (position, column) in self.columns.iter_mut().enumerate() {
            let pushed = match pairs.next_if(|&(index, _)| index == position) {
                Some((_, token)) => column.push(&token, number, &self.parser),
                None => column.push_default(),
            };
            pushed.map_err(|problem| value_error(number, position, problem))?;
        }
        self.end_row(number);
        Ok(())
    }

    /// Parses what follows a sparse row: nothing, a weight or a comment.
    fn pass_weight(&mut self, rest: &str) -> Result<(), ReadProblem> {
        if rest.is_empty() || rest.starts_with('%') {
            return Ok(());
        }
        let weight = rest.strip_prefix(',').map(str::trim);
        match weight {
            Some(text) if is_weight(&AttributeToken { text: text.into(), quoted: false }) => {
                self.weights += 1;
                Ok(())
            }
            _ => Err(ReadProblem::Form {
                found: shorten(rest),
                expected: "the end of the line".to_owned(),
            }),
        }
    }
}

fn value_error(line: u64, position: usize, problem: ReadProblem) -> ReadError {
    ReadError::at(Position::Value { line, column: position + 1 }, problem)
}

/// Whether a value is an instance weight such as `{5}`.
fn is_weight(token: &AttributeToken<'_>) -> bool {
    let inside = token.text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    !token.quoted && inside.is_some_and(|text| crate::cells::number::parse(text.trim()).is_some())
}
