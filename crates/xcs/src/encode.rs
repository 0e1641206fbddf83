//! A table as codes, and codes as words again.

use crate::error::XcsError;
use pellucid_data::{Dataset, MISSING, Values};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::model::{Column, Schema};
use pellucid_learn::params::ParamError;
use pellucid_matching::{Domain, Examples, Test};
use pellucid_program::{Edge, Expr, Interval, Op, Value};
use pellucid_ruleset::cut::between;
use std::sync::Arc;

/// What the codes of a column stand for.
#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    /// The distinct numbers, ascending.
    Numbers(Vec<f64>),
    Categories(Vec<String>),
    /// False or not known, and true.
    Truth,
}

/// Training data as codes.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub(crate) examples: Arc<Examples>,
    /// The class of each example.
    pub(crate) classes: Vec<u32>,
    /// What a model remembers of the data.
    pub(crate) schema: Schema,
    meanings: Vec<Meaning>,
}

impl Encoded {
    pub(crate) fn new(data: &Dataset) -> Result<Encoded, XcsError> {
        let target = data.require_classes()?;
        if let Some(bags) = &data.bags {
            let problem = format!(
                "classifiers are learned from single rows, and {} has bags (column '{}'); none are needed",
                data.name, bags.name
            );
            return Err(XcsError::Unknown(ParamError::saying("bag", problem)));
        }
        if data.weights.is_some() {
            let problem = "classifiers count examples and cannot weigh them";
            return Err(XcsError::Unknown(ParamError::saying("weight", problem)));
        }
        if data.columns.is_empty() {
            return Err(XcsError::NoColumns(data.name.clone()));
        }
        let columns = data.columns.len();
        let mut codes = vec![MISSING; columns * data.rows];
        let (mut meanings, mut known) = (Vec::new(), Vec::new());
        for (place, column) in data.columns.iter().enumerate() {
            let own = codes.iter_mut().skip(place).step_by(columns);
            meanings.push(encode(&column.values, own));
            known.push(match &column.values {
                Values::Numeric(_) => Column::numeric(&column.name),
                Values::Boolean(_) => Column::boolean(&column.name),
                Values::Nominal { categories, .. } => {
                    Column::nominal(&column.name, categories.clone())
                }
            });
        }
        let schema = Schema {
            columns: known,
            target: Some(target.name.clone()),
            bag: None,
            classes: target.classes.clone(),
            reading: data.origin.reading.clone(),
        };
        let domains = meanings.iter().map(domain).collect();
        let examples = Arc::new(Examples::new(domains, codes)?);
        Ok(Encoded { examples, classes: target.codes.clone(), schema, meanings })
    }

    /// A digest of the data.
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
        for row in 0..self.examples.rows() {
            let codes = self.examples.row(row).iter().chain(&self.classes[row..=row]);
            print = codes.fold(print, |print, &code| print.with_number(u64::from(code)));
        }
        print
    }

    /// A condition in words.
    pub(crate) fn phrase(&self, tests: &[Test]) -> Expr {
        let mut parts: Vec<Expr> = tests.iter().map(|test| self.phrase_test(test)).collect();
        match parts.len() {
            0 => Expr::Constant(true),
            1 => parts.remove(0),
            _ => Expr::and(parts),
        }
    }

    fn phrase_test(&self, test: &Test) -> Expr {
        let place = test.attribute as usize;
        let name = self.schema.columns[place].name.clone();
        let domain = self.examples.domains()[place];
        let (low, high) = (test.low as usize, test.high as usize);
        match &self.meanings[place] {
            Meaning::Truth if low >= 1 => Expr::Is(name),
            Meaning::Truth => Expr::Not(Box::new(Expr::Is(name))),
            Meaning::Numbers(numbers) => {
                // Between observed values, so that people read short numbers.
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

/// Writes the codes of a column and says what they stand for.
fn encode<'a>(values: &Values, codes: impl Iterator<Item = &'a mut u32>) -> Meaning {
    match values {
        Values::Numeric(numbers) => {
            let known = |number: &f64| !number.is_nan();
            // The two zeros are one value.
            let mut distinct: Vec<f64> =
                numbers.iter().copied().filter(known).map(|number| number + 0.0).collect();
            distinct.sort_unstable_by(f64::total_cmp);
            distinct.dedup();
            for (code, number) in codes.zip(numbers).filter(|(_, number)| known(number)) {
                let rank = distinct.partition_point(|other| other < number);
                *code = pellucid_bits::as_u32(rank);
            }
            Meaning::Numbers(distinct)
        }
        Values::Nominal { codes: own, categories } => {
            codes.zip(own).for_each(|(code, &own)| *code = own);
            Meaning::Categories(categories.clone())
        }
        Values::Boolean(truths) => {
            codes.zip(truths).for_each(|(code, truth)| *code = u32::from(*truth == Some(true)));
            Meaning::Truth
        }
    }
}

fn domain(meaning: &Meaning) -> Domain {
    match meaning {
        Meaning::Numbers(numbers) => Domain::ordered(pellucid_bits::as_u32(numbers.len())),
        Meaning::Categories(names) => Domain::nominal(pellucid_bits::as_u32(names.len())),
        Meaning::Truth => Domain::ordered(2),
    }
}
