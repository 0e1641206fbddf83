//! Counts of values by bin.

use pellucid_data::{Column, MISSING, Values};
use serde::{Deserialize, Serialize};

/// The most bins of numbers.
const MOST_BINS: usize = 20;
/// The most categories that are counted by themselves.
const MOST_CATEGORIES: usize = 200;
/// Counts up to here are exact as floating-point numbers.
const MOST_COUNTED: u64 = 1 << 53;

/// The distribution of some values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// What is distributed: the name of a column, or a description.
    pub name: String,
    /// The number of missing values.
    #[serde(default)]
    pub missing: u64,
    /// The other values.
    pub bins: Bins,
}

/// The bins of a distribution, with the number of values in each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bins {
    /// Numbers. The cuts ascend; a bin contains its upper cut.
    Numbers {
        /// The ends of all bins but the last.
        cuts: Vec<f64>,
        /// The counts, one more than there are cuts.
        counts: Vec<u64>,
    },
    /// Categories.
    Categories {
        /// The most common categories.
        names: Vec<String>,
        /// Their counts.
        counts: Vec<u64>,
        /// The number of values of other categories.
        #[serde(default)]
        others: u64,
    },
}

/// Values counted in the bins of a distribution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinCounts {
    /// The counts by bin. For categories, the last one is that of all others.
    pub bins: Vec<u64>,
    /// The number of missing values.
    pub missing: u64,
}

impl BinCounts {
    /// Returns the number of values, with missing ones.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.bins.iter().sum::<u64>() + self.missing
    }
}

impl Distribution {
    /// Returns the distribution of numbers; NaN and infinities count as missing.
    #[must_use]
    pub fn of_numbers(name: &str, numbers: &[f64]) -> Distribution {
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|one| one.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut cuts: Vec<f64> = (1..MOST_BINS)
            .filter_map(|bin| sorted.get((bin * sorted.len()) / MOST_BINS).copied())
            .collect();
        cuts.dedup();
        // A cut at the maximum would leave the last bin empty.
        if cuts.last() == sorted.last() {
            cuts.pop();
        }
        let bins = Bins::Numbers { counts: vec![0; cuts.len() + 1], cuts };
        let mut distribution = Distribution { name: name.to_owned(), missing: 0, bins };
        let counted = distribution.count_numbers(numbers);
        distribution.missing = counted.missing;
        if let Bins::Numbers { counts, .. } = &mut distribution.bins {
            *counts = counted.bins;
        }
        distribution
    }

    /// Returns the distribution of categories by code.
    #[must_use]
    pub fn of_codes(
        name: &str,
        codes: impl Iterator<Item = u32>,
        categories: &[String],
    ) -> Distribution {
        let mut counts = vec![0_u64; categories.len()];
        let mut missing = 0;
        for code in codes {
            match counts.get_mut(code as usize) {
                Some(count) if code != MISSING => *count += 1,
                _ => missing += 1,
            }
        }
        let mut order: Vec<usize> = (0..counts.len()).collect();
        if order.len() > MOST_CATEGORIES {
            order.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
        }
        let (shown, rest) = order.split_at(order.len().min(MOST_CATEGORIES));
        let bins = Bins::Categories {
            names: shown.iter().map(|&code| categories[code].clone()).collect(),
            counts: shown.iter().map(|&code| counts[code]).collect(),
            others: rest.iter().map(|&code| counts[code]).sum(),
        };
        Distribution { name: name.to_owned(), missing, bins }
    }

    /// Returns the distribution of every n-th value of a column.
    #[must_use]
    pub fn of_column(column: &Column, step: usize) -> Distribution {
        match &column.values {
            Values::Numeric(numbers) => {
                let sample: Vec<f64> = numbers.iter().step_by(step).copied().collect();
                Distribution::of_numbers(&column.name, &sample)
            }
            Values::Nominal { codes, categories } => Distribution::of_codes(
                &column.name,
                codes.iter().step_by(step).copied(),
                categories,
            ),
            Values::Boolean(values) => {
                let codes =
                    values.iter().step_by(step).map(|value| value.map_or(MISSING, u32::from));
                Distribution::of_codes(&column.name, codes, &["no", "yes"].map(str::to_owned))
            }
        }
    }

    /// Returns the counts of this distribution.
    #[must_use]
    pub fn counts(&self) -> BinCounts {
        let bins = match &self.bins {
            Bins::Numbers { counts, .. } => counts.clone(),
            Bins::Categories { counts, others, .. } => {
                counts.iter().chain([others]).copied().collect()
            }
        };
        BinCounts { bins, missing: self.missing }
    }

    /// Counts other numbers in the same bins. All are missing if this is a distribution of categories.
    #[must_use]
    pub fn count_numbers(&self, numbers: &[f64]) -> BinCounts {
        let Bins::Numbers { cuts, counts } = &self.bins else {
            return BinCounts { bins: self.counts().bins.iter().map(|_| 0).collect(), missing: 0 };
        };
        let mut counted = BinCounts { bins: vec![0; counts.len()], missing: 0 };
        for &number in numbers {
            if number.is_finite() {
                counted.bins[cuts.partition_point(|cut| *cut < number)] += 1;
            } else {
                counted.missing += 1;
            }
        }
        counted
    }

