use super::bounds::{Excess, InferenceBounds};
use super::relation::{ChainRule, DirectedRelation, compose};
use super::roles::RelationTraits;
use pellucid_relate::Edges;
use rustc_hash::{FxHashMap, FxHashSet};

/// Relations that depend on each other through chains, completed edge by edge.
///
/// Every new edge is processed once, at every step of every chain where it fits; the chain then
/// yields further edges. A transitive relation is kept closed at all times: a new edge connects
/// everything that reaches its subject with everything its object reaches.
pub(super) struct RelationCompletion<'a> {
    individuals: usize,
    rules: &'a [&'a ChainRule],
    traits: &'a [RelationTraits],
    bounds: InferenceBounds<'a>,
    /// The total number of edges so far.
    edges: usize,
    own: FxHashMap<u32, GrowingRelation>,
    /// Relations that occur in chains and do not grow.
    fixed: FxHashMap<u32, [Edges; 2]>,
    open: Vec<(u32, [u32; 2])>,
    /// The number of edges that were looked up.
    steps: u64,
}

/// The maximum number of edges to look up: about a minute.
const MOST_STEPS: u64 = 500_000_000;

/// The edges of one relation so far.
#[derive(Default)]
struct GrowingRelation {
    edges: FxHashSet<[u32; 2]>,
    objects: FxHashMap<u32, Vec<u32>>,
    subjects: FxHashMap<u32, Vec<u32>>,
}

impl<'a> RelationCompletion<'a> {
    pub(super) fn new(
        individuals: usize,
        members: &[u32],
        rules: &'a [&'a ChainRule],
        traits: &'a [RelationTraits],
        bounds: InferenceBounds<'a>,
    ) -> RelationCompletion<'a> {
        let own = members.iter().map(|&relation| (relation, GrowingRelation::default())).collect();
        let (fixed, open) = (FxHashMap::default(), Vec::new());
        RelationCompletion {
            individuals,
            rules,
            traits,
            bounds,
            edges: 0,
            own,
            fixed,
            open,
            steps: 0,
        }
    }

    /// Completes the relations and stores their pairs. The error is the relation that exceeds a
    /// limit.
    pub(super) fn run(mut self, pairs: &mut [Vec<[u32; 2]>]) -> Result<(), Excess> {
        self.start(pairs)?;
        let mut calls = 0;
        while let Some((relation, edge)) = self.open.pop() {
            self.bounds.check(&mut calls)?;
            for &rule in self.rules {
                for step in 0..rule.body.len() {
                    if rule.body[step].relation == relation {
                        self.apply(rule, step, edge)?;
                    }
                }
            }
        }
        for (relation, grown) in self.own {
            pairs[relation as usize] = grown.edges.into_iter().collect();
            // Sort, because the order of a hash set is arbitrary.
            pairs[relation as usize].sort_unstable();
        }
        Ok(())
    }

    fn start(&mut self, pairs: &mut [Vec<[u32; 2]>]) -> Result<(), Excess> {
        for &rule in self.rules {
            for directed in &rule.body {
                if !self.own.contains_key(&directed.relation) {
                    let forward = Edges::new(
                        self.individuals,
                        self.individuals,
                        pairs[directed.relation as usize].clone(),
                    );
                    self.fixed
                        .entry(directed.relation)
                        .or_insert_with(|| [forward.clone(), forward.inverse()]);
                }
            }
        }
        let mut relations: Vec<u32> = self.own.keys().copied().collect();
        relations.sort_unstable();
        for relation in relations {
            let mut calls = 0;
            for edge in std::mem::take(&mut pairs[relation as usize]) {
                self.bounds.check(&mut calls)?;
                self.insert(relation, edge)?;
            }
        }
        for &rule in self.rules {
            if rule.body.iter().all(|directed| !self.own.contains_key(&directed.relation)) {
                for edge in compose(self.individuals, rule, pairs, &self.bounds)? {
                    self.insert(rule.head, edge)?;
                }
            }
        }
        Ok(())
    }

    /// Adds everything that a rule derives from an edge at one of its steps.
    fn apply(&mut self, rule: &ChainRule, step: usize, [a, b]: [u32; 2]) -> Result<(), Excess> {
        let [from, to] = if rule.body[step].inverse { [b, a] } else { [a, b] };
        let (mut starts, mut ends) = (vec![from], vec![to]);
        for &directed in rule.body[..step].iter().rev() {
            starts =
                self.step(DirectedRelation { inverse: !directed.inverse, ..directed }, &starts);
        }
        for &directed in &rule.body[step + 1..] {
            ends = self.step(directed, &ends);
        }
        self.steps += starts.len() as u64 * ends.len() as u64;
        if self.steps > MOST_STEPS {
            return Err(Excess::Steps(rule.head));
        }
        for &start in &starts {
            for &end in &ends {
                self.insert(rule.head, [start, end])?;
            }
        }
        Ok(())
    }

    /// Returns all individuals one step further, without duplicates.
    fn step(&self, directed: DirectedRelation, from: &[u32]) -> Vec<u32> {
        let mut reached: Vec<u32> = match self.own.get(&directed.relation) {
            Some(grown) => {
                let lists = if directed.inverse { &grown.subjects } else { &grown.objects };
                from.iter().filter_map(|node| lists.get(node)).flatten().copied().collect()
            }
            None => {
                let edges = &self.fixed[&directed.relation][usize::from(directed.inverse)];
                from.iter().flat_map(|&node| edges.of(node)).copied().collect()
            }
        };
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// Adds an edge and its symmetric and transitive consequences.
    fn insert(&mut self, relation: u32, [a, b]: [u32; 2]) -> Result<(), Excess> {
        let RelationTraits { symmetric, transitive } = self.traits[relation as usize];
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
                self.steps += starts.len() as u64 * ends.len() as u64;
                if self.steps > MOST_STEPS {
                    return Err(Excess::Steps(relation));
                }
                for &start in &starts {
                    for &end in &ends {
                        if grown.add([start, end]) {
                            self.edges += 1;
                            self.open.push((relation, [start, end]));
                            // One edge between two long paths can create millions.
                            if self.edges > self.bounds.edges {
                                return Err(Excess::Edges(relation));
                            }
                        }
                    }
                }
            }
            if self.edges > self.bounds.edges {
                return Err(Excess::Edges(relation));
            }
        }
        Ok(())
    }
}

impl GrowingRelation {
    fn add(&mut self, [from, to]: [u32; 2]) -> bool {
        let new = self.edges.insert([from, to]);
        if new {
            self.objects.entry(from).or_default().push(to);
            self.subjects.entry(to).or_default().push(from);
        }
        new
    }
}
