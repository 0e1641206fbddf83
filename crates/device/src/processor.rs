use crate::name::processor_name;
use crate::{DeviceError, Threads, Workers};
use pellucid_bits::Level;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Threads of the processor, the instructions they use, and the memory that each thread keeps between pieces of work.
#[derive(Clone, Debug)]
pub struct Processor {
    level: Level,
    threads: Arc<Threads>,
    /// The [`Workers`] of each shape of work, by what a thread keeps for it.
    workers: Arc<Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>,
}

impl Processor {
    pub(crate) fn new(threads: Arc<Threads>, level: Level) -> Result<Processor, DeviceError> {
        if !level.is_available() {
            let best = Level::best();
            let reason = format!("asked for {level}, this processor has {best} at most");
            return Err(DeviceError::new("cpu", reason));
        }
        Ok(Processor { level, threads, workers: Arc::default() })
    }

    /// The instructions in use.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// The threads.
    #[must_use]
    pub fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    /// The threads, each with memory of type `W`. All who ask for one type share it, so that what was made for one piece of
    /// work serves the next, on whatever data.
    #[must_use]
    pub fn workers<W: Default + Send + 'static>(&self) -> Arc<Workers<W>> {
        let mut all = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || -> Arc<dyn Any + Send + Sync> {
            Arc::new(Workers::<W>::new(Arc::clone(&self.threads)))
        };
        let kept = Arc::clone(all.entry(TypeId::of::<W>()).or_insert_with(make));
        // The entry of a type holds workers of that type; new ones would serve as well.
        kept.downcast().unwrap_or_else(|_| Arc::new(Workers::new(Arc::clone(&self.threads))))
    }

    pub(crate) fn description(&self) -> String {
        let threads = self.threads.count();
        let plural = if threads == 1 { "" } else { "s" };
        format!("{}, {threads} thread{plural}, {}", processor_name(), self.level)
    }
}
