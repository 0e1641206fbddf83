//! Random tables and bags, labeled by a rule.

use super::{GenerateError, fits, table_bytes};
use crate::io::{Bags, ClassTarget, Column, Dataset, Values};
use crate::learn::params::{ParamError, within};
use crate::learn::rng::{Stream, Streams};
use pellucid_cover::{Table, spec};
use pellucid_program::{Expr, Kind, Op, Programs, Schema, Value};
use std::ops::RangeInclusive;

/// The parameters of random columns and of the rule.
#[derive(Clone, Debug)]
pub struct RandomColumns {
    /// The number of attributes, which are named `x1`, `x2`, …
    pub attributes: usize,
    /// The number of distinct values of an attribute, evenly spaced in [0, 1).
    pub distinct: u32,
    /// The number of comparisons in a random rule. The default is 3, or the number of attributes if smaller.
    pub comparisons: Option<usize>,
    /// The rule, such as `x1 > 0.2 and x3 <= 0.7`. If none, the rule is random.
    pub rule: Option<String>,
    /// The share of labels that are flipped, 0 to 0.5.
    pub noise: f64,
    /// The share of values that are missing, 0 to below 1.
    pub missing: f64,
}

/// Data, and the rule that determines its classes.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantedData {
    /// The data.
    pub data: Dataset,
    /// The rule. Class 1 are the rows that satisfy it, or the bags with such a row.
    pub rule: String,
}

impl Default for RandomColumns {
    fn default() -> RandomColumns {
        RandomColumns {
            attributes: 10,
            distinct: 1000,
            comparisons: None,
            rule: None,
            noise: 0.0,
            missing: 0.0,
        }
    }
}

impl RandomColumns {
    fn check(&self) -> Result<(), ParamError> {
        within("attributes", self.attributes, 1..)?;
        within("distinct", self.distinct, 1..)?;
        within("comparisons", self.comparisons(), 1..=self.attributes)?;
        within("noise", self.noise, 0.0..=0.5)?;
        within("missing", self.missing, 0.0..1.0)
    }

    fn comparisons(&self) -> usize {
        self.comparisons.unwrap_or(self.attributes.min(3))
    }

    /// Draws evenly spaced values in [0, 1), column by column.
    fn draw(&self, rows: usize, streams: &Streams) -> Vec<Column> {
        let draw = |index: usize| {
            let mut stream = streams.stream(&["column".into(), index.into()]);
            let mut value = || {
                if self.missing > 0.0 && stream.chance(self.missing) {
                    return f64::NAN;
                }
                #[expect(clippy::cast_precision_loss, reason = "below 2^32")]
                let index = stream.below(u64::from(self.distinct)) as f64;
                index / f64::from(self.distinct)
            };
            Column {
                name: format!("x{}", index + 1),
                values: Values::Numeric((0..rows).map(|_| value()).collect()),
            }
        };
        (0..self.attributes).map(draw).collect()
    }

    /// Returns the given rule, or a random rule that a row satisfies with the given probability.
    fn rule(&self, probability: f64, streams: &Streams) -> Result<Expr, GenerateError> {
        if let Some(text) = &self.rule {
            return Ok(text.parse()?);
        }
        let mut stream = streams.stream(&["rule".into()]);
        let mut attributes: Vec<usize> = (0..self.attributes).collect();
        stream.shuffle(&mut attributes);
        attributes.truncate(self.comparisons());
        attributes.sort_unstable();
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let each = libm::pow(probability, 1.0 / self.comparisons() as f64);
        let comparison = |attribute: usize| {
            let (op, cut) =
                if stream.chance(0.5) { (Op::Greater, 1.0 - each) } else { (Op::LessEqual, each) };
            // Three digits are readable, and the rule is exact as written.
            Expr::Compare(
                format!("x{}", attribute + 1),
                op,
                Value::Number((cut * 1000.0).round() / 1000.0),
            )
        };
        Ok(Expr::and(attributes.into_iter().map(comparison).collect()))
    }
}

