//! A data set in the JSON of a page: its columns, and the distribution of each by class.

use pellucid_data::{Column, Dataset, MISSING, Values};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The bins of a histogram.
const BINS: usize = 16;
/// The most distinct numbers that have a bin each.
const MOST_LEVELS: usize = 10;
/// The most categories that are counted by themselves.
const MOST_CATEGORIES: usize = 10;
/// With more classes than this, rows are counted together.
const MOST_CLASSES: usize = 6;
/// The most columns that are described; those of the model come first.
const MOST_COLUMNS: usize = 300;
/// A column that separates the classes this well may contain the answer.
const SUSPICIOUS: f64 = 0.995;

/// Returns the description of a data set. `used` are the names of the columns of the model, which come first.
/// `notes` say how the data was read.
pub(super) fn describe(data: &Dataset, used: &[&str], notes: &[String]) -> Value {
    let classes = RowClasses::of(data);
    let mut columns: Vec<&Column> = data.columns.iter().collect();
    columns.sort_by_key(|column| !used.contains(&column.name.as_str()));
    let shown: Vec<Value> = columns
        .iter()
        .take(MOST_COLUMNS)
        .map(|column| encode(data, column, &classes, used.contains(&column.name.as_str())))
        .collect();
    json!({
        "name": data.name,
        "rows": data.rows,
        "examples": data.examples(),
        "bags": data.bags.as_ref().map(|bags| &bags.name),
        "total": data.columns.len(),
        "classes": classes.names,
        "counts": classes.examples,
        "columns": shown,
        "skipped": data.origin.reading.left_out,
        "notes": notes,
        "guessed": data.origin.guessed_target,
    })
}

/// The class of each row; a single class if there are no classes or too many.
struct RowClasses {
    names: Vec<String>,
    of_row: Vec<u32>,
    /// The number of examples of each class.
    examples: Vec<u64>,
}

impl RowClasses {
    fn of(data: &Dataset) -> RowClasses {
        let Some(target) = data.target.as_ref().filter(|target| target.classes.len() > 1) else {
            let examples = vec![data.examples() as u64];
            return RowClasses { names: Vec::new(), of_row: vec![0; data.rows], examples };
        };
        let mut examples = vec![0; target.classes.len()];
        let known = target.codes.iter().filter(|&&code| code != MISSING);
        known.for_each(|&code| examples[code as usize] += 1);
        let names = target.classes.clone();
        if names.len() > MOST_CLASSES {
            return RowClasses { names, of_row: vec![0; data.rows], examples };
        }
        let of_row = match &data.bags {
            None => target.codes.clone(),
            Some(bags) => bags.of_row.iter().map(|&bag| target.codes[bag as usize]).collect(),
        };
        RowClasses { names, of_row, examples }
    }

    /// Returns the number of classes that rows are counted by.
    fn counted(&self) -> usize {
        if self.names.len() > MOST_CLASSES { 1 } else { self.names.len().max(1) }
    }
}

fn encode(data: &Dataset, column: &Column, classes: &RowClasses, is_used: bool) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("name", json!(column.name));
    put("used", json!(is_used));
    put("missing", json!(column.values.missing()));
    match &column.values {
        Values::Numeric(numbers) => {
            let format = data.origin.reading.dates.get(&column.name);
            put("kind", json!(if format.is_some() { "dates" } else { "numbers" }));
            if let Some(histogram) = histogram(numbers, classes) {
                if let (Some(format), (low, high)) = (format, histogram.range) {
                    put("ends", json!([format.show(low), format.show(high)]));
                }
                put("distinct", json!(histogram.distinct));
                put("range", json!([histogram.range.0, histogram.range.1]));
                put("median", json!(histogram.median));
                put("levels", json!(histogram.levels));
                put("bins", json!(histogram.bins));
                put("separates", json!(histogram.separates));
            }
        }
        Values::Nominal { codes, categories } => {
            let codes = codes.iter().map(|&code| (code != MISSING).then_some(code));
            let counted = category_counts(codes, categories, classes);
            put("kind", json!("categories"));
            put("distinct", json!(counted.distinct));
            put("categories", json!(counted.names));
            put("bins", json!(counted.bins));
            put("separates", json!(counted.separates));
        }
        Values::Boolean(values) => {
            let names = ["no", "yes"].map(str::to_owned);
            let codes = values.iter().map(|value| value.map(u32::from));
            let counted = category_counts(codes, &names, classes);
            put("kind", json!("yes or no"));
            put("distinct", json!(counted.distinct));
            put("categories", json!(counted.names));
            put("bins", json!(counted.bins));
            put("separates", json!(counted.separates));
        }
    }
    Value::Object(object)
}

