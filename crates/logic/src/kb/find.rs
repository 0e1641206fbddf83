use super::KnowledgeBase;
use super::vocabulary::find;
use pellucid_learn::suggest::nearest;

/// From what people write to numbers, and back.
///
/// People may write a short name, an IRI, an IRI in angle brackets, or a name with a well-known prefix such as `foaf:`.
impl KnowledgeBase {
    /// The number of a class.
    #[must_use]
    pub fn find_class(&self, written: &str) -> Option<u32> {
        find(&self.vocabulary.classes, self.world.class_names(), written)
    }

    /// The number of an object property.
    #[must_use]
    pub fn find_role(&self, written: &str) -> Option<u32> {
        find(&self.vocabulary.roles, self.world.role_names(), written)
    }

    /// The number of a data property.
    #[must_use]
    pub fn find_property(&self, written: &str) -> Option<u32> {
        find(&self.vocabulary.properties, self.world.property_names(), written)
    }

    /// The number of an individual, by any of its names.
    #[must_use]
    pub fn find_individual(&self, written: &str) -> Option<u32> {
        find(&self.vocabulary.individuals, self.world.individuals(), written).or_else(|| {
            let written = written.trim();
            let bare = written.strip_prefix('<').and_then(|iri| iri.strip_suffix('>'));
            self.vocabulary.aliases.get(bare.unwrap_or(written)).copied()
        })
    }

    /// The short name of a class.
    #[must_use]
    pub fn show_class(&self, number: u32) -> &str {
        self.vocabulary.classes.get(number)
    }

    /// The short name of an object property.
    #[must_use]
    pub fn show_role(&self, number: u32) -> &str {
        self.vocabulary.roles.get(number)
    }

    /// The short name of a data property.
    #[must_use]
    pub fn show_property(&self, number: u32) -> &str {
        self.vocabulary.properties.get(number)
    }

    /// The short name of an individual.
    #[must_use]
    pub fn show_individual(&self, number: u32) -> &str {
        self.vocabulary.individuals.get(number)
    }

    /// The class that was probably meant.
    #[must_use]
    pub fn suggest_class(&self, written: &str) -> Option<&str> {
        nearest(written, self.vocabulary.classes.iter())
    }

    /// The object or data property that was probably meant.
    #[must_use]
    pub fn suggest_property(&self, written: &str) -> Option<&str> {
        let roles = self.vocabulary.roles.iter();
        nearest(written, roles.chain(self.vocabulary.properties.iter()))
    }

    /// The individual that was probably meant.
    #[must_use]
    pub fn suggest_individual(&self, written: &str) -> Option<&str> {
        let short = super::vocabulary::local(written.trim_end_matches('>'));
        nearest(short, self.vocabulary.individuals.iter())
    }
}
