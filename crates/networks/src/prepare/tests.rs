use super::*;
use pellucid_data::MISSING;
use proptest::prelude::*;

const OPTIONS: PreparationOptions =
    PreparationOptions { rare: 5, smoothing: Some(10.0), steps: 8, clip: Some(5.0) };

fn table(columns: Vec<(&str, Values)>) -> Dataset {
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    let columns = columns
        .into_iter()
        .map(|(name, values)| Column { name: name.to_owned(), values })
        .collect();
    Dataset { name: "table".to_owned(), columns, rows, ..Dataset::default() }
}

fn words(codes: &[u32], categories: &[&str]) -> Values {
    let categories = categories.iter().map(|&word| word.to_owned()).collect();
    Values::Nominal { codes: codes.to_vec(), categories }
}

/// Returns the log odds of a category from some rows, directly from the formula.
fn plain_odds(
    codes: &[u32],
    positive: &[bool],
    word: u32,
    rows: f64,
    counts: impl Fn(usize) -> bool,
) -> f64 {
    let count = |wanted: bool, word: Option<u32>| {
        let own = |row: &usize| {
            counts(*row) && positive[*row] == wanted && word.is_none_or(|word| codes[*row] == word)
        };
        (0..codes.len()).filter(own).count() as f64
    };
    let (all, rest) = (count(true, None), count(false, None));
    if all == 0.0 || rest == 0.0 {
        return 0.0;
    }
    let share = all / (all + rest);
    let yes = count(true, Some(word)) + rows * share;
    let no = count(false, Some(word)) + rows * (1.0 - share);
    (yes / no).ln() - (all / rest).ln()
}

proptest! {
    #[test]
    fn a_training_row_is_encoded_from_other_folds(
        rows in prop::collection::vec((0_u32..4, any::<bool>(), 0_u32..3), 30..120),
    ) {
        let codes: Vec<u32> = rows.iter().map(|row| row.0).collect();
        let positive: Vec<bool> = rows.iter().map(|row| row.1).collect();
        let fold: Vec<u32> = rows.iter().map(|row| row.2).collect();
        prop_assume!((0..3).all(|one| fold.contains(&one)));
        let data = table(vec![("word", words(&codes, &["a", "b", "c", "d"]))]);
        let Ok(fitted) = InputPreparation::fit(&data, &positive, &fold, &OPTIONS) else { return Ok(()) };
        let input = &fitted.preparation.inputs[0];
        let scale = input.scale(OPTIONS.clip);
        for row in 0..rows.len() {
            let word = codes[row];
            let common = codes.iter().filter(|&&code| code == word).count() >= OPTIONS.rare;
            let without = |other: usize| fold[other] != fold[row];
            let odds = if common { plain_odds(&codes, &positive, word, 10.0, without) } else { 0.0 };
            prop_assert!((fitted.training[0][row] - scale.of(odds)).abs() < 1e-4);
        }
        // New rows are encoded from all rows.
        let Encoding::LogOdds { values, .. } = &input.encoding else { panic!("words") };
        for (word, odds) in values {
            let code = ["a", "b", "c", "d"].iter().position(|name| name == word).expect("a word");
            let truth = plain_odds(&codes, &positive, u32::try_from(code).expect("small"), 10.0, |_| true);
            prop_assert!((odds - truth).abs() < 1e-9);
        }
    }

    #[test]
    fn a_label_does_not_affect_its_own_row(
        rows in prop::collection::vec((0_u32..4, 0.0_f64..10.0, any::<bool>()), 40..100),
        flipped in 0_usize..40,
    ) {
        let codes: Vec<u32> = rows.iter().map(|row| row.0).collect();
        let numbers: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let fold: Vec<u32> = (0..rows.len()).map(|row| u32::try_from(row % 4).expect("small")).collect();
        let data = table(vec![
            ("word", words(&codes, &["a", "b", "c", "d"])),
            ("x", Values::Numeric(numbers.into())),
        ]);
        let mut positive: Vec<bool> = rows.iter().map(|row| row.2).collect();
        // Undo the scale, which depends slightly on the label.
        let raw = |positive: &[bool]| {
            let fitted = InputPreparation::fit(&data, positive, &fold, &OPTIONS);
            let Ok(fitted) = fitted else { return Vec::new() };
            fitted.training.iter().zip(&fitted.preparation.inputs)
                .map(|(column, input)| f64::from(column[flipped]) * input.half_range + input.middle)
                .collect()
        };
        let before: Vec<f64> = raw(&positive);
        positive[flipped] = !positive[flipped];
        let after: Vec<f64> = raw(&positive);
        prop_assume!(before.len() == after.len() && before.iter().all(|number| number.abs() < 4.0));
        for (one, other) in before.iter().zip(&after) {
            prop_assert!((one - other).abs() < 1e-4, "{one} {other}");
        }
    }

    #[test]
    fn inputs_are_always_finite(
        numbers in prop::collection::vec(prop_oneof![
            3 => -10.0_f64..10.0, 1 => Just(f64::NAN), 1 => Just(1e300),
            1 => Just(f64::INFINITY), 1 => Just(-1e9), 1 => Just(0.0),
        ], 20..80),
        clip in prop::option::of(1.0_f64..10.0),
        plain in any::<bool>(),
    ) {
        let rows = numbers.len();
        let positive: Vec<bool> = (0..rows).map(|row| row % 3 == 0).collect();
        let fold: Vec<u32> = (0..rows).map(|row| u32::try_from(row % 5).expect("small")).collect();
        let truths = (0..rows).map(|row| [None, Some(true), Some(false)][row % 3]).collect();
        let codes: Vec<u32> = (0..rows).map(|row| [0, 1, MISSING][row % 3]).collect();
        let data = table(vec![
            ("x", Values::Numeric(numbers.into())),
            ("yes", Values::Boolean(truths)),
            ("word", words(&codes, &["a", "b"])),
        ]);
        let options = PreparationOptions { clip, smoothing: if plain { None } else { Some(0.0) }, ..OPTIONS };
        let fitted = InputPreparation::fit(&data, &positive, &fold, &options).expect("columns");
        let applied = fitted.preparation.apply(&data).expect("the same columns");
        let all = fitted.training.iter().chain(&applied).flatten();
        prop_assert!(all.clone().all(|number| number.is_finite()));
        fitted.preparation.check().expect("a valid preparation");
        let text = serde_json::to_string(&fitted.preparation).expect("JSON");
        let parsed: InputPreparation = serde_json::from_str(&text).expect("a preparation");
        prop_assert_eq!(parsed, fitted.preparation);
    }

    #[test]
    fn bins_have_enough_rows_and_are_not_too_many(
        numbers in prop::collection::vec(prop_oneof![Just(0.0), -5.0_f64..5.0, Just(3.0)], 1..300),
        most in 0_usize..20,
        rare in 1_usize..30,
    ) {
        let Some(bins) = Bins::steps(&numbers, most, rare) else { return Ok(()) };
        let Encoding::Steps { cuts, .. } = bins.encoding(&vec![0.0; most + 3]) else { panic!("steps") };
        prop_assert!(cuts.len() < most && cuts.windows(2).all(|pair| pair[0] < pair[1]));
        for step in 0..=cuts.len() {
            let own = |number: &&f64| cuts.partition_point(|cut| cut < *number) == step;
            let count = numbers.iter().filter(own).count();
            prop_assert!(count >= rare, "step {step} of {cuts:?} has {count} rows, {rare} are needed");
        }
    }
}

