use pellucid_program::ProgramId;

/// The positions of some programs in a list. A lookup is one read, however long the list is.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// By program: its position plus 1, or 0 if it is not in the list.
    by_program: Vec<u32>,
}

impl Places {
    /// Sets the list, which replaces an empty one.
    pub(super) fn set(&mut self, programs: &[ProgramId]) {
        for (place, id) in (1..).zip(programs) {
            if self.by_program.len() <= id.index() {
                self.by_program.resize(id.index() + 1, 0);
            }
            self.by_program[id.index()] = place;
        }
    }

    /// Removes the programs of the list.
    pub(super) fn clear(&mut self, programs: &[ProgramId]) {
        programs.iter().for_each(|id| self.by_program[id.index()] = 0);
    }

    /// Returns the position of a program in the list.
    pub(super) fn of(&self, id: ProgramId) -> Option<usize> {
        self.by_program.get(id.index())?.checked_sub(1).map(|place| place as usize)
    }

    /// Returns whether a program is in the list.
    pub(super) fn contains(&self, id: ProgramId) -> bool {
        self.of(id).is_some()
    }
}
