//! The declarations before `@data`: the names and types of the attributes.

use std::ops::Range;

use super::date_pattern;
use super::token::{self, AttributeToken};
use crate::cells::number;
use crate::columns::roles::check_names;
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use pellucid_data::DateFormat;

/// The declared type of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DeclaredKind {
    /// Numbers, and the range that KEEL declares for them.
    Number { range: Option<(f64, f64)> },
    /// One of these.
    Nominal(Vec<String>),
    /// Any text.
    Text,
    /// Dates with their format.
    Date(DateFormat),
    /// Dates in a format that is not supported, which are read as text.
    UnknownDate(String),
}

/// A declared attribute; the attributes inside a relational one are part of the same list.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) kind: DeclaredKind,
}

/// The attributes that one value of a data row fills.
#[derive(Debug, Clone)]
pub(super) enum Slot {
    /// One attribute.
    Plain(usize),
    /// The attributes inside a relational one.
    Relational(Range<usize>),
}

/// Everything declared before the data.
#[derive(Debug, Default)]
pub(super) struct AttributeHeader {
    pub(super) relation: String,
    pub(super) attributes: Vec<Attribute>,
    pub(super) slots: Vec<Slot>,
    pub(super) inputs: Option<Vec<String>>,
    pub(super) outputs: Option<Vec<String>>,
}

impl AttributeHeader {
    /// Returns the names of the attributes.
    pub(super) fn names(&self) -> Vec<String> {
        self.attributes.iter().map(|attribute| attribute.name.clone()).collect()
    }

    /// Returns the attributes inside the relational one, if there is one.
    pub(super) fn relational(&self) -> Option<Range<usize>> {
        self.slots.iter().find_map(|slot| match slot {
            Slot::Relational(range) => Some(range.clone()),
            Slot::Plain(_) => None,
        })
    }
}

/// Reads the declarations up to and including `@data`; the lines that follow are the data.
pub(super) fn read<'a>(
    lines: &mut impl Iterator<Item = (u64, &'a str)>,
) -> Result<AttributeHeader, ReadError> {
    let mut header = AttributeHeader::default();
    // The open relational attribute, and the index of its first attribute.
    let mut open: Option<(String, usize)> = None;
    for (number, line) in lines {
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        let fail = |problem| ReadError::at(Position::Line(number), problem);
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match keyword.to_ascii_lowercase().as_str() {
            "@relation" => header.relation = relation(rest),
            "@attribute" => {
                let (name, kind) = attribute(rest).map_err(fail)?;
                match kind {
                    None if header.relational().is_some() || open.is_some() => {
                        return Err(fail(form(rest, "at most one relational attribute")));
                    }
                    None => open = Some((name, header.attributes.len())),
                    Some(kind) => {
                        if open.is_none() {
                            header.slots.push(Slot::Plain(header.attributes.len()));
                        }
                        header.attributes.push(Attribute { name, kind });
                    }
                }
            }
            "@end" => {
                let Some((_, start)) = open.take() else {
                    return Err(fail(form(line, "'@attribute' or '@data'")));
                };
                if start == header.attributes.len() {
                    return Err(fail(form(line, "an attribute inside the relational attribute")));
                }
                header.slots.push(Slot::Relational(start..header.attributes.len()));
            }
            "@inputs" | "@input" => header.inputs = Some(names(rest).map_err(fail)?),
            "@outputs" | "@output" => header.outputs = Some(names(rest).map_err(fail)?),
            "@data" => {
                if let Some((name, _)) = open {
                    return Err(fail(form(line, &format!("'@end {}'", shorten(&name)))));
                }
                if header.attributes.is_empty() {
                    return Err(fail(form(line, "an attribute before '@data'")));
                }
                check_names(&header.names())?;
                return Ok(header);
            }
            _ => {
                let expected =
                    "'@relation', '@attribute', '@inputs', '@outputs', '@data' or a comment";
                return Err(fail(form(line, expected)));
            }
        }
    }
    Err(ReadProblem::Ended("'@data'").into())
}

