/// What may be given for a value of type `T` where a builder takes one: the value itself, `0.1` for an optional number,
/// `["a", "b"]` for a list of names.
pub trait Given<T> {
    /// The value.
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

impl Given<Vec<String>> for &[String] {
    fn given(self) -> Vec<String> {
        self.to_vec()
    }
}
