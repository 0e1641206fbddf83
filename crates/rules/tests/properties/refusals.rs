//! Data that is unsuitable for training is rejected with a clear message.

use crate::cases::{dataset, noisy, refusal, small};
use pellucid_data::Dataset;
use pellucid_data::{MISSING, Values};
use pellucid_learn::params::ClassWeights;
use pellucid_rules::params::{Mode, Params};

fn in_all_modes(data: &Dataset, change: impl Fn(&mut Params), expected: &str) {
    for mode in Mode::ALL {
        let mut params = small(mode, 0);
        change(&mut params);
        let found = refusal(data, params);
        assert_eq!(found, expected, "{mode}");
    }
}

fn with_codes(codes: &[u32]) -> Dataset {
    let numbers = (0..codes.len()).map(|row| row as f64).collect();
    let classes = ["no", "perhaps", "yes"];
    dataset(vec![("x".into(), Values::Numeric(numbers))], None, &classes, codes.to_vec())
}

#[test]
fn columns_of_one_value() {
    let rows = 8;
    let columns = vec![
        ("number".into(), Values::Numeric(vec![3.5; rows].into())),
        ("nothing".into(), Values::Numeric(vec![f64::NAN; rows].into())),
        ("truth".into(), Values::Boolean(vec![Some(true); rows])),
        ("no truth".into(), Values::Boolean(vec![None; rows])),
        (
            "word".into(),
            Values::Nominal { codes: vec![1; rows], categories: vec!["a".into(), "b".into()] },
        ),
        (
            "no word".into(),
            Values::Nominal { codes: vec![MISSING; rows], categories: vec!["a".into()] },
        ),
    ];
    let expected = "attributes: found no column with two or more values that the operators fit; \
                    expected at least one";
    let codes = vec![0, 1, 0, 1, 1, 0, 1, 0];
    in_all_modes(&dataset(columns.clone(), None, &["no", "yes"], codes), |_| (), expected);
    let (of_row, codes) = (vec![0, 0, 0, 1, 2, 2, 3, 3], vec![0, 1, 0, 1]);
    in_all_modes(&dataset(columns, Some(of_row), &["no", "yes"], codes), |_| (), expected);
}

#[test]
fn one_class() {
    let expected =
        "made up: target column 'class' has only one class ('perhaps'); expected at least two";
    in_all_modes(&with_codes(&[1; 6]), |_| (), expected);
}

#[test]
fn a_class_with_one_example() {
    let expected = "made up: class 'yes' has only one row; expected at least two of each class";
    in_all_modes(&with_codes(&[1, 1, 1, 2, 1, 1]), |_| (), expected);
}

#[test]
fn three_classes_in_a_mode_for_two() {
    for mode in [Mode::G3pMi, Mode::Pareto] {
        let found = refusal(&with_codes(&[0, 1, 2, 0, 1, 2]), small(mode, 0));
        let expected = format!(
            "made up: mode {mode} needs two classes, found 3; use mode default for more classes"
        );
        assert_eq!(found, expected);
    }
}

#[test]
fn an_unknown_attribute() {
    let expected = "attributes: found 'teling'; expected kind 0, kind 1, kind 2, kind 3, kind 4, kind 5, \
         kind 6, kind 7 and 2 more; did you mean 'telling'?";
    let mut data = noisy(1, true);
    data.columns.sort_by(|left, right| left.name.cmp(&right.name));
    let change = |params: &mut Params| params.grammar.attributes = vec!["teling".into()];
    in_all_modes(&data, change, expected);
}

#[test]
fn operators_that_fit_no_column() {
    let expected = "attributes: found no column with two or more values that the operators fit; \
                    expected at least one";
    let change = |params: &mut Params| params.grammar.operators = vec!["=".into()];
    in_all_modes(&with_codes(&[1, 1, 2, 2]), change, expected);
}

/// Only the default mode supports class weights.
#[test]
fn a_class_weight_for_an_unknown_class() {
    let mut params = small(Mode::Default, 0);
    params.class_weights = ClassWeights::Given(vec![("yes".into(), 2.0), ("maybe".into(), 2.0)]);
    let found = refusal(&with_codes(&[1, 1, 2, 2]), params);
    assert_eq!(found, "class_weight: found class 'maybe'; expected one of no, perhaps, yes");
}
