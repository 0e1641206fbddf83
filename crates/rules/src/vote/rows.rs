//! Single rows of bags, for rules of the kind "some row has …".

use crate::cut::{ROUNDING, near};
use pellucid_data::{Column, Dataset};
use pellucid_data::{MISSING, Values};
use pellucid_learn::rng::Stream;
use pellucid_program::{Expr, Op, Value};

/// The rows of bags and the columns that may be asked.
#[derive(Clone, Debug)]
pub(crate) struct RowTable<'a> {
    columns: Vec<&'a Column>,
    bags: &'a [u32],
}

/// A comparison of one column.
#[derive(Clone, Debug)]
pub(crate) struct RowTest<'a> {
    column: &'a Column,
    ask: Ask,
}

#[derive(Clone, Copy, Debug)]
enum Ask {
    /// Above the cut, or at most.
    Order {
        cut: f64,
        above: bool,
    },
    Category {
        code: u32,
        equal: bool,
    },
    Truth(bool),
}

impl<'a> RowTable<'a> {
    /// The rows of some bags; `allowed` says which columns may be asked. Nothing where there are no bags.
    pub(crate) fn new(data: &'a Dataset, allowed: impl Fn(&str) -> bool) -> Option<RowTable<'a>> {
        let columns: Vec<&Column> = data
            .columns
            .iter()
            .filter(|column| allowed(&column.name) && varies(&column.values))
            .collect();
        let bags = &data.bags.as_ref()?.of_row;
        (!columns.is_empty()).then_some(RowTable { columns, bags })
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// All rows.
    pub(crate) fn all_rows(&self) -> Vec<u32> {
        (0u32..).take(self.bags.len()).collect()
    }

    /// The bag of a row.
    pub(crate) fn bag(&self, row: u32) -> u32 {
        self.bags[row as usize]
    }

    /// A comparison with something between the values of two random rows, so that cuts are dense where values are.
    pub(crate) fn random_test(&self, rows: &[u32], stream: &mut Stream) -> Option<RowTest<'a>> {
        let column = self.columns[stream.index(self.columns.len())];
        let mut draw = || rows[stream.index(rows.len())] as usize;
        let (one, two) = (draw(), draw());
        let ask = match &column.values {
            Values::Numeric(numbers) => {
                let (one, two) = (numbers[one], numbers[two]);
                let cut = one + stream.unit() * (two - one);
                if cut.is_nan() || one == two {
                    return None;
                }
                Ask::Order { cut, above: stream.index(2) == 1 }
            }
            Values::Nominal { codes, .. } => match codes[one] {
                MISSING => return None,
                code => Ask::Category { code, equal: stream.index(2) == 1 },
            },
            Values::Boolean(_) => Ask::Truth(stream.index(2) == 1),
        };
        Some(RowTest { column, ask })
    }
}

/// The greatest value up to a cut, and the least above.
pub(crate) fn neighbours(cut: f64, values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), value| {
        if value > cut {
            (low, high.min(value))
        } else if value <= cut {
            (low.max(value), high)
        } else {
            (low, high)
        }
    })
}

fn varies(values: &Values) -> bool {
    match values {
        Values::Numeric(numbers) => {
            let mut known = numbers.iter().filter(|number| !number.is_nan());
            let first = known.next();
            known.any(|number| Some(number) != first)
        }
        Values::Nominal { codes, .. } => {
            let mut known = codes.iter().filter(|&&code| code != MISSING);
            let first = known.next();
            known.any(|code| Some(code) != first)
        }
        // A missing value is as little true as a false one.
        Values::Boolean(truths) => {
            let is_true = |truth: &Option<bool>| *truth == Some(true);
            truths.iter().any(is_true) && !truths.iter().all(is_true)
        }
    }
}

impl RowTest<'_> {
    /// Whether a row passes.
    #[inline]
    pub(crate) fn holds(&self, row: u32) -> bool {
        let mut passes = false;
        self.passing(&[row], |_| passes = true);
        passes
    }

    /// Tells of each row that passes. What kind of question it is is asked once, not for every row.
    #[inline]
    pub(crate) fn passing(&self, rows: &[u32], mut told: impl FnMut(u32)) {
        let mut each = |passes: &dyn Fn(usize) -> bool| {
            rows.iter().filter(|&&row| passes(row as usize)).for_each(|&row| told(row));
        };
        match (&self.column.values, self.ask) {
            (Values::Numeric(numbers), Ask::Order { cut, above: true }) => {
                rows.iter().filter(|&&row| numbers[row as usize] > cut).for_each(|&row| told(row));
            }
            (Values::Numeric(numbers), Ask::Order { cut, above: false }) => {
                rows.iter().filter(|&&row| numbers[row as usize] <= cut).for_each(|&row| told(row));
            }
            (Values::Nominal { codes, .. }, Ask::Category { code, equal }) => {
                each(&|row| codes[row] != MISSING && (codes[row] == code) == equal);
            }
            (Values::Boolean(truths), Ask::Truth(truth)) => {
                each(&|row| (truths[row] == Some(true)) == truth)
            }
            _ => {}
        }
    }

    /// The same comparison for some rows, with a number for people between the values that it parts.
    pub(crate) fn rounded(self, rows: &[u32]) -> Self {
        match (&self.column.values, self.ask) {
            (Values::Numeric(numbers), Ask::Order { cut, above }) => {
                let (low, high) = neighbours(cut, rows.iter().map(|&row| numbers[row as usize]));
                RowTest { ask: Ask::Order { cut: near(cut, low, high, ROUNDING), above }, ..self }
            }
            _ => self,
        }
    }

    /// The comparison as a person reads it.
    pub(crate) fn expr(&self) -> Expr {
        let name = self.column.name.clone();
        match (self.ask, &self.column.values) {
            (Ask::Order { cut, above }, _) => Expr::Compare(
                name,
                if above { Op::Greater } else { Op::LessEqual },
                Value::Number(cut),
            ),
            (Ask::Category { code, equal }, Values::Nominal { categories, .. }) => {
                let op = if equal { Op::Equal } else { Op::NotEqual };
                Expr::Compare(name, op, Value::Text(categories[code as usize].clone()))
            }
            (Ask::Truth(true), _) => Expr::Is(name),
            _ => Expr::Not(Box::new(Expr::Is(name))),
        }
    }
}
