//! What the bits of an extent stand for.

use super::prepare::Prepared;

/// For every bit of an extent the row of the context it stands for and how many objects have that row. Kept only as far as
/// somebody asks.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// How many objects, if not one each.
    weights: Vec<u32>,
    /// Which row, if extents are wanted.
    rows: Vec<u32>,
}

impl Slots {
    pub(super) fn of(prepared: &Prepared, extents: bool) -> Slots {
        let weighted = prepared.weights.iter().any(|&weight| weight != 1);
        let rows = if extents {
            (0..super::prepare::number(prepared.weights.len())).collect()
        } else {
            Vec::new()
        };
        Slots { weights: if weighted { prepared.weights.clone() } else { Vec::new() }, rows }
    }

    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.weights.is_empty()
    }

    /// Whether there is nothing to keep.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.weights.is_empty() && self.rows.is_empty()
    }

    /// The slots of the bits that `extent` has, side by side, where whole words are left out (and nothing else) unless
    /// `packed`.
    pub(super) fn narrowed(&mut self, from: &Slots, planes: &[u32], extent: &[u64], packed: bool) {
        narrow(&mut self.weights, &from.weights, planes, extent, packed);
        narrow(&mut self.rows, &from.rows, planes, extent, packed);
    }

    /// How many objects some words of an extent have, the first of them word `plane` of all.
    #[inline(always)]
    pub(super) fn weight_of_word(&self, plane: usize, word: u64) -> u64 {
        if self.weights.is_empty() {
            return u64::from(word.count_ones());
        }
        let (mut sum, mut left) = (0, word);
        while left != 0 {
            sum += u64::from(self.weights[plane * 64 + left.trailing_zeros() as usize]);
            left &= left - 1;
        }
        sum
    }

    /// Calls back with every row of some words of an extent.
    pub(super) fn rows_of_word(&self, plane: usize, word: u64, mut with: impl FnMut(u32)) {
        let mut left = word;
        while left != 0 {
            with(self.rows[plane * 64 + left.trailing_zeros() as usize]);
            left &= left - 1;
        }
    }
}

fn narrow(to: &mut Vec<u32>, from: &[u32], planes: &[u32], extent: &[u64], packed: bool) {
    to.clear();
    if from.is_empty() {
        return;
    }
    for (&plane, &word) in planes.iter().zip(extent) {
        let slots = &from[plane as usize * 64..];
        if packed {
            let mut left = word;
            while left != 0 {
                to.push(slots[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        } else {
            to.extend_from_slice(&slots[..slots.len().min(64)]);
            to.resize(to.len().next_multiple_of(64), 0);
        }
    }
}
