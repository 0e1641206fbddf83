//! What was queued and not yet done.
//!
//! A GPU may do what is queued at any time until somebody waits for it. The emulator does it as late as it may: when its
//! queue is finished, or when the other queue, which is being finished, has to wait for it. So a stage that is written
//! again too early, a result that is read too early, an order between the queues that is missing and memory that is
//! freed too early all show in the answers, or are told.

use super::memory::Region;
use crate::gpu::{CardError, Queue};
use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// Two queues, by [`Queue`].
#[derive(Debug, Default)]
pub(super) struct Queues {
    lines: [Line; 2],
}

#[derive(Debug, Default)]
struct Line {
    steps: VecDeque<Step>,
    /// Marks that were set in the line, and those that were reached.
    set: u64,
    reached: u64,
}

#[derive(Debug)]
enum Step {
    Do(Task),
    /// The other line may wait for this.
    Mark,
    /// The other line has to reach so many of its marks first.
    Wait(u64),
}

/// A copy or a kernel.
pub(super) struct Task {
    /// What it is called in errors.
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
        self.lines[queue as usize].steps.push_back(Step::Do(task));
    }

    /// What comes into `then` from now on waits for what is in `first` by now.
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

    /// Does all that is in a queue, and as much of the other as it waits for.
    pub(super) fn finish(&mut self, queue: Queue) -> Result<(), CardError> {
        self.run(queue as usize, u64::MAX)
    }

    /// Does all that is in both queues, whatever fails: after an error nothing is under way.
    pub(super) fn drain(&mut self) {
        for line in 0..self.lines.len() {
            // The error that led here is the one that is reported.
            while self.run(line, u64::MAX).is_err() {}
        }
        self.clear();
    }

    /// The copies and kernels that are queued.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let tasks = self.lines.iter().flat_map(|line| &line.steps);
        tasks.filter(|step| matches!(step, Step::Do(_))).count()
    }

    /// Forgets what was queued, as a GPU that is lost does.
    pub(super) fn clear(&mut self) {
        *self = Queues::default();
    }

    /// Does what is in a line until it has reached so many marks.
    fn run(&mut self, line: usize, marks: u64) -> Result<(), CardError> {
        while self.lines[line].reached < marks
            && let Some(step) = self.lines[line].steps.pop_front()
        {
            match step {
                Step::Do(task) => task.run()?,
                Step::Mark => self.lines[line].reached += 1,
                // It cannot come back here: what that mark waits for was queued before.
                Step::Wait(marks) => self.run(1 - line, marks)?,
            }
        }
        Ok(())
    }
}
