//! A reader under libFuzzer: bytes that lead to code which no bytes before them reached are kept and changed further.
//!
//! The reader is the one that `PELLUCID_READER` names; without it, the first. `torture guided` starts one process of this
//! binary for each reader. A file that breaks a reader belongs into `tests/corpus/READER` once the reader is fixed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pellucid_torture::Bench;

thread_local! {
    /// The reader, and the bench that holds it. libFuzzer works in one thread.
    static READER: (Bench, usize) = named();
}

fn named() -> (Bench, usize) {
    let bench = Bench::new();
    let place = std::env::var_os("PELLUCID_READER").map_or(0, |name| {
        let names: Vec<&str> = bench.readers.iter().map(|reader| reader.name).collect();
        let place = names.iter().position(|known| name == *known);
        place.unwrap_or_else(|| panic!("PELLUCID_READER: there is no {name:?}, there are {names:?}"))
    });
    (bench, place)
}

// What the readers need is made before the first input, or that input would seem to take seconds.
fuzz_target!(init: READER.with(|_| ()), |bytes: &[u8]| {
    READER.with(|(bench, place)| {
        let reader = &bench.readers[*place];
        // What bears a checksum gets one that is right, or nothing behind it would ever be reached.
        match reader.seal {
            Some(seal) => reader.read(&seal(bytes)),
            None => reader.read(bytes),
        };
    });
});
