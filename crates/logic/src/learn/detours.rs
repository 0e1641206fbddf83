//! Recognizes detours: paths that leave an individual and come back to it, or go on to others, through
//! an inverse.

use super::AllowedNames;
use super::directed_role::DirectedRole;
use pellucid_bits::{Bits, as_u32};
use pellucid_program::{Node, ProgramId, Programs};
use pellucid_relate::{Target, World};
use rustc_hash::FxHashMap;

/// Longer paths are not examined.
const MAX_STEPS: usize = 4;
/// A path with more individuals than this in one of its steps counts as no detour.
const MAX_REACHED: usize = 10_000;

/// The steps of a path, from the first one; its other entries are the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Path {
    steps: [DirectedRole; MAX_STEPS],
    length: usize,
}

impl Path {
    /// Returns the path with another step; `None` if it is too long.
    fn with(mut self, way: DirectedRole) -> Option<Path> {
        *self.steps.get_mut(self.length)? = way;
        self.length += 1;
        Some(self)
    }

    fn steps(&self) -> &[DirectedRole] {
        &self.steps[..self.length]
    }

    /// Whether an individual has the last two steps.
    fn is_possible(&self, world: &World) -> bool {
        let Some([first, next]) = self.steps().last_chunk::<2>() else { return false };
        let (objects, subjects) = (first.object_set(world), next.edges(world).subjects());
        let mut both = objects.blocks().iter().zip(subjects.blocks());
        both.any(|(one, other)| one.0.iter().zip(other.0).any(|(one, other)| one & other != 0))
    }
}

/// Finds programs with a detour. There are two sorts:
///
/// - A path of two or more steps that only ever leads back to where it started, as in
///   `hasAtom some (inverse hasAtom some C)` if no two molecules share an atom:
///   `C and hasAtom some owl:Thing` says the same.
/// - A path that goes on from plain values, that is individuals without properties such as `low` and
///   `high`: `density some (inverse density some C)`. It leads to all individuals that have the value,
///   which do not describe the one in question.
///
/// Computed once per program.
#[derive(Clone, Debug, Default)]
pub(super) struct Detours {
    allowed: AllowedNames,
    /// By directed role: whether its objects have no properties.
    leads_to_values: Vec<[bool; 2]>,
    /// Whether a path always comes back to its start.
    returning: FxHashMap<Path, bool>,
    known: Vec<Option<bool>>,
}

impl Detours {
    /// Examines the object properties of a world.
    pub(super) fn new(world: &World, allowed: &AllowedNames) -> Detours {
        let mut having = Bits::zeros(world.len());
        let edges = world.roles().iter().map(|links| &links.forward);
        for edges in edges.chain(world.properties().iter().map(|property| &property.edges)) {
            having.or_with(edges.subjects());
        }
        let have_none = |objects: &Bits| !objects.ones().any(|one| having.get(one));
        let of_role = world.roles().iter().map(|links| {
            [have_none(links.inverse.subjects()), have_none(links.forward.subjects())]
        });
        Detours {
            allowed: allowed.clone(),
            leads_to_values: of_role.collect(),
            ..Detours::default()
        }
    }

