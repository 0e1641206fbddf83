//! Tests every inference about classes on small ontologies.

use crate::support::*;
use pellucid_data::{Axiom, Datatype};
use pellucid_logic::kb::Closure;
use pellucid_program::{Expr, Op, Quantifier, Value};

#[test]
fn instances_are_propagated_to_superclasses() {
    let kb = Builder::new()
        .is("anna", "Mother")
        .is("bert", "Person")
        .sub_class(is("Mother"), is("Parent"))
        .sub_class(is("Parent"), is("Person"))
        .kb();
    assert_eq!(members(&kb, "Person"), ["anna", "bert"]);
    assert_eq!(members(&kb, "Parent"), ["anna"]);
    assert_eq!(kb.asserted.classes, [1, 1, 0]);
}

#[test]
fn classes_on_a_cycle_are_equivalent() {
    let kb = Builder::new()
        .is("anna", "A")
        .is("bert", "B")
        .is("carl", "C")
        .sub_class(is("A"), is("B"))
        .sub_class(is("B"), is("C"))
        .sub_class(is("C"), is("A"))
        .sub_class(is("C"), is("D"))
        .kb();
    for class in ["A", "B", "C", "D"] {
        assert_eq!(members(&kb, class), ["anna", "bert", "carl"], "{class}");
    }
    let number = |name| kb.find_class(name).unwrap();
    assert_eq!(kb.classes.parents[number("A") as usize], [number("D")]);
    assert_eq!(kb.classes.children[number("D") as usize], [number("A"), number("B"), number("C")]);
}

#[test]
fn equivalent_classes_have_equal_instances() {
    let kb = Builder::new()
        .is("anna", "Woman")
        .is("berta", "Female")
        .equal(vec![is("Woman"), is("Female")])
        .kb();
    assert_eq!(members(&kb, "Woman"), ["anna", "berta"]);
    assert_eq!(members(&kb, "Female"), ["anna", "berta"]);
}

#[test]
fn an_intersection_is_applied_in_both_directions() {
    let kb = Builder::new()
        .is("anna", "Female")
        .is("anna", "Parent")
        .is("berta", "Mother")
        .is("carl", "Parent")
        .equal(vec![is("Mother"), Expr::And(vec![is("Female"), is("Parent")])])
        .kb();
    assert_eq!(members(&kb, "Mother"), ["anna", "berta"]);
    assert_eq!(members(&kb, "Female"), ["anna", "berta"]);
    assert_eq!(members(&kb, "Parent"), ["anna", "berta", "carl"]);
    let mother = kb.find_class("Mother").unwrap() as usize;
    assert_eq!(kb.classes.parents[mother].len(), 2);
}

#[test]
fn a_union_contains_its_operands() {
    let kb = Builder::new()
        .is("anna", "Cat")
        .is("bello", "Dog")
        .equal(vec![is("Pet"), Expr::Or(vec![is("Cat"), is("Dog")])])
        .kb();
    assert_eq!(members(&kb, "Pet"), ["anna", "bello"]);
    let number = |name| kb.find_class(name).unwrap();
    assert_eq!(kb.classes.parents[number("Cat") as usize], [number("Pet")]);
}

#[test]
fn a_complement_contains_all_other_individuals() {
    let kb = Builder::new()
        .is("anna", "Female")
        .is("bert", "Person")
        .equal(vec![is("Male"), not(is("Female"))])
        .kb();
    assert_eq!(members(&kb, "Male"), ["bert"]);
    assert_eq!(kb.disjoint.len(), 1);
    assert_eq!(kb.notes, [""; 0]);
}

#[test]
fn a_nominal_defines_a_class() {
    let list = |names: &[&str]| {
        let values = names.iter().map(|&name| Value::Text(name.into())).collect();
        Expr::OneOf("individual".into(), values)
    };
    let kb = Builder::new()
        .is("anna", "Person")
        .is("bert", "Person")
        .is("carl", "Person")
        .same("carl", "charles")
        .equal(vec![is("Chosen"), list(&["anna", "charles", "nobody"])])
        .equal(vec![is("Others"), not(list(&["anna", "charles"]))])
        .kb();
    assert_eq!(members(&kb, "Chosen"), ["anna", "carl"]);
    assert_eq!(members(&kb, "Others"), ["bert"]);
}

