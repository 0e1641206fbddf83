use super::relation::{ChainRule, Side, compose};
use super::roles::Traits;
use pellucid_relate::Edges;
use rustc_hash::{FxHashMap, FxHashSet};

/// Relations that need each other through chains, growing edge by edge.
///
/// Every new edge is taken once and placed at every step of every chain it fits; what the chain then reaches is new edges.
/// A transitive relation is kept closed at every moment: a new edge joins everybody who reaches its subject with everybody
/// whom its object reaches.
pub(super) struct Growing<'a> {
    individuals: usize,
    rules: &'a [&'a ChainRule],
    traits: &'a [Traits],
    limit: usize,
    /// How many edges all of them have so far.
    edges: usize,
    own: FxHashMap<u32, Grown>,
    /// Relations that the chains pass through and that do not grow.
    fixed: FxHashMap<u32, [Edges; 2]>,
    open: Vec<(u32, [u32; 2])>,
}

/// The edges of one relation so far.
#[derive(Default)]
struct Grown {
    edges: FxHashSet<[u32; 2]>,
    objects: FxHashMap<u32, Vec<u32>>,
    subjects: FxHashMap<u32, Vec<u32>>,
}

impl<'a> Growing<'a> {
    pub(super) fn new(
        individuals: usize,
        members: &[u32],
        rules: &'a [&'a ChainRule],
        traits: &'a [Traits],
        limit: usize,
    ) -> Growing<'a> {
        let own = members.iter().map(|&relation| (relation, Grown::default())).collect();
        let (fixed, open) = (FxHashMap::default(), Vec::new());
        Growing { individuals, rules, traits, limit, edges: 0, own, fixed, open }
    }

    /// Lets the relations grow from their asserted pairs and puts what comes out in their place. The error is the relation
    /// that grew past the limit.
    pub(super) fn grow(mut self, pairs: &mut [Vec<[u32; 2]>]) -> Result<(), u32> {
        self.start(pairs)?;
        while let Some((relation, edge)) = self.open.pop() {
            for &rule in self.rules {
                for place in 0..rule.body.len() {
                    if rule.body[place].relation == relation {
                        self.apply(rule, place, edge)?;
                    }
                }
            }
        }
        for (relation, grown) in self.own {
            pairs[relation as usize] = grown.edges.into_iter().collect();
            // Sets have no order of their own, and an answer has one.
            pairs[relation as usize].sort_unstable();
        }
        Ok(())
    }

    fn start(&mut self, pairs: &mut [Vec<[u32; 2]>]) -> Result<(), u32> {
        for &rule in self.rules {
            for side in &rule.body {
                if !self.own.contains_key(&side.relation) {
                    let forward = Edges::new(
                        self.individuals,
                        self.individuals,
                        pairs[side.relation as usize].clone(),
                    );
                    self.fixed
                        .entry(side.relation)
                        .or_insert_with(|| [forward.clone(), forward.inverse()]);
                }
            }
        }
        let mut relations: Vec<u32> = self.own.keys().copied().collect();
        relations.sort_unstable();
        for relation in relations {
            for edge in std::mem::take(&mut pairs[relation as usize]) {
                self.insert(relation, edge)?;
            }
        }
        for &rule in self.rules {
            if rule.body.iter().all(|side| !self.own.contains_key(&side.relation)) {
                let reached = compose(self.individuals, &rule.body, pairs, self.limit);
                for edge in reached.ok_or(rule.head)? {
                    self.insert(rule.head, edge)?;
                }
            }
        }
        Ok(())
    }

    /// Everything that a rule reaches with an edge at one of its steps.
    fn apply(&mut self, rule: &ChainRule, place: usize, [a, b]: [u32; 2]) -> Result<(), u32> {
        let [from, to] = if rule.body[place].inverse { [b, a] } else { [a, b] };
        let (mut starts, mut ends) = (vec![from], vec![to]);
        for &side in rule.body[..place].iter().rev() {
            starts = self.step(Side { inverse: !side.inverse, ..side }, &starts);
        }
        for &side in &rule.body[place + 1..] {
            ends = self.step(side, &ends);
        }
        for &start in &starts {
            for &end in &ends {
                self.insert(rule.head, [start, end])?;
            }
        }
        Ok(())
    }

    /// Everybody one step further, each once.
    fn step(&self, side: Side, from: &[u32]) -> Vec<u32> {
        let mut reached: Vec<u32> = match self.own.get(&side.relation) {
            Some(grown) => {
                let lists = if side.inverse { &grown.subjects } else { &grown.objects };
                from.iter().filter_map(|node| lists.get(node)).flatten().copied().collect()
            }
            None => {
                let edges = &self.fixed[&side.relation][usize::from(side.inverse)];
                from.iter().flat_map(|&node| edges.of(node)).copied().collect()
            }
        };
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// Adds an edge with what symmetry and transitivity make of it.
    fn insert(&mut self, relation: u32, [a, b]: [u32; 2]) -> Result<(), u32> {
        let Traits { symmetric, transitive } = self.traits[relation as usize];
        let back = (symmetric && a != b).then_some([b, a]);
        for [from, to] in [Some([a, b]), back].into_iter().flatten() {
            let grown = self.own.entry(relation).or_default();
            if grown.edges.contains(&[from, to]) {
                continue;
            }
            if !transitive {
                self.edges += usize::from(grown.add([from, to]));
                self.open.push((relation, [from, to]));
            } else {
                let with = |lists: &FxHashMap<u32, Vec<u32>>, node: u32| {
                    let mut all = lists.get(&node).cloned().unwrap_or_default();
                    all.push(node);
                    all
                };
                let (starts, ends) = (with(&grown.subjects, from), with(&grown.objects, to));
                for &start in &starts {
                    for &end in &ends {
                        if grown.add([start, end]) {
                            self.edges += 1;
                            self.open.push((relation, [start, end]));
                            // One edge between two long paths may mean millions.
                            if self.edges > self.limit {
                                return Err(relation);
                            }
                        }
                    }
                }
            }
            if self.edges > self.limit {
                return Err(relation);
            }
        }
        Ok(())
    }
}

impl Grown {
    fn add(&mut self, [from, to]: [u32; 2]) -> bool {
        let new = self.edges.insert([from, to]);
        if new {
            self.objects.entry(from).or_default().push(to);
            self.subjects.entry(to).or_default().push(from);
        }
        new
    }
}
