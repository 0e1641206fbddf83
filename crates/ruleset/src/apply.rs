//! A model applied to data: which rules apply to which examples, the scores, and the predicted classes.

use crate::explain::RulesExplanation;
use crate::model::{RuleError, RuleModel, RuleSet};
use crate::summary::{ROWS, mean_of, means, rows_of};
use pellucid_bits::BitRows;
use pellucid_cover::{EvaluateError, Hypothesis, Labels, Session, Table, TableError};
use pellucid_data::{Column, Dataset};
use pellucid_device::Machine;
use pellucid_export::conform::{MisfitError, conform, without_unseen_categories};
use pellucid_learn::learner::{
    Actuals, Applied, BoxError, Explanation, ExplanationRequest, Predicted,
};
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_program::{Expr, Interval, Op, Quantifier, Value};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// The reason why a model could not be applied.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The data does not fit.
    #[error(transparent)]
    Misfit(#[from] MisfitError),
    /// The model is invalid.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The data is too large, or its columns differ in length.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The devices failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

/// A condition prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Constant(bool),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// Enough rows of the example satisfy the question with this index.
    Rows(Quantifier, usize),
    /// A summary of the bag passes a test.
    Summary {
        summary: usize,
        test: SummaryTest,
    },
}

/// A test of a summary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SummaryTest {
    Compare(Op, f64),
    Within(Interval),
}

/// A model applied to data.
#[derive(Debug)]
pub struct AppliedRules {
    model: RuleSet,
    classes: Vec<String>,
    /// The name of the predicted number, if a number is predicted.
    number: Option<String>,
    /// The prepared conditions of the rules.
    pub(crate) conditions: Vec<Condition>,
    /// The distinct questions about single rows, and the rows that satisfy each.
    pub(crate) questions: Vec<Expr>,
    pub(crate) covered: BitRows,
    /// By question and bag, the number of rows that satisfy the question. Empty if rows are
    /// examples; `covered` is enough then.
    counts: Vec<Vec<u32>>,
    /// The summaries that conditions test, by name.
    pub(crate) summaries: Vec<(String, Vec<f64>)>,
    /// The number of rows of each bag; empty if rows are examples.
    rows: Vec<f64>,
    /// The data, with only the columns of the model.
    pub(crate) data: Dataset,
    /// The columns of the model.
    pub(crate) known: Vec<pellucid_learn::model::Column>,
    actual: Actuals,
    /// The rows of each example, computed on first use.
    members: OnceLock<Vec<Vec<usize>>>,
    /// The predicted class of each example, computed on first use.
    predicted: OnceLock<Vec<u32>>,
    /// The scores or numbers of each example, computed on first use.
    outputs: OnceLock<ScoreMatrix>,
}

impl AppliedRules {
    /// Applies a model to some data.
    ///
    /// # Errors
    /// If the data does not fit the model, or a device fails.
    pub fn new<P>(
        model: &RuleModel<P>,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<AppliedRules, ApplyError> {
        model.body.check(model.schema.outputs())?;
        let data = without_unseen_categories(conform(data, &model.schema)?, &model.schema);
        let mut builder = ConditionBuilder {
            data: &data,
            questions: Vec::new(),
            indices: HashMap::new(),
            summaries: Vec::new(),
        };
        let mut conditions = Vec::with_capacity(model.body.rules.len());
        for (number, rule) in (1..).zip(&model.body.rules) {
            conditions.push(builder.condition(number, &rule.when)?);
        }
        let ConditionBuilder { questions, summaries, .. } = builder;
        let (numbers, questions): (Vec<usize>, Vec<Expr>) = questions.into_iter().unzip();
        let covered = cover(&data, &numbers, &questions, machine)?;
        let counts = data.bags.as_ref().map_or_else(Vec::new, |bags| {
            let of_question = |question| {
                let mut counts = vec![0; bags.names.len()];
                covered.ones(question).for_each(|row| counts[bags.of_row[row] as usize] += 1);
                counts
            };
            (0..questions.len()).map(of_question).collect()
        });
        let rows = data.bags.as_ref().map_or_else(Vec::new, |_| rows_of(&data));
        let actual = Actuals::of_table(&data, &model.schema.classes);
        Ok(AppliedRules {
            model: model.body.clone(),
            classes: model.schema.classes.clone(),
            number: model.schema.number.map(|_| model.schema.target.clone().unwrap_or_default()),
            conditions,
            questions,
            covered,
            counts,
            summaries,
            rows,
            data,
            known: model.schema.columns.clone(),
            actual,
            members: OnceLock::new(),
            predicted: OnceLock::new(),
            outputs: OnceLock::new(),
        })
    }

    pub(crate) fn rule_set(&self) -> &RuleSet {
        &self.model
    }

    pub(crate) fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Returns the name of the predicted number, if a number is predicted.
    pub(crate) fn number_name(&self) -> Option<&str> {
        self.number.as_deref()
    }

    /// Returns the condition of a rule.
    pub(crate) fn expr(&self, rule: usize) -> &Expr {
        &self.model.rules[rule].when
    }

    /// Returns the rows of an example, in the order of the data.
    pub(crate) fn members(&self, example: usize) -> &[usize] {
        let members = self.members.get_or_init(|| {
            let mut members = vec![Vec::new(); self.examples()];
            match &self.data.bags {
                None => members.iter_mut().enumerate().for_each(|(row, own)| own.push(row)),
                Some(bags) => {
                    (0..).zip(&bags.of_row).for_each(|(row, &bag)| members[bag as usize].push(row))
                }
            }
            members
        });
        &members[example]
    }

    /// Returns whether the first rule that applies decides alone.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.model.ordered
    }

