//! Relations that depend on each other through chains, completed as matrices of bits.
//!
//! A transitive relation with a recursive chain may relate nearly everything. Then a new edge fits
//! thousands of others, and with rows of bits they are compared 64 at a time.

use super::bounds::{Excess, InferenceBounds};
use super::graph::to_u32;
use super::relation::{ChainRule, DirectedRelation};
use super::roles::RelationTraits;
use rustc_hash::FxHashMap;

/// The maximum number of individuals: a matrix has 2 MiB, and every relation has two.
const MOST_NODES: usize = 4096;

/// A rule with a body of one or two steps, with numbers of [`DenseCompletion::relations`].
struct DenseRule {
    head: usize,
    first: (usize, bool),
    second: Option<(usize, bool)>,
}

/// A relation as two matrices.
struct DenseRelation {
    /// The objects of each individual, and the subjects.
    rows: [Vec<u64>; 2],
    symmetric: bool,
}

struct DenseCompletion<'a> {
    words: usize,
    relations: Vec<DenseRelation>,
    rules: Vec<DenseRule>,
    /// The edges that may still have consequences.
    open: Vec<(usize, u32, u32)>,
    /// The number of edges of relations that grow.
    edges: usize,
    /// The number of relations that grow, which come first, and of those of the file.
    growing: usize,
    involved: usize,
    bounds: InferenceBounds<'a>,
    scratch: Vec<u64>,
}

/// Completes the relations `members` and stores their pairs; `None` if they relate too many
/// individuals.
pub(super) fn complete(
    members: &[u32],
    rules: &[&ChainRule],
    traits: &[RelationTraits],
    bounds: InferenceBounds<'_>,
    pairs: &mut [Vec<[u32; 2]>],
) -> Option<Result<(), Excess>> {
    let mut involved = members.to_vec();
    let bodies = rules.iter().flat_map(|rule| &rule.body).map(|directed| directed.relation);
    involved.extend(bodies.filter(|relation| !members.contains(relation)));
    involved[members.len()..].sort_unstable();
    involved.dedup();
    let mut nodes: Vec<u32> = Vec::new();
    for &relation in &involved {
        nodes.extend(pairs[relation as usize].iter().flatten());
        // Many edges have few individuals.
        if nodes.len() > 1 << 22 {
            nodes.sort_unstable();
            nodes.dedup();
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.len() > MOST_NODES {
        return None;
    }
    let mut completion =
        DenseCompletion::new(&involved, members.len(), rules, traits, nodes.len(), bounds);
    let head = |at: u32| members.get(at as usize).copied().unwrap_or(members[0]);
    Some(completion.run(&involved, &nodes, pairs).map_err(|excess| match excess {
        Excess::Edges(at) => Excess::Edges(head(at)),
        other => other,
    }))
}

impl<'a> DenseCompletion<'a> {
    fn new(
        involved: &[u32],
        growing: usize,
        rules: &[&ChainRule],
        traits: &[RelationTraits],
        nodes: usize,
        bounds: InferenceBounds<'a>,
    ) -> DenseCompletion<'a> {
        let words = nodes.div_ceil(64);
        let number: FxHashMap<u32, usize> =
            involved.iter().enumerate().map(|(at, &relation)| (relation, at)).collect();
        let empty = |symmetric: bool| DenseRelation {
            rows: [vec![0; nodes * words], vec![0; nodes * words]],
            symmetric,
        };
        let mut completion = DenseCompletion {
            words,
            relations: Vec::new(),
            rules: Vec::new(),
            open: Vec::new(),
            edges: 0,
            growing,
            involved: involved.len(),
            bounds,
            scratch: Vec::new(),
        };
        for (at, &relation) in involved.iter().enumerate() {
            let traits = &traits[relation as usize];
            completion.relations.push(empty(traits.symmetric && at < growing));
            if traits.transitive && at < growing {
                let (first, second) = ((at, false), Some((at, false)));
                completion.rules.push(DenseRule { head: at, first, second });
            }
        }
        let step = |directed: &DirectedRelation| (number[&directed.relation], directed.inverse);
        for rule in rules {
            let head = number[&rule.head];
            let Some((first, rest)) = rule.body.split_first() else { continue };
            let mut first = step(first);
            let Some((last, middle)) = rest.split_last() else {
                completion.rules.push(DenseRule { head, first, second: None });
                continue;
            };
            // A longer body is split by relations of its own.
            for directed in middle {
                let own = completion.relations.len();
                completion.relations.push(empty(false));
                let second = Some(step(directed));
                completion.rules.push(DenseRule { head: own, first, second });
                first = (own, false);
            }
            completion.rules.push(DenseRule { head, first, second: Some(step(last)) });
        }
        completion
    }

    fn run(
        &mut self,
        involved: &[u32],
        nodes: &[u32],
        pairs: &mut [Vec<[u32; 2]>],
    ) -> Result<(), Excess> {
        let at = |node: u32| nodes.binary_search(&node).map_or(0, to_u32);
        for (relation, &number) in involved.iter().enumerate() {
            for &[subject, object] in &pairs[number as usize] {
                self.add(relation, at(subject), at(object))?;
            }
        }
        let mut calls = 0;
        while let Some((relation, subject, object)) = self.open.pop() {
            self.bounds.check(&mut calls)?;
            for rule in 0..self.rules.len() {
                self.apply(rule, relation, subject, object)?;
            }
        }
        for (relation, &number) in involved.iter().enumerate().take(self.growing) {
            let own = &self.relations[relation].rows[0];
            let mut found = Vec::new();
            for (&subject, row) in nodes.iter().zip(own.chunks(self.words.max(1))) {
                found.extend(ones(row).map(|object| [subject, nodes[object as usize]]));
            }
            pairs[number as usize] = found;
        }
        Ok(())
    }

    /// Adds everything that a rule derives from an edge. Errors have the number of the relation.
    fn apply(&mut self, rule: usize, relation: usize, a: u32, b: u32) -> Result<(), Excess> {
        let &DenseRule { head, first, second } = &self.rules[rule];
        let turned = |inverse: bool| if inverse { [b, a] } else { [a, b] };
        let Some(second) = second else {
            if first.0 == relation {
                let [from, to] = turned(first.1);
                self.add(head, from, to)?;
            }
            return Ok(());
        };
        if first.0 == relation {
            let [from, middle] = turned(first.1);
            // The objects of the middle that the head does not have for `from` yet.
            let found = self.missing(second.0, second.1, middle, [head, 0], from);
            for object in ones(&found) {
                self.add(head, from, object)?;
            }
            self.scratch = found;
        }
        if second.0 == relation {
            let [middle, to] = turned(second.1);
            let found = self.missing(first.0, !first.1, middle, [head, 1], to);
            for subject in ones(&found) {
                self.add(head, subject, to)?;
            }
            self.scratch = found;
        }
        Ok(())
    }

    /// Returns the row of an individual, without the bits in a row of the head.
    fn missing(
        &mut self,
        relation: usize,
        backward: bool,
        row: u32,
        [head, side]: [usize; 2],
        own: u32,
    ) -> Vec<u64> {
        let (words, row, own) = (self.words, row as usize, own as usize);
        let mut missing = std::mem::take(&mut self.scratch);
        let found = &self.relations[relation].rows[usize::from(backward)];
        let known = &self.relations[head].rows[side];
        missing.clear();
        missing.extend(
            found[row * words..(row + 1) * words]
                .iter()
                .zip(&known[own * words..(own + 1) * words])
                .map(|(found, known)| found & !known),
        );
        missing
    }

    fn add(&mut self, relation: usize, subject: u32, object: u32) -> Result<(), Excess> {
        let symmetric = self.relations[relation].symmetric && subject != object;
        let back = symmetric.then_some((object, subject));
        for (from, to) in [Some((subject, object)), back].into_iter().flatten() {
            let words = self.words;
            let own = &mut self.relations[relation];
            let set = |row: &mut [u64], one: u32, other: u32| {
                let word = &mut row[one as usize * words + other as usize / 64];
                let bit = 1 << (other % 64);
                let new = *word & bit == 0;
                *word |= bit;
                new
            };
            if !set(&mut own.rows[0], from, to) {
                continue;
            }
            set(&mut own.rows[1], to, from);
            self.open.push((relation, from, to));
            // Relations that do not grow were counted before; those that split a body have a limit,
            // too, because their edges need memory.
            if relation < self.growing || relation >= self.involved {
                self.edges += 1;
                if self.edges > self.bounds.edges {
                    return Err(Excess::Edges(to_u32(relation)));
                }
            }
        }
        Ok(())
    }
}

/// Returns the positions of the bits that are set.
fn ones(row: &[u64]) -> impl Iterator<Item = u32> + '_ {
    (0u32..).step_by(64).zip(row).flat_map(|(start, &word)| {
        std::iter::successors((word != 0).then_some(word), |&rest| {
            let next = rest & (rest - 1);
            (next != 0).then_some(next)
        })
        .map(move |rest| start + rest.trailing_zeros())
    })
}

