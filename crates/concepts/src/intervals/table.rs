//! A table of values in the form of the search.

use super::chain::Chain;
use pellucid_data::{Bags, DataError, Dataset, MISSING, Message, Names, Values, message};

/// A table whose closed interval patterns are searched.
///
/// An object is a row. If the table has bags, an object is a bag, and its description contains the
/// values of all of its rows. An object with a missing value fits only descriptions without a
/// condition on this column.
#[derive(Clone, Debug)]
pub struct IntervalTable {
    columns: Vec<PatternColumn>,
    pub(super) chains: Vec<Chain>,
    /// The names of the objects.
    pub objects: Names,
    /// What was assumed or left out.
    pub notes: Vec<Message>,
}

/// A column and where its chains begin.
#[derive(Clone, Debug)]
struct PatternColumn {
    name: String,
    first: usize,
    domain: Domain,
}

/// The bounds of a column.
#[derive(Clone, Debug)]
pub(super) enum Domain {
    /// The upper bounds, descending, and the lower bounds, ascending: two chains.
    Numbers([Vec<f64>; 2]),
    /// The categories, with one chain each.
    Categories(Vec<String>),
}

/// The condition of a pattern on one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition<'a> {
    /// The values are in this closed interval.
    Within([f64; 2]),
    /// The value is this category.
    Is(&'a str),
}

/// The condition of a pattern on one column, by positions in its domain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Interval { lower: usize, upper: usize, is_point: bool },
    Category(usize),
}

impl IntervalTable {
    /// Creates the table from a data set. A target is the last column.
    ///
    /// # Errors
    /// If the data set is inconsistent.
    pub fn new(data: &Dataset) -> Result<IntervalTable, DataError> {
        data.check()?;
        let objects = match &data.bags {
            Some(bags) => bags.names.iter().collect(),
            None => Names::Numbered { first: 1, count: data.rows },
        };
        let mut table = IntervalTable {
            columns: Vec::new(),
            chains: Vec::new(),
            objects,
            notes: data.notes.clone(),
        };
        if let Some(bags) = &data.bags {
            let name = &bags.name;
            table.notes.push(message!(
                "objects are bags of column '{name}'; a bag has the values of all of its rows"
            ));
        }
        for column in &data.columns {
            table.push(&column.name, &column.values, data.bags.as_ref());
        }
        if let Some(target) = &data.target {
            table.push_categories(&target.name, &target.codes, &target.classes, None);
        }
        Ok(table)
    }

    fn push(&mut self, name: &str, values: &Values, bags: Option<&Bags>) {
        match values {
            Values::Numeric(values) => self.push_numbers(name, values, bags),
            Values::Nominal { codes, categories } => {
                self.push_categories(name, codes, categories, bags);
            }
            Values::Boolean(values) => {
                let code = |value: &Option<bool>| value.map_or(MISSING, u32::from);
                let codes: Vec<u32> = values.iter().map(code).collect();
                let categories = ["false".to_owned(), "true".to_owned()];
                self.push_categories(name, &codes, &categories, bags);
            }
        }
    }

    fn push_numbers(&mut self, name: &str, values: &[f64], bags: Option<&Bags>) {
        let first = self.chains.len();
        // 0 and -0 are one value. Negated, upper bounds are ascending as well.
        let plain = |value: f64| if value == 0.0 { 0.0 } else { value };
        let upper: Vec<f64> = values.iter().map(|&value| plain(-value)).collect();
        let lower: Vec<f64> = values.iter().map(|&value| plain(value)).collect();
        let sides = [upper, lower].map(|values| {
            let of_objects = smallest(&values, self.objects.len(), bags);
            let mut bounds: Vec<f64> =
                of_objects.iter().copied().filter(|value| !value.is_nan()).collect();
            bounds.sort_unstable_by(f64::total_cmp);
            bounds.dedup();
            // A missing value satisfies no bound but the first, which is no condition.
            let rank = |value: &f64| match value.is_nan() {
                true => 0,
                false => pellucid_bits::as_u32(bounds.partition_point(|bound| bound < value)),
            };
            let ranks: Vec<u32> = of_objects.iter().map(rank).collect();
            self.chains.push(Chain::new(&ranks, bounds.len().max(1)));
            bounds
        });
        let [upper, lower] = sides;
        let upper = upper.into_iter().map(|bound| plain(-bound)).collect();
        let domain = Domain::Numbers([upper, lower]);
        self.columns.push(PatternColumn { name: name.to_owned(), first, domain });
    }

