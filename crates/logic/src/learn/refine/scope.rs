use super::super::directed_role::DirectedRole;
use super::super::identity::{Digest, digest};
use super::super::{LogicError, SearchContext};
use super::classes::ClassView;
use super::top_refinements::TopRefinements;
use pellucid_bits::Bits;
use pellucid_program::ProgramId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How the individuals of a scope are related by a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// The number of individuals with an edge.
    pub(super) subjects: u64,
    /// The maximum number of edges of one individual.
    pub(super) most: u32,
}

/// The individuals that a position in an expression refers to: the examples at the top level, the
/// individuals related to them under a restriction, and so on.
///
/// Refinements that do not discriminate between them are not generated. Under the closed-world
/// assumption this subsumes the use of domains, ranges and disjointness.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The individuals.
    pub(super) individuals: Bits,
    /// The classes that discriminate between them.
    pub(super) classes: ClassView,
    top_refinements: Option<TopRefinements>,
}

/// All scopes so far, by number; 0 is the top level.
#[derive(Clone, Debug)]
pub(super) struct Scopes {
    list: Vec<Scope>,
    by_extent: FxHashMap<Digest, usize>,
    steps: FxHashMap<(usize, DirectedRole), usize>,
    reaches: FxHashMap<(usize, DirectedRole), Reach>,
}

impl Scopes {
    /// Creates the top-level scope.
    pub(super) fn new(context: &SearchContext) -> Scopes {
        let mut individuals = Bits::zeros(context.kb().world.len());
        let task = context.task();
        task.positive.iter().chain(&task.negative).for_each(|&one| individuals.set(one as usize));
        let mut scopes = Scopes {
            list: Vec::new(),
            by_extent: FxHashMap::default(),
            steps: FxHashMap::default(),
            reaches: FxHashMap::default(),
        };
        scopes.add(context, individuals);
        scopes
    }

    fn add(&mut self, context: &SearchContext, individuals: Bits) -> usize {
        let next = self.list.len();
        let number = *self.by_extent.entry(digest(individuals.blocks())).or_insert(next);
        if number == next {
            let classes = ClassView::new(context.kb(), context.allowed(), &individuals);
            self.list.push(Scope { individuals, classes, top_refinements: None });
        }
        number
    }

    /// Returns a scope.
    pub(super) fn get(&self, scope: usize) -> &Scope {
        &self.list[scope]
    }

    /// Returns the scope under a restriction.
    pub(super) fn step(
        &mut self,
        context: &SearchContext,
        scope: usize,
        directed_role: DirectedRole,
    ) -> usize {
        if let Some(&known) = self.steps.get(&(scope, directed_role)) {
            return known;
        }
        let subjects = &self.list[scope].individuals;
        let individuals = directed_role.objects(&context.kb().world, subjects);
        let number = self.add(context, individuals);
        self.steps.insert((scope, directed_role), number);
        number
    }

    /// Returns how the individuals of a scope are related by a role.
    pub(super) fn reach(
        &mut self,
        context: &SearchContext,
        scope: usize,
        directed_role: DirectedRole,
    ) -> Reach {
        if let Some(&known) = self.reaches.get(&(scope, directed_role)) {
            return known;
        }
        let edges = directed_role.edges(&context.kb().world);
        let mut reach = Reach::default();
        for subject in numbers(&self.list[scope].individuals) {
            let degree = edges.of(subject).len();
            reach.subjects += u64::from(degree > 0);
            reach.most = reach.most.max(u32::try_from(degree).unwrap_or(u32::MAX));
        }
        self.reaches.insert((scope, directed_role), reach);
        reach
    }

    /// Returns the refinements of `owl:Thing` in a scope, with exactly this length.
    pub(super) fn top_refinements(
        &mut self,
        context: &mut SearchContext,
        scope: usize,
        length: u32,
    ) -> Result<Arc<[ProgramId]>, LogicError> {
        if self.list[scope].top_refinements.is_none() {
            self.list[scope].top_refinements = Some(TopRefinements::new(self, context, scope)?);
        }
        let refinements = self.list[scope].top_refinements.as_mut();
        Ok(refinements
            .map(|refinements| refinements.of_length(context, length))
            .unwrap_or_default())
    }
}

/// The numbers of the individuals in a set.
pub(super) fn numbers(individuals: &Bits) -> impl Iterator<Item = u32> + '_ {
    // Individuals have 32-bit numbers.
    #[expect(clippy::cast_possible_truncation)]
    individuals.ones().map(|one| one as u32)
}
