//! `pellucid predict`.

use super::data::{single_example, to_predict};
use super::open;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use pellucid::data::{CsvQuotes, as_spreadsheet_text, csv_cell, visible_line};
use pellucid::learn::digits::percent;
use pellucid::learn::learner::{Explanation, Predictions};
use pellucid::learn::metrics::{Figure, Summary};
use pellucid::learn::model::StoredModel;
use pellucid::registry::AnyModel;
use pellucid_arguments::Destinations;
use pellucid_arguments::PredictArgs;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{json_line, print, say, to_file_or_stdout};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io::Write;

/// Returns the error about a model that cannot be opened. If the data is a model, the files are swapped.
fn if_swapped(args: &PredictArgs, error: Error) -> Error {
    match StoredModel::open(&args.data.path) {
        Ok(_) => anyhow!(
            "{data} is the model, so it comes first: pellucid predict {data} {model}",
            data = args.data.path.display(),
            model = args.model.display()
        ),
        Err(_) => error,
    }
}

pub(crate) fn run(args: &PredictArgs) -> Result<ExitStatus> {
    let files = Destinations::default().reads("the model", Some(&args.model));
    let files = args.problem.files(args.data.files(files));
    files
        .reads("the list of individuals", args.individuals.as_deref())
        .writes("--out", Some(&args.out))
        .check()?;
    let model = open(&args.model, args.rules).map_err(|error| if_swapped(args, error))?;
    let data = to_predict(&args.into(), &*model)?;
    if !args.quiet {
        let unseen = model.unseen_values(&data);
        unseen.iter().for_each(|column| say(format_args!("warning: {column}")));
    }
    let example_name = single_example(args, &data);
    let machine = machine_for(&args.machine, model.applies_on_gpus(), args.quiet)?;
    let predictions = model.predictions(&data, &machine)?;
    if let Some(seen) = model.schema().number {
        ensure!(
            args.threshold.is_none() && args.cost.is_empty(),
            "{}: the model predicts a number; --threshold and --cost apply to classes",
            args.model.display()
        );
        let model = &*model;
        let output =
            PredictionOutput { args, example_name, classes: &[], model, predictions: &predictions };
        to_file_or_stdout(&args.out, |mut out| match output.single()? {
            Some(example) => output.explain_number(&mut out, example),
            None => output.write_numbers(&mut out, seen.middle),
        })?;
        return Ok(ExitStatus::Done);
    }
    let classes = &model.schema().classes;
    ensure!(!classes.is_empty(), "{}: the model has no classes", args.model.display());
    let predictions = predictions.deciding(&args.deciding())?;
    let model = &*model;
    let output = PredictionOutput { args, example_name, classes, model, predictions: &predictions };
    to_file_or_stdout(&args.out, |mut out| match output.single()? {
        Some(example) => output.explain_class(&mut out, example),
        None => {
            output.write_all(&mut out)?;
            output.write_summary(&mut out)
        }
    })?;
    Ok(ExitStatus::Done)
}

/// Prints the predictions of a model.
pub(super) struct PredictionOutput<'a> {
    pub(super) args: &'a PredictArgs,
    /// The name of the single example to explain.
    example_name: Option<&'a str>,
    classes: &'a [String],
    pub(super) model: &'a dyn AnyModel,
    pub(super) predictions: &'a Predictions,
}