    /// Returns the number of rules.
    #[must_use]
    pub fn rules(&self) -> usize {
        self.model.rules.len()
    }

    /// Returns the number of examples.
    #[must_use]
    pub fn examples(&self) -> usize {
        self.data.examples()
    }

    /// Returns whether a rule applies to an example.
    #[must_use]
    pub fn holds(&self, rule: usize, example: usize) -> bool {
        self.satisfied(&self.conditions[rule], example)
    }

    pub(crate) fn satisfied(&self, condition: &Condition, example: usize) -> bool {
        match condition {
            Condition::Constant(value) => *value,
            Condition::Not(operand) => !self.satisfied(operand, example),
            Condition::All(operands) => {
                operands.iter().all(|operand| self.satisfied(operand, example))
            }
            Condition::Any(operands) => {
                operands.iter().any(|operand| self.satisfied(operand, example))
            }
            Condition::Rows(quantifier, question) => {
                let count = match self.counts.get(*question) {
                    Some(counts) => counts[example],
                    None => u32::from(self.covered.get(*question, example)),
                };
                match *quantifier {
                    Quantifier::Some => count > 0,
                    Quantifier::Only => {
                        f64::from(count) >= self.rows.get(example).copied().unwrap_or(1.0)
                    }
                    Quantifier::Min(least) => count >= least,
                    Quantifier::Max(most) => count <= most,
                    Quantifier::Exactly(number) => count == number,
                }
            }
            Condition::Summary { summary, test } => {
                let number = self.summaries[*summary].1[example];
                match test {
                    _ if number.is_nan() => false,
                    SummaryTest::Compare(op, other) => op.holds(number, *other),
                    SummaryTest::Within(interval) => interval.contains(number),
                }
            }
        }
    }

    /// Returns the score of each class for an example.
    #[must_use]
    pub fn votes(&self, example: usize) -> Vec<f64> {
        self.model.votes(|rule| self.holds(rule, example))
    }

    /// Returns the predicted class of each example.
    #[must_use]
    pub fn predictions(&self) -> Vec<u32> {
        self.all_predicted().to_vec()
    }

    fn all_predicted(&self) -> &[u32] {
        self.predicted.get_or_init(|| self.predict_all())
    }

    /// Returns the scores of each example, or its number.
    #[must_use]
    pub fn outputs(&self) -> &ScoreMatrix {
        self.outputs.get_or_init(|| self.score_all())
    }
}

impl Applied for AppliedRules {
    fn predicted(&self) -> Predicted<'_> {
        match self.number {
            None => Predicted::Classes(self.all_predicted()),
            Some(_) => Predicted::Numbers(self.outputs().numbers()),
        }
    }

    fn scores(&self) -> Option<&ScoreMatrix> {
        self.number.is_none().then(|| self.outputs())
    }

    fn actual(&self) -> &Actuals {
        &self.actual
    }

    fn explain(
        &self,
        example: usize,
        request: &ExplanationRequest<'_>,
    ) -> Result<Explanation, BoxError> {
        let mut explanation =
            if request.in_full { self.explain_all(example) } else { self.explain(example) };
        if let Some(decision) = request.decision {
            let by_score = std::mem::replace(&mut explanation.predicted, decision.class.clone());
            // The score shown below may favor another class; the note keeps that from looking like
            // an error.
            explanation.decided = Some(match by_score == decision.class {
                true => decision.why.clone(),
                false => format!("{} (by score: {by_score})", decision.why),
            });
        }
        to_explanation(explanation)
    }

    fn heading(&self) -> &str {
        self.data.heading()
    }

    fn name(&self, example: usize) -> String {
        self.data.example_name(example)
    }

    fn len(&self) -> usize {
        self.examples()
    }

    fn example_of_row(&self, row: usize) -> Option<usize> {
        match &self.data.bags {
            None => (row < self.data.rows).then_some(row),
            Some(bags) => bags.of_row.get(row).map(|&bag| bag as usize),
        }
    }
}

