//! What another program finds is what we find: expressions over the family benchmark, with Ontolearn's counts.
//!
//! The list was made by `bench/logic_vs_peers.py`, which also compares individual by individual. The ontology lies beside the
//! checkout.

use pellucid_engine::Machine;
use pellucid_engine::world::Reasoner;
use pellucid_io::read_ontology;
use pellucid_logic::kb::{Closure, KnowledgeBase};
use pellucid_logic::syntax::manchester;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const LIST: &str = include_str!("data/family_retrieval.txt");
const ONTOLOGY: &str = "dl/family-benchmark/family-benchmark_rich_background.owl";

/// The count and the expression of each line.
fn listed() -> Vec<(u64, &'static str)> {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    let split = |line: &'static str| {
        let (count, expression) = line.split_once('\t').expect("a count, a tab, an expression");
        (count.parse().expect("a count"), expression)
    };
    lines.map(split).collect()
}

#[test]
fn ontolearn_counts_the_same() {
    let folder = std::env::var_os("PELLUCID_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let file = folder.join(ONTOLOGY);
    if !file.is_file() {
        eprintln!("skipped: {ONTOLOGY} absent");
        return;
    }
    let ontology = read_ontology(&file).unwrap_or_else(|error| panic!("{error}"));
    // To Ontolearn, domains and ranges are no reason to conclude anything.
    let closure = Closure { domains_and_ranges: false, ..Closure::default() };
    let kb = KnowledgeBase::new(ontology, &closure).unwrap_or_else(|error| panic!("{error}"));
    let machine = Machine::processor(NonZeroUsize::new(1)).expect("a thread");
    let mut reasoner = Reasoner::new(Arc::clone(&kb.world), &machine).expect("a small world");
    let listed = listed();
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
