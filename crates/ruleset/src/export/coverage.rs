//! What a rule covers in the training data: counts by class, precision and lift.

use super::text::class_name;
use crate::model::{Rule, RuleModel};
use pellucid_export::wrap::paragraph;
use pellucid_learn::digits::whole_percent;

/// With more classes than this, the other classes are counted together.
const MOST_CLASSES: usize = 5;

/// Returns the training examples that a rule covers, on lines of their own; empty if the counts are
/// unknown.
pub(super) fn coverage_lines<P>(model: &RuleModel<P>, rule: &Rule, indent: usize) -> String {
    match coverage(model, rule) {
        Some(line) => paragraph(&" ".repeat(indent), indent + 2, &line),
        None => String::new(),
    }
}

/// Returns in how many folds a rule was found, as the end of a sentence; empty if unknown.
pub(super) fn stability(rule: &Rule) -> String {
    match rule.found_in {
        Some(found) => format!("; found in {} of {} folds", found.folds, found.of),
        None => String::new(),
    }
}

/// The share of folds in which a rule of a stable model is found on average.
const STABLE: f64 = 0.5;

/// Returns a warning if the rules of a model are found in fewer than half of the folds on average. On 7 of 39
/// tables they were; other data would give other rules there, though hardly other predictions.
#[must_use]
pub fn stability_warning<P>(model: &RuleModel<P>) -> Option<String> {
    let shares = model.body.rules.iter().filter_map(|rule| rule.found_in);
    let shares: Vec<f64> = shares
        .filter(|found| found.of > 0)
        .map(|found| f64::from(found.folds) / f64::from(found.of))
        .collect();
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    (!shares.is_empty() && mean < STABLE).then(|| {
        format!(
            "Not stable: on average a rule was found in only {} of the folds. Other data of the same kind \
             may give other rules that predict as well.",
            whole_percent(mean)
        )
    })
}

/// Returns the training examples of each class that a rule covers, and in how many folds it was
/// found; `None` if the counts are unknown.
pub fn coverage<P>(model: &RuleModel<P>, rule: &Rule) -> Option<String> {
    Some(counts(model, rule)? + &stability(rule))
}

/// Returns the training examples of each class that a rule covers; `None` if the counts are unknown.
fn counts<P>(model: &RuleModel<P>, rule: &Rule) -> Option<String> {
    if rule.covered.is_empty() {
        return None;
    }
    if rule.votes < 0.0 && !model.body.ordered {
        return negative_coverage(model, rule);
    }
    let share = |class: usize| {
        let name = class_name(model, u32::try_from(class).unwrap_or(u32::MAX));
        let count = rule.covered[class];
        match model.body.examples.get(class) {
            Some(all) => format!("{count} of {all} '{name}'"),
            None => format!("{count} '{name}'"),
        }
    };
    let own = rule.class as usize;
    if rule.covered.len() > MOST_CLASSES && own < rule.covered.len() {
        let raised = raised_classes(rule);
        let shares: Vec<String> = raised.iter().map(|&class| share(class)).collect();
        let others = other_classes(model, rule, &raised);
        return Some(format!(
            "covers {} and {others}{}",
            shares.join(", "),
            precision(model, rule)
        ));
    }
    // With two classes both are listed, because a count of 0 is informative. With more, only those covered.
    let is_listed =
        |class: usize| class == own || rule.covered[class] > 0 || rule.covered.len() == 2;
    let others = (0..rule.covered.len()).filter(|&class| class != own);
    let mut shares: Vec<String> = std::iter::once(own)
        .chain(others)
        .filter(|&class| class < rule.covered.len() && is_listed(class))
        .map(share)
        .collect();
    let last = shares.pop().unwrap_or_default();
    let list = if shares.is_empty() { last } else { format!("{} and {last}", shares.join(", ")) };
    Some(format!("covers {list}{}", precision(model, rule)))
}

/// Returns the classes that a rule makes more likely; its own class first.
fn raised_classes(rule: &Rule) -> Vec<usize> {
    let others = rule.others.iter().filter(|points| points.votes > 0.0);
    let classes = std::iter::once(rule.class).chain(others.map(|points| points.class));
    classes.map(|class| class as usize).filter(|&class| class < rule.covered.len()).collect()
}

