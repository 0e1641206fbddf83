use super::KnowledgeBase;
use super::short_names::find;
use pellucid_learn::suggest::nearest;

/// Lookup by name.
///
/// A name is a short name, a label that is shown in its place, an IRI, an IRI in angle brackets, or a
/// name with a well-known prefix such as `foaf:`.
impl KnowledgeBase {
    /// Returns the number of a class.
    #[must_use]
    pub fn find_class(&self, name: &str) -> Option<u32> {
        find(&self.short_names.classes, self.world.class_names(), name)
            .or_else(|| self.short_names.codes[0].find(name.trim()))
    }

    /// Returns the number of an object property.
    #[must_use]
    pub fn find_role(&self, name: &str) -> Option<u32> {
        find(&self.short_names.roles, self.world.role_names(), name)
            .or_else(|| self.short_names.codes[1].find(name.trim()))
    }

    /// Returns the number of a data property.
    #[must_use]
    pub fn find_property(&self, name: &str) -> Option<u32> {
        find(&self.short_names.properties, self.world.property_names(), name)
            .or_else(|| self.short_names.codes[2].find(name.trim()))
    }

    /// Returns the number of an individual, by any of its names.
    #[must_use]
    pub fn find_individual(&self, name: &str) -> Option<u32> {
        find(&self.short_names.individuals, self.world.individuals(), name).or_else(|| {
            let name = name.trim();
            let bare = name.strip_prefix('<').and_then(|iri| iri.strip_suffix('>'));
            self.short_names.aliases.get(bare.unwrap_or(name)).copied()
        })
    }

    /// Returns the short name of a class.
    #[must_use]
    pub fn show_class(&self, number: u32) -> &str {
        self.short_names.classes.get(number)
    }

    /// Returns the short name of an object property.
    #[must_use]
    pub fn show_role(&self, number: u32) -> &str {
        self.short_names.roles.get(number)
    }

    /// Returns the short name of a data property.
    #[must_use]
    pub fn show_property(&self, number: u32) -> &str {
        self.short_names.properties.get(number)
    }

    /// Returns the short name of an individual.
    #[must_use]
    pub fn show_individual(&self, number: u32) -> &str {
        self.short_names.individuals.get(number)
    }

    /// Returns the class with the most similar name.
    #[must_use]
    pub fn suggest_class(&self, name: &str) -> Option<&str> {
        nearest(name, self.short_names.classes.iter())
    }

    /// Returns the object or data property with the most similar name.
    #[must_use]
    pub fn suggest_property(&self, name: &str) -> Option<&str> {
        let roles = self.short_names.roles.iter();
        nearest(name, roles.chain(self.short_names.properties.iter()))
    }

    /// Returns the individual with the most similar name.
    #[must_use]
    pub fn suggest_individual(&self, name: &str) -> Option<&str> {
        let short = super::short_names::local(name.trim_end_matches('>'));
        nearest(short, self.short_names.individuals.iter())
    }
}
