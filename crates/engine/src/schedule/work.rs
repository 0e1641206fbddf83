//! The work itself: threads, clocks, and what to do when a device fails.

use super::assign::{Known, Pieces, assign, should_take};
use super::member::none_left;
use super::{Fault, Member, Schedule};
use crate::bits::BitRows;
use crate::device::{Batch, DeviceError};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Instant;

/// Tallies a batch on all members together, into `counts`, which are all 0. Members that fail are left out from then on.
///
/// # Errors
/// When no member is left.
pub(crate) fn run(
    members: &mut [Member],
    schedule: &Schedule,
    batch: &Batch<'_>,
    counts: &mut [u64],
    faults: &mut Vec<Fault>,
) -> Result<(), DeviceError> {
    let start = Instant::now();
    let mut worked = vec![false; members.len()];
    let mut open: Vec<Range<usize>> = std::iter::once(0..batch.len()).collect();
    let mut last = none_left();
    while let Some(roots) = open.pop() {
        if roots.is_empty() {
            continue;
        }
        let living = alive(members);
        if living == 0 {
            // The last failure is the error itself, not one of those from which work went to others.
            faults.pop_if(|fault| fault.error == last);
            return Err(last);
        }
        let pieces = cut(members, schedule, roots.len());
        let given: usize = pieces.iter().flatten().map(Range::len).sum();
        open.push(roots.start + given..roots.end);
        let pieces =
            pieces.into_iter().map(|own| own.into_iter().map(|piece| shifted(&piece, &roots)));
        let pieces: Pieces = pieces.map(Iterator::collect).collect();
        worked.iter_mut().zip(&pieces).for_each(|(worked, own)| *worked |= !own.is_empty());
        let helps = *schedule == Schedule::Idle;
        let (errors, left) = round(members, batch, pieces, counts, helps);
        open.extend(left);
        for (place, error) in errors.iter().enumerate() {
            faults.push(Fault { error: error.clone(), left: living - place - 1 });
            last = error.clone();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    for (member, worked) in members.iter_mut().zip(worked) {
        member.known.idle = if worked { 0.0 } else { member.known.idle + seconds };
    }
    Ok(())
}

/// The rows covered, by one member: the one thought fastest, or with the largest share; if it fails, by the next.
///
/// # Errors
/// When no member is left.
pub(crate) fn cover(
    members: &mut [Member],
    schedule: &Schedule,
    batch: &Batch<'_>,
    faults: &mut Vec<Fault>,
) -> Result<BitRows, DeviceError> {
    let mut order: Vec<usize> =
        (0..members.len()).filter(|&index| members[index].is_alive()).collect();
    match schedule {
        Schedule::Idle => {
            let seconds = |index: &usize| members[*index].known.pace.seconds(batch.len());
            order.sort_by(|one, other| seconds(one).total_cmp(&seconds(other)));
        }
        Schedule::Shares(shares) => {
            let share = |index: &usize| shares.get(*index).copied().unwrap_or(0.0);
            order.sort_by(|one, other| share(other).total_cmp(&share(one)));
        }
    }
    let mut left = order.len();
    for index in order {
        left -= 1;
        match members[index].cover(batch) {
            Ok(rows) => return Ok(rows),
            Err(error) if left == 0 => return Err(error),
            Err(error) => faults.push(Fault { error, left }),
        }
    }
    Err(none_left())
}

fn alive(members: &[Member]) -> usize {
    members.iter().filter(|member| member.is_alive()).count()
}

/// The pieces of each member.
fn cut(members: &[Member], schedule: &Schedule, roots: usize) -> Pieces {
    let known: Vec<Option<Known>> = members.iter().map(Member::known).collect();
    let Schedule::Shares(shares) = schedule else { return assign(&known, roots) };
    let living: Vec<usize> = (0..members.len()).filter(|&index| known[index].is_some()).collect();
    let shares: Vec<f64> =
        living.iter().map(|&index| shares.get(index).copied().unwrap_or(0.0)).collect();
    let mut pieces = vec![Vec::new(); members.len()];
    for (index, piece) in living.into_iter().zip(Schedule::ranges(roots, &shares)) {
        pieces[index].extend(Some(piece).filter(|piece| !piece.is_empty()));
    }
    pieces
}

fn shifted(piece: &Range<usize>, roots: &Range<usize>) -> Range<usize> {
    roots.start + piece.start..roots.start + piece.end
}

/// Has all pieces done, the largest part on this thread. Gives back the failures, and the roots that nobody did.
fn round(
    members: &mut [Member],
    batch: &Batch<'_>,
    pieces: Pieces,
    counts: &mut [u64],
    helps: bool,
) -> (Vec<DeviceError>, Vec<Range<usize>>) {
    let parts: Vec<usize> =
        pieces.iter().map(|own| own.iter().map(Range::len).sum::<usize>()).collect();
    let here = (0..parts.len()).max_by_key(|&index| parts[index]);
    let known = members.iter().map(|member| member.known).collect();
    let queue = Mutex::new(Queue::new(known, pieces, batch.classes(), counts, helps));
    let mut errors: Vec<DeviceError> = std::thread::scope(|scope| {
        let (mut mine, mut threads) = (None, Vec::new());
        for (index, member) in members.iter_mut().enumerate().filter(|(index, _)| parts[*index] > 0)
        {
            if Some(index) == here {
                mine = Some((index, member));
                continue;
            }
            let queue = &queue;
            let serve = move || serve(queue, batch, index, member);
            // If the system gives no thread the pieces are left over and come up again.
            threads.extend(Builder::new().spawn_scoped(scope, serve));
        }
        let own = mine.and_then(|(index, member)| serve(&queue, batch, index, member));
        let others = threads.into_iter().filter_map(|thread| thread.join().unwrap_or(None));
        others.chain(own).collect()
    });
    let queue = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    // In a fixed order, whoever was first.
    errors.sort_by(|one, other| one.device.cmp(&other.device));
    (errors, queue.left())
}

/// Takes work for one member until there is none or the member fails.
fn serve(
    queue: &Mutex<Queue<'_>>,
    batch: &Batch<'_>,
    index: usize,
    member: &mut Member,
) -> Option<DeviceError> {
    loop {
        let piece = locked(queue).take(index)?;
        if let Err(error) = member.tally(&batch.part(piece.roots.clone()), piece.counts) {
            piece.counts.fill(0);
            locked(queue).returned.push(piece.roots);
            return Some(error);
        }
    }
}

fn locked<'q, 'a>(queue: &'q Mutex<Queue<'a>>) -> MutexGuard<'q, Queue<'a>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Some roots, and where their counts go.
struct Piece<'a> {
    roots: Range<usize>,
    counts: &'a mut [u64],
}

/// The pieces nobody has begun, by the member they were meant for.
struct Queue<'a> {
    known: Vec<Known>,
    untouched: Vec<VecDeque<Piece<'a>>>,
    returned: Vec<Range<usize>>,
    /// Whether whoever is done takes pieces of others.
    helps: bool,
}

