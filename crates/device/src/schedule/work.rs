//! The work itself: threads, clocks, and what to do when a device fails.

use super::assign::{Known, Pieces, assign, should_take};
use super::member::none_left;
use super::{Fault, Member, Schedule};
use crate::DeviceError;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Instant;

/// Items that are done one like the other, and where what comes of them goes.
pub struct Work<'a, T, W> {
    /// How many items there are.
    pub items: usize,
    /// How many numbers come of each.
    pub width: usize,
    /// How much work an item is, so that paces met with other work can be made use of.
    pub unit: f64,
    /// All as they are when nothing was done: `T::default()`.
    pub out: &'a mut [T],
    /// Does some of the items on what a device holds.
    pub work: W,
}

/// Does some work on all members together. Members that fail are left out from then on.
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
        return alone(only, work);
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
            // The last failure is the error itself, not one of those from which work went to others.
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
        let helps = *schedule == Schedule::Idle;
        let this_round = Work { items, width, unit, out: &mut *out, work: &work };
        let (errors, left) = round(members, pieces, this_round, helps);
        open.extend(left);
        for (place, error) in errors.iter().enumerate() {
            faults.push(Fault { error: error.clone(), left: living - place - 1 });
            last = error.clone();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    for (member, worked) in members.iter_mut().zip(worked) {
        member.idle((!worked).then_some(seconds));
    }
    Ok(())
}

/// Does all of some work on the one member there is: nothing to cut, nobody to wait for, and its failure is the outcome.
fn alone<R, T, W>(member: &mut Member<R>, work: Work<'_, T, W>) -> Result<(), DeviceError>
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

/// Has one member do something: the one thought fastest with so many items, or with the largest share; if it fails, the next.
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
            let known = members[index].known(1.0);
            (known.map_or(f64::INFINITY, |known| known.pace.seconds(items)), index)
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

/// Members by what speaks against them, those alike as they come.
fn least_first(members: impl Iterator<Item = (f64, usize)>) -> Vec<(f64, usize)> {
    let mut members: Vec<(f64, usize)> = members.collect();
    sort(&mut members, |one, other| one.0.total_cmp(&other.0));
    members
}

/// A stable sort of a few, without the code of one for many: all of this is compiled for every kind of work.
fn sort<T>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    for end in 1..list.len() {
        let place = list[..end].partition_point(|before| order(before, &list[end]).is_le());
        list[place..=end].rotate_right(1);
    }
}

fn alive<R: ?Sized>(members: &[Member<R>]) -> usize {
    members.iter().filter(|member| member.is_alive()).count()
}

/// The pieces of each member.
fn cut<R: ?Sized>(members: &[Member<R>], schedule: &Schedule, roots: usize, unit: f64) -> Pieces {
    let known: Vec<Option<Known>> = members.iter().map(|member| member.known(unit)).collect();
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

/// Has all pieces done, the largest part on this thread. Gives back the failures, and the items that nobody did.
fn round<R, T, W>(
    members: &mut [Member<R>],
    pieces: Pieces,
    work: Work<'_, T, &W>,
    helps: bool,
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
    let known = members.iter().map(|member| member.known(unit).unwrap_or_default()).collect();
    let queue = Mutex::new(Queue::new(known, pieces, width, out, helps));
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
            // If the system gives no thread the pieces are left over and come up again.
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
    // What it had in hand came back when its thread unwound.
    errors.extend(panicked.iter().map(|(index, panic)| members[*index].panicked(&**panic)));
    let queue = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    // In a fixed order, whoever was first.
    sort(&mut errors, |one, other| one.device.cmp(&other.device));
    (errors, queue.left())
}

/// Takes work for one member until there is none or the member fails.
fn serve<R: ?Sized, T: Copy + Default>(
    queue: &Mutex<Queue<'_, T>>,
    unit: f64,
    work: &impl Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError>,
    index: usize,
    member: &mut Member<R>,
) -> Option<DeviceError> {
    loop {
        let piece = locked(queue).take(index)?;
        let mut in_hand = InHand { queue, items: Some(piece.items.clone()) };
        let Piece { items, out } = piece;
        let done = member.timed(items.len(), unit, |resident| work(resident, items, out));
        if let Err(error) = done {
            out.fill(T::default());
            return Some(error);
        }
        in_hand.items = None;
    }
}

/// A piece that somebody works on. It goes back if it was not done, also where whoever had it panicked: the one thing that
/// may never happen is that it is taken for done.
struct InHand<'q, 'a, T> {
    queue: &'q Mutex<Queue<'a, T>>,
    items: Option<Range<usize>>,
}

impl<T> Drop for InHand<'_, '_, T> {
    fn drop(&mut self) {
        locked(self.queue).returned.extend(self.items.take());
    }
}

fn locked<'q, 'a, T>(queue: &'q Mutex<Queue<'a, T>>) -> MutexGuard<'q, Queue<'a, T>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pieces of all members from the first to the last.
fn in_order(pieces: &mut [(usize, Range<usize>)]) {
    pieces.sort_by_key(|(_, items)| items.start);
}

/// Some items, and where what comes of them goes.
struct Piece<'a, T> {
    items: Range<usize>,
    out: &'a mut [T],
}

/// The pieces nobody has begun, by the member they were meant for.
struct Queue<'a, T> {
    known: Vec<Known>,
    untouched: Vec<VecDeque<Piece<'a, T>>>,
    returned: Vec<Range<usize>>,
    /// Whether whoever is done takes pieces of others.
    helps: bool,
}

impl<'a, T> Queue<'a, T> {
    fn new(
        known: Vec<Known>,
        pieces: Pieces,
        width: usize,
        out: &'a mut [T],
        helps: bool,
    ) -> Queue<'a, T> {
        let mut untouched: Vec<VecDeque<Piece<'a, T>>> =
            pieces.iter().map(|_| VecDeque::new()).collect();
        let owned = |(owner, own): (usize, Vec<Range<usize>>)| {
            own.into_iter().map(move |items| (owner, items))
        };
        let mut all: Vec<(usize, Range<usize>)> =
            pieces.into_iter().enumerate().flat_map(owned).collect();
        in_order(&mut all);
        let (mut rest, mut at) = (out, 0);
        for (owner, items) in all {
            let (_, from) = std::mem::take(&mut rest).split_at_mut((items.start - at) * width);
            let (out, after) = from.split_at_mut(items.len() * width);
            (rest, at) = (after, items.end);
            untouched[owner].push_back(Piece { items, out });
        }
        Queue { known, untouched, returned: Vec::new(), helps }
    }

    /// A member's next piece, or one of the member that has most left to do.
    fn take(&mut self, member: usize) -> Option<Piece<'a, T>> {
        if let Some(piece) = self.untouched[member].pop_front() {
            return Some(piece);
        }
        let pace = |index: usize| &self.known[index].pace;
        let sizes = |owner: usize| -> Vec<usize> {
            self.untouched[owner].iter().map(|piece| piece.items.len()).collect()
        };
        let left = |owner: &usize| -> f64 {
            sizes(*owner).into_iter().map(|items| pace(*owner).seconds(items)).sum()
        };
        let owner = (0..self.untouched.len())
            .filter(|&owner| self.helps && should_take(pace(member), pace(owner), &sizes(owner)))
            .max_by(|one, other| left(one).total_cmp(&left(other)))?;
        self.untouched[owner].pop_back()
    }

    /// What nobody did.
    fn left(self) -> Vec<Range<usize>> {
        let untouched = self.untouched.into_iter().flatten().map(|piece| piece.items);
        untouched.chain(self.returned).collect()
    }
}
