//! Continues learning from the population of an earlier model.
//!
//! The conditions of a model refer to values, those of a population to codes, and new data has
//! other codes. Every condition is therefore translated: an interval becomes the range of observed
//! values inside it, and categories become their codes. Rules that are equivalent on the new data
//! are merged.

use crate::conditions::Conditions;
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::model::{StoredClassifier, XcsModel};
use crate::numbers::Numbers;
use crate::population::Classifier;
use crate::train::TableRun;
use pellucid_matching::Test;
use std::collections::HashMap;

/// Returns the population of an earlier model, or its rules if the population was not kept.
pub(crate) fn earlier_classifiers(model: &XcsModel) -> Vec<StoredClassifier> {
    if !model.body.classifiers.is_empty() {
        return model.body.classifiers.clone();
    }
    let body = &model.body;
    let (rules, figures) = match &body.set.path {
        Some(path) => (&path.rules, &body.path_figures),
        None => (&body.set.rules, &body.figures),
    };
    let rules = rules.iter().zip(figures);
    let stored = |(rule, known): (&pellucid_ruleset::model::Rule, &crate::model::RuleFigures)| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a u32; estimates are kept short"
        )]
        StoredClassifier {
            when: rule.when.clone(),
            class: rule.class,
            copies: known.copies.max(1),
            experience: known.experience,
            correct: (known.accuracy * f64::from(known.experience)).round() as u32,
            prediction: known.accuracy as f32,
            error: known.error as f32,
            fitness: known.fitness as f32,
            niche: known.copies.max(1) as f32,
        }
    };
    rules.map(stored).collect()
}

/// Inserts the classifiers of an earlier model into an empty population. Rules whose condition no
/// value of the data satisfies are dropped.
#[expect(clippy::cast_possible_truncation, reason = "estimates are kept short")]
pub(crate) fn insert_classifiers<C: Conditions>(
    run: &mut TableRun<'_, C>,
    encoded: &Encoded,
    model: &XcsModel,
) -> Result<(), XcsError> {
    let code = |name: &String| encoded.schema.classes.iter().position(|own| own == name);
    let classes: Vec<u32> =
        model.schema.classes.iter().filter_map(code).map(pellucid_bits::as_u32).collect();
    let reward = model.params.life.reward as f32;
    let mut known: HashMap<(u32, Vec<Test>), u32> = HashMap::new();
    for earlier in earlier_classifiers(model) {
        let class = *classes.get(earlier.class as usize).unwrap_or(&0);
        let tests = match encoded.parse_condition(&earlier.when)? {
            Some(tests) if !tests.is_empty() => tests,
            _ => continue,
        };
        if let Some(&slot) = known.get(&(class, tests.clone())) {
            run.add_copies(slot, earlier.copies);
            continue;
        }
        let (prediction, error) = match &encoded.numbers {
            None => (earlier.prediction, earlier.error),
            Some(Numbers { scale, .. }) => (
                ((f64::from(earlier.prediction) - scale.middle) / scale.spread) as f32,
                (f64::from(earlier.error) / scale.spread) as f32,
            ),
        };
        let rule = Classifier {
            class,
            copies: earlier.copies.max(1),
            experience: earlier.experience,
            correct: earlier.correct.min(earlier.experience),
            prediction: prediction * reward,
            error: error * reward,
            fitness: earlier.fitness,
            niche: earlier.niche,
            ..Classifier::default()
        };
        let sizes = [rule.error, rule.fitness, rule.niche];
        let is_negative = encoded.numbers.is_none() && rule.prediction < 0.0;
        if is_negative
            || !rule.prediction.is_finite()
            || sizes.iter().any(|size| !size.is_finite() || *size < 0.0)
        {
            return Err(XcsError::Checkpoint("a rule has an invalid value"));
        }
        let slot = run.add(&tests, rule);
        known.insert((class, tests), slot);
    }
    run.delete_excess();
    Ok(())
}
