//! The names in a knowledge base.

use super::{NameResolver, Sort};
use crate::KnowledgeBase;
use pellucid_data::{Datatype, Register};

impl KnowledgeBase {
    /// The IRIs of a sort, and the short names with the same numbers.
    fn registers(&self, sort: Sort) -> (&Register, &Register) {
        let (world, shown) = (&*self.world, &self.short_names);
        match sort {
            Sort::Class => (world.class_names(), &shown.classes),
            Sort::Role => (world.role_names(), &shown.roles),
            Sort::Property => (world.property_names(), &shown.properties),
            Sort::Individual => (world.individuals(), &shown.individuals),
        }
    }
}

impl NameResolver for KnowledgeBase {
    fn short_name(&self, sort: Sort, iri: &str) -> Option<&str> {
        let (iris, shown) = self.registers(sort);
        iris.find(iri).map(|number| shown.get(number))
    }

    fn code(&self, sort: Sort, iri: &str) -> Option<&str> {
        let (iris, shown) = self.registers(sort);
        let number = iris.find(iri)?;
        let [classes, roles, properties] = &self.short_names.codes;
        let codes = match sort {
            Sort::Class => classes,
            Sort::Role => roles,
            Sort::Property => properties,
            Sort::Individual => shown,
        };
        // A knowledge base that was not built from a file has no codes.
        let codes = if (number as usize) < codes.len() { codes } else { shown };
        Some(codes.get(number))
    }

    fn value_types(&self, property: &str) -> &[String] {
        let number = self.world.property_names().find(property);
        let types = number.and_then(|number| self.short_names.value_types.get(number as usize));
        types.map_or(&[], Vec::as_slice)
    }

    fn find_iri(&self, sort: Sort, name: &str) -> Option<&str> {
        let number = match sort {
            Sort::Class => self.find_class(name),
            Sort::Role => self.find_role(name),
            Sort::Property => self.find_property(name),
            Sort::Individual => self.find_individual(name),
        };
        number.map(|number| self.registers(sort).0.get(number))
    }

    fn short_names(&self, sort: Sort) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.registers(sort).1.iter())
    }

    fn datatype(&self, property: &str) -> Option<Datatype> {
        let number = self.world.property_names().find(property)?;
        self.short_names.datatypes.get(number as usize).copied()
    }
}
