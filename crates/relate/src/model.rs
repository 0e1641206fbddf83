use super::Edges;
use crate::values::ValueIndex;
use pellucid_bits::{Bits, as_u32};
use pellucid_data::INDIVIDUAL;
use pellucid_data::Register;
use pellucid_program::Domain;
use pellucid_program::{Kind, Schema};
use std::sync::Arc;

/// A binary relation between individuals, both ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    /// From subject to object.
    pub forward: Edges,
    /// From object to subject.
    pub inverse: Edges,
}

impl Links {
    /// A relation among so many individuals.
    #[must_use]
    pub fn new(individuals: usize, pairs: Vec<[u32; 2]>) -> Links {
        let forward = Edges::new(individuals, individuals, pairs);
        Links { inverse: forward.inverse(), forward }
    }
}

/// The values that individuals have of one data property: any number of them each.
///
/// To the kernels it is a role like any other, from individuals to the distinct values.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The distinct values: numbers ascending, or texts.
    pub values: Domain,
    /// From individuals to values.
    pub edges: Edges,
}

/// Everything that holds of a set of individuals: classes, roles, values. Closed: what is not said is not so.
///
/// Programs over it come from a pool with its [`World::schema`]. Their columns are the classes, by number;
/// then [`INDIVIDUAL`]; then one for each data property, which only a filler over that property may name.
/// Their roles are the object properties and then the data properties.
#[derive(Clone, Debug)]
pub struct World {
    individuals: Arc<Register>,
    class_names: Register,
    role_names: Register,
    property_names: Register,
    /// Shared, so that whoever works with a class need not copy it, and knows it again.
    classes: Vec<Arc<Bits>>,
    roles: Vec<Links>,
    properties: Vec<Property>,
    /// By data property: how its values are found.
    values: Vec<ValueIndex>,
}

/// What a role of a program leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Individuals, by an object property of this number.
    Individuals(usize),
    /// Values, by a data property of this number.
    Values(usize),
}

impl World {
    /// A world of named individuals, without anything said of them.
    #[must_use]
    pub fn new(individuals: Arc<Register>) -> World {
        World {
            individuals,
            class_names: Register::default(),
            role_names: Register::default(),
            property_names: Register::default(),
            classes: Vec::new(),
            roles: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds a class.
    ///
    /// # Panics
    /// When the name is taken or the bits are not as many as individuals.
    #[must_use]
    pub fn class(mut self, name: &str, members: Bits) -> World {
        assert_eq!(members.len(), self.len(), "a bit for every individual");
        assert_eq!(self.class_names.add(name) as usize, self.classes.len(), "class {name} is new");
        self.classes.push(Arc::new(members));
        self
    }

    /// Adds an object property.
    ///
    /// # Panics
    /// When the name is taken or the edges are not among these individuals.
    #[must_use]
    pub fn role(mut self, name: &str, links: Links) -> World {
        assert_eq!(links.forward.subject_count(), self.len(), "edges of these individuals");
        assert_eq!(links.forward.object_count(), self.len(), "edges among individuals");
        assert_eq!(self.role_names.add(name) as usize, self.roles.len(), "role {name} is new");
        self.roles.push(links);
        self
    }

    /// Adds a data property.
    ///
    /// # Panics
    /// When the name is taken or the edges are not from these individuals to these values.
    #[must_use]
    pub fn property(mut self, name: &str, property: Property) -> World {
        assert_eq!(property.edges.subject_count(), self.len(), "edges of these individuals");
        assert_eq!(property.edges.object_count(), ranks(&property.values), "edges to these values");
        let number = self.property_names.add(name) as usize;
        assert_eq!(number, self.properties.len(), "property {name} is new");
        self.values.push(ValueIndex::new(&property));
        self.properties.push(property);
        self
    }

    /// Adds members to a class, by its number; says whether anybody is new.
    ///
    /// # Panics
    /// When there is no such class or the bits are not as many as individuals.
    pub fn widen(&mut self, class: usize, members: &Bits) -> bool {
        Arc::make_mut(&mut self.classes[class]).or_with(members)
    }

    /// How many individuals there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.individuals.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.individuals.is_empty()
    }

    /// What the individuals are called.
    #[must_use]
    pub fn individuals(&self) -> &Arc<Register> {
        &self.individuals
    }

    /// What the classes are called.
    #[must_use]
    pub fn class_names(&self) -> &Register {
        &self.class_names
    }

    /// What the object properties are called.
    #[must_use]
    pub fn role_names(&self) -> &Register {
        &self.role_names
    }

    /// What the data properties are called.
    #[must_use]
    pub fn property_names(&self) -> &Register {
        &self.property_names
    }

    /// Who is in each class.
    #[must_use]
    pub fn classes(&self) -> &[Arc<Bits>] {
        &self.classes
    }

    /// The object properties.
    #[must_use]
    pub fn roles(&self) -> &[Links] {
        &self.roles
    }

    /// The data properties.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// How the values of a data property are found.
    pub(crate) fn values(&self, property: usize) -> &ValueIndex {
        &self.values[property]
    }

    /// The column of a program that says which individual it is.
    #[must_use]
    pub fn individual_column(&self) -> u32 {
        as_u32(self.classes.len())
    }

    /// The column of a program that is a value of a data property.
    #[must_use]
    pub fn value_column(&self, property: usize) -> u32 {
        as_u32(self.classes.len() + 1 + property)
    }

    /// What a role of a program leads to.
    #[must_use]
    pub fn target(&self, role: u32) -> Target {
        match (role as usize).checked_sub(self.roles.len()) {
            None => Target::Individuals(role as usize),
            Some(property) => Target::Values(property),
        }
    }

    /// The number of a data property among the roles of a program.
    #[must_use]
    pub fn property_role(&self, property: usize) -> u32 {
        as_u32(self.roles.len() + property)
    }

    /// What programs over this world may name.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let classes = self.class_names.iter().map(|name| (name, Kind::Boolean));
        let values = self.property_names.iter().zip(&self.properties).map(|(name, property)| {
            let kind = match property.values {
                Domain::Numeric(_) => Kind::Numeric,
                Domain::Nominal(_) | Domain::Boolean => Kind::Nominal,
            };
            (name, kind)
        });
        let columns = classes.chain([(INDIVIDUAL, Kind::Nominal)]).chain(values);
        Schema::new(columns).with_roles(self.role_names.iter().chain(self.property_names.iter()))
    }
}

/// How many distinct values a domain has.
fn ranks(domain: &Domain) -> usize {
    match domain {
        Domain::Numeric(values) => values.len(),
        Domain::Nominal(texts) => texts.len(),
        Domain::Boolean => 2,
    }
}
