//! Encoding of text columns as categories.

use pellucid::data::{MISSING, Values};
use std::collections::HashMap;

/// A text column under construction: the distinct texts, and the code of each row.
#[derive(Default)]
pub(crate) struct TextEncoder {
    codes: Vec<u32>,
    categories: Vec<String>,
    index: HashMap<String, u32>,
}

impl TextEncoder {
    /// Adds a row.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        let code = text.map_or(MISSING, |text| self.code(text));
        self.codes.push(code);
    }

    /// Returns the code of a text. A new text gets the next code.
    pub(crate) fn code(&mut self, text: &str) -> u32 {
        if let Some(&code) = self.index.get(text) {
            return code;
        }
        // Memory runs out long before the codes do.
        let code = u32::try_from(self.categories.len()).unwrap_or(MISSING);
        self.categories.push(text.to_owned());
        self.index.insert(text.to_owned(), code);
        code
    }

    /// Adds a row with a code that [`TextEncoder::code`] returned.
    pub(crate) fn push_code(&mut self, code: u32) {
        self.codes.push(code);
    }

    /// Returns the finished column.
    pub(crate) fn finish(self) -> Values {
        Values::Nominal { codes: self.codes, categories: self.categories }
    }
}
