//! Combines bits: an OR of ANDs of slots.

use crate::plan::{Groups, Plan};
use pellucid_bits::{Block, Simd, invert, load};

/// Returns the bits of a part or root for `H` of the `N` blocks of its slots, kept in registers.
#[inline(always)]
pub(super) fn combine<S: Simd, const N: usize, const H: usize>(
    simd: S,
    plan: &Plan,
    groups: Groups,
    slots: &[[Block; N]],
    from: usize,
) -> [S::Bits; H] {
    let (lengths, mut literals) = plan.groups(groups);
    let mut any = [simd.splat(false); H];
    // Most formulas are one conjunction and need no OR.
    if let Some((&first, others)) = lengths.split_first() {
        any = conjunction::<S, N, H>(simd, &literals[..first as usize], slots, from);
        literals = &literals[first as usize..];
        for &length in others {
            let (group, rest) = literals.split_at(length as usize);
            literals = rest;
            let all = conjunction::<S, N, H>(simd, group, slots, from);
            for (any, all) in any.iter_mut().zip(all) {
                *any = simd.or(*any, all);
            }
        }
    }
    if groups.complement { invert(simd, any) } else { any }
}

/// Returns the AND of slots.
#[inline(always)]
fn conjunction<S: Simd, const N: usize, const H: usize>(
    simd: S,
    group: &[u32],
    slots: &[[Block; N]],
    from: usize,
) -> [S::Bits; H] {
    let mut all = load(simd, part::<N, H>(slots, group[0], from));
    let (pairs, single) = group[1..].as_chunks::<2>();
    for &[one, other] in pairs {
        let (one, other) = (part::<N, H>(slots, one, from), part::<N, H>(slots, other, from));
        for index in 0..H {
            all[index] = simd.and3(all[index], simd.load(&one[index]), simd.load(&other[index]));
        }
    }
    if let Some(&slot) = single.first() {
        for (all, block) in all.iter_mut().zip(part::<N, H>(slots, slot, from)) {
            *all = simd.and(*all, simd.load(block));
        }
    }
    all
}

/// Returns `H` blocks of a slot.
#[inline(always)]
fn part<const N: usize, const H: usize>(
    slots: &[[Block; N]],
    slot: u32,
    from: usize,
) -> &[Block; H] {
    &slots[slot as usize].as_chunks().0[from / H]
}