#[test]
fn restrictions_define_classes() {
    let family = Builder::new()
        .is("anna", "Female")
        .is("dora", "Female")
        .edge("anna", "hasChild", "bert")
        .edge("anna", "hasChild", "dora")
        .edge("bert", "hasChild", "carl")
        .value("anna", "age", "70", Datatype::Integer)
        .value("bert", "age", "40", Datatype::Integer);
    let old = Expr::Compare("age".into(), Op::GreaterEqual, Value::Number(60.0));
    let kb = family
        .equal(vec![is("Parent"), some("hasChild", thing())])
        .equal(vec![is("Child"), some("-hasChild", thing())])
        .equal(vec![is("Grandparent"), some("hasChild", is("Parent"))])
        .equal(vec![is("OnlyDaughters"), only("hasChild", is("Female"))])
        .equal(vec![is("Two"), related(Quantifier::Min(2), "hasChild", thing())])
        .equal(vec![is("AtMostOne"), related(Quantifier::Max(1), "hasChild", thing())])
        .equal(vec![is("One"), related(Quantifier::Exactly(1), "hasChild", thing())])
        .equal(vec![is("CarlsParent"), some("hasChild", one("carl"))])
        .equal(vec![is("Old"), some("age", old)])
        .kb();
    assert_eq!(members(&kb, "Parent"), ["anna", "bert"]);
    assert_eq!(members(&kb, "Child"), ["dora", "bert", "carl"]);
    assert_eq!(members(&kb, "Grandparent"), ["anna"]);
    assert_eq!(members(&kb, "OnlyDaughters"), ["dora", "carl"]);
    assert_eq!(members(&kb, "Two"), ["anna"]);
    assert_eq!(members(&kb, "AtMostOne"), ["dora", "bert", "carl"]);
    assert_eq!(members(&kb, "One"), ["bert"]);
    assert_eq!(members(&kb, "CarlsParent"), ["bert"]);
    assert_eq!(members(&kb, "Old"), ["anna"]);
}

#[test]
fn a_definition_may_be_recursive() {
    let kb = Builder::new()
        .is("adam", "Ancestor0")
        .edge("adam", "hasChild", "bert")
        .edge("bert", "hasChild", "carl")
        .edge("dora", "hasChild", "emil")
        .sub_class(is("Ancestor0"), is("Descendant"))
        .sub_class(some("-hasChild", is("Descendant")), is("Descendant"))
        .kb();
    assert_eq!(members(&kb, "Descendant"), ["adam", "bert", "carl"]);
}

#[test]
fn negated_classes_are_completed_first() {
    // Childless persons are not parents, and parents are defined.
    let kb = Builder::new()
        .is("anna", "Person")
        .is("bert", "Person")
        .is("carl", "Childless")
        .edge("anna", "hasChild", "bert")
        .equal(vec![is("Childless"), Expr::And(vec![is("Person"), not(is("Parent"))])])
        .equal(vec![is("Parent"), Expr::And(vec![is("Person"), some("hasChild", is("Person"))])])
        .kb();
    assert_eq!(members(&kb, "Parent"), ["anna"]);
    assert_eq!(members(&kb, "Childless"), ["bert", "carl"]);
    assert_eq!(members(&kb, "Person"), ["anna", "bert", "carl"]);
    assert!(!kb.notes.iter().any(|note| note.contains("negation")), "{:?}", kb.notes);
}

#[test]
fn mutually_negated_definitions_are_noted() {
    let kb = Builder::new()
        .is("anna", "Female")
        .is("bert", "Male")
        .is("chris", "Person")
        .equal(vec![is("Male"), not(is("Female"))])
        .equal(vec![is("Female"), not(is("Male"))])
        .kb();
    assert_eq!(members(&kb, "Male"), ["bert", "chris"]);
    assert_eq!(members(&kb, "Female"), ["anna", "chris"]);
    assert!(
        kb.notes[0]
            .starts_with("the definitions of 'Female', 'Male' depend on each other's negation")
    );
    // Chris is now in both classes, which are disjoint.
    assert!(kb.notes[1].contains("1 individual is in two disjoint classes"), "{}", kb.notes[1]);
}

#[test]
fn named_conjuncts_of_a_superclass_are_inferred_and_existentials_are_not() {
    let kb = Builder::new()
        .is("anna", "Mother")
        .sub_class(is("Mother"), Expr::And(vec![is("Female"), some("hasChild", is("Person"))]))
        .kb();
    assert_eq!(members(&kb, "Female"), ["anna"]);
    assert_eq!(members(&kb, "Person"), [""; 0]);
    assert_eq!(pairs(&kb, "hasChild"), [""; 0]);
    assert_eq!(
        kb.notes,
        ["1 superclass expression has no consequences in a closed world: 'some hasChild (Person)'"]
    );
}

