//! A class expression part by part: in Manchester syntax, in plain English, and with its instances.
//!
//! ```
//! use pellucid_logic::breakdown::breakdown;
//! use pellucid_logic::syntax::Lexicon;
//!
//! let names = Lexicon::default().class("#M", "Man").role("#c", "hasChild");
//! let expr = pellucid_logic::syntax::manchester::parse("Man and hasChild some owl:Thing", &names)?;
//! let whole = breakdown(&expr, &names);
//! assert_eq!(whole.english, "is a Man and has a child");
//! assert_eq!(whole.parts.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod english;
mod listed;

pub use listed::ListedIndividuals;

use crate::learn::{Individuals, LogicError};
use crate::syntax::{NameResolver, manchester};
use english::sentence;
use pellucid_bits::Bits;
use pellucid_device::Machine;
use pellucid_program::Expr;
use pellucid_relate::Reasoner;
use serde::Serialize;
use std::sync::Arc;

/// The most individuals of a part that are named, for each label.
const MOST_NAMED: usize = 200;

/// A part of a class expression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpressionPart {
    /// The part in Manchester syntax.
    pub text: String,
    /// What an instance is or does, as the end of a sentence.
    pub english: String,
    /// How the parts below are combined.
    pub kind: PartKind,
    /// Whether it is about fillers of a property, not about the examples themselves.
    pub is_filler: bool,
    /// The instances, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<PartInstances>,
    /// Which of the listed individuals are instances: four in each hexadecimal digit, the first one in its
    /// lowest bit; empty if they were not counted, and for fillers.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub members: String,
    /// The parts below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ExpressionPart>,
    #[serde(skip)]
    expr: Expr,
}

/// How the parts of an expression are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// There are none.
    Single,
    /// All must be true.
    And,
    /// One must be true.
    Or,
    /// It must be false.
    Not,
    /// It is about the fillers of a property.
    Fillers,
}

/// The instances of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartInstances {
    /// The number of individuals in the knowledge base.
    pub all: usize,
    /// The number of positive examples.
    pub positive: usize,
    /// The number of negative examples.
    pub negative: usize,
    /// The names of some positive examples, of some negative ones, and of some other individuals.
    pub names: [Vec<String>; 3],
}

/// Returns the parts of an expression, without their instances.
#[must_use]
pub fn breakdown(expr: &Expr, names: &dyn NameResolver) -> ExpressionPart {
    part(expr, names, false)
}

fn part(expr: &Expr, names: &dyn NameResolver, is_filler: bool) -> ExpressionPart {
    let (kind, below): (PartKind, &[Expr]) = match expr {
        Expr::And(operands) => (PartKind::And, operands),
        Expr::Or(operands) => (PartKind::Or, operands),
        // A negated class is simple enough.
        Expr::Not(operand) if !matches!(**operand, Expr::Is(_)) => {
            (PartKind::Not, std::slice::from_ref(&**operand))
        }
        Expr::Related(_, role, filler)
            if !names.leads_to_values(&role.name) && !matches!(**filler, Expr::Constant(_)) =>
        {
            (PartKind::Fillers, std::slice::from_ref(&**filler))
        }
        _ => (PartKind::Single, &[]),
    };
    let is_below = is_filler || kind == PartKind::Fillers;
    ExpressionPart {
        text: manchester::print(expr, names),
        english: sentence(expr, names),
        kind,
        is_filler,
        instances: None,
        members: String::new(),
        parts: below.iter().map(|operand| part(operand, names, is_below)).collect(),
        expr: expr.clone(),
    }
}

impl ExpressionPart {
    /// Finds the instances of this part and of all parts below. Returns the listed individuals.
    ///
    /// # Errors
    /// If the expression uses a name that the knowledge base does not have, or a device fails.
    pub fn find_instances(
        &mut self,
        data: &Individuals,
        machine: &Machine,
    ) -> Result<ListedIndividuals, LogicError> {
        let kb = &data.kb;
        let mut reasoner = Reasoner::new(Arc::clone(&kb.world), machine)?;
        let mut parts = Vec::new();
        self.collect(&mut parts);
        let mut programs = Vec::with_capacity(parts.len());
        for part in &parts {
            let added = reasoner.programs_mut().add(part.expr);
            let misfit = |error| LogicError::Misfit { ontology: kb.name.clone(), error };
            programs.push(added.map_err(misfit)?);
        }
        let covered = reasoner.cover(&programs)?;
        let label = LabeledIndividuals::new(data);
        let listed = ListedIndividuals::new(data, &label);
        for (row, part) in parts.into_iter().enumerate() {
            let extent = Bits::from_blocks(covered.row(row).to_vec(), kb.world.len());
            *part.instances = Some(label.instances(data, &extent));
            if !part.is_filler {
                *part.members = listed.members(&extent);
            }
        }
        Ok(listed)
    }

    /// Collects the part and those below, without their lists of parts below.
    fn collect<'a>(&'a mut self, found: &mut Vec<PartMut<'a>>) {
        let ExpressionPart { parts, instances, members, expr, is_filler, .. } = self;
        found.push(PartMut { expr, is_filler: *is_filler, instances, members });
        parts.iter_mut().for_each(|part| part.collect(found));
    }
}

/// What is changed of a part.
struct PartMut<'a> {
    expr: &'a Expr,
    is_filler: bool,
    instances: &'a mut Option<PartInstances>,
    members: &'a mut String,
}

/// The label of each individual: 0 for positive examples, 1 for negative ones, 2 for others.
struct LabeledIndividuals(Vec<u8>);

impl LabeledIndividuals {
    fn new(data: &Individuals) -> LabeledIndividuals {
        let mut labels = vec![2; data.kb.world.len()];
        data.task.positive.iter().for_each(|&one| labels[one as usize] = 0);
        data.task.negative.iter().for_each(|&one| labels[one as usize] = 1);
        LabeledIndividuals(labels)
    }

    fn instances(&self, data: &Individuals, extent: &Bits) -> PartInstances {
        let mut counts = [0; 3];
        let mut names = [const { Vec::new() }; 3];
        for (one, &label) in (0u32..).zip(&self.0) {
            if !extent.get(one as usize) {
                continue;
            }
            counts[label as usize] += 1;
            if counts[label as usize] <= MOST_NAMED {
                names[label as usize].push(data.kb.show_individual(one).to_owned());
            }
        }
        let [positive, negative, others] = counts;
        PartInstances { all: positive + negative + others, positive, negative, names }
    }
}
