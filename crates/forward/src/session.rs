//! Rows, and networks held against them on whatever devices there are.

use crate::batch::check_features;
use crate::{
    Ask, Batch, Bred, Breeding, Cell, Inputs, Near, Networks, RankError, Ranks, Resident, Shape,
};
use pellucid_device::{Device, Executor, Fault, FaultListener, Machine, Schedule, Work};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Holds networks against rows. It has one or more inputs (the training rows, those held out), and answers
/// several batches in one go, so that a GPU is called once for all of them.
#[derive(Debug)]
pub struct Session {
    inputs: Vec<Arc<Inputs>>,
    executor: Executor<dyn Resident>,
    evaluated: u64,
}

/// What came of some batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// `[network of all batches][ask]`, as wide as the batch that asks most.
    ranks: Vec<Ranks>,
    width: usize,
    /// The first network of each batch, and how much it asks.
    batches: Vec<(usize, usize)>,
}

impl Answers {
    /// What the scores of one network say, for each ask of its batch.
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
    /// A session on some devices, with the default [`Schedule`].
    ///
    /// # Errors
    /// When no device takes the rows.
    pub fn new(inputs: Vec<Arc<Inputs>>, devices: &[Device]) -> Result<Session, RankError> {
        let executor = Executor::on(devices, |hardware| crate::open(hardware, &inputs))?;
        Ok(Session { inputs, executor, evaluated: 0 })
    }

    /// A session on the devices of a machine, with its schedule; its listener hears of faults.
    ///
    /// # Errors
    /// When no device takes the rows.
    pub fn on(machine: &Machine, inputs: Vec<Arc<Inputs>>) -> Result<Session, RankError> {
        let executor = Executor::new(machine, |hardware| crate::open(hardware, &inputs))?;
        Ok(Session { inputs, executor, evaluated: 0 })
    }

    /// A session of one who answers, such as for rows that lie elsewhere.
    pub(crate) fn with(executor: Executor<dyn Resident>, inputs: Vec<Arc<Inputs>>) -> Session {
        Session { inputs, executor, evaluated: 0 }
    }

    /// Splits networks over the devices in another way; shares are in the order in which the devices were
    /// given.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.executor.set_schedule(schedule);
    }

    /// Who is to hear of devices that fail, when it happens. Those that have already failed are told at once.
    pub fn set_fault_listener(&mut self, listener: FaultListener) {
        self.executor.set_listener(listener);
    }

    /// Takes the devices' failures since the last call, each to be told once.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        self.executor.take_faults()
    }

    /// The rows.
    #[must_use]
    pub fn inputs(&self) -> &[Arc<Inputs>] {
        &self.inputs
    }

    /// How many networks were held against rows.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// How long the devices themselves computed since this was last asked, see
    /// [`Resident::take_time`].
    pub fn take_device_time(&mut self, go_on: bool) -> Option<Duration> {
        let times = self.executor.residents().filter_map(|resident| resident.take_time(go_on));
        times.reduce(|sum, time| sum + time)
    }

    /// What the scores of all networks of some batches say. The scores themselves are kept nowhere.
    ///
    /// # Errors
    /// When a batch asks for what is not there, or no device is left.
    pub fn rank(&mut self, batches: &[Batch<'_>]) -> Result<Answers, RankError> {
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

    /// Breeds a population for some generations on one device, if that makes them by itself, maybe for fewer
    /// than asked; nothing otherwise, and then it is for the caller to make children and have them ranked.
    ///
    /// # Errors
    /// When there are no such inputs, the networks take others, or no device is left.
    pub fn breed(&mut self, breeding: &Breeding<'_>) -> Result<Option<Vec<Bred>>, RankError> {
        let networks = Networks::all(breeding.shape, breeding.parents)?;
        let asks = [Ask::top(0, breeding.wanted)];
        Batch { inputs: breeding.inputs, networks, asks: &asks }.check(&self.inputs)?;
        let items = networks.len() * breeding.generations.len();
        let bred = self.executor.one(items, |resident| resident.breed(breeding))?;
        let made = bred.iter().flatten().map(|bred| bred.ranks.len() as u64);
        self.evaluated += made.sum::<u64>();
        Ok(bred)
    }

    /// Who is above brackets and which scores are within, for networks and parts of some inputs. The cells of
    /// a network are next to each other. One device looks.
    ///
    /// # Errors
    /// When there are no such inputs, parts or networks, or no device is left.
    pub fn near(
        &mut self,
        inputs: usize,
        networks: Networks<'_>,
        cells: &[Cell],
    ) -> Result<Vec<Near>, RankError> {
        Batch { inputs, networks, asks: &[] }.check(&self.inputs)?;
        let rows = Arc::clone(&self.inputs[inputs]);
        let (parts, count) = (rows.parts().len(), networks.len());
        for &Cell { network, part, .. } in cells {
            if network >= count {
                return Err(RankError::Network { network, networks: count });
            }
            if part >= parts {
                return Err(RankError::Part { part, parts });
            }
        }
        let near = |resident: &mut (dyn Resident + 'static)| {
            resident.near(inputs, &rows, &networks, cells)
        };
        Ok(self.executor.one(cells.len(), near)?)
    }

    /// The scores that one network gives all rows of some inputs, in the order of the file. One device
    /// computes them.
    ///
    /// # Errors
    /// When there are no such inputs, the network takes others, or no device is left.
    pub fn scores(
        &mut self,
        inputs: usize,
        shape: &Shape,
        genes: &[f32],
    ) -> Result<Vec<f32>, RankError> {
        let none = RankError::Inputs { inputs, all: self.inputs.len() };
        let rows = self.inputs.get(inputs).ok_or(none)?;
        check_features(shape, rows)?;
        if genes.len() != shape.genes() {
            return Err(RankError::Genes { found: genes.len(), each: shape.genes() });
        }
        let by_place = self.executor.one(1, |resident| resident.scores(inputs, shape, genes))?;
        Ok(rows.in_file_order(by_place))
    }
}

/// What some networks, counted over all batches, have of each batch.
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
