use super::graph::to_u32;
use pellucid_data::Register;

/// Individuals after merging those that are declared to be the same, each under its first name.
pub(super) struct MergedIndividuals {
    /// The remaining individuals, by their first names.
    pub(super) individuals: Register,
    /// Maps numbers in the ontology to numbers after merging.
    pub(super) number: Vec<u32>,
    /// The other names, with the numbers of their individuals.
    pub(super) aliases: Vec<(String, u32)>,
}

impl MergedIndividuals {
    /// Merges pairs that are declared to be the same.
    pub(super) fn new(individuals: Register, same: &[[u32; 2]]) -> MergedIndividuals {
        let count = to_u32(individuals.len());
        if same.is_empty() {
            return MergedIndividuals {
                individuals,
                number: (0..count).collect(),
                aliases: Vec::new(),
            };
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
                // The first member of a group has the smallest number, so its new number is already
                // known.
                aliases.push((name.to_owned(), number[root as usize]));
                number[root as usize]
            };
        }
        MergedIndividuals { individuals: left, number, aliases }
    }
}

/// Returns the first member of a group (union-find with path halving).
fn find(first: &mut [u32], mut of: u32) -> u32 {
    while first[of as usize] != of {
        first[of as usize] = first[first[of as usize] as usize];
        of = first[of as usize];
    }
    of
}
