//! Answers questions on the threads of the CPU.

use super::lanes::{IntoRows, Rows};
use super::single::Single;
use super::wide::{LANES, LaneQuestions, Subjects, Wide, WideOutput, group_by_bits};
use crate::World;
use crate::inquiry::{Classes, Inquiry, Question, Residency, RoleEdges};
use crate::set::SetRef;
use pellucid_bits::{BLOCK_BITS, Bits, Block, as_u32, blocks_for};
use pellucid_bits::{CountClasses, Level};
use pellucid_device::{DeviceError, Processor, Threads};
use std::sync::Arc;

/// Costs in nanoseconds on a CPU of 2023. Only their ratios matter.
mod cost {
    /// Transposing 64 sets of 512 objects, in either direction.
    pub(super) const SQUARE: f64 = 400.0;
    /// Following an edge for 512 sets, if their rows fit into the cache and if they do not.
    pub(super) const WIDE_EDGE: [f64; 2] = [3.0, 10.0];
    /// Following an edge for one set.
    pub(super) const NARROW_EDGE: f64 = 0.4;
    /// Following an edge for one set and only some subjects.
    pub(super) const FEW_EDGE: f64 = 1.5;
}

/// The number of bytes of rows that fit into the cache.
const CACHED: usize = 1 << 20;
/// The number of blocks of subjects from which threads share one pass.
const SHARED_BLOCKS: usize = 16;

/// A world in main memory, and the sets that were transposed last.
#[derive(Debug)]
pub(crate) struct CpuWorld {
    world: Arc<World>,
    level: Level,
    threads: Arc<Threads>,
    /// The sets and their rows.
    transposed: (Vec<Arc<Bits>>, Rows),
}

/// The strategy for some questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    Wide,
    Narrow,
    Few,
}

impl CpuWorld {
    pub(crate) fn new(processor: &Processor, world: &Arc<World>) -> CpuWorld {
        let (level, threads) = (processor.level(), Arc::clone(processor.threads()));
        let transposed = (Vec::new(), Rows::default());
        CpuWorld { world: Arc::clone(world), level, threads, transposed }
    }
}

impl Residency for CpuWorld {
    fn bits(&mut self, inquiry: &Inquiry<'_>, bits: &mut [Block]) -> Result<(), DeviceError> {
        let world = Arc::clone(&self.world);
        let role_edges = RoleEdges::of(&world, inquiry.role, inquiry.inverse);
        let Inquiry { questions, subjects, .. } = *inquiry;
        let stride = inquiry.stride();
        if stride == 0 || role_edges.edges.is_empty() {
            bits.fill(Block::ZERO);
            return Ok(());
        }
        let Split { strategy, wide, single, runs } =
            split(role_edges, questions, subjects, self.level);
        for (places, chunk) in group_by_bits(questions, wide) {
            let mut found = vec![Block::ZERO; chunk.len() * stride];
            self.wide_bits(role_edges, &chunk, subjects, &mut found);
            for (found, &place) in found.chunks_exact(stride).zip(&places) {
                bits[place * stride..(place + 1) * stride].copy_from_slice(found);
            }
        }
        let single = self.single(role_edges, subjects, strategy, single, runs);
        let mut rows = single.rows(bits.chunks_exact_mut(stride));
        self.threads.each(&mut rows, |_, (place, out)| {
            out.fill(Block::ZERO);
            single.answer(&questions[*place], out);
        });
        Ok(())
    }

