//! The mean and the standard deviation of the numbers to predict.

/// A number is standardized: its distance from the mean in standard deviations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standard {
    pub(super) mean: f64,
    /// Above 0.
    pub(super) deviation: f64,
}

impl Standard {
    /// Returns the mean and the deviation of finite numbers. They are divided by the largest one first,
    /// so that no square overflows.
    pub(super) fn of(numbers: &[f64]) -> Standard {
        let largest = numbers.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
        let scale = if largest > 0.0 { largest } else { 1.0 };
        let count = numbers.len().max(1) as f64;
        let mean = numbers.iter().map(|number| number / scale).sum::<f64>() / count;
        let square = |number: &f64| (number / scale - mean) * (number / scale - mean);
        let variance = numbers.iter().map(square).sum::<f64>() / count;
        let deviation = libm::sqrt(variance) * scale;
        let is_sound = deviation.is_finite() && deviation > 0.0;
        Standard { mean: mean * scale, deviation: if is_sound { deviation } else { 1.0 } }
    }

    /// Returns numbers in standard deviations from the mean.
    pub(super) fn standardized(&self, numbers: &[f64]) -> Vec<f64> {
        numbers.iter().map(|number| number / self.deviation - self.mean / self.deviation).collect()
    }

    /// Returns the number for a standardized one.
    pub(super) fn original(&self, standardized: f64) -> f64 {
        self.mean + self.deviation * standardized
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn standardized_numbers_are_converted_back(
            numbers in prop::collection::vec(-1e6_f64..1e6, 2..50), power in -200_i32..200,
        ) {
            let numbers: Vec<f64> = numbers.iter().map(|number| number * 10_f64.powi(power)).collect();
            let standard = Standard::of(&numbers);
            for (number, own) in numbers.iter().zip(standard.standardized(&numbers)) {
                let size = standard.deviation + standard.mean.abs();
                prop_assert!(own.is_finite() && (standard.original(own) - number).abs() <= 1e-9 * size);
            }
        }
    }

    #[test]
    fn equal_numbers_have_a_deviation_of_one() {
        assert_eq!(Standard::of(&[3.0, 3.0]), Standard { mean: 3.0, deviation: 1.0 });
    }
}
