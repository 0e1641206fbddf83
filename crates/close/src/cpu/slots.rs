//! The rows that the bits of an extent stand for, and their weights.

use super::base::Base;
use pellucid_bits::planes_of_64;
use std::sync::Arc;

/// The maximum number of binary digits of weights that are collected one by one, because most
/// weights are 1. With more digits, transposing the numbers is faster.
const MOST_SINGLE_DIGITS: usize = 8;

/// Maps every bit of an extent to a row of a base.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    pub(super) base: Arc<Base>,
    pub(super) rows: Vec<u32>,
    /// The weights of the rows as binary numbers, one digit per word: `digits` words for each plane.
    weights: Vec<u64>,
    digits: usize,
}

impl Slots {
    pub(super) fn new(base: &Arc<Base>) -> Slots {
        Slots { base: Arc::clone(base), rows: Vec::new(), weights: Vec::new(), digits: 0 }
    }

    /// Maps the bits to rows of a base. The slots may have been used with another base before.
    pub(super) fn set(&mut self, base: &Arc<Base>, rows: &[u32]) {
        if !Arc::ptr_eq(&self.base, base) {
            self.base = Arc::clone(base);
        }
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.weigh_rows();
    }

    /// Maps the bits to all rows of another base.
    pub(super) fn set_base(&mut self, base: Arc<Base>, rows: usize) {
        self.base = base;
        self.rows.clear();
        self.rows.extend(0..pellucid_bits::as_u32(rows));
        self.weigh_rows();
    }

    /// Keeps the slots of some words of an extent. If `packed`, keeps only those of the bits that
    /// are set, side by side.
    #[inline(always)]
    pub(super) fn narrow(&mut self, from: &Slots, planes: &[u32], extent: &[u64], packed: bool) {
        if !Arc::ptr_eq(&self.base, &from.base) {
            self.base = Arc::clone(&from.base);
        }
        self.rows.clear();
        for (&plane, &word) in planes.iter().zip(extent) {
            let rows = &from.rows[plane as usize * 64..];
            if packed {
                let mut left = word;
                while left != 0 {
                    self.rows.push(rows[left.trailing_zeros() as usize]);
                    left &= left - 1;
                }
            } else {
                self.rows.extend_from_slice(&rows[..rows.len().min(64)]);
                self.rows.resize(self.rows.len().next_multiple_of(64), 0);
            }
        }
        if packed {
            self.weigh_rows();
        } else {
            self.digits = from.digits;
            self.weights.clear();
            for &plane in planes {
                self.weights.extend_from_slice(from.digits_of(plane));
            }
        }
    }

    /// Writes the weights of the rows as binary digits.
    fn weigh_rows(&mut self) {
        self.weights.clear();
        self.digits = 0;
        let weights = self.base.weights();
        if weights.is_empty() {
            return;
        }
        let all = self.rows.iter().fold(0, |all, &row| all | weights[row as usize]);
        self.digits = (u32::BITS - all.leading_zeros()) as usize;
        for rows in self.rows.chunks(64) {
            if self.digits > MOST_SINGLE_DIGITS {
                let mut numbers = [0; 64];
                for (number, &row) in numbers.iter_mut().zip(rows) {
                    *number = weights[row as usize];
                }
                self.weights.extend_from_slice(&planes_of_64(&numbers)[..self.digits]);
                continue;
            }
            let start = self.weights.len();
            self.weights.resize(start + self.digits, 0);
            let digits = &mut self.weights[start..];
            for (bit, &row) in rows.iter().enumerate() {
                let weight = weights[row as usize];
                digits[0] |= u64::from(weight & 1) << bit;
                let mut left = weight & !1;
                while left != 0 {
                    digits[left.trailing_zeros() as usize] |= 1 << bit;
                    left &= left - 1;
                }
            }
        }
    }

    /// Returns the binary digits of the weights in one plane, the lowest first; nothing if every row
    /// has one object.
    #[inline(always)]
    pub(super) fn digits_of(&self, plane: u32) -> &[u64] {
        &self.weights[plane as usize * self.digits..][..self.digits]
    }

    /// Returns the number of digits of a weight; 0 if every row has one object.
    #[inline(always)]
    pub(super) fn digits(&self) -> usize {
        self.digits
    }

    /// Returns the rows of some words of an extent.
    pub(super) fn of(&self, words: &[u64], planes: &[u32]) -> impl Iterator<Item = u32> {
        planes.iter().zip(words).flat_map(|(&plane, &word)| {
            let rows = &self.rows[plane as usize * 64..];
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(|bit| rows[bit])
        })
    }

    /// Returns the number of objects in one word of an extent.
    #[inline(always)]
    pub(super) fn weigh(&self, plane: u32, word: u64) -> u64 {
        if self.digits == 0 {
            return u64::from(word.count_ones());
        }
        let digits = (0..).zip(self.digits_of(plane));
        digits.fold(0, |sum, (digit, set)| sum + (u64::from((word & set).count_ones()) << digit))
    }
}
