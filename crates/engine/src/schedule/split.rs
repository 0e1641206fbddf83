use std::ops::Range;

/// How the roots of a batch are split over devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Schedule {
    /// By what each device was seen to do in this session. A device joins only where that gains more than it costs to call
    /// it, and whoever is idle early takes what a slower one has not begun. What was measured on a bad day is measured
    /// again.
    #[default]
    Idle,
    /// By shares, one per device in their order; only their ratios matter. They are a user's wish, or what
    /// [`Schedule::probed`] measured.
    Shares(Vec<f64>),
}

impl Schedule {
    /// Cuts `roots` roots by the shares of devices. A share that is not a positive number counts as none; if none
    /// is left all count alike.
    pub(crate) fn ranges(roots: usize, shares: &[f64]) -> Vec<Range<usize>> {
        let usable = |share: f64| if share.is_finite() && share > 0.0 { share } else { 0.0 };
        let mut shares: Vec<f64> = shares.iter().map(|&share| usable(share)).collect();
        let mut sum: f64 = shares.iter().sum();
        if sum <= 0.0 || !sum.is_finite() {
            shares.fill(1.0);
            sum = shares.iter().map(|_| 1.0).sum();
        }
        let mut before = 0.0;
        let mut start = 0;
        let last = shares.len().saturating_sub(1);
        let mut ranges = Vec::with_capacity(shares.len());
        for (index, share) in shares.iter().enumerate() {
            before += share;
            // Below 2^53 roots, and rounded down to at most their number.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss
            )]
            let end = if index == last {
                roots
            } else {
                (roots as f64 * (before / sum)).round() as usize
            };
            let end = end.clamp(start, roots);
            ranges.push(start..end);
            start = end;
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_cover_everything_once(
            roots in 0usize..20_000,
            shares in prop::collection::vec(prop_oneof![0.0..10.0f64, Just(f64::NAN), Just(-1.0), Just(f64::INFINITY)], 1..6),
        ) {
            let ranges = Schedule::ranges(roots, &shares);
            prop_assert_eq!(ranges.len(), shares.len());
            prop_assert_eq!(ranges.first().map(|range| range.start), Some(0));
            prop_assert_eq!(ranges.last().map(|range| range.end), Some(roots));
            prop_assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn shares_are_kept() {
        assert_eq!(Schedule::ranges(1000, &[9.0, 1.0]), [0..900, 900..1000]);
        assert_eq!(Schedule::ranges(10, &[0.0, 0.0]), [0..5, 5..10]);
        assert_eq!(Schedule::ranges(3, &[1.0]).first(), Some(&(0..3)));
    }
}
