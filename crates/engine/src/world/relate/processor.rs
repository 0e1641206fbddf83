//! Questions answered on the processor's threads.

use super::few::{backwards, one_by_one};
use super::lanes::{IntoRows, Rows};
use super::narrow::{Look, Narrow};
use super::wide::{Asked, Subjects, Wanted, Wide};
use super::{Question, Way};
use crate::bits::{BLOCK_BITS, Bits, Block, blocks_for};
use crate::cpu::Level;
use crate::device::Threads;
use std::sync::Arc;

/// Sets that fit side by side.
const LANES: usize = BLOCK_BITS;

/// What things take, in nanoseconds, on a processor of 2023; only their proportions matter.
mod cost {
    /// To lay 64 sets of 512 objects side by side, or to take answers apart again.
    pub(super) const SQUARE: f64 = 400.0;
    /// To follow an edge for 512 sets, where their rows stay in a cache and where they do not.
    pub(super) const WIDE_EDGE: [f64; 2] = [3.0, 10.0];
    /// To follow an edge for one set.
    pub(super) const NARROW_EDGE: f64 = 0.4;
    /// To follow an edge for one set and some subjects only.
    pub(super) const FEW_EDGE: f64 = 1.5;
}

/// Rows of this many bytes stay in a cache.
const CACHED: usize = 1 << 20;
/// A set is followed from its objects back where that is so many times less than all edges.
const BACKWARDS: usize = 8;
/// Blocks of subjects from which on threads share one pass.
const SHARED_BLOCKS: usize = 16;

/// The processor's threads, and the sets they laid side by side last.
#[derive(Debug)]
pub(crate) struct Processor {
    level: Level,
    threads: Arc<Threads>,
    /// The sets, and their rows.
    laid: (Vec<Arc<Bits>>, Rows),
}

/// Which way some questions are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Wide,
    Narrow,
    Few,
}

impl Processor {
    pub(crate) fn new(level: Level, threads: Arc<Threads>) -> Processor {
        Processor { level, threads, laid: (Vec::new(), Rows::default()) }
    }

    /// The threads.
    pub(crate) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// The answers to all questions, a bit for each subject: those of question `q` from `q * blocks_for(subjects)` on.
    pub(crate) fn bits(
        &mut self,
        way: Way<'_>,
        questions: &[Question],
        subjects: Subjects<'_>,
    ) -> Vec<Block> {
        let stride = blocks_for(subjects.len());
        let mut bits = vec![Block::ZERO; questions.len() * stride];
        if stride == 0 || way.edges.is_empty() {
            return bits;
        }
        match manner(way, questions, subjects, self.level) {
            Manner::Wide => {
                for (places, chunk) in alike(questions) {
                    let mut found = vec![Block::ZERO; chunk.len() * stride];
                    self.wide_bits(way, &chunk, subjects, &mut found);
                    for (found, &place) in found.chunks_exact(stride).zip(&places) {
                        bits[place * stride..(place + 1) * stride].copy_from_slice(found);
                    }
                }
            }
            manner => {
                let mut rows: Vec<&mut [Block]> = bits.chunks_exact_mut(stride).collect();
                self.threads.each(&mut rows, |question, out| {
                    self.one(way, &questions[question], manner, subjects, out);
                });
            }
        }
        bits
    }

    /// How many subjects of each class answer each question with yes; the masks of a block's classes lie side by side.
    pub(crate) fn counts(
        &mut self,
        way: Way<'_>,
        questions: &[Question],
        subjects: Subjects<'_>,
        masks: &[Block],
        classes: usize,
    ) -> Vec<u64> {
        let mut counts = vec![0; questions.len() * classes];
        if classes == 0 || way.edges.is_empty() {
            return counts;
        }
        match manner(way, questions, subjects, self.level) {
            Manner::Wide => {
                for (places, chunk) in alike(questions) {
                    let found = self.wide_counts(way, &chunk, subjects, masks, classes);
                    for (found, &place) in found.chunks_exact(classes).zip(&places) {
                        counts[place * classes..(place + 1) * classes].copy_from_slice(found);
                    }
                }
            }
            manner => {
                let mut rows: Vec<&mut [u64]> = counts.chunks_exact_mut(classes).collect();
                self.threads.each(&mut rows, |question, counts| {
                    let mut out = vec![Block::ZERO; blocks_for(subjects.len())];
                    self.one(way, &questions[question], manner, subjects, &mut out);
                    for (block, masks) in out.iter().zip(masks.chunks_exact(classes)) {
                        for (count, mask) in counts.iter_mut().zip(masks) {
                            let both = Block(std::array::from_fn(|word| block.0[word] & mask.0[word]));
                            *count += both.count();
                        }
                    }
                });
            }
        }
        counts
    }

