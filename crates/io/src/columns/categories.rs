//! Collects nominal values: each new text gets a code, and the codes are sorted at the end.

use std::collections::HashMap;

use crate::cells::number;
use crate::source::error::ReadProblem;
use pellucid_data::{MISSING, Values};

/// Up to this number of categories a linear search is used: a hash index for each of a million
/// columns would be large.
const FEW: usize = 12;

/// The categories by code, and the code of each row so far.
#[derive(Debug, Default)]
pub(crate) struct CategoryCollector {
    codes: Vec<u32>,
    categories: Vec<String>,
    /// The code of each category; empty while there are few.
    index: HashMap<String, u32>,
}

impl CategoryCollector {
    /// Creates a collector with a declared list of categories.
    pub(crate) fn declared(categories: Vec<String>) -> Result<Self, ReadProblem> {
        let mut collector = Self::default();
        for category in categories {
            collector.code_of(&category)?;
        }
        Ok(collector)
    }

    /// Adds a row with this text; a new text becomes a new category.
    pub(crate) fn push(&mut self, text: &str) -> Result<(), ReadProblem> {
        // Values often repeat the row above, as bag names do, and a comparison is cheaper than a hash.
        if let Some(&last) = self.codes.last()
            && let Some(category) =
                usize::try_from(last).ok().and_then(|last| self.categories.get(last))
            && category == text
        {
            self.codes.push(last);
            return Ok(());
        }
        let code = self.code_of(text)?;
        self.codes.push(code);
        Ok(())
    }

    /// Adds a row with this text if it is a category; returns whether it is.
    pub(crate) fn push_known(&mut self, text: &str) -> bool {
        let code = self.known(text);
        self.codes.extend(code);
        code.is_some()
    }

    /// Adds a row with a missing value.
    pub(crate) fn push_missing(&mut self) {
        self.codes.push(MISSING);
    }

    /// Adds the rows of another collector.
    pub(crate) fn append(&mut self, more: Self) -> Result<(), ReadProblem> {
        let codes: Vec<u32> = more
            .categories
            .iter()
            .map(|category| self.code_of(category))
            .collect::<Result<_, _>>()?;
        let renumber =
            |code: u32| usize::try_from(code).ok().and_then(|code| codes.get(code)).copied();
        self.codes.extend(more.codes.iter().map(|&code| renumber(code).unwrap_or(MISSING)));
        Ok(())
    }

    /// Returns the categories so far.
    pub(crate) fn categories(&self) -> &[String] {
        &self.categories
    }

    /// Adds a row with an existing code.
    #[cfg(feature = "parquet")]
    pub(crate) fn push_code(&mut self, code: u32) {
        self.codes.push(code);
    }

    /// Returns the code of the last row.
    #[cfg(feature = "parquet")]
    pub(crate) fn last(&self) -> u32 {
        self.codes.last().copied().unwrap_or(MISSING)
    }

    /// Returns the number of rows.
    #[cfg(feature = "parquet")]
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns the code of a text; a new text becomes a new category.
    pub(crate) fn code_of(&mut self, text: &str) -> Result<u32, ReadProblem> {
        if let Some(code) = self.known(text) {
            return Ok(code);
        }
        // The largest code marks a missing value, so it is reserved.
        let code = u32::try_from(self.categories.len()).ok().filter(|&code| code < MISSING);
        let code = code.ok_or(ReadProblem::Memory)?;
        self.categories.push(text.to_owned());
        if !self.index.is_empty() {
            self.index.insert(text.to_owned(), code);
        } else if self.categories.len() > FEW {
            self.index = self.categories.iter().cloned().zip(0..).collect();
        }
        Ok(code)
    }

    /// Returns the code of a text if it is a category.
    fn known(&self, text: &str) -> Option<u32> {
        if self.index.is_empty() {
            return (0..)
                .zip(&self.categories)
                .find(|(_, known)| *known == text)
                .map(|(code, _)| code);
        }
        self.index.get(text).copied()
    }

    /// Returns the column with its categories in order of declaration or first appearance.
    pub(crate) fn in_given_order(self) -> Values {
        Values::Nominal { codes: self.codes, categories: self.categories }
    }

    /// Returns the column with sorted categories, so that they do not depend on the order of rows.
    pub(crate) fn sorted(self) -> Values {
        let (codes, categories) = sort_categories(self.codes, self.categories);
        Values::Nominal { codes, categories }
    }
}

/// Sorts categories by value if all are numbers, otherwise by text, and renumbers the codes.
pub(crate) fn sort_categories(codes: Vec<u32>, categories: Vec<String>) -> (Vec<u32>, Vec<String>) {
    let numbers: Option<Vec<f64>> =
        categories.iter().map(|category| number::parse(category)).collect();
    let mut order: Vec<usize> = (0..categories.len()).collect();
    order.sort_by(|&a, &b| {
        let by_text = categories[a].cmp(&categories[b]);
        match &numbers {
            Some(numbers) => numbers[a].total_cmp(&numbers[b]).then(by_text),
            None => by_text,
        }
    });
    reorder(&codes, &categories, &order)
}

/// Reorders the categories and renumbers the codes.
pub(crate) fn reorder(
    codes: &[u32],
    categories: &[String],
    order: &[usize],
) -> (Vec<u32>, Vec<String>) {
    let mut new_code = vec![MISSING; categories.len()];
    for (new, &old) in (0u32..).zip(order) {
        new_code[old] = new;
    }
    let renumbered = codes.iter().map(|&code| {
        usize::try_from(code).ok().and_then(|code| new_code.get(code)).copied().unwrap_or(MISSING)
    });
    let sorted = order.iter().map(|&old| categories[old].clone()).collect();
    (renumbered.collect(), sorted)
}
