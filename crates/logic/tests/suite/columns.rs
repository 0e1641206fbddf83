//! Tests that data properties become columns of one datatype each.

use crate::support::*;
use pellucid_data::{Axiom, Datatype};
use pellucid_logic::kb::KnowledgeBase;
use pellucid_program::Domain;

fn column<'a>(kb: &'a KnowledgeBase, name: &str) -> (&'a Domain, Vec<[u32; 2]>, Datatype) {
    let number = kb.find_property(name).unwrap() as usize;
    let property = &kb.world.properties()[number];
    (&property.values, property.edges.pairs().collect(), kb.short_names.datatypes[number])
}

#[test]
fn integers_and_real_numbers_are_distinct_numbers() {
    let kb = Builder::new()
        .value("a", "size", "10", Datatype::Integer)
        .value("a", "size", " +1.0e1 ", Datatype::Real)
        .value("b", "size", "-INF", Datatype::Real)
        .value("b", "size", "-0.0", Datatype::Real)
        .value("c", "size", "0", Datatype::Integer)
        .kb();
    let (values, edges, kind) = column(&kb, "size");
    assert_eq!(*values, Domain::Numeric(vec![f64::NEG_INFINITY, 0.0, 10.0]));
    assert_eq!(edges, [[0, 2], [1, 0], [1, 1], [2, 1]]);
    assert_eq!(kind, Datatype::Real);
    assert_eq!(kb.notes, [""; 0]);
}

#[test]
fn invalid_numbers_are_ignored_and_counted() {
    let kb = Builder::new()
        .value("a", "size", "10", Datatype::Integer)
        .value("b", "size", "ten", Datatype::Integer)
        .value("c", "size", "NaN", Datatype::Real)
        .value("d", "size", "NaN", Datatype::Real)
        .kb();
    assert_eq!(*column(&kb, "size").0, Domain::Numeric(vec![10.0]));
    assert_eq!(
        kb.notes,
        ["ignored 3 values of 'size' that cannot be read as a number, such as 'ten'"]
    );
}

#[test]
fn truth_values_are_false_and_true() {
    let kb = Builder::new()
        .value("a", "open", "1", Datatype::Boolean)
        .value("b", "open", "true", Datatype::Boolean)
        .value("c", "open", "false", Datatype::Boolean)
        .kb();
    let (values, edges, kind) = column(&kb, "open");
    assert_eq!(*values, Domain::Nominal(vec!["false".into(), "true".into()]));
    assert_eq!(edges, [[0, 1], [1, 1], [2, 0]]);
    assert_eq!(kind, Datatype::Boolean);
}

#[test]
fn dates_are_seconds() {
    let kb = Builder::new()
        .value("a", "born", "1970-01-02", Datatype::Date)
        .value("b", "born", "1970-01-01T00:00:30Z", Datatype::Date)
        .value("c", "born", "1970", Datatype::Date)
        .value("d", "born", "1970-01-01+00:00", Datatype::Date)
        .kb();
    let (values, edges, _) = column(&kb, "born");
    assert_eq!(*values, Domain::Numeric(vec![0.0, 30.0, 86_400.0]));
    assert_eq!(edges, [[0, 2], [1, 1], [2, 0], [3, 0]]);
    assert!(kb.summary().to_string().contains("1970-01-01 to 1970-01-02"));
}

#[test]
fn values_of_different_datatypes_are_texts() {
    let kb = Builder::new()
        .value("a", "note", "7", Datatype::Integer)
        .value("b", "note", "seven", Datatype::Text)
        .value("c", "note", "7", Datatype::Text)
        .kb();
    let (values, edges, kind) = column(&kb, "note");
    assert_eq!(*values, Domain::Nominal(vec!["7".into(), "seven".into()]));
    assert_eq!(edges, [[0, 0], [1, 1], [2, 0]]);
    assert_eq!(kind, Datatype::Text);
    assert_eq!(
        kb.notes,
        [
            "'note' has values of different datatypes (1 declared as an integer, 2 declared as text); \
         all are treated as text"
        ]
    );
}

#[test]
fn a_property_has_the_values_of_its_sub_properties() {
    let mut builder = Builder::new().value("a", "height", "3", Datatype::Integer).value(
        "b",
        "width",
        "4.5",
        Datatype::Real,
    );
    let (height, width) = (builder.property("height"), builder.property("width"));
    let size = builder.property("size");
    let kb =
        builder.axiom(Axiom::SubProperty(height, size)).axiom(Axiom::SubProperty(width, size)).kb();
    let (values, edges, kind) = column(&kb, "size");
    assert_eq!(*values, Domain::Numeric(vec![3.0, 4.5]));
    assert_eq!(edges, [[0, 0], [1, 1]]);
    assert_eq!(kind, Datatype::Real);
    assert_eq!(column(&kb, "height").2, Datatype::Integer);
    assert_eq!(kb.properties.parents[0], [size]);
}
