//! Bits to bits: an OR of ANDs of slots.

use super::simd::Simd;
use crate::bits::Block;
use crate::kernel::{Groups, Plan};

/// The bits of a part or root, kept in registers.
#[inline(always)]
pub(super) fn combine<S: Simd, const N: usize>(simd: S, plan: &Plan, groups: Groups, slots: &[[Block; N]]) -> [S::Bits; N] {
    let (lengths, mut literals) = plan.groups(groups);
    let load = |slot: u32| -> [S::Bits; N] {
        let blocks = &slots[slot as usize];
        std::array::from_fn(|index| simd.load(&blocks[index]))
    };
    let mut any = [simd.splat(false); N];
    for &length in lengths {
        let (group, rest) = literals.split_at(length as usize);
        literals = rest;
        let mut all = load(group[0]);
        for &slot in &group[1..] {
            let blocks = load(slot);
            all = std::array::from_fn(|index| simd.and(all[index], blocks[index]));
        }
        any = std::array::from_fn(|index| simd.or(any[index], all[index]));
    }
    if groups.complement { any.map(|bits| simd.not(bits)) } else { any }
}
