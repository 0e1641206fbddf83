use crate::name::processor_name;
use crate::{DeviceError, Threads, Workers};
use pellucid_bits::Level;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// CPU threads, the instructions that they use, and the memory that each thread keeps between
/// pieces of work.
#[derive(Clone, Debug)]
pub struct Processor {
    level: Level,
    threads: Arc<Threads>,
    /// The [`Workers`] of each shape of work, by the type of the memory that a thread keeps.
    workers: Arc<Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>,
}

impl Processor {
    pub(crate) fn new(threads: Arc<Threads>, level: Level) -> Result<Processor, DeviceError> {
        if !level.is_available() {
            let best = Level::best();
            let reason = format!("this CPU does not support {level}; its best level is {best}");
            return Err(DeviceError::new("cpu", reason));
        }
        Ok(Processor { level, threads, workers: Arc::default() })
    }

    /// Returns the instructions in use.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the threads.
    #[must_use]
    pub fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    /// Returns the threads, each with memory of type `W`. All callers with the same type share this
    /// memory, so that later work reuses the allocations, even for other data.
    #[must_use]
    pub fn workers<W: Default + Send + 'static>(&self) -> Arc<Workers<W>> {
        let mut all = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || -> Arc<dyn Any + Send + Sync> {
            Arc::new(Workers::<W>::new(Arc::clone(&self.threads)))
        };
        let workers = Arc::clone(all.entry(TypeId::of::<W>()).or_insert_with(make));
        // The entry of a type always holds workers of that type. New workers would also be correct.
        workers.downcast().unwrap_or_else(|_| Arc::new(Workers::new(Arc::clone(&self.threads))))
    }

    pub(crate) fn description(&self) -> String {
        let threads = self.threads.count();
        let plural = if threads == 1 { "" } else { "s" };
        format!("{}, {threads} thread{plural}, {}", processor_name(), self.level)
    }
}
