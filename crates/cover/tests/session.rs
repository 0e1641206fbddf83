//! Tests of sessions: remembered counts, devices that fail, and questions that do not fit.

use pellucid_cover::{
    BindError, EvaluateError, Formulas, Hypothesis, Labels, Literal, Session, Table, TableError,
};
use pellucid_data::Values;
use pellucid_device::{Device, FailAt};
use pellucid_program::{ProgramId, Programs, Quantifier};
use std::num::NonZeroUsize;
use std::sync::Arc;

fn table(rows: usize) -> Arc<Table> {
    let column =
        |factor: usize| Values::Numeric((0..rows).map(|row| (row * factor % 101) as f64).collect());
    Arc::new(Table::new(vec![("a".into(), column(7)), ("b".into(), column(13))]).unwrap())
}

fn labels(table: &Table) -> Labels {
    let codes: Vec<u32> = (0..table.rows()).map(|row| (row % 3 == 0).into()).collect();
    Labels::rows(table, &codes, 2).unwrap()
}

fn rules(programs: &mut Programs) -> Vec<ProgramId> {
    (0..300)
        .map(|cut| programs.parse(&format!("a > {} and b <= {}", cut % 100, cut / 3)).unwrap())
        .collect()
}

/// Returns the CPU with one thread.
fn cpu() -> Device {
    Device::processor(NonZeroUsize::new(1)).unwrap()
}

#[test]
fn a_failure_of_all_devices_is_an_error_and_clears_the_memo() {
    let table = table(100);
    let bad = [cpu().with_id("bad").failing(FailAt::Call(2))];
    let mut session =
        Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &bad).unwrap();
    let first = session.programs_mut().parse("a > 50").unwrap();
    let second = session.programs_mut().parse("a > 60").unwrap();
    session.tally(&[first]).unwrap();
    let lost = "device bad: lost in call 2 (simulated failure)";
    assert_eq!(session.tally(&[second]).unwrap_err().to_string(), lost);
    assert_eq!(session.tally(&[second]).unwrap_err().to_string(), "device none: no device is left");
    assert!(session.cover(&[first]).is_err());
}

#[test]
fn remembered_counts_are_not_computed_again() {
    let table = table(1000);
    let mut session =
        Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &[cpu()]).unwrap();
    let roots = rules(session.programs_mut());
    let tallies = session.tally(&roots).unwrap();
    let distinct = session.evaluated();
    assert_eq!(session.tally(&roots).unwrap(), tallies);
    assert_eq!(session.evaluated(), distinct);
    // A different expression for the same rows: no value is between 50 and 50.5.
    let one = session.programs_mut().parse("a > 50").unwrap();
    let other = session.programs_mut().parse("a >= 50.5 and true").unwrap();
    session.tally(&[one]).unwrap();
    let before = session.evaluated();
    session.tally(&[other, one, other]).unwrap();
    assert_eq!(session.evaluated(), before);

    // A new question is computed again.
    let all = Labels::rows(&table, &vec![0; 1000], 1).unwrap();
    session.ask(all, Hypothesis::Rows).unwrap();
    assert_eq!(session.tally(&[one]).unwrap().of(0).len(), 1);

    session.forget_programs();
    assert!(session.programs().is_empty());
    let again = rules(session.programs_mut());
    session.ask(labels(&table), Hypothesis::Rows).unwrap();
    assert_eq!(session.tally(&again).unwrap(), tallies);
}

