//! The texts that stand for a missing value.

use crate::number;

/// Markers of missing values, with the knowledge whether any of them looks like a number.
#[derive(Debug)]
pub(crate) struct Markers<'a> {
    markers: &'a [String],
    /// Then a value must be compared with the markers before it is parsed.
    pub(crate) numeric: bool,
}

impl<'a> Markers<'a> {
    pub(crate) fn new(markers: &'a [String]) -> Self {
        Self { markers, numeric: markers.iter().any(|marker| number::parse(marker).is_some()) }
    }

    pub(crate) fn contain(&self, text: &str) -> bool {
        self.markers.iter().any(|marker| marker == text)
    }

    /// What a text means in a column of numbers: a number, a missing one (not a number), or neither.
    #[inline]
    pub(crate) fn number(&self, text: &str) -> Option<f64> {
        if self.numeric && self.contain(text) {
            return Some(f64::NAN);
        }
        number::parse(text).or_else(|| self.contain(text).then_some(f64::NAN))
    }
}
