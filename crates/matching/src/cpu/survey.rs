use super::planes::{Cover, Planes};
use crate::survey::{Ballot, Conditions, Residency, Rows, VOTING};
use crate::{Examples, MISSING, spec};
use pellucid_bits::{BLOCK_BITS, Block, Level, blocks_for};
use pellucid_device::{DeviceError, Processor, Threads};
use std::ops::Range;
use std::sync::Arc;

/// Conditions that a thread takes at a time.
const TOGETHER: usize = 64;

/// Examples on the threads of the processor.
#[derive(Debug)]
pub(crate) struct OnThreads {
    examples: Arc<Examples>,
    level: Level,
    threads: Arc<Threads>,
    /// The rows that are laid out, by their number.
    laid: Option<(u64, Planes)>,
}

impl OnThreads {
    pub(crate) fn new(processor: &Processor, examples: &Arc<Examples>) -> OnThreads {
        let (level, threads) = (processor.level(), Arc::clone(processor.threads()));
        OnThreads { examples: Arc::clone(examples), level, threads, laid: None }
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
        let OnThreads { examples, level, threads, laid } = self;
        let (list, words) = (rows.list(), rows.words());
        let domains = examples.domains();
        if words == 0 || part.is_empty() {
            return Ok(());
        }
        let mut pieces: Vec<(usize, &mut [u64])> =
            (part.start..).step_by(TOGETHER).zip(out.chunks_mut(TOGETHER * words)).collect();
        if *level == Level::Scalar {
            threads.each(&mut pieces, |_, (first, out)| {
                for (number, out) in (*first..).zip(out.chunks_exact_mut(words)) {
                    out.fill(0);
                    for (place, &row) in list.iter().enumerate() {
                        let tests = conditions.tests(number);
                        let holds = spec::matches(domains, tests, examples.row(row as usize));
                        out[place / 64] |= u64::from(holds) << (place % 64);
                    }
                }
            });
            return Ok(());
        }
        if laid.as_ref().is_none_or(|(number, _)| *number != rows.number()) {
            *laid = Some((rows.number(), Planes::new(domains.len(), blocks_for(list.len()))));
        }
        let Some((_, planes)) = laid else { return Ok(()) };
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
        let end = rows.list().len().min(VOTING * part.end);
        let list = &rows.list()[VOTING * part.start..end];
        out.fill(MISSING);
        // What fits the caches: a block of rows meets all conditions before the next does.
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

/// Up to 512 rows. Conditions are sorted by label, so that the votes for one are complete before those of the
/// next begin.
fn elect(
    examples: &Examples,
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
