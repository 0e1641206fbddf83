use super::super::identity::{Digest, digest};
use super::super::{Lab, LearnError};
use super::classes::ClassView;
use super::menu::Menu;
use pellucid_engine::world::Edges;
use pellucid_engine::{Bits, ProgramId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A role and the way it is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Way {
    /// An object property.
    pub(super) role: u32,
    /// Whether from object to subject.
    pub(super) inverse: bool,
}

impl Way {
    /// Its edges.
    pub(super) fn edges(self, lab: &Lab) -> &Edges {
        let links = &lab.kb().world.roles()[self.role as usize];
        if self.inverse { &links.inverse } else { &links.forward }
    }
}

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
pub(super) struct Context {
    /// Who can be asked.
    pub(super) who: Bits,
    /// Classes that tell some of them from others.
    pub(super) classes: ClassView,
    menu: Option<Menu>,
}

/// All contexts that were met, by number; 0 is the outside.
#[derive(Clone, Debug)]
pub(super) struct Contexts {
    list: Vec<Context>,
    by_who: FxHashMap<Digest, usize>,
    steps: FxHashMap<(usize, Way), usize>,
    reaches: FxHashMap<(usize, Way), Reach>,
}

impl Contexts {
    /// The outside.
    pub(super) fn new(lab: &Lab) -> Contexts {
        let mut who = Bits::zeros(lab.kb().world.len());
        let task = lab.task();
        task.positive.iter().chain(&task.negative).for_each(|&one| who.set(one as usize));
        let mut contexts = Contexts {
            list: Vec::new(),
            by_who: FxHashMap::default(),
            steps: FxHashMap::default(),
            reaches: FxHashMap::default(),
        };
        contexts.add(lab, who);
        contexts
    }

    fn add(&mut self, lab: &Lab, who: Bits) -> usize {
        let next = self.list.len();
        let number = *self.by_who.entry(digest(who.blocks())).or_insert(next);
        if number == next {
            let classes = ClassView::new(lab.kb(), lab.allowed(), &who);
            self.list.push(Context { who, classes, menu: None });
        }
        number
    }

    /// A context by its number.
    pub(super) fn get(&self, context: usize) -> &Context {
        &self.list[context]
    }

    /// The context under a restriction.
    pub(super) fn step(&mut self, lab: &Lab, context: usize, way: Way) -> usize {
        if let Some(&known) = self.steps.get(&(context, way)) {
            return known;
        }
        let edges = way.edges(lab);
        let mut who = Bits::zeros(lab.kb().world.len());
        for subject in numbers(&self.list[context].who) {
            edges.of(subject).iter().for_each(|&object| who.set(object as usize));
        }
        let number = self.add(lab, who);
        self.steps.insert((context, way), number);
        number
    }

    /// How those of a context are related by a role.
    pub(super) fn reach(&mut self, lab: &Lab, context: usize, way: Way) -> Reach {
        if let Some(&known) = self.reaches.get(&(context, way)) {
            return known;
        }
        let edges = way.edges(lab);
        let mut reach = Reach::default();
        for subject in numbers(&self.list[context].who) {
            let degree = edges.of(subject).len();
            reach.subjects += u64::from(degree > 0);
            reach.most = reach.most.max(u32::try_from(degree).unwrap_or(u32::MAX));
        }
        self.reaches.insert((context, way), reach);
        reach
    }

    /// What `true` may become at a place, of exactly this length.
    pub(super) fn menu(
        &mut self,
        lab: &mut Lab,
        context: usize,
        length: u32,
    ) -> Result<Arc<[ProgramId]>, LearnError> {
        if self.list[context].menu.is_none() {
            self.list[context].menu = Some(Menu::new(self, lab, context)?);
        }
        let menu = self.list[context].menu.as_mut();
        Ok(menu.map(|menu| menu.of_length(lab, length)).unwrap_or_default())
    }
}

/// The numbers of the individuals in a set.
pub(super) fn numbers(who: &Bits) -> impl Iterator<Item = u32> + '_ {
    // Individuals are numbered as u32.
    #[expect(clippy::cast_possible_truncation)]
    who.ones().map(|one| one as u32)
}

/// The object properties that answers may name, both ways if allowed.
pub(super) fn ways(lab: &Lab) -> Vec<Way> {
    let inverses: &[bool] = if lab.options().operators.inverse { &[false, true] } else { &[false] };
    let roles = lab.allowed().roles.iter();
    roles.flat_map(|&role| inverses.iter().map(move |&inverse| Way { role, inverse })).collect()
}
