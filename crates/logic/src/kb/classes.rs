//! Completes class membership: asserted types, subclasses and definitions.
//!
//! First, instances are propagated up the named hierarchy. Then the rules of the definitions are
//! applied until there is no change. A rule adds instances to its class and to all superclasses,
//! except those in its own conjuncts. A class that a rule mentions negatively is completed before
//! the rule is applied. If classes depend negatively on each other, the rules in question are
//! applied once, after all others, and a note says so.

use super::axioms::ClassAxioms;
use super::bounds::stop_rarely;
use super::evaluate::Evaluator;
use super::graph::{Components, to_u32};
use super::short_names::local;
use pellucid_bits::Bits;
use pellucid_data::{Message, message};
use pellucid_learn::run::{Control, StopReason};
use pellucid_program::{Expr, ProgramId};
use pellucid_relate::{Edges, World};
use rustc_hash::{FxHashMap, FxHashSet};

/// A definition, compiled.
struct DefinitionRule {
    root: ProgramId,
    /// The groups of equivalent classes that gain instances.
    heads: Vec<u32>,
    /// The groups it mentions, and whether negatively.
    mentions: Vec<(u32, bool)>,
}

/// The completion of the classes of a world.
pub(super) struct ClassCompletion<'a> {
    evaluator: Evaluator<'a>,
    groups: Components,
    rules: Vec<DefinitionRule>,
}

impl<'a> ClassCompletion<'a> {
    /// Prepares the completion. Adds notes about rules that cannot be evaluated.
    pub(super) fn new(
        world: &World,
        axioms: &ClassAxioms,
        aliases: &'a FxHashMap<String, u32>,
        notes: &mut Vec<Message>,
    ) -> ClassCompletion<'a> {
        let count = world.classes().len();
        let groups = Components::new(&Edges::new(count, count, axioms.below.clone()));
        let above = Superclasses::new(&groups, &axioms.below);
        let mut evaluator = Evaluator::new(world, aliases);
        let roots = evaluator.add(world, axioms.rules.iter().map(|(expr, _)| expr));
        let mut rules = Vec::new();
        for (root, (_, class)) in roots.into_iter().zip(&axioms.rules) {
            let root = match root {
                Ok(root) => root,
                Err(error) => {
                    let class = local(world.class_names().get(*class));
                    notes.push(message!("ignored a definition of '{class}': {error}"));
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
                .map(|(class, is_negative)| (group(class), is_negative))
                .collect();
            rules.push(DefinitionRule { root, heads, mentions });
        }
        ClassCompletion { evaluator, groups, rules }
    }

    /// Adds expressions that are evaluated later.
    pub(super) fn add<'e>(
        &mut self,
        world: &World,
        exprs: impl Iterator<Item = &'e Expr>,
    ) -> Vec<Result<ProgramId, String>> {
        self.evaluator.add(world, exprs)
    }

    /// Returns the current instances of an expression.
    pub(super) fn extent(&self, world: &World, root: ProgramId) -> Bits {
        self.evaluator.extent(world, root).into_owned()
    }

    /// Whether the extent of an expression grows monotonically with class instances and edges.
    pub(super) fn is_monotone(&self, root: ProgramId) -> bool {
        self.evaluator.is_monotone(root)
    }

    /// Keeps only monotone rules.
    pub(super) fn keep_monotone(&mut self) {
        let evaluator = &self.evaluator;
        self.rules.retain(|rule| evaluator.is_monotone(rule.root));
    }