    fn one(
        &self,
        way: Way<'_>,
        question: &Question,
        manner: Manner,
        subjects: Subjects<'_>,
        out: &mut [Block],
    ) {
        let Question { set, outside, at_least } = question;
        let all = matches!(subjects, Subjects::From(..));
        let most = way.edges.len() / BACKWARDS;
        if all && !outside && *at_least == 1 && backwards(way.inverse, set, most, out) {
            return;
        }
        if manner == Manner::Narrow {
            let look = Look { edges: way.edges, set: set.blocks(), outside: *outside };
            self.level.run(Narrow { look, at_least: *at_least, out });
        } else {
            one_by_one(way.edges, set.blocks(), *outside, *at_least, subjects, out);
        }
    }

    fn wide_bits(
        &mut self,
        way: Way<'_>,
        questions: &[&Question],
        subjects: Subjects<'_>,
        bits: &mut [Block],
    ) {
        self.lay(way, questions);
        let (asked, rows) = (asked(questions), self.laid.1.get());
        let stride = blocks_for(subjects.len());
        let pass = |subjects: Subjects<'_>, bits: &mut [Block]| {
            let stride = blocks_for(subjects.len());
            let wanted = Wanted::Bits { bits, stride };
            let (edges, lanes) = (way.edges, questions.len());
            self.level.run(Wide { edges, rows, lanes, asked: &asked, subjects, wanted });
        };
        let stretches = stretches(subjects, self.threads.count());
        if let [_] = stretches[..] {
            return pass(subjects, bits);
        }
        let parts = self.threads.map(stretches.len(), |part| {
            let (_, subjects) = stretches[part];
            let mut bits = vec![Block::ZERO; questions.len() * blocks_for(subjects.len())];
            pass(subjects, &mut bits);
            bits
        });
        let mut lanes: Vec<&mut [Block]> = bits.chunks_exact_mut(stride).collect();
        self.threads.each(&mut lanes, |lane, bits| {
            for (&(first, subjects), part) in stretches.iter().zip(&parts) {
                let height = blocks_for(subjects.len());
                bits[first..first + height].copy_from_slice(&part[lane * height..][..height]);
            }
        });
    }

    fn wide_counts(
        &mut self,
        way: Way<'_>,
        questions: &[&Question],
        subjects: Subjects<'_>,
        masks: &[Block],
        classes: usize,
    ) -> Vec<u64> {
        self.lay(way, questions);
        let (asked, rows) = (asked(questions), self.laid.1.get());
        let stretches = stretches(subjects, self.threads.count());
        let parts = self.threads.map(stretches.len(), |part| {
            let (first, subjects) = stretches[part];
            let mut counts = vec![0; questions.len() * classes];
            let wanted =
                Wanted::Counts { masks: &masks[first * classes..], classes, counts: &mut counts };
            let (edges, lanes) = (way.edges, questions.len());
            self.level.run(Wide { edges, rows, lanes, asked: &asked, subjects, wanted });
            counts
        });
        let mut sum = vec![0; questions.len() * classes];
        for part in parts {
            sum.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
        }
        sum
    }

    /// Lays the sets of some questions side by side, unless they lie there from last time.
    fn lay(&mut self, way: Way<'_>, questions: &[&Question]) {
        let same = |(old, new): (&Arc<Bits>, &&Question)| Arc::ptr_eq(old, &new.set);
        let Processor { level, threads, laid: (laid, rows) } = self;
        if laid.len() == questions.len() && laid.iter().zip(questions).all(same) {
            return;
        }
        *laid = questions.iter().map(|question| Arc::clone(&question.set)).collect();
        let blocks = blocks_for(way.edges.object_count());
        let room = rows.room(blocks);
        let height = blocks.div_ceil(threads.count() * 4).max(SHARED_BLOCKS);
        let mut stretches: Vec<&mut [Block]> = room.chunks_mut(height * BLOCK_BITS).collect();
        threads.each(&mut stretches, |part, rows| {
            let first = part * height;
            let sets: Vec<&[Block]> = laid.iter().map(|set| &set.blocks()[first..]).collect();
            level.run(IntoRows { sets: &sets, rows });
        });
    }

    /// Forgets which sets lie side by side: they may be gone and others be in their place.
    pub(crate) fn forget(&mut self) {
        self.laid.0.clear();
    }
}

