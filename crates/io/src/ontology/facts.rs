//! Statements about classes, properties and parts of expressions, found by their subject.

use super::collect::{Fact, Object};
use super::vocabulary::Word;

/// Statements in the order of their subjects.
#[derive(Debug)]
pub(super) struct Facts {
    sorted: Vec<Fact>,
}

impl Facts {
    pub(super) fn new(mut facts: Vec<Fact>) -> Self {
        // Stable, so that what a file says first comes first.
        facts.sort_by_key(|fact| (fact.subject, fact.word));
        Self { sorted: facts }
    }

    pub(super) fn all(&self) -> &[Fact] {
        &self.sorted
    }

    /// What is said of a name.
    pub(super) fn of(&self, subject: u32) -> &[Fact] {
        let start = self.sorted.partition_point(|fact| fact.subject < subject);
        let rest = &self.sorted[start..];
        &rest[..rest.partition_point(|fact| fact.subject == subject)]
    }

    /// What is first said of a name with a word.
    pub(super) fn get(&self, subject: u32, word: Word) -> Option<Object> {
        let facts = self.of(subject);
        let at = facts.partition_point(|fact| fact.word < word);
        facts.get(at).filter(|fact| fact.word == word).map(|fact| fact.object)
    }

    /// The name that is first said of a name with a word.
    pub(super) fn node(&self, subject: u32, word: Word) -> Option<u32> {
        match self.get(subject, word)? {
            Object::Node(node) => Some(node),
            Object::Literal(..) => None,
        }
    }

    /// The members of a list. A list that is broken or bites its own tail is none.
    pub(super) fn list(&self, head: u32) -> Result<Vec<Object>, String> {
        let mut members = Vec::new();
        let mut node = head;
        while node != Word::Nil.number() {
            let (Some(first), Some(rest)) =
                (self.get(node, Word::First), self.node(node, Word::Rest))
            else {
                return Err("a list has a gap".to_owned());
            };
            members.push(first);
            node = rest;
            if members.len() > self.sorted.len() {
                return Err("a list has no end".to_owned());
            }
        }
        Ok(members)
    }
}
