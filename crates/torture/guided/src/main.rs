//! Coverage-guided fuzzing of a reader with libFuzzer.
//!
//! `PELLUCID_READER` selects the reader; the default is the first. `torture guided` starts one
//! process of this binary per reader. After fixing a reader, add the file that broke it to
//! `tests/corpus/READER`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pellucid_torture::ReaderSet;

thread_local! {
    /// All readers, and the index of the selected one. libFuzzer uses a single thread.
    static READER: (ReaderSet, usize) = select_reader();
}

fn select_reader() -> (ReaderSet, usize) {
    let readers = ReaderSet::new();
    let index = std::env::var_os("PELLUCID_READER").map_or(0, |name| {
        let names: Vec<&str> = readers.all.iter().map(|reader| &*reader.name).collect();
        let index = names.iter().position(|known| name == *known);
        index.unwrap_or_else(|| panic!("PELLUCID_READER: found {name:?}; expected one of {names:?}"))
    });
    (readers, index)
}

// The readers are set up before the first input. Otherwise libFuzzer would measure that time for
// the first input.
fuzz_target!(init: READER.with(|_| ()), |bytes: &[u8]| {
    READER.with(|(readers, index)| {
        let reader = &readers.all[*index];
        // Correct the checksum of files that have one. Otherwise the reader would reject every changed file.
        match reader.seal {
            Some(seal) => reader.read(&seal(bytes)),
            None => reader.read(bytes),
        };
    });
});
