//! The model file of the logic learner.

use super::readable::readable;
use super::sequence::RunAnswers;
use super::shortest::{Minimality, shortest};
use super::{ExpressionScore, HeldOut, LogicError, Options, SearchContext};
use crate::syntax::{Glossary, GlossaryError, NameResolver, manchester};
use pellucid_learn::metrics::{Confusion, Metric};
use pellucid_learn::model;
use pellucid_program::Expr;
use serde::{Deserialize, Serialize, Serializer};

/// The model of this learner.
pub type LogicModel = model::Model<Options, LearnedExpressions>;

/// The name of this learner in files and commands.
pub const LEARNER: &str = "logic";

/// The maximum number of expressions in a file, and the maximum length of one in bytes, far above
/// anything written.
const MAX_EXPRESSIONS: usize = 10_000;
const MAX_EXPRESSION_BYTES: usize = 1 << 20;

/// Class expressions, the best first. The first one is used for predictions.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "ModelFile")]
pub struct LearnedExpressions {
    /// The name of the ontology.
    pub ontology: String,
    /// The name of the learning problem.
    pub problem: String,
    /// The number of positive examples.
    pub positives: u64,
    /// The number of negative examples.
    pub negatives: u64,
    /// The baselines for these examples.
    pub baseline: Baseline,
    /// The names in the expressions, so that they can be shown without the ontology.
    pub names: Glossary,
    /// The expressions.
    pub answers: Vec<LearnedExpression>,
}

/// The scores of the baselines on the training examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// The accuracy of always predicting the majority class.
    pub accuracy: f64,
    /// The F1 of `owl:Thing`, which covers all individuals.
    pub f1: f64,
}

impl Baseline {
    /// Returns the baselines for numbers of examples.
    #[must_use]
    pub fn of(positives: u64, negatives: u64) -> Baseline {
        let all = Confusion::from_covered(positives, negatives, positives, negatives);
        let accuracy = all.accuracy();
        Baseline { accuracy: accuracy.max(1.0 - accuracy), f1: Metric::F1.of(&all) }
    }
}

/// A learned class expression with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedExpression {
    /// The expression; `text` is printed from it.
    expr: Expr,
    text: String,
    /// The number of positive examples it covers.
    pub positive: u64,
    /// The number of negative examples it covers.
    pub negative: u64,
    /// The quality by the selected metric.
    pub quality: f64,
    /// The length.
    pub length: u32,
    /// What answers of the same method cover of examples that they were not learned from; only for the best
    /// answer of each method in method `auto`.
    pub held_out: Option<HeldOut>,
    /// Whether it is the shortest one for its quality; only for the first expression.
    pub minimality: Option<Minimality>,
}

impl LearnedExpression {
    /// Creates an expression from its score and the names to print it with.
    #[must_use]
    pub fn new(expr: Expr, names: &dyn NameResolver, score: ExpressionScore) -> LearnedExpression {
        let text = manchester::print(&expr, names);
        let ExpressionScore { positive, negative, quality, length } = score;
        let (held_out, minimality) = (None, None);
        LearnedExpression { expr, text, positive, negative, quality, length, held_out, minimality }
    }

    /// The expression.
    #[must_use]
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// The expression in Manchester syntax with short names.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.text
    }
}

/// The expressions as stored in a file.
#[derive(Serialize, Deserialize)]
struct ModelFile {
    ontology: String,
    problem: String,
    positives: u64,
    negatives: u64,
    baseline: Baseline,
    #[serde(default)]
    names: Glossary,
    answers: Vec<SavedExpression>,
}

/// An expression as stored in a file.
#[derive(Serialize, Deserialize)]
struct SavedExpression {
    /// For readers only: ignored when the file is read.
    #[serde(default)]
    expression: String,
    /// The exact expression, with IRIs, in the format of `Expr`.
    exact: String,
    positive: u64,
    negative: u64,
    quality: f64,
    length: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    minimality: Option<Minimality>,
}

