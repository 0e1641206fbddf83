use super::Datatype;
use pellucid_engine::data::Register;

/// How IRIs are shown to people, and found again from what people write.
///
/// The short name is what stands behind the last `#` or `/`. Where two things of one sort would be called alike, or the short name is
/// no name, the IRI itself is shown, in angle brackets.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Short names of classes, by number; as many as classes.
    pub classes: Register,
    /// Short names of object properties, by number.
    pub roles: Register,
    /// Short names of data properties, by number.
    pub properties: Register,
    /// Short names of individuals, by number.
    pub individuals: Register,
    /// By data property: what its values are.
    pub datatypes: Vec<Datatype>,
}
