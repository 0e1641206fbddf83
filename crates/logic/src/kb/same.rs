use super::graph::small;
use pellucid_data::Register;

/// Individuals with each other's names: who is who, under the name that was met first.
pub(super) struct Merged {
    /// The individuals that are left, by their first names.
    pub(super) individuals: Register,
    /// By number in the ontology: the number now.
    pub(super) number: Vec<u32>,
    /// The other names, and whose they are.
    pub(super) aliases: Vec<(String, u32)>,
}

impl Merged {
    /// Joins the pairs that are said to be one.
    pub(super) fn new(individuals: Register, same: &[[u32; 2]]) -> Merged {
        let count = small(individuals.len());
        if same.is_empty() {
            return Merged { individuals, number: (0..count).collect(), aliases: Vec::new() };
        }
        let mut first: Vec<u32> = (0..count).collect();
        for &[a, b] in same {
            let (a, b) = (find(&mut first, a), find(&mut first, b));
            first[a.max(b) as usize] = a.min(b);
        }
        let (mut left, mut aliases) = (Register::default(), Vec::new());
        let mut number = vec![0; individuals.len()];
        for individual in 0..count {
            let name = individuals.get(individual);
            let root = find(&mut first, individual);
            number[individual as usize] = if root == individual {
                left.add(name)
            } else {
                // The first of a group has the smallest number, so it was renumbered before.
                aliases.push((name.to_owned(), number[root as usize]));
                number[root as usize]
            };
        }
        Merged { individuals: left, number, aliases }
    }
}

/// The first of a group, with the way there made shorter.
fn find(first: &mut [u32], mut of: u32) -> u32 {
    while first[of as usize] != of {
        first[of as usize] = first[first[of as usize] as usize];
        of = first[of as usize];
    }
    of
}
