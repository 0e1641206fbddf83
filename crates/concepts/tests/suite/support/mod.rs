//! Contexts for tests: small ones of every shape, and those of files.
#![allow(dead_code)]

use pellucid_bits::words::words_for;
use pellucid_concepts::scale::{Scaling, scale};
use pellucid_data::Context;
use pellucid_data::Relation;
use pellucid_io::{Choice, ContextOptions, ReadOptions, read, read_context};
use pellucid_testdata::file_in;
use proptest::prelude::*;

/// Contexts of up to 7 attributes and 9 objects, including empty ones, empty and full rows,
/// repeated rows and columns.
pub(crate) fn small() -> impl Strategy<Value = Relation> {
    let row = prop_oneof![
        6 => any::<u8>(),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(a, b)| a | b),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(a, b)| a & b),
        1 => Just(0u8),
        1 => Just(255u8),
    ];
    let rows = prop::collection::vec((row, 1usize..3), 0..6);
    (0usize..8, rows, prop::option::of((0u32..8, 0u32..8))).prop_map(|(attributes, rows, twins)| {
        let bits = |row: u8| match twins {
            Some((from, to)) => row & !(1 << to) | (row >> from & 1) << to,
            None => row,
        };
        let rows = rows.iter().flat_map(|&(row, times)| std::iter::repeat_n(bits(row), times));
        let count = u32::try_from(attributes).unwrap();
        let list = |row: u8| (0..count).filter(|a| row >> a & 1 == 1).collect::<Vec<_>>();
        Relation::new(attributes, rows.map(list)).unwrap()
    })
}

/// All sets of attributes of a small relation, as words.
pub(crate) fn every_set(relation: &Relation) -> impl Iterator<Item = Vec<u64>> + use<> {
    let words = words_for(relation.attributes());
    (0..1u64 << relation.attributes()).map(move |set| vec![set; words])
}

/// Returns a context by file name: one of this repository by its whole path, an external one by its
/// path among the contexts. Graphs are made symmetric, tables scaled nominally. `None` (and a
/// message) if an external file is absent.
pub(crate) fn real(name: &str) -> Option<Context> {
    let path = file_in("fca", name)?;
    let is = |folder: &str, ending: &str| name.starts_with(folder) || name.ends_with(ending);
    let context = match is("nominal/", "buttons.csv") {
        true => {
            let table = read(&path, &ReadOptions::default().target(Choice::None)).expect("a table");
            scale(&table, &Scaling::nominal()).expect("a context")
        }
        false => {
            let options = ContextOptions::default().symmetric(is("mdg/", ".pairs"));
            read_context(&path, &options).expect("a context")
        }
    };
    Some(context)
}
