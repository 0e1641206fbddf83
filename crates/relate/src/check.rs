//! The check whether programs are valid over a world.

use super::{Target, World};
use pellucid_program::{Node, ProgramId, Programs};
use thiserror::Error;

/// A condition that is applied to the wrong sort of object.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MisuseError {
    /// A condition on values where a condition on individuals is expected.
    #[error("'{property}' is a data property, not a class; write 'some {property} (…)'")]
    Value {
        /// The data property.
        property: String,
    },
    /// A condition on individuals, or on another property, where a condition on the values of a
    /// property is expected.
    #[error(
        "the filler of data property '{property}' must be a condition on its values; found '{found}'"
    )]
    Filler {
        /// The data property.
        property: String,
        /// The condition found instead.
        found: String,
    },
    /// An inverse data property.
    #[error("data property '{property}' has no inverse")]
    Inverse {
        /// The data property.
        property: String,
    },
}

/// Checks, for each program, whether it can be evaluated for individuals of the world.
#[must_use]
pub fn check(
    world: &World,
    programs: &Programs,
    roots: &[ProgramId],
) -> Vec<Result<(), MisuseError>> {
    let mut sorts = Sorts::default();
    sorts.extend(world, programs);
    roots.iter().map(|&root| sorts.check(world, programs, root)).collect()
}

/// The sort of every program of a pool, computed once, operands before the programs that use them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorts {
    sorts: Vec<Sort>,
}

/// The sort of objects that a program applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// Anything, because it is constant.
    Anything,
    Individual,
    Value(u32),
    /// Invalid: it mixes sorts, or contains an invalid program.
    Wrong,
}

impl Sorts {
    /// Adds the programs that are new since the last call.
    pub(super) fn extend(&mut self, world: &World, programs: &Programs) {
        for id in programs.ids_from(self.sorts.len()) {
            let sort = self.sort(world, programs.node(id));
            self.sorts.push(sort);
        }
    }

    /// Removes all programs.
    pub(super) fn clear(&mut self) {
        self.sorts.clear();
    }

    /// Checks whether a program can be evaluated for individuals.
    pub(super) fn check(
        &self,
        world: &World,
        programs: &Programs,
        root: ProgramId,
    ) -> Result<(), MisuseError> {
        match self.of(root) {
            Sort::Individual | Sort::Anything => Ok(()),
            Sort::Value(property) => Err(MisuseError::Value { property: name(world, property) }),
            Sort::Wrong => Err(self.fault(world, programs, root)),
        }
    }

    fn of(&self, id: ProgramId) -> Sort {
        self.sorts[id.index()]
    }

    fn sort(&self, world: &World, node: Node<'_>) -> Sort {
        match node {
            Node::Constant(_) => Sort::Anything,
            Node::Leaf(column, _) => match column.checked_sub(world.individual_column() + 1) {
                Some(property) => Sort::Value(property),
                None => Sort::Individual,
            },
            Node::Not(operand) => self.of(operand),
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().fold(Sort::Anything, |sort, &operand| join(sort, self.of(operand)))
            }
            Node::Related { role, inverse, filler, .. } => {
                let fits = match (world.target(role), self.of(filler)) {
                    (_, Sort::Anything) => true,
                    (Target::Individuals(_), sort) => sort == Sort::Individual,
                    (Target::Values(property), Sort::Value(asked)) => property == asked as usize,
                    (Target::Values(_), _) => false,
                };
                let backwards = inverse && matches!(world.target(role), Target::Values(_));
                if fits && !backwards { Sort::Individual } else { Sort::Wrong }
            }
        }
    }

    /// Returns the error at the innermost node that is invalid although its operands are valid.
    fn fault(&self, world: &World, programs: &Programs, root: ProgramId) -> MisuseError {
        let wrong = |operand: &ProgramId| self.of(*operand) == Sort::Wrong;
        match programs.node(root) {
            Node::Not(operand) => self.fault(world, programs, operand),
            Node::And(operands) | Node::Or(operands) => {
                match operands.iter().find(|id| wrong(id)) {
                    Some(&operand) => self.fault(world, programs, operand),
                    None => {
                        let property =
                            operands.iter().find_map(|&operand| match self.of(operand) {
                                Sort::Value(property) => Some(property),
                                _ => None,
                            });
                        MisuseError::Value { property: name(world, property.unwrap_or(0)) }
                    }
                }
            }
            Node::Related { filler, .. } if wrong(&filler) => self.fault(world, programs, filler),
            Node::Related { role, inverse, filler, .. } => match (world.target(role), inverse) {
                (Target::Values(property), true) => {
                    MisuseError::Inverse { property: small_name(world, property) }
                }
                (Target::Values(property), false) => MisuseError::Filler {
                    property: small_name(world, property),
                    found: programs.text(filler),
                },
                (Target::Individuals(_), _) => match self.of(filler) {
                    Sort::Value(property) => MisuseError::Value { property: name(world, property) },
                    _ => MisuseError::Value { property: programs.text(filler) },
                },
            },
            Node::Constant(_) | Node::Leaf(..) => {
                MisuseError::Value { property: programs.text(root) }
            }
        }
    }
}

fn join(left: Sort, right: Sort) -> Sort {
    match (left, right) {
        (Sort::Anything, other) | (other, Sort::Anything) => other,
        (left, right) if left == right => left,
        _ => Sort::Wrong,
    }
}

fn name(world: &World, property: u32) -> String {
    world.property_names().get(property).to_owned()
}

fn small_name(world: &World, property: usize) -> String {
    world.property_names().iter().nth(property).unwrap_or_default().to_owned()
}
