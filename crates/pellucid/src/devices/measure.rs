//! Measurement of devices.

use pellucid_cover::{Probe, probe};
use pellucid_device::{Device, DeviceError, Discovered};
use serde::{Serialize, Serializer, ser::SerializeMap};

/// The measured speed of a device.
#[derive(Clone, Debug)]
pub struct DeviceSpeed {
    /// The device.
    pub device: Device,
    /// The speed of the device, or the error.
    pub result: Result<Probe, DeviceError>,
    /// The share of the total speed, if there are several devices.
    pub share: Option<f64>,
}

/// The measured speeds of all devices.
#[derive(Clone, Debug, Serialize)]
pub struct Measurements {
    /// The devices, in the order in which they were found.
    pub devices: Vec<DeviceSpeed>,
    /// For each kind of device that is not available, the reason.
    pub absent: Vec<String>,
}

/// Measures devices one after the other, which takes some tens of milliseconds per device.
#[must_use]
pub fn measure(found: Discovered) -> Measurements {
    let of = |device: Device| DeviceSpeed { result: probe(&device), device, share: None };
    let mut devices: Vec<DeviceSpeed> = found.devices.into_iter().map(of).collect();
    if devices.len() > 1 {
        let all: f64 = devices.iter().map(DeviceSpeed::speed).sum();
        for one in &mut devices {
            one.share = Some(one.speed() / all.max(1.0));
        }
    }
    Measurements { devices, absent: found.absent }
}

impl DeviceSpeed {
    /// Returns the speed in rules times rows per second, or 0 for a device that failed.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.result.as_ref().map_or(0.0, |probe| probe.rule_rows_per_second)
    }
}

/// Serializes to `{"id", "name", "kind", "detail", "speed", "nodes_per_second"}`, with `"error"`
/// instead of the last two if the device failed, and with `"share"` if there are several devices.
impl Serialize for DeviceSpeed {
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
