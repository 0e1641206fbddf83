use crate::expressions::generate::{
    CLASSES, INDIVIDUALS, ROLES, empty_world, expr, lexicon, world,
};
use pellucid_bits::Bits;
use pellucid_data::{Datatype, Register};
use pellucid_logic::explain::{Evidence, ExplainError, ExplanationNode, explain};
use pellucid_logic::syntax::{Lexicon, NameResolver, Sort, manchester};
use pellucid_program::{Domain, Expr, Programs, Quantifier};
use pellucid_relate::{Edges, Links, Property, World, spec};
use proptest::prelude::*;
use std::sync::Arc;

/// Asserts that every node of an explanation is true.
fn check(world: &World, part: &ExplanationNode, individual: u32) -> Result<(), TestCaseError> {
    let names = lexicon();
    let number = |shown: &str| {
        let iri = names.find_iri(Sort::Individual, shown).unwrap_or(shown);
        world.individuals().find(iri)
    };
    let of = match &part.of {
        Some(shown) => number(shown).ok_or_else(|| TestCaseError::fail("a known individual"))?,
        None => individual,
    };
    let expr = manchester::parse(&part.text, &names)
        .map_err(|error| TestCaseError::fail(error.to_string()))?;
    let mut programs = Programs::new(world.schema());
    let mut holds = |expr: &Expr, individual| {
        let id = programs.add(expr).expect("a known expression");
        spec::holds(world, &programs, id, individual)
    };
    prop_assert_eq!(holds(&expr, of), part.holds, "{}", &part.text);
    if let (Evidence::Fillers(fillers), Expr::Related(quantifier, _, filler)) =
        (&part.evidence, &expr)
    {
        prop_assert!(fillers.satisfying <= fillers.total);
        if !fillers.values {
            for yes in &fillers.yes {
                prop_assert!(number(yes).is_some_and(|yes| holds(filler, yes)), "{yes}");
            }
            for no in &fillers.no {
                prop_assert!(number(no).is_some_and(|no| !holds(filler, no)), "{no}");
            }
        }
        prop_assert!(fillers.yes.len() + fillers.no.len() <= fillers.total);
        let witness = match quantifier {
            Quantifier::Some => fillers.yes.first(),
            Quantifier::Only => fillers.no.first(),
            _ => None,
        };
        prop_assert_eq!(fillers.witness.as_ref(), witness);
    }
    match part.evidence {
        Evidence::And if !part.holds => prop_assert!(!part.parts[0].holds),
        Evidence::Or if part.holds => prop_assert!(part.parts[0].holds),
        _ => {}
    }
    part.parts.iter().try_for_each(|inner| check(world, inner, of))
}

proptest! {
    #[test]
    fn explanations_are_true(world in world(), expr in expr(), individual in 0..INDIVIDUALS.len() as u32) {
        let explained = explain(&world, &lexicon(), &expr, individual).expect("an explanation");
        let mut programs = Programs::new(world.schema());
        let id = programs.add(&expr).expect("a known expression");
        prop_assert_eq!(explained.holds, spec::holds(&world, &programs, id, individual));
        prop_assert!(!explained.to_string().is_empty());
        check(&world, &explained.part, individual)?;
    }
}

/// Heinz is male, with the children Anna (female) and Bert (male, aged 3 and 4); Anna has a child, Carl.
fn family() -> (World, Lexicon) {
    let names = ["Heinz", "Anna", "Bert", "Carl"];
    let mut lexicon = Lexicon::default()
        .class("x:Male", "Male")
        .class("x:Female", "Female")
        .role("x:hasChild", "hasChild")
        .property("x:age", "age", Datatype::Integer);
    for name in names {
        lexicon = lexicon.individual(&format!("x:{name}"), name);
    }
    let members = |members: &[usize]| {
        let mut bits = Bits::zeros(4);
        members.iter().for_each(|&member| bits.set(member));
        bits
    };
    let individuals: Register = names.iter().map(|name| format!("x:{name}")).collect();
    let world = World::new(Arc::new(individuals))
        .class("x:Male", members(&[0, 2, 3]))
        .class("x:Female", members(&[1]))
        .role("x:hasChild", Links::new(4, vec![[0, 1], [0, 2], [1, 3]]))
        .property(
            "x:age",
            Property {
                values: Domain::Numeric(vec![3.0, 4.0]),
                edges: Edges::new(4, 2, vec![[2, 0], [2, 1]]),
            },
        );
    (world, lexicon)
}

