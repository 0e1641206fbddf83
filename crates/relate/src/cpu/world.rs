//! Questions answered on the processor's threads.

use super::count::CountClasses;
use super::few::{backwards, one_by_one};
use super::lanes::{IntoRows, Rows};
use super::narrow::{Look, Narrow};
use super::wide::{Asked, LANES, Subjects, Wanted, Wide, alike};
use crate::World;
use crate::inquiry::{Classes, Inquiry, Question, Residency, Way};
use pellucid_bits::Level;
use pellucid_bits::{BLOCK_BITS, Bits, Block, blocks_for};
use pellucid_device::{DeviceError, Processor, Threads};
use std::sync::Arc;

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

/// A world in main memory, and the sets they laid side by side last.
#[derive(Debug)]
pub(crate) struct CpuWorld {
    world: Arc<World>,
    level: Level,
    threads: Arc<Threads>,
    /// The sets, and their rows.
    laid: (Vec<Arc<Bits>>, Rows),
}

/// Which way some questions are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    Wide,
    Narrow,
    Few,
}

impl CpuWorld {
    pub(crate) fn new(processor: &Processor, world: &Arc<World>) -> CpuWorld {
        let (level, threads) = (processor.level(), Arc::clone(processor.threads()));
        let laid = (Vec::new(), Rows::default());
        CpuWorld { world: Arc::clone(world), level, threads, laid }
    }
}

impl Residency for CpuWorld {
    fn bits(&mut self, inquiry: &Inquiry<'_>, bits: &mut [Block]) -> Result<(), DeviceError> {
        let world = Arc::clone(&self.world);
        let way = Way::of(&world, inquiry.role, inquiry.inverse);
        let Inquiry { questions, subjects, .. } = *inquiry;
        let stride = inquiry.stride();
        if stride == 0 || way.edges.is_empty() {
            bits.fill(Block::ZERO);
            return Ok(());
        }
        match strategy(way, questions, subjects, self.level) {
            Strategy::Wide => {
                for (places, chunk) in alike(questions) {
                    let mut found = vec![Block::ZERO; chunk.len() * stride];
                    self.wide_bits(way, &chunk, subjects, &mut found);
                    for (found, &place) in found.chunks_exact(stride).zip(&places) {
                        bits[place * stride..(place + 1) * stride].copy_from_slice(found);
                    }
                }
            }
            strategy => {
                let mut rows: Vec<&mut [Block]> = bits.chunks_exact_mut(stride).collect();
                self.threads.each(&mut rows, |question, out| {
                    out.fill(Block::ZERO);
                    self.one(way, &questions[question], strategy, subjects, out);
                });
            }
        }
        Ok(())
    }

    fn counts(
        &mut self,
        inquiry: &Inquiry<'_>,
        classes: Classes<'_>,
        counts: &mut [u64],
    ) -> Result<(), DeviceError> {
        let world = Arc::clone(&self.world);
        let way = Way::of(&world, inquiry.role, inquiry.inverse);
        let Inquiry { questions, subjects, .. } = *inquiry;
        let Classes { masks, number, .. } = classes;
        counts.fill(0);
        if number == 0 || way.edges.is_empty() {
            return Ok(());
        }
        match strategy(way, questions, subjects, self.level) {
            Strategy::Wide => {
                for (places, chunk) in alike(questions) {
                    let found = self.wide_counts(way, &chunk, subjects, classes);
                    for (found, &place) in found.chunks_exact(number).zip(&places) {
                        counts[place * number..(place + 1) * number].copy_from_slice(found);
                    }
                }
            }
            strategy => {
                let mut rows: Vec<&mut [u64]> = counts.chunks_exact_mut(number).collect();
                self.threads.each(&mut rows, |question, counts| {
                    let mut out = vec![Block::ZERO; inquiry.stride()];
                    self.one(way, &questions[question], strategy, subjects, &mut out);
                    self.level.run(CountClasses { bits: &out, masks, counts });
                });
            }
        }
        Ok(())
    }
}

impl CpuWorld {
    fn one(
        &self,
        way: Way<'_>,
        question: &Question,
        strategy: Strategy,
        subjects: Subjects<'_>,
        out: &mut [Block],
    ) {
        let Question { set, outside, at_least } = question;
        let all = matches!(subjects, Subjects::From(..));
        let most = way.edges.len() / BACKWARDS;
        if all && !outside && *at_least == 1 && backwards(way.inverse, set, most, out) {
            return;
        }
        if strategy == Strategy::Narrow {
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
        let (asked, rows) = (Asked::of(questions), self.laid.1.get());
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
        classes: Classes<'_>,
    ) -> Vec<u64> {
        let Classes { masks, number: classes, .. } = classes;
        self.lay(way, questions);
        let (asked, rows) = (Asked::of(questions), self.laid.1.get());
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
        let CpuWorld { level, threads, laid: (laid, rows), .. } = self;
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
fn strategy(
    way: Way<'_>,
    questions: &[Question],
    subjects: Subjects<'_>,
    level: Level,
) -> Strategy {
    // The specification's level: one by one, whatever it costs.
    if level == Level::Scalar {
        return Strategy::Few;
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
        Strategy::Wide
    } else if narrow < few {
        Strategy::Narrow
    } else {
        Strategy::Few
    }
}
