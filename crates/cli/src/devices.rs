//! `pellucid devices`: lists the compute devices and measures their speed.

use anyhow::Result;
use pellucid::devices::{DeviceSpeed, Measurements, measure};
use pellucid_arguments::DevicesArgs;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::devices;
use pellucid_terminal::out::{json_line, rate, stdout};
use std::io::Write;

pub(crate) fn run(args: &DevicesArgs) -> Result<ExitStatus> {
    let measured = measure(devices(&args.machine)?);
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &serde_json::to_value(&measured)?)?;
    } else {
        print(&measured, &mut out)?;
    }
    out.flush()?;
    let failed = measured.devices.iter().any(|one| one.result.is_err());
    Ok(if failed { ExitStatus::BadInput } else { ExitStatus::Done })
}

fn print(measured: &Measurements, out: &mut impl Write) -> Result<()> {
    for DeviceSpeed { device, result, .. } in &measured.devices {
        write!(out, "{:<6} {}: ", device.id(), device.description())?;
        match result {
            Ok(probe) => writeln!(
                out,
                "{} nodes/s, {} rules × rows/s",
                rate(probe.nodes_per_second),
                rate(probe.rule_rows_per_second)
            )?,
            Err(error) => writeln!(out, "not working: {}", error.reason)?,
        }
    }
    let shares = measured.devices.iter().filter_map(|one| Some((one.device.id(), one.share?)));
    let shares: Vec<String> =
        shares.map(|(id, share)| format!("{id} {:.1} %", 100.0 * share)).collect();
    if !shares.is_empty() {
        writeln!(out, "work shares at these speeds: {}", shares.join(", "))?;
    }
    for why in &measured.absent {
        writeln!(out, "{why}")?;
    }
    Ok(())
}
