/// Sixteen numbers, aligned to a cache line: one AVX-512 register. As for
/// [`Block`](crate::Block), a plain `Vec<FloatBlock>` is aligned storage.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatBlock(pub [f32; FLOATS]);

/// The number of floats in a [`FloatBlock`].
pub const FLOATS: usize = 16;

impl FloatBlock {
    /// Sixteen zeros.
    pub const ZERO: FloatBlock = FloatBlock([0.0; FLOATS]);
}
