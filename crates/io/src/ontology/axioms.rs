//! Reads the axioms from statements about classes and properties.

use std::collections::BTreeMap;

use pellucid_data::{Axiom, RoleExpression, message};
use pellucid_program::Expr;

use super::collect::{Fact, Object, mark};
use super::expression::ExpressionReader;
use super::kinds::is_datatype;
use super::vocabulary::{Word, short};

/// The number of unreadable axioms to name in notes; the others are counted.
const NAMED: usize = 20;

/// The ignored statements by name, with their counts.
pub(super) type Ignored = BTreeMap<String, u64>;

/// Reads all axioms and the individuals of unnamed classes.
pub(super) fn read(reader: &mut ExpressionReader<'_>, ignored: &mut Ignored) {
    let mut failed = 0;
    let mut fail = |reader: &mut ExpressionReader<'_>,
                    ignored: &mut Ignored,
                    what: &str,
                    node,
                    why: String| {
        *ignored.entry(what.to_owned()).or_default() += 1;
        failed += 1;
        if failed <= NAMED {
            let name = reader.name(node);
            reader.ontology.notes.push(message!("ignored {what} of {name}: {why}"));
        }
    };
    let facts = reader.facts;
    for fact in facts.all() {
        if let Err(why) = statement(reader, fact, ignored) {
            let word = short(reader.collector.nodes.get(fact.word.number()));
            fail(reader, ignored, &word, fact.subject, why);
        }
    }
    for node in Word::COUNT..u32::try_from(reader.collector.marks.len()).unwrap_or(u32::MAX) {
        let marks = reader.collector.marks[node as usize];
        if marks & (mark::ROLE | mark::PROPERTY) != 0 {
            characteristics(reader, node, marks);
        }
        if marks & mark::ALL_DISJOINT != 0
            && let Err(why) = all_disjoint(reader, node)
        {
            fail(reader, ignored, "owl:AllDisjointClasses", node, why);
        }
    }
    let collector = reader.collector;
    for &[subject, class] in &collector.types {
        let individual = reader.individuals[subject as usize];
        if individual == u32::MAX || !collector.is_blank(class) {
            continue;
        }
        match reader.class(Object::Node(class), 0) {
            Ok(class) => reader.ontology.described.push((individual, class)),
            Err(why) => fail(reader, ignored, "rdf:type", subject, why),
        }
    }
    if failed > NAMED {
        let more = failed - NAMED;
        reader.ontology.notes.push(message!("ignored {more} more axioms"));
    }
}

fn statement(
    reader: &mut ExpressionReader<'_>,
    fact: &Fact,
    ignored: &mut Ignored,
) -> Result<(), String> {
    let &Fact { subject, word, object } = fact;
    let named = !reader.collector.is_blank(subject);
    let this = Object::Node(subject);
    match word {
        Word::SubClassOf => {
            let axiom = Axiom::SubClass(reader.class(this, 0)?, reader.class(object, 0)?);
            reader.ontology.axioms.push(axiom);
        }
        // The definition of a datatype is looked up where it is used.
        Word::EquivalentClass if is_datatype(reader.collector, subject) => {}
        Word::EquivalentClass => {
            let classes = vec![reader.class(this, 0)?, reader.class(object, 0)?];
            reader.ontology.axioms.push(Axiom::Equivalent(classes));
        }
        Word::DisjointWith => {
            let classes = vec![reader.class(this, 0)?, reader.class(object, 0)?];
            reader.ontology.axioms.push(Axiom::Disjoint(classes));
        }
        Word::IntersectionOf | Word::UnionOf | Word::ComplementOf | Word::OneOf
            if named && !is_datatype(reader.collector, subject) =>
        {
            define(reader, fact)?;
        }
        Word::DisjointUnionOf => {
            let parts = reader.classes(object, 0)?;
            let whole = reader.class(this, 0)?;
            reader.ontology.axioms.push(Axiom::Equivalent(vec![whole, Expr::or(parts.clone())]));
            reader.ontology.axioms.push(Axiom::Disjoint(parts));
        }
        Word::SubPropertyOf | Word::EquivalentProperty => {
            sub_property(reader, subject, word, object)?
        }
        Word::InverseOf if named => {
            let (one, other) = (reader.role_expression(this)?, reader.role_expression(object)?);
            let other = RoleExpression { inverse: !other.inverse, ..other };
            reader.ontology.axioms.push(Axiom::SameRole(one, other));
        }
        Word::PropertyChainAxiom => {
            let chain = reader.list(object)?;
            let steps: Result<Vec<RoleExpression>, String> =
                chain.into_iter().map(|link| reader.role_expression(link)).collect();
            let (steps, whole) = (steps?, reader.role_expression(this)?);
            if steps.is_empty() {
                return Err("the property chain is empty".to_owned());
            }
            reader.ontology.axioms.push(Axiom::SubRole(steps, whole));
        }
        Word::Domain | Word::Range => domain_or_range(reader, subject, word, object, ignored)?,
        Word::SameAs => same(reader, subject, object)?,
        Word::Imports => {
            if let Object::Node(other) = object {
                if reader.collector.has_import(other) {
                    return Ok(());
                }
                let name = reader.collector.nodes.get(other);
                let note = message!(
                    "did not find the import {name} beside the file; imports are not fetched"
                );
                reader.ontology.notes.push(note);
            }
            *ignored.entry("owl:imports".to_owned()).or_default() += 1;
        }
        _ => {}
    }
    Ok(())
}

