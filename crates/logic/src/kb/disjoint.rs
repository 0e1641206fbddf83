use super::graph::small;
use super::vocabulary::local;
use pellucid_bits::Bits;
use pellucid_relate::World;

/// The longest list of disjoint classes that is taken apart into pairs.
const LONGEST: usize = 4_000;

/// All pairs of the lists, the smaller number first, each once.
pub(super) fn pairs(lists: &[Vec<u32>], notes: &mut Vec<String>) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for list in lists {
        if list.len() > LONGEST {
            let count = list.len();
            notes.push(format!("a list of {count} disjoint classes is too long to be made use of"));
            continue;
        }
        for (place, &a) in list.iter().enumerate() {
            let others = list[place + 1..].iter().filter(|&&b| a != b);
            pairs.extend(others.map(|&b| [a.min(b), a.max(b)]));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// A sentence about individuals that are in two classes that share nobody, where there are such.
pub(super) fn contradictions(world: &World, lists: &[Vec<u32>]) -> Option<String> {
    let mut torn = Bits::zeros(world.len());
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
                torn.or_with(&both);
                example.get_or_insert_with(|| {
                    let holds = |&&other: &&u32| world.classes()[other as usize].get(individual);
                    let other = distinct.iter().find(holds).copied().unwrap_or(class);
                    (small(individual), other, class)
                });
            }
            seen.or_with(members);
        }
    }
    let (individual, a, b) = example?;
    let who = match torn.count() {
        1 => "1 individual is".to_owned(),
        many => format!("{many} individuals are"),
    };
    let class = |number| local(world.class_names().get(number));
    Some(format!(
        "{who} in two classes that are said to share nobody: '{}' is in '{}' and '{}'",
        local(world.individuals().get(individual)),
        class(a),
        class(b)
    ))
}
