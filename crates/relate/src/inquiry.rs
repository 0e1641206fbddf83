//! The contract: how many objects of every subject are in a set.
//!
//! A [`Question`] asks along some edges for at least so many objects that are in a set, or outside of it. All
//! restrictions come down to such questions. An [`Inquiry`] is many of them along one role; a [`Residency`]
//! answers it.

use crate::cpu::Subjects;
use crate::set::Set;
use crate::{Edges, Target, World};
use pellucid_bits::{Block, blocks_for};
use pellucid_device::DeviceError;
use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

/// A world on a device.
pub trait Residency: Debug + Send {
    /// Writes the answers to all questions, a bit for each subject: those of question `q` from block
    /// `q * blocks_for(subjects)` on. What is past the last subject may be anything.
    ///
    /// # Errors
    /// When the device fails.
    fn bits(&mut self, inquiry: &Inquiry<'_>, out: &mut [Block]) -> Result<(), DeviceError>;

    /// Counts the subjects of each class that answer each question with yes, and writes them to
    /// `counts[question * classes + class]`.
    ///
    /// # Errors
    /// When the device fails.
    fn counts(
        &mut self,
        inquiry: &Inquiry<'_>,
        classes: Classes<'_>,
        counts: &mut [u64],
    ) -> Result<(), DeviceError>;

    /// How long the device itself computed since this was last asked, where it can tell.
    fn take_time(&mut self, _go_on: bool) -> Option<Duration> {
        None
    }
}

/// Which subjects count for which class.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    /// By block of subjects, the masks of all classes side by side.
    pub(crate) masks: &'a [Block],
    /// How many classes there are.
    pub(crate) number: usize,
    /// A number that no other masks of this process have.
    pub(crate) id: u64,
}

/// At least so many objects in a set, or outside of it.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) set: Set,
    pub(crate) outside: bool,
    /// Not 0.
    pub(crate) at_least: u32,
}

/// Questions along one role.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry<'a> {
    /// The role of a program, and whether it is followed backwards.
    pub(crate) role: u32,
    pub(crate) inverse: bool,
    pub(crate) questions: &'a [Question],
    pub(crate) subjects: Subjects<'a>,
}

impl<'a> Inquiry<'a> {
    /// Some of the questions.
    pub(crate) fn part(self, questions: Range<usize>) -> Inquiry<'a> {
        Inquiry { questions: &self.questions[questions], ..self }
    }

    /// Blocks of an answer.
    pub(crate) fn stride(&self) -> usize {
        blocks_for(self.subjects.len())
    }
}

/// The edges that questions are asked along, and back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) edges: &'a Edges,
    pub(crate) inverse: &'a Edges,
}

impl<'a> Way<'a> {
    /// The edges of a role of a program.
    pub(crate) fn of(world: &'a World, role: u32, inverse: bool) -> Way<'a> {
        match world.target(role) {
            Target::Individuals(role) => {
                let links = &world.roles()[role];
                if inverse {
                    Way { edges: &links.inverse, inverse: &links.forward }
                } else {
                    Way { edges: &links.forward, inverse: &links.inverse }
                }
            }
            Target::Values(property) => Way {
                edges: &world.properties()[property].edges,
                inverse: &world.values(property).owners,
            },
        }
    }
}
