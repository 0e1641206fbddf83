//! The inner folds select the number of rules, and models of other sizes can be opened later.

use super::export::{fitted_alone, fruit};
use pellucid_learn::learner::{Fit, FittedModel};
use pellucid_learn::sizes::Size;
use pellucid_ruleset::path::SizedModel;
use pellucid_xcs::params::Params;
use pellucid_xcs::{Xcs, XcsLearner};

fn learner() -> XcsLearner<'static> {
    XcsLearner::new().iterations(20_000_u64).population(500_u32).seed(3_u64)
}

fn sizes(model: &FittedModel<Xcs>) -> &[SizedModel] {
    &model.set.path.as_ref().expect("models of several sizes").models
}

#[test]
fn the_folds_score_every_size() {
    let data = fruit(400, 1);
    let model = learner().fit(&data).expect("a model");
    for sized in sizes(&model) {
        let (accuracy, error) =
            (sized.accuracy.expect("scored"), sized.standard_error.expect("scored"));
        assert!((0.0..=1.0).contains(&accuracy) && (0.0..0.03).contains(&error), "{sized:?}");
    }
    let best = sizes(&model).iter().filter_map(|sized| sized.accuracy).fold(0.0, f64::max);
    assert!(best > 0.8, "{best}");
    let held_out = model.held_out().expect("an estimate").summary().accuracy;
    let held_out = held_out.expect("classes").estimate.value;
    assert!((held_out - best).abs() < 0.1, "{held_out} after the selection, at best {best}");
    let text = model.text();
    assert!(text.contains("Accuracy by number of rules (cross-validation)"), "{text}");
    assert!(text.contains("std. error") && text.contains("  selected\n"), "{text}");
    assert!(!text.contains("Training accuracy by number of rules"), "{text}");
}

#[test]
fn a_larger_size_selects_no_fewer_rules() {
    let data = fruit(300, 2);
    let rules = |size| learner().size(size).fit(&data).expect("a model").set.rules.len();
    let found = [Size::Small, Size::Medium, Size::Large].map(rules);
    assert!(found.is_sorted() && found[0] > 0, "{found:?}");
}

#[test]
fn the_number_of_rules_can_be_given() {
    let data = fruit(300, 2);
    let model = learner().rules(4_usize).fit(&data).expect("a model");
    assert_eq!((model.set.rules.len(), model.figures.len()), (4, 4));
    let params = Params { rules: Some(4), iterations: Some(20_000), ..Params::default() };
    let alone = fitted_alone(&data, params).model;
    assert_eq!((alone.set.rules.len(), alone.accuracy_by_number.len()), (4, 5));
}

/// Every size opens as the model that is fitted with that number of rules.
#[test]
fn models_of_other_sizes_are_those_that_would_be_fitted() {
    let data = fruit(300, 2);
    let resize = Xcs::capabilities().resize.expect("sizes");
    let whole = learner().fit(&data).expect("a model");
    for rules in [0_usize, 1, 3, 7] {
        let sized = resize(&whole, rules).expect("a size");
        let fitted = learner().rules(rules).fit(&data).expect("a model");
        assert_eq!(sized.set, fitted.set, "{rules} rules");
        assert_eq!(sized.figures, fitted.figures);
        assert_eq!(sized.importance, fitted.importance);
    }
    assert_eq!(resize(&whole, whole.set.rules.len()).as_ref(), Some(&*whole));
}