impl PredictionOutput<'_> {
    /// Returns the single example to explain, if one is selected.
    fn single(&self) -> Result<Option<usize>> {
        let applied = self.predictions.applied();
        if let Some(row) = self.args.row {
            let found = row.checked_sub(1).and_then(|row| applied.example_of_row(row));
            return found.map(Some).with_context(|| {
                format!("--row: {} has no row {row}", self.args.data.path.display())
            });
        }
        let Some(name) = self.example_name else { return Ok(None) };
        let named: Vec<usize> =
            (0..applied.len()).filter(|&example| applied.name(example) == name).collect();
        match named[..] {
            [one] => Ok(Some(one)),
            [] => bail!(
                "--id: {} has no column and no {} named '{name}'",
                self.args.data.path.display(),
                applied.heading()
            ),
            _ => {
                bail!("--id: {} examples are named '{name}'; use --row instead", named.len())
            }
        }
    }

    /// Prints the full explanation of one example, as JSON or as text.
    pub(super) fn write_explanation(
        &self,
        out: &mut impl Write,
        example: usize,
        line: impl Fn(usize) -> Map<String, Value>,
    ) -> Result<()> {
        let reasons = self.predictions.explain(example, true).map_err(anyhow::Error::from_boxed)?;
        if self.args.json {
            return json_line(out, &with_reasons(line(example), Some(reasons)));
        }
        print(out, reasons.text.trim_end())?;
        writeln!(out)?;
        Ok(())
    }

    /// Prints one example with a full explanation of its class.
    fn explain_class(&self, out: &mut impl Write, example: usize) -> Result<()> {
        self.write_explanation(out, example, |example| self.line(example))?;
        if self.args.json {
            return Ok(());
        }
        if let Some(shares) = self.predictions.probabilities(example) {
            let share = |(class, share): (&String, &f64)| format!("{} {class}", percent(*share));
            let list: Vec<String> = self.classes.iter().zip(shares).map(share).collect();
            print(out, &format!("probability: {}\n", visible_line(&list.join(", "))))?;
        }
        let predicted = self.predictions.class(example);
        if let Some(actual) = self.predictions.actual(example) {
            let verdict = if actual == predicted { "correct" } else { "incorrect" };
            print(out, &format!("actual: {} ({verdict})\n", visible_line(&actual)))?;
        }
        Ok(())
    }

    /// Prints the class of every example.
    fn write_all(&self, out: &mut impl Write) -> Result<()> {
        if !self.args.json && !self.args.explain {
            self.header(out)?;
        }
        let has_actual = self.predictions.has_actual();
        self.write_each(
            out,
            |example| self.line(example),
            |out, example| self.row(out, example, has_actual),
        )
    }

    /// Prints every example: as JSON, as an explanation, or as a row of CSV.
    pub(super) fn write_each<W: Write>(
        &self,
        out: &mut W,
        line: impl Fn(usize) -> Map<String, Value>,
        row: impl Fn(&mut W, usize) -> Result<()>,
    ) -> Result<()> {
        for example in 0..self.predictions.len() {
            let reasons = (self.args.explain)
                .then(|| self.predictions.explain(example, false))
                .transpose()
                .map_err(anyhow::Error::from_boxed)?;
            match reasons {
                reasons if self.args.json => {
                    json_line(out, &with_reasons(line(example), reasons))?;
                }
                Some(reasons) => {
                    print(out, &reasons.text)?;
                    writeln!(out)?;
                }
                None => row(out, example)?,
            }
        }
        Ok(())
    }

    /// Returns a cell of the CSV output.
    pub(super) fn cell(&self, text: &str) -> String {
        let text = match self.args.spreadsheet {
            true => as_spreadsheet_text(text),
            false => Cow::Borrowed(text),
        };
        csv_cell(&text, CsvQuotes::Split).into_owned()
    }

    /// Returns the classes whose probabilities are printed: of two classes only the positive one.
    fn shown_classes(&self) -> impl Iterator<Item = usize> {
        let count = self.classes.len();
        if count == 2 { 1..2 } else { 0..count }
    }

    fn header(&self, out: &mut impl Write) -> Result<()> {
        let applied = self.predictions.applied();
        write!(out, "{},predicted", self.cell(applied.heading()))?;
        if self.predictions.has_probabilities() {
            for class in self.shown_classes() {
                let head = format!("probability of {}", self.classes[class]);
                write!(out, ",{}", self.cell(&head))?;
            }
        }
        if self.predictions.has_actual() {
            write!(out, ",actual")?;
        }
        if applied.scores().is_some() {
            let head = |class: &String| self.cell(&format!("score for {class}"));
            self.classes.iter().try_for_each(|class| write!(out, ",{}", head(class)))?;
        }
        if applied.has_groups() {
            write!(out, ",group")?;
        }
        writeln!(out)?;
        Ok(())
    }

    fn row(&self, out: &mut impl Write, one: usize, has_actual: bool) -> Result<()> {
        let applied = self.predictions.applied();
        write!(
            out,
            "{},{}",
            self.cell(&applied.name(one)),
            self.cell(&self.predictions.class(one))
        )?;
        if let Some(shares) = self.predictions.probabilities(one) {
            self.shown_classes().try_for_each(|class| write!(out, ",{:.4}", shares[class]))?;
        }
        if has_actual {
            write!(out, ",{}", self.cell(&self.predictions.actual(one).unwrap_or_default()))?;
        }
        let scores = applied.scores().and_then(|scores| scores.of(one)).unwrap_or_default();
        scores.iter().try_for_each(|score| write!(out, ",{}", tidy(*score)))?;
        if applied.has_groups() {
            let group =
                applied.group(one).map_or_else(String::new, |group| (group + 1).to_string());
            write!(out, ",{group}")?;
        }
        writeln!(out)?;
        Ok(())
    }

    fn line(&self, example: usize) -> Map<String, Value> {
        let (predictions, applied) = (self.predictions, self.predictions.applied());
        let by_class = |numbers: &[f64]| -> Value {
            self.classes.iter().cloned().zip(numbers.iter().copied().map(Value::from)).collect()
        };
        let mut line = Map::new();
        line.insert(self.model.kind().example().to_owned(), json!(applied.name(example)));
        line.insert("predicted".to_owned(), json!(predictions.class(example)));
        if let Some(shares) = predictions.probabilities(example) {
            line.insert("probability".to_owned(), by_class(shares));
        }
        if let Some(actual) = predictions.actual(example) {
            line.insert("actual".to_owned(), json!(actual));
        }
        if let Some(scores) = applied.scores().and_then(|scores| scores.of(example)) {
            line.insert("votes".to_owned(), by_class(scores));
        }
        if applied.has_groups() {
            line.insert("group".to_owned(), json!(applied.group(example).map(|group| group + 1)));
        }
        line
    }

    /// Prints metrics where the data has the actual classes.
    fn write_summary(&self, out: &mut impl Write) -> Result<()> {
        let summary = self.predictions.decisions().map(|decisions| decisions.summary());
        if self.args.json {
            let mut line = Map::new();
            let examples = format!("{}s", self.model.kind().example());
            line.insert(examples, json!(self.predictions.len()));
            if let Some(summary) = &summary {
                line.insert("judged".to_owned(), json!(summary.evaluated));
                let figures = [
                    ("accuracy", &summary.accuracy),
                    ("balanced_accuracy", &summary.balanced_accuracy),
                    ("f1", &summary.f1),
                ];
                for (name, figure) in figures {
                    let value = figure.as_ref().map(|figure| figure.estimate.value);
                    line.insert(name.to_owned(), json!(value));
                }
                line.insert("summary".to_owned(), serde_json::to_value(summary)?);
            }
            json_line(out, &Value::Object(line))?;
        }
        let Some(summary) = summary.filter(|_| !self.args.quiet) else { return Ok(()) };
        out.flush()?;
        if !self.args.json {
            self.say_summary(&summary);
        }
        if summary.unknown_class > 0 {
            say(format_args!(
                "warning: {} examples have a class that the model does not know; they are not evaluated",
                summary.unknown_class
            ));
        }
        Ok(())
    }

    fn say_summary(&self, summary: &Summary) {
        let Some(Figure { estimate, .. }) = summary.accuracy else {
            say("no example has a class that the model knows; there are no metrics");
            return;
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let correct = (estimate.value * summary.evaluated as f64).round() as u64;
        say(format_args!("\n{correct} of {} correct\n\n{summary}", summary.evaluated));
        if !self.predictions.has_probabilities() && self.predictions.applied().scores().is_some() {
            say("the model has no probabilities: it was trained without inner cross-validation, \
                 or by an earlier version");
        }
    }
}

/// Adds an explanation to a JSON object.
fn with_reasons(mut line: Map<String, Value>, reasons: Option<Explanation>) -> Value {
    if let Some(reasons) = reasons {
        line.insert("text".to_owned(), json!(reasons.text.trim_end()));
        line.insert("because".to_owned(), reasons.json);
    }
    Value::Object(line)
}

/// Returns a score without the rounding errors of its sum.
fn tidy(score: f64) -> f64 {
    (score * 1e9).round() / 1e9
}
