//! The queues of the emulated GPU.
//!
//! A GPU may run queued operations at any time until they are waited for. The emulator runs them as
//! late as possible: when their queue is finished, or when the other queue is finished and has to
//! wait for them. This reveals a stage that is overwritten too early, a result that is read too
//! early, a missing order between the queues, and memory that is freed too early.

use super::memory::Region;
use crate::gpu::{CardError, Queue};
use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// The two queues, by [`Queue`].
#[derive(Debug, Default)]
pub(super) struct Queues {
    lines: [Line; 2],
}

#[derive(Debug, Default)]
struct Line {
    steps: VecDeque<Step>,
    /// The number of marks that were queued, and of those that were reached.
    set: u64,
    reached: u64,
}

#[derive(Debug)]
enum Step {
    Run(Task),
    /// A mark that the other line may wait for.
    Mark,
    /// Waits until the other line has reached this many of its marks.
    Wait(u64),
}

/// A copy or a kernel.
pub(super) struct Task {
    /// The name in errors.
    pub(super) name: &'static str,
    /// All memory that it uses.
    pub(super) uses: Vec<Arc<Region>>,
    pub(super) work: Box<dyn FnOnce() -> Result<(), CardError> + Send>,
}

impl Debug for Task {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Task {
    fn run(self) -> Result<(), CardError> {
        self.uses.iter().try_for_each(|region| region.check_alive(self.name))?;
        (self.work)()
    }
}

impl Queues {
    pub(super) fn push(&mut self, queue: Queue, task: Task) {
        self.lines[queue as usize].steps.push_back(Step::Run(task));
    }

    /// Makes everything queued in `then` from now on wait for everything that `first` contains now.
    pub(super) fn order(&mut self, first: Queue, then: Queue) {
        if first == then {
            return;
        }
        let line = &mut self.lines[first as usize];
        line.steps.push_back(Step::Mark);
        line.set += 1;
        let marks = line.set;
        self.lines[then as usize].steps.push_back(Step::Wait(marks));
    }

    /// Runs all operations of a queue, and the operations of the other queue that it waits for.
    pub(super) fn finish(&mut self, queue: Queue) -> Result<(), CardError> {
        self.run(queue as usize, u64::MAX)
    }

    /// Runs all operations of both queues, even if some fail. After an error no operation is
    /// pending.
    pub(super) fn drain(&mut self) {
        for line in 0..self.lines.len() {
            // The error that caused this call is the one that is reported.
            while self.run(line, u64::MAX).is_err() {}
        }
        self.clear();
    }

    /// Returns the number of queued copies and kernels.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let tasks = self.lines.iter().flat_map(|line| &line.steps);
        tasks.filter(|step| matches!(step, Step::Run(_))).count()
    }

    /// Discards all operations, like a GPU that is lost.
    pub(super) fn clear(&mut self) {
        *self = Queues::default();
    }

    /// Runs operations of a line until it has reached this many marks.
    fn run(&mut self, line: usize, marks: u64) -> Result<(), CardError> {
        while self.lines[line].reached < marks
            && let Some(step) = self.lines[line].steps.pop_front()
        {
            match step {
                Step::Run(task) => task.run()?,
                Step::Mark => self.lines[line].reached += 1,
                // This recursion ends: the operations before that mark were queued earlier.
                Step::Wait(marks) => self.run(1 - line, marks)?,
            }
        }
        Ok(())
    }
}
