use super::graph::to_u32;
use super::short_names::local;
use pellucid_bits::Bits;
use pellucid_data::{Message, message};
use pellucid_relate::World;

/// The longest list of disjoint classes that is expanded into pairs.
const MAX_LIST: usize = 4_000;

/// Returns all pairs of the lists, the smaller number first, without duplicates.
pub(super) fn pairs(lists: &[Vec<u32>], notes: &mut Vec<Message>) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for list in lists {
        if list.len() > MAX_LIST {
            let count = list.len();
            notes.push(message!(
                "ignored a list of {count} disjoint classes (the maximum is {MAX_LIST})"
            ));
            continue;
        }
        for (index, &a) in list.iter().enumerate() {
            let others = list[index + 1..].iter().filter(|&&b| a != b);
            pairs.extend(others.map(|&b| [a.min(b), a.max(b)]));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Returns a note about individuals that are instances of two disjoint classes, if there are any.
pub(super) fn contradictions(world: &World, lists: &[Vec<u32>]) -> Option<Message> {
    let mut conflicting = Bits::zeros(world.len());
    let mut example = None;
    for list in lists {
        let mut distinct = list.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let mut seen = Bits::zeros(world.len());
        for &class in &distinct {
            let members = &world.classes()[class as usize];
            let mut both = Bits::clone(members);
            both.and_with(&seen);
            if let Some(individual) = both.ones().next() {
                conflicting.or_with(&both);
                example.get_or_insert_with(|| {
                    let holds = |&&other: &&u32| world.classes()[other as usize].get(individual);
                    let other = distinct.iter().find(holds).copied().unwrap_or(class);
                    (to_u32(individual), other, class)
                });
            }
            seen.or_with(members);
        }
    }
    let (individual, a, b) = example?;
    let who = match conflicting.count() {
        1 => "1 individual is".to_owned(),
        many => format!("{many} individuals are"),
    };
    let class = |number| local(world.class_names().get(number));
    let (first, a, b) = (local(world.individuals().get(individual)), class(a), class(b));
    Some(message!("{who} in two disjoint classes; the first is '{first}', in '{a}' and '{b}'"))
}