#[test]
fn mismatches_are_reported() {
    let table = table(10);
    let cpu = cpu();
    let new = |labels, hypothesis| {
        Session::new(Arc::clone(&table), labels, hypothesis, std::slice::from_ref(&cpu))
    };
    assert_eq!(
        new(labels(&table), Hypothesis::Presence).unwrap_err().to_string(),
        "the hypothesis 'at least one row' counts bags, but the labels are for rows"
    );
    assert_eq!(
        Session::new(Arc::clone(&table), labels(&table), Hypothesis::Rows, &[])
            .unwrap_err()
            .to_string(),
        "device none: no device was given"
    );
    let mut session = new(labels(&table), Hypothesis::Rows).unwrap();
    let always = session.programs_mut().constant(true);
    let related = session.programs_mut().related(Quantifier::Some, 0, false, always);
    assert_eq!(session.tally(&[related]).unwrap_err(), EvaluateError::Bind(BindError::Roles));
    // The error does not affect other programs.
    assert_eq!(session.tally(&[always]).unwrap().of(0).iter().sum::<u64>(), 10);
    let part = session.programs_mut().not(related);
    let whole = session.programs_mut().and(&[part, related]);
    assert_eq!(session.cover(&[part]).unwrap_err(), EvaluateError::Bind(BindError::Roles));
    assert_eq!(
        session.tally(&[whole]).unwrap().of(0),
        [0, 0],
        "a contradiction does not need the role"
    );
    assert!(session.tally(&[]).unwrap().is_empty());

    assert_eq!(Labels::bags(&table, &[0], 1).unwrap_err(), TableError::NoBags);
    assert_eq!(
        Labels::rows(&table, &[0; 9], 1).unwrap_err().to_string(),
        "found 9 labels; expected 10 (the number of rows)"
    );
    assert_eq!(
        Labels::rows(&table, &[2; 10], 2).unwrap_err().to_string(),
        "example 0 has class code 2; expected a code below 2"
    );
    assert_eq!(Labels::rows(&table, &[0; 10], 0).unwrap_err(), TableError::NoClasses);
    let column = |values: Vec<f64>| ("x".to_owned(), Values::Numeric(values.into()));
    let error = |result: Result<Table, TableError>| result.unwrap_err().to_string();
    assert_eq!(
        error(Table::with_bags(vec![column(vec![1.0])], &[0, 0])),
        "column 'x' has 1 values, but the table has 2 rows"
    );
    assert_eq!(
        error(Table::with_bags(vec![column(vec![1.0])], &[3])),
        "bag 0 has no rows; bags are numbered from 0 without gaps"
    );
    assert_eq!(
        error(Table::new(vec![column(vec![]), column(vec![])])),
        "two columns are named 'x'"
    );
    // Zeroed memory costs nothing until it is read, and this call fails before that.
    assert_eq!(
        error(Table::with_bags(vec![], &vec![0; 1 << 28])),
        "too many rows: 268435456 rows take up to 2147483648 positions with padding; \
         the limit is 2147483647"
    );
    let nominal = Values::Nominal { codes: vec![1], categories: vec!["only".into()] };
    assert_eq!(
        error(Table::new(vec![("k".into(), nominal)])),
        "column 'k': row 0: found code 1; expected 0 to 0 or missing"
    );
    assert!(
        Device::processor(NonZeroUsize::new(5000))
            .unwrap_err()
            .to_string()
            .contains("expected 1 to 1024")
    );
}

/// Returns one formula for each literal.
fn literals(all: &[Literal]) -> Formulas {
    let mut formulas = Formulas::new();
    for &literal in all {
        formulas.literal(literal);
        formulas.end_group();
        formulas.end_root();
    }
    formulas
}

/// A rank beyond its column would be the code of a literal of the next column. It must be rejected
/// before anything is counted or remembered.
#[test]
fn formulas_that_do_not_fit_the_table_are_rejected() {
    let mut columns = vec![("a".to_owned(), Values::Numeric(vec![1.0, 2.0, 3.0].into()))];
    columns.push(("b".to_owned(), Values::Boolean(vec![Some(true), None, Some(false)])));
    let table = Arc::new(Table::new(columns).unwrap());
    let labels = Labels::rows(&table, &[0, 1, 1], 2).unwrap();
    let mut session = Session::new(Arc::clone(&table), labels, Hypothesis::Rows, &[cpu()]).unwrap();
    let right = [Literal::new(0, 2, true), Literal::new(1, 0, false)];
    let expected = session.tally_formulas(&literals(&right)).unwrap();
    for (column, rank, message) in [
        (0, 3, "a literal compares column 'a' with rank 3; expected a rank below 3"),
        (1, 1, "a literal compares column 'b' with rank 1; expected a rank below 1"),
        (2, 0, "a literal uses column 2, but the table has 2 columns (numbered from 0)"),
        (
            (1 << 31) - 1,
            0,
            "a literal uses column 2147483647, but the table has 2 columns (numbered from 0)",
        ),
    ] {
        let wrong = literals(&[right[0], Literal::new(column, rank, false), right[1]]);
        session.forget_counts();
        assert_eq!(session.tally_formulas(&wrong).unwrap_err().to_string(), message);
        assert_eq!(session.cover_formulas(&wrong).unwrap_err().to_string(), message);
        assert_eq!(session.tally_formulas(&literals(&right)).unwrap(), expected);

        // The check also covers appended formulas, and removed formulas have no effect.
        let mut joined = literals(&right);
        joined.append(&wrong);
        assert_eq!(session.tally_formulas(&joined).unwrap_err().to_string(), message);
        joined.clear();
        joined.append(&literals(&right));
        assert_eq!(session.tally_formulas(&joined).unwrap(), expected);
    }
}
