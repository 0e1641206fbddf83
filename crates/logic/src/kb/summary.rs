use super::{Datatype, KnowledgeBase};
use pellucid_data::Message;
use pellucid_program::Domain;
use std::fmt;

/// The contents of a knowledge base: counts, sizes and ignored constructs. Its `Display` form is a
/// page of text.
#[derive(Clone, Debug, PartialEq)]
pub struct KbSummary {
    /// The name of the ontology.
    pub name: String,
    /// The number of statements in the file.
    pub statements: u64,
    /// The number of individuals.
    pub individuals: usize,
    /// Classes, by descending number of instances.
    pub classes: Vec<ClassSummary>,
    /// Object properties, by descending number of edges.
    pub roles: Vec<RoleSummary>,
    /// Data properties, by descending number of values.
    pub properties: Vec<PropertySummary>,
    /// Constructs of the file that were ignored, by name, and how often each occurs.
    pub ignored: Vec<(String, u64)>,
    /// Notes about inferences, assumptions and ignored statements.
    pub notes: Vec<Message>,
}

/// A class in a [`KbSummary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSummary {
    /// The short name.
    pub name: String,
    /// The number of asserted instances.
    pub asserted: u64,
    /// The number of all instances.
    pub members: u64,
}

/// An object property in a [`KbSummary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleSummary {
    /// The short name.
    pub name: String,
    /// The number of asserted edges.
    pub asserted: u64,
    /// The number of all edges.
    pub edges: u64,
    /// The number of individuals with an edge.
    pub subjects: u64,
}

/// A data property in a [`KbSummary`].
#[derive(Clone, Debug, PartialEq)]
pub struct PropertySummary {
    /// The short name.
    pub name: String,
    /// The datatype of the values.
    pub datatype: Datatype,
    /// The number of values of all individuals.
    pub values: u64,
    /// The number of distinct values.
    pub distinct: usize,
    /// The number of individuals with a value.
    pub subjects: u64,
    /// The smallest and the largest value, for numbers and dates.
    pub range: Option<[f64; 2]>,
}

impl KnowledgeBase {
    /// Returns the summary of the knowledge base.
    #[must_use]
    pub fn summary(&self) -> KbSummary {
        let world = &self.world;
        let mut classes: Vec<ClassSummary> = (0u32..)
            .zip(world.classes().iter().zip(&self.asserted.classes))
            .map(|(number, (members, &asserted))| ClassSummary {
                name: self.show_class(number).to_owned(),
                asserted,
                members: members.count(),
            })
            .collect();
        let mut roles: Vec<RoleSummary> = (0u32..)
            .zip(world.roles().iter().zip(&self.asserted.roles))
            .map(|(number, (links, &asserted))| RoleSummary {
                name: self.show_role(number).to_owned(),
                asserted,
                edges: links.forward.len() as u64,
                subjects: links.forward.subjects().count(),
            })
            .collect();
        let mut properties: Vec<PropertySummary> = (0u32..)
            .zip(world.properties().iter().zip(&self.short_names.datatypes))
            .map(|(number, (property, &datatype))| PropertySummary {
                name: self.show_property(number).to_owned(),
                datatype,
                values: property.edges.len() as u64,
                distinct: property.edges.object_count(),
                subjects: property.edges.subjects().count(),
                range: match &property.values {
                    Domain::Numeric(numbers) => {
                        numbers.first().zip(numbers.last()).map(|(&low, &high)| [low, high])
                    }
                    Domain::Nominal(_) | Domain::Boolean => None,
                },
            })
            .collect();
        // The sort is stable: ties stay in the order of the file.
        classes.sort_by_key(|class| std::cmp::Reverse(class.members));
        roles.sort_by_key(|role| std::cmp::Reverse(role.edges));
        properties.sort_by_key(|property| std::cmp::Reverse(property.values));
        KbSummary {
            name: self.name.clone(),
            statements: self.asserted.statements,
            individuals: world.len(),
            classes,
            roles,
            properties,
            ignored: self.ignored.clone(),
            notes: self.notes.clone(),
        }
    }
}

impl fmt::Display for KbSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", super::page::page(self, super::page::MAX_LINES))
    }
}

impl KbSummary {
    /// Formats the summary with at most `most` lines per list.
    #[must_use]
    pub fn page(&self, most: usize) -> String {
        super::page::page(self, most)
    }
}
