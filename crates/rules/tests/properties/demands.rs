//! Every model satisfies the constraints, and decisions meet their goal.

use crate::cases::{dataset, learned, noisy, plain_machine, refusal, small, stream};
use pellucid_data::{Dataset, NumberTarget, Values};
use pellucid_learn::metrics::ConfusionMatrix;
use pellucid_rules::apply::AppliedRules;
use pellucid_rules::decide::ThresholdGoal;
use pellucid_rules::model::RuleModel;
use pellucid_rules::params::{Mode, Params};

/// Three columns that go up and down with the class.
fn wavy(seed: u64, rows: usize, is_number: bool) -> Dataset {
    let mut draw = stream(seed);
    let mut column = || -> Vec<f64> { (0..rows).map(|_| draw.unit()).collect() };
    let columns = [("a", column()), ("b", column()), ("c", column())];
    let noise = column();
    let height = |row: usize| {
        let [a, b, c] = [0, 1, 2].map(|place: usize| columns[place].1[row]);
        2.0 * a + (9.0 * b).sin() + if c > 0.5 { b } else { -a } + noise[row]
    };
    let heights: Vec<f64> = (0..rows).map(height).collect();
    let codes = heights.iter().map(|&height| u32::from(height > 1.4)).collect();
    let columns = columns.map(|(name, values)| (name.to_owned(), Values::Numeric(values.into())));
    let data = dataset(columns.to_vec(), None, &["no", "yes"], codes);
    match is_number {
        false => data,
        true => {
            let number = Some(NumberTarget { name: "height".into(), values: heights });
            Dataset { target: None, number, ..data }
        }
    }
}

/// Returns the margin of the positive class, or the number, for each example.
fn leaning(model: &RuleModel, data: &Dataset) -> Vec<f64> {
    let applied = AppliedRules::new(model, data, &plain_machine()).unwrap();
    let lean = |votes: Vec<f64>| match votes[..] {
        [no, yes] => yes - no,
        _ => votes[0],
    };
    (0..data.examples()).map(|example| lean(applied.votes(example))).collect()
}

#[test]
fn monotone_columns_have_monotone_effects() {
    for seed in 0..3 {
        for is_number in [false, true] {
            let data = wavy(seed, 300, is_number);
            for (demands, sign) in [("b=+", 1.0), ("b=-", -1.0)] {
                let mut params = small(Mode::Default, seed);
                params.voting.size = pellucid_rules::params::Size::Large;
                params.demands.monotone = vec![demands.to_owned(), "a=+".to_owned()];
                let model = learned(&data, params, &plain_machine()).unwrap().model;
                let mut before: Option<Vec<f64>> = None;
                for step in 0..=50 {
                    let mut moved = data.clone();
                    moved.columns[1].values =
                        Values::Numeric(vec![f64::from(step) / 50.0; 300].into());
                    let now = leaning(&model, &moved);
                    if let Some(before) = &before {
                        let is_right = |(before, now): (&f64, &f64)| sign * (now - before) >= -1e-9;
                        assert!(before.iter().zip(&now).all(is_right), "{:?}", model.body.rules);
                    }
                    before = Some(now);
                }
            }
        }
    }
}

#[test]
fn rules_use_required_columns_and_respect_the_limit() {
    for has_bags in [false, true] {
        for mode in [Mode::Default, Mode::List] {
            let data = noisy(3, has_bags);
            let mut params = small(mode, 0);
            let free = learned(&data, params.clone(), &plain_machine()).unwrap().model;
            let named = |model: &RuleModel| -> Vec<Vec<String>> {
                let of_rule = |text: String| {
                    let names = data.columns.iter().map(|column| column.name.clone());
                    names.filter(|name| text.contains(name.as_str())).collect()
                };
                let path = model.body.path.as_ref().map_or(&model.body.rules, |path| &path.rules);
                path.iter().map(|rule| of_rule(rule.when.to_string())).collect()
            };
            let used: Vec<String> = named(&free).concat();
            let first = used.first().expect("a rule").clone();
            params.grammar.forbidden = vec![first.clone()];
            let without = learned(&data, params.clone(), &plain_machine()).unwrap().model;
            assert!(!named(&without).concat().contains(&first), "{mode}");
            params.grammar.forbidden.clear();
            params.demands.require = vec![first.clone()];
            params.demands.interactions = Some(2);
            params.voting.most_comparisons = 4;
            let model = learned(&data, params.clone(), &plain_machine()).unwrap().model;
            for names in named(&model) {
                assert!(names.contains(&first) && names.len() <= 2, "{mode}: {names:?}");
            }
            params.demands.interactions = Some(1);
            let model = learned(&data, params, &plain_machine()).unwrap().model;
            assert!(named(&model).iter().all(|names| names.len() == 1), "{mode}");
        }
    }
}

