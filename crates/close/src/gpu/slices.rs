//! A search on GPUs, slice by slice: each has a part of the tree's frontier, and what one has too much of goes to another by way
//! of the host.

use super::frontier::{Frontier, Slice, Subtree};
use super::records::Reader;
use crate::{Digest, SearchOutcome, SearchStop, Terms, Visitor};
use pellucid_device::{Device, DeviceError};
use std::sync::atomic::Ordering;

/// Subtrees that a device is asked for when another has nothing to do.
const WANTED: usize = 256;

/// A device with its part of the search, and how far it is.
pub(crate) struct Member<'a> {
    device: &'a Device,
    /// Nothing once it has been let go.
    frontier: Option<Box<dyn Frontier>>,
    is_working: bool,
    has_work: bool,
    /// A slice whose records are on their way.
    arriving: Option<Slice>,
}

/// Who has failed, by its place among the members, and how.
#[derive(Debug)]
pub(crate) struct Lost {
    pub(crate) member: usize,
    pub(crate) error: DeviceError,
}

/// Lists the concepts of a relation on devices of which the first has the whole tree and the others nothing yet.
///
/// Three things go on at once: a device works on a slice, the records of the last one are on their way, and those of the
/// one before are shown.
///
/// # Errors
/// When a device fails or panics; `shown` tells whether visitors have seen anything by then.
pub(crate) fn search<V: Visitor>(
    members: &mut [Member<'_>],
    reader: &Reader<'_>,
    terms: &Terms<'_>,
    visitors: &mut [V],
    shown: &mut bool,
) -> Result<SearchOutcome, Lost> {
    let mut outcome =
        SearchOutcome { concepts: 0, digest: Digest::default(), stop: SearchStop::Complete };
    if terms.stop.is_some_and(|stop| stop()) {
        outcome.stop = SearchStop::Requested;
    }
    members[0].has_work = true;
    let mut queue: Vec<Subtree> = Vec::new();
    while outcome.stop == SearchStop::Complete {
        for (place, member) in members.iter_mut().enumerate() {
            member.supply(&mut queue).map_err(lost(place))?;
        }
        if !members.iter().any(|member| member.is_working) {
            break;
        }
        let is_one_idle = members.iter().any(|member| !member.has_work);
        for (place, member) in members.iter_mut().enumerate() {
            if !member.is_working {
                continue;
            }
            let told = terms.stop.is_some_and(|stop| stop());
            let wanted = if is_one_idle { WANTED } else { 0 };
            let (slice, earlier) = member
                .step(&mut queue, (!told).then_some(wanted), reader.looks())
                .map_err(lost(place))?;
            if let (Some(sum), Some(time)) = (terms.device_time, slice.device_time) {
                let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                sum.fetch_add(nanos, Ordering::Relaxed);
            }
            if !reader.looks() {
                outcome.concepts += slice.concepts;
                outcome.digest.merge(slice.digest);
            } else if let Some(earlier) = earlier {
                member.show(earlier, reader, terms, visitors, &mut outcome, shown);
            }
            note(terms, &outcome);
            if outcome.stop == SearchStop::Complete && told && slice.unfinished {
                outcome.stop = SearchStop::Requested;
            }
            if outcome.stop != SearchStop::Complete {
                break;
            }
        }
    }
    for (place, member) in members.iter_mut().enumerate() {
        if let Some(slice) = member.end(&mut queue).map_err(lost(place))?
            && outcome.stop != SearchStop::Limit
        {
            member.show(slice, reader, terms, visitors, &mut outcome, shown);
        }
    }
    note(terms, &outcome);
    Ok(outcome)
}

fn lost(member: usize) -> impl Fn(DeviceError) -> Lost {
    move |error| Lost { member, error }
}

fn note(terms: &Terms<'_>, outcome: &SearchOutcome) {
    if let Some(progress) = terms.progress {
        progress.store(outcome.concepts, Ordering::Relaxed);
    }
}

impl<'a> Member<'a> {
    pub(crate) fn new(device: &'a Device, frontier: Box<dyn Frontier>) -> Member<'a> {
        let frontier = Some(frontier);
        Member { device, frontier, is_working: false, has_work: false, arriving: None }
    }

    /// Has the device do something; a panic is a failure of the device.
    fn call<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Frontier) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let Member { device, frontier, .. } = self;
        let Some(frontier) = frontier.as_deref_mut() else {
            return Err(DeviceError::new(device.id(), "its part of the search has ended"));
        };
        device.caught(|| work(frontier))
    }

    /// Gives work to who has none, and lets everyone who has some work.
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

    /// Ends a slice and begins the next one, in which so many subtrees are wanted, if it is to go on. Gives back the slice that
    /// ended and one whose records can be shown.
    fn step(
        &mut self,
        queue: &mut Vec<Subtree>,
        go_on: Option<usize>,
        looks: bool,
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
        if looks {
            self.call(|frontier| frontier.fetch())?;
            self.arriving = Some(slice);
        }
        Ok((slice, earlier))
    }

    /// Ends what is under way. Gives back a slice whose records can be shown.
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
        // A broken device may not even let go in peace; there is nothing left to lose.
        let _ = self.device.caught(|| {
            drop(frontier);
            Ok(())
        });
    }
}
