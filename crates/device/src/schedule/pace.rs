//! The measured speed of a device: a small table of seconds per root, by the number of roots in a
//! piece.

/// The number of size classes: from 1 root, 4, 16, and so on, up to more than any batch has.
const CLASSES: usize = 16;

/// The speed of a device by the size of a piece.
///
/// A call to a GPU costs the same for one root as for hundreds, so a single number is not enough.
/// Sizes without a measurement use the nearest one that has one. The estimate is too slow for
/// larger pieces and too fast for smaller ones. The latter corrects itself, because a device that
/// seems fast is used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pace {
    per_root: [Option<f64>; CLASSES],
}

impl Pace {
    /// Returns the size class of a piece.
    pub(super) fn class(roots: usize) -> usize {
        (roots.max(1).ilog2() as usize / 2).min(CLASSES - 1)
    }

    /// Records a measurement. A faster time has a weight of one half, a slower time of one quarter,
    /// because slowdowns are mostly caused by other programs or by the first call.
    pub(super) fn note(&mut self, roots: usize, seconds: f64) {
        if roots == 0 || !seconds.is_finite() {
            return;
        }
        let class = Pace::class(roots);
        let new = seconds.max(1e-9) / number(roots);
        let weight = |old: f64| if new < old { 0.5 } else { 0.25 };
        let now = self.per_root[class].map_or(new, |old| old + weight(old) * (new - old));
        self.per_root[class] = Some(now);
        // The time per root never grows with the size of a piece. If the table says otherwise, the
        // older measurement was unlucky.
        for larger in self.per_root[class + 1..].iter_mut().flatten() {
            *larger = larger.min(now);
        }
    }

    /// Returns the speed for roots that are `factor` times as much work.
    pub(super) fn times(mut self, factor: f64) -> Pace {
        for seconds in self.per_root.iter_mut().flatten() {
            *seconds *= factor;
        }
        self
    }

    /// Returns the size class of the largest measured piece.
    pub(super) fn largest(&self) -> Option<usize> {
        self.per_root.iter().rposition(Option::is_some)
    }

    /// Returns the seconds per root in a piece of `roots` roots, or infinity without measurements.
    pub(super) fn per_root(&self, roots: usize) -> f64 {
        let class = Pace::class(roots);
        let near = |distance: usize| {
            let above = self.per_root.get(class + distance).copied().flatten();
            above.or_else(|| self.per_root[class.checked_sub(distance)?])
        };
        (0..CLASSES).find_map(near).unwrap_or(f64::INFINITY)
    }

    /// Returns the seconds for a piece of `roots` roots, or infinity without measurements.
    pub(super) fn seconds(&self, roots: usize) -> f64 {
        if roots == 0 { 0.0 } else { self.per_root(roots) * number(roots) }
    }
}

/// Converts a number of roots, which is below 2^53.
pub(super) fn number(roots: usize) -> f64 {
    roots as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_nearest_size_is_used() {
        let mut pace = Pace::default();
        assert_eq!((pace.largest(), pace.seconds(7)), (None, f64::INFINITY));
        assert_eq!(pace.seconds(0), 0.0);
        pace.note(16, 16.0);
        assert_eq!((pace.seconds(1), pace.seconds(1000)), (1.0, 1000.0));
        pace.note(4096, 2048.0);
        assert_eq!((pace.per_root(20), pace.per_root(5000)), (1.0, 0.5));
        // 256 is two classes away from both; the larger one is used.
        assert_eq!(pace.per_root(256), 0.5);
        assert_eq!(pace.largest(), Some(6));
    }

    #[test]
    fn an_outlier_is_corrected() {
        let mut pace = Pace::default();
        pace.note(20, 1000.0);
        // One fast root corrects the estimate.
        pace.note(1, 0.5);
        assert!(pace.per_root(20) <= 0.5);
        for _ in 0..20 {
            pace.note(20, 200.0);
        }
        assert!((pace.per_root(20) - 10.0).abs() < 0.1, "{pace:?}");
    }

    proptest! {
        #[test]
        fn estimates_lie_within_the_measurements(
            seen in prop::collection::vec((1usize..1_000_000, 1e-7..10.0f64), 1..30),
            roots in 1usize..10_000_000,
        ) {
            let mut pace = Pace::default();
            seen.iter().for_each(|&(roots, seconds)| pace.note(roots, seconds));
            let rates = || seen.iter().map(|&(roots, seconds)| seconds / number(roots));
            let (least, most) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
            let estimate = pace.per_root(roots);
            prop_assert!(estimate >= least * 0.999_999 && estimate <= most * 1.000_001);
        }
    }
}
