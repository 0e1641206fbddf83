//! What each device did in a short test, as data.

use pellucid_cover::{Probe, probe};
use pellucid_device::{Device, DeviceError, Discovered};
use serde::{Serialize, Serializer, ser::SerializeMap};

/// A device, and what it did in a short test or why it did nothing.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The device.
    pub device: Device,
    /// What it did.
    pub result: Result<Probe, DeviceError>,
    /// Its part of the speed of all, where there are several.
    pub share: Option<f64>,
}

/// The devices that were measured, and what was looked for in vain.
#[derive(Clone, Debug, Serialize)]
pub struct Measurements {
    /// Each device, in the order they were found.
    pub devices: Vec<Measured>,
    /// For each kind of device that is not there, a sentence that says why.
    pub absent: Vec<String>,
}

/// Measures devices one after the other, some tens of milliseconds each.
#[must_use]
pub fn measure(found: Discovered) -> Measurements {
    let of = |device: Device| Measured { result: probe(&device), device, share: None };
    let mut devices: Vec<Measured> = found.devices.into_iter().map(of).collect();
    if devices.len() > 1 {
        let all: f64 = devices.iter().map(Measured::speed).sum();
        for one in &mut devices {
            one.share = Some(one.speed() / all.max(1.0));
        }
    }
    Measurements { devices, absent: found.absent }
}

impl Measured {
    /// Rules times rows per second; nothing for a device that does not work.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.result.as_ref().map_or(0.0, |probe| probe.rule_rows_per_second)
    }
}

/// `{"id", "name", "kind", "detail", "speed", "nodes_per_second"}`, or `"error"` in place of the last two, and `"share"` where
/// there are several devices.
impl Serialize for Measured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("id", self.device.id())?;
        object.serialize_entry("name", &self.device.name())?;
        object.serialize_entry("kind", &self.device.kind().to_string())?;
        object.serialize_entry("detail", &self.device.description())?;
        match &self.result {
            Ok(probe) => {
                object.serialize_entry("speed", &probe.rule_rows_per_second)?;
                object.serialize_entry("nodes_per_second", &probe.nodes_per_second)?;
            }
            Err(error) => object.serialize_entry("error", &error.reason)?,
        }
        if let Some(share) = self.share {
            object.serialize_entry("share", &share)?;
        }
        object.end()
    }
}
