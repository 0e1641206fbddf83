//! Every model can be stored: figures are finite, whatever the table and the parameters.

use pellucid_data::{ClassTarget, Column, Dataset, MISSING, Values};
use pellucid_learn::learner::FittedModel;
use pellucid_xcs::model::LEARNER;
use pellucid_xcs::model::XcsModel;
use pellucid_xcs::params::{Mode, Params};
use pellucid_xcs::{Xcs, XcsLearner};
use proptest::prelude::*;

/// A column of each type: numbers of every size, one value only, or nothing at all.
fn column(rows: usize) -> impl Strategy<Value = Values> {
    let code = prop_oneof![4 => 0_u32..3, 1 => Just(MISSING)];
    let huge = prop::sample::select(vec![1e308, -1e308, 1e-310, 0.0, -0.0, f64::INFINITY]);
    let few = (0_u8..4).prop_map(f64::from);
    let mixed = prop_oneof![4 => -3.0..3.0_f64, 1 => Just(f64::NAN)];
    let numbers = |of: BoxedStrategy<f64>| {
        prop::collection::vec(of, rows).prop_map(|all| Values::Numeric(all.into()))
    };
    let categories = ["a", "b", "c"].map(str::to_owned).to_vec();
    prop_oneof![
        numbers(mixed.boxed()),
        numbers(huge.boxed()),
        numbers(few.boxed()),
        numbers(Just(7.0).boxed()),
        numbers(Just(f64::NAN).boxed()),
        prop::collection::vec(code, rows)
            .prop_map(move |codes| Values::Nominal { codes, categories: categories.clone() }),
        prop::collection::vec(any::<Option<bool>>(), rows).prop_map(Values::Boolean),
    ]
}

/// Tables with up to eleven classes. Low codes are common, so some classes are rare or have no row.
fn table() -> impl Strategy<Value = Dataset> {
    (3_usize..60, 2_u32..12).prop_flat_map(|(rows, classes)| {
        let code = (0..classes, 0..classes).prop_map(|(one, other)| one.min(other));
        let weight = prop::sample::select(vec![0.0, 1.0, 1.0, 1e9, 1e-9]);
        (
            prop::collection::vec(column(rows), 1..4),
            prop::collection::vec(code, rows),
            prop::option::of(prop::collection::vec(weight, rows)),
        )
            .prop_map(move |(columns, codes, weights)| {
                let name = |class: u32| format!("class {class}");
                let target = ClassTarget {
                    name: "class".into(),
                    classes: (0..classes).map(name).collect(),
                    codes,
                };
                let named = |(place, values)| Column { name: format!("x{place}"), values };
                Dataset {
                    name: "table".into(),
                    columns: columns.into_iter().enumerate().map(named).collect(),
                    rows,
                    target: Some(target),
                    weights,
                    ..Dataset::default()
                }
            })
    })
}

/// Parameters at the ends of their ranges.
fn learner() -> impl Strategy<Value = XcsLearner<'static>> {
    let flags = any::<[bool; 6]>();
    let ends = (
        prop::sample::select(vec![10_u32, 12, 40]),
        prop::sample::select(vec![0.1, 5.0, 100.0]),
        prop::sample::select(vec![0.0, 0.4, 1.0]),
        prop::sample::select(vec![0.0, 0.01, 1.0]),
        prop::sample::select(vec![0.0001, 0.2, 1.0]),
        prop::sample::select(vec![0.0, 0.2, 1.0]),
    );
    (flags, ends, 0_u64..1000).prop_map(|(flags, ends, seed)| {
        let [reward, keep_all, keep_population, specify, niche, balanced] = flags;
        let (population, power, tournament, share, rate, mutation) = ends;
        let learner = XcsLearner::new()
            .iterations(2_000_u64)
            .population(population)
            .accuracy_power(power)
            .tournament(tournament)
            .learning_rate(rate)
            .mutation(mutation)
            .keep_all(keep_all)
            .keep_population(keep_population)
            .niche_subsumption(niche)
            .seed(seed);
        let learner = if reward {
            learner.mode(Mode::Reward).forgiven_error(share).specify(specify)
        } else {
            learner.accurate_from(share)
        };
        if balanced {
            learner.class_weight(pellucid_learn::params::ClassWeights::Named("balanced".into()))
        } else {
            learner
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(48)))]

    /// A table without a positive weight or with one class is refused; every other one gives a model that
    /// is read back as it was written, and predicts the same.
    #[test]
    fn a_model_is_read_back_as_it_was_written(data in table(), learner in learner()) {
        let has_weight =
            data.weights.as_ref().is_none_or(|weights| weights.iter().any(|&weight| weight > 0.0));
        let codes = data.example_codes();
        let has_classes = codes.iter().any(|&code| code != codes[0]);
        let model: FittedModel<Xcs> = match learner.fit(&data) {
            Ok(model) => model,
            Err(error) => {
                prop_assert!(!has_weight || !has_classes, "{error}");
                return Ok(());
            }
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        model.save(&path).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let again: FittedModel<Xcs> = FittedModel::open(&path).expect("what was written");
        let stored = XcsModel::load(&path, LEARNER).expect("what was written");
        prop_assert_eq!(&*again, &stored);
        prop_assert_eq!(&*model, &stored);
        let classes = |model: &FittedModel<Xcs>| {
            model.predict(&data).expect("the same columns").classes().to_vec()
        };
        prop_assert_eq!(classes(&model), classes(&again));
    }
}

/// The parameters have no number that JSON cannot represent.
#[test]
fn default_parameters_are_read_back() {
    let text = serde_json::to_string(&Params::default()).expect("plain data");
    assert_eq!(serde_json::from_str::<Params>(&text).expect("what was written"), Params::default());
}
