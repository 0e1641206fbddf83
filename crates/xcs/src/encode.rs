//! Encodes a table as codes, and translates conditions between codes and expressions.

use crate::error::XcsError;
use crate::numbers::Numbers;
use pellucid_cover::table::rank_numbers;
use pellucid_data::{ClassTarget, Dataset, MISSING, TargetKind, Values};
use pellucid_device::Threads;
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::model::{Column, NumberTargetSummary, Schema};
use pellucid_learn::params::{ClassWeights, ParamError};
use pellucid_matching::{CodeDomain, CodedExamples, Test};
use pellucid_program::{Edge, Expr, Interval, Op, Value};
use pellucid_ruleset::cut::{between, pair};
use std::borrow::Cow;
use std::sync::Arc;

/// The meaning of the codes of a column.
#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    /// The distinct numbers, ascending.
    Numbers(Vec<f64>),
    Categories(Vec<String>),
    /// False or missing (0), and true (1).
    Truth,
}

/// The training data as codes.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub(crate) examples: Arc<CodedExamples>,
    /// The class of each example; 0 if the target is a number.
    pub(crate) classes: Vec<u32>,
    /// The number of each example, if the target is a number.
    pub(crate) numbers: Option<Numbers>,
    /// The weight of each example; `None` if all are equal.
    pub(crate) weights: Option<Vec<f64>>,
    /// The schema that a model stores.
    pub(crate) schema: Schema,
    meanings: Vec<Meaning>,
}

impl Encoded {
    /// Encodes a table, with its columns on several threads.
    pub(crate) fn new(
        data: &Dataset,
        by_class: &ClassWeights,
        threads: &Threads,
    ) -> Result<Encoded, XcsError> {
        let number = match data.target_kind() {
            TargetKind::Number(_) => Some(data.require_number()?),
            _ => None,
        };
        let (target, names, classes) = match number {
            Some(number) => (&number.name, Vec::new(), vec![0; data.rows]),
            None => {
                let target = data.require_classes()?;
                (&target.name, target.classes.clone(), target.codes.clone())
            }
        };
        if let Some(bags) = &data.bags {
            let problem = format!(
                "classifiers learn from single rows, but {} groups its rows into bags by column '{}'; \
                 read it without bags, or use the rules learner",
                data.name, bags.name
            );
            return Err(XcsError::Unknown(ParamError::with_problem("bag", problem)));
        }
        if data.columns.is_empty() {
            return Err(XcsError::NoColumns(data.name.clone()));
        }
        let known = data.columns.iter().map(|column| match &column.values {
            Values::Numeric(_) => Column::numeric(&column.name),
            Values::Boolean(_) => Column::boolean(&column.name),
            Values::Nominal { categories, .. } => Column::nominal(&column.name, categories.clone()),
        });
        let encoded = threads.map(data.columns.len(), |place| encode(&data.columns[place].values));
        let (meanings, columns): (Vec<Meaning>, Vec<Cow<'_, [u32]>>) = encoded.into_iter().unzip();
        let codes = by_row(&columns, data.rows, threads);
        let schema = Schema {
            columns: known.collect(),
            target: Some(target.clone()),
            bag: None,
            number: number.and_then(|number| NumberTargetSummary::of(&number.values)),
            classes: names,
            reading: data.origin.reading.clone(),
            never_predicted: Vec::new(),
        };
        let domains = meanings.iter().map(domain).collect();
        let examples = Arc::new(CodedExamples::new(domains, codes)?);
        let weights = weights(data, by_class)?;
        let numbers = number.map(|number| Numbers::new(&number.values, weights.as_deref()));
        Ok(Encoded { examples, classes, numbers, weights, schema, meanings })
    }

    /// Adds classes of an earlier model that this data does not have.
    pub(crate) fn add_classes(&mut self, names: &[String]) {
        for name in names {
            if !self.schema.classes.contains(name) {
                self.schema.classes.push(name.clone());
            }
        }
    }

    /// Returns a digest of the data.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let mut print = Fingerprint::new();
        for (column, meaning) in self.schema.columns.iter().zip(&self.meanings) {
            print = print.with(&column.name);
            print = match meaning {
                Meaning::Numbers(numbers) => {
                    numbers.iter().fold(print, |print, number| print.with_number(number.to_bits()))
                }
                Meaning::Categories(names) => names.iter().fold(print, Fingerprint::with),
                Meaning::Truth => print,
            };
        }
        let numbers = self.numbers.iter().flat_map(|numbers| &numbers.values);
        for number in self.weights.iter().flatten().chain(numbers) {
            print = print.with_number(number.to_bits());
        }
        for row in 0..self.examples.rows() {
            let codes = self.examples.row(row).iter().chain(&self.classes[row..=row]);
            print = codes.fold(print, |print, &code| print.with_number(u64::from(code)));
        }
        print
    }

