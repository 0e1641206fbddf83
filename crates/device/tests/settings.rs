//! Invalid settings are reported, and valid ones are accepted.

use pellucid_device::{DeviceErrorKind, Threads, devices};
use std::process::Command;
use std::sync::Arc;

/// Returns whether a process with this limit finds its devices, and its standard error.
fn with_limit(limit: &str) -> (bool, String) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "finds_devices", "--ignored", "--nocapture"])
        .env("PELLUCID_GPU_MEMORY", limit)
        .output()
        .unwrap();
    (child.status.success(), String::from_utf8_lossy(&child.stderr).into_owned())
}

#[test]
fn an_invalid_memory_limit_is_an_error() {
    for limit in ["8X", "", "much"] {
        let (success, text) = with_limit(limit);
        let message = format!(
            "PELLUCID_GPU_MEMORY: found '{limit}'; expected a number of bytes, \
             or a size such as 512M or 8G"
        );
        assert!(!success && text.contains(&message), "{text}");
    }
    for limit in ["8G", "512M", "200000"] {
        let (success, text) = with_limit(limit);
        assert!(success, "{limit}: {text}");
    }
}

#[test]
#[ignore = "run by another test in a separate process"]
fn finds_devices() {
    let threads = Arc::new(Threads::new(None).unwrap());
    if let Err(error) = devices(&threads) {
        assert_eq!(error.kind, DeviceErrorKind::Setting);
        panic!("{error}");
    }
}
