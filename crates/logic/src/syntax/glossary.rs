//! The names that expressions use, as they are kept beside them in a file.

use super::{Lexicon, Names, Sort};
use crate::kb::{is_name, local};
use pellucid_data::Datatype;
use pellucid_data::{INDIVIDUAL, shorten};
use pellucid_program::{Expr, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// IRIs and how they are shown, for texts about an ontology that is not at hand.
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
    /// Classes: IRI and shown name.
    pub classes: BTreeMap<String, String>,
    /// Object properties.
    pub object_properties: BTreeMap<String, String>,
    /// Data properties: IRI, shown name and what the values are.
    pub data_properties: BTreeMap<String, (String, ValueKind)>,
    /// Individuals.
    pub individuals: BTreeMap<String, String>,
}

/// What the values of a data property are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Whole numbers.
    Integer,
    /// Other numbers.
    Real,
    /// Truth values.
    Boolean,
    /// Days, without or with a time.
    Date,
    /// Anything else.
    Text,
}

impl Glossary {
    /// All names in expressions, as `names` shows them.
    #[must_use]
    pub fn of<'e>(exprs: impl IntoIterator<Item = &'e Expr>, names: &dyn Names) -> Glossary {
        let mut glossary = Glossary::default();
        exprs.into_iter().for_each(|expr| glossary.add(expr, names));
        glossary
    }

    fn add(&mut self, expr: &Expr, names: &dyn Names) {
        let shown = |sort, iri: &str| names.shown(sort, iri).unwrap_or(iri).to_owned();
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

    fn individual(&mut self, value: &Value, names: &dyn Names) {
        if let Value::Text(iri) = value {
            let shown = names.shown(Sort::Individual, iri).unwrap_or(iri);
            self.individuals.insert(iri.clone(), shown.to_owned());
        }
    }

    /// Looks whether every IRI is shown by its own name, its last part or the whole of it, and no two by the same: a file may
    /// say anything, and what a person reads must be what the expression means.
    ///
    /// # Errors
    /// Names the IRI and what it is called.
    pub fn check(&self) -> Result<(), WrongName> {
        let properties = self.data_properties.iter().map(|(iri, (shown, _))| (iri, shown));
        sound(&self.classes)?;
        sound(&self.object_properties)?;
        sound(properties)?;
        sound(&self.individuals)
    }

    /// The names as parsers and printers want them.
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

/// A name that is not that of its IRI.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{iri}' is called '{shown}', which is not its name or is that of another; '{}' or '<{iri}>' was expected",
    local(iri)
)]
pub struct WrongName {
    /// What is called so.
    pub iri: String,
    /// What it is called.
    pub shown: String,
}

fn sound<'a>(names: impl IntoIterator<Item = (&'a String, &'a String)>) -> Result<(), WrongName> {
    let mut known = std::collections::HashSet::new();
    for (iri, shown) in names {
        let whole = shown.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) == Some(iri);
        let own = whole || shown == iri || (shown == local(iri) && is_name(shown));
        if !own || !known.insert(shown) {
            let (iri, shown) = (shorten(iri).into_owned(), shorten(shown).into_owned());
            return Err(WrongName { iri, shown });
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
