//! Who is in which class: what is said, what follows from subclasses, and what follows from definitions.
//!
//! First everybody goes up the named hierarchy. Then the rules of the definitions are applied until nobody is added. A rule
//! adds to its class and to all classes above it, save those that its own words require. A class that a rule must be *false*
//! for is completed before the rule is applied; where two classes wait for each other in this way, the rules in question
//! are applied once, after all others, and a note says so.

use super::axioms::ClassAxioms;
use super::evaluate::Evaluator;
use super::graph::{Components, small};
use super::vocabulary::local;
use pellucid_bits::Bits;
use pellucid_program::{Expr, ProgramId};
use pellucid_relate::{Edges, World};
use rustc_hash::{FxHashMap, FxHashSet};

/// A definition, ready to be applied.
struct DefinitionRule {
    root: ProgramId,
    /// The groups of equal classes that gain members.
    heads: Vec<u32>,
    /// Groups that it mentions, and whether negatively.
    mentions: Vec<(u32, bool)>,
}

/// Classes of a world under completion.
pub(super) struct Completion<'a> {
    evaluator: Evaluator<'a>,
    groups: Components,
    rules: Vec<DefinitionRule>,
}

impl<'a> Completion<'a> {
    /// Makes ready to complete the classes of a world. Rules that mean nothing there become notes.
    pub(super) fn new(
        world: &World,
        axioms: &ClassAxioms,
        aliases: &'a FxHashMap<String, u32>,
        notes: &mut Vec<String>,
    ) -> Completion<'a> {
        let count = world.classes().len();
        let groups = Components::new(&Edges::new(count, count, axioms.below.clone()));
        let above = Above::new(&groups, &axioms.below);
        let mut evaluator = Evaluator::new(world, aliases);
        let roots = evaluator.add(world, axioms.rules.iter().map(|(expr, _)| expr));
        let mut rules = Vec::new();
        for (root, (_, class)) in roots.into_iter().zip(&axioms.rules) {
            let root = match root {
                Ok(root) => root,
                Err(error) => {
                    let class = local(world.class_names().get(*class));
                    notes.push(format!("a definition of '{class}' was passed over: {error}"));
                    continue;
                }
            };
            let group = |class: u32| groups.of[class as usize];
            let implied = above.all(evaluator.required(root).into_iter().map(group));
            let heads = above.all([group(*class)].into_iter());
            let mut heads: Vec<u32> = heads.difference(&implied).copied().collect();
            heads.sort_unstable();
            let mentions = evaluator
                .classes(root)
                .into_iter()
                .map(|(class, against)| (group(class), against))
                .collect();
            rules.push(DefinitionRule { root, heads, mentions });
        }
        Completion { evaluator, groups, rules }
    }

    /// Adds expressions that are asked for later.
    pub(super) fn add<'e>(
        &mut self,
        world: &World,
        exprs: impl Iterator<Item = &'e Expr>,
    ) -> Vec<Result<ProgramId, String>> {
        self.evaluator.add(world, exprs)
    }

    /// Who satisfies an expression now.
    pub(super) fn extent(&self, world: &World, root: ProgramId) -> Bits {
        self.evaluator.extent(world, root).into_owned()
    }

    /// Whether more members and more edges can only bring more to an expression.
    pub(super) fn is_steady(&self, root: ProgramId) -> bool {
        self.evaluator.is_steady(root)
    }

    /// Leaves out the rules that more members or more edges could make untrue again.
    pub(super) fn keep_steady(&mut self) {
        let evaluator = &self.evaluator;
        self.rules.retain(|rule| evaluator.is_steady(rule.root));
    }

    /// Completes all classes; `below` are the inclusions of named classes.
    pub(super) fn run(&self, world: &mut World, below: &[[u32; 2]]) -> Vec<String> {
        self.ascend(world, below);
        let needs: Vec<[u32; 2]> = self
            .rules
            .iter()
            .flat_map(|rule| {
                let heads = rule.heads.iter();
                heads.flat_map(|&head| rule.mentions.iter().map(move |&(body, _)| [head, body]))
            })
            .collect();
        let order = Components::new(&Edges::new(self.groups.len(), self.groups.len(), needs));
        let mut by_component: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for (number, rule) in (0u32..).zip(&self.rules) {
            let mut homes: Vec<u32> =
                rule.heads.iter().map(|&head| order.of[head as usize]).collect();
            homes.sort_unstable();
            homes.dedup();
            homes.iter().for_each(|&home| by_component[home as usize].push(number));
        }
        let mut notes = Vec::new();
        for (component, rules) in (0u32..).zip(&by_component) {
            if !rules.is_empty() {
                notes.extend(self.complete(world, &order, component, rules));
            }
        }
        notes
    }

    /// Applies the rules of classes that need each other until nobody is added.
    fn complete(
        &self,
        world: &mut World,
        order: &Components,
        component: u32,
        rules: &[u32],
    ) -> Option<String> {
        let inside = |group: u32| order.of[group as usize] == component;
        let waits = |rule: &DefinitionRule| {
            rule.mentions.iter().any(|&(body, against)| against && inside(body))
        };
        let needs = |rule: &DefinitionRule| rule.mentions.iter().any(|&(body, _)| inside(body));
        let rules: Vec<&DefinitionRule> =
            rules.iter().map(|&rule| &self.rules[rule as usize]).collect();
        let (late, steady): (Vec<&DefinitionRule>, Vec<&DefinitionRule>) =
            rules.iter().partition(|rule| waits(rule));
        let settle = |world: &mut World| {
            // Those that need nobody in here cannot find more the second time.
            let mut now: Vec<&DefinitionRule> = steady.clone();
            loop {
                let mut changed = false;
                for rule in &now {
                    let extent = self.evaluator.extent(world, rule.root).into_owned();
                    changed |= self.widen(world, rule, &extent, &inside);
                }
                now.retain(|rule| needs(rule));
                if !changed || now.is_empty() {
                    break;
                }
            }
        };
        settle(world);
        if late.is_empty() {
            return None;
        }
        let found: Vec<Bits> =
            late.iter().map(|rule| self.evaluator.extent(world, rule.root).into_owned()).collect();
        for (rule, extent) in late.iter().zip(&found) {
            self.widen(world, rule, extent, &inside);
        }
        settle(world);
        let mut names: Vec<String> = order
            .members(component)
            .iter()
            .flat_map(|&group| self.groups.members(group))
            .map(|&class| format!("'{}'", local(world.class_names().get(class))))
            .collect();
        names.sort_unstable();
        let names = pellucid_learn::suggest::listed(names.iter().map(String::as_str), 10);
        Some(format!(
            "the definitions of {names} need each other's negation; they were applied once, after all others"
        ))
    }

    /// Adds members to those heads of a rule that are being completed.
    fn widen(
        &self,
        world: &mut World,
        rule: &DefinitionRule,
        members: &Bits,
        inside: &impl Fn(u32) -> bool,
    ) -> bool {
        let mut changed = false;
        for &head in rule.heads.iter().filter(|&&head| inside(head)) {
            for &class in self.groups.members(head) {
                changed |= world.widen(class as usize, members);
            }
        }
        changed
    }

    /// Everybody goes up the named hierarchy.
    fn ascend(&self, world: &mut World, below: &[[u32; 2]]) {
        let group = |class: u32| self.groups.of[class as usize];
        let mut up: Vec<[u32; 2]> = below
            .iter()
            .map(|&[low, high]| [group(low), group(high)])
            .filter(|[low, high]| low != high)
            .collect();
        // Larger numbers lie lower.
        up.sort_unstable_by(|a, b| b.cmp(a));
        up.dedup();
        let mut up = up.into_iter().peekable();
        for low in (0..small(self.groups.len())).rev() {
            let equal = self.groups.members(low);
            let first = equal[0] as usize;
            for &other in &equal[1..] {
                let members = world.classes()[other as usize].clone();
                world.widen(first, &members);
            }
            let above: Vec<u32> = std::iter::from_fn(|| up.next_if(|edge| edge[0] == low))
                .map(|[_, high]| high)
                .collect();
            if equal.len() == 1 && above.is_empty() {
                continue;
            }
            let members = world.classes()[first].clone();
            equal[1..].iter().for_each(|&other| {
                world.widen(other as usize, &members);
            });
            for high in above {
                world.widen(self.groups.members(high)[0] as usize, &members);
            }
        }
    }
}

/// Which groups of equal classes lie above which.
struct Above {
    graph: Edges,
}

impl Above {
    fn new(groups: &Components, below: &[[u32; 2]]) -> Above {
        let between = below
            .iter()
            .map(|&[low, high]| [groups.of[low as usize], groups.of[high as usize]])
            .filter(|[low, high]| low != high)
            .collect();
        Above { graph: Edges::new(groups.len(), groups.len(), between) }
    }

    /// Some groups and all above them.
    fn all(&self, low: impl Iterator<Item = u32>) -> FxHashSet<u32> {
        let mut open: Vec<u32> = low.collect();
        let mut found: FxHashSet<u32> = open.iter().copied().collect();
        while let Some(here) = open.pop() {
            open.extend(self.graph.of(here).iter().filter(|&&high| found.insert(high)));
        }
        found
    }
}
