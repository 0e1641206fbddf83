//! Programs about classes alone, with many examples: then the world is a table like any other.

use super::{MANY_BLOCKS, Reasoner};
use crate::{Examples, World};
use pellucid_cover::{EvaluateError, Hypothesis, Labels, Session, Table, Tallies, UNCOUNTED};
use pellucid_device::Machine;
use pellucid_program::{Node, ProgramId, Programs};
use std::sync::Arc;

/// A table has as many rows as there are individuals; that pays where at least this part of them are
/// examples.
const PART: usize = 8;

/// The classes as a table, once it is needed.
#[derive(Debug)]
pub(super) struct Plain {
    machine: Machine,
    /// By program: whether it asks about classes alone.
    is_plain: Vec<bool>,
    session: Option<Session>,
    /// By individual: the class it counts for; nothing where that is not to be said so.
    codes: Option<Vec<u32>>,
}

impl Plain {
    pub(super) fn new(machine: &Machine) -> Plain {
        Plain { machine: machine.clone(), is_plain: Vec::new(), session: None, codes: None }
    }

    /// Which examples count from now on.
    pub(super) fn ask(&mut self, examples: &Examples, individuals: usize) {
        self.session = None;
        self.codes = None;
        if examples.len() < individuals / PART || examples.len().div_ceil(512) < MANY_BLOCKS {
            return;
        }
        let mut codes = vec![UNCOUNTED; individuals];
        for (&individual, &code) in examples.individuals().iter().zip(examples.codes()) {
            // One that is there twice counts twice, and a table has it once.
            if std::mem::replace(&mut codes[individual as usize], code) != UNCOUNTED {
                return;
            }
        }
        self.codes = Some(codes);
    }

    pub(super) fn forget(&mut self) {
        self.is_plain.clear();
        if let Some(session) = &mut self.session {
            session.forget_programs();
        }
    }

    pub(super) fn forget_counts(&mut self) {
        if let Some(session) = &mut self.session {
            session.forget_counts();
        }
    }

    /// Looks at all programs that were not looked at before.
    pub(super) fn extend(&mut self, world: &World, programs: &Programs) {
        for id in programs.ids_from(self.is_plain.len()) {
            let plain = |operand: &ProgramId| self.is_plain[operand.index()];
            let is_plain = match programs.node(id) {
                Node::Constant(_) => true,
                Node::Leaf(column, _) => column < world.individual_column(),
                Node::Not(operand) => plain(&operand),
                Node::And(operands) | Node::Or(operands) => operands.iter().all(plain),
                Node::Related { .. } => false,
            };
            self.is_plain.push(is_plain);
        }
    }

    /// Whether all programs ask about classes alone, and a table answers them best.
    pub(super) fn takes(&self, roots: &[ProgramId]) -> bool {
        self.codes.is_some() && roots.iter().all(|root| self.is_plain[root.index()])
    }

    fn session(&mut self, world: &World, classes: usize) -> Result<&mut Session, EvaluateError> {
        if self.session.is_none() {
            let classes_of = world.classes().iter().map(|members| &**members);
            let columns = world.class_names().iter().zip(classes_of);
            let broken = "the world's bits are as many as its individuals";
            let table = Arc::new(Table::of_bits(world.len(), columns).expect(broken));
            let codes = self.codes.as_deref().unwrap_or_default();
            let labels = Labels::rows(&table, codes, classes).expect(broken);
            self.session = Some(Session::on(&self.machine, table, labels, Hypothesis::Rows)?);
        }
        Ok(self.session.as_mut().expect("it was just made"))
    }
}

impl Reasoner {
    /// The counts of programs that [`Plain::takes`].
    pub(super) fn tally_plain(&mut self, roots: &[ProgramId]) -> Result<Tallies, EvaluateError> {
        let Reasoner { world, plain, programs, front, .. } = self;
        plain.session(world, front.examples.classes())?.tally_lent(programs, roots)
    }
}
