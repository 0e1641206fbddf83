//! What a learner works with.

use crate::close::{Outcome, Relation, Terms, Visitor, search_on};
use crate::device::{Cpu, Device, DeviceError, Threads};
use crate::kernel::Hypothesis;
use crate::schedule::{FaultListener, Schedule};
use crate::session::{EvaluateError, Session};
use crate::table::{Labels, Table};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The devices and threads to work with, how the work is shared, and who hears of devices that fail.
#[derive(Clone, Debug)]
pub struct Machine {
    /// What evaluates hypotheses.
    pub devices: Vec<Arc<dyn Device>>,
    /// What makes them.
    pub threads: Arc<Threads>,
    /// How the devices share the work; what is learned is the same for all.
    pub schedule: Schedule,
    /// Who hears of devices that fail while others go on.
    pub faults: FaultListener,
}

impl Machine {
    /// Some devices and threads, with the default schedule; nobody hears of faults.
    #[must_use]
    pub fn new(devices: Vec<Arc<dyn Device>>, threads: Arc<Threads>) -> Machine {
        let (schedule, faults) = (Schedule::default(), FaultListener::default());
        Machine { devices, threads, schedule, faults }
    }

    /// A session on these devices.
    ///
    /// # Errors
    /// When no device takes the table, or the labels do not fit the hypothesis.
    pub fn session(
        &self,
        table: Arc<Table>,
        labels: Labels,
        hypothesis: Hypothesis,
    ) -> Result<Session, EvaluateError> {
        let mut session = Session::new(table, labels, hypothesis, &self.devices)?;
        session.set_schedule(self.schedule.clone());
        session.set_fault_listener(self.faults.clone());
        Ok(session)
    }

    /// Lists the concepts of a relation on these devices, see [`search_on`]; one thread of the processor for every visitor.
    ///
    /// # Errors
    /// When a device fails after concepts were shown.
    ///
    /// # Panics
    /// When there is no visitor.
    pub fn concepts<V: Visitor>(
        &self,
        relation: &Relation,
        terms: &Terms<'_>,
        visitors: &mut [V],
    ) -> Result<Outcome, DeviceError> {
        search_on(&self.devices, relation, terms, visitors, &self.faults)
    }

    /// The processor with so many threads, or all there are.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn processor(threads: Option<NonZeroUsize>) -> Result<Machine, DeviceError> {
        let threads = Arc::new(Threads::new(threads)?);
        let cpu: Arc<dyn Device> = Arc::new(Cpu::on(Arc::clone(&threads))?);
        Ok(Machine::new(vec![cpu], threads))
    }
}
