//! Remote rows, for example on other machines: formulas are sent as numbers, and counts are
//! returned.
//!
//! The remote side receives [formulas](Formulas::from_words) over the ranks of a table that has all
//! values but none of the rows. Counts of parts of the rows add up to the counts of all rows, so
//! the rows may be divided into any number of parts.

use crate::batch::{Batch, Roots};
use crate::{EvaluateError, Hypothesis, Labels, Resident, Session, Table};
use pellucid_bits::BitRows;
use pellucid_device::{Device, DeviceError, Executor};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(doc)]
use crate::Formulas;

/// The function that counts. It receives formulas as numbers and returns, formula by formula, the
/// number of covered examples of each class.
pub type Counter = Box<dyn FnMut(&[u64]) -> Result<Vec<u64>, DeviceError> + Send>;

/// A table whose rows are remote.
struct RemoteRows(Counter);

impl fmt::Debug for RemoteRows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RemoteRows")
    }
}

impl Resident for RemoteRows {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        let Roots::Formulas { formulas, roots } = batch.roots else {
            return Err(unsupported("only flat formulas can be evaluated"));
        };
        let found = (self.0)(&formulas.to_words(roots))?;
        if found.len() != counts.len() {
            let (found, expected) = (found.len(), counts.len());
            let reason = format!("found {found} counts; expected {expected}");
            return Err(DeviceError::new("remote", reason));
        }
        counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
        Ok(())
    }

    fn cover(&mut self, _: &Batch<'_>) -> Result<BitRows, DeviceError> {
        Err(unsupported("covered rows are not available, only counts"))
    }
}

fn unsupported(reason: &str) -> DeviceError {
    DeviceError::new("remote", format!("the rows are remote: {reason}"))
}

impl Session {
    /// A session whose rows are remote. The table has all values of the remote rows; its own rows
    /// are not counted. `totals` is the number of examples of each class.
    ///
    /// # Errors
    /// When the executor cannot be started.
    pub fn elsewhere(
        table: Arc<Table>,
        totals: &[u64],
        hypothesis: Hypothesis,
        counter: Counter,
    ) -> Result<Session, EvaluateError> {
        let labels = Labels::elsewhere(hypothesis.space(), totals);
        let counter = Mutex::new(Some(counter));
        let executor = Executor::on(&[Device::processor(NonZeroUsize::new(1))?], |_| {
            let counter = counter.lock().unwrap_or_else(PoisonError::into_inner).take();
            let counter = counter.ok_or_else(|| unsupported("the counter is already in use"))?;
            Ok(Box::new(RemoteRows(counter)) as Box<dyn Resident>)
        })?;
        Ok(Session::with(executor, table, labels, hypothesis))
    }
}
