//! How a batch is assigned to devices. This module only decides; it uses no threads or clocks.
//!
//! If the slower devices would save less time than it takes to call them, the fastest device does
//! the whole batch in one piece. Otherwise every device gets a part such that all should finish
//! together. The fastest gets one piece, the others get a few, so that a device that finishes early
//! can take pieces that a slower one has not begun. A device of unknown speed first gets a small
//! trial.

use super::pace::{Pace, number};
use super::split::Schedule;
use std::ops::Range;

/// The measured speed and the idle time of a device.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DeviceProfile {
    pub(super) pace: Pace,
    /// The seconds since it was last used, if others were used instead.
    pub(super) idle: f64,
}

/// The pieces of each device, in order.
pub(super) type Pieces = Vec<Vec<Range<usize>>>;

/// Seconds to start a thread and wait for it: 36 microseconds if a core is free, with a margin if
/// none is.
const THREAD_START: f64 = 75e-6;
/// The share of the time that another device must save to be used. Predicted gains below it turn
/// into losses, because the CPU also builds the programs for the other devices: with a predicted
/// gain of 6 % from 16 cores, a GPU with 10,000 rules was 14 % slower.
const MIN_GAIN: f64 = 0.15;
/// The number of pieces for each device except the fastest.
const CUTS: usize = 4;
/// The largest factor by which these pieces together may take longer than one.
const MAX_CUT_COST: f64 = 1.1;
/// An unused device is tried again if the trial takes at most this share of the time since its last
/// use.
const TRIAL_SHARE: f64 = 0.05;
/// The largest number of roots in the trial of a device of unknown speed.
const TRIAL: usize = 32;

/// Splits a batch over devices; `None` stands for a device that has failed. The pieces do not
/// overlap and start at the first root. They do not always cover all roots: while the speed of a
/// device is unknown, only small trials are assigned, and the rest is decided later.
pub(super) fn assign(devices: &[Option<DeviceProfile>], roots: usize) -> Pieces {
    let living: Vec<(usize, DeviceProfile)> = devices
        .iter()
        .enumerate()
        .filter_map(|(index, profile)| profile.map(|profile| (index, profile)))
        .collect();
    let mut pieces = vec![Vec::new(); devices.len()];
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    let is_unknown = |(_, profile): &&(usize, DeviceProfile)| profile.pace.largest().is_none();
    match living[..] {
        [] => return pieces,
        [(index, _)] => sizes.push((index, roots)),
        _ if living.iter().any(|device| is_unknown(&device)) => {
            let trial = (roots / 256).clamp(1, TRIAL);
            let trials = living.iter().filter(is_unknown).map(|&(index, _)| (index, trial));
            sizes.extend(trials.take(roots));
        }
        _ => return share_batch(&living, roots, pieces),
    }
    let mut start = 0;
    for (index, size) in sizes.into_iter().filter(|&(_, size)| size > 0) {
        pieces[index].push(start..start + size);
        start += size;
    }
    pieces
}

/// Splits a batch over two or more devices of known speed.
fn share_batch(living: &[(usize, DeviceProfile)], roots: usize, mut pieces: Pieces) -> Pieces {
    let mut order: Vec<(usize, DeviceProfile)> = living.to_vec();
    order.sort_by(|(_, one), (_, other)| {
        one.pace.seconds(roots).total_cmp(&other.pace.seconds(roots))
    });
    let paces: Vec<Pace> = order.iter().map(|(_, profile)| profile.pace).collect();
    let (working, seconds) = worth_calling(&paces, roots);
    let mut start = 0;
    for (index, profile) in &order[working..] {
        let size = trial_size(profile, roots - start, seconds);
        if size > 0 {
            pieces[*index].push(start..start + size);
            start += size;
        }
    }
    let sizes = shares(&paces[..working], roots - start);
    for (rank, ((index, profile), size)) in order.iter().zip(sizes).enumerate() {
        let cuts = if rank == 0 { 1 } else { cuts(&profile.pace, size) };
        let ends =
            Schedule::ranges(size, &vec![1.0; cuts]).into_iter().filter(|cut| !cut.is_empty());
        pieces[*index].extend(ends.map(|cut| start + cut.start..start + cut.end));
        start += size;
    }
    pieces
}

