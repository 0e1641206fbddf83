//! Rows that lie with somebody else, such as other machines: formulas go there as numbers, and counts come
//! back.
//!
//! Whoever counts sees [formulas](Formulas::from_words) over the ranks of a table that has all values and
//! none of the rows. Counts of parts of the rows add up to those of all, so it does not matter how many parts
//! there are.

use crate::batch::{Batch, Roots};
use crate::{EvaluateError, Hypothesis, Labels, Resident, Session, Table};
use pellucid_bits::BitRows;
use pellucid_device::{Device, DeviceError, Executor};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(doc)]
use crate::Formulas;

/// Who counts: gets formulas as numbers and gives, formula after formula, the examples of each class for
/// which it holds.
pub type Counter = Box<dyn FnMut(&[u64]) -> Result<Vec<u64>, DeviceError> + Send>;

/// Rows elsewhere.
struct Elsewhere(Counter);

impl fmt::Debug for Elsewhere {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Elsewhere")
    }
}

impl Resident for Elsewhere {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        let Roots::Formulas { formulas, roots } = batch.roots else {
            return Err(only("flat formulas"));
        };
        let found = (self.0)(&formulas.to_words(roots))?;
        if found.len() != counts.len() {
            let (found, expected) = (found.len(), counts.len());
            let reason = format!("{found} counts came back, {expected} were expected");
            return Err(DeviceError::new("elsewhere", reason));
        }
        counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
        Ok(())
    }

    fn cover(&mut self, _: &Batch<'_>) -> Result<BitRows, DeviceError> {
        Err(only("counts"))
    }
}

fn only(what: &str) -> DeviceError {
    DeviceError::new("elsewhere", format!("rows that lie elsewhere are asked for {what} alone"))
}

impl Session {
    /// A session whose rows lie elsewhere. The table has all their values, and its own rows do not count;
    /// there are so many examples of each class in all.
    ///
    /// # Errors
    /// When there are no classes.
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
            let counter = counter.ok_or_else(|| only("one counter"))?;
            Ok(Box::new(Elsewhere(counter)) as Box<dyn Resident>)
        })?;
        Ok(Session::with(executor, table, labels, hypothesis))
    }
}
