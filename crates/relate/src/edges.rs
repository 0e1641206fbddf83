use pellucid_bits::{Bits, as_u32};
use std::ops::Range;

/// Pairs of subject and object, sorted by subject, without duplicates.
///
/// Besides the lists it contains the bits that the kernels use: which edge is the last of its
/// subject, and which subjects have an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edges {
    /// By subject: the index of its first edge, with one more entry at the end.
    offsets: Vec<u32>,
    objects: Vec<u32>,
    object_count: usize,
    /// Bit by edge: whether it is the last of its subject.
    last: Bits,
    /// Bit by subject: whether it has an edge.
    subjects: Bits,
    /// The number of subjects with an edge.
    subjects_with_edges: usize,
}

impl Edges {
    /// Creates edges among `subjects` subjects and `objects` objects. Pairs may come in any order
    /// and more than once.
    ///
    /// # Panics
    /// If a pair has a subject or object that is out of range, or if there are more than 2^31
    /// pairs.
    #[must_use]
    pub fn new(subjects: usize, objects: usize, pairs: Vec<[u32; 2]>) -> Edges {
        assert!(i32::try_from(pairs.len()).is_ok(), "at most 2^31 edges");
        let pairs = sorted(subjects, pairs);
        let mut offsets = vec![0u32; subjects + 1];
        for &[subject, object] in &pairs {
            assert!((object as usize) < objects, "object {object} of {objects}");
            offsets[subject as usize + 1] += 1;
        }
        sum_up(&mut offsets);
        Edges::from_lists(offsets, pairs.iter().map(|&[_, object]| object).collect(), objects)
    }

    /// Returns the same edges from object to subject.
    #[must_use]
    pub fn inverse(&self) -> Edges {
        let mut offsets = vec![0u32; self.object_count + 1];
        self.objects.iter().for_each(|&object| offsets[object as usize + 1] += 1);
        sum_up(&mut offsets);
        // Subjects come in order, so the subjects of each object are in order as well.
        let mut next = offsets.clone();
        let mut subjects = vec![0; self.objects.len()];
        for [subject, object] in self.pairs() {
            let place = &mut next[object as usize];
            subjects[*place as usize] = subject;
            *place += 1;
        }
        Edges::from_lists(offsets, subjects, self.subject_count())
    }

    /// Returns the edges of some subjects, renumbered by position in the list.
    pub(crate) fn select(&self, subjects: &[u32]) -> Edges {
        let mut offsets = Vec::with_capacity(subjects.len() + 1);
        let mut objects = Vec::new();
        offsets.push(0);
        for &subject in subjects {
            objects.extend_from_slice(self.of(subject));
            offsets.push(as_u32(objects.len()));
        }
        Edges::from_lists(offsets, objects, self.object_count)
    }

    /// Creates edges from sorted lists without duplicates.
    fn from_lists(offsets: Vec<u32>, objects: Vec<u32>, object_count: usize) -> Edges {
        let mut last = Bits::zeros(objects.len());
        let mut subjects = Bits::zeros(offsets.len() - 1);
        let mut subjects_with_edges = 0;
        for (subject, ends) in offsets.windows(2).enumerate() {
            if ends[0] < ends[1] {
                subjects.set(subject);
                subjects_with_edges += 1;
                last.set(ends[1] as usize - 1);
            }
        }
        Edges { offsets, objects, object_count, last, subjects, subjects_with_edges }
    }

    /// Returns all pairs, sorted.
    pub fn pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        (0..as_u32(self.subject_count()))
            .flat_map(|subject| self.of(subject).iter().map(move |&object| [subject, object]))
    }

    /// Returns the objects of a subject, ascending.
    #[must_use]
    pub fn of(&self, subject: u32) -> &[u32] {
        let subject = subject as usize;
        &self.objects[self.offsets[subject] as usize..self.offsets[subject + 1] as usize]
    }

    /// Returns the number of edges.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Returns whether there are no edges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Returns the number of subjects, with or without edges.
    #[must_use]
    pub fn subject_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of objects, with or without edges.
    #[must_use]
    pub fn object_count(&self) -> usize {
        self.object_count
    }

    /// Returns the subjects that have an edge.
    #[must_use]
    pub fn subjects(&self) -> &Bits {
        &self.subjects
    }

    /// Returns the number of subjects that have an edge.
    pub(crate) fn subjects_with_edges(&self) -> usize {
        self.subjects_with_edges
    }

    /// Returns the objects of a range of subjects, which are adjacent.
    pub(crate) fn objects_of(&self, subjects: Range<u32>) -> &[u32] {
        let at = |subject: u32| self.offsets[subject as usize] as usize;
        &self.objects[at(subjects.start)..at(subjects.end)]
    }

    /// Returns the objects of all edges in order.
    pub(crate) fn objects(&self) -> &[u32] {
        &self.objects
    }

    /// Returns the index of the first edge of each subject, with one more entry at the end.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the edges that are the last of their subjects.
    pub(crate) fn last(&self) -> &Bits {
        &self.last
    }
}

/// Turns counts into offsets.
fn sum_up(offsets: &mut [u32]) {
    let mut sum = 0;
    for offset in offsets {
        sum += *offset;
        *offset = sum;
    }
}

/// Sorts pairs and removes duplicates. Uses counting sort by subject, which is linear; only the
/// objects of one subject are compared with each other.
///
/// # Panics
/// If the subject of a pair is not below `subjects`.
#[must_use]
pub fn sorted(subjects: usize, mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    if pairs.is_sorted_by(|a, b| a < b) {
        return pairs;
    }
    if pairs.len() < subjects / 16 {
        pairs.sort_unstable();
        pairs.dedup();
        return pairs;
    }
    let mut ends = vec![0usize; subjects + 1];
    pairs.iter().for_each(|&[subject, _]| ends[subject as usize + 1] += 1);
    for subject in 0..subjects {
        ends[subject + 1] += ends[subject];
    }
    // Every object is written at the current end of the list of its subject.
    let mut objects = vec![0u32; pairs.len()];
    for &[subject, object] in &pairs {
        let place = &mut ends[subject as usize];
        objects[*place] = object;
        *place += 1;
    }
    pairs.clear();
    let mut start = 0;
    for (subject, &end) in (0u32..).zip(&ends[..subjects]) {
        let own = &mut objects[start..end];
        own.sort_unstable();
        pairs.extend(own.iter().map(|&object| [subject, object]));
        start = end;
    }
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_sort_agrees_with_comparison_sort(
            pairs in prop::collection::vec([0u32..40, 0u32..9], 0..80),
        ) {
            let mut expected = pairs.clone();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(sorted(40, pairs.clone()), expected.clone());
            prop_assert_eq!(sorted(4_000, pairs), expected);
        }
    }
}
