//! How positives stand to negatives: the positives sorted, and every negative looked up among them.

use super::scored::{Members, Scored};
use crate::Pairs;
use pellucid_bits::{FLOATS, Kernel, Simd, as_u32};

/// Memory for counting pairs.
#[derive(Debug, Default)]
pub(super) struct PairsScratch {
    /// The positives' scores, ascending, and behind them infinities up to a power of two.
    sorted: Vec<f32>,
    /// For each of them the first that is equal to it.
    first: Vec<u32>,
    /// The negatives' scores.
    negatives: Vec<f32>,
}

/// Counts the pairs of some rows.
pub(super) struct CountPairs<'a> {
    pub(super) scores: &'a Scored<'a>,
    pub(super) members: Members<'a>,
    pub(super) scratch: &'a mut PairsScratch,
}

impl Kernel for CountPairs<'_> {
    type Output = Pairs;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Pairs {
        let CountPairs { scores, members, scratch } = self;
        split(simd, scores, members, scratch);
        sort(scratch);
        let positives = members.part.positives() as u64;
        let mut pairs = Pairs::default();
        let (sixteens, rest) = scratch.negatives.as_chunks::<FLOATS>();
        for sixteen in sixteens {
            count(&scratch.sorted, &scratch.first, sixteen, FLOATS, positives, &mut pairs);
        }
        let mut last = [f32::INFINITY; FLOATS];
        last[..rest.len()].copy_from_slice(rest);
        count(&scratch.sorted, &scratch.first, &last, rest.len(), positives, &mut pairs);
        pairs
    }
}

/// Puts the scores of positives and of negatives side by side.
#[inline(always)]
fn split<S: Simd>(simd: S, scores: &Scored<'_>, members: Members<'_>, scratch: &mut PairsScratch) {
    let PairsScratch { sorted, negatives, .. } = scratch;
    sorted.resize(members.positives + FLOATS, 0.0);
    negatives.resize(members.rows - members.positives + FLOATS, 0.0);
    let (mut positive, mut negative) = (0, 0);
    for (place, block) in scores.blocks().enumerate() {
        let scores = simd.load_floats(block);
        let counted = members.of_block(place);
        let first = members.positives_of_block(place);
        if first != 0 {
            simd.compress_floats(scores, first, sorted, positive);
            positive += first.count_ones() as usize;
        }
        simd.compress_floats(scores, counted & !first, negatives, negative);
        negative += (counted & !first).count_ones() as usize;
    }
    sorted.truncate(positive);
    negatives.truncate(negative);
}

/// Sorts the positives, and finds those that are equal.
fn sort(scratch: &mut PairsScratch) {
    let PairsScratch { sorted, first, .. } = scratch;
    sorted.sort_unstable_by(f32::total_cmp);
    first.clear();
    for place in 0..sorted.len() {
        let same = place > 0 && sorted[place] == sorted[place - 1];
        first.push(if same { first[place - 1] } else { as_u32(place) });
    }
    // No score is infinite upwards, so a search ends before these.
    sorted.resize((sorted.len() + 1).next_power_of_two(), f32::INFINITY);
}

/// Looks up sixteen negatives side by side, of which the first `used` count.
#[inline(always)]
fn count(
    sorted: &[f32],
    first: &[u32],
    sixteen: &[f32; FLOATS],
    used: usize,
    positives: u64,
    pairs: &mut Pairs,
) {
    // How many positives are not above each.
    let mut places = [0usize; FLOATS];
    let mut half = sorted.len() / 2;
    while half > 0 {
        for lane in 0..FLOATS {
            let passed = sorted[places[lane] + half - 1] <= sixteen[lane];
            places[lane] += if passed { half } else { 0 };
        }
        half /= 2;
    }
    for lane in 0..used {
        let place = places[lane];
        pairs.won += positives - place as u64;
        if place > 0 && sorted[place - 1] == sixteen[lane] {
            pairs.tied += place as u64 - u64::from(first[place - 1]);
        }
    }
}
