use super::identity::{Digest, digest};
use super::{ExpressionScore, LogicError, SearchContext};
use pellucid_program::ProgramId;

/// The number of programs evaluated between two checks of the stopping criteria.
const CHUNK: usize = 2048;

/// The result of evaluating a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evaluation {
    /// The score.
    pub(super) score: ExpressionScore,
    /// The digest of the examples it covers.
    pub(super) covered: Digest,
}

/// Evaluates programs and offers them to the leaderboard; `None` if the run stopped before the last
/// one.
pub(super) fn evaluate_all(
    context: &mut SearchContext,
    programs: &[ProgramId],
) -> Result<Option<Vec<Evaluation>>, LogicError> {
    let mut evaluations = Vec::with_capacity(programs.len());
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
            let score =
                ExpressionScore { positive, negative, quality, length: context.length(program) };
            evaluations.push(Evaluation { score, covered: digest(bits) });
            scores.push(score);
        }
        context.offer(chunk, &scores)?;
    }
    Ok(Some(evaluations))
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
