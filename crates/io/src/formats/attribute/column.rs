//! Fills columns whose types the file declares.

use super::header::{Attribute, DeclaredKind};
use super::token::AttributeToken;
use crate::cells::number;
use crate::cells::parser::CellParser;
use crate::columns::categories::CategoryCollector;
use crate::columns::roles::AssignedRole;
use crate::source::error::{ReadProblem, listed, shorten};
use pellucid_data::{Message, Values, message};

/// A declared column and its values so far.
pub(super) struct AttributeColumns<'a> {
    attribute: &'a Attribute,
    cells: Cells,
    /// The number of values outside the declared range, and the line of the first one.
    outside: Option<(u64, u64)>,
}

enum Cells {
    Skipped,
    Numbers(Vec<f64>),
    /// Declared categories only.
    Declared(CategoryCollector),
    /// Any text.
    Text(CategoryCollector),
}

impl<'a> AttributeColumns<'a> {
    pub(super) fn new(attribute: &'a Attribute, role: AssignedRole) -> Result<Self, ReadProblem> {
        let cells = match (role, &attribute.kind) {
            (AssignedRole::Ignored, _) => Cells::Skipped,
            (_, DeclaredKind::Nominal(categories)) => {
                Cells::Declared(CategoryCollector::declared(categories.clone())?)
            }
            (AssignedRole::Feature | AssignedRole::Numeric, DeclaredKind::Number { .. }) => {
                Cells::Numbers(Vec::new())
            }
            _ => Cells::Text(CategoryCollector::default()),
        };
        Ok(Self { attribute, cells, outside: None })
    }

    /// Adds the value of a row.
    pub(super) fn push(
        &mut self,
        token: &AttributeToken<'_>,
        line: u64,
        parser: &CellParser<'_>,
    ) -> Result<(), ReadProblem> {
        let text = token.text.as_ref();
        let column = || shorten(&self.attribute.name);
        match &mut self.cells {
            Cells::Skipped => {}
            Cells::Numbers(numbers) if token.is_missing() => numbers.push(f64::NAN),
            Cells::Declared(collector) | Cells::Text(collector) if token.is_missing() => {
                collector.push_missing()
            }
            Cells::Numbers(numbers) => {
                let found = parser.number(text);
                let value = found.ok_or_else(|| ReadProblem::NotNumber {
                    found: shorten(text),
                    column: column(),
                })?;
                numbers.push(value);
                if let DeclaredKind::Number { range: Some((low, high)) } = self.attribute.kind
                    && (value < low || value > high)
                {
                    let (count, first) = self.outside.unwrap_or((0, line));
                    self.outside = Some((count + 1, first));
                }
            }
            Cells::Declared(collector) => {
                if !collector.push_known(text) {
                    if !token.quoted && parser.is_missing(text) {
                        collector.push_missing();
                    } else {
                        let listed = listed(collector.categories());
                        return Err(ReadProblem::NotListed {
                            found: shorten(text),
                            column: column(),
                            listed,
                        });
                    }
                }
            }
            Cells::Text(collector) => collector.push(text)?,
        }
        Ok(())
    }

    /// Adds the default of a sparse row: zero, or the first category.
    pub(super) fn push_default(&mut self) -> Result<(), ReadProblem> {
        match &mut self.cells {
            Cells::Skipped => {}
            Cells::Numbers(numbers) => numbers.push(0.0),
            Cells::Declared(collector) => match collector.categories().first().cloned() {
                Some(first) => collector.push(&first)?,
                None => collector.push_missing(),
            },
            // The default of a numeric column is 0 even if it is read as text; text has no default.
            Cells::Text(collector) => match self.attribute.kind {
                DeclaredKind::Number { .. } => collector.push("0")?,
                _ => collector.push_missing(),
            },
        }
        Ok(())
    }

    /// Returns the filled column, or `None` if it was ignored.
    pub(super) fn finish(self, notes: &mut Vec<Message>) -> Option<Values> {
        if let (Some((count, line)), DeclaredKind::Number { range: Some((low, high)) }) =
            (self.outside, &self.attribute.kind)
        {
            let (name, low, high) =
                (&self.attribute.name, number::print(*low), number::print(*high));
            notes.push(message!(
                "column '{name}' has {count} values outside its declared range [{low}, {high}], \
                 the first on line {line}"
            ));
        }
        match self.cells {
            Cells::Skipped => None,
            Cells::Numbers(values) => Some(Values::Numeric(values.into())),
            Cells::Declared(collector) => Some(collector.in_given_order()),
            Cells::Text(collector) => Some(collector.sorted()),
        }
    }
}
