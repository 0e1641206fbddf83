use super::Block;

/// Bytes of a large page.
const PAGE: usize = 2 << 20;

/// Blocks that lie in large pages where the system has them.
///
/// A kernel that jumps between thousands of slots touches another page at every jump; with pages of 4 KiB the
/// processor spends more time on finding them than on reading them.
#[derive(Debug, Default)]
pub struct HugeBlocks {
    blocks: Vec<Block>,
    start: usize,
}

impl HugeBlocks {
    /// The first `len` blocks of at least that many, whatever is in them.
    pub fn at_least(&mut self, len: usize) -> &mut [Block] {
        if self.blocks.len() < self.start + len {
            *self = HugeBlocks::zeros(len);
        }
        &mut self.blocks[self.start..self.start + len]
    }

    /// The first `len` blocks of those that [`HugeBlocks::at_least`] gave.
    pub fn first(&self, len: usize) -> &[Block] {
        &self.blocks[self.start..self.start + len]
    }

    /// `len` clear blocks, and some behind them; what is smaller than a large page stays in small ones.
    fn zeros(len: usize) -> HugeBlocks {
        let page = PAGE / size_of::<Block>();
        if len < page / 4 {
            return HugeBlocks { blocks: vec![Block::ZERO; len], start: 0 };
        }
        let room = len.next_multiple_of(page);
        let mut blocks: Vec<Block> = Vec::with_capacity(room + page);
        let start = blocks.as_ptr().align_offset(PAGE).min(page);
        // Before anything is written: pages get their size when they are first touched.
        advise(&mut blocks.spare_capacity_mut()[start..start + room]);
        blocks.resize(start + room, Block::ZERO);
        HugeBlocks { blocks, start }
    }
}

/// Asks for large pages; a system that has none says no, and that is fine.
#[cfg(target_os = "linux")]
fn advise(memory: &mut [std::mem::MaybeUninit<Block>]) {
    // SAFETY: the range is ours alone, and the advice changes how it is backed, never what is in it.
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
