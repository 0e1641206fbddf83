//! Annotations of frames and axioms.

use super::super::collect::Term;
use super::super::structural::Problem;
use super::super::vocabulary::Word;
use super::ManchesterReader;

impl ManchesterReader<'_> {
    /// Reads the annotations of an axiom, which are only counted.
    pub(super) fn axiom_annotations(&mut self) -> Result<(), Problem> {
        if self.skip("Annotations:")? {
            self.writer.collector.ignore(Word::Axiom.number());
            self.annotations(None)?;
        }
        Ok(())
    }

    /// Reads the annotations of a name, or those that are only counted.
    pub(super) fn annotations(&mut self, subject: Option<u32>) -> Result<(), Problem> {
        let mut nested = 0_usize;
        loop {
            // Annotations of an annotation come before it.
            while self.skip("Annotations:")? {
                nested += 1;
            }
            let property = self.name("an annotation property")?;
            let literal = self.literal()?;
            let value = match &literal {
                Some(literal) => Term::Literal(literal.borrowed()),
                None => Term::Node(self.name("a literal or a name")?),
            };
            if nested > 0 {
                // The last annotation of the nested list is followed by one without a comma.
                if !self.tokens.skip(",")? {
                    nested -= 1;
                }
                continue;
            }
            if let Some(subject) = subject {
                self.writer.collector.statements += 1;
                self.writer.annotation_of(subject, property, value);
            }
            if !self.tokens.skip(",")? {
                return Ok(());
            }
        }
    }
}
