//! Statements about classes, properties and parts of expressions, indexed by subject.

use super::collect::{Fact, Object};
use super::vocabulary::Word;

/// The statements, sorted by subject.
#[derive(Debug)]
pub(super) struct Facts {
    sorted: Vec<Fact>,
}

impl Facts {
    pub(super) fn new(mut facts: Vec<Fact>) -> Self {
        // Stable, so that statements keep the order of the file.
        facts.sort_by_key(|fact| (fact.subject, fact.word));
        Self { sorted: facts }
    }

    pub(super) fn all(&self) -> &[Fact] {
        &self.sorted
    }

    /// Returns the statements about a name.
    pub(super) fn of(&self, subject: u32) -> &[Fact] {
        let start = self.sorted.partition_point(|fact| fact.subject < subject);
        let rest = &self.sorted[start..];
        &rest[..rest.partition_point(|fact| fact.subject == subject)]
    }

    /// Returns the first object of a name and a word.
    pub(super) fn get(&self, subject: u32, word: Word) -> Option<Object> {
        let facts = self.of(subject);
        let at = facts.partition_point(|fact| fact.word < word);
        facts.get(at).filter(|fact| fact.word == word).map(|fact| fact.object)
    }

    /// Returns the first object of a name and a word, if it is a node.
    pub(super) fn node(&self, subject: u32, word: Word) -> Option<u32> {
        match self.get(subject, word)? {
            Object::Node(node) => Some(node),
            Object::Literal(..) => None,
        }
    }

    /// Returns the members of a list and calls `step` for each of them. A broken or circular list
    /// is an error.
    pub(super) fn list(
        &self,
        head: u32,
        mut step: impl FnMut() -> Result<(), String>,
    ) -> Result<Vec<Object>, String> {
        let mut members = Vec::new();
        let mut node = head;
        // A node visited before, which moves on after twice as many steps each time: a circle leads
        // back to it (Brent 1980).
        let mut passed = Word::Nil.number();
        while node != Word::Nil.number() {
            let (Some(first), Some(rest)) =
                (self.get(node, Word::First), self.node(node, Word::Rest))
            else {
                return Err("the list is broken".to_owned());
            };
            if node == passed {
                return Err("the list is circular".to_owned());
            }
            step()?;
            if members.len().is_power_of_two() || members.is_empty() {
                passed = node;
            }
            members.push(first);
            node = rest;
        }
        Ok(members)
    }
}
