use crate::values::Values;
use pellucid_bits::Bits;
use pellucid_program::ProgramId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The answers of programs, as bits.
#[derive(Debug, Default)]
pub(super) struct Store {
    by_program: Vec<Option<Arc<Bits>>>,
    bytes: usize,
}

impl Store {
    pub(super) fn get(&self, id: ProgramId) -> Option<&Arc<Bits>> {
        self.by_program.get(id.index()).and_then(Option::as_ref)
    }

    /// Returns the answer of a program that was answered before.
    pub(super) fn answered(&self, id: ProgramId) -> &Arc<Bits> {
        self.get(id).expect("operands are answered before the programs that use them")
    }

    pub(super) fn put(&mut self, id: ProgramId, bits: Arc<Bits>) {
        if self.by_program.len() <= id.index() {
            self.by_program.resize(id.index() + 1, None);
        }
        self.bytes += size_of_val(bits.blocks());
        self.by_program[id.index()] = Some(bits);
    }

    pub(super) fn clear(&mut self) {
        *self = Store::default();
    }

    /// Returns the number of bytes of the bits.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The values that satisfy conditions, by data property and condition.
#[derive(Debug, Default)]
pub(super) struct ValueStore {
    by_condition: FxHashMap<(u32, ProgramId), Values>,
    bytes: usize,
}

impl ValueStore {
    pub(super) fn get(&self, condition: (u32, ProgramId)) -> Option<&Values> {
        self.by_condition.get(&condition)
    }

    /// Stores the values that satisfy a condition.
    pub(super) fn put(&mut self, condition: (u32, ProgramId), values: Values) -> Values {
        self.bytes += size_of::<((u32, ProgramId), Values)>() + values.set.bytes();
        self.by_condition.insert(condition, values.clone());
        values
    }

    pub(super) fn clear(&mut self) {
        *self = ValueStore::default();
    }

    /// Returns the number of bytes of the values.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
