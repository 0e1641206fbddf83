use pellucid_program::Expr;
use std::cmp::Ordering;

/// The score of an expression on the training examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpressionScore {
    /// The number of positive examples it covers.
    pub positive: u64,
    /// The number of negative examples it covers.
    pub negative: u64,
    /// The quality by the selected metric; larger is better.
    pub quality: f64,
    /// The length.
    pub length: u32,
}

impl ExpressionScore {
    /// The ranking criterion: quality minus the length penalty.
    #[must_use]
    pub fn merit(&self, penalty: f64) -> f64 {
        self.quality - penalty * f64::from(self.length)
    }
}

/// An expression with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedExpression {
    /// The expression, in the standard semantics.
    pub expr: Expr,
    /// The expression as text, which breaks ties.
    pub text: String,
    /// The score.
    pub score: ExpressionScore,
    /// A digest of the examples that it covers.
    pub coverage: u128,
}

/// The best expressions so far. Of expressions that cover the same examples only the best is kept.
///
/// The order is by merit, then quality, then length, then text, so it does not depend on the order
/// of insertion. An expression confirmed by cross-validation can be preferred; then only an
/// expression with a clearly higher merit ranks above it.
#[derive(Clone, Debug)]
pub struct Leaderboard {
    answers: Vec<RankedExpression>,
    most: usize,
    penalty: f64,
    preferred: Option<PreferredExpression>,
}

/// The expression that ranks above others of higher merit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreferredExpression {
    /// The digest of the examples it covers.
    pub coverage: u128,
    /// Expressions with a higher merit than this rank above it.
    pub bar: f64,
}

impl Leaderboard {
    /// Creates an empty leaderboard for `most` expressions.
    #[must_use]
    pub fn new(most: usize, penalty: f64) -> Leaderboard {
        Leaderboard { answers: Vec::new(), most, penalty, preferred: None }
    }

    /// The expressions, the best first.
    #[must_use]
    pub fn answers(&self) -> &[RankedExpression] {
        &self.answers
    }

    /// Returns the expressions, the best first.
    #[must_use]
    pub fn into_answers(self) -> Vec<RankedExpression> {
        self.answers
    }

    /// The best expression.
    #[must_use]
    pub fn best(&self) -> Option<&RankedExpression> {
        self.answers.first()
    }

    /// The penalty per unit of length.
    #[must_use]
    pub fn penalty(&self) -> f64 {
        self.penalty
    }

    /// Sets the penalty per unit of length. Expressions that were dropped do not return.
    pub fn set_penalty(&mut self, penalty: f64) {
        self.penalty = penalty;
        self.sort();
    }

    /// The preferred expression, if any.
    #[must_use]
    pub fn preferred(&self) -> Option<PreferredExpression> {
        self.preferred
    }

    /// Sets the preferred expression.
    pub fn set_preferred(&mut self, preferred: Option<PreferredExpression>) {
        self.preferred = preferred;
        self.sort();
    }

    fn sort(&mut self) {
        let mut answers = std::mem::take(&mut self.answers);
        answers.sort_by(|left, right| self.order(left, right));
        self.answers = answers;
    }

    /// Whether an expression with this score would be kept if no other covers the same examples.
    #[must_use]
    pub fn would_take(&self, score: &ExpressionScore) -> bool {
        let Some(last) = self.answers.last().filter(|_| self.answers.len() >= self.most) else {
            return true;
        };
        self.is_preferred(last) || by_score(score, &last.score, self.penalty) != Ordering::Greater
    }

    /// Offers an expression. Returns whether it is kept.
    pub fn offer(&mut self, answer: RankedExpression) -> bool {
        if let Some(same) = self.answers.iter().position(|old| old.coverage == answer.coverage) {
            if self.order(&answer, &self.answers[same]) != Ordering::Less {
                return false;
            }
            self.answers.remove(same);
        }
        let rank = self.answers.partition_point(|old| self.order(old, &answer) == Ordering::Less);
        if rank >= self.most {
            return false;
        }
        self.answers.insert(rank, answer);
        self.answers.truncate(self.most);
        true
    }

    fn is_preferred(&self, answer: &RankedExpression) -> bool {
        self.preferred.is_some_and(|preferred| preferred.coverage == answer.coverage)
    }

    /// `Less` if the left one ranks above.
    fn order(&self, left: &RankedExpression, right: &RankedExpression) -> Ordering {
        let tier = |answer: &RankedExpression| match self.preferred {
            Some(preferred) if answer.score.merit(self.penalty) > preferred.bar => 0,
            Some(preferred) if answer.coverage == preferred.coverage => 1,
            _ => 2,
        };
        let score = by_score(&left.score, &right.score, self.penalty);
        tier(left).cmp(&tier(right)).then(score).then_with(|| left.text.cmp(&right.text))
    }
}

fn by_score(left: &ExpressionScore, right: &ExpressionScore, penalty: f64) -> Ordering {
    let merit = right.merit(penalty).total_cmp(&left.merit(penalty));
    merit.then(right.quality.total_cmp(&left.quality)).then(left.length.cmp(&right.length))
}
