//! The population of conditions and its match sets.

use crate::choose::Chooser;
use crate::cpu::{Bitmap, Direct, Sliced};
use crate::survey::{Conditions, Rows, Survey};
use crate::{CodedExamples, Test, TestList};
use pellucid_bits::Level;
use pellucid_device::{DeviceKind, Machine, Schedule};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A method that computes match sets. All methods give the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Evaluates the tests of every condition in order until one fails.
    Direct,
    /// Stores, for each code of each column, the conditions that it excludes.
    Sliced,
    /// Stores all rows that each condition matches, computed when the condition is added.
    Whole,
    /// Stores the same for the next few hundred rows, if the order of rows is known.
    Tiles,
    /// Stores the same for more of the next rows, computed by all devices together. The CPU matches
    /// conditions that are added in the meantime.
    Devices,
}

impl Way {
    /// All methods that run on the current thread only.
    pub const ALL: [Way; 4] = [Way::Direct, Way::Sliced, Way::Whole, Way::Tiles];

    /// Returns the name of the method, for logs.
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

/// The number of rows in a tile.
const TILE: usize = 512;

/// The number of rows in a tile that devices fill together. It is larger to make up for the cost of a launch.
const DEVICE_TILE: usize = 1024;

/// The maximum size of a bitmap over all rows, in bytes. A larger bitmap does not fit in the caches, while
/// the cost of tiles does not depend on the number of rows.
const MAX_BITMAP_BYTES: usize = 16 << 20;

/// A population of conditions over examples; see the [crate documentation](crate).
#[derive(Clone, Debug)]
pub struct Matching {
    examples: Arc<CodedExamples>,
    level: Level,
    slots: usize,
    conditions: Direct,
    active: Active,
    chooser: Option<Chooser>,
    /// The announced rows, next first.
    announced: VecDeque<u32>,
    /// The examples on all devices, if one of them is a GPU. Clones share it.
    survey: Option<Arc<Mutex<Survey>>>,
}

#[derive(Clone, Debug)]
enum Active {
    Direct,
    Sliced(Sliced),
    Whole(Bitmap),
    /// A tile, its rows, the number of rows already used, and whether devices fill it.
    Tiles(Bitmap, Vec<u32>, usize, bool),
}

impl Matching {
    /// Creates an empty population with the given instruction set and number of slots. It uses the method
    /// that is measured to be fastest.
    #[must_use]
    pub fn over(level: Level, examples: &Arc<CodedExamples>, slots: usize) -> Matching {
        let mut ways = Matching::ways(examples, slots);
        if level == Level::Scalar {
            ways = vec![Way::Direct];
        }
        ways.reverse();
        let chooser = Chooser::new(ways);
        let mut matcher = Matching::by(chooser.first(), level, examples, slots);
        matcher.chooser = Some(chooser);
        matcher
    }

    /// Creates an empty population that can use the GPUs of a machine. GPUs are used if they are faster or,
    /// if the schedule gives them a share, always for that share of the conditions.
    #[must_use]
    pub fn on(machine: &Machine, examples: &Arc<CodedExamples>, slots: usize) -> Matching {
        let mut matcher = Matching::over(machine.level(), examples, slots);
        let has_gpu = machine.devices.iter().any(|device| device.kind() == DeviceKind::Gpu);
        if !has_gpu || examples.rows() == 0 {
            return matcher;
        }
        // The listener of the machine has reported the failure; the methods of the CPU remain.
        let Ok(survey) = Survey::new(machine, examples) else { return matcher };
        matcher.survey = Some(Arc::new(Mutex::new(survey)));
        if let Schedule::Shares(_) = machine.schedule {
            matcher.chooser = None;
            matcher.go(Way::Devices);
        } else if let Some(chooser) = &mut matcher.chooser {
            chooser.add(Way::Devices);
        }
        matcher
    }

    /// Creates an empty population that always uses the given method and instruction set.
    #[must_use]
    pub fn by(way: Way, level: Level, examples: &Arc<CodedExamples>, slots: usize) -> Matching {
        let mut matcher = Matching {
            examples: Arc::clone(examples),
            level,
            slots: slots.next_multiple_of(64),
            conditions: Direct::default(),
            active: Active::Direct,
            chooser: None,
            announced: VecDeque::new(),
            survey: None,
        };
        matcher.go(way);
        matcher
    }

