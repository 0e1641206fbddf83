//! Texts of a column on their way to codes.

use pellucid::data::{MISSING, Values};
use std::collections::HashMap;

/// Texts by code, and the code of each row so far.
#[derive(Default)]
pub(crate) struct Words {
    codes: Vec<u32>,
    categories: Vec<String>,
    index: HashMap<String, u32>,
}

impl Words {
    /// Adds a row.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        let code = text.map_or(MISSING, |text| self.code(text));
        self.codes.push(code);
    }

    /// The code of a text, new or known.
    pub(crate) fn code(&mut self, text: &str) -> u32 {
        if let Some(&code) = self.index.get(text) {
            return code;
        }
        // No memory holds so many texts that their numbers ran out.
        let code = u32::try_from(self.categories.len()).unwrap_or(MISSING);
        self.categories.push(text.to_owned());
        self.index.insert(text.to_owned(), code);
        code
    }

    /// Adds a row with a code that a text was given.
    pub(crate) fn push_code(&mut self, code: u32) {
        self.codes.push(code);
    }

    /// The finished column.
    pub(crate) fn finish(self) -> Values {
        Values::Nominal { codes: self.codes, categories: self.categories }
    }
}
