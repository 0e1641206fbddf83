//! Classes.

use super::super::collect::mark;
use super::super::structural::{Filler, Literal, Problem};
use super::super::vocabulary::Word;
use super::OboReader;
use super::clause::{Clause, Stanza, unescape};

impl OboReader<'_> {
    pub(super) fn term(&mut self, stanza: &Stanza<'_>) -> Result<(), Problem> {
        let class = self.subject(stanza)?;
        self.writer.collector.statements += 1;
        self.writer.declare(class, Word::Class);
        let (mut intersection, mut union) = (Vec::new(), Vec::new());
        for clause in &stanza.clauses {
            let word = match clause.tag {
                "id" => continue,
                "name" => {
                    self.label(class, clause);
                    continue;
                }
                "intersection_of" => {
                    intersection.push(self.genus_or_restriction(clause)?);
                    continue;
                }
                "union_of" => {
                    union.push(self.genus_or_restriction(clause)?);
                    continue;
                }
                "relationship" => {
                    let upper = self.restriction(clause)?;
                    self.writer.collector.statements += 1;
                    self.writer.state(class, Word::SubClassOf, upper);
                    continue;
                }
                "is_a" => Word::SubClassOf,
                "equivalent_to" => Word::EquivalentClass,
                "disjoint_from" => Word::DisjointWith,
                _ => {
                    self.ignore(clause);
                    continue;
                }
            };
            let other = self.identifier(clause.identifier()?);
            self.writer.collector.statements += 1;
            self.writer.state(class, word, other);
        }
        for (parts, word) in [(intersection, Word::IntersectionOf), (union, Word::UnionOf)] {
            if !parts.is_empty() {
                let definition = self.writer.combination(word, &parts, false);
                self.writer.collector.statements += 1;
                self.writer.state(class, Word::EquivalentClass, definition);
            }
        }
        Ok(())
    }

    /// Keeps the label of a stanza.
    pub(super) fn label(&mut self, subject: u32, clause: &Clause<'_>) {
        let literal = Literal { text: unescape(clause.value()), ..Literal::default() };
        self.writer.collector.statements += 1;
        self.writer.state_literal(subject, Word::Label.number(), &literal);
    }

    /// Reads `GO:1` or `part_of GO:1`.
    fn genus_or_restriction(&mut self, clause: &Clause<'_>) -> Result<u32, Problem> {
        if clause.value().split_whitespace().nth(1).is_some() {
            return self.restriction(clause);
        }
        Ok(self.identifier(clause.identifier()?))
    }

    /// Reads `part_of GO:1 {cardinality="2"}`.
    fn restriction(&mut self, clause: &Clause<'_>) -> Result<u32, Problem> {
        let (relation, class) = clause.two_words()?;
        let property = self.identifier(relation);
        let class = self.identifier(class);
        self.writer.collector.mark(property, mark::ROLE);
        let mut parts = Vec::new();
        for (name, word) in [
            ("cardinality", Word::Cardinality),
            ("minCardinality", Word::MinCardinality),
            ("maxCardinality", Word::MaxCardinality),
        ] {
            let Some(text) = clause.qualifier(name) else { continue };
            let count = Literal { text: text.to_owned(), ..Literal::default() };
            let filler = Filler::Class(class);
            parts.push(self.writer.restriction(property, word, filler, Some(&count)));
        }
        if clause.qualifier("all_only") == Some("true") {
            let filler = Filler::Class(class);
            parts.push(self.writer.restriction(property, Word::AllValuesFrom, filler, None));
        }
        if parts.is_empty() || clause.qualifier("all_some") == Some("true") {
            let filler = Filler::Class(class);
            parts.push(self.writer.restriction(property, Word::SomeValuesFrom, filler, None));
        }
        match parts[..] {
            [only] => Ok(only),
            _ => Ok(self.writer.combination(Word::IntersectionOf, &parts, false)),
        }
    }
}
