//! The contributions of examples to sums over many classes.
//!
//! An example contributes a gradient and a curvature for each class, and its weight. The numbers
//! are integers, so that sums do not depend on the order of the examples.

use super::super::class_fit::LEAST_CURVATURE;
use pellucid_bits::{Kernel, Level, Simd};

/// The integer for one unit of weight.
pub(in crate::boost) const SCALE: f64 = (1u32 << 16) as f64;
/// The number of examples whose sums fit into 32 bits.
const CHUNK: usize = 1 << 14;
/// The numbers that are added at once.
const LANES: usize = 8;

/// The order of the numbers of an example, or of a sum: the gradients of all classes, their
/// curvatures, and the weight. Zeros follow, so that all numbers can be added in groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::boost) struct Layout {
    pub(in crate::boost) classes: usize,
}

impl Layout {
    /// Returns the number of numbers.
    pub(in crate::boost) fn stride(self) -> usize {
        (2 * self.classes + 1).next_multiple_of(LANES)
    }

    /// Returns the index of the weight.
    pub(super) fn weight(self) -> usize {
        2 * self.classes
    }

    /// Writes the contribution of an example, given its weight, its class, the predicted probability of each
    /// class, and the largest weight of an example.
    pub(in crate::boost) fn write(
        self,
        into: &mut [i32],
        (weight, code): (f64, u32),
        shares: &[f64],
        heaviest: f64,
    ) {
        let scaled = weight * (SCALE / heaviest);
        #[expect(clippy::cast_possible_truncation, reason = "at most 2^16")]
        let whole = |number: f64| (number * scaled).round() as i32;
        let (gradients, rest) = into.split_at_mut(self.classes);
        for (class, ((gradient, curvature), &share)) in
            (0u32..).zip(gradients.iter_mut().zip(&mut *rest).zip(shares))
        {
            *gradient = whole(f64::from(u8::from(class == code)) - share);
            *curvature = whole((share * (1.0 - share)).max(LEAST_CURVATURE));
        }
        rest[self.classes] = whole(1.0);
    }
}

/// The contributions of all examples.
#[derive(Debug)]
pub(in crate::boost) struct Contributions {
    pub(super) layout: Layout,
    /// By example; 0 for held-out examples.
    values: Vec<i32>,
    /// The weight of one unit in a sum.
    pub(in crate::boost) unit: f64,
    level: Level,
}

impl Contributions {
    /// Creates the contributions of examples whose largest weight is given.
    pub(in crate::boost) fn new(
        layout: Layout,
        values: Vec<i32>,
        heaviest: f64,
        level: Level,
    ) -> Contributions {
        Contributions { layout, values, unit: heaviest / SCALE, level }
    }

    /// Returns the sums over some examples.
    pub(in crate::boost) fn sums(&self, examples: &[u32]) -> Vec<i64> {
        self.by_step(&[], 1, examples)
    }

    /// Returns the sums of each step of a column over some examples. Later steps count as the last.
    pub(in crate::boost) fn by_step(
        &self,
        steps: &[u8],
        count: usize,
        examples: &[u32],
    ) -> Vec<i64> {
        let (stride, values) = (self.layout.stride(), &self.values[..]);
        let mut sums = vec![0i64; count * stride];
        let mut small = vec![0i32; count * stride];
        for examples in examples.chunks(CHUNK) {
            small.fill(0);
            self.level.run(AddUp { steps, examples, values, stride, sums: &mut small });
            sums.iter_mut().zip(&small).for_each(|(sum, &small)| *sum += i64::from(small));
        }
        sums
    }
}

/// Adds the contributions of examples to the sums of their steps; without steps, to one sum.
struct AddUp<'a> {
    steps: &'a [u8],
    examples: &'a [u32],
    values: &'a [i32],
    stride: usize,
    sums: &'a mut [i32],
}

impl Kernel for AddUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (groups, values) = (self.stride / LANES, self.values.as_chunks::<LANES>().0);
        let sums = self.sums.as_chunks_mut::<LANES>().0;
        let last = sums.len() / groups - 1;
        for &example in self.examples {
            let example = example as usize;
            let step = self.steps.get(example).map_or(0, |&step| usize::from(step).min(last));
            let sums = &mut sums[step * groups..][..groups];
            for (sums, values) in sums.iter_mut().zip(&values[example * groups..][..groups]) {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum += value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The sums of all steps are those of single additions, with the instructions of every level.
        #[test]
        fn sums_by_step_are_sums_of_contributions(
            classes in 3usize..12,
            examples in prop::collection::vec((0u8..9, any::<u64>()), 1..80),
        ) {
            let layout = Layout { classes };
            let stride = layout.stride();
            let mut values = vec![0; examples.len() * stride];
            for (&(_, word), into) in examples.iter().zip(values.chunks_mut(stride)) {
                let shares: Vec<f64> =
                    (0..classes).map(|class| (word >> class & 0xff) as f64 / 256.0).collect();
                let code = u32::try_from(word % classes as u64).unwrap();
                layout.write(into, (0.5, code), &shares, 2.0);
            }
            let steps: Vec<u8> = examples.iter().map(|one| one.0).collect();
            let list: Vec<u32> = (0u32..).take(examples.len()).step_by(2).collect();
            let mut wanted = vec![0i64; 5 * stride];
            for &example in &list {
                let step = usize::from(steps[example as usize]).min(4);
                for kind in 0..stride {
                    wanted[step * stride + kind] += i64::from(values[example as usize * stride + kind]);
                }
            }
            let total: Vec<i64> =
                (0..stride).map(|kind| wanted.iter().skip(kind).step_by(stride).sum()).collect();
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let all = Contributions::new(layout, values.clone(), 2.0, level);
                prop_assert_eq!(&all.by_step(&steps, 5, &list), &wanted, "{}", level);
                prop_assert_eq!(&all.sums(&list), &total, "{}", level);
            }
        }
    }
}
