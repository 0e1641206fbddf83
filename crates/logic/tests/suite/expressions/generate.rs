//! A small vocabulary with unusual names, random worlds and random expressions.

use pellucid_bits::Bits;
use pellucid_data::INDIVIDUAL;
use pellucid_data::{Datatype, Register};
use pellucid_logic::syntax::Lexicon;
use pellucid_program::{Domain, Edge, Expr, Interval, Op, Quantifier, Role, Value};
use pellucid_relate::Edges;
use pellucid_relate::{Links, Property, World};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

/// IRIs and short names.
type Pairs = &'static [(&'static str, &'static str)];

pub(crate) const CLASSES: Pairs = &[
    ("http://ex.org/#Male", "Male"),
    ("http://ex.org/#Parent", "Parent"),
    ("http://ex.org/#and", "and"),
    ("http://ex.org/#Thing", "Thing"),
    ("http://ex.org/#Carbon-22", "Carbon-22"),
    ("http://ex.org/#3d", "3d"),
    ("http://ex.org/#it's \\ odd", "it's \\ odd"),
    ("http://ex.org/#a.b", "a.b"),
    ("http://ex.org/#Größe", "Größe"),
    ("http://other.org/#Male", "<http://other.org/#Male>"),
    ("http://ex.org/#12", "12"),
    ("http://ex.org/#EXISTS", "EXISTS"),
];

pub(crate) const ROLES: Pairs = &[
    ("http://ex.org/#hasChild", "hasChild"),
    ("http://ex.org/#some", "some"),
    ("http://ex.org/#name", "name"),
    ("http://ex.org/#part of", "part of"),
    ("http://ex.org/#inverse", "inverse"),
];

pub(crate) const PROPERTIES: &[(&str, &str, Datatype)] = &[
    ("http://ex.org/#charge", "charge", Datatype::Real),
    ("http://ex.org/#rings", "rings", Datatype::Integer),
    ("http://ex.org/#value", "value", Datatype::Boolean),
    ("http://ex.org/#born", "born", Datatype::Date),
    // The same short name as an object property.
    ("http://ex.org/data#name", "name", Datatype::Text),
];

pub(crate) const INDIVIDUALS: Pairs = &[
    ("http://ex.org/#anna", "anna"),
    ("http://ex.org/#bert", "bert"),
    ("_:b0", "_:b0"),
    ("http://ex.org/#1", "1"),
    ("http://ex.org/#x,y", "x,y"),
    ("http://ex.org/#true", "true"),
    ("http://ex.org/#Male", "Male"),
];

pub(crate) const NUMBERS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    3.5,
    -2.25,
    1e-9,
    1e300,
    -1e-300,
    9_007_199_254_740_994.0,
    1e22,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

pub(crate) const WHOLE: &[f64] = &[0.0, 1.0, 2.0, -3.0, 9_007_199_254_740_994.0, 1e22];

pub(crate) const DATES: &[f64] =
    &[0.0, 86_400.0, 1_577_836_800.0, 1_577_836_800.5, -1.0, -62_135_596_800.0, 1e18, -1e-20, 0.1];

pub(crate) const TEXTS: &[&str] = &[
    "",
    "text",
    "with \"quotes\" and \\ backslash",
    ".*a|b[c]-^$",
    "two\nlines\tand tab",
    "it's",
    "true",
    "3.5",
    "\\n",
    "Größe ⊓",
];

/// The names of the vocabulary.
pub(crate) fn lexicon() -> Lexicon {
    let mut names = Lexicon::default().prefix("ex", "http://ex.org/#");
    for (iri, shown) in CLASSES {
        names = names.class(iri, shown);
    }
    for (iri, shown) in ROLES {
        names = names.role(iri, shown);
    }
    for (iri, shown, datatype) in PROPERTIES {
        names = names.property(iri, shown, *datatype);
    }
    for (iri, shown) in INDIVIDUALS {
        names = names.individual(iri, shown);
    }
    names
}

/// The distinct values of a data property, as a world has them.
fn domain(datatype: Datatype) -> (Domain, usize) {
    let numbers = |numbers: &[f64]| {
        let mut numbers: Vec<f64> = numbers.iter().map(|number| number + 0.0).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let count = numbers.len();
        (Domain::Numeric(numbers), count)
    };
    match datatype {
        Datatype::Real => numbers(NUMBERS),
        Datatype::Integer => numbers(WHOLE),
        Datatype::Date => numbers(DATES),
        Datatype::Boolean => (Domain::Boolean, 2),
        Datatype::Text => {
            (Domain::Nominal(TEXTS.iter().map(|&text| text.to_owned()).collect()), TEXTS.len())
        }
    }
}

/// A world without instances and edges.
pub(crate) fn empty_world() -> World {
    let pairs = vec![Vec::new(); ROLES.len() + PROPERTIES.len()];
    build(&vec![Vec::new(); CLASSES.len()], &pairs)
}

fn build(members: &[Vec<u32>], pairs: &[Vec<[u32; 2]>]) -> World {
    let count = INDIVIDUALS.len();
    let individuals: Register = INDIVIDUALS.iter().map(|(iri, _)| *iri).collect();
    let mut world = World::new(Arc::new(individuals));
    for ((iri, _), members) in CLASSES.iter().zip(members) {
        let mut bits = Bits::zeros(count);
        members.iter().for_each(|&member| bits.set(member as usize));
        world = world.class(iri, bits);
    }
    for ((iri, _), pairs) in ROLES.iter().zip(pairs) {
        world = world.role(iri, Links::new(count, pairs.clone()));
    }
    for ((iri, _, datatype), pairs) in PROPERTIES.iter().zip(&pairs[ROLES.len()..]) {
        let (values, distinct) = domain(*datatype);
        let wrap = |&[subject, value]: &[u32; 2]| [subject, value % distinct as u32];
        let edges = Edges::new(count, distinct, pairs.iter().map(wrap).collect());
        world = world.property(iri, Property { values, edges });
    }
    world
}