    /// Returns the methods that are available for examples and a number of slots, simplest first.
    #[must_use]
    pub fn ways(examples: &CodedExamples, slots: usize) -> Vec<Way> {
        let mut ways = vec![Way::Direct];
        if Sliced::rows_for(examples.domains()) <= Sliced::MAX_ROWS {
            ways.push(Way::Sliced);
        }
        if examples.rows() > TILE {
            ways.push(Way::Tiles);
        }
        if examples.rows() > 0 && Bitmap::bytes(examples.rows(), slots) <= MAX_BITMAP_BYTES {
            ways.push(Way::Whole);
        }
        ways
    }

    /// Returns the current method.
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

    /// Returns the chosen method and the time per query of each method that was tried, including the time
    /// between queries. Returns it once after each choice.
    pub fn chosen(&mut self) -> Option<(Way, Vec<(Way, Duration)>)> {
        let costs = self.chooser.as_mut()?.costs()?;
        Some((self.way(), costs))
    }

    /// Returns the instruction set.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the examples.
    #[must_use]
    pub fn examples(&self) -> &Arc<CodedExamples> {
        &self.examples
    }

    /// Switches to another method.
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

    /// Stores a condition in a slot and replaces the previous one.
    ///
    /// # Panics
    /// When the slot does not exist, or a test names a column that does not exist.
    pub fn put(&mut self, slot: usize, tests: &[Test]) {
        self.make_free(slot);
        self.conditions.list(slot).set(tests);
        self.index_condition(slot, tests);
    }

    /// Stores a condition that the caller also has as a list. A long list is shared instead of copied.
    ///
    /// # Panics
    /// See [`Matching::put`].
    pub fn put_list(&mut self, slot: usize, tests: &[Test], list: &TestList) {
        self.make_free(slot);
        self.conditions.list(slot).share(list);
        self.index_condition(slot, tests);
    }

    /// Prepares a slot for a condition.
    fn make_free(&mut self, slot: usize) {
        assert!(slot < self.slots, "found slot {slot}; expected a slot below {}", self.slots);
        if let Active::Sliced(_) = self.active {
            self.clear(slot);
        }
    }

    /// Adds a new condition to the data of the current method.
    fn index_condition(&mut self, slot: usize, tests: &[Test]) {
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

    /// Removes the condition of a slot, if there is one.
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

    /// Announces the next rows, after those announced before. If other rows are queried, only time is lost.
    pub fn foresee(&mut self, rows: &[u32]) {
        self.announced.extend(rows);
    }

    /// Discards the announced rows.
    pub fn forget_order(&mut self) {
        self.announced.clear();
        if let Active::Tiles(_, rows, used, _) = &mut self.active {
            rows.clear();
            *used = 0;
        }
    }

    /// Writes the slots whose conditions match a row, ascending.
    pub fn matched(&mut self, row: usize, into: &mut Vec<u32>) {
        if let Some(way) = self.chooser.as_mut().and_then(Chooser::tick) {
            self.go(way);
            if let Some(chooser) = &mut self.chooser {
                chooser.start_clock();
            }
        }
        let examples = &*self.examples;
        let is_announced = self.announced.front().is_some_and(|&next| next as usize == row);
        match &mut self.active {
            Active::Direct => self.conditions.matched(examples.domains(), examples.row(row), into),
            Active::Sliced(sliced) => sliced.matched(self.level, examples.row(row), into),
            Active::Whole(bitmap) => bitmap.matched(row, into),
            Active::Tiles(bitmap, rows, used, shared) if is_announced => {
                if *used == rows.len() {
                    rows.clear();
                    rows.extend(self.announced.iter().take(if *shared {
                        DEVICE_TILE
                    } else {
                        TILE
                    }));
                    let survey = self.survey.as_ref().filter(|_| *shared);
                    match survey.and_then(|survey| cover_on_devices(survey, rows, &self.conditions))
                    {
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
        if is_announced {
            self.announced.pop_front();
        }
    }

    /// Writes the slots that match the row of the last query, after conditions have changed.
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

    /// Writes the slots whose conditions match an input that is not one of the examples, ascending.
    pub fn matched_input(&mut self, codes: &[u32], into: &mut Vec<u32>) {
        match &self.active {
            Active::Sliced(sliced) => sliced.matched(self.level, codes, into),
            _ => self.conditions.matched(self.examples.domains(), codes, into),
        }
    }
}

/// Matches all conditions with rows on all devices. Returns `None` if no device works.
fn cover_on_devices(survey: &Mutex<Survey>, rows: &[u32], conditions: &Direct) -> Option<Vec<u64>> {
    let mut all = Conditions::default();
    conditions.taken().for_each(|slot| all.push(&conditions.tests(slot)));
    let mut survey = survey.lock().unwrap_or_else(PoisonError::into_inner);
    survey.cover(&Rows::new(rows), &all).ok()
}