    /// Returns a condition as an expression.
    pub(crate) fn to_expr(&self, tests: &[Test]) -> Expr {
        let mut parts: Vec<Expr> = tests.iter().map(|test| self.test_to_expr(test)).collect();
        match parts.len() {
            0 => Expr::Constant(true),
            1 => parts.remove(0),
            _ => Expr::and(parts),
        }
    }

    /// Returns the tests of a condition from an earlier model. Returns `None` if no value of this
    /// data satisfies one of them; a test that every value satisfies is left out.
    ///
    /// # Errors
    /// When the data does not have a column, or has it with a different type.
    pub(crate) fn parse_condition(&self, when: &Expr) -> Result<Option<Vec<Test>>, XcsError> {
        let parts = match when {
            Expr::And(parts) => &parts[..],
            Expr::Constant(true) => &[],
            one => std::slice::from_ref(one),
        };
        let mut tests = Vec::with_capacity(parts.len());
        for part in parts {
            let (name, allowed) = self.parse_test(part)?;
            let place = self.place(name)?;
            let domain = self.examples.domains()[place];
            let attribute = pellucid_bits::as_u32(place);
            let (Some(&low), Some(&high)) = (allowed.first(), allowed.last()) else {
                return Ok(None);
            };
            if allowed.len() == domain.codes as usize {
                continue;
            }
            tests.push(match domain.is_set {
                true => {
                    Test::one_of(attribute, allowed.iter().fold(0, |set, code| set | 1 << code))
                }
                false => Test::between(attribute, low, high),
            });
        }
        tests.sort_unstable();
        // Models of this learner have at most one test per column.
        let twice = tests.windows(2).any(|pair| pair[0].attribute == pair[1].attribute);
        if twice { Err(self.unknown(when)) } else { Ok(Some(tests)) }
    }

