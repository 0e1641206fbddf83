//! What was learned, as a file.

use super::{Lab, Options};
use crate::syntax::{Glossary, manchester};
use pellucid_engine::Expr;
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::model;
use serde::{Deserialize, Serialize};

/// A model file of this learner.
pub type Model = model::Model<Options, Answers>;

/// The name of this learner in files and commands.
pub const LEARNER: &str = "logic";

/// The most answers that a file may hold, and the most letters of one: far more than anything that is written.
const MOST_ANSWERS: usize = 10_000;
const MOST_LETTERS: usize = 1 << 20;

/// Class expressions that tell the examples apart, the best first. The first is the one that predicts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    #[serde(default)]
    pub names: Glossary,
    /// The expressions.
    pub answers: Vec<SavedAnswer>,
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

/// An expression as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedAnswer {
    /// As people read it, in Manchester syntax with short names.
    pub expression: String,
    /// Exactly, with IRIs, as the engine reads it.
    pub exact: String,
    /// How many positive examples it covers.
    pub positive: u64,
    /// How many negative ones.
    pub negative: u64,
    /// The measure of that.
    pub quality: f64,
    /// How long it is.
    pub length: u32,
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
    /// One is no expression.
    #[error("class expression {number}: {error}")]
    Parse {
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        error: pellucid_engine::ParseError,
    },
}

impl Answers {
    /// What a bench has on its board.
    #[must_use]
    pub fn of(lab: &Lab) -> Answers {
        let (positives, negatives) =
            (lab.task().positive.len() as u64, lab.task().negative.len() as u64);
        let saved = |answer: &super::Answer| SavedAnswer {
            expression: manchester::print(&answer.expr, &**lab.kb()),
            exact: answer.text.clone(),
            positive: answer.score.positive,
            negative: answer.score.negative,
            quality: answer.score.quality,
            length: answer.score.length,
        };
        Answers {
            ontology: lab.kb().name.clone(),
            problem: lab.task().name.clone(),
            positives,
            negatives,
            baseline: Baseline::of(positives, negatives),
            names: Glossary::of(
                lab.board().answers().iter().map(|answer| &answer.expr),
                &**lab.kb(),
            ),
            answers: lab.board().answers().iter().map(saved).collect(),
        }
    }

    /// The expressions, after a look whether they are some.
    ///
    /// # Errors
    /// When there is none, too many, one is too long or no expression.
    pub fn expressions(&self) -> Result<Vec<Expr>, ModelProblem> {
        match self.answers.len() {
            0 => return Err(ModelProblem::Empty),
            many if many > MOST_ANSWERS => return Err(ModelProblem::Many(many)),
            _ => {}
        }
        let parse = |(number, answer): (usize, &SavedAnswer)| {
            let letters = answer.exact.len();
            if letters > MOST_LETTERS {
                return Err(ModelProblem::Long { number, letters });
            }
            answer.exact.parse().map_err(|error| ModelProblem::Parse { number, error })
        };
        (1..).zip(&self.answers).map(parse).collect()
    }

    /// How the best expression does on the training examples.
    #[must_use]
    pub fn train(&self) -> Option<Confusion> {
        let best = self.answers.first()?;
        Some(Confusion::from_covered(best.positive, best.negative, self.positives, self.negatives))
    }
}