fn to_explanation(explanation: RulesExplanation) -> Result<Explanation, BoxError> {
    let text = format!("{explanation}\n");
    Ok(Explanation { text, json: serde_json::to_value(explanation)? })
}

/// Returns the rows that satisfy each question.
fn cover(
    data: &Dataset,
    numbers: &[usize],
    questions: &[Expr],
    machine: &Machine,
) -> Result<BitRows, ApplyError> {
    let columns = columns_of(data, questions);
    let columns =
        columns.into_iter().map(|column| (column.name.clone(), column.values.clone())).collect();
    // The result is by row, so rows keep their order. The labels do not matter.
    let table = Table::for_questions(&machine.threads, columns, questions)?;
    let labels = Labels::rows(&table, &vec![0; table.rows()], 1)?;
    let mut session = Session::on(machine, Arc::new(table), labels, Hypothesis::Rows)?;
    let mut roots = Vec::with_capacity(questions.len());
    for (&number, question) in numbers.iter().zip(questions) {
        roots.push(
            session
                .programs_mut()
                .add(question)
                .map_err(|error| RuleError::Program { number, error })?,
        );
    }
    Ok(session.cover(&roots)?)
}

/// Returns the columns that questions name. There is always at least one, because the table counts
/// its rows by them. If a named column does not exist, all columns are returned, so that the error
/// can suggest a similar name.
fn columns_of<'a>(data: &'a Dataset, questions: &[Expr]) -> Vec<&'a Column> {
    let names: HashSet<&str> = questions.iter().flat_map(Expr::columns).collect();
    let columns = &data.columns;
    let named: Vec<&Column> =
        columns.iter().filter(|column| names.contains(column.name.as_str())).collect();
    match named.len() {
        found if found < names.len() => columns.iter().collect(),
        0 => columns.first().into_iter().collect(),
        _ => named,
    }
}

/// Prepares conditions and collects their questions and summaries.
struct ConditionBuilder<'a> {
    data: &'a Dataset,
    /// The distinct questions about rows, each with the number of the first rule that asks it.
    questions: Vec<(usize, Expr)>,
    /// The index of each question, by its text.
    indices: HashMap<String, usize>,
    summaries: Vec<(String, Vec<f64>)>,
}

impl ConditionBuilder<'_> {
    fn condition(&mut self, number: usize, expr: &Expr) -> Result<Condition, ApplyError> {
        if self.data.bags.is_none() {
            // A model of constants alone has no columns, and a table counts its rows by columns.
            if let Expr::Constant(value) = expr {
                return Ok(Condition::Constant(*value));
            }
            return Ok(Condition::Rows(Quantifier::Some, self.question(number, expr)));
        }
        let misfit = || RuleError::NotOfBags { number, expr: expr.to_string() };
        let mut list = |operands: &[Expr]| -> Result<Vec<Condition>, ApplyError> {
            operands.iter().map(|operand| self.condition(number, operand)).collect()
        };
        Ok(match expr {
            Expr::Constant(value) => Condition::Constant(*value),
            Expr::And(operands) => Condition::All(list(operands)?),
            Expr::Or(operands) => Condition::Any(list(operands)?),
            Expr::Not(operand) => Condition::Not(Box::new(self.condition(number, operand)?)),
            Expr::Related(quantifier, role, filler) if role.name == ROLE && !role.inverse => {
                Condition::Rows(*quantifier, self.question(number, filler))
            }
            Expr::Compare(name, op, Value::Number(other)) => {
                let summary = self.summary(name).ok_or_else(misfit)?;
                Condition::Summary { summary, test: SummaryTest::Compare(*op, *other) }
            }
            Expr::Within(name, interval) => {
                let summary = self.summary(name).ok_or_else(misfit)?;
                Condition::Summary { summary, test: SummaryTest::Within(*interval) }
            }
            _ => return Err(misfit().into()),
        })
    }

    fn question(&mut self, number: usize, expr: &Expr) -> usize {
        *self.indices.entry(expr.to_string()).or_insert_with(|| {
            self.questions.push((number, expr.clone()));
            self.questions.len() - 1
        })
    }

    fn summary(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.summaries.iter().position(|(known, _)| known == name) {
            return Some(known);
        }
        let values = if name == ROWS {
            rows_of(self.data)
        } else {
            let column = mean_of(name)?;
            let column = self.data.columns.iter().find(|other| other.name == column)?;
            means(self.data, &column.values)?
        };
        self.summaries.push((name.to_owned(), values));
        Some(self.summaries.len() - 1)
    }
}

/// The name of a bag's rows in conditions.
pub const ROLE: &str = "row";
