//! A stream of random numbers and its distributions.

use super::logarithm::ln;
use rand::{Rng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;

/// A stream of random numbers: xoshiro256++ with draws that give the same bits on every platform.
///
/// The distributions are implemented here, because a crate may change its algorithms between versions,
/// which would change every result. The stream also implements [`rand::TryRng`] (and so
/// [`rand::Rng`]).
///
/// It is plain data that can be cloned, compared and stored in checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Xoshiro256PlusPlus", into = "Xoshiro256PlusPlus")]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

/// The invalid state of a stored stream: all zeros, which would produce only zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the state of a random stream is all zeros, which is invalid")]
pub struct ZeroState;

impl TryFrom<Xoshiro256PlusPlus> for Stream {
    type Error = ZeroState;

    fn try_from(generator: Xoshiro256PlusPlus) -> Result<Self, ZeroState> {
        // The state is private to the generator. Eight zeros in a row (512 bits) can only come from
        // the zero state, in which draws by rejection would never end.
        let mut probe = generator.clone();
        if (0..8).all(|_| probe.next_u64() == 0) { Err(ZeroState) } else { Ok(Self { generator }) }
    }
}

impl From<Stream> for Xoshiro256PlusPlus {
    fn from(stream: Stream) -> Self {
        stream.generator
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.generator.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.generator.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.generator.try_fill_bytes(bytes)
    }
}

impl Stream {
    /// Returns the stream with this state of xoshiro256++.
    pub(super) fn from_words(words: [u64; 4]) -> Self {
        let mut seed = [0; 32];
        for (bytes, word) in seed.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self { generator: Xoshiro256PlusPlus::from_seed(seed) }
    }

    /// Returns the next 64 random bits.
    pub fn next_word(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Returns a uniform whole number less than `n` (Lemire 2019). `below(0)` is 0 and draws nothing.
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a product are wanted")]
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        let mut product = u128::from(self.next_word()) * u128::from(n);
        if (product as u64) < n {
            // 2^64 mod n low parts are rejected to keep the distribution uniform.
            let surplus = n.wrapping_neg() % n;
            while (product as u64) < surplus {
                product = u128::from(self.next_word()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Returns a uniform index less than `len`. `index(0)` is 0 and draws nothing.
    #[expect(clippy::cast_possible_truncation, reason = "the draw is below a usize")]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// Returns a uniform whole number from `low` to `high`, both included; `low` if `high` is less.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        // Modulo 2^64, high - low + 1 is 0 exactly when every 64-bit number is allowed.
        let count = high.wrapping_sub(low).cast_unsigned().wrapping_add(1);
        let draw = if count == 0 { self.next_word() } else { self.below(count) };
        low.wrapping_add(draw.cast_signed())
    }

    /// Returns a uniform number in [0, 1), a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.next_word() >> 11) as f64 * STEP
    }

    /// Returns true with probability `p`: never for 0, less or NaN, always for 1 or more.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Returns a uniform number in [`low`, `high`); `low` if the interval is empty or an end is NaN.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        let u = self.unit();
        if low.is_nan() || high.is_nan() || high <= low {
            return low;
        }
        // The second form does not overflow if the width exceeds the largest number.
        let width = high - low;
        let value = if width.is_finite() { low + u * width } else { low * (1.0 - u) + high * u };
        value.clamp(low, high.next_down())
    }

    /// Returns a normal number with mean 0 and variance 1 (Marsaglia's polar method).
    ///
    /// The second number of the method is discarded, so that the generator is the whole state.
    pub fn normal(&mut self) -> f64 {
        loop {
            let x = 2.0 * self.unit() - 1.0;
            let y = 2.0 * self.unit() - 1.0;
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * ln(square) / square).sqrt();
            }
        }
    }

    /// Returns an exponential number with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -ln(1.0 - self.unit())
    }

    /// Returns the number of failures before the first success with probability `p`.
    ///
    /// One draw gives the distance to the next mutation in a long string. `u64::MAX` means "never"
    /// (`p` is 0, less or NaN).
    pub fn gap(&mut self, p: f64) -> u64 {
        let rate = if p > 0.0 && p < 1.0 { -ln(1.0 - p) } else { 0.0 };
        let gap = self.gap_by(rate);
        if p >= 1.0 { 0 } else { gap }
    }

    /// Returns a gap for `rate`, the negative logarithm of the probability of a failure; 0 means never.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative; saturates"
    )]
    fn gap_by(&mut self, rate: f64) -> u64 {
        let draw = self.exponential();
        if rate > 0.0 { (draw / rate).floor() as u64 } else { u64::MAX }
    }

    /// Calls `each` for a random subset of the indices less than `places`, each with probability `p`,
    /// in ascending order. It draws once per selected index.
    pub fn places(&mut self, places: usize, p: f64, mut each: impl FnMut(usize, &mut Stream)) {
        if p >= 1.0 {
            (0..places).for_each(|place| each(place, self));
        } else if p > 0.0 {
            let rate = -ln(1.0 - p);
            let mut next = self.gap_by(rate);
            while let Some(place) = usize::try_from(next).ok().filter(|&place| place < places) {
                each(place, self);
                next = next.saturating_add(1).saturating_add(self.gap_by(rate));
            }
        }
    }

    /// Shuffles the items uniformly (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }

    /// Returns a uniform item; `None` for an empty list.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.index(items.len())) }
    }

    /// Returns an index with probability proportional to its weight.
    ///
    /// Negative weights and NaN count as zero. Returns `None` if no weight is positive or the sum is
    /// infinite. Weights are summed from left to right, so the result is the same everywhere.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let positive = || weights.iter().map(|&w| if w > 0.0 { w } else { 0.0 }).enumerate();
        let total: f64 = positive().map(|(_, w)| w).sum();
        if !(total > 0.0 && total.is_finite()) {
            return None;
        }
        let aim = self.unit() * total;
        let mut sum = 0.0;
        let mut last = None;
        for (index, weight) in positive().filter(|&(_, w)| w > 0.0) {
            sum += weight;
            last = Some(index);
            if aim < sum {
                break;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    fn stream(seed: u64) -> Stream {
        Streams::new(seed).stream(&[])
    }

    #[test]
    fn words_are_those_of_the_reference_generator() {
        // Published outputs of xoshiro256plusplus.c from the state 1, 2, 3, 4.
        let mut reference = Stream::from_words([1, 2, 3, 4]);
        let expected: [u64; 4] = [41943041, 58720359, 3588806011781223, 3591011842654386];
        assert_eq!(expected.map(|_| reference.next_word()), expected);
    }

    /// These numbers must not change: they determine every model.
    #[test]
    fn draws_are_stable() {
        let mut s = stream(1);
        assert_eq!([0; 6].map(|_| s.below(1000)), BELOW);
        assert_eq!([0; 3].map(|_| s.unit().to_bits()), UNIT);
        assert_eq!([0; 3].map(|_| s.normal().to_bits()), NORMAL);
        assert_eq!([0; 3].map(|_| s.range(-2.0, 3.0).to_bits()), RANGE);
        assert_eq!([0; 4].map(|_| s.gap(0.1)), GAP);
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        s.shuffle(&mut items);
        assert_eq!(items, SHUFFLED);
        assert_eq!([0; 6].map(|_| s.weighted(&[1.0, 0.0, 3.0, f64::NAN, 2.0])), WEIGHTED);
    }

    // Calculated by a separate program from the descriptions here.
    const BELOW: [u64; 6] = [522, 559, 62, 772, 902, 24];
    const UNIT: [u64; 3] = [4602464846397064272, 4601076637754897840, 4594023788737679208];
    const NORMAL: [u64; 3] = [13828919246963177260, 4600818850873230161, 4604747320142511688];
    const RANGE: [u64; 3] = [4610488687091376464, 4611268697562775416, 13820648862172009648];
    const GAP: [u64; 4] = [25, 3, 6, 1];
    const SHUFFLED: [u8; 8] = [3, 0, 7, 4, 6, 5, 1, 2];
    const WEIGHTED: [Option<usize>; 6] = [Some(2), Some(4), Some(2), Some(4), Some(4), Some(2)];

    #[test]
    fn moments_match_the_distributions() {
        let mut s = stream(2);
        let n = 200_000;
        let moments = |draws: Vec<f64>| {
            let mean = draws.iter().sum::<f64>() / f64::from(n);
            let square = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(n);
            (mean, square)
        };
        let close = |(mean, variance): (f64, f64), (m, v): (f64, f64)| {
            assert!((mean - m).abs() < 0.02 * v.sqrt() + 0.005, "mean {mean}, not {m}");
            assert!((variance / v - 1.0).abs() < 0.03, "variance {variance}, not {v}");
        };
        close(moments((0..n).map(|_| s.normal()).collect()), (0.0, 1.0));
        close(moments((0..n).map(|_| s.exponential()).collect()), (1.0, 1.0));
        close(moments((0..n).map(|_| s.unit()).collect()), (0.5, 1.0 / 12.0));
        close(moments((0..n).map(|_| s.gap(0.25) as f64).collect()), (3.0, 12.0));
        close(moments((0..n).map(|_| s.below(6) as f64).collect()), (2.5, 35.0 / 12.0));
    }

    #[test]
    fn places_are_drawn_with_the_given_probability() {
        let mut s = stream(5);
        for p in [0.0, 1e-17, 0.03, 0.5, 0.97, 1.0, f64::NAN] {
            let mut drawn = [0_u32; 20];
            for _ in 0..10_000 {
                let mut last = None;
                s.places(20, p, |place, _| {
                    assert!(last < Some(place));
                    last = Some(place);
                    drawn[place] += 1;
                });
            }
            let expected = 10_000.0 * if p.is_nan() { 0.0 } else { p };
            for count in drawn {
                assert!((f64::from(count) - expected).abs() <= 250.0, "{p}: {drawn:?}");
            }
        }
    }

    #[test]
    fn unusual_arguments_are_handled() {
        let mut s = stream(3);
        assert_eq!((s.below(0), s.below(1), s.index(0)), (0, 0, 0));
        assert_eq!(s.between(5, 5), 5);
        assert_eq!(s.between(5, -5), 5);
        let _ = s.between(i64::MIN, i64::MAX);
        assert!(!s.chance(f64::NAN) && !s.chance(0.0) && s.chance(1.0));
        assert!(s.range(-f64::MAX, f64::MAX).is_finite());
        assert_eq!(s.range(1.0, 1.0_f64.next_up()), 1.0);
        assert_eq!((s.gap(0.0), s.gap(f64::NAN), s.gap(1.0)), (u64::MAX, u64::MAX, 0));
        assert_eq!(s.choose::<u8>(&[]), None);
        assert_eq!(s.weighted(&[]), None);
        assert_eq!(s.weighted(&[0.0, -1.0, f64::NAN]), None);
        assert_eq!(s.weighted(&[f64::INFINITY]), None);
        assert_eq!(s.weighted(&[0.0, 1e-300]), Some(1));
    }

    #[test]
    fn a_stored_stream_continues() {
        let mut s = stream(4);
        s.normal();
        let bytes = postcard::to_stdvec(&s).expect("plain data");
        let mut back: Stream = postcard::from_bytes(&bytes).expect("what was written");
        assert_eq!(back.next_word(), s.next_word());
        let zeros = postcard::from_bytes::<Stream>(&[0; 4]);
        assert!(zeros.is_err(), "an all-zero state would never end draws by rejection");
    }

    proptest! {
        #[test]
        fn draws_stay_inside_their_bounds(seed: u64, n in 1_u64.., low: i64, high: i64) {
            let mut s = stream(seed);
            prop_assert!(s.below(n) < n);
            let (low, high) = (low.min(high), low.max(high));
            prop_assert!((low..=high).contains(&s.between(low, high)));
        }

        #[test]
        fn ranges_are_half_open(seed: u64, a in prop::num::f64::NORMAL, b in prop::num::f64::NORMAL) {
            let (low, high) = (a.min(b), a.max(b));
            prop_assume!(low < high);
            let value = stream(seed).range(low, high);
            prop_assert!(low <= value && value < high);
        }

        #[test]
        fn shuffling_loses_nothing(seed: u64, n in 0_usize..50) {
            let mut items: Vec<usize> = (0..n).collect();
            stream(seed).shuffle(&mut items);
            items.sort_unstable();
            prop_assert_eq!(items, (0..n).collect::<Vec<_>>());
        }
    }
}
