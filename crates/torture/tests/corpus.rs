//! Reads every file that once broke a reader.

use pellucid_torture::{Mutator, ReaderSet};
use std::path::Path;

/// A reader must accept or reject every file in `tests/corpus/READER`.
#[test]
fn files_that_broke_a_reader_do_not_break_it_again() {
    let readers = ReaderSet::new();
    let corpus = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus"));
    let mut read = 0;
    for folder in std::fs::read_dir(corpus).expect("the corpus").flatten() {
        if !folder.path().is_dir() {
            continue;
        }
        let name = folder.file_name().into_string().expect("a plain name");
        let reader = readers.named(&name).unwrap_or_else(|| panic!("unknown reader {name}"));
        for file in std::fs::read_dir(folder.path()).expect("a folder").flatten() {
            let bytes = std::fs::read(file.path()).expect("a file");
            let _ = reader.read(&bytes);
            read += 1;
        }
    }
    assert!(read > 0, "the corpus is not empty");
}

#[test]
fn valid_files_are_accepted_and_damaged_files_do_not_panic() {
    let readers = ReaderSet::new();
    for reader in &readers.all {
        for sample in &reader.samples {
            let bytes = reader.seal.map_or_else(|| sample.clone(), |seal| seal(sample));
            let outcome = reader.read(&bytes);
            assert_eq!(format!("{outcome:?}"), "Accepted", "{}", reader.name);
        }
    }
    for case in 0..pellucid_testdata::cases(600).into() {
        let reader = readers.of_case(case);
        let mut mutator = Mutator::new(2, case);
        let sample = &reader.samples[mutator.below(reader.samples.len())];
        let damaged = mutator.damage(sample, sample);
        let _ = reader.read(&reader.seal.map_or(damaged.clone(), |seal| seal(&damaged)));
    }
}
