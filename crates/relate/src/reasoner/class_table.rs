//! Counts for programs that use only classes, with many examples: the world is then a plain table.

use super::{MANY_BLOCKS, Reasoner};
use crate::{LabeledIndividuals, World};
use pellucid_cover::{EvaluateError, Hypothesis, Labels, Session, Table, Tallies, UNCOUNTED};
use pellucid_device::Machine;
use pellucid_program::{Node, ProgramId, Programs};
use std::sync::Arc;

/// A table has one row per individual. That pays off if at least one in `PART` of them is an
/// example.
const PART: usize = 8;

/// The classes as a table, created on first use.
#[derive(Debug)]
pub(super) struct ClassTable {
    machine: Machine,
    /// By program: whether it uses only classes.
    uses_only_classes: Vec<bool>,
    session: Option<Session>,
    /// By individual: the class it counts for; `None` if a table cannot represent the examples.
    codes: Option<Vec<u32>>,
}

impl ClassTable {
    pub(super) fn new(machine: &Machine) -> ClassTable {
        ClassTable {
            machine: machine.clone(),
            uses_only_classes: Vec::new(),
            session: None,
            codes: None,
        }
    }

    /// Sets the examples.
    pub(super) fn ask(&mut self, examples: &LabeledIndividuals, individuals: usize) {
        self.session = None;
        self.codes = None;
        if examples.len() < individuals / PART || examples.len().div_ceil(512) < MANY_BLOCKS {
            return;
        }
        let mut codes = vec![UNCOUNTED; individuals];
        for (&individual, &code) in examples.individuals().iter().zip(examples.codes()) {
            // A repeated example counts twice, but a table has only one row for it.
            if std::mem::replace(&mut codes[individual as usize], code) != UNCOUNTED {
                return;
            }
        }
        self.codes = Some(codes);
    }

    pub(super) fn forget(&mut self) {
        self.uses_only_classes.clear();
        if let Some(session) = &mut self.session {
            session.forget_programs();
        }
    }

    pub(super) fn forget_counts(&mut self) {
        if let Some(session) = &mut self.session {
            session.forget_counts();
        }
    }

    /// Adds the programs that are new since the last call.
    pub(super) fn extend(&mut self, world: &World, programs: &Programs) {
        for id in programs.ids_from(self.uses_only_classes.len()) {
            let uses_classes = |operand: &ProgramId| self.uses_only_classes[operand.index()];
            let uses_only_classes = match programs.node(id) {
                Node::Constant(_) => true,
                Node::Leaf(column, _) => column < world.individual_column(),
                Node::Not(operand) => uses_classes(&operand),
                Node::And(operands) | Node::Or(operands) => operands.iter().all(uses_classes),
                Node::Related { .. } => false,
            };
            self.uses_only_classes.push(uses_only_classes);
        }
    }

    /// Returns whether all programs use only classes and a table counts them faster.
    pub(super) fn accepts(&self, roots: &[ProgramId]) -> bool {
        self.codes.is_some() && roots.iter().all(|root| self.uses_only_classes[root.index()])
    }

    fn session(&mut self, world: &World, classes: usize) -> Result<&mut Session, EvaluateError> {
        if self.session.is_none() {
            let classes_of = world.classes().iter().map(|members| &**members);
            let columns = world.class_names().iter().zip(classes_of);
            let broken = "the world has one bit per individual";
            let table = Arc::new(Table::of_bits(world.len(), columns).expect(broken));
            let codes = self.codes.as_deref().unwrap_or_default();
            let labels = Labels::rows(&table, codes, classes).expect(broken);
            self.session = Some(Session::on(&self.machine, table, labels, Hypothesis::Rows)?);
        }
        Ok(self.session.as_mut().expect("the session was just created"))
    }
}

impl Reasoner {
    /// Counts programs that the class table accepts.
    pub(super) fn tally_class_table(
        &mut self,
        roots: &[ProgramId],
    ) -> Result<Tallies, EvaluateError> {
        let Reasoner { world, class_table, programs, example_masks, .. } = self;
        class_table.session(world, example_masks.examples.classes())?.tally_lent(programs, roots)
    }
}
