//! Bits in blocks of 512, aligned to a cache line.
//!
//! Everything that is counted or compared here is a vector of bits: bit *i* is set if something is true for
//! row *i*. [`Block`] is 512 of them, one AVX-512 register or one cache line; because the type itself carries
//! the alignment, a plain `Vec<Block>` is aligned storage. [`Bits`] is a vector of a given length over
//! blocks, and [`BitRows`] is many such vectors of the same length.
//!
//! **Tail invariant.** Bits past the length are zero in every `Bits` and `BitRows`, so counting and comparing
//! never needs a mask. Kernels can work on whole blocks; the conversion of their result into `Bits` clears
//! the tail.

//!
//! **Instruction sets.** [`Simd`] has the few operations on a block that differ between instruction sets, a
//! [`Kernel`] is written once over it, and [`Level::run`] compiles it for each and picks one at run time. A
//! value of an implementing type is the proof that the CPU has the instructions, so that kernels are safe
//! code.
//!
//! ```
//! use pellucid_bits::{Block, Kernel, Level, Simd};
//!
//! /// Counts the bits that two sets share.
//! struct Shared<'a>(&'a [Block], &'a [Block]);
//!
//! impl Kernel for Shared<'_> {
//!     type Output = u64;
//!
//!     #[inline(always)]
//!     fn run<S: Simd>(self, simd: S) -> u64 {
//!         let mut count = simd.no_count();
//!         for (one, other) in self.0.iter().zip(self.1) {
//!             count = simd.count(count, simd.and(simd.load(one), simd.load(other)));
//!         }
//!         simd.total(count)
//!     }
//! }
//!
//! let (ones, mut some) = (vec![Block::ONES; 3], vec![Block::ZERO; 3]);
//! some[1].set(7);
//! assert_eq!(Level::best().run(Shared(&ones, &some)), 1);
//! ```
//!
//! **Floats.** [`FloatBlock`] is sixteen numbers, one cache line. [`Floats`] has the operations on them,
//! correctly rounded and lane by lane, so that every instruction set gives the same bits.
//!
//! `unsafe` code is only in the files of the instruction sets and in the allocation of large pages.

#![deny(unsafe_code)]

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx512;
mod block;
mod cache;
mod classes;
mod convert;
pub mod digits;
mod floats;
#[expect(unsafe_code, reason = "memory in large pages")]
mod huge;
#[cfg(test)]
mod laws;
mod level;
mod overlap;
pub mod planes;
mod portable;
mod rows;
mod simd;
mod transpose;
mod vector;
pub mod words;

pub use block::{BLOCK_BITS, Block, blocks_for};
pub use cache::second_level_bytes;
pub use classes::{CountClasses, count_class, count_classes};
pub use convert::as_u32;
pub use floats::Floats;
pub use floats::block::{FLOATS, FloatBlock};
pub use huge::HugeBlocks;
pub use level::{Level, LevelError};
pub use overlap::overlap;
pub use rows::BitRows;
pub use simd::{Kernel, Simd, invert, load};
pub use transpose::{planes_of_64, transpose_64, transpose_512};
pub use vector::Bits;
