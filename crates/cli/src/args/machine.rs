use anyhow::{Result, bail};
use clap::Args;
use pellucid::engine::{Cpu, Device, Threads};
use pellucid::rules::train::Machine;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Which devices do the work.
#[derive(Debug, Args)]
pub(crate) struct MachineArgs {
    /// Threads on the processor [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Devices, as 'pellucid devices' names them, or 'all' [default: all]
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "all",
        hide_default_value = true,
        value_name = "ID,…"
    )]
    pub(crate) device: Vec<String>,
}

impl MachineArgs {
    /// The threads asked for.
    pub(crate) fn threads(&self) -> Result<Arc<Threads>> {
        Ok(Arc::new(Threads::new(self.threads)?))
    }

    /// What a learner works with: the devices asked for, and the threads, which the processor shares.
    pub(crate) fn machine(&self) -> Result<Machine> {
        let threads = self.threads()?;
        Ok(Machine { devices: self.devices_on(&threads)?, threads })
    }

    /// The devices asked for.
    pub(crate) fn devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        self.devices_on(&self.threads()?)
    }

    fn devices_on(&self, threads: &Arc<Threads>) -> Result<Vec<Arc<dyn Device>>> {
        let there: Vec<Arc<dyn Device>> = vec![Arc::new(Cpu::on(Arc::clone(threads))?)];
        let mut devices: Vec<Arc<dyn Device>> = Vec::new();
        for wanted in &self.device {
            let mut found: Vec<_> = there
                .iter()
                .filter(|device| wanted == "all" || device.id() == wanted.as_str())
                .cloned()
                .collect();
            if found.is_empty() {
                let known: Vec<&str> = there.iter().map(|device| device.id()).collect();
                bail!("--device: there is no '{wanted}', allowed are {} and all", known.join(", "));
            }
            found.retain(|device| devices.iter().all(|chosen| chosen.id() != device.id()));
            devices.extend(found);
        }
        Ok(devices)
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number| number <= Threads::MOST);
    number.and_then(NonZeroUsize::new).ok_or_else(|| format!("allowed are 1 to {}", Threads::MOST))
}
