//! Groups of rows by the columns that explain them, where each row follows one of two models.

use pellucid_data::{ClassTarget, Column, Dataset, Values};
use pellucid_learn::learner::ExplanationRequest;
use pellucid_learn::rng::Streams;
use pellucid_xcs::XcsLearner;

/// A table in which two columns decide about the class of a row, those of the first or of the second model, and
/// the model of each row.
fn two_models(rows: usize) -> (Dataset, Vec<usize>) {
    let mut stream = Streams::new(5).stream(&["rows".into()]);
    let mut cells = vec![Vec::with_capacity(rows); 8];
    let (mut models, mut codes) = (Vec::new(), Vec::new());
    for _ in 0..rows {
        let row: Vec<bool> = (0..8).map(|_| stream.chance(0.5)).collect();
        let model = stream.index(2);
        codes.push(u32::from(row[2 * model] != row[2 * model + 1]));
        models.push(model);
        cells.iter_mut().zip(row).for_each(|(cells, own)| cells.push(f64::from(u8::from(own))));
    }
    let column = |(place, cells): (usize, Vec<f64>)| Column {
        name: format!("c{place}"),
        values: Values::Numeric(cells.into()),
    };
    let classes = vec!["no".into(), "yes".into()];
    let data = Dataset {
        name: "models".into(),
        columns: cells.into_iter().enumerate().map(column).collect(),
        rows,
        target: Some(ClassTarget { name: "class".into(), classes, codes }),
        ..Dataset::default()
    };
    (data, models)
}

#[test]
fn rows_are_assigned_to_the_models_they_follow() {
    let (data, models) = two_models(1200);
    let model = XcsLearner::new().iterations(40_000_u64).seed(1_u64).fit(&data).expect("a model");
    let first = |group: usize| -> Vec<&str> {
        let columns = model.groups[group].columns.iter().take(2);
        let mut names: Vec<&str> = columns.map(|column| &*column.column).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(model.groups.len(), 2, "{:?}", model.groups);
    let model_of = |group: usize| match &first(group)[..] {
        ["c0", "c1"] => 0,
        ["c2", "c3"] => 1,
        other => panic!("columns of both models or of none: {other:?}"),
    };
    let applied = model.apply(&data).expect("its own data");
    let groups: Vec<Option<usize>> = (0..data.rows).map(|row| applied.group(row)).collect();
    let known =
        groups.iter().zip(&models).filter_map(|(group, &own)| Some((model_of((*group)?), own)));
    let (mut all, mut right) = (0, 0);
    for (found, own) in known {
        all += 1;
        right += u32::from(found == own);
    }
    // Three of four rows follow their most probable model: where only one model has the class, or by chance.
    assert!(all > 900, "{all} rows are in a group");
    assert!(f64::from(right) > 0.68 * f64::from(all), "{right} of {all} rows");
    let counted: Vec<u64> = (0..2)
        .map(|group| groups.iter().filter(|own| **own == Some(group)).count() as u64)
        .collect();
    let stated: Vec<u64> = model.groups.iter().map(|group| group.examples.iter().sum()).collect();
    assert_eq!(counted, stated, "the groups of training rows are those of the model");
    let some = groups.iter().position(Option::is_some).expect("an assigned row");
    let reasons = applied.explain(some, &ExplanationRequest::default()).expect("reasons");
    assert!(reasons.text.contains(": explained by c"), "{}", reasons.text);
    assert_eq!(reasons.json["group"], groups[some].map_or(0, |group| group + 1));
}
