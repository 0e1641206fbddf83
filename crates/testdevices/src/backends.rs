use pellucid_bits::Level;
use pellucid_device::{Device, DeviceKind, Threads, devices};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

/// A device for a suite, with its name in messages.
#[derive(Clone, Debug)]
pub struct Backend {
    /// The name in messages.
    pub name: String,
    /// The device.
    pub device: Device,
}

/// An emulated GPU. With small sizes, kernels need several rounds.
#[derive(Clone, Copy, Debug)]
pub struct EmulatedGpu {
    /// The name in messages.
    pub name: &'static str,
    /// The number of host threads that prepare its work.
    pub host_threads: usize,
    /// The number of multiprocessors.
    pub multiprocessors: usize,
    /// The number of threads in a block.
    pub threads: usize,
    /// The shared memory of a block, in bytes.
    pub shared_bytes: usize,
    /// The memory for data in bytes, if it is limited.
    pub memory: Option<usize>,
}

impl EmulatedGpu {
    /// An emulated GPU with default sizes.
    pub const USUAL: EmulatedGpu = EmulatedGpu {
        name: "emulated GPU",
        host_threads: 1,
        multiprocessors: 3,
        threads: 64,
        shared_bytes: 48 << 10,
        memory: None,
    };

    /// Returns the device.
    #[cfg(feature = "emulator")]
    #[must_use]
    pub fn device(&self, id: &str) -> Device {
        use pellucid_device::gpu::{Emulation, emulated};
        let EmulatedGpu { host_threads, multiprocessors, threads: block, shared_bytes, .. } = *self;
        let emulation = Emulation {
            multiprocessors,
            threads: block,
            shared_bytes,
            memory: self.memory,
            ..Emulation::default()
        };
        emulated(id, emulation, threads(host_threads))
    }
}

/// Returns every backend of this machine: the CPU at each available level with each of the given
/// numbers of threads, the given emulated GPUs (with the feature `emulator`), and real GPUs.
#[must_use]
pub fn backends(threads: &[usize], emulated: &[EmulatedGpu]) -> Vec<Backend> {
    let mut all = cpus(threads);
    #[cfg(feature = "emulator")]
    for gpu in emulated {
        all.push(Backend { name: gpu.name.to_owned(), device: gpu.device("cuda:0") });
    }
    #[cfg(not(feature = "emulator"))]
    let _ = emulated;
    for device in gpus() {
        all.push(Backend { name: device.id().to_owned(), device });
    }
    all
}

/// Returns a pool of `count` threads.
///
/// # Panics
/// When they cannot be started.
#[must_use]
pub fn threads(count: usize) -> Arc<Threads> {
    Arc::new(Threads::new(NonZeroUsize::new(count)).expect("threads"))
}

/// Returns the instruction levels of this CPU, the simplest first.
#[must_use]
pub fn levels() -> Vec<Level> {
    Level::ALL.into_iter().filter(|level| level.is_available()).collect()
}

/// Returns the CPU with `count` threads at the given level.
///
/// # Panics
/// When the CPU lacks the level.
#[must_use]
pub fn cpu(count: usize, level: Level) -> Device {
    Device::with_level(threads(count), level).expect("a level that this CPU has")
}

/// Returns the CPU at every available level with each of the given numbers of threads.
#[must_use]
pub fn cpus(counts: &[usize]) -> Vec<Backend> {
    let each = |level| counts.iter().map(move |&count| (level, count));
    let backend = |(level, count)| Backend {
        name: format!("{level} with {count} threads"),
        device: cpu(count, level),
    };
    levels().into_iter().flat_map(each).map(backend).collect()
}

/// Returns the GPUs of this machine. They are opened only once, because that takes longer than most
/// cases of a suite.
///
/// # Panics
/// When the devices cannot be listed.
#[must_use]
pub fn gpus() -> Vec<Device> {
    static FOUND: OnceLock<Vec<Device>> = OnceLock::new();
    let found = || {
        let all = devices(&threads(4)).expect("the devices of this machine").devices;
        all.into_iter().filter(|device| device.kind() == DeviceKind::Gpu).collect()
    };
    FOUND.get_or_init(found).clone()
}

/// Returns a line that names the levels and devices that were tested and those that were not
/// available.
///
/// ```
/// let line = pellucid_testdevices::availability();
/// assert!(line.starts_with("tested on: scalar, portable"));
/// ```
#[must_use]
pub fn availability() -> String {
    let named = |levels: &mut dyn Iterator<Item = Level>| {
        levels.map(Level::name).map(str::to_owned).collect::<Vec<String>>()
    };
    let mut tested = named(&mut levels().into_iter());
    let mut absent = named(&mut Level::ALL.into_iter().filter(|level| !level.is_available()));
    match cfg!(feature = "emulator") {
        true => tested.push("emulated GPUs".to_owned()),
        false => absent.push("emulated GPUs (feature 'emulator')".to_owned()),
    }
    match gpus() {
        none if none.is_empty() => absent.push("GPUs".to_owned()),
        some => tested.extend(some.iter().map(|gpu| gpu.name())),
    }
    let tested = format!("tested on: {}", tested.join(", "));
    match absent.is_empty() {
        true => format!("{tested}; everything was available"),
        false => format!("{tested}; not available: {}", absent.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of this test is shown at the end of a run (`.config/nextest.toml`).
    #[test]
    fn names_what_was_not_available() {
        let line = availability();
        eprintln!("{line}");
        for level in Level::ALL {
            assert!(line.contains(level.name()), "{line}");
        }
        assert!(line.contains("GPU"), "{line}");
    }

    #[test]
    fn every_backend_has_a_name_of_its_own() {
        let all = backends(&[1, 2], &[EmulatedGpu::USUAL]);
        let mut names: Vec<&str> = all.iter().map(|backend| backend.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
        assert!(all.len() >= 2 * levels().len());
    }
}
