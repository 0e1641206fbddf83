use pellucid_bits::words::{insert, words_for};
use thiserror::Error;

/// The error for an attribute that is out of range.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("object {object} has attribute {attribute}; expected an attribute below {attributes}")]
pub struct RelationError {
    /// The object, counted from 0.
    pub object: usize,
    /// Its attribute.
    pub attribute: u32,
    /// The number of attributes.
    pub attributes: usize,
}

/// The incidence relation of a formal context: the sorted list of attributes of every object.
///
/// Lists rather than bits, because a context of a million objects and a hundred thousand attributes
/// is sparse; searches convert what they need to bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    attributes: usize,
    /// The start of each object's row in `crosses`, and the end of the last row.
    starts: Vec<usize>,
    crosses: Vec<u32>,
}

impl Relation {
    /// Creates a relation from rows of attribute numbers, in any order; repeated numbers count once.
    ///
    /// # Errors
    /// Names an attribute that is not below `attributes`.
    pub fn new<R: AsRef<[u32]>>(
        attributes: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Relation, RelationError> {
        let mut relation = Relation { attributes, starts: vec![0], crosses: Vec::new() };
        for (object, row) in rows.into_iter().enumerate() {
            let row = row.as_ref();
            if let Some(&attribute) = row.iter().find(|&&a| a as usize >= attributes) {
                return Err(RelationError { object, attribute, attributes });
            }
            relation.push_row(row);
        }
        Ok(relation)
    }

    /// Creates a relation from rows that are stored one after the other in `crosses`; `starts` has
    /// the start of each row and the end of the last one. Like [`Relation::new`], without copying.
    ///
    /// ```
    /// use pellucid_data::Relation;
    /// let relation = Relation::from_parts(3, vec![0, 3, 3, 4], vec![2, 0, 2, 1])?;
    /// assert_eq!(relation, Relation::new(3, [vec![0, 2], vec![], vec![1]])?);
    /// # Ok::<(), pellucid_data::RelationError>(())
    /// ```
    ///
    /// # Errors
    /// Names an attribute that is not below `attributes`.
    ///
    /// # Panics
    /// If the starts are not sorted, or do not cover all crosses.
    pub fn from_parts(
        attributes: usize,
        mut starts: Vec<usize>,
        mut crosses: Vec<u32>,
    ) -> Result<Relation, RelationError> {
        let follow = starts.first() == Some(&0) && starts.last() == Some(&crosses.len());
        assert!(follow && starts.is_sorted(), "the rows cover all crosses in order");
        let (mut start, mut kept) = (0, 0);
        for object in 0..starts.len() - 1 {
            let end = starts[object + 1];
            let row = &mut crosses[start..end];
            if let Some(&attribute) = row.iter().find(|&&a| a as usize >= attributes) {
                return Err(RelationError { object, attribute, attributes });
            }
            let is_set = row.is_sorted_by(|a, b| a < b);
            if !is_set {
                row.sort_unstable();
            }
            if is_set && kept == start {
                kept = end;
            } else {
                let first = kept;
                for index in start..end {
                    if kept == first || crosses[kept - 1] != crosses[index] {
                        crosses[kept] = crosses[index];
                        kept += 1;
                    }
                }
            }
            starts[object + 1] = kept;
            start = end;
        }
        crosses.truncate(kept);
        Ok(Relation { attributes, starts, crosses })
    }

    fn push_row(&mut self, row: &[u32]) {
        let start = self.crosses.len();
        self.crosses.extend_from_slice(row);
        if !row.is_sorted_by(|a, b| a < b) {
            self.crosses[start..].sort_unstable();
            let mut kept = start;
            for index in start..self.crosses.len() {
                if index == start || self.crosses[index] != self.crosses[kept - 1] {
                    self.crosses[kept] = self.crosses[index];
                    kept += 1;
                }
            }
            self.crosses.truncate(kept);
        }
        self.starts.push(self.crosses.len());
    }

    /// Returns the number of objects.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of attributes.
    #[must_use]
    pub fn attributes(&self) -> usize {
        self.attributes
    }

    /// Returns the number of crosses.
    #[must_use]
    pub fn crosses(&self) -> usize {
        self.crosses.len()
    }

    /// Returns the attributes of an object in ascending order.
    #[must_use]
    pub fn row(&self, object: usize) -> &[u32] {
        &self.crosses[self.starts[object]..self.starts[object + 1]]
    }

    /// Returns the rows of all objects.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.starts.windows(2).map(|pair| &self.crosses[pair[0]..pair[1]])
    }

    /// Whether an object has an attribute.
    #[must_use]
    pub fn has(&self, object: usize, attribute: u32) -> bool {
        self.row(object).binary_search(&attribute).is_ok()
    }

    /// Returns the number of objects of each attribute.
    #[must_use]
    pub fn supports(&self) -> Vec<u64> {
        let mut supports = vec![0; self.attributes];
        self.crosses.iter().for_each(|&attribute| supports[attribute as usize] += 1);
        supports
    }

    /// Returns the transposed relation, in which attributes are objects.
    ///
    /// # Panics
    /// If there are more than 2³² objects.
    #[must_use]
    pub fn transposed(&self) -> Relation {
        let mut starts = vec![0; self.attributes + 1];
        for &attribute in &self.crosses {
            starts[attribute as usize + 1] += 1;
        }
        for attribute in 0..self.attributes {
            starts[attribute + 1] += starts[attribute];
        }
        let mut next = starts.clone();
        let mut crosses = vec![0; self.crosses.len()];
        for (object, row) in self.rows().enumerate() {
            let object = u32::try_from(object).expect("fewer than 2^32 objects");
            for &attribute in row {
                crosses[next[attribute as usize]] = object;
                next[attribute as usize] += 1;
            }
        }
        Relation { attributes: self.objects(), starts, crosses }
    }

    /// Returns one row as a bit set.
    #[must_use]
    pub fn row_words(&self, object: usize) -> Vec<u64> {
        let mut words = vec![0; words_for(self.attributes)];
        self.row(object).iter().for_each(|&attribute| insert(&mut words, attribute as usize));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_sets_and_transposing_twice_changes_nothing(
            rows in prop::collection::vec(prop::collection::vec(0u32..70, 0..12), 0..20),
        ) {
            let relation = Relation::new(70, &rows).unwrap();
            for (object, row) in rows.iter().enumerate() {
                for attribute in 0..70 {
                    prop_assert_eq!(relation.has(object, attribute), row.contains(&attribute));
                }
            }
            let transposed = relation.transposed();
            prop_assert_eq!((transposed.objects(), transposed.attributes()), (70, rows.len()));
            prop_assert!((0..70).all(|a| relation.supports()[a] == transposed.row(a).len() as u64));
            prop_assert_eq!(transposed.transposed(), relation);
        }
    }

    #[test]
    fn an_attribute_out_of_range_is_an_error() {
        let error = Relation::new(2, [vec![1], vec![0, 7]]).unwrap_err();
        assert_eq!(error.to_string(), "object 1 has attribute 7; expected an attribute below 2");
    }
}
