//! Every file that once broke a reader, read again.

use pellucid_torture::{Bench, Mutator};
use std::path::Path;

/// Files in `tests/corpus/READER`: whatever they hold, the reader answers.
#[test]
fn what_was_found_stays_found() {
    let bench = Bench::new();
    let corpus = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus"));
    let mut read = 0;
    for folder in std::fs::read_dir(corpus).expect("the corpus").flatten() {
        if !folder.path().is_dir() {
            continue;
        }
        let name = folder.file_name().into_string().expect("a plain name");
        let reader = bench.named(&name).unwrap_or_else(|| panic!("there is no reader {name}"));
        for file in std::fs::read_dir(folder.path()).expect("a folder").flatten() {
            let bytes = std::fs::read(file.path()).expect("a file");
            let _ = reader.read(&bytes);
            read += 1;
        }
    }
    assert!(read > 0, "the corpus is not empty");
}

#[test]
fn sound_files_are_accepted_and_some_damage_is_survived() {
    let bench = Bench::new();
    for reader in &bench.readers {
        for sample in &reader.samples {
            let bytes = reader.seal.map_or_else(|| sample.clone(), |seal| seal(sample));
            let outcome = reader.read(&bytes);
            assert_eq!(format!("{outcome:?}"), "Accepted", "{}", reader.name);
        }
    }
    for case in 0..pellucid_testdata::cases(600).into() {
        let reader = bench.of_case(case);
        let mut mutator = Mutator::new(2, case);
        let sample = &reader.samples[mutator.below(reader.samples.len())];
        let _ = reader.read(&mutator.damage(sample, sample));
    }
}
