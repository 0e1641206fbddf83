//! Recognizes detours: paths that leave an individual and come back to it, or to others, through an inverse.

use super::AllowedNames;
use super::directed_role::DirectedRole;
use pellucid_bits::Bits;
use pellucid_program::{Node, ProgramId, Programs};
use pellucid_relate::{Target, World};

/// Finds programs with a detour. There are two sorts:
///
/// - `r some (inverse r some C)`, if no two individuals share an object of `r`. The path leads back to
///   where it started, so `C and r some owl:Thing` says the same.
/// - `r some (inverse s some C)`, if the objects of `r` are plain values: individuals without
///   properties, such as `low` and `high`. The path leads to all individuals that have the value,
///   which do not describe the one in question.
///
/// Computed once per program.
#[derive(Clone, Debug, Default)]
pub(super) struct Detours {
    allowed: AllowedNames,
    /// By directed role: what its objects are like.
    objects: Vec<Objects>,
    known: Vec<Option<bool>>,
}

/// What the objects of a directed role are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Objects {
    /// Whether each has a single subject.
    are_owned: bool,
    /// Whether none has a property.
    are_values: bool,
}

impl Detours {
    /// Examines the object properties of a world.
    pub(super) fn new(world: &World, allowed: &AllowedNames) -> Detours {
        let mut having = Bits::zeros(world.len());
        let edges = world.roles().iter().map(|links| &links.forward);
        for edges in edges.chain(world.properties().iter().map(|property| &property.edges)) {
            having.or_with(edges.subjects());
        }
        let of = |role: u32, inverse: bool| {
            let links = &world.roles()[role as usize];
            let back = if inverse { &links.forward } else { &links.inverse };
            let has_property = |one: usize| having.get(one);
            Objects {
                are_owned: back.len() == back.subjects().ones().count(),
                are_values: !back.subjects().ones().any(has_property),
            }
        };
        let roles = (0u32..).take(world.roles().len());
        let objects = roles.flat_map(|role| [of(role, false), of(role, true)]).collect();
        Detours { allowed: allowed.clone(), objects, known: Vec::new() }
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
                    self.leads_back(world, programs, DirectedRole { role, inverse }, filler)
                        || self.has_detour(world, programs, filler)
                }
            },
        };
        if self.known.len() <= program.index() {
            self.known.resize(programs.len(), None);
        }
        self.known[program.index()] = Some(found);
        found
    }

    /// Whether a filler of a directed role follows its edges back.
    fn leads_back(
        &self,
        world: &World,
        programs: &Programs,
        way: DirectedRole,
        filler: ProgramId,
    ) -> bool {
        let Objects { are_owned, are_values } = self.objects_of(way);
        if !are_owned && !are_values {
            return false;
        }
        let back = self.allowed.reversed(way);
        let mut open = vec![filler];
        while let Some(part) = open.pop() {
            match programs.node(part) {
                Node::Constant(_) | Node::Leaf(..) => {}
                Node::Not(operand) => open.push(operand),
                Node::And(operands) | Node::Or(operands) => open.extend_from_slice(operands),
                Node::Related { role, inverse, .. } => {
                    let is_object_property = matches!(world.target(role), Target::Individuals(_));
                    let next = self.allowed.direction(role, inverse);
                    if is_object_property && (are_values || next == back) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn objects_of(&self, way: DirectedRole) -> Objects {
        let at = 2 * way.role as usize + usize::from(way.inverse);
        self.objects.get(at).copied().unwrap_or_default()
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
            ("some `x:density` (only inverse `x:shape` (true))", true),
            ("not some `x:bound` (some `x:density` (some inverse `x:density` (true)))", true),
            ("some `x:density` (not some `x:age` (true))", false),
            // The other parent of a child is somebody else.
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
