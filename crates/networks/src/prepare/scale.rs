//! Moving and stretching numbers so that most lie between -1 and 1.

/// What becomes 0, what becomes 1, and how far out anything may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) middle: f64,
    pub(crate) half_range: f64,
    pub(crate) clip: f64,
}

/// What of some numbers a scale is found by. Infinite numbers lie beyond any percentile that matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The least and the greatest finite number.
    pub(crate) ends: (f64, f64),
    /// The tenth and the ninetieth percentile.
    pub(crate) tenths: (f64, f64),
    /// Whether there are infinite numbers too.
    pub(crate) has_infinite: bool,
}

impl Spread {
    /// The places of the two ends and of the two percentiles among so many sorted numbers: by index, as the publication's program does it.
    pub(crate) fn places(count: usize) -> [usize; 4] {
        let at = |tenths: usize| (count * tenths / 10).min(count.saturating_sub(1));
        [0, count.saturating_sub(1), at(1), at(9)]
    }

    /// From the numbers at the [places](Spread::places).
    pub(crate) fn at([first, last, low, high]: [f64; 4], has_infinite: bool) -> Spread {
        Spread { ends: (first, last), tenths: (low, high), has_infinite }
    }

    /// That of finite numbers that are each met so often; nothing of none.
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
        Some(Spread::at(Spread::places(all).map(at), false))
    }
}

impl Scale {
    /// The scale on which the tenth and the ninetieth percentile become -1 and 1; nothing where all numbers are the same or
    /// missing.
    ///
    /// Where the two percentiles are one number, as of a flag that is seldom set, the standard deviation becomes 1; in the
    /// publication (`plain`) such numbers are not stretched at all.
    pub(crate) fn fit(numbers: &[f64], plain: bool) -> Option<Scale> {
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|n| n.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        if sorted.is_empty() {
            return None;
        }
        let has_infinite = numbers.iter().any(|number| number.is_infinite());
        let spread =
            Spread::at(Spread::places(sorted.len()).map(|place| sorted[place]), has_infinite);
        Scale::over(&spread, || if plain { 1.0 } else { deviation(&sorted) })
    }

    /// The same by what is known of the numbers; `otherwise` is half a range where the percentiles are one number.
    pub(crate) fn over(spread: &Spread, otherwise: impl FnOnce() -> f64) -> Option<Scale> {
        if spread.ends.0 == spread.ends.1 && !spread.has_infinite {
            return None;
        }
        let (low, high) = spread.tenths;
        // Halved first: the range of the largest numbers is no number.
        let half_range = match high / 2.0 - low / 2.0 {
            range if range > 0.0 => range,
            _ => otherwise(),
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
