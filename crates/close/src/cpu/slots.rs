//! The rows that the bits of an extent stand for.

/// Maps every bit of an extent to a row of the context.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    pub(super) rows: Vec<u32>,
}

/// The number of objects that have each row of a context; empty if every row has one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights<'a>(pub(super) &'a [u32]);

impl Slots {
    /// Keeps the slots of some words of an extent. If `packed`, keeps only those of the bits that
    /// are set, side by side.
    #[inline(always)]
    pub(super) fn narrow(&mut self, from: &Slots, planes: &[u32], extent: &[u64], packed: bool) {
        self.rows.clear();
        for (&plane, &word) in planes.iter().zip(extent) {
            let rows = &from.rows[plane as usize * 64..];
            if packed {
                let mut left = word;
                while left != 0 {
                    self.rows.push(rows[left.trailing_zeros() as usize]);
                    left &= left - 1;
                }
            } else {
                self.rows.extend_from_slice(&rows[..rows.len().min(64)]);
                self.rows.resize(self.rows.len().next_multiple_of(64), 0);
            }
        }
    }

    /// Returns the rows of some words of an extent.
    pub(super) fn of(&self, words: &[u64], planes: &[u32]) -> impl Iterator<Item = u32> {
        planes.iter().zip(words).flat_map(|(&plane, &word)| {
            let rows = &self.rows[plane as usize * 64..];
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(|bit| rows[bit])
        })
    }

    /// Returns the number of objects in one word of an extent.
    #[inline(always)]
    pub(super) fn weigh(&self, weights: Weights<'_>, plane: usize, word: u64) -> u64 {
        if weights.0.is_empty() {
            return u64::from(word.count_ones());
        }
        let (mut sum, mut left) = (0, word);
        while left != 0 {
            let row = self.rows[plane * 64 + left.trailing_zeros() as usize];
            sum += u64::from(weights.0[row as usize]);
            left &= left - 1;
        }
        sum
    }
}
