use crate::DeviceKind;
use std::ops::Range;
use thiserror::Error;

/// How the roots of a batch are split over devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Schedule {
    /// By what each device was seen to do in this session. A device joins only where that gains more than it costs to call
    /// it, and whoever is idle early takes what a slower one has not begun. What was measured on a bad day is measured
    /// again.
    #[default]
    Idle,
    /// By shares, one per device in their order; only their ratios matter. They are what a user asked for, or what was
    /// measured.
    Shares(Vec<f64>),
}

/// Why a load cannot be given to GPUs.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LoadError {
    /// Not a share.
    #[error("found {0}, allowed are 0 (all work for the processor) to 1 (all for the GPUs)")]
    Share(f64),
    /// No device of one of the kinds.
    #[error("there is no {missing} among the devices, so there is nothing to share")]
    OneKind {
        /// What there is none of.
        missing: &'static str,
    },
}

impl Schedule {
    /// A fixed share of the work for the GPUs together, the rest for the processor. Devices of a kind share alike.
    ///
    /// # Errors
    /// When the load is not within 0 and 1, or there are not both kinds of devices.
    pub fn gpu_load(kinds: &[DeviceKind], load: f64) -> Result<Schedule, LoadError> {
        if !(0.0..=1.0).contains(&load) {
            return Err(LoadError::Share(load));
        }
        let gpus = kinds.iter().filter(|kind| **kind == DeviceKind::Gpu).count();
        let missing = match (gpus, kinds.len() - gpus) {
            (0, _) => "GPU",
            (_, 0) => "processor",
            (gpus, processors) => {
                let share = |kind: &DeviceKind| match kind {
                    DeviceKind::Gpu => load / gpus as f64,
                    DeviceKind::Processor => (1.0 - load) / processors as f64,
                };
                return Ok(Schedule::Shares(kinds.iter().map(share).collect()));
            }
        };
        Err(LoadError::OneKind { missing })
    }

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
    fn a_load_is_for_all_gpus_together() {
        use DeviceKind::{Gpu, Processor};
        let load = |kinds: &[DeviceKind], load| Schedule::gpu_load(kinds, load);
        assert_eq!(load(&[Processor, Gpu, Gpu], 0.5), Ok(Schedule::Shares(vec![0.5, 0.25, 0.25])));
        assert_eq!(load(&[Gpu, Processor], 1.0), Ok(Schedule::Shares(vec![1.0, 0.0])));
        let error = |kinds: &[DeviceKind], share| load(kinds, share).unwrap_err().to_string();
        assert_eq!(
            error(&[Processor], 0.5),
            "there is no GPU among the devices, so there is nothing to share"
        );
        assert!(error(&[Gpu], 0.5).starts_with("there is no processor"));
        for wrong in [-0.1, 1.5, f64::NAN] {
            assert!(error(&[Processor, Gpu], wrong).contains("allowed are 0"));
        }
    }

    #[test]
    fn shares_are_kept() {
        assert_eq!(Schedule::ranges(1000, &[9.0, 1.0]), [0..900, 900..1000]);
        assert_eq!(Schedule::ranges(10, &[0.0, 0.0]), [0..5, 5..10]);
        assert_eq!(Schedule::ranges(3, &[1.0]).first(), Some(&(0..3)));
    }
}