/// The limit counts the columns of all rules together, also in rules with several conditions.
#[test]
fn a_model_uses_at_most_the_given_number_of_columns() {
    let data = wavy(1, 300, false);
    for most in 1..=3 {
        let mut params = small(Mode::Default, 1);
        params.voting.most_columns = Some(most);
        let model = learned(&data, params, &plain_machine()).unwrap().model;
        let rules = model.body.path.as_ref().map_or(&model.body.rules, |path| &path.rules);
        let mut names: Vec<&str> = rules.iter().flat_map(|rule| rule.when.columns()).collect();
        names.sort_unstable();
        names.dedup();
        assert!(!names.is_empty() && names.len() <= most, "{names:?}");
    }
}

#[test]
fn invalid_constraints_are_rejected() {
    let data = noisy(3, false);
    let with = |change: &dyn Fn(&mut Params)| {
        let mut params = small(Mode::Default, 0);
        change(&mut params);
        refusal(&data, params)
    };
    let error = with(&|params| params.demands.require = vec!["kind".into()]);
    assert!(error.starts_with("require: found 'kind'; expected "), "{error}");
    let error = with(&|params| params.demands.monotone = vec!["unknown=+".into()]);
    assert!(error.starts_with("monotone: found 'unknown'; expected "), "{error}");
    let error = with(&|params| params.grammar.forbidden = vec!["unknown".into()]);
    assert!(error.starts_with("forbid: found 'unknown'; expected "), "{error}");
    let error =
        with(&|params| params.voting.decide = ThresholdGoal::Cost(vec![("sick".into(), 2.0)]));
    assert_eq!(error, "decide: found class 'sick'; expected no, yes");
}

/// One in fifteen examples is positive, and the columns do not separate it perfectly.
fn rare(seed: u64, rows: usize) -> Dataset {
    let mut draw = stream(seed);
    let codes: Vec<u32> = (0..rows).map(|row| u32::from(row % 15 == 0)).collect();
    let mut column = |shift: f64| -> Vec<f64> {
        codes.iter().map(|&code| draw.unit() + draw.unit() + shift * f64::from(code)).collect()
    };
    let columns = [("a", column(0.7)), ("b", column(0.5)), ("c", column(0.0))];
    let columns = columns.map(|(name, values)| (name.to_owned(), Values::Numeric(values.into())));
    dataset(columns.to_vec(), None, &["well", "ill"], codes)
}

#[test]
fn decisions_meet_their_goal_on_new_examples() {
    let (train, test) = (rare(1, 1500), rare(2, 3000));
    let recalls = |decide: ThresholdGoal| {
        let mut params = small(Mode::Default, 0);
        params.voting.decide = decide;
        let model = learned(&train, params, &plain_machine()).unwrap().model;
        let applied = AppliedRules::new(&model, &test, &plain_machine()).unwrap();
        let matrix =
            ConfusionMatrix::from_codes(&test.example_codes(), &applied.predictions(), 2).unwrap();
        let recall = |class: usize| {
            matrix.count(class, class) as f64
                / (matrix.count(class, 0) + matrix.count(class, 1)) as f64
        };
        (recall(0), recall(1))
    };
    let (_, plain) = recalls(ThresholdGoal::Accuracy);
    let (well, ill) = recalls(ThresholdGoal::BalancedAccuracy);
    assert!(plain < 0.5 && ill > 0.7 && well > 0.6, "{plain} {well} {ill}");
    let (_, found) = recalls(ThresholdGoal::Recall(0.9));
    assert!((found - 0.9).abs() < 0.08, "{found}");
    let (_, found) = recalls(ThresholdGoal::Cost(vec![("ill".into(), 14.0)]));
    assert!(found > plain + 0.2, "{found}");
}

/// A planted list is found in its order.
#[test]
fn a_planted_list_is_found() {
    let mut draw = stream(4);
    let rows = 600;
    let mut column = || -> Vec<f64> { (0..rows).map(|_| draw.unit()).collect() };
    let (a, b, c) = (column(), column(), column());
    let class = |row: usize| match () {
        () if a[row] > 0.7 => 1,
        () if b[row] > 0.5 => 0,
        () => u32::from(c[row] > 0.4),
    };
    let codes: Vec<u32> = (0..rows).map(class).collect();
    let columns = [("a", a.clone()), ("b", b.clone()), ("c", c.clone())];
    let columns = columns.map(|(name, values)| (name.to_owned(), Values::Numeric(values.into())));
    let data = dataset(columns.to_vec(), None, &["no", "yes"], codes.clone());
    let model = learned(&data, small(Mode::List, 0), &plain_machine()).unwrap().model;
    let applied = AppliedRules::new(&model, &data, &plain_machine()).unwrap();
    let right =
        applied.predictions().iter().zip(&codes).filter(|(one, other)| one == other).count();
    let text = pellucid_rules::export::text(&model);
    assert!(right >= 595, "{right}\n{text}");
    assert!(model.body.ordered && model.body.rules.len() <= 4, "{text}");
    assert!(text.contains("ELSE IF") && text.contains("\nELSE "), "{text}");
}
