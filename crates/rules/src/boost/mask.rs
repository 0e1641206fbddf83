//! Sums over masks with one byte per example, which the compiler turns into vector instructions.
//!
//! The loops are written out: an iterator that is summed in a closure is compiled on its own, without the
//! instructions of the level, and takes five times as long.

use super::members::Members;
use super::stepped::UNKNOWN;
use super::sums::{Contribution, Sums};
use super::test::StepSet;
use pellucid_bits::{Kernel, Simd};

/// A member of a mask; other examples have 0.
pub(super) const MEMBER: u8 = u8::MAX;
/// The number of examples that are added at once.
const LANES: usize = 8;

/// The contributions of several examples, kind by kind.
pub(super) type Lanes = [[i32; LANES]; 4];

/// Returns contributions in groups, the last one filled with zeros.
pub(super) fn in_lanes(parts: &[Contribution]) -> Vec<Lanes> {
    let group = |parts: &[Contribution]| {
        let mut lanes = Lanes::default();
        for (lane, part) in parts.iter().enumerate() {
            (0..4).for_each(|kind| lanes[kind][lane] = part.0[kind]);
        }
        lanes
    };
    parts.chunks(LANES).map(group).collect()
}

/// Sums in lanes, which are added up at the end.
#[derive(Clone, Copy, Default)]
struct LaneSums([[i64; LANES]; 4]);

impl LaneSums {
    /// Adds the contributions of the members among some examples.
    #[inline(always)]
    fn add(&mut self, parts: &Lanes, members: [u8; LANES]) {
        let mut all = [0; LANES];
        for lane in 0..LANES {
            // All bits of a member, and none of another example.
            all[lane] = i64::from(members[lane].cast_signed());
        }
        for (own, parts) in self.0.iter_mut().zip(parts) {
            for ((own, &part), all) in own.iter_mut().zip(parts).zip(all) {
                *own += i64::from(part) & all;
            }
        }
    }

    #[inline(always)]
    fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for kind in 0..4 {
            for lane in 0..LANES {
                sums.0[kind] += self.0[kind][lane];
            }
        }
        sums
    }
}

/// Returns some examples of a column or mask, filled with zeros at the end.
#[inline(always)]
fn group(bytes: &[u8], index: usize) -> [u8; LANES] {
    let rest = &bytes[index * LANES..];
    match rest.first_chunk() {
        Some(group) => *group,
        None => {
            let mut group = [0; LANES];
            group[..rest.len()].copy_from_slice(rest);
            group
        }
    }
}

/// Returns the digest and the sums of a mask.
pub(super) struct MaskSums<'a> {
    pub(super) mask: &'a [u8],
    pub(super) parts: &'a [Lanes],
    pub(super) digests: &'a [u64],
}

impl Kernel for MaskSums<'_> {
    type Output = (Members, Sums);

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> (Members, Sums) {
        let (mut count, mut digest) = (0u64, 0u64);
        for (&member, &own) in self.mask.iter().zip(self.digests) {
            count += u64::from(member & 1);
            digest = digest.wrapping_add(own & i64::from(member.cast_signed()).cast_unsigned());
        }
        let mut sums = LaneSums::default();
        for (index, parts) in self.parts.iter().enumerate() {
            sums.add(parts, group(self.mask, index));
        }
        (Members { count, sum: digest }, sums.sums())
    }
}

/// Returns the sums over the examples of a mask whose step is at most each of some cut points.
pub(super) struct SumsUpTo<'a, const N: usize> {
    pub(super) steps: &'a [u8],
    pub(super) mask: &'a [u8],
    pub(super) parts: &'a [Lanes],
    pub(super) cuts: [u8; N],
}

impl<const N: usize> Kernel for SumsUpTo<'_, N> {
    type Output = [Sums; N];

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> [Sums; N] {
        let mut sums = [LaneSums::default(); N];
        for (index, parts) in self.parts.iter().enumerate() {
            let (steps, mask) = (group(self.steps, index), group(self.mask, index));
            for (sums, cut) in sums.iter_mut().zip(self.cuts) {
                let mut members = [0; LANES];
                for lane in 0..LANES {
                    members[lane] = if steps[lane] <= cut { mask[lane] } else { 0 };
                }
                sums.add(parts, members);
            }
        }
        let mut found = [Sums::default(); N];
        for (found, sums) in found.iter_mut().zip(&sums) {
            *found = sums.sums();
        }
        found
    }
}

/// The first and the last step of a mask.
pub(super) struct StepEnds {
    pub(super) first: u8,
    pub(super) last: u8,
    pub(super) has_missing: bool,
}

/// Returns the first and the last known step of a mask.
pub(super) struct Ends<'a> {
    pub(super) steps: &'a [u8],
    pub(super) mask: &'a [u8],
}

impl Kernel for Ends<'_> {
    type Output = StepEnds;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> StepEnds {
        let (mut first, mut last, mut most) = (UNKNOWN, 0, 0);
        for (&step, &member) in self.steps.iter().zip(self.mask) {
            // Other examples count as the last step from below, and as the first from above.
            let own = step & member;
            first = first.min(step | !member);
            most = most.max(own);
            last = last.max(if own == UNKNOWN { 0 } else { own });
        }
        StepEnds { first, last, has_missing: most == UNKNOWN }
    }
}

/// Writes the mask of the examples of another mask that satisfy a condition.
pub(super) struct Narrow<'a> {
    pub(super) steps: &'a [u8],
    pub(super) old: &'a [u8],
    pub(super) set: StepSet,
    pub(super) mask: &'a mut [u8],
}

impl Kernel for Narrow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let examples = self.mask.iter_mut().zip(self.steps).zip(self.old);
        let keep = |holds: bool, member: u8| if holds { member } else { 0 };
        match self.set {
            StepSet::UpTo(last) => examples.for_each(|((mask, &step), &old)| {
                *mask = keep(step <= last, old);
            }),
            StepSet::Above(last) => examples.for_each(|((mask, &step), &old)| {
                *mask = keep(step > last && step != UNKNOWN, old);
            }),
            set @ StepSet::Among(_) => examples.for_each(|((mask, &step), &old)| {
                *mask = keep(set.contains(step), old);
            }),
        }
    }
}

/// Adds contributions to the sums of their steps; steps beyond the last one count as the last. Two histograms
/// alternate, so that an example need not wait for the previous write.
pub(super) struct ByStep<'a> {
    pub(super) steps: &'a [u8],
    pub(super) list: &'a [u32],
    pub(super) parts: &'a [Contribution],
    pub(super) even: &'a mut [Sums],
    pub(super) odd: &'a mut [Sums],
}

impl Kernel for ByStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let last = self.even.len() - 1;
        let step = |example: u32| usize::from(self.steps[example as usize]).min(last);
        let (pairs, rest) = self.list.as_chunks::<2>();
        for &[one, other] in pairs {
            self.even[step(one)].count(&self.parts[one as usize]);
            self.odd[step(other)].count(&self.parts[other as usize]);
        }
        for &example in rest {
            self.even[step(example)].count(&self.parts[example as usize]);
        }
    }
}
