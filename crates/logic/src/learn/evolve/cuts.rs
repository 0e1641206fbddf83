//! Selects the cuts that discriminate best between positive and negative examples.

use super::super::directed_role::DirectedRole;
use super::super::{Cut, SearchContext};
use pellucid_program::{Domain, Op};

/// The number of preferred cuts of a property, for the examples themselves and for each role.
const PREFERRED: usize = 4;

/// A comparison with a cut.
pub(super) type Bound = (Op, f64);

/// Returns, for each data property, the comparisons that discriminate best between the training
/// examples, for their own values or those of related individuals.
pub(super) fn discriminating_bounds(
    context: &SearchContext,
    directed_roles: &[DirectedRole],
) -> Vec<Vec<Bound>> {
    let properties = (0u32..).take(context.kb().world.properties().len());
    properties.map(|property| of_property(context, directed_roles, property)).collect()
}

fn of_property(
    context: &SearchContext,
    directed_roles: &[DirectedRole],
    property: u32,
) -> Vec<Bound> {
    let world = &context.kb().world;
    let owned = &world.properties()[property as usize];
    let Domain::Numeric(values) = &owned.values else { return Vec::new() };
    let cuts = context.cuts(property);
    if cuts.is_empty() || context.allowed().properties.binary_search(&property).is_err() {
        return Vec::new();
    }
    let own = |one: u32| {
        let ranks = owned.edges.of(one);
        Some((values[*ranks.first()? as usize], values[*ranks.last()? as usize]))
    };
    let mut found: Vec<Bound> = Vec::new();
    let direct = std::iter::once(None);
    for directed_role in direct.chain(directed_roles.iter().copied().map(Some)) {
        // The smallest and the largest value of each example.
        let span = |&one: &u32| match directed_role {
            None => own(one),
            Some(directed_role) => {
                let others = directed_role.edges(world).of(one).iter();
                others
                    .filter_map(|&other| own(other))
                    .reduce(|left, right| (left.0.min(right.0), left.1.max(right.1)))
            }
        };
        let task = context.task();
        let positive: Vec<_> = task.positive.iter().map(span).collect();
        let negative: Vec<_> = task.negative.iter().map(span).collect();
        let mut scored: Vec<(f64, Bound)> = Vec::new();
        for &Cut { at_least, at_most } in cuts {
            for bound in [(Op::GreaterEqual, at_least), (Op::LessEqual, at_most)] {
                let is_inside = |span: &&Option<(f64, f64)>| {
                    span.is_some_and(|(low, high)| match bound.0 {
                        Op::GreaterEqual => high >= bound.1,
                        _ => low <= bound.1,
                    })
                };
                let inside = [
                    positive.iter().filter(is_inside).count(),
                    negative.iter().filter(is_inside).count(),
                ];
                let gain = gain(inside, [positive.len(), negative.len()]);
                if gain > 0.0 {
                    scored.push((gain, bound));
                }
            }
        }
        // The sort is stable: ties prefer the lower cut.
        scored.sort_by(|left, right| right.0.total_cmp(&left.0));
        for (_, bound) in scored.into_iter().take(PREFERRED) {
            if !found.contains(&bound) {
                found.push(bound);
            }
        }
    }
    found
}

/// The reduction of impurity; counts are positive and negative.
fn gain(inside: [usize; 2], all: [usize; 2]) -> f64 {
    let outside = [all[0] - inside[0], all[1] - inside[1]];
    let total = (all[0] + all[1]) as f64;
    let weighted = |part: [usize; 2]| (part[0] + part[1]) as f64 / total * impurity(part);
    impurity(all) - weighted(inside) - weighted(outside)
}

/// Half the Gini impurity. Unlike entropy it needs no logarithm, whose last bit depends on the
/// platform.
fn impurity(counts: [usize; 2]) -> f64 {
    let total = (counts[0] + counts[1]).max(1) as f64;
    let share = counts[0] as f64 / total;
    share * (1.0 - share)
}
