//! Builds an ontology from the collected statements: numbers by kind, assertions and axioms.

use pellucid_data::{EntityLabel, Message, Ontology, Register};

use super::axioms::{self, Ignored};
use super::collect::{StatementCollector, mark};
use super::expression::ExpressionReader;
use super::facts::Facts;
use super::kinds;
use super::vocabulary::{Word, short};

/// The budget of node visits: a constant, and a number per statement.
const VISITS: (u64, u64) = (10_000, 16);

/// Infers the kind of each name and builds the ontology.
pub(super) fn finish(
    mut collector: StatementCollector,
    stem: &str,
    notes: Vec<Message>,
) -> Ontology {
    let mut ontology = Ontology {
        name: stem.to_owned(),
        statements: collector.statements,
        notes,
        ..Ontology::default()
    };
    let facts = Facts::new(std::mem::take(&mut collector.facts));
    kinds::infer(&mut collector, &facts, &mut ontology.notes);
    let individuals = number(&collector, &mut ontology);
    assert_types(&collector, &individuals, &mut ontology);
    assert_relations(&mut collector, &individuals, &mut ontology);
    ontology.labels = labels(&collector);

    let mut ignored: Ignored = Ignored::new();
    for (&node, &count) in &collector.ignored {
        *ignored.entry(short(collector.nodes.get(node))).or_default() += count;
    }
    let budget = VISITS.0 + VISITS.1 * facts.all().len() as u64;
    let mut reader = ExpressionReader {
        collector: &collector,
        facts: &facts,
        individuals: &individuals,
        ontology: &mut ontology,
        budget,
    };
    axioms::read(&mut reader, &mut ignored);
    ontology.ignored = ignored.into_iter().collect();
    ontology
}

/// Assigns numbers by kind, in order of appearance; returns the individual number of each name.
fn number(collector: &StatementCollector, ontology: &mut Ontology) -> Vec<u32> {
    let mut individuals = vec![u32::MAX; collector.marks.len()];
    let mut unnamed = 0u64;
    let names = collector.nodes.iter().zip(&collector.marks).zip(&mut individuals);
    for ((name, &marks), individual) in names.skip(Word::COUNT as usize) {
        let blank = name.starts_with("_:");
        if !blank && marks & mark::CLASS != 0 {
            ontology.classes.add(name);
        }
        if !blank && marks & mark::ROLE != 0 {
            ontology.roles.add(name);
        }
        if !blank && marks & mark::PROPERTY != 0 {
            ontology.properties.add(name);
        }
        if marks & mark::INDIVIDUAL != 0 {
            *individual = if is_generated(name) {
                ontology.individuals.add(&fresh(&collector.nodes, &mut unnamed))
            } else {
                ontology.individuals.add(name)
            };
        }
    }
    individuals
}

/// Whether a parser generated the label of a blank node. Such labels are random, but reading must
/// be deterministic.
fn is_generated(name: &str) -> bool {
    const SHORTEST: usize = 24;
    name.strip_prefix("_:").is_some_and(|label| {
        // Labels of a second file have a prefix.
        let label = label.rsplit('.').next().unwrap_or(label);
        label.len() >= SHORTEST && label.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns a label that the file does not use.
fn fresh(nodes: &Register, unnamed: &mut u64) -> String {
    loop {
        *unnamed += 1;
        let name = format!("_:b{unnamed}");
        if nodes.find(&name).is_none() {
            return name;
        }
    }
}

fn assert_types(collector: &StatementCollector, individuals: &[u32], ontology: &mut Ontology) {
    // Most statements have the same class as the one before.
    let mut last = (u32::MAX, 0);
    for &[subject, class] in &collector.types {
        let individual = individuals[subject as usize];
        if individual == u32::MAX || collector.is_blank(class) {
            continue;
        }
        if last.0 != class {
            last = (class, ontology.classes.add(collector.nodes.get(class)));
        }
        ontology.types.push([individual, last.1]);
    }
}

fn assert_relations(
    collector: &mut StatementCollector,
    individuals: &[u32],
    ontology: &mut Ontology,
) {
    ontology.edges = vec![Vec::new(); ontology.roles.len()];
    ontology.values = vec![Vec::new(); ontology.properties.len()];
    ontology.value_types = vec![Vec::new(); ontology.properties.len()];
    let mut used = 0;
    for mut relation in std::mem::take(&mut collector.relations) {
        let name = collector.nodes.get(relation.property);
        if let Some(role) = ontology.roles.find(name).filter(|_| !relation.links.is_empty()) {
            for end in relation.links.iter_mut().flatten() {
                *end = individuals[*end as usize];
            }
            relation.links.shrink_to_fit();
            ontology.edges[role as usize] = relation.links;
        }
        if let Some(property) = ontology.properties.find(name).filter(|_| !relation.data.is_empty())
        {
            for datum in &mut relation.data {
                datum.subject = individuals[datum.subject as usize];
            }
            used += relation.data.len();
            relation.data.shrink_to_fit();
            relation.datatypes.sort_unstable();
            ontology.value_types[property as usize] = relation.datatypes;
            ontology.values[property as usize] = relation.data;
        }
    }
    keep_texts(std::mem::take(&mut collector.texts), used, ontology);
}

/// Returns the labels of classes and properties, in the order of the file.
fn labels(collector: &StatementCollector) -> Vec<EntityLabel> {
    const NAMED: u16 = mark::CLASS | mark::ROLE | mark::PROPERTY;
    let named = |node: u32| collector.marks[node as usize] & NAMED != 0 && node >= Word::COUNT;
    let labels = collector.labels.iter().filter(|[node, ..]| named(*node));
    let label = |&[node, text, language]: &[u32; 3]| EntityLabel {
        iri: collector.nodes.get(node).to_owned(),
        text: collector.literals.get(text).to_owned(),
        language: collector.literals.get(language).to_owned(),
    };
    labels.map(label).collect()
}

/// Removes texts that are not used, such as those of annotations.
fn keep_texts(texts: Register, used: usize, ontology: &mut Ontology) {
    let mut kept = vec![false; texts.len()];
    ontology.values.iter().flatten().for_each(|datum| kept[datum.text as usize] = true);
    if used > 0 && kept.iter().all(|&kept| kept) {
        ontology.texts = texts;
        return;
    }
    for datum in ontology.values.iter_mut().flatten() {
        datum.text = ontology.texts.add(texts.get(datum.text));
    }
}