    fn counts(
        &mut self,
        inquiry: &Inquiry<'_>,
        classes: Classes<'_>,
        counts: &mut [u64],
    ) -> Result<(), DeviceError> {
        let world = Arc::clone(&self.world);
        let role_edges = RoleEdges::of(&world, inquiry.role, inquiry.inverse);
        let Inquiry { questions, subjects, .. } = *inquiry;
        let Classes { masks, number, .. } = classes;
        counts.fill(0);
        if number == 0 || inquiry.stride() == 0 || role_edges.edges.is_empty() {
            return Ok(());
        }
        let Split { strategy, wide, single, runs } =
            split(role_edges, questions, subjects, self.level);
        for (places, chunk) in group_by_bits(questions, wide) {
            let found = self.wide_counts(role_edges, &chunk, subjects, classes);
            for (found, &place) in found.chunks_exact(number).zip(&places) {
                counts[place * number..(place + 1) * number].copy_from_slice(found);
            }
        }
        let single = self.single(role_edges, subjects, strategy, single, runs);
        let mut rows = single.rows(counts.chunks_exact_mut(number));
        self.threads.each(&mut rows, |_, (place, counts)| {
            let question = &questions[*place];
            if let Some(few) = single.few_subjects(question, inquiry.stride()) {
                return count_few(&few, masks, counts);
            }
            let mut out = vec![Block::ZERO; inquiry.stride()];
            single.answer(question, &mut out);
            self.level.run(CountClasses { bits: &out, masks, counts });
        });
        Ok(())
    }
}

impl CpuWorld {
    /// Creates the data for questions that are answered one by one.
    fn single<'a>(
        &'a self,
        role_edges: RoleEdges<'a>,
        subjects: Subjects<'a>,
        strategy: Strategy,
        places: Vec<usize>,
        runs: usize,
    ) -> Single<'a> {
        let scans = strategy == Strategy::Narrow;
        Single::new(self.level, &self.threads, role_edges, subjects, scans, places, runs)
    }

    fn wide_bits(
        &mut self,
        role_edges: RoleEdges<'_>,
        questions: &[&Question<'_>],
        subjects: Subjects<'_>,
        bits: &mut [Block],
    ) {
        self.transpose_sets(role_edges, questions);
        let (asked, rows) = (LaneQuestions::of(questions), self.transposed.1.get());
        let stride = blocks_for(subjects.len());
        let pass = |subjects: Subjects<'_>, bits: &mut [Block]| {
            let stride = blocks_for(subjects.len());
            let output = WideOutput::Bits { bits, stride };
            let (edges, lanes) = (role_edges.edges, questions.len());
            self.level.run(Wide { edges, rows, lanes, asked: &asked, subjects, output });
        };
        let ranges = ranges(subjects, self.threads.count());
        if let [_] = ranges[..] {
            return pass(subjects, bits);
        }
        let parts = self.threads.map(ranges.len(), |part| {
            let (_, subjects) = ranges[part];
            let mut bits = vec![Block::ZERO; questions.len() * blocks_for(subjects.len())];
            pass(subjects, &mut bits);
            bits
        });
        let mut lanes: Vec<&mut [Block]> = bits.chunks_exact_mut(stride).collect();
        self.threads.each(&mut lanes, |lane, bits| {
            for (&(first, subjects), part) in ranges.iter().zip(&parts) {
                let height = blocks_for(subjects.len());
                bits[first..first + height].copy_from_slice(&part[lane * height..][..height]);
            }
        });
    }

    fn wide_counts(
        &mut self,
        role_edges: RoleEdges<'_>,
        questions: &[&Question<'_>],
        subjects: Subjects<'_>,
        classes: Classes<'_>,
    ) -> Vec<u64> {
        let Classes { masks, number: classes, .. } = classes;
        self.transpose_sets(role_edges, questions);
        let (asked, rows) = (LaneQuestions::of(questions), self.transposed.1.get());
        let ranges = ranges(subjects, self.threads.count());
        let parts = self.threads.map(ranges.len(), |part| {
            let (first, subjects) = ranges[part];
            let mut counts = vec![0; questions.len() * classes];
            let output = WideOutput::Counts {
                masks: &masks[first * classes..],
                classes,
                counts: &mut counts,
            };
            let (edges, lanes) = (role_edges.edges, questions.len());
            self.level.run(Wide { edges, rows, lanes, asked: &asked, subjects, output });
            counts
        });
        let mut sum = vec![0; questions.len() * classes];
        for part in parts {
            sum.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
        }
        sum
    }

    /// Transposes the sets of some questions to rows, unless the rows are still there from the last
    /// call.
    fn transpose_sets(&mut self, role_edges: RoleEdges<'_>, questions: &[&Question<'_>]) {
        let same = |(old, new): (&Arc<Bits>, &Arc<Bits>)| Arc::ptr_eq(old, new);
        let CpuWorld { level, threads, transposed: (transposed, rows), .. } = self;
        let objects = role_edges.edges.object_count();
        let sets: Vec<Arc<Bits>> =
            questions.iter().map(|question| question.set.bits(objects)).collect();
        if transposed.len() == sets.len() && transposed.iter().zip(&sets).all(same) {
            return;
        }
        *transposed = sets;
        let blocks = blocks_for(objects);
        let memory = rows.reserve(blocks);
        let height = blocks.div_ceil(threads.count() * 4).max(SHARED_BLOCKS);
        let mut ranges: Vec<&mut [Block]> = memory.chunks_mut(height * BLOCK_BITS).collect();
        threads.each(&mut ranges, |part, rows| {
            let first = part * height;
            let sets: Vec<&[Block]> = transposed.iter().map(|set| &set.blocks()[first..]).collect();
            level.run(IntoRows { sets: &sets, rows });
        });
    }
}

