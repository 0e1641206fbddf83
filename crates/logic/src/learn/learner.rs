//! The implementation of the learner interface.

use super::model::LEARNER;
use super::{
    AppliedLogic, Individuals, LearnedExpressions, LogicError, LogicModel, MethodSequence, Options,
    SearchContext,
};
use crate::export;
use crate::syntax::{NameResolver, dl, manchester};
use pellucid_data::Message;
use pellucid_device::Machine;
use pellucid_learn::learner::{
    Applied, Capabilities, DataKind, Describe, Examples, Export, ExportWriter, Fit, FitResult,
    LearnerError, Output, scores,
};
use pellucid_learn::model::Schema;
use pellucid_learn::out_of_fold::OutOfFold;
use pellucid_learn::params::{ParamError, Valid};
use pellucid_learn::run::{Driver, Figures, Observer, RunError};
use pellucid_learn::split::Split;
use pellucid_program::Expr;
use serde_json::{Map, Value, json};

/// The learner of class expressions.
#[derive(Clone, Copy, Debug)]
pub struct Logic;

impl Describe for Logic {
    const NAME: &'static str = LEARNER;
    const ABOUT: &'static str =
        "Class expressions over an ontology, from positive and negative examples";
    const DETAILS: &'static str = "\
Learns a class expression that covers the positive individuals and not the
negative ones, for example 'Male and hasSibling some Parent'. Uses the
closed-world assumption: a statement that does not follow from the file is
false.";
    const KIND: DataKind = DataKind::Ontology;
    const OUTPUT: Output = Output::CLASSES;

    type Params = Options;
    type Data = Individuals;
    type Body = LearnedExpressions;
    type Error = LogicError;

    fn text(model: &LogicModel) -> String {
        export::text(model)
    }
}

impl Fit for Logic {
    fn fit(
        data: &Individuals,
        params: Valid<Options>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<FitResult<Options, LearnedExpressions>, RunError<LogicError>> {
        let (kb, task) = (&data.kb, data.task.clone());
        let context = SearchContext::new(kb, task, &params, machine, driver.control());
        let mut methods = MethodSequence::new(context.map_err(RunError::Learner)?);
        let run = driver.run(&mut methods, observer)?;
        let mut found = methods.into_answers().map_err(RunError::Learner)?;
        let answers = LearnedExpressions::of(&mut found).map_err(RunError::Learner)?;
        let notes = found.context.notes().to_vec();
        notes.iter().for_each(|note| observer.warned(note));
        let (actual, predicted) = answers.training_codes();
        let train = scores(&actual, &predicted, 2)
            .with("baseline_accuracy", answers.baseline.accuracy)
            .with("baseline_f1", answers.baseline.f1);
        let schema = Schema { classes: data.classes(), ..Schema::default() };
        let model = LogicModel::new(LEARNER, params.into_inner(), schema, answers);
        let out_of_fold = found.out_of_fold.map(|splits| out_of_fold(data, splits));
        Ok(FitResult { model, run, train, out_of_fold, notes })
    }

    fn apply(
        model: &LogicModel,
        data: &Individuals,
        machine: &Machine,
    ) -> Result<Box<dyn Applied>, LogicError> {
        Ok(Box::new(AppliedLogic::new(model, data, machine)?))
    }

    // Not inlined, so that the procedures it refers to are compiled in this crate and not by its users.
    #[inline(never)]
    fn capabilities() -> Capabilities<Logic> {
        Capabilities {
            check_data: Individuals::require_examples,
            exports: EXPORTS,
            sizes: |model| {
                let best = model.answers.first();
                Figures::new().with("length", best.map_or(0.0, |best| f64::from(best.length)))
            },
            summary: Some(summary),
            ..Capabilities::new()
        }
    }
}

/// Returns the predictions of the training folds for their test examples.
fn out_of_fold(data: &Individuals, splits: Vec<(Split, Vec<u32>)>) -> OutOfFold {
    let mut found = OutOfFold::new(data, splits.len());
    for (fold, (split, covered)) in (0..).zip(splits) {
        for &example in &split.test {
            let is_covered = covered.binary_search(&example).is_ok();
            found.push(fold, example, u32::from(is_covered), None);
        }
    }
    found
}

const EXPORTS: &[Export<Logic>] = &[
    Export {
        name: "manchester",
        help: "Class expressions in Manchester syntax, the best first",
        write: ExportWriter::Text(|model, _| Ok(each(model, manchester::print))),
    },
    Export {
        name: "dl",
        help: "Class expressions in DL syntax, the best first",
        write: ExportWriter::Text(|model, _| Ok(each(model, dl::print))),
    },
    Export {
        name: "owl",
        help: "The best class expression as an OWL class in Turtle",
        write: ExportWriter::Text(|model: &LogicModel, _| {
            let names = model.body.names.lexicon();
            Ok(export::turtle(model.body.best()?.expr(), &names, export::LEARNED))
        }),
    },
    Export {
        name: "rdfxml",
        help: "The best class expression as an OWL class in RDF/XML",
        write: ExportWriter::Text(|model: &LogicModel, _| {
            let names = model.body.names.lexicon();
            Ok(export::rdfxml(model.body.best()?.expr(), &names, export::LEARNED))
        }),
    },
    Export {
        name: "owlxml",
        help: "The best class expression as an OWL class in OWL/XML",
        write: ExportWriter::Text(|model: &LogicModel, _| {
            let names = model.body.names.lexicon();
            Ok(export::owlxml(model.body.best()?.expr(), &names, export::LEARNED))
        }),
    },
    Export {
        name: "functional",
        help: "The best class expression as an OWL class in functional syntax",
        write: ExportWriter::Text(|model: &LogicModel, _| {
            let names = model.body.names.lexicon();
            Ok(export::functional(model.body.best()?.expr(), &names, export::LEARNED))
        }),
    },
    Export {
        name: "sparql",
        help: "The best class expression as a SPARQL query",
        write: ExportWriter::Text(|model: &LogicModel, _| {
            let names = model.body.names.lexicon();
            Ok(export::sparql(model.body.best()?.expr(), &names))
        }),
    },
];

impl LearnerError for LogicError {
    fn parameter(&self) -> Option<&ParamError> {
        match self {
            LogicError::Param(error) => Some(error),
            _ => None,
        }
    }

    fn message(&self) -> Message {
        match self {
            LogicError::Kb(error) => error.message(),
            LogicError::Param(error) => error.message(),
            other => other.to_string().into(),
        }
    }
}

/// Returns the expressions with their coverage.
fn summary(model: &LogicModel) -> Map<String, Value> {
    let found = &model.body;
    let answers = found.answers.iter().map(|answer| {
        let mut shown = json!({
            "expression": answer.expression(),
            "positive": answer.positive,
            "negative": answer.negative,
            "quality": answer.quality,
            "length": answer.length,
        });
        if let Some(held_out) = answer.held_out {
            shown["held_out"] = json!(held_out);
        }
        if let Some(minimality) = answer.minimality {
            shown["minimality"] = json!(minimality);
        }
        shown
    });
    let mut summary = Map::new();
    summary.insert("positives".to_owned(), json!(found.positives));
    summary.insert("negatives".to_owned(), json!(found.negatives));
    summary.insert("answers".to_owned(), answers.collect());
    summary
}

/// Prints each expression on a line.
fn each(model: &LogicModel, print: fn(&Expr, &dyn NameResolver) -> String) -> String {
    let names = model.body.names.lexicon();
    model.body.answers.iter().map(|answer| print(answer.expr(), &names) + "\n").collect()
}
