//! Ranks networks on rows that are stored on devices.

use crate::batch::check_features;
use crate::{
    Batch, BracketQuery, Bred, BreedingPlan, ForwardError, Inputs, Near, Networks, RankRequest,
    Ranks, Resident, Shape,
};
use pellucid_device::{Device, Executor, Fault, FaultListener, Machine, Schedule, Work};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Ranks networks on rows. A session has one or more inputs (such as training and held-out rows)
/// and answers several batches at once, so that a GPU is called once for all of them.
#[derive(Debug)]
pub struct Session {
    inputs: Vec<Arc<Inputs>>,
    executor: Executor<dyn Resident>,
    evaluated: u64,
}

/// The results of some batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// `[network of all batches][ask]`, as wide as the batch with the most requests.
    ranks: Vec<Ranks>,
    width: usize,
    /// The first network of each batch, and its number of requests.
    batches: Vec<(usize, usize)>,
}

impl Answers {
    /// Returns the statistics of one network, for each request of its batch.
    ///
    /// # Panics
    /// When there is no such batch or network.
    #[must_use]
    pub fn of(&self, batch: usize, network: usize) -> &[Ranks] {
        let (first, asks) = self.batches[batch];
        &self.ranks[(first + network) * self.width..][..asks]
    }
}

impl Session {
    /// Creates a session on some devices, with the default [`Schedule`].
    ///
    /// # Errors
    /// When no device can store the rows.
    pub fn new(inputs: Vec<Arc<Inputs>>, devices: &[Device]) -> Result<Session, ForwardError> {
        let executor = Executor::on(devices, |hardware| crate::open(hardware, &inputs))?;
        Ok(Session { inputs, executor, evaluated: 0 })
    }

    /// Creates a session on the devices of a machine, with its schedule and its fault listener.
    ///
    /// # Errors
    /// When no device can store the rows.
    pub fn on(machine: &Machine, inputs: Vec<Arc<Inputs>>) -> Result<Session, ForwardError> {
        let executor = Executor::new(machine, |hardware| crate::open(hardware, &inputs))?;
        Ok(Session { inputs, executor, evaluated: 0 })
    }

    /// Creates a session with an executor, for example for remote rows.
    pub(crate) fn with(executor: Executor<dyn Resident>, inputs: Vec<Arc<Inputs>>) -> Session {
        Session { inputs, executor, evaluated: 0 }
    }

    /// Sets how networks are split over the devices; shares are in the order in which the devices
    /// were given.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.executor.set_schedule(schedule);
    }

    /// Sets the listener for device failures. Earlier failures are reported at once.
    pub fn set_fault_listener(&mut self, listener: FaultListener) {
        self.executor.set_listener(listener);
    }

    /// Returns the device failures since the last call.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        self.executor.take_faults()
    }

    /// Returns the rows.
    #[must_use]
    pub fn inputs(&self) -> &[Arc<Inputs>] {
        &self.inputs
    }

    /// Returns the number of networks evaluated.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Returns the time that the devices computed since the last call, see [`Resident::take_time`].
    pub fn take_device_time(&mut self, go_on: bool) -> Option<Duration> {
        let times = self.executor.residents().filter_map(|resident| resident.take_time(go_on));
        times.reduce(|sum, time| sum + time)
    }

    /// Ranks all networks of some batches. The scores are not kept.
    ///
    /// # Errors
    /// When a request is invalid, or no device is left.
    pub fn rank(&mut self, batches: &[Batch<'_>]) -> Result<Answers, ForwardError> {
        batches.iter().try_for_each(|batch| batch.check(&self.inputs))?;
        let width = batches.iter().map(|batch| batch.asks.len()).max().unwrap_or(0);
        let mut answers =
            Answers { ranks: Vec::new(), width, batches: Vec::with_capacity(batches.len()) };
        let mut networks = 0;
        for batch in batches {
            answers.batches.push((networks, batch.asks.len()));
            networks += batch.networks.len();
        }
        answers.ranks.resize(networks * width, Ranks::default());
        if width > 0 {
            self.executor.run(Work {
                items: networks,
                width,
                unit: 1.0,
                out: &mut answers.ranks,
                work: |resident: &mut (dyn Resident + 'static), items, out: &mut [Ranks]| {
                    resident.rank(&cut(batches, items), width, out)
                },
            })?;
        }
        self.evaluated += networks as u64;
        Ok(answers)
    }

    /// Breeds a population for some generations on one device, possibly for fewer than requested.
    /// Returns `None` if the device does not support it; the caller then makes and ranks children
    /// itself.
    ///
    /// # Errors
    /// When the inputs do not exist or do not match the networks, or no device is left.
    pub fn breed(
        &mut self,
        breeding: &BreedingPlan<'_>,
    ) -> Result<Option<Vec<Bred>>, ForwardError> {
        let networks = Networks::all(breeding.shape, breeding.parents)?;
        let asks = [RankRequest::top(0, breeding.wanted)];
        Batch { inputs: breeding.inputs, networks, asks: &asks }.check(&self.inputs)?;
        let items = networks.len() * breeding.generations.len();
        let bred = self.executor.one(items, |resident| resident.breed(breeding))?;
        let made = bred.iter().flatten().map(|bred| bred.ranks.len() as u64);
        self.evaluated += made.sum::<u64>();
        Ok(bred)
    }

    /// Returns the rows above brackets and the scores inside, for networks and parts of some
    /// inputs, computed on one device. The cells of a network are adjacent.
    ///
    /// # Errors
    /// When the inputs, parts or networks do not exist, or no device is left.
    pub fn near(
        &mut self,
        inputs: usize,
        networks: Networks<'_>,
        cells: &[BracketQuery],
    ) -> Result<Vec<Near>, ForwardError> {
        Batch { inputs, networks, asks: &[] }.check(&self.inputs)?;
        let rows = Arc::clone(&self.inputs[inputs]);
        let (parts, count) = (rows.parts().len(), networks.len());
        for &BracketQuery { network, part, .. } in cells {
            if network >= count {
                return Err(ForwardError::Network { network, networks: count });
            }
            if part >= parts {
                return Err(ForwardError::Part { part, parts });
            }
        }
        let near = |resident: &mut (dyn Resident + 'static)| {
            resident.near(inputs, &rows, &networks, cells)
        };
        Ok(self.executor.one(cells.len(), near)?)
    }

    /// Returns the scores of one network on all rows of some inputs, in the order of the file,
    /// computed on one device.
    ///
    /// # Errors
    /// When the inputs do not exist or do not match the network, or no device is left.
    pub fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, ForwardError> {
        let none = ForwardError::Inputs { inputs, all: self.inputs.len() };
        let rows = self.inputs.get(inputs).ok_or(none)?;
        check_features(shape, rows)?;
        if genes.len() != shape.genes() {
            return Err(ForwardError::Genes { found: genes.len(), each: shape.genes() });
        }
        let by_place = self.executor.one(1, |resident| resident.scores(inputs, shape, genes))?;
        Ok(rows.in_file_order(by_place))
    }
}

/// Returns the parts of the batches that contain a range of networks, counted over all batches.
fn cut<'a>(batches: &[Batch<'a>], networks: Range<usize>) -> Vec<Batch<'a>> {
    let mut parts = Vec::with_capacity(batches.len());
    let mut first = 0;
    for batch in batches {
        let end = first + batch.networks.len();
        let (from, to) = (networks.start.clamp(first, end), networks.end.clamp(first, end));
        if from < to {
            parts.push(batch.part(from - first..to - first));
        }
        first = end;
    }
    parts
}