/// A world with random instances and edges.
pub(crate) fn world() -> impl Strategy<Value = World> {
    let count = INDIVIDUALS.len() as u32;
    let members = vec(vec(0..count, 0..5), CLASSES.len());
    let pair = [0..count, 0..count];
    let pairs = vec(vec(pair, 0..16), ROLES.len() + PROPERTIES.len());
    (members, pairs).prop_map(|(members, pairs)| build(&members, &pairs))
}

/// Random expressions over the vocabulary.
pub(crate) fn expr() -> impl Strategy<Value = Expr> {
    expr_with(|_| true)
}

/// Random expressions over the names that satisfy a predicate.
pub(crate) fn expr_with(passes: fn(&str) -> bool) -> impl Strategy<Value = Expr> {
    let kept = |pairs: Pairs| -> Vec<&'static str> {
        pairs.iter().map(|(iri, _)| *iri).filter(|iri| passes(iri)).collect()
    };
    let (classes, roles, individuals) = (kept(CLASSES), kept(ROLES), kept(INDIVIDUALS));
    let properties: Vec<_> = PROPERTIES.iter().copied().filter(|(iri, ..)| passes(iri)).collect();
    let individual = || select(individuals.clone()).prop_map(|iri| Value::Text(iri.to_owned()));
    let leaf = prop_oneof![
        any::<bool>().prop_map(Expr::Constant),
        select(classes.clone()).prop_map(|iri| Expr::Is(iri.to_owned())),
        select(classes).prop_map(|iri| Expr::Is(iri.to_owned())),
        (individual(), any::<bool>()).prop_map(|(individual, equal)| {
            let op = if equal { Op::Equal } else { Op::NotEqual };
            Expr::Compare(INDIVIDUAL.to_owned(), op, individual)
        }),
        vec(individual(), 0..4)
            .prop_map(|individuals| { Expr::OneOf(INDIVIDUAL.to_owned(), individuals) }),
        (quantifier(), select(properties)).prop_flat_map(|(quantifier, (iri, _, datatype))| {
            condition(iri, datatype).prop_map(move |filler| {
                let role = Role { name: iri.to_owned(), inverse: false };
                Expr::Related(quantifier, role, Box::new(filler))
            })
        }),
    ];
    leaf.prop_recursive(4, 24, 3, move |inner| {
        prop_oneof![
            inner.clone().prop_map(|operand| Expr::Not(Box::new(operand))),
            vec(inner.clone(), 2..4).prop_map(Expr::and),
            vec(inner.clone(), 2..4).prop_map(Expr::or),
            (quantifier(), select(roles.clone()), any::<bool>(), inner).prop_map(
                |(quantifier, iri, inverse, filler)| {
                    let role = Role { name: iri.to_owned(), inverse };
                    Expr::Related(quantifier, role, Box::new(filler))
                }
            ),
        ]
    })
}

pub(crate) fn quantifier() -> impl Strategy<Value = Quantifier> {
    prop_oneof![
        Just(Quantifier::Some),
        Just(Quantifier::Only),
        (0..4u32).prop_map(Quantifier::Min),
        (0..4u32).prop_map(Quantifier::Max),
        (0..4u32).prop_map(Quantifier::Exactly),
    ]
}

/// Random conditions on a value of a data property.
fn condition(property: &'static str, datatype: Datatype) -> impl Strategy<Value = Expr> {
    let column = property.to_owned();
    let numbers = match datatype {
        Datatype::Integer => WHOLE,
        Datatype::Date => DATES,
        _ => NUMBERS,
    };
    let value = match datatype {
        Datatype::Real | Datatype::Integer | Datatype::Date => {
            select(numbers).prop_map(Value::Number).boxed()
        }
        Datatype::Boolean => any::<bool>().prop_map(|value| Value::Text(value.to_string())).boxed(),
        Datatype::Text => select(TEXTS).prop_map(|text| Value::Text(text.to_owned())).boxed(),
    };
    let (one, many, other) = (column.clone(), column.clone(), column);
    let ordered = !matches!(datatype, Datatype::Boolean | Datatype::Text);
    let special = if ordered {
        let edge =
            || (select(numbers), any::<bool>()).prop_map(|(value, closed)| Edge { value, closed });
        let compared = other.clone();
        prop_oneof![
            (select(&Op::ALL[..]), select(numbers)).prop_map(move |(op, number)| {
                Expr::Compare(compared.clone(), op, Value::Number(number))
            }),
            (edge(), edge())
                .prop_map(move |(low, high)| Expr::Within(other.clone(), Interval { low, high })),
        ]
        .boxed()
    } else if datatype == Datatype::Text {
        select(TEXTS).prop_map(move |text| Expr::Contains(other.clone(), text.to_owned())).boxed()
    } else {
        any::<bool>().prop_map(Expr::Constant).boxed()
    };
    let leaf = prop_oneof![
        any::<bool>().prop_map(Expr::Constant),
        (value.clone(), any::<bool>()).prop_map(move |(value, equal)| {
            Expr::Compare(one.clone(), if equal { Op::Equal } else { Op::NotEqual }, value)
        }),
        vec(value, 0..4).prop_map(move |values| Expr::OneOf(many.clone(), values)),
        special,
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|operand| Expr::Not(Box::new(operand))),
            vec(inner.clone(), 2..4).prop_map(Expr::and),
            vec(inner, 2..4).prop_map(Expr::or),
        ]
    })
}
