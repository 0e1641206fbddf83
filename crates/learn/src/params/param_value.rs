use super::{ClassWeights, Setting};

/// A value that a builder accepts for a parameter of type `T`: the value itself, `0.1` for an optional
/// number, or `["a", "b"]` for a list of names.
pub trait ParamValue<T> {
    /// Returns the value.
    fn into_value(self) -> T;
}

impl<T> ParamValue<T> for T {
    fn into_value(self) -> T {
        self
    }
}

impl<T> ParamValue<Option<T>> for T {
    fn into_value(self) -> Option<T> {
        Some(self)
    }
}

impl<const N: usize> ParamValue<Vec<String>> for [&str; N] {
    fn into_value(self) -> Vec<String> {
        self.map(str::to_owned).to_vec()
    }
}

impl ParamValue<ClassWeights> for &str {
    /// Parses the text. Invalid text is rejected when the parameters are checked.
    fn into_value(self) -> ClassWeights {
        ClassWeights::read(self).unwrap_or_else(|_| ClassWeights::Named(self.to_owned()))
    }
}

impl<const N: usize> ParamValue<ClassWeights> for [(&str, f64); N] {
    fn into_value(self) -> ClassWeights {
        ClassWeights::Given(self.map(|(class, weight)| (class.to_owned(), weight)).to_vec())
    }
}

impl ParamValue<Vec<String>> for &[String] {
    fn into_value(self) -> Vec<String> {
        self.to_vec()
    }
}
