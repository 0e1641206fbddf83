//! What follows from what, always or nearly always, in one value: the canonical base, or rules with and without exceptions.

use crate::association::{self, AssociationRule, RuleOptions};
use crate::implications::{self, BaseOptions, CanonicalBase};
use crate::summary::{Completion, ImplicationsSummary};
use pellucid_close::Stop;
use pellucid_data::Relation;
use pellucid_data::{Context, Names};
use std::io::{self, Write};

/// What was asked for and found.
///
/// ```
/// use pellucid_concepts::consequences::{Consequences, ConsequencesFormat};
/// use pellucid_concepts::implications::BaseOptions;
/// use pellucid_data::Relation;
///
/// // A cow, a bee, a hen.
/// let relation = Relation::new(3, [[0, 1].as_slice(), &[1, 2], &[2]])?;
/// let found = Consequences::base(&relation, &BaseOptions::default());
/// let mut text = Vec::new();
/// found.write(ConsequencesFormat::Text, &["milk", "hair", "eggs"].into_iter().collect(), &mut text)?;
/// assert_eq!(text, b"milk -> hair   (support 1)\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Consequences {
    /// The fewest implications from which all others follow.
    Base(CanonicalBase),
    /// Rules, also with exceptions, and whether these are all.
    Rules(Vec<AssociationRule>, Stop),
}

/// The forms in which they are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConsequencesFormat {
    /// Lines for people.
    #[default]
    Text,
    /// An object per line.
    Json,
    /// A table with a header.
    Csv,
}

impl Consequences {
    /// The canonical base of a relation.
    #[must_use]
    pub fn base(relation: &Relation, options: &BaseOptions<'_>) -> Consequences {
        Consequences::Base(implications::base(relation, options))
    }

    /// The rules of a relation, in the order asked for.
    #[must_use]
    pub fn rules(relation: &Relation, options: &RuleOptions<'_>) -> Consequences {
        let (rules, stop) = association::collect(relation, options);
        Consequences::Rules(rules, stop)
    }

    /// Whether these are all.
    #[must_use]
    pub fn stop(&self) -> Stop {
        match self {
            Consequences::Base(base) => base.stop,
            Consequences::Rules(_, stop) => *stop,
        }
    }

    /// How many hold without exception.
    #[must_use]
    pub fn exact(&self) -> usize {
        match self {
            Consequences::Base(base) => base.implications.len(),
            Consequences::Rules(rules, _) => {
                rules.iter().filter(|rule| rule.confidence >= 1.0).count()
            }
        }
    }

    /// Sums them up.
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

    /// Writes them, with the names of the attributes.
    ///
    /// # Errors
    /// When writing fails.
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
