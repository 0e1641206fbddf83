//! The board: conditions on hooks, and who matches.

use crate::choose::Chooser;
use crate::cpu::{Bitmap, Direct, Sliced};
use crate::survey::{Conditions, Rows, Survey};
use crate::{Examples, Test, TestList};
use pellucid_bits::Level;
use pellucid_device::{DeviceKind, Machine, Schedule};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A way to a match set. All give the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// The tests of every condition in turn, until one fails.
    Direct,
    /// For each code of each column, the conditions it rules out.
    Sliced,
    /// All rows that each condition matches, found when it is put there.
    Whole,
    /// The same for the next few hundred rows, where it is known which those are.
    Tiles,
    /// The same for more of the next rows, found by all devices together; a condition that comes meanwhile is the processor's.
    Devices,
}

impl Way {
    /// All ways that need no device but this thread.
    pub const ALL: [Way; 4] = [Way::Direct, Way::Sliced, Way::Whole, Way::Tiles];

    /// Its name, for logs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Way::Direct => "direct",
            Way::Sliced => "sliced",
            Way::Whole => "whole",
            Way::Tiles => "tiles",
            Way::Devices => "devices",
        }
    }
}

/// Rows in a tile.
const TILE: usize = 512;

/// Rows in a tile that devices fill together: a launch must be worth its while.
const DEVICE_TILE: usize = 1024;

/// The most memory a bitmap over all rows may take, in bytes. Beyond, it falls out of the caches, and tiles cost the same however many
/// rows there are.
const MOST_BYTES: usize = 16 << 20;

/// A population of conditions over examples. See the [crate](crate) for the picture.
#[derive(Clone, Debug)]
pub struct Matching {
    examples: Arc<Examples>,
    level: Level,
    slots: usize,
    conditions: Direct,
    active: Active,
    chooser: Option<Chooser>,
    /// The rows that will be asked about, next first.
    ahead: VecDeque<u32>,
    /// The examples on all devices, where there is a GPU among them; clones share it.
    survey: Option<Arc<Mutex<Survey>>>,
}

#[derive(Clone, Debug)]
enum Active {
    Direct,
    Sliced(Sliced),
    Whole(Bitmap),
    /// A tile, the rows in it, and how many of them were asked about; whether devices fill it.
    Tiles(Bitmap, Vec<u32>, usize, bool),
}

impl Matching {
    /// An empty board over some examples with so many hooks, on the best instructions there are, by the way that turns
    /// out to be fastest.
    #[must_use]
    pub fn over(examples: &Arc<Examples>, slots: usize) -> Matching {
        let level = Level::chosen().unwrap_or(Level::Portable);
        let mut ways = Matching::ways(examples, slots);
        if level == Level::Scalar {
            ways = vec![Way::Direct];
        }
        ways.reverse();
        let chooser = Chooser::new(ways);
        let mut board = Matching::by(chooser.first(), level, examples, slots);
        board.chooser = Some(chooser);
        board
    }

    /// The same on a machine. Where it has GPUs they help: by the clock, too; or, where its schedule gives them a share, with
    /// that share of the conditions whatever the clock says.
    #[must_use]
    pub fn on(machine: &Machine, examples: &Arc<Examples>, slots: usize) -> Matching {
        let mut board = Matching::over(examples, slots);
        let has_gpu = machine.devices.iter().any(|device| device.kind() == DeviceKind::Gpu);
        if !has_gpu || examples.rows() == 0 {
            return board;
        }
        // Who failed was told by the machine's listener; the processor's own ways are left.
        let Ok(survey) = Survey::new(machine, examples) else { return board };
        board.survey = Some(Arc::new(Mutex::new(survey)));
        if let Schedule::Shares(_) = machine.schedule {
            board.chooser = None;
            board.go(Way::Devices);
        } else if let Some(chooser) = &mut board.chooser {
            chooser.add(Way::Devices);
        }
        board
    }

