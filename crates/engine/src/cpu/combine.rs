//! Bits to bits: an OR of ANDs of slots.

use super::simd::{Simd, invert, load};
use crate::bits::Block;
use crate::kernel::{Groups, Plan};

/// The bits of a part or root for `H` of the `N` blocks of its slots, kept in registers.
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
    for &length in lengths {
        let (group, rest) = literals.split_at(length as usize);
        literals = rest;
        let mut all = load(simd, part::<N, H>(slots, group[0], from));
        let (pairs, single) = group[1..].as_chunks::<2>();
        for &[one, other] in pairs {
            let blocks =
                part::<N, H>(slots, one, from).iter().zip(part::<N, H>(slots, other, from));
            for (all, (one, other)) in all.iter_mut().zip(blocks) {
                *all = simd.and3(*all, simd.load(one), simd.load(other));
            }
        }
        for &slot in single {
            for (all, block) in all.iter_mut().zip(part::<N, H>(slots, slot, from)) {
                *all = simd.and(*all, simd.load(block));
            }
        }
        for (any, all) in any.iter_mut().zip(all) {
            *any = simd.or(*any, all);
        }
    }
    if groups.complement { invert(simd, any) } else { any }
}

/// `H` blocks of a slot.
#[inline(always)]
fn part<const N: usize, const H: usize>(
    slots: &[[Block; N]],
    slot: u32,
    from: usize,
) -> &[Block; H] {
    &slots[slot as usize].as_chunks().0[from / H]
}
