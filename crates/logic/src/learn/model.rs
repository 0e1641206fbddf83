//! What was learned, as a file.

use super::prune::pruned;
use super::{LogicError, Options, Score, SearchContext};
use crate::syntax::{Glossary, Names, WrongName, manchester};
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::model;
use pellucid_program::{Expr, PerColumn, simplify};
use serde::{Deserialize, Serialize, Serializer};

/// A model file of this learner.
pub type LogicModel = model::Model<Options, Answers>;

/// The name of this learner in files and commands.
pub const LEARNER: &str = "logic";

/// The most answers that a file may hold, and the most letters of one: far more than anything that is written.
const MOST_ANSWERS: usize = 10_000;
const MOST_LETTERS: usize = 1 << 20;

/// Class expressions that tell the examples apart, the best first. The first is the one that predicts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "AnswersFile")]
pub struct Answers {
    /// What the ontology is called.
    pub ontology: String,
    /// What the problem is called.
    pub problem: String,
    /// How many positive examples there were.
    pub positives: u64,
    /// How many negative ones.
    pub negatives: u64,
    /// What the trivial answers get on them.
    pub baseline: Baseline,
    /// The names in the expressions, so that they can be shown where the ontology is not at hand.
    pub names: Glossary,
    /// The expressions.
    pub answers: Vec<FoundExpression>,
}

/// What trivial answers get on the training examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// The accuracy of the class that most examples have.
    pub accuracy: f64,
    /// The F1 of an expression that holds for everybody.
    pub f1: f64,
}

impl Baseline {
    /// The baselines of so many examples.
    #[must_use]
    pub fn of(positives: u64, negatives: u64) -> Baseline {
        let all = Confusion::from_covered(positives, negatives, positives, negatives);
        let accuracy = all.accuracy();
        Baseline { accuracy: accuracy.max(1.0 - accuracy), f1: Metric::F1.of(&all) }
    }
}

/// An expression that was found, and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundExpression {
    /// The one truth; what people read is printed from it.
    expr: Expr,
    text: String,
    /// How many positive examples it covers.
    pub positive: u64,
    /// How many negative ones.
    pub negative: u64,
    /// The measure of that.
    pub quality: f64,
    /// How long it is.
    pub length: u32,
}

impl FoundExpression {
    /// An expression with the names that show it, and what it covers.
    #[must_use]
    pub fn new(expr: Expr, names: &dyn Names, score: Score) -> FoundExpression {
        let text = manchester::print(&expr, names);
        let Score { positive, negative, quality, length } = score;
        FoundExpression { expr, text, positive, negative, quality, length }
    }

    /// The expression.
    #[must_use]
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// As people read it, in Manchester syntax with short names.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.text
    }
}

/// The answers as they stand in a file.
#[derive(Serialize, Deserialize)]
struct AnswersFile {
    ontology: String,
    problem: String,
    positives: u64,
    negatives: u64,
    baseline: Baseline,
    #[serde(default)]
    names: Glossary,
    answers: Vec<SavedExpression>,
}

/// An expression as it stands in a file.
#[derive(Serialize, Deserialize)]
struct SavedExpression {
    /// As people read it. Written for them alone: what a file says here is passed over.
    #[serde(default)]
    expression: String,
    /// Exactly, with IRIs, as the engine reads it.
    exact: String,
    positive: u64,
    negative: u64,
    quality: f64,
    length: u32,
}

impl Serialize for Answers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = |answer: &FoundExpression| SavedExpression {
            expression: answer.text.clone(),
            exact: answer.expr.to_string(),
            positive: answer.positive,
            negative: answer.negative,
            quality: answer.quality,
            length: answer.length,
        };
        let file = AnswersFile {
            ontology: self.ontology.clone(),
            problem: self.problem.clone(),
            positives: self.positives,
            negatives: self.negatives,
            baseline: self.baseline,
            names: self.names.clone(),
            answers: self.answers.iter().map(saved).collect(),
        };
        file.serialize(serializer)
    }
}

impl TryFrom<AnswersFile> for Answers {
    type Error = ModelProblem;