    /// An empty board that always goes one way on one set of instructions.
    #[must_use]
    pub fn by(way: Way, level: Level, examples: &Arc<Examples>, slots: usize) -> Matching {
        let mut board = Matching {
            examples: Arc::clone(examples),
            level,
            slots: slots.next_multiple_of(64),
            conditions: Direct::default(),
            active: Active::Direct,
            chooser: None,
            ahead: VecDeque::new(),
            survey: None,
        };
        board.go(way);
        board
    }

    /// The ways that can be gone over some examples with so many hooks, the plainest first.
    #[must_use]
    pub fn ways(examples: &Examples, slots: usize) -> Vec<Way> {
        let mut ways = vec![Way::Direct];
        if Sliced::rows_for(examples.domains()) <= Sliced::MOST_ROWS {
            ways.push(Way::Sliced);
        }
        if examples.rows() > TILE {
            ways.push(Way::Tiles);
        }
        if examples.rows() > 0 && Bitmap::bytes(examples.rows(), slots) <= MOST_BYTES {
            ways.push(Way::Whole);
        }
        ways
    }

    /// The way that is gone now.
    #[must_use]
    pub fn way(&self) -> Way {
        match self.active {
            Active::Direct => Way::Direct,
            Active::Sliced(_) => Way::Sliced,
            Active::Whole(_) => Way::Whole,
            Active::Tiles(_, _, _, false) => Way::Tiles,
            Active::Tiles(_, _, _, true) => Way::Devices,
        }
    }

    /// The way that was chosen by the clock, and what a question took each way that was tried, with everything else that
    /// happened between two questions; once after each choice.
    pub fn chosen(&mut self) -> Option<(Way, Vec<(Way, Duration)>)> {
        let costs = self.chooser.as_mut()?.costs()?;
        Some((self.way(), costs))
    }

    /// What is matched against.
    #[must_use]
    pub fn examples(&self) -> &Arc<Examples> {
        &self.examples
    }

    /// Goes another way from now on.
    pub fn go(&mut self, way: Way) {
        let (examples, conditions) = (&*self.examples, &self.conditions);
        self.active = match way {
            Way::Direct => Active::Direct,
            Way::Sliced => Active::Sliced(Sliced::from_conditions(examples.domains(), conditions)),
            Way::Whole => {
                let rows = (0..pellucid_bits::as_u32(examples.rows())).collect();
                let mut bitmap = Bitmap::new(examples, rows, self.slots);
                bitmap.fill(self.level, examples, conditions);
                Active::Whole(bitmap)
            }
            Way::Tiles | Way::Devices => {
                let shared = way == Way::Devices && self.survey.is_some();
                let size = if shared { DEVICE_TILE } else { TILE };
                let bitmap = Bitmap::new(examples, vec![0; size], self.slots);
                Active::Tiles(bitmap, Vec::new(), 0, shared)
            }
        };
    }

    /// Puts a condition on a hook; one that hangs there already is replaced.
    ///
    /// # Panics
    /// When there is no such hook, or a test names a column that is not there.
    pub fn put(&mut self, slot: usize, tests: &[Test]) {
        self.make_free(slot);
        self.conditions.list(slot).set(tests);
        self.hang(slot, tests);
    }

    /// The same with tests that somebody keeps as a list, too; a long list is shared with them.
    ///
    /// # Panics
    /// As [`Matching::put`].
    pub fn put_list(&mut self, slot: usize, tests: &[Test], list: &TestList) {
        self.make_free(slot);
        self.conditions.list(slot).share(list);
        self.hang(slot, tests);
    }

    /// Makes way for a condition.
    fn make_free(&mut self, slot: usize) {
        assert!(slot < self.slots, "hook {slot} of {}", self.slots);
        if let Active::Sliced(_) = self.active {
            self.clear(slot);
        }
    }

    /// Finds what a new condition matches, where that is kept.
    fn hang(&mut self, slot: usize, tests: &[Test]) {
        let (level, examples) = (self.level, &*self.examples);
        match &mut self.active {
            Active::Direct => {}
            Active::Sliced(sliced) => sliced.put(examples.domains(), slot, tests),
            Active::Whole(bitmap) => bitmap.put(level, examples, slot, tests),
            Active::Tiles(bitmap, rows, used, _) => {
                if *used < rows.len() {
                    bitmap.put(level, examples, slot, tests);
                }
            }
        }
    }

