//! One set: look at 64 edges at a time, and join the hits of each subject by the carry of an addition.
//!
//! Edges are sorted by subject, so the edges of one subject are a run of bits. With `last` the last edge of
//! every run and `hits` the edges whose object is in the set, adding the hits to the ones between the runs'
//! ends carries every hit to the end of its run, into the next word where the run goes on.

use crate::Edges;
use pellucid_bits::{BLOCK_BITS, Block};
use pellucid_bits::{Kernel, Simd};
use std::ops::Range;

/// How many hits may be told apart by carries; more are counted.
const BY_CARRY: usize = 8;

/// What is looked for among items that come in runs: edges by their subjects, bytes by their texts.
pub(crate) trait Hits: Copy {
    /// The hits among the 64 items from one on. Past the last item anything may be hit: no run ends there.
    fn hits<S: Simd>(self, simd: S, at: usize) -> u64;
}

/// Edges whose objects are in a set.
#[derive(Clone, Copy)]
pub(crate) struct InSet<'a> {
    pub(crate) objects: &'a [u32],
    pub(crate) set: &'a [Block],
    /// Objects outside of the set are meant.
    pub(crate) outside: bool,
}

impl Hits for InSet<'_> {
    #[inline(always)]
    fn hits<S: Simd>(self, simd: S, at: usize) -> u64 {
        let hits = match self.objects[at..].first_chunk() {
            Some(objects) => simd.members(self.set, objects),
            None => simd.members(self.set, &rest(&self.objects[at..])),
        };
        if self.outside { !hits } else { hits }
    }
}

/// Edges whose objects are within a run.
#[derive(Clone, Copy)]
pub(crate) struct InRun<'a> {
    pub(crate) objects: &'a [u32],
    pub(crate) run: (u32, u32),
    /// Objects outside of the run are meant.
    pub(crate) outside: bool,
}

impl Hits for InRun<'_> {
    #[inline(always)]
    fn hits<S: Simd>(self, simd: S, at: usize) -> u64 {
        let (first, end) = self.run;
        let hits = match self.objects[at..].first_chunk() {
            Some(objects) => simd.within(objects, first..end),
            None => simd.within(&rest(&self.objects[at..]), first..end),
        };
        if self.outside { !hits } else { hits }
    }
}

/// The last few objects, filled up.
#[inline(always)]
fn rest(objects: &[u32]) -> [u32; 64] {
    let mut rest = [0; 64];
    rest[..objects.len()].copy_from_slice(objects);
    rest
}

/// Items in runs, each with a subject.
#[derive(Clone, Copy)]
pub(crate) struct Runs<'a> {
    /// Bit by item: the last of its run.
    pub(crate) last: &'a [Block],
    /// The items that are looked at: whole runs.
    pub(crate) first: usize,
    pub(crate) end: usize,
    /// Bit by subject, from the first one's block on: has items.
    pub(crate) subjects: &'a [Block],
}

impl<'a> Runs<'a> {
    /// The edges of some blocks of subjects.
    pub(crate) fn of(edges: &'a Edges, blocks: Range<usize>) -> Runs<'a> {
        let at = |block: usize| {
            let subject = (block * BLOCK_BITS).min(edges.subject_count());
            edges.offsets()[subject] as usize
        };
        let subjects = &edges.subjects().blocks()[blocks.clone()];
        Runs { last: edges.last().blocks(), first: at(blocks.start), end: at(blocks.end), subjects }
    }

    /// The words of 64 items, some of which are looked at.
    fn words(&self) -> Range<usize> {
        self.first / 64..self.end.div_ceil(64)
    }

    /// Which items of the first word are looked at, and of all others until the last.
    fn head(&self) -> u64 {
        u64::MAX << (self.first % 64)
    }

    /// Which items of a word are the last of their runs; those before the first item are left to the caller.
    #[inline(always)]
    fn last(&self, word: usize) -> u64 {
        let last = self.last[word / 8].0[word % 8];
        let left = self.end - word * 64;
        if left < 64 { last & low(left) } else { last }
    }

    /// The first word from one on that a run ends in, or the one behind all.
    #[inline(always)]
    fn next_end(&self, mut word: usize) -> usize {
        let end = self.words().end;
        while word < end {
            let Block(words) = self.last[word / 8];
            if word.is_multiple_of(8) && words == [0; 8] {
                word += 8;
            } else if words[word % 8] == 0 {
                word += 1;
            } else {
                break;
            }
        }
        word.min(end)
    }
}

/// Which subjects have at least so many hits.
pub(crate) struct Narrow<'a, H> {
    pub(crate) hits: H,
    pub(crate) runs: Runs<'a>,
    /// Not 0.
    pub(crate) at_least: u32,
    /// A bit for each subject, all clear.
    pub(crate) out: &'a mut [Block],
}

impl<H: Hits> Kernel for Narrow<'_, H> {
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

impl<H: Hits> Narrow<'_, H> {
    /// `D` is the most hits of every run that are dropped, so that one more must be left.
    #[inline(always)]
    fn by_carry<S: Simd, const D: usize>(self, simd: S) {
        let Narrow { hits: looked_for, runs, at_least, out } = self;
        let drop = at_least as usize - 1;
        let mut carry = false;
        // By dropped hit: whether the run at hand still looks for it.
        let mut looking = [false; D];
        let mut deposit = Deposit { subjects: runs.subjects, out, word: 0, bits: 0, count: 0 };
        // Where in this word a run begins that the word before does not end for: the first one.
        let mut head = runs.head();
        let mut begins = 1 << (runs.first % 64);
        let Range { start: mut word, end } = runs.words();
        while word < end {
            let last = runs.last(word) & head;
            if last == 0 && carry {
                // In the midst of a run that has enough already.
                begins = 0;
                word = runs.next_end(word + 1);
                continue;
            }
            let mut hits = looked_for.hits(simd, word * 64) & head;
            let starts = last << 1 | begins;
            begins = last >> 63;
            head = u64::MAX;
            word += 1;
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

    /// Counts the hits of every run, however many there are.
    #[inline(always)]
    fn by_counting<S: Simd>(self, simd: S) {
        let Narrow { hits: looked_for, runs, at_least, out } = self;
        let mut deposit = Deposit { subjects: runs.subjects, out, word: 0, bits: 0, count: 0 };
        let mut count = 0u64;
        let mut head = runs.head();
        for word in runs.words() {
            let mut hits = looked_for.hits(simd, word * 64) & head;
            let mut last = runs.last(word) & head;
            head = u64::MAX;
            while last != 0 {
                let own = last ^ (last - 1);
                count += u64::from((hits & own).count_ones());
                deposit.push(simd, u64::from(count >= u64::from(at_least)), 1);
                count = 0;
                hits &= !own;
                last &= last - 1;
            }
            // The rest belongs to a run that goes on.
            count += u64::from(hits.count_ones());
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
            self.bits |= (bits & low(taken as usize)) << self.count;
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
fn low(bits: usize) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}