/// The distribution of a column of numbers.
struct Histogram {
    range: (f64, f64),
    median: f64,
    distinct: usize,
    /// The number of each bin, if there are few distinct numbers.
    levels: Option<Vec<f64>>,
    /// By class, the number of rows in each bin.
    bins: Vec<Vec<u64>>,
    separates: bool,
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bin")]
fn histogram(numbers: &[f64], classes: &RowClasses) -> Option<Histogram> {
    let finite = numbers.iter().zip(&classes.of_row).filter(|(number, _)| number.is_finite());
    let mut sorted: Vec<(f64, u32)> = finite.map(|(&number, &class)| (number, class)).collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (&(low, _), &(high, _)) = (sorted.first()?, sorted.last()?);
    let mut distinct: Vec<f64> = sorted.iter().map(|pair| pair.0).collect();
    let median = distinct[distinct.len() / 2];
    distinct.dedup();
    let levels = (distinct.len() <= MOST_LEVELS).then(|| distinct.clone());
    let mut bins = vec![vec![0; levels.as_ref().map_or(BINS, Vec::len)]; classes.counted()];
    // Divide before subtracting: the difference of large numbers may overflow.
    let width = (high / BINS as f64 - low / BINS as f64).max(f64::MIN_POSITIVE);
    for &(number, class) in &sorted {
        if let Some(bins) = bins.get_mut(class as usize) {
            let bin = match &levels {
                Some(levels) => levels.partition_point(|level| *level < number),
                None => (((number - low) / width) as usize).min(BINS - 1),
            };
            bins[bin] += 1;
        }
    }
    let separates = classes.counted() == 2 && best_cut(&sorted) >= SUSPICIOUS;
    let (range, distinct) = ((low, high), distinct.len());
    Some(Histogram { range, median, distinct, levels, bins, separates })
}

/// Returns the balanced accuracy of the best single cut of sorted numbers with two classes; 0 if one class
/// has fewer than five rows.
#[expect(clippy::cast_precision_loss, reason = "a rough figure")]
fn best_cut(sorted: &[(f64, u32)]) -> f64 {
    let total = |class: u32| sorted.iter().filter(|pair| pair.1 == class).count();
    let (zeros, ones) = (total(0), total(1));
    if zeros.min(ones) < 5 {
        return 0.0;
    }
    let (mut below, mut best) = ([0_usize; 2], 0.0_f64);
    for (place, &(number, class)) in sorted.iter().enumerate() {
        if let Some(count) = below.get_mut(class as usize) {
            *count += 1;
        }
        if sorted.get(place + 1).is_some_and(|next| next.0 > number) {
            let balanced =
                (below[0] as f64 / zeros as f64 + 1.0 - below[1] as f64 / ones as f64) / 2.0;
            best = best.max(balanced).max(1.0 - balanced);
        }
    }
    best
}

/// The distribution of a column of categories.
struct CategoryCounts {
    /// The most common categories, the most common first.
    names: Vec<String>,
    distinct: usize,
    /// By class, the number of rows of each category.
    bins: Vec<Vec<u64>>,
    separates: bool,
}

fn category_counts(
    codes: impl Iterator<Item = Option<u32>>,
    categories: &[String],
    classes: &RowClasses,
) -> CategoryCounts {
    let width = classes.counted();
    let mut counts: HashMap<u32, Vec<u64>> = HashMap::new();
    for (code, &class) in codes.zip(&classes.of_row) {
        let Some(code) = code else { continue };
        let own = counts.entry(code).or_insert_with(|| vec![0; width]);
        if let Some(count) = own.get_mut(class as usize) {
            *count += 1;
        }
    }
    let mut list: Vec<(u32, Vec<u64>)> = counts.into_iter().collect();
    let total = |counts: &[u64]| counts.iter().sum::<u64>();
    list.sort_by_key(|(code, counts)| (std::cmp::Reverse(total(counts)), *code));
    let separates = width == 2 && list.len() <= MOST_CATEGORIES && is_separated(&list);
    let distinct = list.len();
    list.truncate(MOST_CATEGORIES);
    let name = |code: &u32| categories.get(*code as usize).cloned().unwrap_or_default();
    CategoryCounts {
        names: list.iter().map(|(code, _)| name(code)).collect(),
        distinct,
        bins: (0..width)
            .map(|class| list.iter().map(|(_, counts)| counts[class]).collect())
            .collect(),
        separates,
    }
}

/// Returns whether the categories almost tell two classes apart.
#[expect(clippy::cast_precision_loss, reason = "a rough figure")]
fn is_separated(list: &[(u32, Vec<u64>)]) -> bool {
    let totals = [0, 1].map(|class| list.iter().map(|(_, counts)| counts[class]).sum::<u64>());
    if totals[0].min(totals[1]) < 5 {
        return false;
    }
    let share = |class: usize| {
        let own = list.iter().filter(|(_, counts)| counts[class] > counts[1 - class]);
        own.map(|(_, counts)| counts[class]).sum::<u64>() as f64 / totals[class] as f64
    };
    (share(0) + share(1)) / 2.0 >= SUSPICIOUS
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_data::ClassTarget;

    fn data(numbers: Vec<f64>, codes: Vec<u32>) -> Dataset {
        let rows = numbers.len();
        let classes = vec!["no".into(), "yes".into()];
        Dataset {
            name: "some".into(),
            columns: vec![Column { name: "x".into(), values: Values::Numeric(numbers.into()) }],
            rows,
            target: Some(ClassTarget { name: "y".into(), classes, codes }),
            ..Dataset::default()
        }
    }

    #[test]
    fn every_row_is_in_one_bin() {
        let numbers: Vec<f64> =
            (0..=32).map(|half| f64::from(half) / 2.0).chain([f64::NAN]).collect();
        let codes: Vec<u32> = (0..34).map(|row| u32::from(row >= 30)).collect();
        let found = describe(&data(numbers, codes), &["x"], &[]);
        let column = &found["columns"][0];
        assert_eq!((&column["missing"], &column["distinct"]), (&json!(1), &json!(33)));
        let bins: Vec<Vec<u64>> =
            serde_json::from_value(column["bins"].clone()).expect("counts by class");
        assert_eq!(bins.iter().map(|own| own.iter().sum::<u64>()).collect::<Vec<_>>(), [30, 3]);
        assert_eq!((bins[0][0], bins[0][14], bins[1][15]), (2, 2, 3));
    }

    #[test]
    fn a_column_that_contains_the_answer_is_found() {
        let codes: Vec<u32> = (0..40).map(|row| row % 2).collect();
        let leak: Vec<f64> = codes.iter().map(|&code| f64::from(code) + 0.5).collect();
        let separates = |numbers| {
            describe(&data(numbers, codes.clone()), &[], &[])["columns"][0]["separates"].clone()
        };
        assert_eq!(separates(leak), json!(true));
        assert_eq!(separates((0..40).map(f64::from).collect()), json!(false));
    }
}