impl Serialize for LearnedExpressions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = |answer: &LearnedExpression| SavedExpression {
            expression: answer.text.clone(),
            exact: answer.expr.to_string(),
            positive: answer.positive,
            negative: answer.negative,
            quality: answer.quality,
            length: answer.length,
            held_out: answer.held_out,
            minimality: answer.minimality,
        };
        let file = ModelFile {
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

impl TryFrom<ModelFile> for LearnedExpressions {
    type Error = LogicModelError;

    fn try_from(file: ModelFile) -> Result<LearnedExpressions, LogicModelError> {
        match file.answers.len() {
            0 => return Err(LogicModelError::Empty),
            count if count > MAX_EXPRESSIONS => return Err(LogicModelError::Many(count)),
            _ => {}
        }
        file.names.check()?;
        let names = file.names.lexicon();
        let parse = |(number, saved): (usize, SavedExpression)| {
            let letters = saved.exact.len();
            if letters > MAX_EXPRESSION_BYTES {
                return Err(LogicModelError::Long { number, letters });
            }
            let expr = saved.exact.parse();
            let expr: Expr = expr.map_err(|error| LogicModelError::Parse { number, error })?;
            let SavedExpression { positive, negative, quality, length, .. } = saved;
            let score = ExpressionScore { positive, negative, quality, length };
            let held_out = saved.held_out.filter(HeldOut::is_valid);
            let minimality = saved.minimality;
            let read = LearnedExpression::new(expr, &names, score);
            Ok(LearnedExpression { held_out, minimality, ..read })
        };
        Ok(LearnedExpressions {
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

/// Why a model file is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LogicModelError {
    /// It has no expression.
    #[error("the model has no class expression")]
    Empty,
    /// It has too many expressions.
    #[error("the model has {0} class expressions; the maximum is {MAX_EXPRESSIONS}")]
    Many(usize),
    /// An expression is too long.
    #[error("class expression {number} has {letters} bytes; the maximum is {MAX_EXPRESSION_BYTES}")]
    Long {
        /// The number of the expression, starting at 1.
        number: usize,
        /// Its length in bytes.
        letters: usize,
    },
    /// A short name does not belong to its IRI.
    #[error("the model has a wrong short name: {0}")]
    Name(#[from] GlossaryError),
    /// An expression cannot be parsed.
    #[error("class expression {number}: {error}")]
    Parse {
        /// The number of the expression, starting at 1.
        number: usize,
        /// The parse error.
        error: pellucid_program::ParseError,
    },
}

impl LearnedExpressions {
    /// Returns the answers of a run as a person would write them. If a shorter expression is as good as the
    /// first answer, it comes first.
    ///
    /// # Errors
    /// If evaluation fails on all devices.
    pub(super) fn of(run: &mut RunAnswers) -> Result<LearnedExpressions, LogicError> {
        let RunAnswers { context, answers, .. } = run;
        let (positives, negatives) =
            (context.task().positive.len() as u64, context.task().negative.len() as u64);
        let mut found: Vec<FinalAnswer> = Vec::with_capacity(answers.len() + 1);
        for (answer, held_out) in answers.iter() {
            let expr = readable(context, &answer.expr)?;
            if found.iter().all(|other| other.expr != expr) {
                let score = ExpressionScore { length: length(&expr), ..answer.score };
                found.push(FinalAnswer { expr, score, held_out: *held_out, minimality: None });
            }
        }
        prove_first(context, &mut found)?;
        found.truncate(context.options().answers);
        let names = Glossary::of(found.iter().map(|answer| &answer.expr), &**context.kb());
        let lexicon = names.lexicon();
        let learned = |answer: FinalAnswer| {
            let FinalAnswer { expr, score, held_out, minimality } = answer;
            let learned = LearnedExpression::new(expr, &lexicon, score);
            LearnedExpression { held_out, minimality, ..learned }
        };
        let answers = found.into_iter().map(learned).collect();
        Ok(LearnedExpressions {
            ontology: context.kb().name.clone(),
            problem: context.task().name.clone(),
            positives,
            negatives,
            baseline: Baseline::of(positives, negatives),
            names,
            answers,
        })
    }

    /// The best expression, which is used for predictions.
    ///
    /// # Errors
    /// If there is none.
    pub fn best(&self) -> Result<&LearnedExpression, LogicModelError> {
        self.answers.first().ok_or(LogicModelError::Empty)
    }

    /// Returns the actual and the predicted classes of the training examples, reconstructed from
    /// the counts, so in arbitrary order.
    pub(super) fn training_codes(&self) -> (Vec<u32>, Vec<u32>) {
        let best = self.answers.first().map_or((0, 0), |best| (best.positive, best.negative));
        let (mut actual, mut predicted) = (Vec::new(), Vec::new());
        for (class, all, covered) in [(1, self.positives, best.0), (0, self.negatives, best.1)] {
            actual.extend((0..all).map(|_| class));
            predicted.extend((0..all).map(|index| u32::from(index < covered)));
        }
        (actual, predicted)
    }
}

/// An answer before it gets its text.
struct FinalAnswer {
    expr: Expr,
    score: ExpressionScore,
    held_out: Option<HeldOut>,
    minimality: Option<Minimality>,
}

/// Searches for a shorter expression that is as good as the first one, and puts it in its place. The
/// cross-validation stays: it is that of the method.
fn prove_first(
    context: &mut SearchContext,
    found: &mut Vec<FinalAnswer>,
) -> Result<(), LogicError> {
    let Some(first) = found.first_mut() else { return Ok(()) };
    let Some(shortest) = shortest(context, &first.expr, &first.score)? else { return Ok(()) };
    let minimality = Some(shortest.minimality);
    let Some(expr) = shortest.found else {
        first.minimality = minimality;
        return Ok(());
    };
    let held_out = first.held_out;
    found.remove(0);
    let ranked = context.ranked(&expr.to_string())?;
    let expr = readable(context, &ranked.expr)?;
    found.retain(|other| other.expr != expr);
    let score = ExpressionScore { length: length(&expr), ..ranked.score };
    found.insert(0, FinalAnswer { expr, score, held_out, minimality });
    Ok(())
}

fn length(expr: &Expr) -> u32 {
    u32::try_from(crate::length(expr)).unwrap_or(u32::MAX)
}
