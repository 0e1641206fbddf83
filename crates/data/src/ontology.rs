//! An ontology as a file has it, before anything is concluded from it.

use super::Register;
use pellucid_program::Expr;

/// The name of the column that says which individual it is.
pub const INDIVIDUAL: &str = "individual";

/// Individuals, what is asserted of them, and the axioms.
///
/// Readers return it; the knowledge base that learners work with is made of it by drawing the conclusions. Everything is
/// called by its IRI; an individual without one is called `_:` and a label. In class expressions, too: `Expr::Is` names a
/// class, the role of `Expr::Related` an object property or a data property. The filler over a data property is a
/// condition on one value, and its column has the name of the property. An individual itself is the column
/// [`INDIVIDUAL`](crate::INDIVIDUAL): `{a, b}` is `individual in {a, b}`, and `r value a` is
/// `some r (individual = a)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ontology {
    /// The file's stem.
    pub name: String,
    /// Named classes.
    pub classes: Register,
    /// Object properties.
    pub roles: Register,
    /// Data properties.
    pub properties: Register,
    /// Individuals, declared or only met.
    pub individuals: Register,
    /// What literals are written as.
    pub texts: Register,
    /// Individual and class.
    pub types: Vec<[u32; 2]>,
    /// Individuals of classes without a name.
    pub described: Vec<(u32, Expr)>,
    /// By object property: subject and object.
    pub edges: Vec<Vec<[u32; 2]>>,
    /// By data property: what its subjects have.
    pub values: Vec<Vec<Datum>>,
    /// Pairs of individuals that are one.
    pub same: Vec<[u32; 2]>,
    /// What holds in general.
    pub axioms: Vec<Axiom>,
    /// What was met and not made use of, by name, and how often.
    pub ignored: Vec<(String, u64)>,
    /// Everything the reader assumed or passed over, as sentences that name the line where there is one.
    pub notes: Vec<String>,
    /// How many statements were read.
    pub statements: u64,
}

/// A value of a data property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datum {
    /// Whose it is.
    pub subject: u32,
    /// How it is written, among the ontology's texts.
    pub text: u32,
    /// What it is said to be.
    pub datatype: Datatype,
}

/// What a literal is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datatype {
    /// A whole number of any width.
    Integer,
    /// Any other number.
    Real,
    /// `true`, `false`, `1` or `0`.
    Boolean,
    /// A day, without or with a time.
    Date,
    /// Anything else, with or without a language.
    Text,
}

/// An object property, or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Its number.
    pub role: u32,
    /// Whether it is followed from object to subject.
    pub inverse: bool,
}

/// What holds in general.
#[derive(Clone, Debug, PartialEq)]
pub enum Axiom {
    /// Whatever is in the first class is in the second.
    SubClass(Expr, Expr),
    /// Classes of the same individuals.
    Equivalent(Vec<Expr>),
    /// Classes no two of which share an individual.
    Disjoint(Vec<Expr>),
    /// Whoever is reached along the steps, one or more, is reached by the last.
    SubRole(Vec<Step>, Step),
    /// Object properties that say the same.
    SameRole(Step, Step),
    /// It leads back as well.
    Symmetric(u32),
    /// What it reaches in two steps, it reaches in one.
    Transitive(u32),
    /// Everybody is related to themselves.
    Reflexive(u32),
    /// Whoever has an object by the property is in the class.
    RoleDomain(u32, Expr),
    /// Whoever is an object of the property is in the class.
    RoleRange(u32, Expr),
    /// Every value of the first data property is one of the second.
    SubProperty(u32, u32),
    /// Whoever has a value of the data property is in the class.
    PropertyDomain(u32, Expr),
    /// At most one object or value each; kept for learners to make use of.
    FunctionalRole(u32),
    /// At most one value each.
    FunctionalProperty(u32),
}

/// A learning problem: individuals that the class expression sought should hold for, and others that it should not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// What the file calls it.
    pub name: String,
    /// Those it should hold for, as the file calls them: IRIs.
    pub positive: Vec<String>,
    /// Those it should not hold for.
    pub negative: Vec<String>,
}
