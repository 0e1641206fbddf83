//! Groups of rows by the columns that explain them, on genotypes of which each row follows one of two
//! models.

use pellucid::generate::{Genotypes, RandomGenotypes, genotypes};
use pellucid::learn::learner::ExplanationRequest;
use pellucid::xcs::XcsLearner;

#[test]
fn rows_are_assigned_to_the_models_they_follow() {
    let random = RandomGenotypes { models: 2, ..RandomGenotypes::default() };
    let Genotypes { data, model_of_row, .. } = genotypes(1600, &random, 1).expect("a table");
    let model = XcsLearner::new().fit(&data).expect("a model");
    assert_eq!(model.groups.len(), 2, "{:?}", model.groups);
    let model_of = |group: usize| {
        let columns = model.groups[group].columns.iter().take(2);
        let mut names: Vec<&str> = columns.map(|column| &*column.column).collect();
        names.sort_unstable();
        match names[..] {
            ["M1P1", "M1P2"] => 0,
            ["M2P1", "M2P2"] => 1,
            _ => panic!("columns of both models or of none: {names:?}"),
        }
    };
    let applied = model.apply(&data).expect("its own data");
    let groups: Vec<Option<usize>> = (0..data.rows).map(|row| applied.group(row)).collect();
    let (mut all, mut right) = (0, 0);
    for (group, &own) in groups.iter().zip(&model_of_row) {
        if let Some(group) = *group {
            all += 1;
            right += u32::from(model_of(group) == own);
        }
    }
    // The most probable model is right about two thirds of the rows.
    assert!(all > 700, "{all} rows are in a group");
    assert!(f64::from(right) > 0.6 * f64::from(all), "{right} of {all} rows");
    let counted: Vec<u64> = (0..2)
        .map(|group| groups.iter().filter(|own| **own == Some(group)).count() as u64)
        .collect();
    let stated: Vec<u64> = model.groups.iter().map(|group| group.examples.iter().sum()).collect();
    assert_eq!(counted, stated, "the groups of training rows are those of the model");
    let row = groups.iter().position(Option::is_some).expect("an assigned row");
    let reasons = applied.explain(row, &ExplanationRequest::default()).expect("reasons");
    assert!(reasons.text.contains(": explained by M"), "{}", reasons.text);
    assert_eq!(reasons.json["group"], groups[row].map_or(0, |group| group + 1));
}
