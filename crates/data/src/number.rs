//! A target that is a number: a price, a duration, a yield.

use crate::{DataError, DataProblem, Dataset, Target};

/// The numbers that are to be predicted.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberTarget {
    /// The column's name.
    pub name: String,
    /// One finite number an example: a bag if there are bags, otherwise a row.
    pub values: Vec<f64>,
}

/// What is to be predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim<'a> {
    /// The data does not say.
    Nothing,
    /// One of several classes.
    Classes(&'a Target),
    /// A number.
    Number(&'a NumberTarget),
}

/// Parts of equal size, from the lowest numbers to the highest, that folds share out evenly.
const STRATA: usize = 10;
/// Examples that each part has at least, so that every fold gets some of it.
const PER_STRATUM: usize = 10;

impl Dataset {
    /// What is to be predicted.
    #[must_use]
    pub fn aim(&self) -> Aim<'_> {
        match (&self.target, &self.number) {
            (Some(target), _) => Aim::Classes(target),
            (None, Some(number)) => Aim::Number(number),
            (None, None) => Aim::Nothing,
        }
    }

    /// What the target is called, be it classes or a number.
    #[must_use]
    pub fn target_name(&self) -> Option<&str> {
        match self.aim() {
            Aim::Classes(target) => Some(&target.name),
            Aim::Number(number) => Some(&number.name),
            Aim::Nothing => None,
        }
    }

    /// The number to be predicted, if it can be learned: there is one, and it is not the same everywhere.
    ///
    /// # Errors
    /// Says that there is none, or what it is everywhere.
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
    /// By example the part of the numbers that it belongs to, from the lowest to the highest; equal numbers are of one part. Folds
    /// that have some of each part are more alike.
    #[must_use]
    pub fn strata(&self) -> Vec<u32> {
        let count = self.values.len();
        let parts = (count / PER_STRATUM).clamp(1, STRATA);
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let ends: Vec<f64> = (1..parts).map(|part| sorted[part * count / parts]).collect();
        let of = |value: &f64| ends.partition_point(|end| end <= value);
        let mut strata: Vec<usize> = self.values.iter().map(of).collect();
        // A part that equal numbers left with a single example joins the one below it, or the one above.
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
    fn a_number_is_no_class() {
        let data = priced(vec![1.5, 2.0, 9.0]);
        assert_eq!((data.check(), data.target_name()), (Ok(()), Some("price")));
        let error = data.require_classes().expect_err("no classes").to_string();
        assert_eq!(error, "cars: target column 'price' is a number, and classes are needed");
        assert_eq!(data.select(&[2, 0]).require_number().expect("two").values, [9.0, 1.5]);
        let error = priced(vec![2.0; 3]).require_number().expect_err("the same").to_string();
        assert_eq!(error, "cars: target column 'price' is 2 everywhere; there is nothing to learn");
        // A row without a number may be predicted, and is not learned from.
        assert_eq!(priced(vec![1.0, f64::NAN]).check(), Ok(()));
        assert!(priced(vec![1.0, f64::INFINITY]).check().is_err());
        let short = NumberTarget { name: "price".into(), values: vec![1.0] };
        assert!(Dataset { number: Some(short), ..data }.check().is_err());
    }

    proptest! {
        #[test]
        fn strata_follow_the_order_and_none_is_lonely(
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
