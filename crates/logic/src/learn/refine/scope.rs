use super::super::identity::{Digest, digest};
use super::super::role_way::RoleWay;
use super::super::{LogicError, SearchContext};
use super::classes::ClassView;
use super::menu::Menu;
use pellucid_bits::Bits;
use pellucid_program::ProgramId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How some individuals are related by a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// How many of them are at all.
    pub(super) subjects: u64,
    /// To how many others at most.
    pub(super) most: u32,
}

/// A place in an expression, as seen by those who can be asked there: the examples at the outside, those whom they are
/// related to under a restriction, and so on.
///
/// What says nothing about them is not offered there. This is what domains, ranges and disjoint classes are good for, and
/// more: under the closed world the individuals themselves show it.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// Who can be asked.
    pub(super) who: Bits,
    /// Classes that tell some of them from others.
    pub(super) classes: ClassView,
    menu: Option<Menu>,
}

/// All scopes that were met, by number; 0 is the outside.
#[derive(Clone, Debug)]
pub(super) struct Scopes {
    list: Vec<Scope>,
    by_who: FxHashMap<Digest, usize>,
    steps: FxHashMap<(usize, RoleWay), usize>,
    reaches: FxHashMap<(usize, RoleWay), Reach>,
}

impl Scopes {
    /// The outside.
    pub(super) fn new(context: &SearchContext) -> Scopes {
        let mut who = Bits::zeros(context.kb().world.len());
        let task = context.task();
        task.positive.iter().chain(&task.negative).for_each(|&one| who.set(one as usize));
        let mut scopes = Scopes {
            list: Vec::new(),
            by_who: FxHashMap::default(),
            steps: FxHashMap::default(),
            reaches: FxHashMap::default(),
        };
        scopes.add(context, who);
        scopes
    }

    fn add(&mut self, context: &SearchContext, who: Bits) -> usize {
        let next = self.list.len();
        let number = *self.by_who.entry(digest(who.blocks())).or_insert(next);
        if number == next {
            let classes = ClassView::new(context.kb(), context.allowed(), &who);
            self.list.push(Scope { who, classes, menu: None });
        }
        number
    }

    /// A scope by its number.
    pub(super) fn get(&self, scope: usize) -> &Scope {
        &self.list[scope]
    }

    /// The scope under a restriction.
    pub(super) fn step(&mut self, context: &SearchContext, scope: usize, way: RoleWay) -> usize {
        if let Some(&known) = self.steps.get(&(scope, way)) {
            return known;
        }
        let edges = way.edges(&context.kb().world);
        let mut who = Bits::zeros(context.kb().world.len());
        for subject in numbers(&self.list[scope].who) {
            edges.of(subject).iter().for_each(|&object| who.set(object as usize));
        }
        let number = self.add(context, who);
        self.steps.insert((scope, way), number);
        number
    }

    /// How those of a scope are related by a role.
    pub(super) fn reach(&mut self, context: &SearchContext, scope: usize, way: RoleWay) -> Reach {
        if let Some(&known) = self.reaches.get(&(scope, way)) {
            return known;
        }
        let edges = way.edges(&context.kb().world);
        let mut reach = Reach::default();
        for subject in numbers(&self.list[scope].who) {
            let degree = edges.of(subject).len();
            reach.subjects += u64::from(degree > 0);
            reach.most = reach.most.max(u32::try_from(degree).unwrap_or(u32::MAX));
        }
        self.reaches.insert((scope, way), reach);
        reach
    }

    /// What `true` may become at a place, of exactly this length.
    pub(super) fn menu(
        &mut self,
        context: &mut SearchContext,
        scope: usize,
        length: u32,
    ) -> Result<Arc<[ProgramId]>, LogicError> {
        if self.list[scope].menu.is_none() {
            self.list[scope].menu = Some(Menu::new(self, context, scope)?);
        }
        let menu = self.list[scope].menu.as_mut();
        Ok(menu.map(|menu| menu.of_length(context, length)).unwrap_or_default())
    }
}

/// The numbers of the individuals in a set.
pub(super) fn numbers(who: &Bits) -> impl Iterator<Item = u32> + '_ {
    // Individuals are numbered as u32.
    #[expect(clippy::cast_possible_truncation)]
    who.ones().map(|one| one as u32)
}

/// The object properties that answers may name, both ways if allowed.
pub(super) fn ways(context: &SearchContext) -> Vec<RoleWay> {
    let inverses: &[bool] =
        if context.options().operators.inverse { &[false, true] } else { &[false] };
    let roles = context.allowed().roles.iter();
    roles.flat_map(|&role| inverses.iter().map(move |&inverse| RoleWay { role, inverse })).collect()
}
