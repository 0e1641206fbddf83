use super::Block;

/// The size of a large page in bytes.
const PAGE: usize = 2 << 20;

/// Blocks in large pages, if the system supports them.
///
/// A kernel that jumps between thousands of slots touches a different page at every jump; with pages of 4 KiB
/// the CPU spends more time on address translation than on reading.
#[derive(Debug, Default)]
pub struct HugeBlocks {
    blocks: Vec<Block>,
    start: usize,
}

impl HugeBlocks {
    /// Returns the first `len` blocks with unspecified content, and allocates more blocks if needed.
    pub fn at_least(&mut self, len: usize) -> &mut [Block] {
        if self.blocks.len() < self.start + len {
            *self = HugeBlocks::zeros(len);
        }
        &mut self.blocks[self.start..self.start + len]
    }

    /// Returns the first `len` blocks of those that [`HugeBlocks::at_least`] returned.
    pub fn first(&self, len: usize) -> &[Block] {
        &self.blocks[self.start..self.start + len]
    }

    /// Allocates at least `len` zero blocks. Less than a large page is allocated in small pages.
    fn zeros(len: usize) -> HugeBlocks {
        let page = PAGE / size_of::<Block>();
        if len < page / 4 {
            return HugeBlocks { blocks: vec![Block::ZERO; len], start: 0 };
        }
        let room = len.next_multiple_of(page);
        let mut blocks: Vec<Block> = Vec::with_capacity(room + page);
        let start = blocks.as_ptr().align_offset(PAGE).min(page);
        // Before the first write, because a page gets its size when it is first touched.
        advise(&mut blocks.spare_capacity_mut()[start..start + room]);
        blocks.resize(start + room, Block::ZERO);
        HugeBlocks { blocks, start }
    }
}

/// Requests large pages. A refusal by the system is not an error.
#[cfg(target_os = "linux")]
fn advise(memory: &mut [std::mem::MaybeUninit<Block>]) {
    // SAFETY: the range is exclusively owned, and the advice never changes its content.
    unsafe {
        libc::madvise(memory.as_mut_ptr().cast(), size_of_val(memory), libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_: &mut [std::mem::MaybeUninit<Block>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_and_starts_at_a_page() {
        let mut blocks = HugeBlocks::default();
        assert!(blocks.at_least(0).is_empty());
        for len in [1, 100, 40_000, 70_000, 5] {
            let part = blocks.at_least(len);
            assert_eq!(part.len(), len);
            assert!(len < 8192 || part.as_ptr().align_offset(PAGE) == 0, "{len} blocks");
            part[len - 1] = Block::ONES;
        }
    }
}
