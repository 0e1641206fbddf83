use crate::DeviceKind;
use std::ops::Range;
use thiserror::Error;

/// How the roots of a batch are split over devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Schedule {
    /// By the measured speed of each device in this session. A device is used only if it saves more
    /// time than it costs to call it. A device that finishes early takes work that a slower one has
    /// not begun. Unused devices are measured again from time to time.
    #[default]
    Idle,
    /// By fixed shares, one per device in order. Only their ratios matter. They are set by the user
    /// or by a measurement.
    Shares(Vec<f64>),
}

/// The error of a load that the GPUs cannot get.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LoadError {
    /// The load is not between 0 and 1.
    #[error("found {0}; expected 0 (all work on the CPU) to 1 (all work on the GPUs)")]
    Share(f64),
    /// There is no device of one kind.
    #[error("found no {missing} among the devices; expected a CPU and a GPU")]
    OneKind {
        /// The missing kind.
        missing: &'static str,
    },
}

impl Schedule {
    /// Returns shares with a fixed load for all GPUs together and the rest for the CPU. Devices of
    /// the same kind get equal shares.
    ///
    /// # Errors
    /// When the load is not between 0 and 1, or one kind of device is missing.
    pub fn gpu_load(kinds: &[DeviceKind], load: f64) -> Result<Schedule, LoadError> {
        if !(0.0..=1.0).contains(&load) {
            return Err(LoadError::Share(load));
        }
        let gpus = kinds.iter().filter(|kind| **kind == DeviceKind::Gpu).count();
        let missing = match (gpus, kinds.len() - gpus) {
            (0, _) => "GPU",
            (_, 0) => "CPU",
            (gpus, cpus) => {
                let share = |kind: &DeviceKind| match kind {
                    DeviceKind::Gpu => load / gpus as f64,
                    DeviceKind::Processor => (1.0 - load) / cpus as f64,
                };
                return Ok(Schedule::Shares(kinds.iter().map(share).collect()));
            }
        };
        Err(LoadError::OneKind { missing })
    }

    /// Splits `roots` roots by shares. A share that is not a positive number counts as 0. If all
    /// are 0, the shares are equal.
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
            // There are fewer than 2^53 roots, and the result is clamped below.
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
            shares in prop::collection::vec(
                prop_oneof![0.0..10.0f64, Just(f64::NAN), Just(-1.0), Just(f64::INFINITY)],
                1..6,
            ),
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
            "found no GPU among the devices; expected a CPU and a GPU"
        );
        assert!(error(&[Gpu], 0.5).starts_with("found no CPU"));
        for invalid in [-0.1, 1.5, f64::NAN] {
            assert!(error(&[Processor, Gpu], invalid).contains("; expected 0 "));
        }
    }

    #[test]
    fn shares_are_kept() {
        assert_eq!(Schedule::ranges(1000, &[9.0, 1.0]), [0..900, 900..1000]);
        assert_eq!(Schedule::ranges(10, &[0.0, 0.0]), [0..5, 5..10]);
        assert_eq!(Schedule::ranges(3, &[1.0]).first(), Some(&(0..3)));
    }
}
