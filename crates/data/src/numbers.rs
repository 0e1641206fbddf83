//! Numbers of a column, made here or lying with somebody else.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Numbers that are seldom changed, so that copies share them: a list of their own, or a stretch of memory that somebody else
/// owns and keeps as long as it is held, such as a column of a data frame.
///
/// ```
/// use pellucid_data::Numbers;
/// let ages = Numbers::from(vec![34.0, 61.0]);
/// assert_eq!(ages[1], 61.0);
/// assert_eq!(ages.clone().as_ptr(), ages.as_ptr(), "nothing was copied");
/// ```
#[derive(Clone)]
pub struct Numbers(Held);

#[derive(Clone)]
enum Held {
    Own(Arc<Vec<f64>>),
    Lent(Arc<dyn AsRef<[f64]> + Send + Sync>),
}

impl Numbers {
    /// Numbers that lie with their owner, who gives the same ones whenever asked.
    #[must_use]
    pub fn lent(owner: Arc<dyn AsRef<[f64]> + Send + Sync>) -> Numbers {
        Numbers(Held::Lent(owner))
    }

    /// The list, to be changed: the one that is there if nobody else reads it, otherwise a copy.
    pub fn to_mut(&mut self) -> &mut Vec<f64> {
        if let Held::Lent(owner) = &self.0 {
            *self = (**owner).as_ref().to_vec().into();
        }
        match &mut self.0 {
            Held::Own(numbers) => Arc::make_mut(numbers),
            Held::Lent(_) => unreachable!("they were copied"),
        }
    }
}

impl Default for Numbers {
    fn default() -> Numbers {
        Vec::new().into()
    }
}

impl Deref for Numbers {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        match &self.0 {
            Held::Own(numbers) => numbers,
            Held::Lent(owner) => (**owner).as_ref(),
        }
    }
}

impl From<Vec<f64>> for Numbers {
    fn from(numbers: Vec<f64>) -> Numbers {
        Numbers(Held::Own(Arc::new(numbers)))
    }
}

impl FromIterator<f64> for Numbers {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Numbers {
        Vec::from_iter(numbers).into()
    }
}

impl<'a> IntoIterator for &'a Numbers {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Numbers) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers with an owner that can be watched.
    struct Owner(Vec<f64>);

    impl AsRef<[f64]> for Owner {
        fn as_ref(&self) -> &[f64] {
            &self.0
        }
    }

    #[test]
    fn lent_numbers_lie_with_their_owner_and_are_given_back() {
        let owner = Arc::new(Owner(vec![1.0, f64::NAN, 3.0]));
        let numbers = Numbers::lent(Arc::clone(&owner) as _);
        let mut copy = numbers.clone();
        assert_eq!(copy.as_ptr(), owner.0.as_ptr());
        assert_eq!(Arc::strong_count(&owner), 3);
        copy.to_mut()[0] = 7.0;
        assert_eq!((numbers[0], copy[0]), (1.0, 7.0));
        drop(numbers);
        assert_eq!(Arc::strong_count(&owner), 1);
    }

    #[test]
    fn a_list_is_copied_only_while_somebody_else_reads_it() {
        let mut numbers = Numbers::from(vec![1.0, 2.0]);
        let place = numbers.as_ptr();
        let mut other = numbers.clone();
        assert_ne!(numbers.to_mut().as_ptr(), place);
        assert_eq!(other.to_mut().as_ptr(), place);
    }
}
