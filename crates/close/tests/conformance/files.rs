//! Contexts with known counts: our own, and real ones next to the checkout on which several
//! programs agree.

use super::{Backend, levels};
use pellucid_close::{Terms, Tuning, search};
use pellucid_data::Relation;
use pellucid_testdata::{file_in, skipped};
use std::collections::{BTreeSet, HashMap};
use std::process::Command;

/// Returns the text of a file, decompressed if necessary. The engine reads no files and has no
/// decompressor of its own.
fn text(name: &str) -> Option<String> {
    let path = file_in("fca", name)?;
    if path.extension().is_none_or(|extension| extension != "gz") {
        return Some(std::fs::read_to_string(path).expect("text"));
    }
    let Ok(unpacked) = Command::new("gzip").arg("-dc").arg(path).output() else {
        skipped("gzip");
        return None;
    };
    Some(String::from_utf8(unpacked.stdout).unwrap())
}

/// Parses one line of numbers per object.
fn numbers(text: &str) -> Relation {
    let row =
        |line: &str| line.split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<u32>>();
    let rows: Vec<_> = text.lines().map(row).collect();
    let most = rows.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    Relation::new(most, &rows).unwrap()
}

/// Parses a graph with one pair of names per line, as a symmetric relation.
fn graph(text: &str) -> Relation {
    let mut names = HashMap::new();
    let mut pairs = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(from), Some(to)) = (words.next(), words.next()) else { continue };
        let mut number = |name| {
            let next = u32::try_from(names.len()).unwrap();
            *names.entry(name).or_insert(next)
        };
        let (from, to) = (number(from), number(to));
        pairs.extend([(from, to), (to, from)]);
    }
    let mut rows = vec![Vec::new(); names.len()];
    pairs.into_iter().for_each(|(from, to)| rows[from as usize].push(to));
    Relation::new(names.len(), &rows).unwrap()
}

fn check(name: &str, read: fn(&str) -> Relation, min_support: u64, concepts: u64) {
    let Some(text) = text(name) else { return };
    let relation = read(&text);
    let terms = Terms { min_support, ..Terms::default() };
    let one = search(&relation, &terms, &mut [()]).expect("a level");
    assert_eq!(one.concepts, concepts, "{name}");
    assert_eq!(search(&relation, &terms, &mut [(), ()]), Ok(one), "{name}");
    if concepts < 100_000 {
        for level in levels() {
            let backend = Backend::Cpu { level, threads: 3, tuning: Tuning::default() };
            assert_eq!(backend.counted(&relation, &terms), one, "{name}, {level}");
        }
    }
}

/// Numbers that occur in no basket are columns without crosses, so they add only the bottom
/// concept.
#[test]
fn baskets_have_their_count() {
    check("tests/data/contexts/baskets.dat", numbers, 0, 16);
    check("tests/data/contexts/baskets.dat", numbers, 2, 11);
}

#[test]
fn mushroom_has_the_count_of_the_literature() {
    check("fimi/mushroom.dat.gz", numbers, 0, 238_710);
}

#[test]
fn sparse_transactions_with_a_minimum_support() {
    check("fimi/T10I4D100K.dat.gz", numbers, 100, 26_807);
}

#[test]
fn dependency_graphs() {
    check("tests/data/contexts/editor.pairs", graph, 0, 20);
    for (name, concepts) in [
        ("mtunis", 110),
        ("ispell", 432),
        ("rcs", 1_074),
        ("bison", 692),
        ("dot", 1_302),
        ("grappa", 850),
        ("incl", 240),
        ("swing", 3_654),
        ("bash", 25_980),
        ("exim", 81_692),
        ("lynx", 324_036),
        ("linux.gz", 215_399),
        ("apache_ant.gz", 21_410),
    ] {
        check(&format!("mdg/{name}"), graph, 0, concepts);
    }
}
