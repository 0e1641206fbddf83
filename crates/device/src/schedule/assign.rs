//! Who does what: the decision alone, without threads and clocks.
//!
//! Picture a fast worker and some slow ones before a heap of work. If the slow ones could take so little off the heap that
//! calling them would take longer, the fast one does it all, in one go. Otherwise everyone gets a part such that all would
//! end together: the fastest in one piece, the others in a few, so that whoever is done early can take what a slower one has
//! not begun. Somebody of whom nothing is known is given very little first.

use super::pace::{Pace, number};
use super::split::Schedule;
use std::ops::Range;

/// What the decision knows of a device.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub(super) pace: Pace,
    /// The seconds for which it had nothing to do, because it was thought not worth calling.
    pub(super) idle: f64,
}

/// The pieces of each device, in the order in which it takes them.
pub(super) type Pieces = Vec<Vec<Range<usize>>>;

/// Seconds to start a thread and wait for it: 36 microseconds where a core is free, and a margin for where none is.
const START: f64 = 75e-6;
/// The part of the time that must be gained before another device is called. Less is lost, because the processor also
/// builds the programs of the others: at a predicted gain of 6 % by 16 cores a GPU with 10,000 rules was 14 % slower.
const GAIN: f64 = 0.15;
/// How many pieces a device gets that is not the fastest.
const CUTS: usize = 4;
/// By how much those pieces may take longer than one.
const CUTTING: f64 = 1.1;
/// A device that is not called is tried again when that takes at most this part of the time since.
const LOOKING: f64 = 0.05;
/// The most roots for a device of which nothing is known.
const TRIAL: usize = 32;

/// Cuts a batch for some devices; `None` stands for one that has failed. The pieces cover the roots once, from the first
/// on, but not always all of them: while there are devices of which nothing is known only small trials are given out, and
/// the rest is to be decided afterwards.
pub(super) fn assign(devices: &[Option<Known>], roots: usize) -> Pieces {
    let living: Vec<(usize, Known)> = devices
        .iter()
        .enumerate()
        .filter_map(|(index, known)| known.map(|known| (index, known)))
        .collect();
    let mut pieces = vec![Vec::new(); devices.len()];
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    let unknown = |(_, known): &&(usize, Known)| known.pace.largest().is_none();
    match living[..] {
        [] => return pieces,
        [(index, _)] => sizes.push((index, roots)),
        _ if living.iter().any(|device| unknown(&device)) => {
            let trial = (roots / 256).clamp(1, TRIAL);
            let trials = living.iter().filter(unknown).map(|&(index, _)| (index, trial));
            sizes.extend(trials.take(roots));
        }
        _ => return shared(&living, roots, pieces),
    }
    let mut start = 0;
    for (index, size) in sizes.into_iter().filter(|&(_, size)| size > 0) {
        pieces[index].push(start..start + size);
        start += size;
    }
    pieces
}

/// Cuts a batch for two devices or more, all of known pace.
fn shared(living: &[(usize, Known)], roots: usize, mut pieces: Pieces) -> Pieces {
    let mut order: Vec<(usize, Known)> = living.to_vec();
    order.sort_by(|(_, one), (_, other)| {
        one.pace.seconds(roots).total_cmp(&other.pace.seconds(roots))
    });
    let paces: Vec<Pace> = order.iter().map(|(_, known)| known.pace).collect();
    let (working, seconds) = worth_calling(&paces, roots);
    let mut start = 0;
    for (index, known) in &order[working..] {
        let size = look(known, roots - start, seconds);
        if size > 0 {
            pieces[*index].push(start..start + size);
            start += size;
        }
    }
    let sizes = shares(&paces[..working], roots - start);
    for (place, ((index, known), size)) in order.iter().zip(sizes).enumerate() {
        let cuts = if place == 0 { 1 } else { cuts(&known.pace, size) };
        let ends =
            Schedule::ranges(size, &vec![1.0; cuts]).into_iter().filter(|cut| !cut.is_empty());
        pieces[*index].extend(ends.map(|cut| start + cut.start..start + cut.end));
        start += size;
    }
    pieces
}

/// How many of some devices, the fastest first, should share a batch, and how long it takes them.
fn worth_calling(paces: &[Pace], roots: usize) -> (usize, f64) {
    let mut best = (1, paces[0].seconds(roots));
    for working in 2..=paces.len() {
        let seconds = finish(&paces[..working], roots) + START * number(working - 1);
        if seconds < best.1 * (1.0 - GAIN) {
            best = (working, seconds);
        }
    }
    best
}

