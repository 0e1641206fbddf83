//! Lists of numbers in contiguous memory.

/// A list of numbers for each index, all in one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConceptLinks {
    /// The start of each list in `targets`, and the end of the last one.
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl ConceptLinks {
    /// Returns an empty collection.
    pub(crate) fn new() -> ConceptLinks {
        ConceptLinks { starts: vec![0], targets: Vec::new() }
    }

    /// Appends a list.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.targets.extend(list);
        self.starts.push(self.targets.len());
    }

    /// Appends all lists of another collection.
    pub(crate) fn append(&mut self, other: &ConceptLinks) {
        let shift = self.targets.len();
        self.targets.extend_from_slice(&other.targets);
        self.starts.extend(other.starts[1..].iter().map(|start| start + shift));
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The total length of all lists.
    pub(crate) fn total(&self) -> usize {
        self.targets.len()
    }

    /// Returns a list.
    pub(crate) fn of(&self, index: usize) -> &[u32] {
        &self.targets[self.starts[index]..self.starts[index + 1]]
    }

    /// Iterates over all lists.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|pair| &self.targets[pair[0]..pair[1]])
    }

    /// Returns the inverse: for each of `count` targets, the indices of the lists that contain it,
    /// ascending.
    pub(crate) fn reversed(&self, count: usize) -> ConceptLinks {
        let mut starts = vec![0; count + 1];
        self.targets.iter().for_each(|&target| starts[target as usize + 1] += 1);
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; self.targets.len()];
        for (source, list) in (0u32..).zip(self.iter()) {
            for &target in list {
                targets[next[target as usize]] = source;
                next[target as usize] += 1;
            }
        }
        ConceptLinks { starts, targets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_twice_is_the_same_sorted() {
        let mut links = ConceptLinks::new();
        for list in [vec![2, 0], vec![], vec![0, 1, 2]] {
            links.push(list);
        }
        let back = links.reversed(4);
        assert_eq!(back.iter().collect::<Vec<_>>(), [&[0, 2][..], &[2], &[0, 2], &[]]);
        assert_eq!(back.reversed(3).of(0), [0, 2]);
        let mut both = links.clone();
        both.append(&links);
        assert_eq!((both.len(), both.total(), both.of(3)), (6, 10, &[2, 0][..]));
    }
}