    /// Completes all classes; `below` are the inclusions of named classes. Returns notes, or why the
    /// run was stopped.
    pub(super) fn run(
        &self,
        world: &mut World,
        below: &[[u32; 2]],
        control: &Control,
    ) -> Result<Vec<Message>, StopReason> {
        self.propagate_up(world, below);
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
            let mut components: Vec<u32> =
                rule.heads.iter().map(|&head| order.of[head as usize]).collect();
            components.sort_unstable();
            components.dedup();
            components.iter().for_each(|&component| by_component[component as usize].push(number));
        }
        let mut notes = Vec::new();
        for (component, rules) in (0u32..).zip(&by_component) {
            if !rules.is_empty() {
                notes.extend(self.complete(world, &order, component, rules, control)?);
            }
        }
        Ok(notes)
    }

    /// Applies the rules of mutually dependent classes until there is no change.
    fn complete(
        &self,
        world: &mut World,
        order: &Components,
        component: u32,
        rules: &[u32],
        control: &Control,
    ) -> Result<Option<Message>, StopReason> {
        let inside = |group: u32| order.of[group as usize] == component;
        let is_late = |rule: &DefinitionRule| {
            rule.mentions.iter().any(|&(body, is_negative)| is_negative && inside(body))
        };
        let needs = |rule: &DefinitionRule| rule.mentions.iter().any(|&(body, _)| inside(body));
        let rules: Vec<&DefinitionRule> =
            rules.iter().map(|&rule| &self.rules[rule as usize]).collect();
        let (late, monotone): (Vec<&DefinitionRule>, Vec<&DefinitionRule>) =
            rules.iter().partition(|rule| is_late(rule));
        let run_to_fixpoint = |world: &mut World| -> Result<(), StopReason> {
            // Rules that do not depend on this component need to be applied only once.
            let mut now: Vec<&DefinitionRule> = monotone.clone();
            let mut calls = 0;
            loop {
                let mut changed = false;
                for rule in &now {
                    stop_rarely(control, &mut calls)?;
                    let extent = self.evaluator.extent(world, rule.root).into_owned();
                    changed |= self.add_instances(world, rule, &extent, &inside);
                }
                now.retain(|rule| needs(rule));
                if !changed || now.is_empty() {
                    return Ok(());
                }
            }
        };
        run_to_fixpoint(world)?;
        if late.is_empty() {
            return Ok(None);
        }
        let found: Vec<Bits> =
            late.iter().map(|rule| self.evaluator.extent(world, rule.root).into_owned()).collect();
        for (rule, extent) in late.iter().zip(&found) {
            self.add_instances(world, rule, extent, &inside);
        }
        run_to_fixpoint(world)?;
        let mut names: Vec<String> = order
            .members(component)
            .iter()
            .flat_map(|&group| self.groups.members(group))
            .map(|&class| format!("'{}'", local(world.class_names().get(class))))
            .collect();
        names.sort_unstable();
        let names = pellucid_learn::suggest::listed(names.iter().map(String::as_str), 10);
        Ok(Some(message!(
            "the definitions of {names} depend on each other's negation; \
             they were applied once, after all others"
        )))
    }

    /// Adds instances to the heads of a rule that are in the current component.
    fn add_instances(
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

    /// Propagates instances up the named hierarchy.
    fn propagate_up(&self, world: &mut World, below: &[[u32; 2]]) {
        let group = |class: u32| self.groups.of[class as usize];
        let mut up: Vec<[u32; 2]> = below
            .iter()
            .map(|&[low, high]| [group(low), group(high)])
            .filter(|[low, high]| low != high)
            .collect();
        // Larger numbers are lower in the hierarchy.
        up.sort_unstable_by(|a, b| b.cmp(a));
        up.dedup();
        let mut up = up.into_iter().peekable();
        for low in (0..to_u32(self.groups.len())).rev() {
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

/// The superclass relation between groups of equivalent classes.
struct Superclasses {
    graph: Edges,
}

impl Superclasses {
    fn new(groups: &Components, below: &[[u32; 2]]) -> Superclasses {
        let between = below
            .iter()
            .map(|&[low, high]| [groups.of[low as usize], groups.of[high as usize]])
            .filter(|[low, high]| low != high)
            .collect();
        Superclasses { graph: Edges::new(groups.len(), groups.len(), between) }
    }

    /// Returns some groups and all groups above them.
    fn all(&self, low: impl Iterator<Item = u32>) -> FxHashSet<u32> {
        let mut open: Vec<u32> = low.collect();
        let mut found: FxHashSet<u32> = open.iter().copied().collect();
        while let Some(here) = open.pop() {
            open.extend(self.graph.of(here).iter().filter(|&&high| found.insert(high)));
        }
        found
    }
}
