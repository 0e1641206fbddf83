//! Scales numbers so that most lie between -1 and 1.

/// A linear scale with a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) middle: f64,
    pub(crate) half_range: f64,
    pub(crate) clip: f64,
}

/// The statistics from which a scale is computed. Infinite numbers are ignored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The smallest and the largest finite number.
    pub(crate) ends: (f64, f64),
    /// The 10th and the 90th percentile.
    pub(crate) tenths: (f64, f64),
    /// Whether there are infinite numbers.
    pub(crate) has_infinite: bool,
}

impl Spread {
    /// Returns the positions of the two ends and the two percentiles among `count` sorted numbers,
    /// computed as in the program of the publication.
    pub(crate) fn positions(count: usize) -> [usize; 4] {
        let at = |tenths: usize| (count * tenths / 10).min(count.saturating_sub(1));
        [0, count.saturating_sub(1), at(1), at(9)]
    }

    /// Creates the statistics from the numbers at the [positions](Spread::positions).
    pub(crate) fn at([first, last, low, high]: [f64; 4], has_infinite: bool) -> Spread {
        Spread { ends: (first, last), tenths: (low, high), has_infinite }
    }

    /// Returns the statistics of finite numbers with their frequencies, or `None` if there are
    /// none.
    pub(crate) fn of_counted(mut numbers: Vec<(f64, u64)>) -> Option<Spread> {
        numbers.retain(|(_, count)| *count > 0);
        numbers.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let all: u64 = numbers.iter().map(|(_, count)| count).sum();
        let all = usize::try_from(all).ok().filter(|&all| all > 0)?;
        let at = |place: usize| {
            let mut left = place as u64;
            for &(number, count) in &numbers {
                if left < count {
                    return number;
                }
                left -= count;
            }
            f64::NAN
        };
        Some(Spread::at(Spread::positions(all).map(at), false))
    }
}

impl Scale {
    /// Fits the scale that maps the 10th and 90th percentile to -1 and 1. Returns `None` if all
    /// numbers are the same or missing.
    ///
    /// If both percentiles are equal, as for a flag that is rarely set, the standard deviation is
    /// mapped to 1. In the publication (`plain`) such numbers are not scaled.
    pub(crate) fn fit(numbers: &[f64], plain: bool) -> Option<Scale> {
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|n| n.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        if sorted.is_empty() {
            return None;
        }
        let has_infinite = numbers.iter().any(|number| number.is_infinite());
        let spread =
            Spread::at(Spread::positions(sorted.len()).map(|place| sorted[place]), has_infinite);
        Scale::over(&spread, || if plain { 1.0 } else { deviation(&sorted) })
    }

    /// Computes the scale from statistics; `otherwise` returns half of the range if both
    /// percentiles are equal.
    pub(crate) fn over(spread: &Spread, otherwise: impl FnOnce() -> f64) -> Option<Scale> {
        if spread.ends.0 == spread.ends.1 && !spread.has_infinite {
            return None;
        }
        let (low, high) = spread.tenths;
        // Halved first, because the range of very large numbers would overflow.
        let half_range = match high / 2.0 - low / 2.0 {
            range if range > 0.0 => range,
            _ => otherwise(),
        };
        let half_range = if half_range.is_finite() && half_range > 0.0 { half_range } else { 1.0 };
        Some(Scale { middle: low / 2.0 + high / 2.0, half_range, clip: f64::INFINITY })
    }

    /// Returns a number on the scale: always finite, and 0 for a missing number.
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

/// Returns the standard deviation. Numbers are divided by the largest one first, so that no square
/// overflows.
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