    /// Returns the column of a test and the codes that satisfy it, ascending.
    fn parse_test<'e>(&self, part: &'e Expr) -> Result<(&'e String, Vec<u32>), XcsError> {
        let (name, inside) = match part {
            Expr::Is(name)
            | Expr::Compare(name, ..)
            | Expr::Within(name, _)
            | Expr::OneOf(name, _) => (name, true),
            Expr::Not(inner) => match &**inner {
                Expr::Is(name) => (name, false),
                _ => return Err(self.unknown(part)),
            },
            _ => return Err(self.unknown(part)),
        };
        let codes = match (&self.meanings[self.place(name)?], part) {
            (Meaning::Truth, Expr::Is(_) | Expr::Not(_)) => vec![u32::from(inside)],
            (Meaning::Numbers(numbers), Expr::Compare(_, op, Value::Number(bound))) => {
                codes_where(numbers, |&number| op.holds(number, *bound))
            }
            (Meaning::Numbers(numbers), Expr::Within(_, interval)) => {
                codes_where(numbers, |&number| interval.contains(number))
            }
            (Meaning::Categories(names), Expr::Compare(_, Op::Equal, Value::Text(text))) => {
                codes_where(names, |name| name == text)
            }
            (Meaning::Categories(names), Expr::Compare(_, Op::NotEqual, Value::Text(text))) => {
                codes_where(names, |name| name != text)
            }
            (Meaning::Categories(names), Expr::OneOf(_, values)) => codes_where(names, |name| {
                values.iter().any(|value| matches!(value, Value::Text(text) if text == name))
            }),
            _ => return Err(self.unknown(part)),
        };
        Ok((name, codes))
    }

    fn place(&self, name: &str) -> Result<usize, XcsError> {
        let place = self.schema.columns.iter().position(|column| column.name == name);
        place.ok_or_else(|| XcsError::OtherColumn(name.to_owned()))
    }

    fn unknown(&self, part: &Expr) -> XcsError {
        XcsError::OtherKind(pellucid_program::shorten(&part.to_string()).to_string())
    }

    fn test_to_expr(&self, test: &Test) -> Expr {
        let place = test.attribute as usize;
        let name = self.schema.columns[place].name.clone();
        let domain = self.examples.domains()[place];
        let (low, high) = (test.low as usize, test.high as usize);
        match &self.meanings[place] {
            Meaning::Truth if low >= 1 => Expr::Is(name),
            Meaning::Truth => Expr::Not(Box::new(Expr::Is(name))),
            Meaning::Numbers(numbers) if pair(numbers).is_some() && low == high => {
                Expr::Compare(name, Op::Equal, Value::Number(numbers[low]))
            }
            Meaning::Numbers(numbers) => {
                // Between observed values, so that bounds are short numbers.
                let above = (low > 0).then(|| between(numbers[low - 1], numbers[low]));
                let below = numbers.get(high + 1).map(|&next| between(numbers[high], next));
                match (above, below) {
                    (Some(low), Some(high)) => Expr::Within(
                        name,
                        Interval {
                            low: Edge { value: low, closed: false },
                            high: Edge { value: high, closed: true },
                        },
                    ),
                    (Some(low), None) => Expr::Compare(name, Op::Greater, Value::Number(low)),
                    (None, Some(high)) => Expr::Compare(name, Op::LessEqual, Value::Number(high)),
                    (None, None) => Expr::Constant(true),
                }
            }
            Meaning::Categories(names) => {
                let inside = |code: &u32| pellucid_matching::spec::satisfies(domain, test, *code);
                let text = |code: u32| Value::Text(names[code as usize].clone());
                let (some, others): (Vec<u32>, Vec<u32>) = (0..domain.codes).partition(inside);
                match (&some[..], &others[..]) {
                    (&[only], _) => Expr::Compare(name, Op::Equal, text(only)),
                    (some, &[but]) if some.len() > 1 => {
                        Expr::Compare(name, Op::NotEqual, text(but))
                    }
                    _ => Expr::OneOf(name, some.into_iter().map(text).collect()),
                }
            }
        }
    }
}

/// Returns the weight of each example, or `None` if all are equal.
pub(crate) fn weights(
    data: &Dataset,
    by_class: &ClassWeights,
) -> Result<Option<Vec<f64>>, XcsError> {
    if by_class.is_silent() && data.weights.is_none() {
        return Ok(None);
    }
    let weights: Vec<f64> = match &data.target {
        Some(ClassTarget { classes, codes, .. }) => {
            let mut counts = vec![0_u64; classes.len()];
            codes.iter().for_each(|&class| counts[class as usize] += 1);
            let of_class = by_class.of("class_weight", classes, &counts);
            let of_class = of_class.map_err(XcsError::Unknown)?;
            let of_row = |row: usize| data.weights.as_ref().map_or(1.0, |weights| weights[row]);
            let weigh = |(row, &class): (usize, &u32)| of_class[class as usize] * of_row(row);
            codes.iter().enumerate().map(weigh).collect()
        }
        None if !by_class.is_silent() => {
            let problem = "the target is a number; class weights need classes";
            return Err(XcsError::Unknown(ParamError::with_problem("class_weight", problem)));
        }
        None => data.weights.clone().unwrap_or_default(),
    };
    let total: f64 = weights.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        let problem = "all example weights are 0; at least one must be above 0";
        return Err(XcsError::Unknown(ParamError::with_problem("weight", problem)));
    }
    Ok(Some(weights))
}

/// Returns the codes of a column and their meaning.
fn encode(values: &Values) -> (Meaning, Cow<'_, [u32]>) {
    match values {
        Values::Numeric(numbers) => {
            let (distinct, ranks) = rank_numbers(numbers);
            (Meaning::Numbers(distinct), Cow::Owned(ranks))
        }
        Values::Nominal { codes, categories } => {
            (Meaning::Categories(categories.clone()), Cow::Borrowed(codes))
        }
        Values::Boolean(truths) => {
            let codes = truths.iter().map(|truth| u32::from(*truth == Some(true))).collect();
            (Meaning::Truth, Cow::Owned(codes))
        }
    }
}

