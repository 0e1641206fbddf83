//! What an earlier model knew, as a population over other data.
//!
//! Conditions of a model speak of numbers and names, those of a population of codes, and other data has other codes. So every
//! condition is looked up anew: the run of observed values that an interval holds, the codes of the categories it names. Rules
//! that mean the same on the new data become one.

use crate::conditions::Conditions;
use crate::encode::Encoded;
use crate::error::XcsError;
use crate::model::{StoredClassifier, XcsModel};
use crate::population::Classifier;
use crate::train::TableRun;
use pellucid_matching::Test;
use std::collections::HashMap;

/// The population of an earlier model; of one that did not keep it, its rules.
pub(crate) fn members(model: &XcsModel) -> Vec<StoredClassifier> {
    if !model.model.classifiers.is_empty() {
        return model.model.classifiers.clone();
    }
    let rules = model.model.set.rules.iter().zip(&model.model.figures);
    let member = |(rule, known): (&pellucid_ruleset::model::Rule, &crate::model::RuleFigures)| {
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
    rules.map(member).collect()
}

/// Puts them into an empty population, as far as the data has what they speak of.
pub(crate) fn insert_classifiers<C: Conditions>(
    run: &mut TableRun<'_, C>,
    encoded: &Encoded,
    model: &XcsModel,
) -> Result<(), XcsError> {
    let code = |name: &String| encoded.schema.classes.iter().position(|own| own == name);
    let classes: Vec<u32> =
        model.schema.classes.iter().filter_map(code).map(pellucid_bits::as_u32).collect();
    #[expect(clippy::cast_possible_truncation, reason = "estimates are kept short")]
    let reward = model.params.life.reward as f32;
    let mut known: HashMap<(u32, Vec<Test>), u32> = HashMap::new();
    for member in members(model) {
        let class = *classes.get(member.class as usize).unwrap_or(&0);
        let tests = match encoded.parse_condition(&member.when)? {
            Some(tests) if !tests.is_empty() => tests,
            _ => continue,
        };
        if let Some(&slot) = known.get(&(class, tests.clone())) {
            run.add_copies(slot, member.copies);
            continue;
        }
        let short = |share: f32| share * reward;
        let rule = Classifier {
            class,
            copies: member.copies.max(1),
            experience: member.experience,
            correct: member.correct.min(member.experience),
            prediction: short(member.prediction),
            error: short(member.error),
            fitness: member.fitness,
            niche: member.niche,
            ..Classifier::default()
        };
        let numbers = [rule.prediction, rule.error, rule.fitness, rule.niche];
        if numbers.iter().any(|number| !number.is_finite() || *number < 0.0) {
            return Err(XcsError::Checkpoint("a rule is damaged"));
        }
        let slot = run.add(&tests, rule);
        known.insert((class, tests), slot);
    }
    run.delete_excess();
    Ok(())
}
