use super::Agent;
use crate::gpu::{self, Inputs, Lockstep, SystemSetup};
use crate::lockstep::{constants, export_state, import_state};
use pellucid_device::{Device, DeviceError, Threads};
use std::time::Duration;

/// The maximum number of problems per launch, so that a run can be stopped between launches.
const SLICE: u64 = 10_000;

/// Agents that solve multiplexer problems in parallel on a GPU, with the same results as on the CPU.
///
/// [`GpuAgents::open`] copies the agents to the GPU. [`GpuAgents::copy_back`] updates the agents on the CPU,
/// as if they had learned there.
pub struct GpuAgents {
    device: Device,
    agents: usize,
    there: Box<dyn Lockstep>,
}

impl std::fmt::Debug for GpuAgents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} agents on {}", self.agents, self.device.id())
    }
}

impl GpuAgents {
    /// Copies agents that solve multiplexer problems with `address` address bits to a GPU.
    ///
    /// # Errors
    /// When the device is not a GPU, an agent has parameters that the kernel does not support, or the GPU
    /// fails.
    pub fn open(
        device: &Device,
        address: usize,
        agents: &[Agent],
    ) -> Result<GpuAgents, DeviceError> {
        let unknown = "an agent has parameters that the GPU kernel does not support";
        let unknown = || DeviceError::new(device.id(), unknown);
        let inputs =
            Inputs::Multiplexer(u32::try_from(address.clamp(1, 7)).map_err(|_| unknown())?);
        let systems = agents.iter().map(|agent| {
            let constants = constants(&agent.system, false).ok_or_else(unknown)?;
            Ok(SystemSetup {
                constants,
                state: export_state(&agent.system, Some(&agent.world)),
                inputs,
            })
        });
        let systems = systems.collect::<Result<Vec<_>, DeviceError>>()?;
        let there = device.open(|hardware| gpu::open(hardware, &systems, &[]))?;
        Ok(GpuAgents { device: device.clone(), agents: agents.len(), there })
    }

    /// Lets every agent learn from `problems` problems with random actions.
    ///
    /// # Errors
    /// When the device fails. The agents on the CPU are unchanged.
    pub fn explore(&mut self, problems: u64) -> Result<(), DeviceError> {
        self.meet(problems, true).map(drop)
    }

    /// Lets every agent solve `problems` problems with its best actions. Returns the number of correct
    /// answers of each agent.
    ///
    /// # Errors
    /// See [`GpuAgents::explore`].
    pub fn exploit(&mut self, problems: u64) -> Result<Vec<u64>, DeviceError> {
        self.meet(problems, false)
    }

    fn meet(&mut self, problems: u64, explores: bool) -> Result<Vec<u64>, DeviceError> {
        let GpuAgents { device, agents, there } = self;
        let mut right = vec![0; *agents];
        let mut left = problems;
        while left > 0 {
            let steps = left.min(SLICE);
            left -= steps;
            let steps = vec![u32::try_from(steps).unwrap_or(u32::MAX); *agents];
            let counts = device.attempt(|| there.run(&steps, explores, &[]))?;
            right
                .iter_mut()
                .zip(counts)
                .for_each(|(right, counts)| *right += u64::from(counts.right));
        }
        Ok(right)
    }

    /// Updates the agents on the CPU from those on the GPU, using the given threads.
    ///
    /// # Errors
    /// When the device fails.
    pub fn copy_back(
        &mut self,
        agents: &mut [Agent],
        threads: &Threads,
    ) -> Result<(), DeviceError> {
        let states = self.there.states()?;
        threads.map_items(agents.iter_mut().zip(states).collect(), |(agent, state)| {
            let shown = agent.system.state.shown;
            import_state(&mut agent.system, state, shown, Some(&mut agent.world));
        });
        Ok(())
    }

    /// Returns the running time of the kernels since the last call, if the device measures it.
    pub fn take_time(&mut self) -> Option<Duration> {
        self.there.take_time()
    }
}

#[cfg(all(test, feature = "emulator"))]
impl Agent {
    /// Returns the complete state of the agent, including its random streams.
    pub(crate) fn state_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&(&self.system.state, &self.world)).expect("plain data")
    }
}