    fn push_categories(
        &mut self,
        name: &str,
        codes: &[u32],
        categories: &[String],
        bags: Option<&Bags>,
    ) {
        let first = self.chains.len();
        let shared = match bags {
            Some(bags) => shared_codes(codes, bags),
            None => codes.to_vec(),
        };
        let mut objects: Vec<Vec<u32>> = vec![Vec::new(); categories.len()];
        for (object, &code) in (0u32..).zip(&shared) {
            if code != MISSING {
                objects[code as usize].push(object);
            }
        }
        let mut used = Vec::new();
        for (objects, category) in objects.into_iter().zip(categories) {
            if !objects.is_empty() {
                self.chains.push(Chain::of_category(objects, shared.len()));
                used.push(category.clone());
            }
        }
        let domain = Domain::Categories(used);
        self.columns.push(PatternColumn { name: name.to_owned(), first, domain });
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The columns with their bounds.
    pub(super) fn domains(&self) -> impl Iterator<Item = (&str, &Domain)> {
        self.columns.iter().map(|column| (column.name.as_str(), &column.domain))
    }

    /// Calls `with` for each condition that the bounds of the chains stand for, with the number of
    /// the column.
    pub(super) fn each_place(&self, bounds: &[u32], mut with: impl FnMut(usize, Place)) {
        for (column, PatternColumn { first, domain, .. }) in self.columns.iter().enumerate() {
            match domain {
                Domain::Numbers([uppers, lowers]) => {
                    let [upper, lower] = [bounds[*first] as usize, bounds[first + 1] as usize];
                    if upper > 0 || lower > 0 {
                        let is_point = lowers[lower] == uppers[upper];
                        with(column, Place::Interval { lower, upper, is_point });
                    }
                }
                Domain::Categories(categories) => {
                    for (category, &bound) in
                        bounds[*first..][..categories.len()].iter().enumerate()
                    {
                        if bound > 0 {
                            with(column, Place::Category(category));
                        }
                    }
                }
            }
        }
    }

    /// Calls `with` for each condition that the bounds of the chains stand for.
    pub(super) fn each_condition<'a>(
        &'a self,
        bounds: &[u32],
        mut with: impl FnMut(&'a str, Condition<'a>),
    ) {
        self.each_place(bounds, |column, place| {
            let PatternColumn { name, domain, .. } = &self.columns[column];
            match (domain, place) {
                (Domain::Numbers([uppers, lowers]), Place::Interval { lower, upper, .. }) => {
                    with(name, Condition::Within([lowers[lower], uppers[upper]]));
                }
                (Domain::Categories(categories), Place::Category(category)) => {
                    with(name, Condition::Is(&categories[category]));
                }
                _ => unreachable!("a place is in the domain of its column"),
            }
        });
    }
}

/// Returns the smallest value of each object; NaN if one is missing.
fn smallest(values: &[f64], objects: usize, bags: Option<&Bags>) -> Vec<f64> {
    let Some(bags) = bags else { return values.to_vec() };
    let mut smallest = vec![f64::INFINITY; objects];
    for (&bag, &value) in bags.of_row.iter().zip(values) {
        let own = &mut smallest[bag as usize];
        *own = if value.is_nan() || own.is_nan() { f64::NAN } else { own.min(value) };
    }
    smallest
}

/// Returns the category of each bag whose rows all have the same one.
fn shared_codes(codes: &[u32], bags: &Bags) -> Vec<u32> {
    let mut shared: Vec<Option<u32>> = vec![None; bags.names.len()];
    for (&bag, &code) in bags.of_row.iter().zip(codes) {
        let own = &mut shared[bag as usize];
        *own = Some(own.map_or(code, |own| if own == code { own } else { MISSING }));
    }
    shared.into_iter().map(|code| code.unwrap_or(MISSING)).collect()
}
