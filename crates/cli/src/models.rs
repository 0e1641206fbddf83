//! `pellucid learn`, `cv`, `predict` and `show`: which learner is meant.

use crate::args::{CvArgs, CvLearner, LearnArgs, Learner, PredictArgs, ShowArgs};
use crate::logic::files::is_ontology;
use crate::{Outcome, logic, rules};
use anyhow::{Result, bail};
use pellucid::learn::model::StoredModel;
use std::path::Path;

pub(crate) fn learn(args: &LearnArgs) -> Result<Outcome> {
    match &args.what {
        Learner::Rules(args) => rules::learn::run(args),
    }
}

pub(crate) fn cross_validate(args: &CvArgs) -> Result<Outcome> {
    match &args.what {
        CvLearner::Rules(args) => rules::cv::run(args),
    }
}

pub(crate) fn predict(args: &PredictArgs) -> Result<Outcome> {
    let stored = StoredModel::open(&args.model)?;
    match stored.learner() {
        "rules" => rules::predict::run(args, &stored),
        other => unknown(&args.model, other),
    }
}

pub(crate) fn show(args: &ShowArgs) -> Result<Outcome> {
    if is_ontology(&args.what) {
        return logic::show::knowledge_base(args);
    }
    let stored = StoredModel::open(&args.what)?;
    match stored.learner() {
        "rules" => rules::show::run(args, &stored),
        other => unknown(&args.what, other),
    }
}

fn unknown(model: &Path, learner: &str) -> Result<Outcome> {
    bail!("{}: found a model of learner '{learner}', this version knows: rules", model.display())
}
