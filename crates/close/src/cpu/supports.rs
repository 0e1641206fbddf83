//! The minimum support of candidates and rivals: eight columns are counted at a time.

use super::columns::Columns;
use super::slots::Slots;
use pellucid_bits::Simd;

/// The minimum support of a column within an extent.
#[derive(Clone, Copy, Debug)]
pub(super) struct SupportMinimum<'a> {
    pub(super) slots: &'a Slots,
    pub(super) support: u64,
}

/// Returns the columns of a group that have enough objects within an extent.
#[inline(always)]
pub(super) fn keep_supported<S: Simd>(
    simd: S,
    columns: &Columns,
    group: usize,
    (words, planes): (&[u64], &[u32]),
    minimum: SupportMinimum<'_>,
) -> u8 {
    keep_supported_of(simd, (words, planes), minimum, |_, plane| {
        simd.load(columns.block(plane as usize, group))
    })
}

/// [`keep_supported`] for columns that have only the words of the extent.
#[inline(always)]
pub(super) fn keep_supported_within<S: Simd>(
    simd: S,
    columns: &Columns,
    group: usize,
    (words, planes): (&[u64], &[u32]),
    minimum: SupportMinimum<'_>,
) -> u8 {
    keep_supported_of(simd, (words, planes), minimum, |place, _| {
        simd.load(columns.block(place, group))
    })
}

#[inline(always)]
fn keep_supported_of<S: Simd>(
    simd: S,
    (words, planes): (&[u64], &[u32]),
    minimum: SupportMinimum<'_>,
    column: impl Fn(usize, u32) -> S::Bits,
) -> u8 {
    let least = simd.splat_word(minimum.support.wrapping_neg());
    let digits = minimum.slots.digits();
    let mut sum = simd.splat(false);
    if digits == 0 {
        for (place, (&word, &plane)) in words.iter().zip(planes).enumerate() {
            sum = simd.count_words(sum, simd.and(column(place, plane), simd.splat_word(word)));
        }
        return at_least(simd, sum, least);
    }
    // The highest digits decide most columns.
    for digit in (0..digits).rev() {
        let mut ones = simd.splat(false);
        for (place, (&word, &plane)) in words.iter().zip(planes).enumerate() {
            let word = word & minimum.slots.digits_of(plane)[digit];
            ones = simd.count_words(ones, simd.and(column(place, plane), simd.splat_word(word)));
        }
        #[expect(clippy::cast_possible_truncation)]
        let by = digit as u32;
        sum = simd.add_words(sum, simd.shift_words(ones, by));
    }
    at_least(simd, sum, least)
}

/// Returns the words that are at least as large as the number whose negative is `least`.
#[inline(always)]
fn at_least<S: Simd>(simd: S, sums: S::Bits, least: S::Bits) -> u8 {
    simd.zero_words(simd.shift_words_down(simd.add_words(sums, least), 63))
}