impl<'a> Queue<'a> {
    fn new(
        known: Vec<Known>,
        pieces: Pieces,
        classes: usize,
        counts: &'a mut [u64],
        helps: bool,
    ) -> Queue<'a> {
        let mut untouched: Vec<VecDeque<Piece<'a>>> =
            pieces.iter().map(|_| VecDeque::new()).collect();
        let owned = |(owner, own): (usize, Vec<Range<usize>>)| {
            own.into_iter().map(move |roots| (owner, roots))
        };
        let mut all: Vec<(usize, Range<usize>)> =
            pieces.into_iter().enumerate().flat_map(owned).collect();
        all.sort_by_key(|(_, roots)| roots.start);
        let (mut rest, mut at) = (counts, 0);
        for (owner, roots) in all {
            let (_, from) = std::mem::take(&mut rest).split_at_mut((roots.start - at) * classes);
            let (counts, after) = from.split_at_mut(roots.len() * classes);
            (rest, at) = (after, roots.end);
            untouched[owner].push_back(Piece { roots, counts });
        }
        Queue { known, untouched, returned: Vec::new(), helps }
    }

    /// A member's next piece, or one of the member that has most left to do.
    fn take(&mut self, member: usize) -> Option<Piece<'a>> {
        if let Some(piece) = self.untouched[member].pop_front() {
            return Some(piece);
        }
        let pace = |index: usize| &self.known[index].pace;
        let sizes = |owner: usize| -> Vec<usize> {
            self.untouched[owner].iter().map(|piece| piece.roots.len()).collect()
        };
        let left = |owner: &usize| -> f64 {
            sizes(*owner).into_iter().map(|roots| pace(*owner).seconds(roots)).sum()
        };
        let owner = (0..self.untouched.len())
            .filter(|&owner| self.helps && should_take(pace(member), pace(owner), &sizes(owner)))
            .max_by(|one, other| left(one).total_cmp(&left(other)))?;
        self.untouched[owner].pop_back()
    }

    /// What nobody did.
    fn left(self) -> Vec<Range<usize>> {
        let untouched = self.untouched.into_iter().flatten().map(|piece| piece.roots);
        untouched.chain(self.returned).collect()
    }
}
