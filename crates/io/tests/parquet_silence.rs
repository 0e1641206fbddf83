//! What the Parquet library stumbles over is an error and nothing else: nobody who listens for
//! panics hears of it.
//!
//! A test of its own, because a process has one listener.
#![cfg(feature = "parquet")]

use pellucid_io::{Choice, ReadOptions, read, read_from, write_parquet};
use std::sync::atomic::{AtomicUsize, Ordering};

static HEARD: AtomicUsize = AtomicUsize::new(0);

#[test]
fn nobody_hears_of_it() {
    std::panic::set_hook(Box::new(|stumble| {
        HEARD.fetch_add(1, Ordering::SeqCst);
        eprintln!("{stumble}");
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
    let mut stumbled = 0;
    for at in 0..sound.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut damaged = sound.clone();
            damaged[at] ^= change;
            std::fs::write(&path, &damaged).expect("written");
            match read(&path, &options) {
                Ok(data) => data.check().expect("what is read fits together"),
                Err(_) => stumbled += 1,
            }
        }
    }
    let _ = std::panic::take_hook();
    assert_eq!(HEARD.load(Ordering::SeqCst), 0);
    assert!(stumbled > sound.len() / 4, "damage is noticed: {stumbled} of {}", 3 * sound.len());
}
