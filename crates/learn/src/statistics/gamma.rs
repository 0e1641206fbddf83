//! The tail of the chi-squared distribution.

/// Terms smaller than this share of the sum do not change it.
const PRECISE: f64 = 1e-15;
/// The most terms of a series; far more than are needed.
const MOST_TERMS: usize = 100_000;

/// Returns the probability that a chi-squared variable with these degrees of freedom is at least `x`.
#[must_use]
pub fn chi_squared_tail(x: f64, freedom: f64) -> f64 {
    if freedom <= 0.0 || x <= 0.0 || x.is_nan() {
        return 1.0;
    }
    let (a, x) = (freedom / 2.0, x / 2.0);
    let scale = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    // The series converges fast below the mean, the continued fraction above it.
    if x < a + 1.0 { 1.0 - scale * lower_series(a, x) } else { scale * upper_fraction(a, x) }
        .clamp(0.0, 1.0)
}

/// Returns the lower incomplete gamma function, divided by x^a e^-x (Abramowitz and Stegun 6.5.29).
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
    for _ in 0..MOST_TERMS {
        n += 1.0;
        term *= x / n;
        sum += term;
        if term < sum * PRECISE {
            break;
        }
    }
    sum
}

/// Returns the upper incomplete gamma function, divided by x^a e^-x, as a continued fraction (Lentz).
fn upper_fraction(a: f64, x: f64) -> f64 {
    let tiny = f64::MIN_POSITIVE / PRECISE;
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / tiny, 1.0 / b);
    let (mut value, mut i) = (d, 0.0);
    for _ in 0..MOST_TERMS {
        i += 1.0;
        let factor = -i * (i - a);
        b += 2.0;
        let away = |number: f64| if number.abs() < tiny { tiny } else { number };
        d = 1.0 / away(factor * d + b);
        c = away(b + factor / c);
        value *= d * c;
        if (d * c - 1.0).abs() < PRECISE {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tails() {
        // From `scipy.stats.chi2.sf`.
        let known = [
            (0.5, 1.0, 0.479_500_122_186_953_5),
            (9.487_729, 4.0, 0.050_000_000_76),
            (30.0, 10.0, 0.000_856_641_210_773_3),
            (120.0, 99.0, 0.074_243_855_8),
            (2.0, 30.0, 1.0),
        ];
        for (x, freedom, expected) in known {
            let found = chi_squared_tail(x, freedom);
            assert!((found - expected).abs() < 1e-6, "{x} {freedom}: {found}");
        }
        // With two degrees of freedom the tail is an exponential function.
        for x in [0.01, 1.0, 7.5, 60.0] {
            assert!((chi_squared_tail(x, 2.0) / libm::exp(-x / 2.0) - 1.0).abs() < 1e-12, "{x}");
        }
        assert_eq!((chi_squared_tail(0.0, 3.0), chi_squared_tail(5.0, 0.0)), (1.0, 1.0));
    }
}
