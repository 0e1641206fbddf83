use super::Edges;
use crate::values::ValueIndex;
use pellucid_bits::{Bits, as_u32};
use pellucid_data::INDIVIDUAL;
use pellucid_data::Register;
use pellucid_program::Domain;
use pellucid_program::{Kind, Schema};
use std::sync::Arc;

/// A binary relation between individuals, in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    /// From subject to object.
    pub forward: Edges,
    /// From object to subject.
    pub inverse: Edges,
}

impl Links {
    /// Creates a relation among `individuals` individuals.
    #[must_use]
    pub fn new(individuals: usize, pairs: Vec<[u32; 2]>) -> Links {
        let forward = Edges::new(individuals, individuals, pairs);
        Links { inverse: forward.inverse(), forward }
    }
}

/// The values of one data property. An individual may have any number of values.
///
/// The kernels treat it as a role from individuals to distinct values.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The distinct values: ascending numbers, or texts.
    pub values: Domain,
    /// From individuals to values.
    pub edges: Edges,
}

/// All facts about a set of individuals: classes, roles and values. The world is closed: facts that
/// it does not contain are false.
///
/// Programs over a world come from a pool with its [`World::schema`]. Their columns are the
/// classes, by number; then [`INDIVIDUAL`]; then one column for each data property, which only a
/// filler of that property may use. Their roles are the object properties, followed by the data
/// properties.
#[derive(Clone, Debug)]
pub struct World {
    individuals: Arc<Register>,
    class_names: Register,
    role_names: Register,
    property_names: Register,
    /// Shared, so that users of a class need not copy it and can compare it by address.
    classes: Vec<Arc<Bits>>,
    roles: Vec<Links>,
    properties: Vec<Property>,
    /// By data property: the index of its values.
    values: Vec<ValueIndex>,
}

/// The objects that a role of a program leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Individuals, through the object property with this number.
    Individuals(usize),
    /// Values, through the data property with this number.
    Values(usize),
}

impl World {
    /// Creates a world of named individuals without any facts.
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
    /// If the name is already used, or if the number of bits differs from the number of individuals.
    #[must_use]
    pub fn class(mut self, name: &str, members: Bits) -> World {
        assert_eq!(members.len(), self.len(), "one bit per individual");
        assert_eq!(self.class_names.add(name) as usize, self.classes.len(), "class {name} is new");
        self.classes.push(Arc::new(members));
        self
    }

    /// Adds an object property.
    ///
    /// # Panics
    /// If the name is already used, or if the edges do not match the individuals.
    #[must_use]
    pub fn role(mut self, name: &str, links: Links) -> World {
        assert_eq!(
            links.forward.subject_count(),
            self.len(),
            "the subjects of the edges are the individuals"
        );
        assert_eq!(
            links.forward.object_count(),
            self.len(),
            "the objects of the edges are the individuals"
        );
        assert_eq!(self.role_names.add(name) as usize, self.roles.len(), "role {name} is new");
        self.roles.push(links);
        self
    }

    /// Adds a data property.
    ///
    /// # Panics
    /// If the name is already used, or if the edges do not match the individuals and values.
    #[must_use]
    pub fn property(mut self, name: &str, property: Property) -> World {
        assert_eq!(
            property.edges.subject_count(),
            self.len(),
            "the subjects of the edges are the individuals"
        );
        assert_eq!(
            property.edges.object_count(),
            ranks(&property.values),
            "the objects of the edges are the values"
        );
        let number = self.property_names.add(name) as usize;
        assert_eq!(number, self.properties.len(), "property {name} is new");
        self.values.push(ValueIndex::new(&property));
        self.properties.push(property);
        self
    }

    /// Adds members to a class, by its number. Returns whether any of them is new.
    ///
    /// # Panics
    /// If there is no such class, or if the number of bits differs from the number of individuals.
    pub fn widen(&mut self, class: usize, members: &Bits) -> bool {
        Arc::make_mut(&mut self.classes[class]).or_with(members)
    }

    /// Returns the number of individuals.
    #[must_use]
    pub fn len(&self) -> usize {
        self.individuals.len()
    }

    /// Returns whether there are no individuals.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.individuals.is_empty()
    }

    /// Returns the names of the individuals.
    #[must_use]
    pub fn individuals(&self) -> &Arc<Register> {
        &self.individuals
    }

    /// Returns the names of the classes.
    #[must_use]
    pub fn class_names(&self) -> &Register {
        &self.class_names
    }

    /// Returns the names of the object properties.
    #[must_use]
    pub fn role_names(&self) -> &Register {
        &self.role_names
    }

    /// Returns the names of the data properties.
    #[must_use]
    pub fn property_names(&self) -> &Register {
        &self.property_names
    }

    /// Returns the members of each class.
    #[must_use]
    pub fn classes(&self) -> &[Arc<Bits>] {
        &self.classes
    }

    /// Returns the object properties.
    #[must_use]
    pub fn roles(&self) -> &[Links] {
        &self.roles
    }

    /// Returns the data properties.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Returns the index of the values of a data property.
    pub(crate) fn values(&self, property: usize) -> &ValueIndex {
        &self.values[property]
    }

    /// Returns the column of a program that contains the name of the individual.
    #[must_use]
    pub fn individual_column(&self) -> u32 {
        as_u32(self.classes.len())
    }

    /// Returns the column of a program that contains a value of a data property.
    #[must_use]
    pub fn value_column(&self, property: usize) -> u32 {
        as_u32(self.classes.len() + 1 + property)
    }

    /// Returns the target of a role of a program.
    #[must_use]
    pub fn target(&self, role: u32) -> Target {
        match (role as usize).checked_sub(self.roles.len()) {
            None => Target::Individuals(role as usize),
            Some(property) => Target::Values(property),
        }
    }

    /// Returns the number of a data property among the roles of a program.
    #[must_use]
    pub fn property_role(&self, property: usize) -> u32 {
        as_u32(self.roles.len() + property)
    }

    /// Returns the schema of programs over this world.
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

/// Returns the number of distinct values of a domain.
fn ranks(domain: &Domain) -> usize {
    match domain {
        Domain::Numeric(values) => values.len(),
        Domain::Nominal(texts) => texts.len(),
        Domain::Boolean => 2,
    }
}
