//! One set: look up the object of every edge, 64 at a time, and join the hits of each subject by the carry of an addition.
//!
//! Edges are sorted by subject, so the edges of one subject are a run of bits. With `last` the last edge of every run and
//! `hits` the edges whose object is in the set, adding the hits to the ones between the runs' ends carries every hit to the
//! end of its run, into the next word where the run goes on.

use crate::Edges;
use pellucid_bits::{BLOCK_BITS, Block};
use pellucid_bits::{Kernel, Simd};

/// How many hits may be told apart by carries; more are counted.
const BY_CARRY: usize = 8;

/// Edges whose objects are looked up in a set.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) edges: &'a Edges,
    pub(crate) set: &'a [Block],
    /// Objects outside of the set are meant.
    pub(crate) outside: bool,
}

impl Look<'_> {
    /// The hits among the 64 edges of a word.
    #[inline(always)]
    fn hits<S: Simd>(self, simd: S, word: usize) -> u64 {
        let objects = &self.edges.objects()[word * 64..];
        let hits = match objects.first_chunk() {
            Some(objects) => simd.members(self.set, objects),
            None => {
                let mut rest = [0; 64];
                rest[..objects.len()].copy_from_slice(objects);
                simd.members(self.set, &rest)
            }
        };
        // Past the last edge anything may be hit: no run ends there.
        if self.outside { !hits } else { hits }
    }
}

/// Which subjects have at least so many hits.
pub(crate) struct Narrow<'a> {
    pub(crate) look: Look<'a>,
    /// Not 0.
    pub(crate) at_least: u32,
    /// A bit for each subject, all clear.
    pub(crate) out: &'a mut [Block],
}

impl Kernel for Narrow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.at_least as usize {
            1 => self.by_carry::<S, 0>(simd),
            2 => self.by_carry::<S, 1>(simd),
            3..=BY_CARRY => self.by_carry::<S, { BY_CARRY - 1 }>(simd),
            _ => self.by_counting(simd),
        }
    }
}

impl Narrow<'_> {
    /// `D` is the most hits of every run that are dropped, so that one more must be left.
    #[inline(always)]
    fn by_carry<S: Simd, const D: usize>(self, simd: S) {
        let Narrow { look, at_least, out } = self;
        let drop = at_least as usize - 1;
        let mut carry = false;
        // By dropped hit: whether the run at hand still looks for it. The first run begins with the first edge.
        let mut looking = [false; D];
        let mut begins = true;
        let subjects = look.edges.subjects().blocks();
        let mut deposit = Deposit { subjects, out, word: 0, bits: 0, count: 0 };
        for word in 0..look.edges.len().div_ceil(64) {
            let last = look.edges.last().blocks()[word / 8].0[word % 8];
            if last == 0 && carry {
                // In the midst of a run that has enough already.
                begins = false;
                continue;
            }
            let mut hits = look.hits(simd, word);
            let starts = last << 1 | u64::from(begins);
            begins = last >> 63 == 1;
            for looking in looking.iter_mut().take(drop) {
                // From the start of each run on, the first hit stops the carry.
                let pass = !hits & !last;
                let (sum, over) = carrying(pass, starts, *looking);
                *looking = over;
                hits &= !(sum & !pass);
            }
            let (sum, over) = carrying(hits & !last, !last, carry);
            carry = over;
            let enough = (sum | hits) & last;
            let packed = if last == u64::MAX { enough } else { simd.pack_bits(enough, last) };
            deposit.push(simd, packed, last.count_ones());
        }
    }

    fn by_counting<S: Simd>(self, simd: S) {
        let Narrow { look, at_least, out } = self;
        let words = 0..look.edges.len().div_ceil(64);
        let hits: Vec<u64> = words.map(|word| look.hits(simd, word)).collect();
        for (subject, ends) in look.edges.offsets().windows(2).enumerate() {
            let (first, end) = (ends[0] as usize, ends[1] as usize);
            if end - first >= at_least as usize
                && ones_between(&hits, first, end) >= u64::from(at_least)
            {
                out[subject / BLOCK_BITS].set(subject % BLOCK_BITS);
            }
        }
    }
}

/// Adds two words and a carry.
#[inline(always)]
fn carrying(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    (sum, first || second)
}

/// The set bits from `first` to before `end`.
fn ones_between(words: &[u64], first: usize, end: usize) -> u64 {
    let mut count = 0;
    let mut at = first;
    while at < end {
        let (word, bit) = (at / 64, at % 64);
        let here = (64 - bit).min(end - at);
        let mask = if here == 64 { u64::MAX } else { (1 << here) - 1 };
        count += u64::from((words[word] >> bit & mask).count_ones());
        at += here;
    }
    count
}

/// A stream of bits, one for each subject that has edges, put where these subjects are.
struct Deposit<'a> {
    /// Which subjects have edges.
    subjects: &'a [Block],
    out: &'a mut [Block],
    /// The word of subjects that is next, and the bits for it that are there already.
    word: usize,
    bits: u64,
    count: u32,
}

impl Deposit<'_> {
    /// Adds up to 64 bits to the stream.
    #[inline(always)]
    fn push<S: Simd>(&mut self, simd: S, mut bits: u64, mut count: u32) {
        if count == 64 && self.count == 0 && self.mask() == Some(u64::MAX) {
            self.write(bits);
            return;
        }
        while count > 0 {
            let Some(mask) = self.mask() else { return };
            // At least one: words without subjects were passed by, or are now.
            let need = mask.count_ones() - self.count;
            let taken = need.min(count);
            self.bits |= (bits & low(taken)) << self.count;
            self.count += taken;
            bits = if taken == 64 { 0 } else { bits >> taken };
            count -= taken;
            if taken == need {
                let spread = simd.spread_bits(self.bits, mask);
                self.write(spread);
                (self.bits, self.count) = (0, 0);
            }
        }
    }

    #[inline(always)]
    fn mask(&self) -> Option<u64> {
        self.subjects.get(self.word / 8).map(|block| block.0[self.word % 8])
    }

    #[inline(always)]
    fn write(&mut self, bits: u64) {
        self.out[self.word / 8].0[self.word % 8] = bits;
        self.word += 1;
    }
}

/// The lowest bits set.
#[inline(always)]
fn low(bits: u32) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}
