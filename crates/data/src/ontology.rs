//! An ontology as stated in a file, before any inference.

use super::{Message, Register};
use pellucid_program::Expr;

/// The name of the column that holds the individual itself.
pub const INDIVIDUAL: &str = "individual";

/// Individuals, assertions about them, and axioms.
///
/// Readers return it; inference turns it into the knowledge base that learners use. All names are
/// IRIs; an individual without an IRI has a name of the form `_:label`. Class expressions use the
/// same names: `Expr::Is` names a class, and the role of `Expr::Related` is an object property or a
/// data property. The filler of a data property is a condition on one value, and its column has the
/// name of the property. An individual itself is the column [`INDIVIDUAL`](crate::INDIVIDUAL): `{a,
/// b}` is `individual in {a, b}`, and `r value a` is `some r (individual = a)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ontology {
    /// The file name without its extension.
    pub name: String,
    /// Named classes.
    pub classes: Register,
    /// Object properties.
    pub roles: Register,
    /// Data properties.
    pub properties: Register,
    /// Individuals, declared or inferred.
    pub individuals: Register,
    /// The lexical forms of literals.
    pub texts: Register,
    /// Pairs of individual and class.
    pub types: Vec<[u32; 2]>,
    /// Individuals of unnamed classes.
    pub described: Vec<(u32, Expr)>,
    /// The pairs of subject and object by object property.
    pub edges: Vec<Vec<[u32; 2]>>,
    /// The values by data property.
    pub values: Vec<Vec<Datum>>,
    /// The datatypes of the values by data property, such as `xsd:decimal`, and `@en` for texts in a
    /// language; sorted.
    pub value_types: Vec<Vec<String>>,
    /// The labels of classes and properties.
    pub labels: Vec<EntityLabel>,
    /// Pairs of equal individuals.
    pub same: Vec<[u32; 2]>,
    /// The axioms.
    pub axioms: Vec<Axiom>,
    /// The statements that were not used, by name, with their counts.
    pub ignored: Vec<(String, u64)>,
    /// The assumptions of the reader and what it ignored, with the line if there is one.
    pub notes: Vec<Message>,
    /// The number of statements.
    pub statements: u64,
}

/// A label of a class or a property, `rdfs:label`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityLabel {
    /// The IRI of what it names.
    pub iri: String,
    /// The text.
    pub text: String,
    /// The language tag, in lower case; empty without one.
    pub language: String,
}

/// A value of a data property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datum {
    /// The individual.
    pub subject: u32,
    /// The lexical form, an index into the ontology's texts.
    pub text: u32,
    /// The datatype.
    pub datatype: Datatype,
}

/// The datatype of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datatype {
    /// An integer of any width.
    Integer,
    /// Any other number.
    Real,
    /// `true`, `false`, `1` or `0`.
    Boolean,
    /// A date, with or without a time.
    Date,
    /// Any other literal, with or without a language tag.
    Text,
}

/// An object property, or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoleExpression {
    /// The number of the property.
    pub role: u32,
    /// Whether it leads from object to subject.
    pub inverse: bool,
}

/// An axiom.
#[derive(Clone, Debug, PartialEq)]
pub enum Axiom {
    /// The first class is a subclass of the second.
    SubClass(Expr, Expr),
    /// The classes are equivalent.
    Equivalent(Vec<Expr>),
    /// The classes are pairwise disjoint.
    Disjoint(Vec<Expr>),
    /// The chain of one or more properties is a subproperty of the last one.
    SubRole(Vec<RoleExpression>, RoleExpression),
    /// The object properties are equivalent.
    SameRole(RoleExpression, RoleExpression),
    /// The object property is symmetric.
    Symmetric(u32),
    /// The object property is transitive.
    Transitive(u32),
    /// The object property is reflexive.
    Reflexive(u32),
    /// The subjects of the object property are in the class.
    RoleDomain(u32, Expr),
    /// The objects of the object property are in the class.
    RoleRange(u32, Expr),
    /// The first data property is a subproperty of the second.
    SubProperty(u32, u32),
    /// The subjects of the data property are in the class.
    PropertyDomain(u32, Expr),
    /// Each subject has at most one object; learners may use this.
    FunctionalRole(u32),
    /// Each subject has at most one value.
    FunctionalProperty(u32),
}

/// A learning problem: individuals that the class expression should cover, and others that it should not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The name in the file.
    pub name: String,
    /// The IRIs of the positive examples.
    pub positive: Vec<String>,
    /// The IRIs of the negative examples.
    pub negative: Vec<String>,
}
