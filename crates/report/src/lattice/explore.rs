//! A page in which a lattice can be explored.
//!
//! The page needs little of a lattice: the support and the upper neighbors of each concept, and the concept
//! that each name belongs to. A concept has the attributes of all concepts above it and the objects of all
//! below it. Only in an iceberg lattice do some objects have no concept; the page has their rows. Numbers are
//! written as differences in seven bits per byte and compressed, so a hundred thousand concepts take about
//! a megabyte and a half.

use crate::page::frame::{PageKind, page};
use crate::page::{Provenance, packed};
use pellucid_concepts::index::{delta, stability};
use pellucid_concepts::lattice::Lattice;
use pellucid_data::{Context, Names};
use serde_json::{Value, json};
use thiserror::Error;

/// The most concepts in a page.
pub const MOST_EXPLORED: usize = 200_000;

/// A page with more bytes than this leaves out the names of objects.
const MOST_BYTES: usize = 5_000_000;

/// The reason why a page was not written.
#[derive(Debug, Error)]
pub enum ExploreError {
    /// There are too many concepts.
    #[error("cannot show {0} concepts, only up to {MOST_EXPLORED}; use a larger minimum support")]
    TooMany(usize),
}

/// Returns a page in which the lattice of a context can be explored, written by this version of Pellucid.
///
/// # Errors
/// If there are more than [`MOST_EXPLORED`] concepts.
pub fn explorer(
    context: &Context,
    lattice: &Lattice,
    version: &str,
    from: &Provenance,
) -> Result<String, ExploreError> {
    if lattice.len() > MOST_EXPLORED {
        return Err(ExploreError::TooMany(lattice.len()));
    }
    let title = format!("{}: concepts", context.name);
    let content = content(context, lattice, true);
    let is_named = content["names"].as_str().map_or(0, str::len)
        + content["numbers"].as_str().map_or(0, str::len)
        <= MOST_BYTES;
    let mut content = if is_named { content } else { self::content(context, lattice, false) };
    content["version"] = json!(version);
    content["provenance"] = from.json();
    Ok(page(PageKind::Lattice, &title, &content))
}

fn content(context: &Context, lattice: &Lattice, is_named: bool) -> Value {
    let (numbers, is_stable) = numbers(context, lattice, is_named);
    let names = json!({
        "attributes": names(&context.attributes),
        "objects": if is_named { names(&context.objects) } else { json!(null) },
    });
    json!({
        "name": context.name,
        "concepts": lattice.len(),
        "edges": lattice.edges(),
        "objects": lattice.objects(),
        "attributes": lattice.attributes(),
        "least": least_support(lattice),
        "stable": is_stable,
        "named": is_named,
        "names": packed(names.to_string().as_bytes()),
        "numbers": packed(&numbers),
    })
}

/// Returns the lowest support if concepts with a lower one are not listed, and otherwise 0.
fn least_support(lattice: &Lattice) -> u64 {
    let supports = lattice.concepts().map(|concept| lattice.support(concept));
    supports.min().filter(|_| lattice.bottom().is_none()).unwrap_or(0)
}

/// Returns names as a list, or the first of consecutive numbers.
fn names(names: &Names) -> Value {
    match names {
        Names::Numbered { first, .. } => json!(first),
        Names::Listed(names) => json!(names),
    }
}

/// Returns the numbers of a lattice, and whether they include stabilities. Without `has_rows`, objects that
/// have no concept have no attributes.
fn numbers(context: &Context, lattice: &Lattice, has_rows: bool) -> (Vec<u8>, bool) {
    let mut out = NumberWriter::default();
    let mut last = 0;
    for concept in lattice.concepts() {
        // Supports descend, so all but the first are written as decreases.
        let support = lattice.support(concept);
        out.put(if concept == 0 { support } else { last - support });
        last = support;
    }
    lattice.concepts().for_each(|concept| out.put(lattice.upper(concept).len() as u64));
    for concept in lattice.concepts() {
        let upper = lattice.upper(concept);
        let next = upper.iter().skip(1).chain([&concept]);
        upper.iter().zip(next).for_each(|(one, next)| out.put(u64::from(next - one)));
    }
    delta(lattice).into_iter().for_each(|value| out.put(value));
    let stability = stability(lattice);
    for value in stability.iter().flatten() {
        out.put(thousandths(value.share));
    }
    let number = |concept: Option<u32>| concept.map_or(0, |concept| u64::from(concept) + 1);
    for attribute in (0u32..).take(lattice.attributes()) {
        out.put(number(lattice.attribute_concept(attribute)));
    }
    let objects = || (0u32..).take(lattice.objects());
    objects().for_each(|object| out.put(number(lattice.object_concept(object))));
    for object in objects().filter(|&object| lattice.object_concept(object).is_none()) {
        let row = context.relation.row(object as usize);
        out.put_row(if has_rows { row } else { &[] });
    }
    (out.bytes, stability.is_some())
}

