//! Contexts for tests: small ones of every odd shape, and real files, which lie beside the checkout.
#![allow(dead_code)]

use flate2::read::MultiGzDecoder;
use pellucid_engine::close::Relation;
use pellucid_engine::close::words::words_for;
use pellucid_engine::data::{Context, Names};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Contexts of up to 7 attributes and 9 objects: none of either, empty and full rows, repeated rows and columns.
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

fn folder() -> PathBuf {
    std::env::var_os("PELLUCID_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    )
}

/// A file as text, unpacked, or nothing (and a word about it) where it is absent.
fn text(name: &str) -> Option<String> {
    let Ok(bytes) = std::fs::read(folder().join("fca").join(name)) else {
        eprintln!("skipped: {name} absent");
        return None;
    };
    let mut text = String::new();
    if Path::new(name).extension().is_some_and(|extension| extension == "gz") {
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    Some(text)
}

/// A real context by its file's name.
pub(crate) fn real(name: &str) -> Option<Context> {
    let text = text(name)?;
    let kind = name.split('/').next().unwrap();
    Some(match kind {
        "cxt" => burmeister(&text),
        "mdg" => graph(&text),
        "fimi" => transactions(&text),
        _ => nominal(&text),
    })
}

fn burmeister(text: &str) -> Context {
    let mut lines = text.lines().skip(2).skip_while(|line| line.is_empty());
    let mut count = || lines.next().unwrap().trim().parse::<usize>().unwrap();
    let (objects, attributes) = (count(), count());
    let mut lines = lines.skip_while(|line| line.is_empty());
    let objects: Names = lines.by_ref().take(objects).collect();
    let names: Names = lines.by_ref().take(attributes).collect();
    let row = |line: &str| {
        (0u32..)
            .zip(line.chars())
            .filter(|(_, c)| "Xx".contains(*c))
            .map(|(a, _)| a)
            .collect::<Vec<_>>()
    };
    let relation = Relation::new(attributes, lines.take(objects.len()).map(row)).unwrap();
    Context::new("", objects, names, relation)
}

/// The graph made symmetric, the diagonal only where the file has it.
fn graph(text: &str) -> Context {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let mut end = || {
            let next = u32::try_from(numbers.len()).unwrap();
            let number = *numbers.entry(words.next().unwrap()).or_insert(next);
            rows.resize(rows.len().max(number as usize + 1), Vec::new());
            number
        };
        let (from, to) = (end(), end());
        rows[from as usize].push(to);
        rows[to as usize].push(from);
    }
    let names = Names::Numbered { first: 0, count: rows.len() };
    Context::new("", names.clone(), names, Relation::new(rows.len(), &rows).unwrap())
}

fn transactions(text: &str) -> Context {
    let row = |line: &str| line.split_whitespace().map(|item| item.parse().unwrap()).collect();
    let mut rows: Vec<Vec<u32>> = text.lines().map(row).collect();
    let mut items: Vec<u32> = rows.concat();
    items.sort_unstable();
    items.dedup();
    for item in rows.iter_mut().flatten() {
        *item = u32::try_from(items.binary_search(item).unwrap()).unwrap();
    }
    let relation = Relation::new(items.len(), &rows).unwrap();
    let names = Names::Numbered { first: 0, count: rows.len() };
    Context::new("", names, items.iter().map(ToString::to_string).collect(), relation)
}

/// A table with a header; one attribute for each value of a column, none where it is missing.
fn nominal(text: &str) -> Context {
    let mut numbers: BTreeMap<(usize, String), u32> = BTreeMap::new();
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for line in text.lines().skip(1) {
        let mut row = Vec::new();
        for (column, value) in line.split(',').enumerate().filter(|(_, value)| *value != "?") {
            let next = u32::try_from(numbers.len()).unwrap();
            row.push(*numbers.entry((column, value.to_owned())).or_insert(next));
        }
        rows.push(row);
    }
    let relation = Relation::new(numbers.len(), &rows).unwrap();
    let names = |count| Names::Numbered { first: 0, count };
    Context::new("", names(rows.len()), names(numbers.len()), relation)
}