fn asked(questions: &[&Question]) -> Asked {
    Asked::new(questions.iter().map(|question| (question.outside, question.at_least)))
}

/// Questions with numbers of about one size, up to 512 together, and the places they came from.
fn alike(questions: &[Question]) -> Vec<(Vec<usize>, Vec<&Question>)> {
    let size = |place: usize| u32::BITS - questions[place].at_least.leading_zeros();
    let mut places: Vec<usize> = (0..questions.len()).collect();
    places.sort_by_key(|&place| size(place));
    places
        .chunk_by(|&left, &right| size(left) == size(right))
        .flat_map(|group| group.chunks(LANES))
        .map(|group| (group.to_vec(), group.iter().map(|&place| &questions[place]).collect()))
        .collect()
}

/// Subjects cut into some stretches of whole blocks, each with the number of its first block.
fn stretches(subjects: Subjects<'_>, threads: usize) -> Vec<(usize, Subjects<'_>)> {
    let blocks = blocks_for(subjects.len());
    if threads == 1 || blocks < SHARED_BLOCKS {
        return vec![(0, subjects)];
    }
    let height = blocks.div_ceil(threads * 4).max(SHARED_BLOCKS / 4);
    (0..blocks)
        .step_by(height)
        .map(|first| {
            let (start, len) = (first * BLOCK_BITS, height * BLOCK_BITS);
            let len = len.min(subjects.len() - start);
            let part = match subjects {
                // Subjects are numbered as u32.
                #[expect(clippy::cast_possible_truncation)]
                Subjects::From(at, _) => Subjects::From(at + start as u32, len),
                Subjects::Listed(list) => Subjects::Listed(&list[start..start + len]),
            };
            (first, part)
        })
        .collect()
}

/// The cheapest way to answer some questions.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn manner(way: Way<'_>, questions: &[Question], subjects: Subjects<'_>, level: Level) -> Manner {
    // The specification's level: one by one, whatever it costs.
    if level == Level::Scalar {
        return Manner::Few;
    }
    let asked = match subjects {
        Subjects::From(..) => way.edges.len(),
        Subjects::Listed(list) => list.iter().map(|&subject| way.edges.of(subject).len()).sum(),
    } as f64;
    let lanes = questions.len() as f64;
    let words = questions.len().min(LANES).div_ceil(64) as f64;
    let passes = questions.len().div_ceil(LANES) as f64;
    let rows = way.edges.object_count() * size_of::<Block>();
    let squares = (blocks_for(way.edges.object_count()) + blocks_for(subjects.len())) as f64;
    let wide_edge = cost::WIDE_EDGE[usize::from(rows > CACHED)];
    let wide = passes * (squares * words * cost::SQUARE + asked * wide_edge);
    let few = lanes * asked * cost::FEW_EDGE;
    let narrow = match subjects {
        Subjects::From(0, len) if len == way.edges.subject_count() => {
            lanes * way.edges.len() as f64 * cost::NARROW_EDGE
        }
        _ => f64::INFINITY,
    };
    if wide < few.min(narrow) {
        Manner::Wide
    } else if narrow < few {
        Manner::Narrow
    } else {
        Manner::Few
    }
}