/// Returns a share in thousandths. It is rounded down, so that only 1 is shown as 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share is from 0 to 1"
)]
fn thousandths(share: f64) -> u64 {
    (share * 1000.0).floor() as u64
}

/// Writes numbers with seven bits in each byte, the lowest first.
#[derive(Debug, Default)]
struct NumberWriter {
    bytes: Vec<u8>,
}

impl NumberWriter {
    #[expect(clippy::cast_possible_truncation, reason = "seven bits")]
    fn put(&mut self, mut number: u64) {
        while number >= 128 {
            self.bytes.push((number & 127) as u8 | 128);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Writes ascending numbers: their count, and how many numbers each skips.
    fn put_row(&mut self, row: &[u32]) {
        self.put(row.len() as u64);
        let mut next = 0;
        for &one in row {
            self.put(u64::from(one - next));
            next = one + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_close::Terms;
    use pellucid_data::Relation;
    use proptest::prelude::*;

    /// Reads the numbers of a page, as its script does.
    struct NumberReader<'a>(&'a [u8]);

    impl NumberReader<'_> {
        fn next(&mut self) -> u64 {
            let mut number = 0;
            for (place, &byte) in self.0.iter().enumerate() {
                number |= u64::from(byte & 127) << (7 * place);
                if byte < 128 {
                    self.0 = &self.0[place + 1..];
                    return number;
                }
            }
            panic!("the numbers end early")
        }
    }

    fn lattice_of(relation: &Relation, least: u64) -> Lattice {
        let terms = Terms { min_support: least, ..Terms::default() };
        Lattice::build(relation, &terms, 1).expect("a lattice")
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(numbers in prop::collection::vec(any::<u64>(), 0..50)) {
            let mut out = NumberWriter::default();
            numbers.iter().for_each(|&number| out.put(number));
            let mut reader = NumberReader(&out.bytes);
            for number in numbers {
                prop_assert_eq!(reader.next(), number);
            }
            prop_assert!(reader.0.is_empty());
        }

        #[test]
        fn a_page_has_the_order_and_the_labels_of_the_lattice(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..7, 0..7), 1..12),
            least in 0u64..4,
        ) {
            let rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            let relation = Relation::new(7, &rows).expect("a relation");
            let lattice = lattice_of(&relation, least);
            let numbered = |count| Names::Numbered { first: 1, count };
            let context = Context::new("test", numbered(rows.len()), numbered(7), relation);
            let (bytes, is_stable) = numbers(&context, &lattice, true);
            let mut reader = NumberReader(&bytes);
            let count = lattice.len();
            let mut support = 0;
            for concept in lattice.concepts() {
                let read = reader.next();
                support = if concept == 0 { read } else { support - read };
                prop_assert_eq!(support, lattice.support(concept));
            }
            let sizes: Vec<u64> = (0..count).map(|_| reader.next()).collect();
            for (concept, size) in lattice.concepts().zip(sizes) {
                let steps: Vec<u64> = (0..size).map(|_| reader.next()).collect();
                let mut last = u64::from(concept);
                let upper: Vec<u64> = steps.iter().rev().map(|step| { last -= step; last }).collect();
                let known = lattice.upper(concept).iter().rev().map(|&one| u64::from(one));
                prop_assert_eq!(upper, known.collect::<Vec<_>>());
            }
            let values = if is_stable { 2 * count } else { count };
            (0..values).for_each(|_| { reader.next(); });
            for attribute in 0..7 {
                let known = lattice.attribute_concept(attribute).map_or(0, |one| u64::from(one) + 1);
                prop_assert_eq!(reader.next(), known);
            }
            let objects: Vec<u64> = rows.iter().map(|_| reader.next()).collect();
            for (row, _) in rows.iter().zip(&objects).filter(|(_, concept)| **concept == 0) {
                let size = reader.next();
                let mut next = 0;
                let mut member = |_| { next += reader.next() + 1; next - 1 };
                let read: Vec<u64> = (0..size).map(&mut member).collect();
                prop_assert_eq!(read, row.iter().map(|&one| u64::from(one)).collect::<Vec<_>>());
            }
            prop_assert!(reader.0.is_empty());
        }
    }

    #[test]
    fn a_large_lattice_makes_a_small_page() {
        // All subsets of 13 attributes.
        let rows: Vec<Vec<u32>> =
            (0..13).map(|gap| (0..13).filter(|&one| one != gap).collect()).collect();
        let relation = Relation::new(13, &rows).expect("a relation");
        let lattice = lattice_of(&relation, 0);
        assert_eq!(lattice.len(), 8192);
        let names: Names = (0..13).map(|one| format!("attribute {one}")).collect();
        let context = Context::new("</script>", names.clone(), names, relation);
        let from = Provenance::default();
        let page = explorer(&context, &lattice, "1.2.3", &from).expect("a page");
        assert!(page.len() < 250_000, "{}", page.len());
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