#[test]
fn universal_restrictions_type_their_objects() {
    let vegan = Builder::new()
        .is("anna", "Vegan")
        .edge("anna", "eats", "carrot")
        .edge("bert", "eats", "sausage")
        .sub_class(is("Vegan"), only("eats", is("Plant")));
    assert_eq!(members(&vegan.clone().kb(), "Plant"), ["carrot"]);
    let closure = Closure { universals: false, ..Closure::default() };
    assert_eq!(members(&vegan.kb_with(&closure), "Plant"), [""; 0]);
}

#[test]
fn a_has_value_superclass_implies_an_edge() {
    let kb = Builder::new()
        .is("tomato", "Red")
        .edge("sky", "hasColour", "blue")
        .individual_named("red")
        .equal(vec![is("Red"), some("hasColour", one("red"))])
        .same_role("hasColour", "-colourOf")
        .sub_class(some("-hasColour", is("Red")), is("ColourOfSomethingRed"))
        .kb();
    assert_eq!(pairs(&kb, "hasColour"), ["sky-blue", "tomato-red"]);
    assert_eq!(pairs(&kb, "colourOf"), ["blue-sky", "red-tomato"]);
    assert_eq!(members(&kb, "ColourOfSomethingRed"), ["red"]);
    assert_eq!(kb.asserted.roles, [1, 0]);
}

#[test]
fn domains_and_ranges_are_types_unless_switched_off() {
    let mut family = Builder::new()
        .edge("anna", "hasChild", "bert")
        .value("carl", "age", "3", Datatype::Integer)
        .domain("hasChild", is("Parent"))
        .range("hasChild", is("Child"))
        .same_role("hasParent", "-hasChild");
    let age = family.property("age");
    family.class("Aged");
    let family = family.axiom(Axiom::PropertyDomain(age, is("Aged")));
    let kb = family.clone().kb();
    assert_eq!(members(&kb, "Parent"), ["anna"]);
    assert_eq!(members(&kb, "Child"), ["bert"]);
    assert_eq!(members(&kb, "Aged"), ["carl"]);
    let bias = family.kb_with(&Closure { domains_and_ranges: false, ..Closure::default() });
    assert_eq!(members(&bias, "Parent"), [""; 0]);
    // They are available as search bias in both cases, also for the inverse.
    for kb in [kb, bias] {
        let class = |name| kb.find_class(name).unwrap();
        assert_eq!(kb.role_domains, [vec![class("Parent")], vec![class("Child")]]);
        assert_eq!(kb.role_ranges, [vec![class("Child")], vec![class("Parent")]]);
        assert_eq!(kb.property_domains, [vec![class("Aged")]]);
    }
}

#[test]
fn individuals_of_anonymous_classes() {
    let kb = Builder::new()
        .described("anna", Expr::And(vec![is("Female"), only("hasChild", is("Happy"))]))
        .described("anna", some("hasFriend", one("dora")))
        .edge("anna", "hasChild", "bert")
        .edge("carl", "hasChild", "emil")
        .individual_named("dora")
        .kb();
    assert_eq!(members(&kb, "Female"), ["anna"]);
    assert_eq!(members(&kb, "Happy"), ["bert"]);
    assert_eq!(pairs(&kb, "hasFriend"), ["anna-dora"]);
}

#[test]
fn disjointness_is_kept_and_not_used_for_inference() {
    let kb = Builder::new()
        .is("anna", "A")
        .is("bert", "B")
        .is("bert", "C")
        .is("carl", "D")
        .disjoint(vec![is("A"), is("B"), is("C")])
        .sub_class(is("D"), not(is("A")))
        .equal(vec![Expr::Constant(false), Expr::And(vec![is("D"), is("B")])])
        .kb();
    assert_eq!(members(&kb, "D"), ["carl"]);
    assert_eq!(kb.disjoint, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]]);
    assert_eq!(
        kb.notes,
        ["1 individual is in two disjoint classes; the first is 'bert', in 'B' and 'C'"]
    );
}

#[test]
fn an_invalid_definition_is_ignored_with_a_note() {
    let kb = Builder::new()
        .value("anna", "name", "Anna", Datatype::Text)
        .equal(vec![
            is("Odd"),
            some("name", Expr::Compare("name".into(), Op::Greater, Value::Number(3.0))),
        ])
        .kb();
    assert_eq!(members(&kb, "Odd"), [""; 0]);
    assert!(kb.notes[0].starts_with("ignored a definition of 'Odd'"), "{:?}", kb.notes);
}
