//! Bits in blocks of 512, aligned to a cache line.
//!
//! Everything the engine computes is a row of bits: bit *i* tells whether something holds for row *i*.
//! [`Block`] is 512 of them, one AVX-512 register or one cache line; because the type itself carries the alignment,
//! a plain `Vec<Block>` is aligned storage. [`Bits`] is a vector of a given length over blocks, [`BitRows`] many such
//! vectors of one length.
//!
//! **Tail invariant.** Bits past the length are zero in every `Bits` and `BitRows`, so counting and comparing never
//! needs a mask. Kernels may work on whole blocks; whoever turns their result into `Bits` clears the tail.

mod block;
mod huge;
mod rows;
mod transpose;
mod vector;

pub use block::{BLOCK_BITS, Block, blocks_for};
pub(crate) use huge::HugeBlocks;
pub use rows::BitRows;
pub(crate) use transpose::planes_of_64;
pub use vector::Bits;