/// Returns how many devices, fastest first, should share a batch, and the predicted time.
fn worth_calling(paces: &[Pace], roots: usize) -> (usize, f64) {
    let mut best = (1, paces[0].seconds(roots));
    for working in 2..=paces.len() {
        let seconds = finish(&paces[..working], roots) + THREAD_START * number(working - 1);
        if seconds < best.1 * (1.0 - MIN_GAIN) {
            best = (working, seconds);
        }
    }
    best
}

/// Returns the time at which the last of these devices finishes its part.
fn finish(paces: &[Pace], roots: usize) -> f64 {
    let sizes = shares(paces, roots);
    let parts = paces.iter().zip(sizes).enumerate().map(|(rank, (pace, size))| {
        let cuts = if rank == 0 { 1 } else { cuts(pace, size) };
        number(cuts) * pace.seconds(size.div_ceil(cuts))
    });
    parts.fold(0.0, f64::max)
}

/// Returns part sizes such that all devices finish together. The speed depends on the size of a
/// part, so this takes a few iterations.
fn shares(paces: &[Pace], roots: usize) -> Vec<usize> {
    let mut sizes = vec![roots / paces.len().max(1); paces.len()];
    for _ in 0..4 {
        let speeds: Vec<f64> =
            paces.iter().zip(&sizes).map(|(pace, &size)| 1.0 / pace.per_root(size)).collect();
        sizes = Schedule::ranges(roots, &speeds).into_iter().map(|range| range.len()).collect();
    }
    sizes
}

/// Returns the number of pieces for the part of a slower device: one if each call has a high fixed
/// cost.
fn cuts(pace: &Pace, roots: usize) -> usize {
    let cut = number(CUTS) * pace.seconds(roots.div_ceil(CUTS));
    if roots >= CUTS && cut <= MAX_CUT_COST * pace.seconds(roots) { CUTS } else { 1 }
}

/// Returns the size of a trial for a device that is too slow to be used, or 0. It is as much as the
/// device can do in the meantime, if that is more than it has ever done, because it may be faster
/// with larger pieces. A device that was not used for long also gets a trial, because an earlier
/// measurement may have been unlucky.
fn trial_size(profile: &DeviceProfile, roots: usize, seconds: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let meanwhile = (seconds / profile.pace.per_root(roots)) as usize;
    let size = meanwhile.min(roots / 2);
    if profile.pace.largest() < Some(Pace::class(size)) && size > 0 {
        return size;
    }
    let size = size.max(1).min(roots / 2);
    if THREAD_START + profile.pace.seconds(size) <= TRIAL_SHARE * profile.idle { size } else { 0 }
}

