//! One set: tests 64 edges at a time, and combines the hits of each subject by the carry of an
//! addition.
//!
//! Edges are sorted by subject, so the edges of one subject form a run of bits. Let `last` be the
//! last edge of every run and `hits` the edges whose object is in the set. Adding the hits to the
//! ones between the ends of the runs carries every hit to the end of its run, and into the next
//! word if the run continues there.

use crate::Edges;
use pellucid_bits::{BLOCK_BITS, Block};
use pellucid_bits::{Kernel, Simd};
use std::ops::Range;

/// The maximum number of hits that carries can distinguish; more are counted.
const BY_CARRY: usize = 8;

/// A test for items that come in runs: edges grouped by subject, or bytes grouped by text.
pub(crate) trait Hits: Copy {
    /// Returns the hits among the 64 items from `at`. Bits past the last item are unspecified,
    /// because no run ends there.
    fn hits<S: Simd>(self, simd: S, at: usize) -> u64;
}

/// Edges whose objects are in a set.
#[derive(Clone, Copy)]
pub(crate) struct InSet<'a> {
    pub(crate) objects: &'a [u32],
    pub(crate) set: &'a [Block],
    /// Whether objects outside the set are hits.
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

/// Edges whose objects are in a range.
#[derive(Clone, Copy)]
pub(crate) struct InRun<'a> {
    pub(crate) objects: &'a [u32],
    pub(crate) run: (u32, u32),
    /// Whether objects outside the range are hits.
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

/// Pads the last few objects to 64.
#[inline(always)]
fn rest(objects: &[u32]) -> [u32; 64] {
    let mut rest = [0; 64];
    rest[..objects.len()].copy_from_slice(objects);
    rest
}

/// Items in runs, one run per subject.
#[derive(Clone, Copy)]
pub(crate) struct Runs<'a> {
    /// Bit by item: whether it is the last of its run.
    pub(crate) last: &'a [Block],
    /// The range of items to test, which consists of whole runs.
    pub(crate) first: usize,
    pub(crate) end: usize,
    /// Bit by subject, starting at the block of the first one: whether it has items.
    pub(crate) subjects: &'a [Block],
}

impl<'a> Runs<'a> {
    /// Returns the edges of some blocks of subjects.
    pub(crate) fn of(edges: &'a Edges, blocks: Range<usize>) -> Runs<'a> {
        let at = |block: usize| {
            let subject = (block * BLOCK_BITS).min(edges.subject_count());
            edges.offsets()[subject] as usize
        };
        let subjects = &edges.subjects().blocks()[blocks.clone()];
        Runs { last: edges.last().blocks(), first: at(blocks.start), end: at(blocks.end), subjects }
    }

    /// Returns the words of 64 items that contain items to test.
    fn words(&self) -> Range<usize> {
        self.first / 64..self.end.div_ceil(64)
    }

    /// Returns the mask of the items to test in the first word.
    fn head(&self) -> u64 {
        u64::MAX << (self.first % 64)
    }

    /// Returns the items of a word that are the last of their runs. The caller masks out those
    /// before the first item.
    #[inline(always)]
    fn last(&self, word: usize) -> u64 {
        let last = self.last[word / 8].0[word % 8];
        let left = self.end - word * 64;
        if left < 64 { last & low(left) } else { last }
    }

    /// Returns the first word, from `word`, in which a run ends, or the end of all words.
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

/// Finds the subjects that have at least `at_least` hits.
pub(crate) struct Narrow<'a, H> {
    pub(crate) hits: H,
    pub(crate) runs: Runs<'a>,
    /// Never 0.
    pub(crate) at_least: u32,
    /// One bit per subject, all zero at first.
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
    /// `D` is the maximum number of hits that are dropped from every run; one more must remain.
    #[inline(always)]
    fn by_carry<S: Simd, const D: usize>(self, simd: S) {
        let Narrow { hits: test, runs, at_least, out } = self;
        let drop = at_least as usize - 1;
        let mut carry = false;
        // By dropped hit: whether the current run still looks for it.
        let mut looking = [false; D];
        let mut deposit = Deposit { subjects: runs.subjects, out, word: 0, bits: 0, count: 0 };
        // The start of the first run in this word, unless the run began in an earlier word.
        let mut head = runs.head();
        let mut begins = 1 << (runs.first % 64);
        let Range { start: mut word, end } = runs.words();
        while word < end {
            let last = runs.last(word) & head;
            if last == 0 && carry {
                // The current run already has enough hits.
                begins = 0;
                word = runs.next_end(word + 1);
                continue;
            }
            let mut hits = test.hits(simd, word * 64) & head;
            let starts = last << 1 | begins;
            begins = last >> 63;
            head = u64::MAX;
            word += 1;
            for looking in looking.iter_mut().take(drop) {
                // From the start of each run, the first hit stops the carry.
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

    /// Counts the hits of every run, for any number of hits.
    #[inline(always)]
    fn by_counting<S: Simd>(self, simd: S) {
        let Narrow { hits: test, runs, at_least, out } = self;
        let mut deposit = Deposit { subjects: runs.subjects, out, word: 0, bits: 0, count: 0 };
        let mut count = 0u64;
        let mut head = runs.head();
        for word in runs.words() {
            let mut hits = test.hits(simd, word * 64) & head;
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
            // The remaining hits belong to a run that continues.
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

/// Distributes a stream of bits, one for each subject with edges, to the positions of these
/// subjects.
struct Deposit<'a> {
    /// The subjects that have edges.
    subjects: &'a [Block],
    out: &'a mut [Block],
    /// The next word of subjects, and the bits collected for it.
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
            // At least one, because words without subjects are skipped here.
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

/// Returns a word with the lowest bits set.
#[inline(always)]
fn low(bits: usize) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}
