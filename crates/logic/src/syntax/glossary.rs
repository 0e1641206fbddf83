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
    /// The labels that are shown in place of short names, by IRI.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The datatypes of the values of data properties where they are not the usual ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub value_types: BTreeMap<String, Vec<String>>,
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
        let labels = &mut self.labels;
        let mut shown = |sort, iri: &str| {
            let code = names.code(sort, iri).unwrap_or(iri);
            if let Some(label) = names.short_name(sort, iri).filter(|label| *label != code) {
                labels.insert(iri.to_owned(), label.to_owned());
            }
            code.to_owned()
        };
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
                        let kind = ValueKind::from(datatype);
                        let entry = (shown(Sort::Property, iri), kind);
                        self.data_properties.insert(iri.clone(), entry);
                        let types = names.value_types(iri);
                        if !types.is_empty()
                            && kind.usual_type().is_none_or(|usual| types != [usual])
                        {
                            self.value_types.insert(iri.clone(), types.to_vec());
                        }
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

    /// Returns the labels that denote one name only: a file may contain anything, and the text
    /// must mean what the expression means.
    fn usable_labels(&self) -> BTreeMap<&String, &String> {
        let properties = self.data_properties.iter().map(|(iri, (shown, _))| (iri, shown));
        let all = self.classes.iter().chain(&self.object_properties).chain(properties);
        let owners: BTreeMap<&String, &String> = all.map(|(iri, shown)| (shown, iri)).collect();
        let mut uses: BTreeMap<&String, u32> = BTreeMap::new();
        self.labels.values().for_each(|label| *uses.entry(label).or_default() += 1);
        let is_usable = |(iri, label): &(&String, &String)| {
            uses[label] == 1
                && owners.get(label).is_none_or(|owner| owner == iri)
                && !label.trim().is_empty()
                && !label.starts_with(['<', '_'])
        };
        self.labels.iter().filter(is_usable).collect()
    }

    /// Returns the names for parsers and printers.
    #[must_use]
    pub fn lexicon(&self) -> Lexicon {
        let mut lexicon = Lexicon::default();
        let labels = self.usable_labels();
        let name = |iri: &String, shown: &String| match labels.get(iri) {
            Some(label) => (*label).clone(),
            None => shown.clone(),
        };
        let properties = self.data_properties.iter().map(|(iri, (shown, _))| (iri, shown));
        for (iri, code) in self.classes.iter().chain(&self.object_properties).chain(properties) {
            if labels.contains_key(iri) {
                lexicon = lexicon.code(iri, code);
            }
        }
        for (iri, shown) in &self.classes {
            lexicon = lexicon.class(iri, &name(iri, shown));
        }
        for (iri, shown) in &self.object_properties {
            lexicon = lexicon.role(iri, &name(iri, shown));
        }
        for (iri, (shown, kind)) in &self.data_properties {
            lexicon = lexicon.property(iri, &name(iri, shown), (*kind).into());
            let usual = kind.usual_type().map(|usual| vec![usual.to_owned()]);
            if let Some(types) = self.value_types.get(iri).cloned().or(usual) {
                lexicon = lexicon.value_types(iri, types);
            }
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

impl ValueKind {
    /// Returns the datatype that values of this kind usually have; dates have two.
    fn usual_type(self) -> Option<&'static str> {
        match self {
            ValueKind::Integer => Some("xsd:integer"),
            ValueKind::Real => Some("xsd:double"),
            ValueKind::Boolean => Some("xsd:boolean"),
            ValueKind::Date => None,
            ValueKind::Text => Some("xsd:string"),
        }
    }
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
