use super::{ClassWeights, Setting};

/// A value that a builder accepts for a parameter of type `T`: the value itself, `0.1` for an optional
/// number, or `["a", "b"]` for a list of names.
pub trait Given<T> {
    /// Returns the value.
    fn given(self) -> T;
}

impl<T> Given<T> for T {
    fn given(self) -> T {
        self
    }
}

impl<T> Given<Option<T>> for T {
    fn given(self) -> Option<T> {
        Some(self)
    }
}

impl<const N: usize> Given<Vec<String>> for [&str; N] {
    fn given(self) -> Vec<String> {
        self.map(str::to_owned).to_vec()
    }
}

impl Given<ClassWeights> for &str {
    /// Parses the text. Invalid text is rejected when the parameters are checked.
    fn given(self) -> ClassWeights {
        ClassWeights::read(self).unwrap_or_else(|_| ClassWeights::Named(self.to_owned()))
    }
}

impl<const N: usize> Given<ClassWeights> for [(&str, f64); N] {
    fn given(self) -> ClassWeights {
        ClassWeights::Given(self.map(|(class, weight)| (class.to_owned(), weight)).to_vec())
    }
}

impl Given<Vec<String>> for &[String] {
    fn given(self) -> Vec<String> {
        self.to_vec()
    }
}
