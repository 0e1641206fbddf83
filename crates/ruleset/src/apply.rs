//! A model applied to data: which rules hold for which examples, the votes, and the class.

use crate::conform::{MisfitError, conform, without_unseen_categories};
use crate::model::{RuleError, RuleModel, RuleSet};
use crate::summary::{ROWS, mean_of, means, rows_of};
use pellucid_bits::BitRows;
use pellucid_cover::{EvaluateError, Hypothesis, Labels, Session, Table, TableError};
use pellucid_data::{Column, Dataset};
use pellucid_device::Machine;
use pellucid_learn::learner::{Actual, Applied, BoxError, Decided, Explanation};
use pellucid_program::{Expr, Interval, Op, Quantifier, Value};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// Why a model could not be applied.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The data does not fit.
    #[error(transparent)]
    Misfit(#[from] MisfitError),
    /// The model makes no sense.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The data is too large, or its columns do not fit together.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The devices failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

/// A condition made ready for examples.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Constant(bool),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// Enough rows of the example are covered by the question of this number.
    Rows(Quantifier, usize),
    /// A summary of the bag lies in some range.
    Summary {
        summary: usize,
        test: SummaryTest,
    },
}

/// A question to a summary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SummaryTest {
    Compare(Op, f64),
    Within(Interval),
}

/// A model on data.
#[derive(Debug)]
pub struct AppliedRules {
    model: RuleSet,
    classes: Vec<String>,
    /// What is predicted, where that is a number.
    number: Option<String>,
    /// The rules' conditions, made ready.
    pub(crate) conditions: Vec<Condition>,
    /// The distinct questions to single rows, and the rows each covers.
    pub(crate) questions: Vec<Expr>,
    pub(crate) covered: BitRows,
    /// By question and bag: how many rows are covered. Empty where rows are examples; the bits say it then.
    counts: Vec<Vec<u32>>,
    /// The summaries asked about, each with its name.
    pub(crate) summaries: Vec<(String, Vec<f64>)>,
    /// By bag how many rows it has; empty where rows are examples.
    rows: Vec<f64>,
    /// The data, with the model's columns alone.
    pub(crate) data: Dataset,
    /// What the model knows of these columns.
    pub(crate) known: Vec<pellucid_learn::model::Column>,
    /// By the data's own codes: the class in the model's words.
    actual: Vec<Actual>,
    /// The rows of each example, sorted out when they are first asked for.
    members: OnceLock<Vec<Vec<usize>>>,
    /// The class of each example, found for all when it is first asked for.
    elected: OnceLock<Vec<u32>>,
}

impl AppliedRules {
    /// Applies a model to some data.
    ///
    /// # Errors
    /// When the data does not fit the model, or the devices fail.
    pub fn new<P>(
        model: &RuleModel<P>,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<AppliedRules, ApplyError> {
        model.model.check(model.schema.outputs())?;
        let data = without_unseen_categories(conform(data, &model.schema)?, &model.schema);
        let mut ready = Ready {
            data: &data,
            questions: Vec::new(),
            places: HashMap::new(),
            summaries: Vec::new(),
        };
        let mut conditions = Vec::with_capacity(model.model.rules.len());
        for (number, rule) in (1..).zip(&model.model.rules) {
            conditions.push(ready.condition(number, &rule.when)?);
        }
        let Ready { questions, summaries, .. } = ready;
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
        let own = data.target.as_ref().map_or(&[][..], |target| &target.classes);
        let actual = Actual::of_classes(own, &model.schema.classes);
        Ok(AppliedRules {
            model: model.model.clone(),
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
            elected: OnceLock::new(),
        })
    }

    pub(crate) fn rule_set(&self) -> &RuleSet {
        &self.model
    }

    pub(crate) fn classes(&self) -> &[String] {
        &self.classes
    }

    /// What the predicted number is called, where one is predicted.
    pub(crate) fn number_name(&self) -> Option<&str> {
        self.number.as_deref()
    }

    /// The condition of a rule.
    pub(crate) fn expr(&self, rule: usize) -> &Expr {
        &self.model.rules[rule].when
    }

    /// The rows of an example, in the order of the data.
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

    /// Whether the first rule that holds decides alone.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.model.ordered
    }

    /// How many rules there are.
    #[must_use]
    pub fn rules(&self) -> usize {
        self.model.rules.len()
    }

    /// How many examples there are.
    #[must_use]
    pub fn examples(&self) -> usize {
        self.data.examples()
    }

    /// Whether a rule holds for an example.
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

