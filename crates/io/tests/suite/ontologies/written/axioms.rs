//! Random axioms.

use proptest::prelude::*;
use proptest::sample::select;

pub(super) const CLASSES: [&str; 4] = ["A", "B", "C", "D"];
pub(super) const ROLES: [&str; 3] = ["r", "s", "t"];
pub(super) const PROPERTIES: [&str; 2] = ["p", "q"];
pub(super) const INDIVIDUALS: [&str; 3] = ["a", "b", "c"];
/// An individual without a name.
pub(super) const ANONYMOUS: &str = "_:x";

#[derive(Clone, Debug)]
pub(super) enum Axiom {
    SubClass(&'static str, Class),
    Equivalent(&'static str, Class),
    Disjoint(Vec<&'static str>),
    DisjointUnion(&'static str, Vec<&'static str>),
    SubRole(&'static str, &'static str),
    Chain(Vec<Role>, &'static str),
    Inverse(&'static str, &'static str),
    Characteristic(&'static str, &'static str),
    Domain(&'static str, Class),
    Range(&'static str, Class),
    SubProperty(&'static str, &'static str),
    PropertyDomain(&'static str, Class),
    PropertyRange(&'static str, Range),
    Member(&'static str, Class),
    Related(&'static str, &'static str, &'static str),
    Valued(&'static str, &'static str, Literal),
    Same(&'static str, &'static str),
    Different(Vec<&'static str>),
    Label(&'static str, &'static str),
}

#[derive(Clone, Debug)]
pub(super) enum Class {
    Name(&'static str),
    And(Vec<Class>),
    Or(Vec<Class>),
    Not(Box<Class>),
    OneOf(Vec<&'static str>),
    Some(Role, Box<Class>),
    Only(Role, Box<Class>),
    Value(Role, &'static str),
    Count(&'static str, u32, Role, Option<Box<Class>>),
    Itself(Role),
    DataSome(&'static str, Range),
    DataOnly(&'static str, Range),
    DataValue(&'static str, Literal),
    DataCount(&'static str, u32, &'static str, Option<Range>),
}

#[derive(Clone, Debug)]
pub(super) enum Range {
    Name(&'static str),
    Facets(&'static str, Vec<(&'static str, i32)>),
    OneOf(Vec<Literal>),
    Not(Box<Range>),
    Or(Vec<Range>),
}

#[derive(Clone, Debug)]
pub(super) struct Role {
    pub(super) name: &'static str,
    pub(super) inverse: bool,
}

/// The text and the datatype; an empty one for a plain text.
#[derive(Clone, Debug)]
pub(super) struct Literal(pub(super) &'static str, pub(super) &'static str);

fn role() -> impl Strategy<Value = Role> {
    (select(ROLES.to_vec()), any::<bool>()).prop_map(|(name, inverse)| Role { name, inverse })
}

fn literal() -> impl Strategy<Value = Literal> {
    select(vec![
        Literal("1", "integer"),
        Literal("-2.5", "double"),
        Literal("x \"y\" <&> \\z", ""),
        Literal("true", "boolean"),
        Literal("2001-02-03", "date"),
    ])
}

fn individual() -> impl Strategy<Value = &'static str> {
    select(vec!["a", "b", "c", ANONYMOUS])
}

fn range() -> impl Strategy<Value = Range> {
    let facet = (select(vec![">=", ">", "<=", "<"]), -5..5);
    let leaf = prop_oneof![
        select(vec!["integer", "double"]).prop_map(Range::Name),
        (select(vec!["integer", "double"]), prop::collection::vec(facet, 1..3))
            .prop_map(|(name, facets)| Range::Facets(name, facets)),
        prop::collection::vec(literal(), 1..3).prop_map(Range::OneOf),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Range::Not(Box::new(inner))),
            prop::collection::vec(inner, 2..3).prop_map(Range::Or),
        ]
    })
}

fn class() -> impl Strategy<Value = Class> {
    let property = || select(PROPERTIES.to_vec());
    let count = || select(vec!["min", "max", "exactly"]);
    let leaf = prop_oneof![
        3 => select(CLASSES.to_vec()).prop_map(Class::Name),
        1 => prop::collection::vec(select(INDIVIDUALS.to_vec()), 1..3).prop_map(Class::OneOf),
        1 => (role(), select(INDIVIDUALS.to_vec())).prop_map(|(role, one)| Class::Value(role, one)),
        1 => role().prop_map(Class::Itself),
        1 => (property(), range()).prop_map(|(one, range)| Class::DataSome(one, range)),
        1 => (property(), range()).prop_map(|(one, range)| Class::DataOnly(one, range)),
        1 => (property(), literal()).prop_map(|(one, value)| Class::DataValue(one, value)),
        1 => (count(), 0..4_u32, property(), prop::option::of(range()))
            .prop_map(|(word, number, one, range)| Class::DataCount(word, number, one, range)),
    ];
    leaf.prop_recursive(3, 10, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Class::And),
            prop::collection::vec(inner, 2..4).prop_map(Class::Or),
            boxed.clone().prop_map(Class::Not),
            (role(), boxed.clone()).prop_map(|(role, class)| Class::Some(role, class)),
            (role(), boxed.clone()).prop_map(|(role, class)| Class::Only(role, class)),
            (select(vec!["min", "max", "exactly"]), 0..4_u32, role(), prop::option::of(boxed))
                .prop_map(|(word, number, role, class)| Class::Count(word, number, role, class)),
        ]
    })
}

pub(super) fn axioms() -> impl Strategy<Value = Axiom> {
    let name = || select(CLASSES.to_vec());
    let role_name = || select(ROLES.to_vec());
    let property = || select(PROPERTIES.to_vec());
    let names = |least: usize| prop::sample::subsequence(CLASSES.to_vec(), least..4);
    prop_oneof![
        2 => (name(), class()).prop_map(|(one, class)| Axiom::SubClass(one, class)),
        2 => (name(), class()).prop_map(|(one, class)| Axiom::Equivalent(one, class)),
        1 => names(2).prop_map(Axiom::Disjoint),
        1 => (name(), names(2)).prop_map(|(one, parts)| Axiom::DisjointUnion(one, parts)),
        1 => (role_name(), role_name()).prop_map(|(one, other)| Axiom::SubRole(one, other)),
        1 => (prop::collection::vec(role(), 2..4), role_name())
            .prop_map(|(steps, whole)| Axiom::Chain(steps, whole)),
        1 => (role_name(), role_name()).prop_map(|(one, other)| Axiom::Inverse(one, other)),
        1 => (select(vec!["Transitive", "Symmetric", "Functional", "Reflexive", "Asymmetric"]),
            role_name()).prop_map(|(kind, role)| Axiom::Characteristic(kind, role)),
        1 => (role_name(), class()).prop_map(|(one, class)| Axiom::Domain(one, class)),
        1 => (role_name(), class()).prop_map(|(one, class)| Axiom::Range(one, class)),
        1 => (property(), property()).prop_map(|(one, other)| Axiom::SubProperty(one, other)),
        1 => (property(), class()).prop_map(|(one, class)| Axiom::PropertyDomain(one, class)),
        1 => (property(), range()).prop_map(|(one, range)| Axiom::PropertyRange(one, range)),
        2 => (individual(), class()).prop_map(|(one, class)| Axiom::Member(one, class)),
        2 => (role_name(), individual(), individual())
            .prop_map(|(role, one, other)| Axiom::Related(role, one, other)),
        2 => (property(), individual(), literal())
            .prop_map(|(property, one, value)| Axiom::Valued(property, one, value)),
        1 => (select(INDIVIDUALS.to_vec()), select(INDIVIDUALS.to_vec()))
            .prop_map(|(one, other)| Axiom::Same(one, other)),
        1 => prop::sample::subsequence(INDIVIDUALS.to_vec(), 2..4).prop_map(Axiom::Different),
        1 => (name(), select(vec!["l", "m"])).prop_map(|(one, text)| Axiom::Label(one, text)),
    ]
}
