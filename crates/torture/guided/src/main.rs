//! A reader under libFuzzer: bytes that lead to code which no bytes before them reached are kept and changed further.
//!
//! The reader is the one that `PELLUCID_READER` names, or the first. What is found is a file of its own, which belongs into
//! `tests/corpus/READER` once the reader is mended.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pellucid_torture::Bench;

thread_local! {
    /// libFuzzer works in one thread.
    static BENCH: Bench = Bench::new();
}

fuzz_target!(|bytes: &[u8]| {
    let name = std::env::var("PELLUCID_READER").unwrap_or_default();
    BENCH.with(|bench| {
        let reader = bench.named(&name).unwrap_or(&bench.readers[0]);
        // What bears a checksum gets one that is right, or nothing behind it would ever be reached.
        match reader.seal {
            Some(seal) => reader.read(&seal(bytes)),
            None => reader.read(bytes),
        };
    });
});
