//! Numbers for people: the shortest one between two values.

/// A number `c` with `low <= c < high`, so that `x > c` parts the two: near their middle, with as few digits as the middle
/// half of the gap allows.
///
/// ```
/// assert_eq!(pellucid_rules::cut::between(0.1277, 0.1412), 0.13);
/// assert_eq!(pellucid_rules::cut::between(3.0, 4.0), 3.5);
/// assert_eq!(pellucid_rules::cut::between(-1.0, 250.0), 100.0);
/// ```
#[must_use]
pub fn between(low: f64, high: f64) -> f64 {
    let width = high - low;
    if !(width > 0.0 && width.is_finite()) {
        return low;
    }
    let middle = low + width / 2.0;
    let fits =
        |number: f64| (number - middle).abs() <= width / 4.0 && low <= number && number < high;
    // From coarse to fine: multiples of powers of ten, the first that lies in the middle half.
    let coarsest = exponent(width) + 2;
    for digits in (coarsest - 20..=coarsest).rev() {
        // Numbers are read from text, so that they are the nearest to what is printed.
        let text = match usize::try_from(-digits) {
            Ok(after_point) => format!("{middle:.after_point$}"),
            Err(_) => {
                let step = format!("1e{digits}").parse().unwrap_or(1.0);
                format!("{:.0}", (middle / step).round() * step)
            }
        };
        if let Some(number) = text.parse().ok().filter(|&number| fits(number)) {
            return number + 0.0;
        }
    }
    if low <= middle && middle < high { middle } else { low }
}

/// The power of ten of a number's first digit.
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
        fn it_parts_the_two(low in prop::num::f64::NORMAL | prop::num::f64::ZERO, high in prop::num::f64::NORMAL | prop::num::f64::ZERO) {
            prop_assume!(low < high);
            let cut = between(low, high);
            prop_assert!(low <= cut && cut < high, "{low} {cut} {high}");
        }

        #[test]
        fn neighbours_are_parted_too(low in prop::num::f64::NORMAL) {
            let high = low.next_up();
            prop_assume!(high.is_finite());
            let cut = between(low, high);
            prop_assert!(low <= cut && cut < high);
        }
    }
}