    /// The votes of each class for an example.
    #[must_use]
    pub fn votes(&self, example: usize) -> Vec<f64> {
        self.model.votes(|rule| self.holds(rule, example))
    }

    /// The predicted class of each example.
    #[must_use]
    pub fn predictions(&self) -> Vec<u32> {
        self.elected().to_vec()
    }

    fn elected(&self) -> &[u32] {
        self.elected.get_or_init(|| self.elect())
    }
}

impl Applied for AppliedRules {
    fn len(&self) -> usize {
        self.examples()
    }

    fn heading(&self) -> String {
        self.data.heading().to_owned()
    }

    fn name(&self, example: usize) -> String {
        self.data.example_name(example)
    }

    fn predicted(&self, example: usize) -> u32 {
        self.elected()[example]
    }

    fn number(&self, example: usize) -> Option<f64> {
        self.number.as_ref().and_then(|_| self.votes(example).first().copied())
    }

    fn actual_number(&self, example: usize) -> Option<f64> {
        self.data.number.as_ref()?.values.get(example).copied().filter(|number| !number.is_nan())
    }

    fn has_votes(&self) -> bool {
        self.number.is_none()
    }

    fn votes(&self, example: usize) -> Option<Vec<f64>> {
        self.number.is_none().then(|| self.votes(example))
    }

    fn explain(&self, example: usize) -> Result<Explanation, BoxError> {
        let explained = self.explain(example);
        Ok(Explanation { text: format!("{explained}\n"), json: serde_json::to_value(explained)? })
    }

    fn explain_fully(&self, example: usize) -> Result<Explanation, BoxError> {
        let explained = self.explain_all(example);
        Ok(Explanation { text: format!("{explained}\n"), json: serde_json::to_value(explained)? })
    }

    fn explain_decided(
        &self,
        example: usize,
        decided: &Decided,
        fully: bool,
    ) -> Result<Explanation, BoxError> {
        let mut explained = if fully { self.explain_all(example) } else { self.explain(example) };
        let by_votes = std::mem::replace(&mut explained.predicted, decided.class.clone());
        // Votes that say otherwise are no mistake, and are seen right below.
        explained.decided = Some(match by_votes == decided.class {
            true => decided.why.clone(),
            false => format!("{} (by votes it is {by_votes})", decided.why),
        });
        Ok(Explanation { text: format!("{explained}\n"), json: serde_json::to_value(explained)? })
    }

    fn example_of_row(&self, row: usize) -> Option<usize> {
        match &self.data.bags {
            None => (row < self.data.rows).then_some(row),
            Some(bags) => bags.of_row.get(row).map(|&bag| bag as usize),
        }
    }

    fn actual(&self, example: usize) -> Option<Actual> {
        let code = *self.data.target.as_ref()?.codes.get(example)?;
        self.actual.get(code as usize).cloned()
    }
}

/// The rows that each question covers.
fn cover(
    data: &Dataset,
    numbers: &[usize],
    questions: &[Expr],
    machine: &Machine,
) -> Result<BitRows, ApplyError> {
    let columns = asked_about(data, questions);
    let columns =
        columns.into_iter().map(|column| (column.name.clone(), column.values.clone())).collect();
    // Rows are wanted one by one, so they stay in their order; what is counted does not matter.
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

/// The columns that questions name, and never none, as the rows are counted by them. All where one that is named is not there: it is
/// among them that the one that was meant is looked for.
fn asked_about<'a>(data: &'a Dataset, questions: &[Expr]) -> Vec<&'a Column> {
    let named: HashSet<&str> = questions.iter().flat_map(Expr::columns).collect();
    let columns = &data.columns;
    let asked: Vec<&Column> =
        columns.iter().filter(|column| named.contains(column.name.as_str())).collect();
    match asked.len() {
        found if found < named.len() => columns.iter().collect(),
        0 => columns.first().into_iter().collect(),
        _ => asked,
    }
}

/// Conditions under preparation.
struct Ready<'a> {
    data: &'a Dataset,
    /// The distinct questions to rows, each with the rule that asks it first.
    questions: Vec<(usize, Expr)>,
    places: HashMap<String, usize>,
    summaries: Vec<(String, Vec<f64>)>,
}

impl Ready<'_> {
    fn condition(&mut self, number: usize, expr: &Expr) -> Result<Condition, ApplyError> {
        if self.data.bags.is_none() {
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
        *self.places.entry(expr.to_string()).or_insert_with(|| {
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

/// What a bag's rows are called in conditions.
pub const ROLE: &str = "row";
