//! The contract of devices: count the objects of every subject that are in a set.
//!
//! A [`Question`] follows some edges and asks whether a subject has at least a given number of
//! objects in a set, or outside it. Every restriction reduces to such questions. An [`Inquiry`] is
//! a batch of them along one role; a [`Residency`] answers it.

use crate::cpu::Subjects;
use crate::set::SetRef;
use crate::{Edges, Target, World};
use pellucid_bits::{Block, blocks_for};
use pellucid_device::DeviceError;
use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

/// A world that is loaded on a device.
pub trait Residency: Debug + Send {
    /// Writes the answers to all questions, one bit per subject. The answer to question `q` starts
    /// at block `q * blocks_for(subjects)`. Bits past the last subject are unspecified.
    ///
    /// # Errors
    /// If the device fails.
    fn bits(&mut self, inquiry: &Inquiry<'_>, out: &mut [Block]) -> Result<(), DeviceError>;

    /// Counts the subjects of each class for which each question is true, and writes them to
    /// `counts[question * classes + class]`.
    ///
    /// # Errors
    /// If the device fails.
    fn counts(
        &mut self,
        inquiry: &Inquiry<'_>,
        classes: Classes<'_>,
        counts: &mut [u64],
    ) -> Result<(), DeviceError>;

    /// Returns the compute time of the device since the last call, if it measures it.
    fn take_time(&mut self, _go_on: bool) -> Option<Duration> {
        None
    }
}

/// The subjects of each class.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    /// By block of subjects: the masks of all classes side by side.
    pub(crate) masks: &'a [Block],
    /// The number of classes.
    pub(crate) number: usize,
    /// An id that is unique to these masks within the process.
    pub(crate) id: u64,
}

/// Whether a subject has at least a given number of objects in a set, or outside it.
#[derive(Clone, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) set: SetRef<'a>,
    pub(crate) outside: bool,
    /// Never 0.
    pub(crate) at_least: u32,
}

/// A batch of questions along one role.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry<'a> {
    /// The role of a program, and whether it is followed in the inverse direction.
    pub(crate) role: u32,
    pub(crate) inverse: bool,
    pub(crate) questions: &'a [Question<'a>],
    pub(crate) subjects: Subjects<'a>,
}

impl<'a> Inquiry<'a> {
    /// Returns the inquiry with some of its questions.
    pub(crate) fn part(self, questions: Range<usize>) -> Inquiry<'a> {
        Inquiry { questions: &self.questions[questions], ..self }
    }

    /// Returns the number of blocks of an answer.
    pub(crate) fn stride(&self) -> usize {
        blocks_for(self.subjects.len())
    }
}

/// The edges of a role, in the direction of the questions and in the inverse direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoleEdges<'a> {
    pub(crate) edges: &'a Edges,
    pub(crate) inverse: &'a Edges,
}

impl<'a> RoleEdges<'a> {
    /// Returns the edges of a role of a program.
    pub(crate) fn of(world: &'a World, role: u32, inverse: bool) -> RoleEdges<'a> {
        match world.target(role) {
            Target::Individuals(role) => {
                let links = &world.roles()[role];
                if inverse {
                    RoleEdges { edges: &links.inverse, inverse: &links.forward }
                } else {
                    RoleEdges { edges: &links.forward, inverse: &links.inverse }
                }
            }
            Target::Values(property) => RoleEdges {
                edges: &world.properties()[property].edges,
                inverse: &world.values(property).owners,
            },
        }
    }
}
