//! The numbers of a column, owned or borrowed from a shared owner.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Numbers that clones share: an owned list, or memory of a shared owner such as a column of a data frame.
///
/// ```
/// use pellucid_data::Numbers;
/// let ages = Numbers::from(vec![34.0, 61.0]);
/// assert_eq!(ages[1], 61.0);
/// assert_eq!(ages.clone().as_ptr(), ages.as_ptr(), "nothing was copied");
/// ```
#[derive(Clone)]
pub struct Numbers(Storage);

#[derive(Clone)]
enum Storage {
    Own(Arc<Vec<f64>>),
    Shared(Arc<dyn AsRef<[f64]> + Send + Sync>),
}

impl Numbers {
    /// Creates numbers that borrow from a shared owner, which must always return the same slice.
    #[must_use]
    pub fn shared(owner: Arc<dyn AsRef<[f64]> + Send + Sync>) -> Numbers {
        Numbers(Storage::Shared(owner))
    }

    /// Returns the list for changes; copies it if it is shared.
    pub fn to_mut(&mut self) -> &mut Vec<f64> {
        if let Storage::Shared(owner) = &self.0 {
            *self = (**owner).as_ref().to_vec().into();
        }
        match &mut self.0 {
            Storage::Own(numbers) => Arc::make_mut(numbers),
            Storage::Shared(_) => unreachable!("copied above"),
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
            Storage::Own(numbers) => numbers,
            Storage::Shared(owner) => (**owner).as_ref(),
        }
    }
}

impl From<Vec<f64>> for Numbers {
    fn from(numbers: Vec<f64>) -> Numbers {
        Numbers(Storage::Own(Arc::new(numbers)))
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

    /// An owner whose reference count can be checked.
    struct Owner(Vec<f64>);

    impl AsRef<[f64]> for Owner {
        fn as_ref(&self) -> &[f64] {
            &self.0
        }
    }

    #[test]
    fn borrowed_numbers_are_not_copied_and_are_released() {
        let owner = Arc::new(Owner(vec![1.0, f64::NAN, 3.0]));
        let numbers = Numbers::shared(Arc::clone(&owner) as _);
        let mut copy = numbers.clone();
        assert_eq!(copy.as_ptr(), owner.0.as_ptr());
        assert_eq!(Arc::strong_count(&owner), 3);
        copy.to_mut()[0] = 7.0;
        assert_eq!((numbers[0], copy[0]), (1.0, 7.0));
        drop(numbers);
        assert_eq!(Arc::strong_count(&owner), 1);
    }

    #[test]
    fn a_list_is_copied_only_while_it_is_shared() {
        let mut numbers = Numbers::from(vec![1.0, 2.0]);
        let address = numbers.as_ptr();
        let mut other = numbers.clone();
        assert_ne!(numbers.to_mut().as_ptr(), address);
        assert_eq!(other.to_mut().as_ptr(), address);
    }
}