    /// Counts other categories in the same bins, by name.
    #[must_use]
    pub fn count_codes(
        &self,
        codes: impl Iterator<Item = u32>,
        categories: &[String],
    ) -> BinCounts {
        let Bins::Categories { names, counts, .. } = &self.bins else {
            return BinCounts::default();
        };
        let bin_of = |name: &String| names.iter().position(|known| known == name);
        let bins: Vec<usize> =
            categories.iter().map(|name| bin_of(name).unwrap_or(counts.len())).collect();
        let mut counted = BinCounts { bins: vec![0; counts.len() + 1], missing: 0 };
        for code in codes {
            match bins.get(code as usize) {
                Some(&bin) if code != MISSING => counted.bins[bin] += 1,
                _ => counted.missing += 1,
            }
        }
        counted
    }

    /// Counts the values of a column in the same bins; `None` if the column has another type.
    #[must_use]
    pub fn count_column(&self, column: &Column) -> Option<BinCounts> {
        match (&self.bins, &column.values) {
            (Bins::Numbers { .. }, Values::Numeric(numbers)) => Some(self.count_numbers(numbers)),
            (Bins::Categories { .. }, Values::Nominal { codes, categories }) => {
                Some(self.count_codes(codes.iter().copied(), categories))
            }
            (Bins::Categories { .. }, Values::Boolean(values)) => {
                let codes = values.iter().map(|value| value.map_or(MISSING, u32::from));
                Some(self.count_codes(codes, &["no", "yes"].map(str::to_owned)))
            }
            _ => None,
        }
    }

    /// Returns whether the counts fit the bins and the cuts ascend.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let BinCounts { bins, missing } = self.counts();
        let counted = bins.iter().try_fold(missing, |sum, &count| sum.checked_add(count));
        let fits = match &self.bins {
            Bins::Numbers { cuts, counts } => {
                counts.len() == cuts.len() + 1
                    && cuts.is_sorted_by(|one, next| one < next)
                    && cuts.iter().all(|cut| cut.is_finite())
            }
            Bins::Categories { names, counts, .. } => names.len() == counts.len(),
        };
        fits && counted.is_some_and(|counted| counted <= MOST_COUNTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_is_in_one_bin(
            numbers in prop::collection::vec(prop_oneof![-5.0..5.0_f64, Just(f64::NAN), Just(1.0)], 0..300),
        ) {
            let found = Distribution::of_numbers("x", &numbers);
            prop_assert!(found.is_sound());
            let counts = found.counts();
            prop_assert_eq!(counts.total(), numbers.len() as u64);
            prop_assert_eq!(&counts, &found.count_numbers(&numbers));
            // No bin has much more than its share, unless a number is repeated.
            let json = serde_json::to_string(&found).expect("plain data");
            prop_assert_eq!(serde_json::from_str::<Distribution>(&json).expect("what was written"), found);
        }
    }

    #[test]
    fn bins_have_equal_shares() {
        let numbers: Vec<f64> = (0..1000).map(f64::from).collect();
        let Bins::Numbers { cuts, counts } = Distribution::of_numbers("x", &numbers).bins else {
            panic!("numbers");
        };
        assert_eq!((cuts.len(), counts.len()), (19, 20));
        assert!(counts.iter().all(|count| (49..=51).contains(count)), "{counts:?}");
    }

    #[test]
    fn categories_are_counted_by_name() {
        let names =
            |list: &[&str]| -> Vec<String> { list.iter().map(|&name| name.into()).collect() };
        let found =
            Distribution::of_codes("c", [0, 1, 1, MISSING].into_iter(), &names(&["a", "b"]));
        assert_eq!(found.counts(), BinCounts { bins: vec![1, 2, 0], missing: 1 });
        // Another order, and a category that was not seen.
        let counted = found.count_codes([0, 0, 1, 2].into_iter(), &names(&["b", "new", "a"]));
        assert_eq!(counted, BinCounts { bins: vec![1, 2, 1], missing: 0 });
        let many: Vec<String> = (0..500).map(|code: u32| code.to_string()).collect();
        let found = Distribution::of_codes("c", (0..500).chain([499; 5]), &many);
        assert!(found.is_sound());
        let Bins::Categories { names, others, .. } = found.bins else { panic!("categories") };
        assert_eq!((names.len(), names[0].as_str(), others), (MOST_CATEGORIES, "499", 300));
    }

    #[test]
    fn damaged_distributions_are_found() {
        let damaged = [
            r#"{"name":"x","bins":{"numbers":{"cuts":[1,2],"counts":[1,2]}}}"#,
            r#"{"name":"x","bins":{"numbers":{"cuts":[2,1],"counts":[1,2,3]}}}"#,
            r#"{"name":"x","bins":{"categories":{"names":["a"],"counts":[]}}}"#,
            r#"{"name":"x","missing":18446744073709551615,"bins":{"numbers":{"cuts":[],"counts":[1]}}}"#,
        ];
        for text in damaged {
            let found: Distribution = serde_json::from_str(text).expect("the right fields");
            assert!(!found.is_sound(), "{text}");
        }
    }
}