/// Generates a random table whose classes are determined by a rule.
///
/// # Errors
/// When a parameter is not allowed, or the rule is invalid.
pub fn table(
    rows: usize,
    columns: &RandomColumns,
    seed: u64,
) -> Result<PlantedData, GenerateError> {
    within("rows", rows, 1..)?;
    columns.check()?;
    let what = format!("{rows} rows of {} attributes", columns.attributes);
    fits("rows", &what, table_bytes(rows, columns.attributes))?;
    let streams = Streams::new(seed);
    let drawn = columns.draw(rows, &streams);
    let rule = columns.rule(0.5, &streams)?;
    let covered = covered(&drawn, &rule)?;
    let mut labels = streams.stream(&["labels".into()]);
    let codes =
        covered.into_iter().map(|positive| label(positive, columns.noise, &mut labels)).collect();
    let data = dataset("table", drawn, rows, codes, None);
    Ok(PlantedData { data, rule: rule.to_string() })
}

/// Generates random bags whose classes are determined by a rule: a bag has class 1 if one of its
/// rows satisfies it. `size` is the range of the number of rows of a bag.
///
/// # Errors
/// When a parameter is not allowed, or the rule is invalid.
pub fn bags(
    bags: usize,
    size: RangeInclusive<usize>,
    columns: &RandomColumns,
    seed: u64,
) -> Result<PlantedData, GenerateError> {
    within("bags", bags, 1..)?;
    if *size.start() == 0 || size.is_empty() {
        let found = format!("{}..{}", size.start(), size.end());
        return Err(ParamError::new("size", found, "an ascending range of at least one row").into());
    }
    columns.check()?;
    let what =
        format!("{bags} bags of up to {} rows of {} attributes", size.end(), columns.attributes);
    let rows = bags.checked_mul(*size.end()).and_then(|rows| rows.checked_add(bags));
    fits("bags", &what, rows.and_then(|rows| table_bytes(rows, columns.attributes)))?;
    let streams = Streams::new(seed);
    let mut sizes = streams.stream(&["sizes".into()]);
    let sizes: Vec<usize> =
        (0..bags).map(|_| size.start() + sizes.index(size.end() - size.start() + 1)).collect();
    let of_row: Vec<u32> =
        (0u32..).zip(&sizes).flat_map(|(bag, &size)| std::iter::repeat_n(bag, size)).collect();
    let drawn = columns.draw(of_row.len(), &streams);
    // About half of the bags have a row that satisfies the rule.
    #[expect(clippy::cast_precision_loss, reason = "sizes of bags are small")]
    let mean = (size.start() + size.end()) as f64 / 2.0;
    let rule = columns.rule(1.0 - libm::pow(0.5, 1.0 / mean), &streams)?;
    let mut positive = vec![false; bags];
    for (row, covered) in covered(&drawn, &rule)?.into_iter().enumerate() {
        positive[of_row[row] as usize] |= covered;
    }
    let mut labels = streams.stream(&["labels".into()]);
    let codes =
        positive.into_iter().map(|positive| label(positive, columns.noise, &mut labels)).collect();
    let names = (1..=bags).map(|bag| format!("b{bag}")).collect();
    let rows = of_row.len();
    let bags = Bags { name: "bag".into(), names, of_row };
    let data = dataset("bags", drawn, rows, codes, Some(bags));
    Ok(PlantedData { data, rule: rule.to_string() })
}

fn dataset(
    name: &str,
    columns: Vec<Column>,
    rows: usize,
    codes: Vec<u32>,
    bags: Option<Bags>,
) -> Dataset {
    let target = ClassTarget { name: "class".into(), classes: vec!["0".into(), "1".into()], codes };
    Dataset {
        name: name.to_owned(),
        columns,
        rows,
        target: Some(target),
        bags,
        notes: Vec::new(),
        ..Dataset::default()
    }
}

fn label(is_positive: bool, noise: f64, stream: &mut Stream) -> u32 {
    let is_flipped = noise > 0.0 && stream.chance(noise);
    u32::from(is_positive != is_flipped)
}