/// When the last of some devices is done with its part.
fn finish(paces: &[Pace], roots: usize) -> f64 {
    let sizes = shares(paces, roots);
    let parts = paces.iter().zip(sizes).enumerate().map(|(place, (pace, size))| {
        let cuts = if place == 0 { 1 } else { cuts(pace, size) };
        number(cuts) * pace.seconds(size.div_ceil(cuts))
    });
    parts.fold(0.0, f64::max)
}

/// The parts with which some devices would be done together. A part's size changes the pace, so it is found in a few rounds.
fn shares(paces: &[Pace], roots: usize) -> Vec<usize> {
    let mut sizes = vec![roots / paces.len().max(1); paces.len()];
    for _ in 0..4 {
        let speeds: Vec<f64> =
            paces.iter().zip(&sizes).map(|(pace, &size)| 1.0 / pace.per_root(size)).collect();
        sizes = Schedule::ranges(roots, &speeds).into_iter().map(|range| range.len()).collect();
    }
    sizes
}

/// Into how many pieces a slower device's part is cut: not where each call costs much by itself.
fn cuts(pace: &Pace, roots: usize) -> usize {
    let cut = number(CUTS) * pace.seconds(roots.div_ceil(CUTS));
    if roots >= CUTS && cut <= CUTTING * pace.seconds(roots) { CUTS } else { 1 }
}

/// What a device gets that is not called for its speed: as much as it can do meanwhile, if that is more than was ever seen
/// of it, for it may be better at larger pieces; or if it was left alone for long, for it may have been measured on a bad
/// day. Otherwise nothing.
fn look(known: &Known, roots: usize, seconds: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let meanwhile = (seconds / known.pace.per_root(roots)) as usize;
    let size = meanwhile.min(roots / 2);
    if known.pace.largest() < Some(Pace::class(size)) && size > 0 {
        return size;
    }
    let size = size.max(1).min(roots / 2);
    if START + known.pace.seconds(size) <= LOOKING * known.idle { size } else { 0 }
}

