//! Worlds with nothing in them but what `pellucid-bench logic` asks about, drawn by a seed.

use crate::logic::cells::{Cell, Layout, Operation};
use anyhow::Result;
use pellucid::bits::Bits;
use pellucid::bits::as_u32;
use pellucid::cover::Table;
use pellucid::cover::{Formulas, Literal};
use pellucid::data::Register;
use pellucid::data::Values;
use pellucid::learn::rng::{Stream, Streams};
use pellucid::program::{Domain, Programs};
use pellucid::program::{Op, ProgramId, Quantifier, Value};
use pellucid::relate::{Edges, LabeledIndividuals, Links, Property, World};
use std::sync::Arc;

const ROLE: &str = "role";
const NUMBER: &str = "number";
const TEXT: &str = "text";
/// The digits of a text's number, so that all are as long.
const DIGITS: usize = 8;
/// What is looked for within texts; all have it.
const PART: &str = "e 0";

/// Whether individuals are positive (1) or negative (0), by chance.
pub(super) fn codes(individuals: usize, streams: &Streams) -> Vec<u32> {
    let mut stream = streams.stream(&["examples".into()]);
    (0..individuals).map(|_| u32::from(stream.chance(0.5))).collect()
}

/// All individuals as examples.
pub(super) fn examples(individuals: usize, streams: &Streams) -> Result<LabeledIndividuals> {
    Ok(LabeledIndividuals::new((0..as_u32(individuals)).collect(), codes(individuals, streams), 2)?)
}

/// Concepts that each individual is in by chance, as columns of a table.
pub(super) fn table(individuals: usize, concepts: usize, streams: &Streams) -> Result<Table> {
    let column = |concept: usize| {
        let mut stream = streams.stream(&["concept".into(), concept.into()]);
        let members = (0..individuals).map(|_| Some(stream.chance(0.5))).collect();
        (class(concept), Values::Boolean(members))
    };
    Ok(Table::new((0..concepts).map(column).collect())?)
}

/// Random conjunctions or disjunctions of distinct concepts.
pub(super) fn joined(cell: &Cell, concepts: usize, streams: &Streams) -> Formulas {
    let mut stream = streams.stream(&["hypotheses".into()]);
    let mut order: Vec<u32> = (0..as_u32(concepts)).collect();
    let mut formulas = Formulas::new();
    for _ in 0..cell.hypotheses {
        stream.shuffle(&mut order);
        for &concept in &order[..cell.concepts] {
            formulas.literal(Literal::new(concept, 0, false));
            if cell.operation == Operation::Disjunction {
                formulas.end_group();
            }
        }
        if cell.operation == Operation::Conjunction {
            formulas.end_group();
        }
        formulas.end_root();
    }
    formulas
}

/// A world with one role, or with a data property of numbers and one of texts.
pub(super) fn world(cell: &Cell, layout: Layout, streams: &Streams) -> World {
    let individuals = cell.individuals;
    let mut names = Register::default();
    for number in 0..individuals {
        names.add(&number.to_string());
    }
    let mut world = World::new(Arc::new(names));
    for concept in 0..cell.hypotheses {
        let mut stream = streams.stream(&["concept".into(), concept.into()]);
        world = world.class(&class(concept), members(individuals, &mut stream));
    }
    let mut stream = streams.stream(&["assertions".into()]);
    let pairs = pairs(cell, layout, &mut stream);
    if !cell.operation.of_values() {
        return world.role(ROLE, Links::new(individuals, pairs));
    }
    let values = pairs.iter().map(|pair| pair[1] as usize + 1).max().unwrap_or(0);
    let edges = Edges::new(individuals, values, pairs);
    let numbers = Domain::Numeric((0..as_u32(values)).map(f64::from).collect());
    let texts = Domain::Nominal((0..values).map(text).collect());
    world
        .property(NUMBER, Property { values: numbers, edges: edges.clone() })
        .property(TEXT, Property { values: texts, edges })
}

/// The assertions: who has what.
fn pairs(cell: &Cell, layout: Layout, stream: &mut Stream) -> Vec<[u32; 2]> {
    let of_values = cell.operation.of_values();
    let individuals = as_u32(cell.individuals);
    let below = |stream: &mut Stream| as_u32(stream.index(cell.individuals));
    let pair = |number: u32| match layout {
        Layout::SingleSubject if of_values => [0, 0],
        Layout::SingleSubject | Layout::SingleSubjectManyValues => [0, number],
        Layout::UniqueSubjects if of_values => [number, 0],
        Layout::UniqueSubjectsManyValues => [number, number],
        Layout::UniqueSubjects => [number, (number + 1) % individuals],
        Layout::RandomObjects => [number, below(stream)],
        Layout::Skewed => {
            // The cube of a uniform draw: the first tenth of the individuals has nearly half of the
            // assertions.
            let place = stream.unit().powi(3) * f64::from(individuals);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let subject = (place as u32).min(individuals - 1);
            [subject, below(stream)]
        }
    };
    (0..as_u32(cell.assertions)).map(pair).collect()
}

/// What is asked of such a world, and the concepts that are known before.
pub(super) fn asked(
    cell: &Cell,
    world: &World,
    programs: &mut Programs,
) -> Result<(Vec<ProgramId>, Vec<ProgramId>)> {
    let values = world.properties().first().map_or(0, |property| property.edges.object_count());
    let mut roots = Vec::new();
    let mut concepts = Vec::new();
    for concept in 0..as_u32(cell.hypotheses) {
        let known = programs.is(concept)?;
        concepts.push(known);
        let (role, quantifier, filler) = match cell.operation {
            Operation::Some => (0, Quantifier::Some, known),
            Operation::Only => (0, Quantifier::Only, known),
            Operation::Min => (0, Quantifier::Min(2), known),
            Operation::Max => (0, Quantifier::Max(2), known),
            Operation::AtLeastValue => {
                let middle = f64::from(as_u32(values / 2));
                let filler = programs.number(world.value_column(0), Op::GreaterEqual, middle)?;
                (world.property_role(0), Quantifier::Some, filler)
            }
            Operation::EqualText => {
                let text = Value::Text(text(values / 2));
                let filler = programs.compare(world.value_column(1), Op::Equal, &text)?;
                (world.property_role(1), Quantifier::Some, filler)
            }
            Operation::ContainText => {
                let filler = programs.contains(world.value_column(1), PART)?;
                (world.property_role(1), Quantifier::Some, filler)
            }
            Operation::Conjunction | Operation::Disjunction => {
                anyhow::bail!("concepts are joined over a table")
            }
        };
        roots.push(programs.related(quantifier, role, false, filler));
    }
    Ok((roots, concepts))
}

fn members(individuals: usize, stream: &mut Stream) -> Bits {
    (0..individuals).map(|_| stream.chance(0.5)).collect()
}

fn class(concept: usize) -> String {
    format!("c{concept}")
}

fn text(number: usize) -> String {
    format!("value {number:0DIGITS$}")
}