    /// Takes the condition off a hook, where there is one.
    pub fn clear(&mut self, slot: usize) {
        if !self.conditions.is_taken(slot) {
            return;
        }
        match &mut self.active {
            Active::Direct => {}
            Active::Sliced(sliced) => {
                sliced.clear(self.examples.domains(), slot, &self.conditions.tests(slot));
            }
            Active::Whole(bitmap) | Active::Tiles(bitmap, ..) => bitmap.clear(slot),
        }
        self.conditions.clear(slot);
    }

    /// Tells which rows will be asked about after those that were told before. Only time is lost where other ones are.
    pub fn foresee(&mut self, rows: &[u32]) {
        self.ahead.extend(rows);
    }

    /// Forgets which rows were said to come.
    pub fn forget_order(&mut self) {
        self.ahead.clear();
        if let Active::Tiles(_, rows, used, _) = &mut self.active {
            rows.clear();
            *used = 0;
        }
    }

    /// The hooks whose conditions match a row, ascending.
    pub fn matched(&mut self, row: usize, into: &mut Vec<u32>) {
        if let Some(way) = self.chooser.as_mut().and_then(Chooser::tick) {
            self.go(way);
            if let Some(chooser) = &mut self.chooser {
                chooser.started();
            }
        }
        let examples = &*self.examples;
        let foreseen = self.ahead.front().is_some_and(|&next| next as usize == row);
        match &mut self.active {
            Active::Direct => self.conditions.matched(examples.domains(), examples.row(row), into),
            Active::Sliced(sliced) => sliced.matched(self.level, examples.row(row), into),
            Active::Whole(bitmap) => bitmap.matched(row, into),
            Active::Tiles(bitmap, rows, used, shared) if foreseen => {
                if *used == rows.len() {
                    rows.clear();
                    rows.extend(self.ahead.iter().take(if *shared { DEVICE_TILE } else { TILE }));
                    let survey = self.survey.as_ref().filter(|_| *shared);
                    match survey.and_then(|survey| surveyed(survey, rows, &self.conditions)) {
                        Some(covered) => bitmap.take_covered(rows, &covered, &self.conditions),
                        None => bitmap.take_rows(self.level, examples, rows, &self.conditions),
                    }
                    *used = 0;
                }
                bitmap.matched(*used, into);
                *used += 1;
            }
            Active::Tiles(..) => {
                self.conditions.matched(examples.domains(), examples.row(row), into);
            }
        }
        if foreseen {
            self.ahead.pop_front();
        }
    }

    /// The same for the row that was asked about last: its conditions have changed since.
    pub fn matched_again(&mut self, row: usize, into: &mut Vec<u32>) {
        let examples = &*self.examples;
        match &self.active {
            Active::Sliced(sliced) => sliced.matched(self.level, examples.row(row), into),
            Active::Whole(bitmap) => bitmap.matched(row, into),
            Active::Tiles(bitmap, rows, used, _)
                if *used < rows.len()
                    && *used > 0
                    && rows.get(used - 1).is_some_and(|&last| last as usize == row) =>
            {
                bitmap.matched(used - 1, into);
            }
            _ => self.conditions.matched(examples.domains(), examples.row(row), into),
        }
    }

    /// The hooks whose conditions match an input that is none of the examples, ascending.
    pub fn matched_input(&mut self, codes: &[u32], into: &mut Vec<u32>) {
        match &self.active {
            Active::Sliced(sliced) => sliced.matched(self.level, codes, into),
            _ => self.conditions.matched(self.examples.domains(), codes, into),
        }
    }
}

/// Which of some rows the conditions match, found by all devices; nothing where none is left.
fn surveyed(survey: &Mutex<Survey>, rows: &[u32], conditions: &Direct) -> Option<Vec<u64>> {
    let mut all = Conditions::default();
    conditions.taken().for_each(|slot| all.push(&conditions.tests(slot)));
    let mut survey = survey.lock().unwrap_or_else(PoisonError::into_inner);
    survey.cover(&Rows::new(rows), &all).ok()
}