/// Whether an idle device should take the last of another's untouched pieces: only if it is done with it before the other
/// would be done with all of them.
pub(super) fn should_take(thief: &Pace, owner: &Pace, untouched: &[usize]) -> bool {
    let left: f64 = untouched.iter().map(|&roots| owner.seconds(roots)).sum();
    untouched.last().is_some_and(|&roots| thief.seconds(roots) < left)
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one piece is a piece")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A device with a fixed cost for each call and one for each root, as it looks once it has done pieces of some sizes.
    fn met(call: f64, root: f64, sizes: &[usize]) -> Option<Known> {
        let mut pace = Pace::default();
        sizes.iter().for_each(|&size| pace.note(size, call + root * number(size)));
        Some(Known { pace, idle: 0.0 })
    }

    fn device() -> impl Strategy<Value = Option<Known>> {
        let known =
            (0.0..1e-3f64, 1e-8..1e-3f64, prop::collection::vec(1usize..20_000, 0..5), 0.0..1.0f64);
        prop_oneof![
            1 => Just(None),
            6 => known.prop_map(|(call, root, sizes, idle)| {
                met(call, root, &sizes).map(|known| Known { idle, ..known })
            }),
        ]
    }

    fn covered(pieces: &Pieces) -> usize {
        pieces.iter().flatten().map(Range::len).sum()
    }

    proptest! {
        #[test]
        fn pieces_cover_the_roots_once_and_none_is_empty(
            devices in prop::collection::vec(device(), 1..6), roots in 1usize..30_000,
        ) {
            let pieces = assign(&devices, roots);
            let mut all: Vec<Range<usize>> = pieces.iter().flatten().cloned().collect();
            all.sort_by_key(|piece| piece.start);
            prop_assert!(all.iter().all(|piece| !piece.is_empty()));
            prop_assert!(all.windows(2).all(|pair| pair[0].end == pair[1].start));
            prop_assert!(all.first().is_none_or(|first| first.start == 0));
            let living: Vec<&Known> = devices.iter().flatten().collect();
            let unknown = living.iter().filter(|known| known.pace.largest().is_none()).count();
            match living.len() {
                0 => prop_assert_eq!(covered(&pieces), 0),
                // Only trials, but always at least one: every decision brings the end nearer.
                2.. if unknown > 0 => {
                    let most = unknown * TRIAL.min(roots / 256 + 1);
                    prop_assert!((1..=most.min(roots)).contains(&covered(&pieces)));
                }
                _ => prop_assert_eq!(covered(&pieces), roots),
            }
            for (device, own) in devices.iter().zip(&pieces) {
                prop_assert!(device.is_some() || own.is_empty(), "a device that failed gets nothing");
            }
        }

        #[test]
        fn together_is_never_thought_slower_than_alone(
            devices in prop::collection::vec(device(), 1..6), roots in 1usize..30_000,
        ) {
            // Nothing to look at again, so that speed alone decides.
            let devices: Vec<_> = devices.iter().flatten()
                .filter(|known| known.pace.largest().is_some())
                .map(|known| Some(Known { idle: 0.0, ..*known })).collect();
            let pieces = assign(&devices, roots);
            let alone = devices.iter().flatten().map(|known| known.pace.seconds(roots)).fold(f64::INFINITY, f64::min);
            for (known, own) in devices.iter().flatten().zip(&pieces) {
                let seconds: f64 = own.iter().map(|piece| known.pace.seconds(piece.len())).sum();
                prop_assert!(seconds <= alone * 1.001, "{seconds} of {alone}: {pieces:?}");
            }
        }

        #[test]
        fn whoever_was_left_alone_for_long_is_tried_again(
            roots in 2usize..30_000, slower in 1.0..1e4f64, seen in 1usize..1000,
        ) {
            let fast = met(6e-5, 1e-7, &[1, seen, roots]);
            let wrong = |idle| met(0.0, 1e-6 * slower, &[seen]).map(|known| Known { idle, ..known });
            let pieces = assign(&[fast, wrong(1e6)], roots);
            prop_assert!(covered(&pieces) == roots && !pieces[1].is_empty());
        }
    }

    #[test]
    fn a_much_faster_device_works_alone_in_one_piece() {
        let (cpu, gpu) = (met(0.0, 2e-5, &[4, 40, 4000]), met(6e-5, 1e-7, &[1, 4, 4000]));
        assert_eq!(assign(&[cpu, gpu], 4000), [vec![], vec![0..4000]]);
        // A few roots are not worth the trip.
        assert_eq!(assign(&[cpu, gpu], 2), [vec![0..2], vec![]]);
    }

    #[test]
    fn equals_share_and_the_first_keeps_its_part_whole() {
        let cpu = met(0.0, 1e-4, &[4, 40, 400, 4000]);
        let pieces = assign(&[cpu, cpu], 1000);
        assert_eq!(pieces, [vec![0..500], vec![500..625, 625..750, 750..875, 875..1000]]);
        // Where every call costs much, nothing is cut.
        let gpu = met(1e-2, 1e-5, &[100, 400, 1000]);
        assert_eq!(assign(&[gpu, gpu], 2000).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn the_unknown_get_little_and_are_then_known() {
        let new = Some(Known::default());
        assert_eq!(assign(&[new, new], 2560), [vec![0..10], vec![10..20]]);
        assert_eq!(assign(&[new, new], 1), [vec![0..1], vec![]]);
        assert_eq!(assign(&[met(0.0, 1e-6, &[5]), new], 1_000_000), [vec![], vec![0..32]]);
        assert_eq!(assign(&[None, new], 700), [vec![], vec![0..700]]);
    }

    /// The trial of a GPU says little: nearly all of it is the cost of a call. It must not be judged by that for ever.
    #[test]
    fn a_device_that_is_good_at_large_pieces_is_found_out() {
        let (call, root) = (6e-5, 1e-8);
        let (mut cpu, mut gpu) = (met(0.0, 2e-7, &[15]), met(call, root, &[15]));
        let mut batches = 0;
        loop {
            let pieces = assign(&[cpu, gpu], 4000);
            if pieces[0].is_empty() {
                break;
            }
            for piece in &pieces[1] {
                gpu.as_mut().unwrap().pace.note(piece.len(), call + root * number(piece.len()));
            }
            for piece in &pieces[0] {
                cpu.as_mut().unwrap().pace.note(piece.len(), 2e-7 * number(piece.len()));
            }
            batches += 1;
            assert!(batches < 10, "{pieces:?}");
        }
    }

    #[test]
    fn pieces_are_taken_over_only_by_those_who_are_done_sooner() {
        let (slow, fast) =
            (met(0.0, 1e-3, &[10]).unwrap().pace, met(0.0, 1e-5, &[10]).unwrap().pace);
        assert!(should_take(&fast, &slow, &[10]));
        assert!(!should_take(&slow, &fast, &[10, 10, 10]));
        assert!(should_take(&slow, &slow, &[10, 10]));
        assert!(!should_take(&fast, &slow, &[]));
    }
}