/// Returns whether an idle device should take the last piece that another device has not begun:
/// only if it finishes this piece before the other would finish all of them.
pub(super) fn should_take(thief: &Pace, owner: &Pace, untouched: &[usize]) -> bool {
    let left: f64 = untouched.iter().map(|&roots| owner.seconds(roots)).sum();
    untouched.last().is_some_and(|&roots| thief.seconds(roots) < left)
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "lists of one piece are intended")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a device with a fixed cost per call and a cost per root, after pieces of the given
    /// sizes.
    fn measured(call: f64, root: f64, sizes: &[usize]) -> Option<DeviceProfile> {
        let mut pace = Pace::default();
        sizes.iter().for_each(|&size| pace.note(size, call + root * number(size)));
        Some(DeviceProfile { pace, idle: 0.0 })
    }

    fn device() -> impl Strategy<Value = Option<DeviceProfile>> {
        let values =
            (0.0..1e-3f64, 1e-8..1e-3f64, prop::collection::vec(1usize..20_000, 0..5), 0.0..1.0f64);
        prop_oneof![
            1 => Just(None),
            6 => values.prop_map(|(call, root, sizes, idle)| {
                measured(call, root, &sizes).map(|profile| DeviceProfile { idle, ..profile })
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
            let living: Vec<&DeviceProfile> = devices.iter().flatten().collect();
            let unknown = living.iter().filter(|profile| profile.pace.largest().is_none()).count();
            match living.len() {
                0 => prop_assert_eq!(covered(&pieces), 0),
                // Only trials, but at least one, so that every call makes progress.
                2.. if unknown > 0 => {
                    let most = unknown * TRIAL.min(roots / 256 + 1);
                    prop_assert!((1..=most.min(roots)).contains(&covered(&pieces)));
                }
                _ => prop_assert_eq!(covered(&pieces), roots),
            }
            for (device, own) in devices.iter().zip(&pieces) {
                prop_assert!(device.is_some() || own.is_empty(), "a failed device gets no work");
            }
        }

        #[test]
        fn sharing_is_never_predicted_slower_than_the_fastest_device(
            devices in prop::collection::vec(device(), 1..6), roots in 1usize..30_000,
        ) {
            // No trials, so that only the speed decides.
            let devices: Vec<_> = devices.iter().flatten()
                .filter(|profile| profile.pace.largest().is_some())
                .map(|profile| Some(DeviceProfile { idle: 0.0, ..*profile })).collect();
            let pieces = assign(&devices, roots);
            let alone = devices.iter().flatten().map(|profile| profile.pace.seconds(roots));
            let alone = alone.fold(f64::INFINITY, f64::min);
            for (profile, own) in devices.iter().flatten().zip(&pieces) {
                let seconds: f64 = own.iter().map(|piece| profile.pace.seconds(piece.len())).sum();
                prop_assert!(seconds <= alone * 1.001, "{seconds} of {alone}: {pieces:?}");
            }
        }

        #[test]
        fn a_device_that_was_unused_for_long_is_tried_again(
            roots in 2usize..30_000, slower in 1.0..1e4f64, seen in 1usize..1000,
        ) {
            let fast = measured(6e-5, 1e-7, &[1, seen, roots]);
            let slow = measured(0.0, 1e-6 * slower, &[seen]);
            let slow = slow.map(|profile| DeviceProfile { idle: 1e6, ..profile });
            let pieces = assign(&[fast, slow], roots);
            prop_assert!(covered(&pieces) == roots && !pieces[1].is_empty());
        }
    }

    #[test]
    fn a_much_faster_device_works_alone_in_one_piece() {
        let (cpu, gpu) = (measured(0.0, 2e-5, &[4, 40, 4000]), measured(6e-5, 1e-7, &[1, 4, 4000]));
        assert_eq!(assign(&[cpu, gpu], 4000), [vec![], vec![0..4000]]);
        // For a few roots, calling the GPU takes too long.
        assert_eq!(assign(&[cpu, gpu], 2), [vec![0..2], vec![]]);
    }

    #[test]
    fn equal_devices_share_and_the_first_gets_one_piece() {
        let cpu = measured(0.0, 1e-4, &[4, 40, 400, 4000]);
        let pieces = assign(&[cpu, cpu], 1000);
        assert_eq!(pieces, [vec![0..500], vec![500..625, 625..750, 750..875, 875..1000]]);
        // If calls have a high fixed cost, nothing is cut.
        let gpu = measured(1e-2, 1e-5, &[100, 400, 1000]);
        assert_eq!(assign(&[gpu, gpu], 2000).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn devices_of_unknown_speed_get_small_trials() {
        let new = Some(DeviceProfile::default());
        assert_eq!(assign(&[new, new], 2560), [vec![0..10], vec![10..20]]);
        assert_eq!(assign(&[new, new], 1), [vec![0..1], vec![]]);
        assert_eq!(assign(&[measured(0.0, 1e-6, &[5]), new], 1_000_000), [vec![], vec![0..32]]);
        assert_eq!(assign(&[None, new], 700), [vec![], vec![0..700]]);
    }

    /// The trial of a GPU measures mostly the fixed cost of a call. Later decisions must correct
    /// it.
    #[test]
    fn a_device_that_is_fast_with_large_pieces_is_detected() {
        let (call, root) = (6e-5, 1e-8);
        let (mut cpu, mut gpu) = (measured(0.0, 2e-7, &[15]), measured(call, root, &[15]));
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
    fn a_piece_is_taken_over_only_by_a_device_that_finishes_sooner() {
        let (slow, fast) =
            (measured(0.0, 1e-3, &[10]).unwrap().pace, measured(0.0, 1e-5, &[10]).unwrap().pace);
        assert!(should_take(&fast, &slow, &[10]));
        assert!(!should_take(&slow, &fast, &[10, 10, 10]));
        assert!(should_take(&slow, &slow, &[10, 10]));
        assert!(!should_take(&fast, &slow, &[]));
    }
}