/// The number of rows that are transposed at a time, so that they fit in a cache.
const ROWS_AT_ONCE: usize = 256;

/// Returns the codes row by row.
fn by_row(columns: &[Cow<'_, [u32]>], rows: usize, threads: &Threads) -> Vec<u32> {
    let mut codes = vec![MISSING; columns.len() * rows];
    let mut stretches: Vec<&mut [u32]> = codes.chunks_mut(columns.len() * ROWS_AT_ONCE).collect();
    threads.each(&mut stretches, |stretch, codes| {
        for (place, column) in columns.iter().enumerate() {
            let own = codes.iter_mut().skip(place).step_by(columns.len());
            own.zip(&column[stretch * ROWS_AT_ONCE..]).for_each(|(code, &own)| *code = own);
        }
    });
    codes
}

/// Returns the codes whose value satisfies a predicate, ascending.
fn codes_where<T>(values: &[T], is_satisfied: impl Fn(&T) -> bool) -> Vec<u32> {
    (0..).zip(values).filter(|(_, value)| is_satisfied(value)).map(|(code, _)| code).collect()
}

fn domain(meaning: &Meaning) -> CodeDomain {
    match meaning {
        Meaning::Numbers(numbers) => CodeDomain::ordered(pellucid_bits::as_u32(numbers.len())),
        Meaning::Categories(names) => CodeDomain::nominal(pellucid_bits::as_u32(names.len())),
        Meaning::Truth => CodeDomain::ordered(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_data::{ClassTarget, Column};
    use proptest::prelude::*;
    use std::num::NonZeroUsize;

    fn column() -> impl Strategy<Value = (Vec<f64>, Vec<u32>, Vec<Option<bool>>)> {
        let number = prop_oneof![
            4 => (-9i8..9).prop_map(f64::from), 1 => Just(f64::NAN), 1 => Just(-0.0), 1 => any::<f64>(),
        ];
        let code = prop_oneof![3 => 0_u32..3, 1 => Just(MISSING)];
        let rows = 700;
        (
            prop::collection::vec(number, rows),
            prop::collection::vec(code, rows),
            prop::collection::vec(any::<Option<bool>>(), rows),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn codes_represent_the_values_for_any_number_of_threads(
            columns in prop::collection::vec(column(), 1..4),
        ) {
            let all = columns.iter().enumerate().flat_map(|(place, (numbers, codes, truths))| {
                let categories = ["a", "b", "c"].map(str::to_owned).to_vec();
                let named = |kind: &str, values| Column { name: format!("{kind}{place}"), values };
                [
                    named("n", Values::Numeric(numbers.clone().into())),
                    named("c", Values::Nominal { codes: codes.clone(), categories }),
                    named("b", Values::Boolean(truths.clone())),
                ]
            });
            let target = ClassTarget {
                name: "class".into(),
                classes: vec!["no".into(), "yes".into()],
                codes: (0..700).map(|row| row % 2).collect(),
            };
            let columns = all.collect();
            let data = Dataset { columns, rows: 700, target: Some(target), ..Dataset::default() };
            let on = |threads: usize| {
                let threads = Threads::new(NonZeroUsize::new(threads)).expect("threads");
                Encoded::new(&data, &ClassWeights::default(), &threads).expect("a table")
            };
            let (one, three) = (on(1), on(3));
            prop_assert_eq!(&one.meanings, &three.meanings);
            for row in 0..data.rows {
                prop_assert_eq!(one.examples.row(row), three.examples.row(row));
                let coded = one.examples.row(row).iter().zip(&one.meanings);
                for ((&code, meaning), column) in coded.zip(&data.columns) {
                    let is_same = match (meaning, &column.values) {
                        (Meaning::Numbers(numbers), Values::Numeric(own)) if code != MISSING => {
                            numbers[code as usize] == own[row]
                        }
                        (Meaning::Numbers(_), Values::Numeric(own)) => own[row].is_nan(),
                        (Meaning::Categories(_), Values::Nominal { codes, .. }) => codes[row] == code,
                        (Meaning::Truth, Values::Boolean(own)) => (code == 1) == (own[row] == Some(true)),
                        _ => false,
                    };
                    prop_assert!(is_same, "row {row} of {}", column.name);
                }
            }
        }
    }
}