#[cfg(test)]
mod tests {
    use super::super::grow::RelationCompletion;
    use super::*;
    use pellucid_learn::run::Control;
    use proptest::prelude::*;

    fn directed() -> impl Strategy<Value = DirectedRelation> {
        (0u32..4, any::<bool>())
            .prop_map(|(relation, inverse)| DirectedRelation { relation, inverse })
    }

    proptest! {
        /// Relations 0 and 1 grow, 2 and 3 are fixed.
        #[test]
        fn agrees_with_edge_by_edge(
            start in prop::collection::vec((0usize..4, [0u32..70, 0u32..70]), 0..40),
            rules in prop::collection::vec((0u32..2, prop::collection::vec(directed(), 1..5)), 1..5),
            flags in prop::array::uniform4(any::<bool>()),
        ) {
            let rules: Vec<ChainRule> =
                rules.into_iter().map(|(head, body)| ChainRule { head, body }).collect();
            let rules: Vec<&ChainRule> = rules.iter().collect();
            let traits: Vec<RelationTraits> = (0..4)
                .map(|at| RelationTraits {
                    symmetric: flags[at % 2],
                    transitive: flags[2 + at % 2],
                })
                .collect();
            let mut pairs = vec![Vec::new(); 4];
            start.iter().for_each(|&(relation, pair)| pairs[relation].push(pair));
            let mut expected = pairs.clone();
            let bounds = InferenceBounds { edges: 1 << 20, control: &Control::new() };
            let plain = RelationCompletion::new(70, &[0, 1], &rules, &traits, bounds);
            plain.run(&mut expected).expect("few edges");
            let found = complete(&[0, 1], &rules, &traits, bounds, &mut pairs);
            prop_assert_eq!(found, Some(Ok(())));
            prop_assert_eq!(&pairs[..2], &expected[..2]);
        }
    }

    #[test]
    fn bits_are_listed() {
        assert_eq!(ones(&[0b101, 0, 1 << 63]).collect::<Vec<_>>(), [0, 2, 191]);
    }
}
