//! Execution of work: threads, clocks, and failures of devices.

use super::assign::{DeviceProfile, Pieces, assign, should_take};
use super::member::none_left;
use super::{Fault, Member, Schedule};
use crate::DeviceError;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Instant;

/// Items to process, and the memory for the results.
pub struct Work<'a, T, W> {
    /// The number of items.
    pub items: usize,
    /// The number of results per item.
    pub width: usize,
    /// The amount of work per item, so that speeds measured with other work can be used.
    pub unit: f64,
    /// The results, all initially `T::default()`.
    pub out: &'a mut [T],
    /// Processes a range of items with the data on a device.
    pub work: W,
}

/// Runs work on all members. Members that fail are not used again.
///
/// # Errors
/// When no member is left.
pub(super) fn run<R, T, W>(
    members: &mut [Member<R>],
    schedule: &Schedule,
    work: Work<'_, T, W>,
    faults: &mut Vec<Fault>,
) -> Result<(), DeviceError>
where
    R: ?Sized + Send,
    T: Copy + Default + Send,
    W: Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError> + Sync,
{
    let mut living = members.iter_mut().filter(|member| member.is_alive());
    if let (Some(only), None) = (living.next(), living.next()) {
        return run_on_one(only, work);
    }
    let start = Instant::now();
    let mut worked = vec![false; members.len()];
    let Work { items, width, unit, out, work } = work;
    let mut open: Vec<Range<usize>> = std::iter::once(0..items).collect();
    let mut last = none_left();
    while let Some(roots) = open.pop() {
        if roots.is_empty() {
            continue;
        }
        let living = alive(members);
        if living == 0 {
            // The last failure is the error itself, not a failure that others made up for.
            faults.pop_if(|fault| fault.error == last);
            return Err(last);
        }
        let pieces = cut(members, schedule, roots.len(), unit);
        let given: usize = pieces.iter().flatten().map(Range::len).sum();
        open.push(roots.start + given..roots.end);
        let pieces =
            pieces.into_iter().map(|own| own.into_iter().map(|piece| shifted(&piece, &roots)));
        let pieces: Pieces = pieces.map(Iterator::collect).collect();
        worked.iter_mut().zip(&pieces).for_each(|(worked, own)| *worked |= !own.is_empty());
        let steals = *schedule == Schedule::Idle;
        let this_round = Work { items, width, unit, out: &mut *out, work: &work };
        let (errors, left) = round(members, pieces, this_round, steals);
        open.extend(left);
        for (index, error) in errors.iter().enumerate() {
            faults.push(Fault { error: error.clone(), left: living - index - 1 });
            last = error.clone();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    for (member, worked) in members.iter_mut().zip(worked) {
        member.idle((!worked).then_some(seconds));
    }
    Ok(())
}

/// Runs all work on the only member. Its failure is the error.
fn run_on_one<R, T, W>(member: &mut Member<R>, work: Work<'_, T, W>) -> Result<(), DeviceError>
where
    R: ?Sized,
    T: Copy + Default,
    W: Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError>,
{
    let Work { items, unit, out, work, .. } = work;
    let done = member.timed(items, unit, |resident| work(resident, 0..items, out));
    member.idle(None);
    if done.is_err() {
        out.fill(T::default());
    }
    done
}

/// Runs work on one member: the one that is predicted to be fastest for `items` items, or has the
/// largest share. If it fails, the next one is used.
///
/// # Errors
/// When no member is left.
pub(super) fn one<R: ?Sized, T>(
    members: &mut [Member<R>],
    schedule: &Schedule,
    items: usize,
    faults: &mut Vec<Fault>,
    work: impl Fn(&mut R) -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    let living = (0..members.len()).filter(|&index| members[index].is_alive());
    let order = match schedule {
        Schedule::Idle => least_first(living.map(|index| {
            let profile = members[index].profile(1.0);
            (profile.map_or(f64::INFINITY, |profile| profile.pace.seconds(items)), index)
        })),
        Schedule::Shares(shares) => {
            least_first(living.map(|index| (-shares.get(index).copied().unwrap_or(0.0), index)))
        }
    };
    let mut left = order.len();
    for (_, index) in order {
        left -= 1;
        match members[index].work(&work) {
            Ok(done) => return Ok(done),
            Err(error) if left == 0 => return Err(error),
            Err(error) => faults.push(Fault { error, left }),
        }
    }
    Err(none_left())
}

/// Returns the members in increasing order of a cost. The sort is stable.
fn least_first(members: impl Iterator<Item = (f64, usize)>) -> Vec<(f64, usize)> {
    let mut members: Vec<(f64, usize)> = members.collect();
    sort(&mut members, |one, other| one.0.total_cmp(&other.0));
    members
}

/// Sorts a short list. The sort is stable and compiles to little code; this module is compiled for
/// every kind of work.
fn sort<T>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    for end in 1..list.len() {
        let position = list[..end].partition_point(|before| order(before, &list[end]).is_le());
        list[position..=end].rotate_right(1);
    }
}

fn alive<R: ?Sized>(members: &[Member<R>]) -> usize {
    members.iter().filter(|member| member.is_alive()).count()
}

/// Returns the pieces of each member.
fn cut<R: ?Sized>(members: &[Member<R>], schedule: &Schedule, roots: usize, unit: f64) -> Pieces {
    let profiles: Vec<Option<DeviceProfile>> =
        members.iter().map(|member| member.profile(unit)).collect();
    let Schedule::Shares(shares) = schedule else { return assign(&profiles, roots) };
    let living: Vec<usize> =
        (0..members.len()).filter(|&index| profiles[index].is_some()).collect();
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

/// Processes all pieces, the largest part on this thread. Returns the failures, and the items that
/// were not processed.
fn round<R, T, W>(
    members: &mut [Member<R>],
    pieces: Pieces,
    work: Work<'_, T, &W>,
    steals: bool,
) -> (Vec<DeviceError>, Vec<Range<usize>>)
where
    R: ?Sized + Send,
    T: Copy + Default + Send,
    W: Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError> + Sync,
{
    let parts: Vec<usize> =
        pieces.iter().map(|own| own.iter().map(Range::len).sum::<usize>()).collect();
    let here = (0..parts.len()).max_by_key(|&index| parts[index]);
    let Work { width, unit, out, work, .. } = work;
    let profiles = members.iter().map(|member| member.profile(unit).unwrap_or_default()).collect();
    let queue = Mutex::new(Queue::new(profiles, pieces, width, out, steals));
    let (mut errors, mut panicked): (Vec<DeviceError>, Vec<_>) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let (mut mine, mut threads) = (None, Vec::new());
        for (index, member) in members.iter_mut().enumerate().filter(|(index, _)| parts[*index] > 0)
        {
            if Some(index) == here {
                mine = Some((index, member));
                continue;
            }
            let queue = &queue;
            let serve = move || serve(queue, unit, work, index, member);
            // If no thread can be started, the pieces remain and are assigned again.
            threads.extend(Builder::new().spawn_scoped(scope, serve).map(|thread| (index, thread)));
        }
        let own = mine.and_then(|(index, member)| serve(&queue, unit, work, index, member));
        for (index, thread) in threads {
            match thread.join() {
                Ok(failure) => errors.extend(failure),
                Err(panic) => panicked.push((index, panic)),
            }
        }
        errors.extend(own);
    });
    // Its piece was returned when its thread unwound.
    errors.extend(panicked.iter().map(|(index, panic)| members[*index].panicked(&**panic)));
    let queue = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A fixed order, independent of timing.
    sort(&mut errors, |one, other| one.device.cmp(&other.device));
    (errors, queue.left())
}

/// Processes pieces for one member until none is left or the member fails.
fn serve<R: ?Sized, T: Copy + Default>(
    queue: &Mutex<Queue<'_, T>>,
    unit: f64,
    work: &impl Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError>,
    index: usize,
    member: &mut Member<R>,
) -> Option<DeviceError> {
    loop {
        let piece = lock(queue).take(index)?;
        let mut in_progress = PieceInProgress { queue, items: Some(piece.items.clone()) };
        let Piece { items, out } = piece;
        let done = member.timed(items.len(), unit, |resident| work(resident, items, out));
        if let Err(error) = done {
            out.fill(T::default());
            return Some(error);
        }
        in_progress.items = None;
    }
}

/// A piece in progress. Dropping it returns the piece unless it was completed, even after a panic:
/// a piece must never count as completed by mistake.
struct PieceInProgress<'q, 'a, T> {
    queue: &'q Mutex<Queue<'a, T>>,
    items: Option<Range<usize>>,
}

impl<T> Drop for PieceInProgress<'_, '_, T> {
    fn drop(&mut self) {
        lock(self.queue).returned.extend(self.items.take());
    }
}

fn lock<'q, 'a, T>(queue: &'q Mutex<Queue<'a, T>>) -> MutexGuard<'q, Queue<'a, T>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sorts the pieces of all members by their first item.
fn sort_by_start(pieces: &mut [(usize, Range<usize>)]) {
    pieces.sort_by_key(|(_, items)| items.start);
}

/// Items, and the memory for their results.
struct Piece<'a, T> {
    items: Range<usize>,
    out: &'a mut [T],
}

