use super::*;
use crate::apply::AppliedRules;
use crate::model::{LEARNER, RuleModel};
use crate::train::{Machine, Training};
use pellucid_data::{Bags, Column, Target};
use pellucid_data::{MISSING, Values};
use pellucid_device::Threads;
use proptest::prelude::*;
use std::num::NonZeroUsize;

/// Columns of each kind, with infinities and with any share of missing values.
fn columns(rows: usize) -> impl Strategy<Value = Vec<Column>> {
    let number = prop_oneof![
        8 => (-8i32..=8).prop_map(|number| f64::from(number) / 4.0),
        4 => -1000.0..1000.0,
        4 => Just(f64::NAN),
        1 => prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY, 1e300]),
    ];
    let finite = prop_oneof![3 => -1.0f64..1.0, 1 => Just(f64::NAN)];
    let code = prop_oneof![4 => 0u32..3, 1 => Just(MISSING)];
    let categories = ["red", "it's", "1", "never seen"].map(String::from).to_vec();
    (
        prop::collection::vec(number, rows),
        prop::collection::vec(finite, rows),
        prop::collection::vec(code, rows),
        prop::collection::vec(any::<Option<bool>>(), rows),
    )
        .prop_map(move |(wild, tame, codes, truths)| {
            let categories = categories.clone();
            let values = [
                Values::Numeric(wild),
                Values::Numeric(tame),
                Values::Nominal { codes, categories },
                Values::Boolean(truths),
            ];
            ["wild", "tame one", "word", "truth"]
                .into_iter()
                .zip(values)
                .map(|(name, values)| Column { name: name.into(), values })
                .collect()
        })
}

/// Rows in bags of three that lie apart, or rows alone, of two classes.
fn data() -> impl Strategy<Value = Dataset> {
    (2usize..12, any::<bool>()).prop_flat_map(|(examples, has_bags)| {
        let rows = if has_bags { 3 * examples } else { examples };
        (columns(rows), Just((examples, has_bags, rows))).prop_map(
            |(columns, (examples, has_bags, rows))| Dataset {
                name: "made up".into(),
                columns,
                rows,
                target: Some(Target {
                    name: "class".into(),
                    classes: vec!["no".into(), "yes".into()],
                    codes: all(examples).into_iter().map(|example| example % 2).collect(),
                }),
                bags: has_bags.then(|| Bags {
                    name: "bag".into(),
                    names: (0..examples).map(|bag| bag.to_string()).collect(),
                    of_row: [all(examples), all(examples), all(examples)].concat(),
                }),
                notes: Vec::new(),
                ..Dataset::default()
            },
        )
    })
}

proptest! {
    /// Votes are weighed by what candidates cover as numbers; the model covers what they say as words.
    #[test]
    fn candidates_cover_what_they_say(data in data(), seed: u64) {
        data.check().unwrap();
        let mut params = Params::default();
        params.voting.candidates = 100;
        let codes = data.example_codes();
        let ground = Ground::new(&data, &codes, vec![1.0; codes.len()], &params);
        let is_positive: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
        let labelled = Labelled { is_positive: &is_positive, weights: &ground.weights };
        let threads = Threads::new(NonZeroUsize::new(1)).unwrap();
        let candidates = ground.candidates(
            labelled,
            &params,
            Streams::new(seed),
            &threads,
            &|| false,
        );
        let rule = |candidate: &Candidate| {
            Rule { when: candidate.when.clone(), class: 1, votes: 1.0, covered: Vec::new() }
        };
        let rules = RuleSet {
            base: vec![0.0; 2],
            rules: candidates.iter().map(rule).collect(),
            ..RuleSet::default()
        };
        let schema = Training::new(&data, &Threads::callers()).unwrap().schema;
        let model = RuleModel::new(LEARNER, params, schema, rules);
        let machine = Machine::processor(NonZeroUsize::new(1)).unwrap();
        let applied = AppliedRules::new(&model, &data, &machine).unwrap();
        for (index, candidate) in candidates.iter().enumerate() {
            for example in 0..codes.len() {
                prop_assert_eq!(
                    applied.holds(index, example),
                    candidate.holds.get(example),
                    "example {} and {}", example, candidate.when
                );
            }
        }
    }
}
