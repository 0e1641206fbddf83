//! A panic of the Parquet library on a damaged file is an error, and does not reach the panic hook.
//!
//! A separate test file, because a process has one panic hook.
#![cfg(feature = "parquet")]

use pellucid_io::{Choice, ReadOptions, read, read_from, write_parquet};
use std::sync::atomic::{AtomicUsize, Ordering};

static PANICS: AtomicUsize = AtomicUsize::new(0);

#[test]
fn panics_do_not_reach_the_hook() {
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        eprintln!("{panic}");
    }));
    let rows: String = (0..40)
        .map(|n| format!("{n},{},{}\n", ["red", "dark blue", "?"][n % 3], n as f64 / 7.0))
        .collect();
    let options = ReadOptions::default().target(Choice::None);
    let table =
        read_from(format!("n,colour,x\n{rows}").as_bytes(), "t.csv", &options).expect("sound");
    let mut sound = Vec::new();
    write_parquet(&table, &mut sound).expect("written");
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("t.parquet");
    let mut failed = 0;
    for at in 0..sound.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut damaged = sound.clone();
            damaged[at] ^= change;
            std::fs::write(&path, &damaged).expect("written");
            match read(&path, &options) {
                Ok(data) => data.check().expect("a consistent data set"),
                Err(_) => failed += 1,
            }
        }
    }
    let _ = std::panic::take_hook();
    assert_eq!(PANICS.load(Ordering::SeqCst), 0);
    assert!(failed > sound.len() / 4, "{failed} of {} damaged files failed", 3 * sound.len());
}
