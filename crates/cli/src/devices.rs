//! `pellucid devices`: what this machine has, measured.

use crate::Outcome;
use crate::args::DevicesArgs;
use crate::out::{json_line, rate, stdout};
use anyhow::Result;
use pellucid::engine::{Device, DeviceError, Probe, probe};
use serde_json::{Value, json};
use std::io::Write;

/// A device, and what it did in a short test or why it did nothing.
struct Measured {
    device: Device,
    result: Result<Probe, DeviceError>,
    /// Its part of the speed of all, where there are several.
    share: Option<f64>,
}

pub(crate) fn run(args: &DevicesArgs) -> Result<Outcome> {
    let found = args.machine.devices()?;
    let measured = measure(found.devices);
    let mut out = stdout();
    if args.json {
        let devices: Vec<Value> = measured.iter().map(Measured::json).collect();
        json_line(&mut out, &json!({ "devices": devices, "absent": found.absent }))?;
    } else {
        for one in &measured {
            one.print(&mut out)?;
        }
        let shares = measured.iter().filter_map(|one| Some((one.device.id(), one.share?)));
        let shares: Vec<String> =
            shares.map(|(id, share)| format!("{id} {:.1} %", 100.0 * share)).collect();
        if !shares.is_empty() {
            writeln!(out, "shares by these speeds: {}", shares.join(", "))?;
        }
        for why in &found.absent {
            writeln!(out, "{why}")?;
        }
    }
    out.flush()?;
    let failed = measured.iter().any(|one| one.result.is_err());
    Ok(if failed { Outcome::BadInput } else { Outcome::Done })
}

fn measure(devices: Vec<Device>) -> Vec<Measured> {
    let mut measured: Vec<Measured> = devices
        .into_iter()
        .map(|device| Measured { result: probe(&device), device, share: None })
        .collect();
    if measured.len() > 1 {
        let speed = |one: &Measured| {
            one.result.as_ref().map_or(0.0, |probe: &Probe| probe.rule_rows_per_second)
        };
        let all: f64 = measured.iter().map(speed).sum();
        measured.iter_mut().for_each(|one| one.share = Some(speed(one) / all.max(1.0)));
    }
    measured
}

impl Measured {
    fn json(&self) -> Value {
        let mut object = json!({
            "id": self.device.id(),
            "name": self.device.name(),
            "kind": self.device.kind().to_string(),
            "detail": self.device.description(),
        });
        match &self.result {
            Ok(probe) => {
                object["speed"] = json!(probe.rule_rows_per_second);
                object["nodes_per_second"] = json!(probe.nodes_per_second);
            }
            Err(error) => object["error"] = json!(error.reason),
        }
        if let Some(share) = self.share {
            object["share"] = json!(share);
        }
        object
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        write!(out, "{:<6} {}: ", self.device.id(), self.device.description())?;
        match &self.result {
            Ok(probe) => writeln!(
                out,
                "{} nodes/s, {} rules x rows/s",
                rate(probe.nodes_per_second),
                rate(probe.rule_rows_per_second)
            )?,
            Err(error) => writeln!(out, "it does not work: {}", error.reason)?,
        }
        Ok(())
    }
}
