//! A search on GPUs, slice by slice. Each GPU has a part of the frontier of the tree. Surplus work
//! moves to other GPUs through the host.

use super::frontier::{Frontier, Slice, Subtree};
use super::records::Reader;
use crate::{Digest, SearchOutcome, SearchStop, Terms, Visitor};
use pellucid_device::{Device, DeviceError};
use std::sync::atomic::Ordering;

/// The number of subtrees requested from a device when another one is idle.
const WANTED: usize = 256;

/// A device with its part of the search and its progress.
pub(crate) struct Member<'a> {
    device: &'a Device,
    /// `None` once it was dropped.
    frontier: Option<Box<dyn Frontier>>,
    is_working: bool,
    has_work: bool,
    /// A slice whose records are in transfer.
    arriving: Option<Slice>,
}

/// The device that failed, by its index among the members, and the error.
#[derive(Debug)]
pub(crate) struct DeviceLoss {
    pub(crate) member: usize,
    pub(crate) error: DeviceError,
}

/// Lists the concepts of a relation on devices. The first one starts with the whole tree, the
/// others with nothing.
///
/// Three things happen at the same time: a device works on a slice, the records of the previous
/// slice are in transfer, and those of the slice before are shown.
///
/// # Errors
/// If a device fails or panics. `shown` is then true if visitors have received concepts.
pub(crate) fn search<V: Visitor>(
    members: &mut [Member<'_>],
    reader: &Reader<'_>,
    terms: &Terms<'_>,
    visitors: &mut [V],
    shown: &mut bool,
) -> Result<SearchOutcome, DeviceLoss> {
    let mut outcome =
        SearchOutcome { concepts: 0, digest: Digest::default(), stop: SearchStop::Complete };
    if terms.stop.is_some_and(|stop| stop()) {
        outcome.stop = SearchStop::Requested;
    }
    members[0].has_work = true;
    let mut queue: Vec<Subtree> = Vec::new();
    while outcome.stop == SearchStop::Complete {
        for (place, member) in members.iter_mut().enumerate() {
            member.supply(&mut queue).map_err(device_loss(place))?;
        }
        if !members.iter().any(|member| member.is_working) {
            break;
        }
        let is_one_idle = members.iter().any(|member| !member.has_work);
        for (place, member) in members.iter_mut().enumerate() {
            if !member.is_working {
                continue;
            }
            let stop_requested = terms.stop.is_some_and(|stop| stop());
            let wanted = if is_one_idle { WANTED } else { 0 };
            let (slice, earlier) = member
                .step(&mut queue, (!stop_requested).then_some(wanted), reader.reads_concepts())
                .map_err(device_loss(place))?;
            if let (Some(sum), Some(time)) = (terms.device_time, slice.device_time) {
                let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                sum.fetch_add(nanos, Ordering::Relaxed);
            }
            if !reader.reads_concepts() {
                outcome.concepts += slice.concepts;
                outcome.digest.merge(slice.digest);
            } else if let Some(earlier) = earlier {
                member.show(earlier, reader, terms, visitors, &mut outcome, shown);
            }
            store_progress(terms, &outcome);
            if outcome.stop == SearchStop::Complete && stop_requested && slice.unfinished {
                outcome.stop = SearchStop::Requested;
            }
            if outcome.stop != SearchStop::Complete {
                break;
            }
        }
    }
    for (place, member) in members.iter_mut().enumerate() {
        if let Some(slice) = member.end(&mut queue).map_err(device_loss(place))?
            && outcome.stop != SearchStop::Limit
        {
            member.show(slice, reader, terms, visitors, &mut outcome, shown);
        }
    }
    store_progress(terms, &outcome);
    Ok(outcome)
}

fn device_loss(member: usize) -> impl Fn(DeviceError) -> DeviceLoss {
    move |error| DeviceLoss { member, error }
}

fn store_progress(terms: &Terms<'_>, outcome: &SearchOutcome) {
    if let Some(progress) = terms.progress {
        progress.store(outcome.concepts, Ordering::Relaxed);
    }
}

impl<'a> Member<'a> {
    pub(crate) fn new(device: &'a Device, frontier: Box<dyn Frontier>) -> Member<'a> {
        let frontier = Some(frontier);
        Member { device, frontier, is_working: false, has_work: false, arriving: None }
    }

    /// Runs an operation on the device. A panic counts as a failure of the device.
    fn call<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Frontier) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let Member { device, frontier, .. } = self;
        let Some(frontier) = frontier.as_deref_mut() else {
            return Err(DeviceError::new(device.id(), "the search on this device has ended"));
        };
        device.caught(|| work(frontier))
    }

    /// Gives queued work to an idle device and starts its slice.
    fn supply(&mut self, queue: &mut Vec<Subtree>) -> Result<(), DeviceError> {
        if !self.has_work {
            let subtrees = queue.split_off(queue.len().saturating_sub(WANTED / 2));
            self.has_work = !subtrees.is_empty();
            for subtree in subtrees {
                self.call(|frontier| frontier.take(subtree))?;
            }
        }
        if self.has_work && !self.is_working {
            self.call(|frontier| frontier.start(0))?;
            self.is_working = true;
        }
        Ok(())
    }

    /// Ends a slice. If `go_on` is set, starts the next one, in which the device gives away that
    /// number of subtrees. Returns the slice that ended and one whose records can be shown.
    fn step(
        &mut self,
        queue: &mut Vec<Subtree>,
        go_on: Option<usize>,
        reads_concepts: bool,
    ) -> Result<(Slice, Option<Slice>), DeviceError> {
        let device = self.device;
        let slice = self.call(|frontier| device.attempt(|| frontier.finish(queue)))?;
        (self.has_work, self.is_working) = (slice.unfinished, false);
        let earlier = self.arriving.take();
        if earlier.is_some() {
            self.call(|frontier| frontier.arrive())?;
        }
        if let (true, Some(wanted)) = (slice.unfinished, go_on) {
            self.call(|frontier| frontier.start(wanted))?;
            self.is_working = true;
        }
        if reads_concepts {
            self.call(|frontier| frontier.fetch())?;
            self.arriving = Some(slice);
        }
        Ok((slice, earlier))
    }

    /// Ends the running slice. Returns a slice whose records can be shown.
    fn end(&mut self, queue: &mut Vec<Subtree>) -> Result<Option<Slice>, DeviceError> {
        if self.is_working {
            self.call(|frontier| frontier.finish(queue))?;
            self.is_working = false;
        }
        let slice = self.arriving.take();
        if slice.is_some() {
            self.call(|frontier| frontier.arrive())?;
        }
        Ok(slice)
    }

    fn show<V: Visitor>(
        &self,
        slice: Slice,
        reader: &Reader<'_>,
        terms: &Terms<'_>,
        visitors: &mut [V],
        outcome: &mut SearchOutcome,
        shown: &mut bool,
    ) {
        *shown |= slice.concepts > 0;
        if let Some(frontier) = &self.frontier {
            reader.show(&**frontier, slice, terms, visitors, outcome);
        }
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        let frontier = self.frontier.take();
        // A failed device may also fail or panic on release; nothing depends on it any more.
        let _ = self.device.caught(|| {
            drop(frontier);
            Ok(())
        });
    }
}
