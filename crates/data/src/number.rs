//! Numeric targets, such as a price, a duration or a yield.

use crate::{ClassTarget, DataError, DataProblem, Dataset};

/// A numeric target.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberTarget {
    /// The name of the column.
    pub name: String,
    /// One number per example, which is a bag if there are bags and otherwise a row.
    pub values: Vec<f64>,
}

/// The kind of target of a data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TargetKind<'a> {
    /// No target.
    Nothing,
    /// Classes.
    Classes(&'a ClassTarget),
    /// Numbers.
    Number(&'a NumberTarget),
}

/// The maximum number of strata for stratified folds.
const STRATA: usize = 10;
/// The minimum number of examples per stratum, so that every fold gets some of it.
const PER_STRATUM: usize = 10;

impl Dataset {
    /// Returns the target.
    #[must_use]
    pub fn target_kind(&self) -> TargetKind<'_> {
        match (&self.target, &self.number) {
            (Some(target), _) => TargetKind::Classes(target),
            (None, Some(number)) => TargetKind::Number(number),
            (None, None) => TargetKind::Nothing,
        }
    }

    /// Returns the name of the target, whether it is nominal or numeric.
    #[must_use]
    pub fn target_name(&self) -> Option<&str> {
        match self.target_kind() {
            TargetKind::Classes(target) => Some(&target.name),
            TargetKind::Number(number) => Some(&number.name),
            TargetKind::Nothing => None,
        }
    }

    /// Returns the numeric target, if it has at least two different values.
    ///
    /// # Errors
    /// Fails if there is no numeric target or if it has only one value.
    pub fn require_number(&self) -> Result<&NumberTarget, DataError> {
        let fail = |problem| DataError { name: self.name.clone(), problem };
        let number = self.number.as_ref().ok_or_else(|| fail(DataProblem::NoTarget))?;
        let first = number.values.first().copied().unwrap_or(0.0);
        if number.values.iter().any(|&value| value != first) {
            return Ok(number);
        }
        let (column, value) = (number.name.clone(), first.to_string());
        Err(fail(DataProblem::OneNumber { column, value }))
    }
}

impl NumberTarget {
    /// Returns the stratum of each example, from the lowest numbers to the highest; equal numbers
    /// are in the same stratum. Folds with examples of every stratum are more similar.
    #[must_use]
    pub fn strata(&self) -> Vec<u32> {
        let count = self.values.len();
        let parts = (count / PER_STRATUM).clamp(1, STRATA);
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let ends: Vec<f64> = (1..parts).map(|part| sorted[part * count / parts]).collect();
        let of = |value: &f64| ends.partition_point(|end| end <= value);
        let mut strata: Vec<usize> = self.values.iter().map(of).collect();
        // A stratum that has only one example because of equal numbers is merged with the one below or above.
        let mut sizes = vec![0; parts];
        strata.iter().for_each(|&part| sizes[part] += 1);
        for part in 0..parts {
            if sizes[part] == 1 {
                let others = (0..part).rev().chain(part + 1..parts);
                if let Some(to) = others.into_iter().find(|&other| sizes[other] > 0) {
                    strata.iter_mut().filter(|own| **own == part).for_each(|own| *own = to);
                    (sizes[part], sizes[to]) = (0, sizes[to] + 1);
                }
            }
        }
        strata.into_iter().map(|part| u32::try_from(part).unwrap_or(0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Values};
    use proptest::prelude::*;

    fn priced(values: Vec<f64>) -> Dataset {
        let rows = values.len();
        Dataset {
            name: "cars".into(),
            columns: vec![Column {
                name: "age".into(),
                values: Values::Numeric(vec![1.0; rows].into()),
            }],
            rows,
            number: Some(NumberTarget { name: "price".into(), values }),
            ..Dataset::default()
        }
    }

    #[test]
    fn numeric_targets_are_checked() {
        let data = priced(vec![1.5, 2.0, 9.0]);
        assert_eq!((data.check(), data.target_name()), (Ok(()), Some("price")));
        let error = data.require_classes().expect_err("no classes").to_string();
        assert_eq!(error, "cars: target column 'price' is numeric; expected classes");
        assert_eq!(data.select(&[2, 0]).require_number().expect("two").values, [9.0, 1.5]);
        let error = priced(vec![2.0; 3]).require_number().expect_err("the same").to_string();
        assert_eq!(
            error,
            "cars: target column 'price' has only one value (2); expected at least two"
        );
        // A row with a missing target can be predicted.
        assert_eq!(priced(vec![1.0, f64::NAN]).check(), Ok(()));
        assert!(priced(vec![1.0, f64::INFINITY]).check().is_err());
        let short = NumberTarget { name: "price".into(), values: vec![1.0] };
        assert!(Dataset { number: Some(short), ..data }.check().is_err());
    }

    proptest! {
        #[test]
        fn strata_are_ordered_and_have_two_examples_or_more(
            values in prop::collection::vec((-20i32..20).prop_map(f64::from), 2..200),
        ) {
            let strata = NumberTarget { name: "y".into(), values: values.clone() }.strata();
            for (value, part) in values.iter().zip(&strata) {
                for (other, at) in values.iter().zip(&strata) {
                    prop_assert!(value != other || part == at);
                }
                prop_assert!(strata.iter().filter(|other| *other == part).count() > 1);
            }
        }
    }
}
