//! `pellucid devices`: what this machine has, measured.

use crate::Outcome;
use crate::args::DevicesArgs;
use crate::out::{json_line, rate, stdout};
use anyhow::Result;
use pellucid::engine::probe;
use serde_json::json;
use std::io::Write;

pub(crate) fn run(args: &DevicesArgs) -> Result<Outcome> {
    let mut out = stdout();
    let mut list = Vec::new();
    for device in args.machine.devices()? {
        let measured = probe(&*device)?;
        if args.json {
            list.push(json!({
                "id": device.id(),
                "name": processor_name(),
                "kind": "cpu",
                "detail": device.description(),
                "speed": measured.rule_rows_per_second,
                "nodes_per_second": measured.nodes_per_second,
            }));
        } else {
            writeln!(
                out,
                "{:<6} {} ({}): {} nodes/s, {} rules x rows/s",
                device.id(),
                processor_name(),
                device.description(),
                rate(measured.nodes_per_second),
                rate(measured.rule_rows_per_second)
            )?;
        }
    }
    if args.json {
        json_line(&mut out, &json!({ "devices": list }))?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// The processor's name as the system tells it.
pub(crate) fn processor_name() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = cpuinfo.lines().find_map(|line| line.strip_prefix("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
