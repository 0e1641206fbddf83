use super::planes::{Cover, Planes};
use crate::survey::{Ballot, Conditions, Residency, Rows, VOTING_ROWS};
use crate::{CodedExamples, MISSING, spec};
use pellucid_bits::{BLOCK_BITS, Block, Level, blocks_for};
use pellucid_device::{DeviceError, Processor, Threads};
use std::ops::Range;
use std::sync::Arc;

/// The number of conditions that a thread processes at a time.
const CONDITIONS_AT_ONCE: usize = 64;

/// Examples in main memory, processed by the threads of the CPU.
#[derive(Debug)]
pub(crate) struct OnThreads {
    examples: Arc<CodedExamples>,
    level: Level,
    threads: Arc<Threads>,
    /// The planes of the current rows, with the number of these rows.
    planes_of: Option<(u64, Planes)>,
}

impl OnThreads {
    pub(crate) fn new(processor: &Processor, examples: &Arc<CodedExamples>) -> OnThreads {
        let (level, threads) = (processor.level(), Arc::clone(processor.threads()));
        OnThreads { examples: Arc::clone(examples), level, threads, planes_of: None }
    }
}

impl Residency for OnThreads {
    fn cover(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        part: Range<usize>,
        out: &mut [u64],
    ) -> Result<(), DeviceError> {
        let OnThreads { examples, level, threads, planes_of } = self;
        let (list, words) = (rows.list(), rows.words());
        let domains = examples.domains();
        if words == 0 || part.is_empty() {
            return Ok(());
        }
        let mut pieces: Vec<(usize, &mut [u64])> = (part.start..)
            .step_by(CONDITIONS_AT_ONCE)
            .zip(out.chunks_mut(CONDITIONS_AT_ONCE * words))
            .collect();
        if *level == Level::Scalar {
            threads.each(&mut pieces, |_, (first, out)| {
                for (number, out) in (*first..).zip(out.chunks_exact_mut(words)) {
                    out.fill(0);
                    for (place, &row) in list.iter().enumerate() {
                        let tests = conditions.tests(number);
                        let is_match = spec::matches(domains, tests, examples.row(row as usize));
                        out[place / 64] |= u64::from(is_match) << (place % 64);
                    }
                }
            });
            return Ok(());
        }
        if planes_of.as_ref().is_none_or(|(number, _)| *number != rows.number()) {
            *planes_of = Some((rows.number(), Planes::new(domains.len(), blocks_for(list.len()))));
        }
        let Some((_, planes)) = planes_of else { return Ok(()) };
        planes.prepare(examples, list, conditions.part(part).1);
        let (planes, level) = (&*planes, *level);
        threads.each(&mut pieces, |_, (first, out)| {
            let mut covered = vec![Block::ZERO; blocks_for(list.len())];
            for (number, out) in (*first..).zip(out.chunks_exact_mut(words)) {
                for (block, covered) in covered.iter_mut().enumerate() {
                    *covered = Block::first(list.len() - block * BLOCK_BITS);
                }
                let tests = conditions.tests(number);
                level.run(Cover { planes, domains, tests, covered: &mut covered });
                let found = covered.iter().flat_map(|block| block.0);
                out.iter_mut().zip(found).for_each(|(to, from)| *to = from);
            }
        });
        Ok(())
    }

    fn vote(
        &mut self,
        rows: &Rows,
        conditions: &Conditions,
        ballots: &[Ballot],
        part: Range<usize>,
        out: &mut [u32],
    ) -> Result<(), DeviceError> {
        let (examples, level) = (&*self.examples, self.level);
        let end = rows.list().len().min(VOTING_ROWS * part.end);
        let list = &rows.list()[VOTING_ROWS * part.start..end];
        out.fill(MISSING);
        // In blocks that fit in the caches: all conditions are evaluated on one block of rows
        // before the next.
        let mut pieces: Vec<(&[u32], &mut [u32])> =
            list.chunks(BLOCK_BITS).zip(out.chunks_mut(BLOCK_BITS)).collect();
        self.threads.each(&mut pieces, |_, (list, out)| {
            if level == Level::Scalar {
                for (&row, out) in list.iter().zip(out.iter_mut()) {
                    let example = examples.row(row as usize);
                    *out = spec::elected(examples.domains(), conditions, ballots, example);
                }
            } else {
                elect(examples, level, list, conditions, ballots, out);
            }
        });
        Ok(())
    }
}

/// Elects the labels of up to 512 rows. Conditions are sorted by label, so that the votes for one
/// label are complete before the next begins.
fn elect(
    examples: &CodedExamples,
    level: Level,
    list: &[u32],
    conditions: &Conditions,
    ballots: &[Ballot],
    out: &mut [u32],
) {
    let domains = examples.domains();
    let mut planes = Planes::new(domains.len(), 1);
    let (mut votes, mut most) = (vec![0_u64; list.len()], vec![0_u64; list.len()]);
    let mut close = |label: u32, votes: &mut [u64]| {
        for ((votes, most), best) in votes.iter_mut().zip(&mut most).zip(&mut *out) {
            if *votes > *most {
                (*most, *best) = (*votes, label);
            }
            *votes = 0;
        }
    };
    for (number, ballot) in ballots.iter().enumerate() {
        if number > 0 && ballots[number - 1].label != ballot.label {
            close(ballots[number - 1].label, &mut votes);
        }
        let tests = conditions.tests(number);
        planes.prepare(examples, list, tests);
        let mut covered = [Block::first(list.len())];
        level.run(Cover { planes: &planes, domains, tests, covered: &mut covered });
        for row in pellucid_bits::words::members(&covered[0].0) {
            votes[row] += u64::from(ballot.votes);
        }
    }
    if let Some(last) = ballots.last() {
        close(last.label, &mut votes);
    }
}
