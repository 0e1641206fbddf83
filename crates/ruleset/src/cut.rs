//! Readable cut points: the shortest number between two values.

/// How far a random cut point may move to become a short number, as a share of its gap. A larger
/// share would move the cut points of different rules to the same few numbers, and an ensemble
/// needs variety.
pub const ROUNDING: f64 = 0.1;

/// Returns a number `c` with `low <= c < high`, so that `x > c` separates the two: in the middle half
/// of the gap, with as few digits as possible.
///
/// ```
/// use pellucid_ruleset::cut::between;
/// assert_eq!(between(0.1277, 0.1412), 0.134);
/// assert_eq!(between(3.0, 4.0), 3.5);
/// assert_eq!(between(-1.0, 250.0), 100.0);
/// ```
#[must_use]
pub fn between(low: f64, high: f64) -> f64 {
    near(low + (high - low) / 2.0, low, high, 0.25)
}

/// Returns a function that finds the cut point between two of some values. If all values are
/// integers, so is the cut point: an age is "at most 27", not "at most 27.5".
///
/// ```
/// use pellucid_ruleset::cut::between_values;
/// let ages = [27.0, 28.0, 40.0];
/// assert_eq!(between_values(&ages)(27.0, 28.0), 27.0);
/// assert_eq!(between_values(&ages)(28.0, 40.0), 34.0);
/// assert_eq!(between_values(&[0.5, 27.0, 28.0])(27.0, 28.0), 27.5);
/// ```
pub fn between_values(values: &[f64]) -> impl Fn(f64, f64) -> f64 {
    let are_whole = values.iter().all(|value| value.fract() == 0.0);
    move |low, high| {
        let cut = between(low, high);
        // Never below `low`, which is an integer too.
        if are_whole { cut.floor() } else { cut }
    }
}

/// Returns the two values of a column that has exactly two distinct finite values, in ascending
/// order. With two values, `smoker = 1` is easier to read than a cut point between them.
///
/// ```
/// use pellucid_ruleset::cut::pair;
/// assert_eq!(pair(&[0.0, 1.0]), Some([0.0, 1.0]));
/// assert_eq!(pair(&[0.0, 1.0, 2.0]), None);
/// assert_eq!(pair(&[0.0, f64::INFINITY]), None);
/// ```
#[must_use]
pub fn pair(distinct: &[f64]) -> Option<[f64; 2]> {
    let pair = <[f64; 2]>::try_from(distinct).ok()?;
    pair.iter().all(|number| number.is_finite()).then_some(pair)
}

/// Returns the number with the fewest digits that separates two values and lies near `wanted`: at
/// most a share of the gap away.
///
/// ```
/// use pellucid_ruleset::cut::near;
/// assert_eq!(near(0.9123, 0.0, 1.0, 0.1), 0.9);
/// assert_eq!(near(0.9123, 0.0, 1.0, 0.01), 0.91);
/// ```
#[must_use]
pub fn near(wanted: f64, low: f64, high: f64, share: f64) -> f64 {
    let slack = share * (high - low);
    if !(slack > 0.0 && slack.is_finite()) {
        return low;
    }
    let separates = |number: f64| low <= number && number < high;
    let fits = |number: f64| (number - wanted).abs() <= slack && separates(number);
    // From coarse to fine multiples of powers of ten; the first one near enough is taken.
    let coarsest = exponent(slack) + 2;
    for digits in (coarsest - 20..=coarsest).rev() {
        // Parsing the text gives the number nearest to what is printed.
        let text = match usize::try_from(-digits) {
            Ok(after_point) => format!("{wanted:.after_point$}"),
            Err(_) => {
                let step = format!("1e{digits}").parse().unwrap_or(1.0);
                format!("{:.0}", (wanted / step).round() * step)
            }
        };
        if let Some(number) = text.parse().ok().filter(|&number| fits(number)) {
            return number + 0.0;
        }
    }
    if separates(wanted) { wanted } else { low }
}

/// Returns the power of ten of a number's first digit.
fn exponent(number: f64) -> i32 {
    let text = format!("{number:e}");
    text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_numbers_are_found() {
        assert_eq!(between(0.0, 1.0), 0.5);
        assert_eq!(between(-2.0, 3.0), 0.0);
        assert_eq!(between(1e9, 1e9 + 1.0), 1e9 + 0.5);
        assert_eq!(between(0.0001, 0.0002), 0.00015);
        assert_eq!(between(5.0, 5.0), 5.0);
        assert_eq!(between(f64::NEG_INFINITY, 3.0), f64::NEG_INFINITY);
    }

    proptest! {
        #[test]
        fn the_cut_point_separates_the_values(
            low in prop::num::f64::NORMAL | prop::num::f64::ZERO,
            high in prop::num::f64::NORMAL | prop::num::f64::ZERO,
        ) {
            prop_assume!(low < high);
            let cut = between(low, high);
            prop_assert!(low <= cut && cut < high, "{low} {cut} {high}");
        }

        #[test]
        fn integers_are_separated_by_an_integer(
            mut values in prop::collection::vec(any::<i32>().prop_map(f64::from), 2..9),
        ) {
            values.sort_by(f64::total_cmp);
            values.dedup();
            for pair in values.windows(2) {
                let cut = between_values(&values)(pair[0], pair[1]);
                prop_assert!(pair[0] <= cut && cut < pair[1] && cut.fract() == 0.0, "{pair:?} {cut}");
            }
        }

        #[test]
        fn adjacent_numbers_are_separated(low in prop::num::f64::NORMAL) {
            let high = low.next_up();
            prop_assume!(high.is_finite());
            let cut = between(low, high);
            prop_assert!(low <= cut && cut < high);
        }
    }
}
