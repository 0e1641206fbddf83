use super::{Fault, Member, Schedule};
use crate::device::{Batch, DeviceError};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Tallies a batch on all members together, and adds to `counts`. Members that fail lose their resident.
///
/// # Errors
/// When no member is left.
pub(crate) fn run(
    members: &mut [Member],
    schedule: &Schedule,
    batch: &Batch<'_>,
    counts: &mut [u64],
) -> Result<Vec<Fault>, DeviceError> {
    let mut faults = Vec::new();
    let mut open: VecDeque<Range<usize>> = std::iter::once(0..batch.len()).collect();
    while !open.is_empty() {
        let alive = members.iter().filter(|member| member.resident.is_some()).count();
        if alive == 0 {
            let last = faults.pop().map(|fault: Fault| fault.error);
            return Err(last.unwrap_or_else(|| DeviceError {
                device: "none".into(),
                reason: "no device is left".into(),
            }));
        }
        let round = Round {
            queue: Mutex::new(Queue::new(open, members, schedule)),
            batch,
            done: Mutex::default(),
        };
        let errors: Vec<DeviceError> = if alive == 1 {
            // No thread is worth starting for one device.
            members
                .iter_mut()
                .enumerate()
                .filter_map(|(index, member)| round.serve(index, member))
                .collect()
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = members
                    .iter_mut()
                    .enumerate()
                    .map(|(index, member)| {
                        scope.spawn({
                            let round = &round;
                            move || round.serve(index, member)
                        })
                    })
                    .collect();
                threads.into_iter().filter_map(|thread| thread.join().unwrap_or(None)).collect()
            })
        };
        let classes = batch.classes();
        for (roots, part) in round.done.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let sum = &mut counts[roots.start * classes..roots.end * classes];
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        open = round.queue.into_inner().unwrap_or_else(PoisonError::into_inner).left();
        let left = members.iter().filter(|member| member.resident.is_some()).count();
        faults.extend(errors.into_iter().map(|error| Fault { error, left }));
    }
    Ok(faults)
}

/// One pass over the open roots.
struct Round<'a> {
    queue: Mutex<Queue>,
    batch: &'a Batch<'a>,
    done: Mutex<Vec<(Range<usize>, Vec<u64>)>>,
}

impl Round<'_> {
    /// Takes work for one member until there is none or the member fails.
    fn serve(&self, index: usize, member: &mut Member) -> Option<DeviceError> {
        let queue = || self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            member.resident.as_ref()?;
            let roots = queue().take(index)?;
            let part = self.batch.part(roots.clone());
            let mut counts = vec![0; part.len() * part.classes()];
            match member.resident.as_mut()?.tally(&part, &mut counts) {
                Ok(()) => {
                    self.done.lock().unwrap_or_else(PoisonError::into_inner).push((roots, counts))
                }
                Err(error) => {
                    queue().give_back(roots);
                    member.resident = None;
                    return Some(error);
                }
            }
        }
    }
}

/// Roots that wait: some for a certain member, some for whoever comes.
struct Queue {
    assigned: Vec<VecDeque<Range<usize>>>,
    open: VecDeque<Range<usize>>,
    returned: VecDeque<Range<usize>>,
    devices: usize,
}

impl Queue {
    fn new(open: VecDeque<Range<usize>>, members: &[Member], schedule: &Schedule) -> Queue {
        let alive = |index: usize| members[index].resident.is_some();
        let devices = (0..members.len()).filter(|&index| alive(index)).count();
        let assigned = vec![VecDeque::new(); members.len()];
        let mut queue =
            Queue { assigned, open: VecDeque::new(), returned: VecDeque::new(), devices };
        let shares: Vec<f64> = match schedule {
            _ if devices == 1 => {
                (0..members.len()).map(|index| f64::from(u8::from(alive(index)))).collect()
            }
            Schedule::Idle => {
                queue.open = open;
                return queue;
            }
            Schedule::Shares(shares) => {
                (0..members.len()).map(|index| shares.get(index).copied().unwrap_or(0.0)).collect()
            }
        };
        let living: Vec<usize> = (0..members.len()).filter(|&index| alive(index)).collect();
        let shares: Vec<f64> = living.iter().map(|&index| shares[index]).collect();
        for roots in open {
            for (&index, range) in living.iter().zip(Schedule::ranges(roots.len(), &shares)) {
                if !range.is_empty() {
                    queue.assigned[index]
                        .push_back(roots.start + range.start..roots.start + range.end);
                }
            }
        }
        queue
    }

    fn take(&mut self, member: usize) -> Option<Range<usize>> {
        if let Some(roots) = self.assigned[member].pop_front() {
            return Some(roots);
        }
        let first = self.open.front_mut()?;
        let end = first.start + Schedule::chunk(first.len(), self.devices);
        let roots = first.start..end;
        first.start = end;
        if first.start == first.end {
            self.open.pop_front();
        }
        Some(roots)
    }

    fn give_back(&mut self, roots: Range<usize>) {
        self.returned.push_back(roots);
    }

    /// What nobody did.
    fn left(self) -> VecDeque<Range<usize>> {
        self.assigned.into_iter().flatten().chain(self.open).chain(self.returned).collect()
    }
}
