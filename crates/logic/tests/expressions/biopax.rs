//! Expressions that somebody else wrote: the learning problems of BioPAX are called by their targets.

use flate2::read::MultiGzDecoder;
use pellucid_engine::Programs;
use pellucid_logic::kb::{Closure, KnowledgeBase};
use pellucid_logic::syntax::{dl, manchester, normal, parse};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The path of a data file, or nothing (and a word about it) where the data folder is absent.
fn data_file(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("PELLUCID_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let found = Some(folder.join(name)).filter(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: {name} absent");
    }
    found
}

#[test]
fn all_targets_are_read_and_printed() {
    let (Some(ontology), Some(problems)) =
        (data_file("dl/biopax/biopax.owl.gz"), data_file("dl/biopax/lp.json.gz"))
    else {
        return;
    };
    let ontology = pellucid_io::read_ontology(&ontology).expect("an ontology");
    let kb = KnowledgeBase::new(ontology, &Closure::default()).expect("a knowledge base");
    let problems = MultiGzDecoder::new(File::open(problems).expect("a file"));
    let problems: serde_json::Value = serde_json::from_reader(problems).expect("JSON");
    let targets = problems["problems"].as_object().expect("problems by their targets");
    assert_eq!(targets.len(), 96);
    let mut programs = Programs::new(kb.world.schema());
    for target in targets.keys() {
        let expr = parse(target, &kb).unwrap_or_else(|error| panic!("{target}: {error}"));
        programs.add(&expr).unwrap_or_else(|error| panic!("{target}: {error}"));
        for text in [dl::print(&expr, &kb), manchester::print(&expr, &kb)] {
            let back = parse(&text, &kb).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(normal(&back), normal(&expr), "{text}");
        }
    }
}
