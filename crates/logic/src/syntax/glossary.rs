//! The names of expressions, as stored in model files.

use super::{Lexicon, NameResolver, Sort};
use crate::kb::{is_name, local};
use pellucid_data::Datatype;
use pellucid_data::{INDIVIDUAL, shorten};
use pellucid_program::{Expr, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The short names of IRIs, for texts about an ontology that is not loaded.
///
/// ```
/// use pellucid_program::Expr;
/// use pellucid_logic::syntax::{Glossary, Lexicon, dl};
/// let names = Lexicon::default().class("http://ex.org/family#Male", "Male");
/// let male = Expr::Is("http://ex.org/family#Male".to_owned());
/// let kept = Glossary::of([&male], &names);
/// assert_eq!(dl::print(&male, &kept.lexicon()), "Male");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Glossary {
    /// Classes: IRI and short name.
    pub classes: BTreeMap<String, String>,
    /// Object properties.
    pub object_properties: BTreeMap<String, String>,
    /// Data properties: IRI, short name and datatype.
    pub data_properties: BTreeMap<String, (String, ValueKind)>,
    /// Individuals.
    pub individuals: BTreeMap<String, String>,
}

/// The datatype of a data property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Integers.
    Integer,
    /// Real numbers.
    Real,
    /// Truth values.
    Boolean,
    /// Dates, with or without a time.
    Date,
    /// Any other values.
    Text,
}

impl Glossary {
    /// Collects all names in expressions, as `names` shows them.
    #[must_use]
    pub fn of<'e>(exprs: impl IntoIterator<Item = &'e Expr>, names: &dyn NameResolver) -> Glossary {
        let mut glossary = Glossary::default();
        exprs.into_iter().for_each(|expr| glossary.add(expr, names));
        glossary
    }

    fn add(&mut self, expr: &Expr, names: &dyn NameResolver) {
        let shown = |sort, iri: &str| names.short_name(sort, iri).unwrap_or(iri).to_owned();
        match expr {
            Expr::Constant(_) | Expr::Within(..) | Expr::Contains(..) => {}
            Expr::Is(class) => {
                self.classes.insert(class.clone(), shown(Sort::Class, class));
            }
            Expr::Not(operand) => self.add(operand, names),
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().for_each(|operand| self.add(operand, names));
            }
            Expr::Compare(column, _, value) if column == INDIVIDUAL => {
                self.individual(value, names);
            }
            Expr::OneOf(column, values) if column == INDIVIDUAL => {
                values.iter().for_each(|value| self.individual(value, names));
            }
            Expr::Compare(..) | Expr::OneOf(..) => {}
            Expr::Related(_, role, filler) => {
                let iri = &role.name;
                match names.datatype(iri).filter(|_| names.leads_to_values(iri)) {
                    Some(datatype) => {
                        let entry = (shown(Sort::Property, iri), ValueKind::from(datatype));
                        self.data_properties.insert(iri.clone(), entry);
                    }
                    None => {
                        self.object_properties.insert(iri.clone(), shown(Sort::Role, iri));
                    }
                }
                self.add(filler, names);
            }
        }
    }

    fn individual(&mut self, value: &Value, names: &dyn NameResolver) {
        if let Value::Text(iri) = value {
            let shown = names.short_name(Sort::Individual, iri).unwrap_or(iri);
            self.individuals.insert(iri.clone(), shown.to_owned());
        }
    }

    /// Checks that every IRI is shown by its local name or in full, and that no two share a name: a
    /// file may contain anything, and the text must mean what the expression means.
    ///
    /// # Errors
    /// The IRI and its wrong name.
    pub fn check(&self) -> Result<(), GlossaryError> {
        let properties = self.data_properties.iter().map(|(iri, (shown, _))| (iri, shown));
        check_names(&self.classes)?;
        check_names(&self.object_properties)?;
        check_names(properties)?;
        check_names(&self.individuals)
    }

    /// Returns the names for parsers and printers.
    #[must_use]
    pub fn lexicon(&self) -> Lexicon {
        let mut lexicon = Lexicon::default();
        for (iri, shown) in &self.classes {
            lexicon = lexicon.class(iri, shown);
        }
        for (iri, shown) in &self.object_properties {
            lexicon = lexicon.role(iri, shown);
        }
        for (iri, (shown, kind)) in &self.data_properties {
            lexicon = lexicon.property(iri, shown, (*kind).into());
        }
        for (iri, shown) in &self.individuals {
            lexicon = lexicon.individual(iri, shown);
        }
        lexicon
    }
}

/// A short name that does not belong to its IRI.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{iri}' has the short name '{shown}'; expected '{}' or '<{iri}>', not shared with another IRI",
    local(iri)
)]
pub struct GlossaryError {
    /// The IRI.
    pub iri: String,
    /// Its short name.
    pub shown: String,
}

fn check_names<'a>(
    names: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<(), GlossaryError> {
    let mut known = std::collections::HashSet::new();
    for (iri, shown) in names {
        let whole = shown.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) == Some(iri);
        let own = whole || shown == iri || (shown == local(iri) && is_name(shown));
        if !own || !known.insert(shown) {
            let (iri, shown) = (shorten(iri).into_owned(), shorten(shown).into_owned());
            return Err(GlossaryError { iri, shown });
        }
    }
    Ok(())
}

impl From<Datatype> for ValueKind {
    fn from(datatype: Datatype) -> ValueKind {
        match datatype {
            Datatype::Integer => ValueKind::Integer,
            Datatype::Real => ValueKind::Real,
            Datatype::Boolean => ValueKind::Boolean,
            Datatype::Date => ValueKind::Date,
            Datatype::Text => ValueKind::Text,
        }
    }
}

impl From<ValueKind> for Datatype {
    fn from(kind: ValueKind) -> Datatype {
        match kind {
            ValueKind::Integer => Datatype::Integer,
            ValueKind::Real => Datatype::Real,
            ValueKind::Boolean => Datatype::Boolean,
            ValueKind::Date => Datatype::Date,
            ValueKind::Text => Datatype::Text,
        }
    }
}
