//! Implications or association rules in one value, with writers and a summary.

use crate::association::{self, AssociationRule, RuleOptions};
use crate::implications::{self, BaseOptions, CanonicalBase};
use crate::summary::{Completion, ImplicationsSummary};
use pellucid_bits::LevelError;
use pellucid_close::SearchStop;
use pellucid_data::Relation;
use pellucid_data::{Context, Names};
use std::io::{self, Write};

/// The stem base or the association rules of a context.
///
/// ```
/// use pellucid_concepts::consequences::{Consequences, ConsequencesFormat};
/// use pellucid_concepts::implications::BaseOptions;
/// use pellucid_data::Relation;
///
/// // Rows: cow, bee, hen.
/// let relation = Relation::new(3, [[0, 1].as_slice(), &[1, 2], &[2]])?;
/// let found = Consequences::base(&relation, &BaseOptions::default());
/// let mut text = Vec::new();
/// let names = ["milk", "hair", "eggs"].into_iter().collect();
/// found.write(ConsequencesFormat::Text, &names, &mut text)?;
/// assert_eq!(text, b"milk -> hair   (support 1)\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Consequences {
    /// The stem base (Duquenne-Guigues basis).
    Base(CanonicalBase),
    /// Association rules, and whether the list is complete.
    Rules(Vec<AssociationRule>, SearchStop),
}

/// The output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConsequencesFormat {
    /// One line of text per rule.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
    /// A CSV table with a header.
    Csv,
}

impl Consequences {
    /// Computes the stem base of a relation.
    #[must_use]
    pub fn base(relation: &Relation, options: &BaseOptions<'_>) -> Consequences {
        Consequences::Base(implications::base(relation, options))
    }

    /// Computes the association rules of a relation, in the order of the options.
    ///
    /// # Errors
    /// If `PELLUCID_SIMD` is not a level that this CPU supports.
    pub fn rules(
        relation: &Relation,
        options: &RuleOptions<'_>,
    ) -> Result<Consequences, LevelError> {
        let (rules, stop) = association::collect(relation, options)?;
        Ok(Consequences::Rules(rules, stop))
    }

    /// Whether the list is complete.
    #[must_use]
    pub fn stop(&self) -> SearchStop {
        match self {
            Consequences::Base(base) => base.stop,
            Consequences::Rules(_, stop) => *stop,
        }
    }

    /// The number of implications (rules with a confidence of 1).
    #[must_use]
    pub fn exact(&self) -> usize {
        match self {
            Consequences::Base(base) => base.implications.len(),
            Consequences::Rules(rules, _) => {
                rules.iter().filter(|rule| rule.confidence >= 1.0).count()
            }
        }
    }

    /// Summarizes the list.
    #[must_use]
    pub fn summary(
        &self,
        stop: Completion,
        seconds: f64,
        context: &Context,
    ) -> ImplicationsSummary {
        ImplicationsSummary {
            implications: self.exact(),
            rules: match self {
                Consequences::Base(_) => None,
                Consequences::Rules(rules, _) => Some(rules.len()),
            },
            seconds,
            stop,
            objects: context.objects.len(),
            attributes: context.attributes.len(),
        }
    }

    /// Writes the list with the names of the attributes.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(
        &self,
        format: ConsequencesFormat,
        attributes: &Names,
        out: &mut impl Write,
    ) -> io::Result<()> {
        use ConsequencesFormat::{Csv, Json, Text};
        match (self, format) {
            (Consequences::Base(base), Text) => {
                implications::text::write_text(out, &base.implications, attributes)
            }
            (Consequences::Base(base), Json) => {
                implications::text::write_json(out, &base.implications, attributes)
            }
            (Consequences::Base(base), Csv) => {
                implications::text::write_csv(out, &base.implications, attributes)
            }
            (Consequences::Rules(rules, _), Text) => {
                association::text::write_text(out, rules, attributes)
            }
            (Consequences::Rules(rules, _), Json) => {
                association::text::write_json(out, rules, attributes)
            }
            (Consequences::Rules(rules, _), Csv) => {
                association::text::write_csv(out, rules, attributes)
            }
        }
    }
}
