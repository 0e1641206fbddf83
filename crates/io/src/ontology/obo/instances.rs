//! Individuals.

use super::super::collect::Term;
use super::super::structural::{Literal, Problem};
use super::super::vocabulary::Word;
use super::OboReader;
use super::clause::{Clause, Stanza, quoted};

impl OboReader<'_> {
    pub(super) fn instance(&mut self, stanza: &Stanza<'_>) -> Result<(), Problem> {
        let individual = self.subject(stanza)?;
        self.writer.collector.statements += 1;
        self.writer.declare(individual, Word::NamedIndividual);
        for clause in &stanza.clauses {
            match clause.tag {
                "id" => {}
                "name" => self.label(individual, clause),
                "instance_of" => {
                    let class = self.identifier(clause.identifier()?);
                    self.writer.collector.statements += 1;
                    self.writer.state(individual, Word::Type, class);
                }
                "relationship" | "property_value" => self.value(individual, clause)?,
                _ => self.ignore(clause),
            }
        }
        Ok(())
    }

    /// Reads `part_of X:1` or `has_mass "1.5" xsd:double`.
    fn value(&mut self, individual: u32, clause: &Clause<'_>) -> Result<(), Problem> {
        let Some((property, value)) = clause.value().split_once(char::is_whitespace) else {
            return Err(clause.unexpected("a relation and a value"));
        };
        let property = self.identifier(property);
        let value = value.trim();
        self.writer.collector.statements += 1;
        if !value.starts_with('"') {
            let object = self.identifier(value.split_whitespace().next().unwrap_or_default());
            self.writer.collector.state(individual, property, Term::Node(object));
            return Ok(());
        }
        let Some((text, rest)) = quoted(value) else {
            return Err(clause.unexpected("a text that ends with a quote"));
        };
        let datatype = match rest.split_whitespace().next() {
            Some(name) => {
                self.prefixes.expand(name).map_err(|message| Problem::new(clause.at, message))?
            }
            None => String::new(),
        };
        let literal = Literal { text, datatype, ..Literal::default() };
        self.writer.collector.state(individual, property, Term::Literal(literal.borrowed()));
        Ok(())
    }
}
