use super::identity::{Digest, digest};
use super::{LogicError, Score, SearchContext};
use pellucid_program::ProgramId;

/// How many programs are scored between two questions whether to stop.
const CHUNK: usize = 2048;

/// What came of trying a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trial {
    /// How good it is.
    pub(super) score: Score,
    /// Which examples it covers.
    pub(super) covered: Digest,
}

/// Scores programs, offers them to the leaderboard and says what they cover; nothing when told to stop before the last one.
pub(super) fn try_all(
    context: &mut SearchContext,
    programs: &[ProgramId],
) -> Result<Option<Vec<Trial>>, LogicError> {
    let mut trials = Vec::with_capacity(programs.len());
    for chunk in programs.chunks(CHUNK) {
        if context.should_stop().is_some() {
            return Ok(None);
        }
        let rows = context.reasoner().cover_examples(chunk)?;
        context.count(chunk.len() as u64);
        let positives = context.task().positive.len();
        let mut scores = Vec::with_capacity(chunk.len());
        for (row, &program) in chunk.iter().enumerate() {
            let bits = rows.row(row);
            // The positive examples come first.
            let positive = count_first(bits, positives);
            let negative = rows.count(row) - positive;
            let quality = context.quality(positive, negative);
            let score = Score { positive, negative, quality, length: context.length(program) };
            trials.push(Trial { score, covered: digest(bits) });
            scores.push(score);
        }
        context.offer(chunk, &scores)?;
    }
    Ok(Some(trials))
}

fn count_first(blocks: &[pellucid_bits::Block], bits: usize) -> u64 {
    let words = blocks.iter().flat_map(|block| block.0).enumerate();
    let counted = words.take_while(|&(word, _)| word * 64 < bits).map(|(word, value)| {
        let left = bits - word * 64;
        let kept = if left < 64 { value & ((1 << left) - 1) } else { value };
        u64::from(kept.count_ones())
    });
    counted.sum()
}