/// Returns whether each row satisfies a rule.
fn covered(columns: &[Column], rule: &Expr) -> Result<Vec<bool>, GenerateError> {
    let mut programs = Programs::new(Schema::new(
        columns.iter().map(|column| (column.name.as_str(), Kind::Numeric)),
    ));
    let root = programs.add(rule)?;
    // Only the columns that the rule uses need their values.
    let is_used = |column: &Column| uses_column(rule, &column.name);
    let used = columns.iter().map(|column| {
        let values = if is_used(column) {
            column.values.clone()
        } else {
            Values::Numeric(vec![0.0; column.values.len()].into())
        };
        (column.name.clone(), values)
    });
    let table = Table::new(used.collect())?;
    Ok((0..table.rows()).map(|row| spec::holds(&table, &programs, root, row)).collect())
}

fn uses_column(rule: &Expr, name: &str) -> bool {
    match rule {
        Expr::Constant(_) => false,
        Expr::Is(column)
        | Expr::Compare(column, ..)
        | Expr::Within(column, _)
        | Expr::OneOf(column, _)
        | Expr::Contains(column, _) => column == name,
        Expr::Not(operand) | Expr::Related(_, _, operand) => uses_column(operand, name),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().any(|operand| uses_column(operand, name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> RandomColumns {
        RandomColumns {
            attributes: 5,
            distinct: 100,
            comparisons: Some(2),
            ..RandomColumns::default()
        }
    }

    #[test]
    fn about_half_are_positive() {
        let share = |codes: &[u32]| {
            codes.iter().filter(|&&code| code == 1).count() as f64 / codes.len() as f64
        };
        let data = table(4000, &columns(), 1).unwrap().data;
        assert!((share(&data.target.unwrap().codes) - 0.5).abs() < 0.1);
        let data = bags(1000, 3..=9, &columns(), 1).unwrap().data;
        assert!((share(&data.target.unwrap().codes) - 0.5).abs() < 0.15);
    }

    #[test]
    fn the_same_seed_gives_the_same_data() {
        let make = |seed| bags(20, 1..=4, &columns(), seed).unwrap();
        assert_eq!(make(7), make(7));
        assert_ne!(make(7), make(8));
    }

    #[test]
    fn a_given_rule_is_used() {
        let columns = RandomColumns { rule: Some("x1 > 0.5 or x2 <= 0.1".into()), ..columns() };
        let PlantedData { data, rule } = table(100, &columns, 3).unwrap();
        assert_eq!(rule, "x1 > 0.5 or x2 <= 0.1");
        let (Values::Numeric(x1), Values::Numeric(x2)) =
            (&data.columns[0].values, &data.columns[1].values)
        else {
            panic!()
        };
        let expected: Vec<u32> =
            (0..100).map(|row| u32::from(x1[row] > 0.5 || x2[row] <= 0.1)).collect();
        assert_eq!(data.target.unwrap().codes, expected);
    }

    #[test]
    fn sizes_that_do_not_fit_in_memory_are_errors() {
        let error = |rows| table(rows, &columns(), 0).unwrap_err().to_string();
        assert_eq!(
            error(usize::MAX),
            format!("rows: {} rows of 5 attributes do not fit in memory", usize::MAX)
        );
        assert!(error(1 << 40).ends_with("do not fit in memory"));
        let wide = RandomColumns { attributes: 1 << 50, ..RandomColumns::default() };
        assert!(table(1, &wide, 0).unwrap_err().to_string().ends_with("do not fit in memory"));
        for (count, size) in [(usize::MAX, 1..=1), (1, 1..=usize::MAX), (1 << 20, 9..=1 << 30)] {
            let error = bags(count, size, &columns(), 0).unwrap_err().to_string();
            assert!(
                error.starts_with("bags: ") && error.ends_with("do not fit in memory"),
                "{error}"
            );
        }
    }

    #[test]
    fn errors_name_the_parameter() {
        let error = |columns: RandomColumns| table(10, &columns, 0).unwrap_err().to_string();
        assert_eq!(
            error(RandomColumns { comparisons: Some(9), ..columns() }),
            "comparisons: found 9; expected a number from 1 to 5"
        );
        assert_eq!(
            error(RandomColumns { noise: 0.7, ..columns() }),
            "noise: found 0.7; expected a number from 0 to 0.5"
        );
        assert!(
            error(RandomColumns { rule: Some("y > 1".into()), ..columns() })
                .contains("there is no column 'y'")
        );
    }
}
