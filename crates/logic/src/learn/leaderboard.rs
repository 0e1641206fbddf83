use pellucid_program::Expr;
use std::cmp::Ordering;

/// How good a hypothesis is on the training examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// How many positive examples it covers.
    pub positive: u64,
    /// How many negative examples it covers.
    pub negative: u64,
    /// The measure of that, larger is better.
    pub quality: f64,
    /// How long it is.
    pub length: u32,
}

impl Score {
    /// What counts in the end: quality less what the length costs.
    #[must_use]
    pub fn merit(&self, penalty: f64) -> f64 {
        self.quality - penalty * f64::from(self.length)
    }
}

/// An expression and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The expression, in the standard meaning.
    pub expr: Expr,
    /// It as the engine writes it, which decides between equals.
    pub text: String,
    /// How good it is.
    pub score: Score,
    /// A digest of the examples that it covers.
    pub coverage: u128,
}

/// The best answers so far, no two of which cover the same examples: of those the better remains.
///
/// The order is by merit, then quality, then shortness, then text, so it does not matter in which order answers come. An
/// answer that was found reliable on held-out examples may lead; then only one with clearly more merit goes before it.
#[derive(Clone, Debug)]
pub struct Leaderboard {
    answers: Vec<Answer>,
    most: usize,
    penalty: f64,
    lead: Option<Lead>,
}

/// Which answer goes before others although they may have more merit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// What it covers.
    pub coverage: u128,
    /// The merit above which another goes before it.
    pub bar: f64,
}

impl Leaderboard {
    /// An empty leaderboard for so many answers.
    #[must_use]
    pub fn new(most: usize, penalty: f64) -> Leaderboard {
        Leaderboard { answers: Vec::new(), most, penalty, lead: None }
    }

    /// The answers, the best first.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The best answer.
    #[must_use]
    pub fn best(&self) -> Option<&Answer> {
        self.answers.first()
    }

    /// What a unit of length costs.
    #[must_use]
    pub fn penalty(&self) -> f64 {
        self.penalty
    }

    /// Changes what a unit of length costs. Answers that fell off the leaderboard before do not come back.
    pub fn set_penalty(&mut self, penalty: f64) {
        self.penalty = penalty;
        self.sort();
    }

    /// The answer that leads, if one does.
    #[must_use]
    pub fn lead(&self) -> Option<Lead> {
        self.lead
    }

    /// Lets an answer lead.
    pub fn set_lead(&mut self, lead: Option<Lead>) {
        self.lead = lead;
        self.sort();
    }

    fn sort(&mut self) {
        let mut answers = std::mem::take(&mut self.answers);
        answers.sort_by(|left, right| self.order(left, right));
        self.answers = answers;
    }

    /// Whether an answer with this score could have a place, if it covers what no other does.
    #[must_use]
    pub fn would_take(&self, score: &Score) -> bool {
        let Some(last) = self.answers.last().filter(|_| self.answers.len() >= self.most) else {
            return true;
        };
        self.is_lead(last) || by_score(score, &last.score, self.penalty) != Ordering::Greater
    }

    /// Offers an answer; says whether it has a place now.
    pub fn offer(&mut self, answer: Answer) -> bool {
        if let Some(same) = self.answers.iter().position(|old| old.coverage == answer.coverage) {
            if self.order(&answer, &self.answers[same]) != Ordering::Less {
                return false;
            }
            self.answers.remove(same);
        }
        let place = self.answers.partition_point(|old| self.order(old, &answer) == Ordering::Less);
        if place >= self.most {
            return false;
        }
        self.answers.insert(place, answer);
        self.answers.truncate(self.most);
        true
    }

    fn is_lead(&self, answer: &Answer) -> bool {
        self.lead.is_some_and(|lead| lead.coverage == answer.coverage)
    }

    /// `Less` where the left one goes before.
    fn order(&self, left: &Answer, right: &Answer) -> Ordering {
        let class = |answer: &Answer| match self.lead {
            Some(lead) if answer.score.merit(self.penalty) > lead.bar => 0,
            Some(lead) if answer.coverage == lead.coverage => 1,
            _ => 2,
        };
        let score = by_score(&left.score, &right.score, self.penalty);
        class(left).cmp(&class(right)).then(score).then_with(|| left.text.cmp(&right.text))
    }
}

fn by_score(left: &Score, right: &Score, penalty: f64) -> Ordering {
    let merit = right.merit(penalty).total_cmp(&left.merit(penalty));
    merit.then(right.quality.total_cmp(&left.quality)).then(left.length.cmp(&right.length))
}
