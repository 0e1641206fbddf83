/// Random numbers for test inputs (`SplitMix64`). A seed gives the same numbers on every machine.
///
/// ```
/// use pellucid_testdevices::Draw;
/// let (mut one, mut other) = (Draw::new(7), Draw::new(7));
/// assert!((0..100).all(|_| one.below(10) == other.below(10)));
/// assert!((0..100).all(|_| one.below(10) < 10));
/// ```
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// Creates a generator with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    /// Returns a 64-bit number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        (self.word() >> 32) as u32 % end.max(1)
    }

    /// Returns an index below `end`, or 0 if `end` is 0.
    pub fn index(&mut self, end: usize) -> usize {
        (self.word() >> 8) as usize % end.max(1)
    }

    /// Returns a number from 0 (inclusive) to 1 (exclusive).
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u32 << 24) as f32
    }
}