    /// Whether a program has a detour.
    pub(super) fn has_detour(
        &mut self,
        world: &World,
        programs: &Programs,
        program: ProgramId,
    ) -> bool {
        if let Some(&Some(known)) = self.known.get(program.index()) {
            return known;
        }
        let found = match programs.node(program) {
            Node::Constant(_) | Node::Leaf(..) => false,
            Node::Not(operand) => self.has_detour(world, programs, operand),
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().any(|&operand| self.has_detour(world, programs, operand))
            }
            Node::Related { role, inverse, filler, .. } => match world.target(role) {
                Target::Values(_) => false,
                Target::Individuals(_) => {
                    let path = Path::default().with(self.allowed.direction(role, inverse));
                    self.has_detour(world, programs, filler)
                        || path.is_some_and(|path| self.leads_back(world, programs, path, filler))
                }
            },
        };
        if self.known.len() <= program.index() {
            self.known.resize(programs.len(), None);
        }
        self.known[program.index()] = Some(found);
        found
    }

    /// Whether a filler at the end of a path goes on from values, or back to the start.
    fn leads_back(
        &mut self,
        world: &World,
        programs: &Programs,
        path: Path,
        filler: ProgramId,
    ) -> bool {
        match programs.node(filler) {
            Node::Constant(_) | Node::Leaf(..) => false,
            Node::Not(operand) => self.leads_back(world, programs, path, operand),
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().any(|&operand| self.leads_back(world, programs, path, operand))
            }
            Node::Related { role, inverse, filler, .. } => {
                if matches!(world.target(role), Target::Values(_)) {
                    return false;
                }
                let first = path.steps[0];
                if self.leads_to_values[first.role as usize][usize::from(first.inverse)] {
                    return true;
                }
                let Some(longer) = path.with(self.allowed.direction(role, inverse)) else {
                    return false;
                };
                self.returns(world, longer) || self.leads_back(world, programs, longer, filler)
            }
        }
    }

    /// Whether a path leads back to its start for every individual that has it.
    fn returns(&mut self, world: &World, path: Path) -> bool {
        if let Some(&known) = self.returning.get(&path) {
            return known;
        }
        let mut is_used = false;
        let mut comes_back = |one: u32| {
            let mut here = vec![one];
            for way in path.steps() {
                let edges = way.edges(world);
                let mut next: Vec<u32> =
                    here.iter().flat_map(|&from| edges.of(from)).copied().collect();
                next.sort_unstable();
                next.dedup();
                here = next;
                if here.len() > MAX_REACHED {
                    return false;
                }
            }
            is_used |= !here.is_empty();
            here.iter().all(|&end| end == one)
        };
        let subjects = path.steps[0].edges(world).subjects();
        let returns = path.is_possible(world)
            && subjects.ones().all(|one| comes_back(as_u32(one)))
            && is_used;
        self.returning.insert(path, returns);
        returns
    }

    /// Clears the cache.
    pub(super) fn forget_programs(&mut self) {
        self.known.clear();
    }
}

#[cfg(test)]
mod tests {
    use crate::learn::random_world::context;
    use crate::learn::{LearningTask, Options, SearchContext};
    use crate::{Closure, KnowledgeBase};
    use std::sync::Arc;

    /// Molecules own their atoms, patients share values, and children have two parents.
    const TURTLE: &str = "@prefix : <x:> .\n\
        :m1 :hasAtom :a1, :a2 . :m2 :hasAtom :a3 . :a1 :bound :a2 . :a3 :charge 1.5 .\n\
        :p1 :density :low . :p2 :density :low ; :shape :round . :p3 :density :high .\n\
        :anna :child :carl . :bert :child :carl . :carl :child :dora . :dora :age 3 .\n\
        :carl :parent :anna, :bert . :dora :parent :carl .";

    fn search() -> SearchContext {
        let ontology = pellucid_io::read_ontology_from(TURTLE.as_bytes(), "x.ttl").expect("Turtle");
        let kb = Arc::new(KnowledgeBase::new(ontology, &Closure::default()).expect("sound"));
        let task = LearningTask::of("x".to_owned(), vec![0], vec![1]);
        context(&kb, task, &Options::default(), 1)
    }

    #[test]
    fn paths_that_come_back_are_detours() {
        let mut context = search();
        let cases = [
            ("some `x:hasAtom` (some inverse `x:hasAtom` (some `x:bound` (true)))", true),
            ("min 5 `x:hasAtom` (true and not some inverse `x:hasAtom` (true))", true),
            ("some `x:hasAtom` (some inverse `x:bound` (true))", false),
            ("some `x:hasAtom` (some `x:bound` (some inverse `x:hasAtom` (true)))", true),
            ("some `x:density` (only inverse `x:shape` (true))", true),
            ("not some `x:bound` (some `x:density` (some inverse `x:density` (true)))", true),
            ("some `x:density` (not some `x:age` (true))", false),
            // The other parent of a child is another individual.
            ("some `x:child` (some inverse `x:child` (true))", false),
            ("some inverse `x:hasAtom` (some `x:hasAtom` (true))", false),
        ];
        for (text, expected) in cases {
            let text = text.replace('`', "\"");
            let program = context.programs_mut().parse(&text).expect("a program");
            assert_eq!(context.has_detour(program), expected, "{text}");
        }
    }

    #[test]
    fn an_inverse_with_a_name_is_not_used() {
        let context = search();
        let world = &context.kb().world;
        let used: Vec<(&str, bool)> = context
            .allowed()
            .directed_roles()
            .iter()
            .map(|way| (world.role_names().get(way.role), way.inverse))
            .collect();
        assert!(used.contains(&("x:child", false)) && used.contains(&("x:parent", false)));
        assert!(!used.contains(&("x:child", true)) && !used.contains(&("x:parent", true)));
        assert!(used.contains(&("x:hasAtom", true)));
    }
}
