use super::Agent;
use crate::gpu::{self, Inputs, Lockstep, SystemSetup};
use crate::lockstep::{constants, leaving, returned};
use pellucid_device::{Device, DeviceError, Threads};
use std::time::Duration;

/// Problems that a launch is about at most, so that it can be stopped in between.
const SLICE: u64 = 10_000;

/// Agents that meet multiplexers side by side on a GPU, each as it would by itself.
///
/// They leave for the card ([`Together::open`]) and come home as if they had met their problems here
/// ([`Together::bring_home`]).
pub struct Together {
    device: Device,
    agents: usize,
    there: Box<dyn Lockstep>,
}

impl std::fmt::Debug for Together {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} agents on {}", self.agents, self.device.id())
    }
}

impl Together {
    /// Takes agents that meet multiplexers with so many address bits to a GPU.
    ///
    /// # Errors
    /// When the device is no GPU, an agent is of a kind that only the processor knows, or the card fails.
    pub fn open(
        device: &Device,
        address: usize,
        agents: &[Agent],
    ) -> Result<Together, DeviceError> {
        let unknown = "an agent has parameters that the GPU kernel does not support";
        let unknown = || DeviceError::new(device.id(), unknown);
        let inputs =
            Inputs::Multiplexer(u32::try_from(address.clamp(1, 7)).map_err(|_| unknown())?);
        let systems = agents.iter().map(|agent| {
            let constants = constants(&agent.system, false).ok_or_else(unknown)?;
            Ok(SystemSetup { constants, state: leaving(&agent.system, Some(&agent.world)), inputs })
        });
        let systems = systems.collect::<Result<Vec<_>, DeviceError>>()?;
        let there = device.open(|hardware| gpu::open(hardware, &systems, &[]))?;
        Ok(Together { device: device.clone(), agents: agents.len(), there })
    }

    /// Has every agent meet so many problems with random actions and learn from them.
    ///
    /// # Errors
    /// When the device fails; the agents at home know nothing of it.
    pub fn explore(&mut self, problems: u64) -> Result<(), DeviceError> {
        self.meet(problems, true).map(drop)
    }

    /// Has every agent meet so many problems with the best actions it knows. Says how often each was right.
    ///
    /// # Errors
    /// As [`Together::explore`].
    pub fn exploit(&mut self, problems: u64) -> Result<Vec<u64>, DeviceError> {
        self.meet(problems, false)
    }

    fn meet(&mut self, problems: u64, explores: bool) -> Result<Vec<u64>, DeviceError> {
        let Together { device, agents, there } = self;
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

    /// Lets the agents here know what they learned there, on some threads.
    ///
    /// # Errors
    /// When the device fails.
    pub fn bring_home(
        &mut self,
        agents: &mut [Agent],
        threads: &Threads,
    ) -> Result<(), DeviceError> {
        let states = self.there.states()?;
        threads.map_items(agents.iter_mut().zip(states).collect(), |(agent, state)| {
            let shown = agent.system.state.shown;
            returned(&mut agent.system, state, shown, Some(&mut agent.world));
        });
        Ok(())
    }

    /// How long kernels ran since this was last asked, where the device can tell.
    pub fn take_time(&mut self) -> Option<Duration> {
        self.there.take_time()
    }
}

#[cfg(all(test, feature = "emulator"))]
impl Agent {
    /// All that it knows, and what it will draw.
    pub(crate) fn state_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&(&self.system.state, &self.world)).expect("plain data")
    }
}
