//! Moving and stretching numbers so that most lie between -1 and 1.

/// What becomes 0, what becomes 1, and how far out anything may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) middle: f64,
    pub(crate) half_range: f64,
    pub(crate) clip: f64,
}

impl Scale {
    /// The scale on which the tenth and the ninetieth percentile become -1 and 1; nothing where all numbers are the same or
    /// missing.
    ///
    /// Where the two percentiles are one number, as of a flag that is seldom set, the standard deviation becomes 1; in the
    /// publication (`plain`) such numbers are not stretched at all.
    pub(crate) fn fit(numbers: &[f64], plain: bool) -> Option<Scale> {
        // Infinite numbers lie beyond any percentile that matters.
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|n| n.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (first, last) = (*sorted.first()?, *sorted.last()?);
        if first == last && numbers.iter().all(|number| number.is_nan() || *number == first) {
            return None;
        }
        // By index, as the publication's program does it.
        let at = |tenths: usize| sorted[(sorted.len() * tenths / 10).min(sorted.len() - 1)];
        let (low, high) = (at(1), at(9));
        // Halved first: the range of the largest numbers is no number.
        let half_range = match high / 2.0 - low / 2.0 {
            range if range > 0.0 => range,
            _ if plain => 1.0,
            _ => deviation(&sorted),
        };
        let half_range = if half_range.is_finite() && half_range > 0.0 { half_range } else { 1.0 };
        Some(Scale { middle: low / 2.0 + high / 2.0, half_range, clip: f64::INFINITY })
    }

    /// A number on the scale: finite whatever it was, 0 where it is missing.
    pub(crate) fn of(&self, number: f64) -> f32 {
        if number.is_nan() {
            return 0.0;
        }
        let moved = (number - self.middle) / self.half_range;
        #[expect(clippy::cast_possible_truncation, reason = "clipped to what fits")]
        let scaled = moved.clamp(-self.clip, self.clip) as f32;
        scaled
    }
}

/// The standard deviation, on numbers brought near 1 so that no square overflows.
fn deviation(sorted: &[f64]) -> f64 {
    let largest = sorted.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let count = sorted.len() as f64;
    let mean = sorted.iter().map(|number| number / largest).sum::<f64>() / count;
    let squares: f64 = sorted.iter().map(|n| (n / largest - mean) * (n / largest - mean)).sum();
    (squares / count).sqrt() * largest
}