/// Reads the definition of a named class as a combination of other classes.
fn define(reader: &mut ExpressionReader<'_>, fact: &Fact) -> Result<(), String> {
    let subject = fact.subject;
    // All definitions of a class are read together with the first one.
    let first = |fact: &&Fact| {
        use Word::*;
        matches!(fact.word, IntersectionOf | UnionOf | ComplementOf | OneOf)
    };
    let first = reader.facts.of(subject).iter().find(first);
    if !first.is_some_and(|first| std::ptr::eq(first, fact)) {
        return Ok(());
    }
    let whole = reader.class(Object::Node(subject), 0)?;
    let Expr::Is(name) = &whole else { return Ok(()) };
    for part in reader.definitions(subject, 0)? {
        let classes = vec![Expr::Is(name.clone()), part];
        reader.ontology.axioms.push(Axiom::Equivalent(classes));
    }
    Ok(())
}

fn sub_property(
    reader: &mut ExpressionReader<'_>,
    subject: u32,
    word: Word,
    object: Object,
) -> Result<(), String> {
    let Object::Node(other) = object else {
        return Err("found a literal; expected a property".to_owned());
    };
    if matches!(Word::of(other), Some(Word::TopObjectProperty | Word::TopDataProperty)) {
        return Ok(());
    }
    let both = |marks: u16| reader.has(subject, marks) && reader.has(other, marks);
    let (data, annotation) = (both(mark::PROPERTY), both(mark::ANNOTATION));
    if both(mark::ROLE) || reader.collector.is_blank(subject) || reader.collector.is_blank(other) {
        let (one, other) =
            (reader.role_expression(Object::Node(subject))?, reader.role_expression(object)?);
        reader.ontology.axioms.push(if word == Word::SubPropertyOf {
            Axiom::SubRole(vec![one], other)
        } else {
            Axiom::SameRole(one, other)
        });
    } else if !data && !annotation {
        return Err(format!("{} is another kind of property", reader.name(other)));
    }
    if data {
        let number = |node: u32| {
            let name = reader.collector.nodes.get(node);
            reader.ontology.properties.find(name).ok_or("it is not a data property")
        };
        let (one, other) = (number(subject)?, number(other)?);
        reader.ontology.axioms.push(Axiom::SubProperty(one, other));
        if word == Word::EquivalentProperty {
            reader.ontology.axioms.push(Axiom::SubProperty(other, one));
        }
    }
    Ok(())
}

fn domain_or_range(
    reader: &mut ExpressionReader<'_>,
    subject: u32,
    word: Word,
    object: Object,
    ignored: &mut Ignored,
) -> Result<(), String> {
    let name = reader.collector.nodes.get(subject);
    let role = reader.ontology.roles.find(name).filter(|_| reader.has(subject, mark::ROLE));
    let property = reader.ontology.properties.find(name);
    let property = property.filter(|_| reader.has(subject, mark::PROPERTY));
    let of_values =
        matches!(object, Object::Node(node) if word == Word::Range && reader.is_range(node));
    if let Some(role) = role.filter(|_| !of_values) {
        let class = reader.class(object, 0)?;
        reader.ontology.axioms.push(if word == Word::Domain {
            Axiom::RoleDomain(role, class)
        } else {
            Axiom::RoleRange(role, class)
        });
    } else if word == Word::Range {
        *ignored.entry("rdfs:range of a data property".to_owned()).or_default() += 1;
    }
    if let Some(property) = property.filter(|_| word == Word::Domain) {
        let class = reader.class(object, 0)?;
        reader.ontology.axioms.push(Axiom::PropertyDomain(property, class));
    }
    Ok(())
}

fn same(reader: &mut ExpressionReader<'_>, subject: u32, object: Object) -> Result<(), String> {
    let number = |object| match object {
        Object::Node(node) => reader.individuals[node as usize],
        Object::Literal(..) => u32::MAX,
    };
    let pair = [number(Object::Node(subject)), number(object)];
    if pair.contains(&u32::MAX) {
        return Err("expected two individuals".to_owned());
    }
    reader.ontology.same.push(pair);
    Ok(())
}

/// Adds the declared characteristics of a property.
fn characteristics(reader: &mut ExpressionReader<'_>, node: u32, marks: u16) {
    let name = reader.collector.nodes.get(node);
    let ontology = &mut *reader.ontology;
    if let Some(role) = ontology.roles.find(name) {
        let all = [
            (mark::SYMMETRIC, Axiom::Symmetric(role)),
            (mark::TRANSITIVE, Axiom::Transitive(role)),
            (mark::REFLEXIVE, Axiom::Reflexive(role)),
            (mark::FUNCTIONAL, Axiom::FunctionalRole(role)),
        ];
        let declared = all.into_iter().filter(|(mark, _)| marks & mark != 0);
        ontology.axioms.extend(declared.map(|(_, axiom)| axiom));
    }
    if let Some(property) = ontology.properties.find(name)
        && marks & mark::FUNCTIONAL != 0
    {
        ontology.axioms.push(Axiom::FunctionalProperty(property));
    }
}

fn all_disjoint(reader: &mut ExpressionReader<'_>, node: u32) -> Result<(), String> {
    let list = reader.facts.get(node, Word::Members).ok_or("found no members")?;
    let classes = reader.classes(list, 0)?;
    reader.ontology.axioms.push(Axiom::Disjoint(classes));
    Ok(())
}
