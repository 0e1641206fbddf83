//! Conditions on the values of data properties, and their refinements.

use super::super::{Cut, LogicError, SearchContext};
use super::scope::numbers;
use super::top_refinements::{MAX_NAMED, MIN_OCCURRENCES};
use pellucid_bits::Bits;
use pellucid_program::{Domain, Leaf, Node, Op, ProgramId, Value};
use std::cmp::Reverse;

/// One in this many cuts is coarse and used in disjunctions.
const COARSE: usize = 8;

/// Returns the conditions on values of a property that occur in a scope, and whether each is
/// coarse. Empty if no individual of the scope has a value.
pub(super) fn conditions(
    context: &mut SearchContext,
    individuals: &Bits,
    property: u32,
) -> Result<Vec<(ProgramId, bool)>, LogicError> {
    let kb = context.kb().clone();
    let (operators, at) = (context.options().operators.clone(), property as usize);
    let owned = &kb.world.properties()[at];
    let mut having: usize = 0;
    let mut counts = vec![0usize; owned.edges.object_count()];
    for subject in numbers(individuals) {
        let values = owned.edges.of(subject);
        having += usize::from(!values.is_empty());
        values.iter().for_each(|&value| counts[value as usize] += 1);
    }
    let mut found = Vec::new();
    if having == 0 {
        return Ok(found);
    }
    if (having as u64) < individuals.count() {
        found.push((context.programs_mut().constant(true), true));
    }
    let column = kb.world.value_column(at);
    match &owned.values {
        Domain::Numeric(_) if operators.numeric => {
            let cuts = context.cuts(property).to_vec();
            let programs = context.programs_mut();
            for (index, Cut { at_least, at_most }) in cuts.into_iter().enumerate() {
                let coarse = index % COARSE == COARSE / 2;
                found.push((programs.number(column, Op::GreaterEqual, at_least)?, coarse));
                found.push((programs.number(column, Op::LessEqual, at_most)?, coarse));
            }
        }
        Domain::Numeric(_) => {}
        Domain::Nominal(_) | Domain::Boolean if !operators.strings => {}
        domain => {
            let mut met: Vec<usize> = (0..counts.len()).collect();
            met.retain(|&value| counts[value] >= MIN_OCCURRENCES.min(having) && counts[value] > 0);
            met.sort_unstable_by_key(|&value| (Reverse(counts[value]), value));
            for (rank, value) in met.into_iter().take(MAX_NAMED).enumerate() {
                let text = match domain {
                    Domain::Nominal(texts) => texts[value].clone(),
                    _ => ["false", "true"][value].to_owned(),
                };
                let same = context.programs_mut().compare(column, Op::Equal, &Value::Text(text))?;
                found.push((same, rank < COARSE));
            }
        }
    }
    Ok(found)
}

/// Returns the refinements of a condition: for numbers, further cuts in doubling steps.
pub(super) fn narrower(
    context: &mut SearchContext,
    individuals: &Bits,
    property: u32,
    filler: ProgramId,
) -> Result<Vec<ProgramId>, LogicError> {
    let mut found = Vec::new();
    match context.programs().node(filler) {
        Node::Constant(true) => {
            for (condition, _) in conditions(context, individuals, property)? {
                if condition != filler {
                    found.push(condition);
                }
            }
        }
        Node::Leaf(column, Leaf::Number(op, number)) => {
            let cuts = context.cuts(property).to_vec();
            let up = op == Op::GreaterEqual;
            let at = |cut: &Cut| if up { cut.at_least } else { cut.at_most };
            let further = |cut: &&Cut| if up { at(cut) > number } else { at(cut) < number };
            let mut ahead: Vec<f64> = cuts.iter().filter(further).map(at).collect();
            if !up {
                ahead.reverse();
            }
            let steps = std::iter::successors(Some(1), |step| Some(step * 2));
            for step in steps.take_while(|&step: &usize| step <= ahead.len()) {
                found.push(context.programs_mut().number(column, op, ahead[step - 1])?);
            }
            let several = numbers(individuals).any(|one| {
                context.kb().world.properties()[property as usize].edges.of(one).len() > 1
            });
            if several && up {
                // With several values, one of them must be in the interval, which two separate
                // conditions cannot express.
                for cut in cuts.iter().filter(|cut| cut.at_most >= number) {
                    let below =
                        context.programs_mut().number(column, Op::LessEqual, cut.at_most)?;
                    found.push(context.programs_mut().and(&[filler, below]));
                }
            }
        }
        _ => {}
    }
    Ok(found)
}