/// Individuals, expressions and expected explanations over [`family`].
const EXPLANATIONS: &[(&str, &str, &str)] = &[
    (
        "Heinz",
        "Male and hasChild some Female",
        "Heinz is covered: Male (true) and hasChild some Female (true: Anna)",
    ),
    ("Heinz", "Female", "Heinz is not covered: Female is false"),
    ("Heinz", "Female or Male", "Heinz is covered: Male (true)"),
    (
        "Bert",
        "Male and hasChild some Male",
        "Bert is not covered: hasChild some Male is false: no hasChild filler",
    ),
    (
        "Anna",
        "hasChild some Female",
        "Anna is not covered: hasChild some Female is false: \
         the only filler, Carl, is not in Female",
    ),
    (
        "Heinz",
        "hasChild some {Carl}",
        "Heinz is not covered: hasChild value Carl is false: \
         none of the 2 fillers (Anna, Bert) is in {Carl}",
    ),
    (
        "Heinz",
        "hasChild only Male",
        "Heinz is not covered: hasChild only Male is false: Anna is not in Male",
    ),
    (
        "Carl",
        "hasChild only Male",
        "Carl is covered: hasChild only Male (true: no hasChild filler)",
    ),
    (
        "Anna",
        "hasChild only Male",
        "Anna is covered: hasChild only Male (true: the only filler is Carl)",
    ),
    (
        "Heinz",
        "hasChild min 2",
        "Heinz is covered: hasChild min 2 owl:Thing (true: 2 fillers: Anna, Bert)",
    ),
    (
        "Heinz",
        "hasChild min 2 Male",
        "Heinz is not covered: hasChild min 2 Male is false: 1 of 2 fillers is in Male: Bert",
    ),
    (
        "Heinz",
        "not (hasChild some Female)",
        "Heinz is not covered: not (hasChild some Female) is false: Anna",
    ),
    (
        "Heinz",
        "hasChild only (hasChild only Female)",
        "Heinz is not covered: hasChild only (hasChild only Female) is false: \
         Anna is not in hasChild only Female (the only filler, Carl, is not in Female)",
    ),
    ("Bert", "age some xsd:integer[>= 4]", "Bert is covered: age some xsd:integer[>= 4] (true: 4)"),
    (
        "Bert",
        "age value 5",
        "Bert is not covered: age value 5 is false: none of the 2 values (3, 4) is in {5}",
    ),
    (
        "Bert",
        "Female or inverse hasChild some Female",
        "Bert is not covered: Female is false, and inverse hasChild some Female is false: \
         the only filler, Heinz, is not in Female",
    ),
];

#[test]
fn explanations_as_sentences() {
    let (world, names) = family();
    for (who, text, expected) in EXPLANATIONS {
        let expr =
            manchester::parse(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
        let number = world.individuals().find(&format!("x:{who}")).expect("a known individual");
        let explained = explain(&world, &names, &expr, number).expect("an explanation");
        assert_eq!(explained.to_string(), *expected);
    }
}

#[test]
fn invalid_expressions_are_refused() {
    let world = empty_world();
    let wrong = Expr::Is("http://ex.org/#nobody".to_owned());
    assert!(matches!(explain(&world, &lexicon(), &wrong, 0), Err(ExplainError::Program(_))));
    let right = Expr::Is(CLASSES[0].0.to_owned());
    assert!(matches!(
        explain(&world, &lexicon(), &right, 99),
        Err(ExplainError::Individual { .. })
    ));
    let role = pellucid_program::Role { name: ROLES[0].0.to_owned(), inverse: false };
    let value = Expr::Contains("http://ex.org/data#name".to_owned(), "x".to_owned());
    let misuse = Expr::Related(Quantifier::Some, role, Box::new(value));
    assert!(matches!(explain(&world, &lexicon(), &misuse, 0), Err(ExplainError::Misuse(_))));
}

#[test]
fn explanations_as_json() {
    let (world, names) = family();
    let expr = manchester::parse("Male and hasChild some Female", &names).expect("an expression");
    let explained = explain(&world, &names, &expr, 0).expect("an explanation");
    let json = serde_json::to_value(&explained).expect("JSON");
    assert_eq!(json["holds"], true);
    assert_eq!(json["part"]["kind"], "and");
    assert_eq!(json["part"]["parts"][1]["kind"], "fillers");
    assert_eq!(json["part"]["parts"][1]["witness"], "Anna");
}
