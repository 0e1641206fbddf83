//! What other programs find is what we find: expressions over two families, with the counts of Ontolearn and of a plain
//! evaluator in Python.
//!
//! The lists were made by `bench/logic_vs_peers.py`, which also compares individual by individual. The family benchmark lies
//! beside the checkout, the other family is ours.

use pellucid_device::Machine;
use pellucid_io::read_ontology;
use pellucid_logic::kb::{Closure, KnowledgeBase};
use pellucid_logic::syntax::manchester;
use pellucid_relate::Reasoner;
use pellucid_testdata::file;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The count and the expression of each line.
fn parsed(list: &'static str) -> Vec<(u64, &'static str)> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let split = |line: &'static str| {
        let (count, expression) = line.split_once('\t').expect("a count, a tab, an expression");
        (count.parse().expect("a count"), expression)
    };
    lines.map(split).collect()
}

#[test]
fn ontolearn_counts_the_same() {
    let family = "dl/family-benchmark/family-benchmark_rich_background.owl";
    agrees(family, include_str!("../data/family_retrieval.txt"));
}

#[test]
fn plain_python_counts_the_same() {
    agrees("tests/data/ontologies/kin.owl", include_str!("../data/kin_retrieval.txt"));
}

fn agrees(name: &str, list: &'static str) {
    let Some(file) = file(name) else { return };
    let ontology = read_ontology(&file).unwrap_or_else(|error| panic!("{error}"));
    // To the peers, domains and ranges are no reason to conclude anything.
    let closure = Closure { domains_and_ranges: false, ..Closure::default() };
    let kb = KnowledgeBase::new(ontology, &closure).unwrap_or_else(|error| panic!("{error}"));
    let machine = Machine::processor(NonZeroUsize::new(1)).expect("a thread");
    let mut reasoner = Reasoner::new(Arc::clone(&kb.world), &machine).expect("a small world");
    let listed = parsed(list);
    assert!(listed.len() >= 300, "{} expressions", listed.len());
    let roots: Vec<_> = listed
        .iter()
        .map(|(_, written)| {
            let expr = manchester::parse(written, &kb).unwrap_or_else(|error| panic!("{error}"));
            reasoner.programs_mut().add(&expr).unwrap_or_else(|error| panic!("{written}: {error}"))
        })
        .collect();
    let found = reasoner.cover(&roots).expect("answers");
    for (place, (count, written)) in listed.iter().enumerate() {
        assert_eq!(found.ones(place).count() as u64, *count, "{written}");
    }
}
