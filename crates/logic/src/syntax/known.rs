//! A knowledge base knows the names of everything in it.

use super::{Names, Sort};
use crate::KnowledgeBase;
use pellucid_engine::data::{Datatype, Register};

impl KnowledgeBase {
    /// IRIs of a sort, and short names by the same number.
    fn registers(&self, sort: Sort) -> (&Register, &Register) {
        let (world, shown) = (&*self.world, &self.vocabulary);
        match sort {
            Sort::Class => (world.class_names(), &shown.classes),
            Sort::Role => (world.role_names(), &shown.roles),
            Sort::Property => (world.property_names(), &shown.properties),
            Sort::Individual => (world.individuals(), &shown.individuals),
        }
    }
}

impl Names for KnowledgeBase {
    fn shown(&self, sort: Sort, iri: &str) -> Option<&str> {
        let (iris, shown) = self.registers(sort);
        let number = iris.find(iri)?;
        Some(if (number as usize) < shown.len() { shown.get(number) } else { iris.get(number) })
    }

    fn by_shown(&self, sort: Sort, name: &str) -> Option<&str> {
        let (iris, shown) = self.registers(sort);
        let number = shown.find(name).filter(|&number| (number as usize) < iris.len())?;
        Some(iris.get(number))
    }

    fn all_shown(&self, sort: Sort) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.registers(sort).1.iter())
    }

    fn datatype(&self, property: &str) -> Option<Datatype> {
        let number = self.world.property_names().find(property)?;
        Some(self.vocabulary.datatypes.get(number as usize).copied().unwrap_or(Datatype::Text))
    }
}
