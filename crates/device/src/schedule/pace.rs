//! What a device was seen to do, as a small table: seconds for a root, by how many roots it was given at once.

/// Size classes: from 1 root, 4, 16, … up to more than any batch has.
const CLASSES: usize = 16;

/// How fast a device has been, by the size of the piece it was given.
///
/// A call to a GPU costs the same for one root as for hundreds, so a single number would say nothing. Sizes that were never
/// met are answered by the nearest one that was. Towards larger pieces that is too slow a guess, and towards smaller ones
/// too fast a guess; the second kind mends itself, because a device that is thought fast is used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pace {
    per_root: [Option<f64>; CLASSES],
}

impl Pace {
    /// The size class of a piece.
    pub(super) fn class(roots: usize) -> usize {
        (roots.max(1).ilog2() as usize / 2).min(CLASSES - 1)
    }

    /// A piece was done. News of a faster pace count half, of a slower pace a quarter: what slows a device down is mostly
    /// something else on the machine, or its first call.
    pub(super) fn note(&mut self, roots: usize, seconds: f64) {
        if roots == 0 || !seconds.is_finite() {
            return;
        }
        let class = Pace::class(roots);
        let new = seconds.max(1e-9) / number(roots);
        let weight = |old: f64| if new < old { 0.5 } else { 0.25 };
        let now = self.per_root[class].map_or(new, |old| old + weight(old) * (new - old));
        self.per_root[class] = Some(now);
        // A larger piece never takes longer for each root; where the table says so it was measured on a bad day.
        for larger in self.per_root[class + 1..].iter_mut().flatten() {
            *larger = larger.min(now);
        }
    }

    /// The same device with roots that are so many times as much work.
    pub(super) fn times(mut self, factor: f64) -> Pace {
        for seconds in self.per_root.iter_mut().flatten() {
            *seconds *= factor;
        }
        self
    }

    /// The class of the largest piece met; nothing if none was.
    pub(super) fn largest(&self) -> Option<usize> {
        self.per_root.iter().rposition(Option::is_some)
    }

    /// Seconds for each root in a piece of so many; infinite if nothing is known.
    pub(super) fn per_root(&self, roots: usize) -> f64 {
        let class = Pace::class(roots);
        let near = |distance: usize| {
            let above = self.per_root.get(class + distance).copied().flatten();
            above.or_else(|| self.per_root[class.checked_sub(distance)?])
        };
        (0..CLASSES).find_map(near).unwrap_or(f64::INFINITY)
    }

    /// Seconds for a piece of so many roots; infinite if nothing is known.
    pub(super) fn seconds(&self, roots: usize) -> f64 {
        if roots == 0 { 0.0 } else { self.per_root(roots) * number(roots) }
    }
}

/// Roots as a number to reckon with; there are never 2^53 of them.
pub(super) fn number(roots: usize) -> f64 {
    roots as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_nearest_size_answers() {
        let mut pace = Pace::default();
        assert_eq!((pace.largest(), pace.seconds(7)), (None, f64::INFINITY));
        assert_eq!(pace.seconds(0), 0.0);
        pace.note(16, 16.0);
        assert_eq!((pace.seconds(1), pace.seconds(1000)), (1.0, 1000.0));
        pace.note(4096, 2048.0);
        assert_eq!((pace.per_root(20), pace.per_root(5000)), (1.0, 0.5));
        // 256 lies two classes from either; the larger one is believed.
        assert_eq!(pace.per_root(256), 0.5);
        assert_eq!(pace.largest(), Some(6));
    }

    #[test]
    fn a_wrong_measurement_heals() {
        let mut pace = Pace::default();
        pace.note(20, 1000.0);
        // One root on a good day is enough to doubt it.
        pace.note(1, 0.5);
        assert!(pace.per_root(20) <= 0.5);
        for _ in 0..20 {
            pace.note(20, 200.0);
        }
        assert!((pace.per_root(20) - 10.0).abs() < 0.1, "{pace:?}");
    }

    proptest! {
        #[test]
        fn estimates_lie_among_what_was_seen(
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
