//! Patterns as text and as JSON, one per line.

use super::search::{PatternView, PatternVisitor, search};
use super::table::IntervalTable;
use super::texts::{ConditionFormat, ConditionTexts};
use crate::names::{EMPTY_SET, number_text, quoted};
use crate::write::lines::{LineBuffer, SharedLines};
use crate::write::{push_number, push_set};
use pellucid_close::{SearchStop, Terms};
use pellucid_device::Threads;
use serde_json::Value;
use std::io::{self, Write};

/// The output formats for patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PatternFormat {
    /// Support, conditions and optionally objects, separated by tabs:
    /// `12<TAB>age [20, 45], children = 2, sex = male`. A pattern without conditions is `{}`.
    #[default]
    Text,
    /// One object per line: `{"pattern":{"age":[20,45],"sex":"male"},"support":12}`, with `"extent"`
    /// if objects are listed.
    Json,
}

/// Writes the patterns of a table while they are found. A write error ends the search. Returns the
/// number of patterns and why the search ended.
///
/// # Errors
/// If writing fails.
pub fn list(
    table: &IntervalTable,
    threads: &Threads,
    terms: &Terms<'_>,
    format: PatternFormat,
    out: impl Write + Send,
) -> io::Result<(u64, SearchStop)> {
    let form = PatternForm::new(table, format, terms.extents);
    let lines = SharedLines::new(out);
    let stop = || lines.has_failed() || terms.stop.is_some_and(|stop| stop());
    let terms = Terms { stop: Some(&stop), ..*terms };
    let writer = |_| PatternWriter { form: &form, buffer: lines.buffer() };
    let found = search(table, &terms, threads, (0..threads.count()).map(writer).collect());
    lines.finish()?;
    Ok(found)
}

/// Returns the patterns as lines of text, in the order in which a single thread finds them.
#[must_use]
pub fn collect(table: &IntervalTable, terms: &Terms<'_>) -> Vec<String> {
    let (threads, mut text) = (Threads::callers(), Vec::new());
    // Writing to memory cannot fail.
    let _ = list(table, &threads, terms, PatternFormat::Text, &mut text);
    String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
}

/// A format, and the encoded conditions and names of objects.
struct PatternForm {
    format: PatternFormat,
    conditions: ConditionTexts,
    objects: Option<Vec<Box<[u8]>>>,
}

impl PatternForm {
    fn new(table: &IntervalTable, format: PatternFormat, extents: bool) -> PatternForm {
        let encoded = |name: &str| match format {
            PatternFormat::Text => quoted(name).as_bytes().into(),
            PatternFormat::Json => Value::from(name).to_string().into_bytes().into(),
        };
        let all = || table.objects.iter().map(|name| encoded(&name)).collect();
        let conditions = match format {
            PatternFormat::Text => ConditionTexts::new::<AsText>(table),
            PatternFormat::Json => ConditionTexts::new::<AsJson>(table),
        };
        PatternForm { format, conditions, objects: extents.then(all) }
    }

    fn push(&self, pattern: &PatternView<'_>, line: &mut Vec<u8>) {
        match self.format {
            PatternFormat::Text => self.push_text(pattern, line),
            PatternFormat::Json => self.push_json(pattern, line),
        }
        line.push(b'\n');
    }

    fn push_text(&self, pattern: &PatternView<'_>, line: &mut Vec<u8>) {
        push_number(pattern.support, line);
        line.push(b'\t');
        if !self.push_conditions(pattern, line) {
            line.extend_from_slice(EMPTY_SET.as_bytes());
        }
        if let Some(names) = &self.objects {
            line.push(b'\t');
            push_set(pattern.extent, names, b", ", line);
        }
    }

    fn push_json(&self, pattern: &PatternView<'_>, line: &mut Vec<u8>) {
        line.extend_from_slice(b"{\"pattern\":{");
        self.push_conditions(pattern, line);
        line.extend_from_slice(b"},\"support\":");
        push_number(pattern.support, line);
        if let Some(names) = &self.objects {
            line.extend_from_slice(b",\"extent\":[");
            push_set(pattern.extent, names, b",", line);
            line.push(b']');
        }
        line.push(b'}');
    }

    /// Appends the conditions. Returns whether there is one.
    fn push_conditions(&self, pattern: &PatternView<'_>, line: &mut Vec<u8>) -> bool {
        let mut is_first = true;
        pattern.each_place(|column, place| {
            self.conditions.push(column, place, is_first, line);
            is_first = false;
        });
        !is_first
    }
}

struct AsText;

impl ConditionFormat for AsText {
    const BETWEEN: &'static [u8] = b", ";
    const MIDDLE: &'static [u8] = b", ";

    fn interval(column: &str) -> String {
        format!("{} [", quoted(column))
    }

    fn point(column: &str) -> Option<String> {
        Some(format!("{} = ", quoted(column)))
    }

    fn number(number: f64) -> String {
        number_text(number)
    }

    fn category(column: &str, category: &str) -> String {
        format!("{} = {}", quoted(column), quoted(category))
    }
}

struct AsJson;

impl ConditionFormat for AsJson {
    const BETWEEN: &'static [u8] = b",";
    const MIDDLE: &'static [u8] = b",";

    fn interval(column: &str) -> String {
        format!("{}:[", Value::from(column))
    }

    fn point(_: &str) -> Option<String> {
        None
    }

    fn number(number: f64) -> String {
        json_number(number).to_string()
    }

    fn category(column: &str, category: &str) -> String {
        format!("{}:{}", Value::from(column), Value::from(category))
    }
}

/// Returns a number as JSON: whole numbers without a fraction, and infinite ones as text.
fn json_number(number: f64) -> Value {
    // Within this range, doubles are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if !number.is_finite() {
        return Value::from(number_text(number));
    }
    match number.fract() == 0.0 && number.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
        true => Value::from(number as i64),
        false => Value::from(number),
    }
}

/// Writes the patterns of one thread.
struct PatternWriter<'t, W: Write + Send> {
    form: &'t PatternForm,
    buffer: LineBuffer<'t, W>,
}

impl<W: Write + Send> PatternVisitor for PatternWriter<'_, W> {
    fn visit(&mut self, pattern: &PatternView<'_>) {
        self.buffer.push(|line| self.form.push(pattern, line));
    }
}
