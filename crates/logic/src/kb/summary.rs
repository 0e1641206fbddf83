use super::{Datatype, KnowledgeBase};
use pellucid_program::Domain;
use std::fmt;

/// What there is in a knowledge base: counts, sizes, what was passed over. It prints as a page for people.
#[derive(Clone, Debug, PartialEq)]
pub struct KbSummary {
    /// What the ontology is called.
    pub name: String,
    /// How many statements were read.
    pub statements: u64,
    /// How many individuals there are.
    pub individuals: usize,
    /// Classes, the largest first.
    pub classes: Vec<ClassSummary>,
    /// Object properties, those with most edges first.
    pub roles: Vec<RoleSummary>,
    /// Data properties, those with most values first.
    pub properties: Vec<PropertySummary>,
    /// What the file has and nothing was made of, by name, and how often.
    pub ignored: Vec<(String, u64)>,
    /// What was concluded, assumed or passed over, as sentences.
    pub notes: Vec<String>,
}

/// A class in a [`KbSummary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSummary {
    /// Its short name.
    pub name: String,
    /// Members that the file gives it.
    pub asserted: u64,
    /// All members.
    pub members: u64,
}

/// An object property in a [`KbSummary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleSummary {
    /// Its short name.
    pub name: String,
    /// Edges that the file has.
    pub asserted: u64,
    /// All edges.
    pub edges: u64,
    /// Individuals with an edge.
    pub subjects: u64,
}

/// A data property in a [`KbSummary`].
#[derive(Clone, Debug, PartialEq)]
pub struct PropertySummary {
    /// Its short name.
    pub name: String,
    /// What its values are.
    pub datatype: Datatype,
    /// Values of all individuals together.
    pub values: u64,
    /// Distinct values.
    pub distinct: usize,
    /// Individuals with a value.
    pub subjects: u64,
    /// The smallest and the largest number, where the values are numbers or dates.
    pub range: Option<[f64; 2]>,
}

impl KnowledgeBase {
    /// What there is in it.
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
            .zip(world.properties().iter().zip(&self.vocabulary.datatypes))
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
        // The sort is stable: equals stay in the order of the file.
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
        write!(f, "{}", super::page::page(self, super::page::LONGEST))
    }
}

impl KbSummary {
    /// The page for people, with at most so many lines in each list.
    #[must_use]
    pub fn page(&self, most: usize) -> String {
        super::page::page(self, most)
    }
}