/// Returns how many examples of all other classes a rule covers.
fn other_classes<P>(model: &RuleModel<P>, rule: &Rule, named: &[usize]) -> String {
    let sum = |counts: &[u64]| -> u64 {
        let others = counts.iter().enumerate().filter(|(class, _)| !named.contains(class));
        others.map(|(_, count)| count).sum()
    };
    match sum(&model.body.examples) {
        0 => format!("{} others", sum(&rule.covered)),
        all => format!("{} of {all} others", sum(&rule.covered)),
    }
}

/// Returns the coverage of a rule that makes its class less likely: how few covered examples are of
/// the class.
fn negative_coverage<P>(model: &RuleModel<P>, rule: &Rule) -> Option<String> {
    let (own, examples) = (rule.class as usize, &model.body.examples);
    let (covered, of_class) = (rule.covered.iter().sum::<u64>(), *rule.covered.get(own)?);
    let (all, class) = (examples.iter().sum::<u64>(), class_name(model, rule.class));
    let whole = if all > 0 { format!(" of {all}") } else { String::new() };
    let share = |part: u64, whole: u64| percent(part, whole.max(1));
    let are = if of_class == 1 { "is" } else { "are" };
    let overall = match examples.get(own) {
        Some(&of_all) if all > 0 => format!("; overall {}", share(of_all, all)),
        _ => String::new(),
    };
    let among = share(of_class, covered);
    Some(format!("covers {covered}{whole}, of which {of_class} {are} '{class}' ({among}{overall})"))
}

/// Returns how often a rule is right where it applies, and how much more often than overall.
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
fn precision<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    let (own, examples) = (rule.class as usize, &model.body.examples);
    let covered: u64 = rule.covered.iter().sum();
    // A rule for several classes is right about each of them in part.
    let has_precision = rule.votes >= 0.0 && covered > 0 && raised_classes(rule).len() == 1;
    let Some(&right) = rule.covered.get(own).filter(|_| has_precision) else {
        return String::new();
    };
    let (all, of_class) = (examples.iter().sum::<u64>(), examples.get(own).copied().unwrap_or(0));
    // A rule that covers most examples cannot have much lift; the rate among the rest shows what it
    // separates. In a list, the rest also contains the examples that earlier rules cover, so the
    // rate would mislead.
    let rest = match (all.checked_sub(covered), of_class.checked_sub(right)) {
        _ if model.body.ordered => String::new(),
        (Some(rest), Some(missed)) if 0 < rest && rest < covered && missed <= rest => {
            format!(" ({} among the rest)", percent(missed, rest))
        }
        _ => String::new(),
    };
    let lift = match of_class > 0 && right > 0 {
        true => {
            let lift = right as f64 * all as f64 / (covered as f64 * of_class as f64);
            format!(", lift {lift:.1}")
        }
        false => String::new(),
    };
    format!(": precision {}{rest}{lift}", percent(right, covered))
}

/// Returns a share in whole percent. A share just below 1 is never shown as 100 %, nor one just
/// above 0 as 0 %.
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
pub(super) fn percent(part: u64, whole: u64) -> String {
    whole_percent(part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FoundIn, RuleSet};
    use pellucid_learn::model::Schema;

    #[test]
    fn a_model_whose_rules_are_found_in_few_folds_warns() {
        let warning = |found: &[u32]| {
            let rule = |&folds: &u32| {
                let when = "x > 1".parse().expect("a condition");
                Rule { found_in: Some(FoundIn { folds, of: 10 }), ..Rule::new(when, 1, 1.0) }
            };
            let rules = RuleSet { rules: found.iter().map(rule).collect(), ..RuleSet::default() };
            stability_warning(&RuleModel::new("rules", (), Schema::default(), rules))
        };
        assert_eq!(warning(&[]), None);
        assert_eq!(warning(&[10, 2, 4]), None);
        let text = warning(&[6, 2, 4]).expect("40 % of the folds");
        assert!(text.contains("in only 40 % of the folds"), "{text}");
    }
}