    fn try_from(file: AnswersFile) -> Result<Answers, ModelProblem> {
        match file.answers.len() {
            0 => return Err(ModelProblem::Empty),
            many if many > MOST_ANSWERS => return Err(ModelProblem::Many(many)),
            _ => {}
        }
        file.names.check()?;
        let names = file.names.lexicon();
        let parse = |(number, saved): (usize, SavedExpression)| {
            let letters = saved.exact.len();
            if letters > MOST_LETTERS {
                return Err(ModelProblem::Long { number, letters });
            }
            let expr = saved.exact.parse();
            let expr: Expr = expr.map_err(|error| ModelProblem::Parse { number, error })?;
            let SavedExpression { positive, negative, quality, length, .. } = saved;
            let score = Score { positive, negative, quality, length };
            Ok(FoundExpression::new(expr, &names, score))
        };
        Ok(Answers {
            answers: (1..).zip(file.answers).map(parse).collect::<Result<_, _>>()?,
            ontology: file.ontology,
            problem: file.problem,
            positives: file.positives,
            negatives: file.negatives,
            baseline: file.baseline,
            names: file.names,
        })
    }
}

/// Why a model file cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelProblem {
    /// It has no answer.
    #[error("the model holds no class expression")]
    Empty,
    /// It has far too many.
    #[error("the model holds {0} class expressions, allowed are {MOST_ANSWERS}")]
    Many(usize),
    /// One is far too long.
    #[error("class expression {number} has {letters} letters, allowed are {MOST_LETTERS}")]
    Long {
        /// Which one, from 1.
        number: usize,
        /// How long it is.
        letters: usize,
    },
    /// Something is called by the name of something else.
    #[error("the names that the model shows are not those of its expressions: {0}")]
    Name(#[from] WrongName),
    /// One is no expression.
    #[error("class expression {number}: {error}")]
    Parse {
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        error: pellucid_program::ParseError,
    },
}

impl Answers {
    /// What a search has on its leaderboard, without parts that no training example needs.
    ///
    /// # Errors
    /// When no device is left.
    pub fn of(context: &mut SearchContext) -> Result<Answers, LogicError> {
        let (positives, negatives) =
            (context.task().positive.len() as u64, context.task().negative.len() as u64);
        let answers = context.leaderboard().answers().to_vec();
        let mut exprs: Vec<Expr> = Vec::with_capacity(answers.len());
        for answer in &answers {
            let pruned = pruned(context, &answer.expr)?;
            exprs.push(simplify(&pruned, PerColumn::Several));
        }
        let names = Glossary::of(&exprs, &**context.kb());
        let lexicon = names.lexicon();
        let found = |(answer, expr): (&super::Answer, Expr)| {
            let length = match expr == answer.expr {
                true => answer.score.length,
                false => u32::try_from(crate::length(&expr)).unwrap_or(answer.score.length),
            };
            FoundExpression::new(expr, &lexicon, Score { length, ..answer.score })
        };
        let answers = answers.iter().zip(exprs).map(found).collect();
        Ok(Answers {
            ontology: context.kb().name.clone(),
            problem: context.task().name.clone(),
            positives,
            negatives,
            baseline: Baseline::of(positives, negatives),
            names,
            answers,
        })
    }

    /// The best expression, which predicts.
    ///
    /// # Errors
    /// When there is none.
    pub fn best(&self) -> Result<&FoundExpression, ModelProblem> {
        self.answers.first().ok_or(ModelProblem::Empty)
    }

    /// The class of each training example, and what the best expression says of it; by counts, so in no order that means
    /// anything.
    pub(super) fn training_codes(&self) -> (Vec<u32>, Vec<u32>) {
        let best = self.answers.first().map_or((0, 0), |best| (best.positive, best.negative));
        let (mut actual, mut predicted) = (Vec::new(), Vec::new());
        for (class, all, covered) in [(1, self.positives, best.0), (0, self.negatives, best.1)] {
            actual.extend((0..all).map(|_| class));
            predicted.extend((0..all).map(|place| u32::from(place < covered)));
        }
        (actual, predicted)
    }
}