pub(super) fn form(found: &str, expected: &str) -> ReadProblem {
    ReadProblem::Form { found: shorten(found), expected: expected.to_owned() }
}

fn relation(rest: &str) -> String {
    match token::quoted(rest) {
        Ok((name, _)) => name.into_owned(),
        Err(_) => rest.to_owned(),
    }
}

fn names(rest: &str) -> Result<Vec<String>, ReadProblem> {
    let mut tokens: Vec<AttributeToken<'_>> = Vec::new();
    token::split(rest, false, false, &mut tokens)?;
    Ok(tokens.into_iter().map(|token| token.text.into_owned()).collect())
}

/// Parses `NAME TYPE`; the type is `None` for a relational attribute.
fn attribute(rest: &str) -> Result<(String, Option<DeclaredKind>), ReadProblem> {
    let (name, declared) = if rest.starts_with(['\'', '"']) {
        let (name, after) = token::quoted(rest)?;
        (name.into_owned(), after.trim())
    } else {
        // KEEL writes `Class{0,1}` without a blank.
        let end = rest.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(rest.len());
        (rest[..end].to_owned(), rest[end..].trim())
    };
    if name.is_empty() {
        return Err(form(rest, "a name and a type"));
    }
    if let Some(list) = declared.strip_prefix('{') {
        return Ok((name, Some(DeclaredKind::Nominal(categories(list)?))));
    }
    let end = declared.find(|c: char| c.is_whitespace() || c == '[').unwrap_or(declared.len());
    let (word, after) = declared.split_at(end);
    let kind = match word.to_ascii_lowercase().as_str() {
        "numeric" | "real" | "integer" => {
            Some(DeclaredKind::Number { range: range(after.trim())? })
        }
        "string" => Some(DeclaredKind::Text),
        // A year is a number; as a date it would be shown as the first day of the year.
        "date" if date_pattern::is_year(after.trim()) => Some(DeclaredKind::Number { range: None }),
        "date" => Some(date_pattern::kind(after.trim())?),
        "relational" => None,
        _ => {
            let found = if declared.is_empty() { rest } else { declared };
            return Err(form(found, "numeric, real, integer, string, date, relational or {…}"));
        }
    };
    Ok((name, kind))
}

fn categories(list: &str) -> Result<Vec<String>, ReadProblem> {
    let Some(end) = closing_brace(list) else {
        return Err(form(list, "a list that ends with '}'"));
    };
    let mut tokens = Vec::new();
    token::split(&list[..end], false, false, &mut tokens)?;
    let categories: Vec<String> = tokens.into_iter().map(|token| token.text.into_owned()).collect();
    let mut sorted: Vec<&String> = categories.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(form(pair[0], "each value once in the list of categories")),
        None if categories.len() == 1 && categories[0].is_empty() => Ok(Vec::new()),
        None => Ok(categories),
    }
}

/// Returns the first closing brace outside quotes.
fn closing_brace(list: &str) -> Option<usize> {
    let mut rest = list;
    loop {
        let at = rest.find(['}', '\'', '"'])?;
        if rest[at..].starts_with('}') {
            return Some(list.len() - rest.len() + at);
        }
        rest = token::quoted(&rest[at..]).ok()?.1;
    }
}

/// Parses KEEL's `[low, high]` after a numeric type.
fn range(text: &str) -> Result<Option<(f64, f64)>, ReadProblem> {
    if text.is_empty() || text.starts_with('%') {
        return Ok(None);
    }
    let bounds = || {
        let (low, high) = text.strip_prefix('[')?.split_once(']')?.0.split_once(',')?;
        Some((number::parse(low.trim())?, number::parse(high.trim())?))
    };
    bounds().map(Some).ok_or_else(|| form(text, "a range such as [0, 1]"))
}