/// The pieces that have not begun, by the member that they are assigned to.
struct Queue<'a, T> {
    profiles: Vec<DeviceProfile>,
    untouched: Vec<VecDeque<Piece<'a, T>>>,
    returned: Vec<Range<usize>>,
    /// Whether idle members take pieces from others.
    steals: bool,
}

impl<'a, T> Queue<'a, T> {
    fn new(
        profiles: Vec<DeviceProfile>,
        pieces: Pieces,
        width: usize,
        out: &'a mut [T],
        steals: bool,
    ) -> Queue<'a, T> {
        let mut untouched: Vec<VecDeque<Piece<'a, T>>> =
            pieces.iter().map(|_| VecDeque::new()).collect();
        let owned = |(owner, own): (usize, Vec<Range<usize>>)| {
            own.into_iter().map(move |items| (owner, items))
        };
        let mut all: Vec<(usize, Range<usize>)> =
            pieces.into_iter().enumerate().flat_map(owned).collect();
        sort_by_start(&mut all);
        let (mut rest, mut at) = (out, 0);
        for (owner, items) in all {
            let (_, from) = std::mem::take(&mut rest).split_at_mut((items.start - at) * width);
            let (out, after) = from.split_at_mut(items.len() * width);
            (rest, at) = (after, items.end);
            untouched[owner].push_back(Piece { items, out });
        }
        Queue { profiles, untouched, returned: Vec::new(), steals }
    }

    /// Takes the next piece of a member, or a piece of the member with the most remaining work.
    fn take(&mut self, member: usize) -> Option<Piece<'a, T>> {
        if let Some(piece) = self.untouched[member].pop_front() {
            return Some(piece);
        }
        let pace = |index: usize| &self.profiles[index].pace;
        let sizes = |owner: usize| -> Vec<usize> {
            self.untouched[owner].iter().map(|piece| piece.items.len()).collect()
        };
        let left = |owner: &usize| -> f64 {
            sizes(*owner).into_iter().map(|items| pace(*owner).seconds(items)).sum()
        };
        let owner = (0..self.untouched.len())
            .filter(|&owner| self.steals && should_take(pace(member), pace(owner), &sizes(owner)))
            .max_by(|one, other| left(one).total_cmp(&left(other)))?;
        self.untouched[owner].pop_back()
    }

    /// Returns the items that were not processed.
    fn left(self) -> Vec<Range<usize>> {
        let untouched = self.untouched.into_iter().flatten().map(|piece| piece.items);
        untouched.chain(self.returned).collect()
    }
}