/// Splits subjects into ranges of whole blocks, each with the number of its first block.
fn ranges(subjects: Subjects<'_>, threads: usize) -> Vec<(usize, Subjects<'_>)> {
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
                Subjects::Range(at, _) => Subjects::Range(at + as_u32(start), len),
                Subjects::List(list) => Subjects::List(&list[start..start + len]),
            };
            (first, part)
        })
        .collect()
}

/// The assignment of questions to strategies, by index: some side by side, the others one by one.
struct Split {
    strategy: Strategy,
    wide: Vec<usize>,
    single: Vec<usize>,
    /// The number of questions about ranges.
    runs: usize,
}

/// Answers ranges one by one, and the other questions with the cheapest strategy.
fn split(
    role_edges: RoleEdges<'_>,
    questions: &[Question<'_>],
    subjects: Subjects<'_>,
    level: Level,
) -> Split {
    if level == Level::Scalar {
        // The scalar level follows the specification, regardless of cost.
        let single = (0..questions.len()).collect();
        return Split { strategy: Strategy::Few, wide: Vec::new(), single, runs: 0 };
    }
    let is_run = |&place: &usize| matches!(questions[place].set, SetRef::Run(_));
    let (mut single, sets): (Vec<usize>, Vec<usize>) = (0..questions.len()).partition(is_run);
    let runs = single.len();
    let strategy = strategy(role_edges, sets.len(), subjects);
    if strategy == Strategy::Wide {
        return Split { strategy, wide: sets, single, runs };
    }
    single.extend(sets);
    single.sort_unstable();
    Split { strategy, wide: Vec::new(), single, runs }
}

/// Adds some subjects to the counts of their classes.
fn count_few(subjects: &[u32], masks: &[Block], counts: &mut [u64]) {
    let classes = counts.len();
    for &subject in subjects {
        let (block, bit) = (subject as usize / BLOCK_BITS, subject as usize % BLOCK_BITS);
        let masks = &masks[block * classes..(block + 1) * classes];
        counts.iter_mut().zip(masks).for_each(|(count, mask)| *count += u64::from(mask.get(bit)));
    }
}

/// Returns the cheapest strategy for a number of questions.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn strategy(role_edges: RoleEdges<'_>, questions: usize, subjects: Subjects<'_>) -> Strategy {
    let asked = match subjects {
        Subjects::Range(..) => role_edges.edges.len(),
        Subjects::List(list) => {
            list.iter().map(|&subject| role_edges.edges.of(subject).len()).sum()
        }
    } as f64;
    let lanes = questions as f64;
    let words = questions.min(LANES).div_ceil(64) as f64;
    let passes = questions.div_ceil(LANES) as f64;
    let rows = role_edges.edges.object_count() * size_of::<Block>();
    let squares = (blocks_for(role_edges.edges.object_count()) + blocks_for(subjects.len())) as f64;
    let wide_edge = cost::WIDE_EDGE[usize::from(rows > CACHED)];
    let wide = passes * (squares * words * cost::SQUARE + asked * wide_edge);
    let few = lanes * asked * cost::FEW_EDGE;
    let narrow = match subjects {
        Subjects::Range(0, len) if len == role_edges.edges.subject_count() => {
            lanes * role_edges.edges.len() as f64 * cost::NARROW_EDGE
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