#[test]
fn nonzero_values_of_a_sparse_column_are_resolved_finely() {
    let mut numbers = vec![0.0; 900];
    numbers.extend((1..=100).map(f64::from));
    let bins = Bins::steps(&numbers, 10, 10).expect("steps");
    let Encoding::Steps { cuts, .. } = bins.encoding(&[0.0; 12]) else { panic!("steps") };
    assert_eq!(cuts.len(), 9, "{cuts:?}");
    assert_eq!(cuts[0], 0.0);
}

#[test]
fn unknown_and_rare_categories_have_log_odds_0() {
    let codes: Vec<u32> = (0..40).map(|row| u32::from(row % 2 == 0)).chain([2]).collect();
    let positive: Vec<bool> = (0..41).map(|row| row % 2 == 0).collect();
    let data = table(vec![("word", words(&codes, &["a", "b", "once"]))]);
    let fitted = InputPreparation::fit(&data, &positive, &[0; 41], &OPTIONS).expect("a column");
    let new = table(vec![("word", words(&[0, 1, 2, MISSING], &["c", "b", "once"]))]);
    let applied = fitted.preparation.apply(&new).expect("the same column");
    let input = &fitted.preparation.inputs[0];
    let zero = input.scale(OPTIONS.clip).of(0.0);
    assert_eq!([applied[0][0], applied[0][2], applied[0][3]], [zero; 3]);
    assert!(applied[0][1] > zero, "'b' occurs with the positives");
}

#[test]
fn constant_columns_are_ignored_and_named() {
    let positive = [true, false, true, false];
    let data = table(vec![
        ("same", Values::Numeric(vec![3.0; 4].into())),
        ("missing", Values::Numeric(vec![f64::NAN; 4].into())),
        ("word", words(&[0; 4], &["a"])),
        ("x", Values::Numeric(vec![1.0, 2.0, 3.0, 4.0].into())),
    ]);
    let fitted = InputPreparation::fit(&data, &positive, &[0; 4], &OPTIONS).expect("one column");
    assert_eq!(fitted.constant, ["same", "missing", "word"]);
    assert_eq!(fitted.training.len(), 1);
    let data = table(vec![("same", Values::Numeric(vec![3.0; 4].into()))]);
    let message = InputPreparation::fit(&data, &positive, &[0; 4], &OPTIONS)
        .expect_err("no usable column")
        .to_string();
    assert!(message.starts_with("table: no usable column"), "{message}");
}

#[test]
fn most_numbers_lie_between_minus_one_and_one() {
    let numbers: Vec<f64> = (0..1000).map(f64::from).collect();
    let data = table(vec![("x", Values::Numeric(numbers.into()))]);
    let positive: Vec<bool> = (0..1000).map(|row| row % 2 == 0).collect();
    let options = PreparationOptions { steps: 0, ..OPTIONS };
    let fitted = InputPreparation::fit(&data, &positive, &[0; 1000], &options).expect("a column");
    let inside = fitted.training[0].iter().filter(|number| number.abs() <= 1.0).count();
    assert!((795..=805).contains(&inside), "{inside}");
}
