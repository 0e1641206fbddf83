use pellucid_learn::fingerprint::Fingerprint;
use pellucid_program::{Node, ProgramId, Programs, Quantifier};

/// Fingerprints of the nesting of restrictions in a program. Class names, values and numbers do not
/// matter; 0 means no restriction.
///
/// Programs with the same extent still have different refinements if they use different roles, so
/// one cannot replace the other. With the same skeleton it can.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeletons {
    known: Vec<Option<u64>>,
}

impl Skeletons {
    pub(super) fn of(&mut self, programs: &Programs, id: ProgramId) -> u64 {
        if let Some(&Some(known)) = self.known.get(id.index()) {
            return known;
        }
        let number = match programs.node(id) {
            Node::Constant(_) | Node::Leaf(..) => 0,
            Node::Not(operand) => self.of(programs, operand),
            Node::And(operands) | Node::Or(operands) => {
                let mut parts: Vec<u64> =
                    operands.iter().map(|&operand| self.of(programs, operand)).collect();
                parts.sort_unstable();
                parts.dedup();
                parts.retain(|&part| part != 0);
                match parts[..] {
                    [] => 0,
                    [part] => part,
                    _ => {
                        parts.into_iter().fold(Fingerprint::new(), Fingerprint::with_number).value()
                    }
                }
            }
            Node::Related { quantifier, role, inverse, filler } => {
                let upward = matches!(quantifier, Quantifier::Some | Quantifier::Min(_));
                let parts = [u64::from(upward), u64::from(role), u64::from(inverse)];
                let start = parts.into_iter().fold(Fingerprint::new(), Fingerprint::with_number);
                start.with_number(self.of(programs, filler)).value()
            }
        };
        if self.known.len() <= id.index() {
            self.known.resize(programs.len(), None);
        }
        self.known[id.index()] = Some(number);
        number
    }

    /// Clears the cache.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}
