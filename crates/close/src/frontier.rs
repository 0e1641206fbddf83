//! A search on devices that work in slices: each has a part of the tree's frontier, and what one has too much of goes to
//! another by way of the host.

use super::{Digest, Found, Ordered, Outcome, Stop, Terms, Visitor};
use pellucid_bits::words::{insert, members, words_for};
use pellucid_data::Relation;
use pellucid_device::{Device, DeviceError};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A subtree on its way from one device to another, in the words of that kind of device.
#[derive(Clone, Debug)]
pub struct Subtree(pub(crate) Vec<u32>);

/// What a slice of work brought.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slice {
    /// Concepts that were found, and their digest.
    pub concepts: u64,
    /// The digest of those concepts.
    pub digest: Digest,
    /// Whether there is more to do.
    pub unfinished: bool,
    /// How long the device itself computed, where it can tell.
    pub device_time: Option<Duration>,
}

/// A device's part of a search.
pub trait Frontier: Send {
    /// Begins a slice; `wanted` subtrees are to be given away, if there are so many.
    ///
    /// # Errors
    /// When the device fails.
    fn start(&mut self, wanted: usize) -> Result<(), DeviceError>;

    /// Waits for the end of the slice. What it gave away is added to `given`.
    ///
    /// # Errors
    /// When the device fails.
    fn finish(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, DeviceError>;

    /// Begins to fetch the records of the slice that was finished last, while the next one is under way.
    ///
    /// # Errors
    /// When the device fails.
    fn fetch(&mut self) -> Result<(), DeviceError>;

    /// Waits for the records.
    ///
    /// # Errors
    /// When the device fails.
    fn arrive(&mut self) -> Result<(), DeviceError>;

    /// The records that arrived last, some here and some there. Each is [`Frontier::record_words`] words: the intent in the
    /// order of [`Ordered`], and the support.
    fn records(&self) -> Vec<&[u32]>;

    /// Words of a record.
    fn record_words(&self) -> usize;

    /// Takes a subtree over; between slices only.
    ///
    /// # Errors
    /// When the device fails.
    fn take(&mut self, subtree: Subtree) -> Result<(), DeviceError>;
}

/// Subtrees that a device is asked for when another has nothing to do.
const WANTED: usize = 256;
/// Records that are worth a thread of their own.
const WORTH_A_THREAD: usize = 4096;

/// A frontier, and how far it is.
struct Member<'a> {
    device: &'a Device,
    frontier: Box<dyn Frontier>,
    is_working: bool,
    has_work: bool,
    /// A slice whose records are on their way.
    arriving: Option<Slice>,
}

/// Lists the concepts of a relation on frontiers, of which the first has the whole tree and the others nothing yet.
///
/// Three things go on at once: a device works on a slice, the records of the last one are on their way, and those of the
/// one before are shown.
///
/// # Errors
/// When a device fails; `shown` tells whether visitors have seen anything by then.
pub(crate) fn search<V: Visitor>(
    frontiers: Vec<(&Device, Box<dyn Frontier>)>,
    reader: &Reader<'_>,
    terms: &Terms<'_>,
    visitors: &mut [V],
    shown: &mut bool,
) -> Result<Outcome, DeviceError> {
    let mut outcome = Outcome { concepts: 0, digest: Digest::default(), stop: Stop::Complete };
    let member = |(device, frontier)| Member {
        device,
        frontier,
        is_working: false,
        has_work: false,
        arriving: None,
    };
    let mut members: Vec<Member<'_>> = frontiers.into_iter().map(member).collect();
    members[0].has_work = true;
    let mut queue: Vec<Subtree> = Vec::new();
    loop {
        for member in &mut members {
            member.supply(&mut queue)?;
        }
        if !members.iter().any(|member| member.is_working) {
            break;
        }
        let is_one_idle = members.iter().any(|member| !member.has_work);
        for member in members.iter_mut().filter(|member| member.is_working) {
            let told = terms.stop.is_some_and(|stop| stop());
            let wanted = if is_one_idle { WANTED } else { 0 };
            let (slice, earlier) =
                member.step(&mut queue, (!told).then_some(wanted), reader.looks)?;
            if let (Some(sum), Some(time)) = (terms.device_time, slice.device_time) {
                let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                sum.fetch_add(nanos, Ordering::Relaxed);
            }
            if reader.looks {
                if let Some(earlier) = earlier {
                    *shown |= earlier.concepts > 0;
                    reader.show(&*member.frontier, earlier, terms, visitors, &mut outcome);
                }
            } else {
                outcome.concepts += slice.concepts;
                outcome.digest.merge(slice.digest);
            }
            if let Some(progress) = terms.progress {
                progress.store(outcome.concepts, Ordering::Relaxed);
            }
            if outcome.stop == Stop::Complete && told && slice.unfinished {
                outcome.stop = Stop::Told;
            }
            if outcome.stop != Stop::Complete {
                break;
            }
        }
        if outcome.stop != Stop::Complete {
            break;
        }
    }
    for member in &mut members {
        if member.is_working {
            member.frontier.finish(&mut queue)?;
        }
        if let Some(slice) = member.arriving.take() {
            member.frontier.arrive()?;
            if outcome.stop != Stop::Most {
                *shown |= slice.concepts > 0;
                reader.show(&*member.frontier, slice, terms, visitors, &mut outcome);
            }
        }
    }
    Ok(outcome)
}

impl Member<'_> {
    /// Gives work to who has none, and lets everyone who has some work.
    fn supply(&mut self, queue: &mut Vec<Subtree>) -> Result<(), DeviceError> {
        if !self.has_work {
            let subtrees = queue.split_off(queue.len().saturating_sub(WANTED / 2));
            self.has_work = !subtrees.is_empty();
            for subtree in subtrees {
                self.frontier.take(subtree)?;
            }
        }
        if self.has_work && !self.is_working {
            self.frontier.start(0)?;
            self.is_working = true;
        }
        Ok(())
    }

    /// Ends a slice and begins the next one, in which so many subtrees are wanted, if it is to go on. Gives back the slice that
    /// ended and one whose records can be shown.
    fn step(
        &mut self,
        queue: &mut Vec<Subtree>,
        go_on: Option<usize>,
        looks: bool,
    ) -> Result<(Slice, Option<Slice>), DeviceError> {
        let slice = self.device.attempt(|| self.frontier.finish(queue))?;
        (self.has_work, self.is_working) = (slice.unfinished, false);
        let earlier = self.arriving.take();
        if earlier.is_some() {
            self.frontier.arrive()?;
        }
        if let (true, Some(wanted)) = (slice.unfinished, go_on) {
            self.frontier.start(wanted)?;
            self.is_working = true;
        }
        if looks {
            self.frontier.fetch()?;
            self.arriving = Some(slice);
        }
        Ok((slice, earlier))
    }
}

/// Reads records back into the relation's own numbers.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    relation: &'a Relation,
    ordered: Arc<Ordered>,
    /// By attribute: its objects, if extents are to be shown.
    columns: Option<Relation>,
    /// By place: the two words of its attribute, in contexts that have two.
    masks: Option<Vec<[u64; 2]>>,
    looks: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        relation: &'a Relation,
        ordered: Arc<Ordered>,
        terms: &Terms<'_>,
        looks: bool,
    ) -> Reader<'a> {
        let columns = (looks && terms.extents).then(|| relation.transposed());
        let mask = |&attribute: &u32| {
            let mut mask = [0; 2];
            insert(&mut mask, attribute as usize);
            mask
        };
        let masks = (words_for(relation.attributes()) == 2)
            .then(|| ordered.attributes().iter().map(mask).collect());
        // To end after so many concepts, one must see which they are.
        Reader { relation, ordered, columns, masks, looks: looks || terms.most.is_some() }
    }

    pub(crate) fn looks(&self) -> bool {
        self.looks
    }

    fn show<V: Visitor>(
        &self,
        frontier: &dyn Frontier,
        slice: Slice,
        terms: &Terms<'_>,
        visitors: &mut [V],
        outcome: &mut Outcome,
    ) {
        let words = frontier.record_words();
        let mut runs = frontier.records();
        let left = terms.most.map(|most| most - outcome.concepts);
        let left = left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        if cut(&mut runs, left, words) {
            outcome.stop = Stop::Most;
            let records = runs.iter().flat_map(|run| run.chunks_exact(words));
            records.for_each(|record| outcome.digest.add(self.keys(record)));
        } else {
            outcome.digest.merge(slice.digest);
        }
        let shown: usize = runs.iter().map(|run| run.len() / words).sum();
        outcome.concepts += shown as u64;
        let threads = visitors.len().min(shown / WORTH_A_THREAD).max(1);
        let share = runs.len().div_ceil(threads).max(1);
        if !V::LOOKS {
            return;
        }
        std::thread::scope(|scope| {
            let mut parts = runs.chunks(share).zip(visitors);
            let first = parts.next();
            for (part, visitor) in parts {
                scope.spawn(move || self.show_part(part, words, visitor));
            }
            if let Some((part, visitor)) = first {
                self.show_part(part, words, visitor);
            }
        });
    }

    /// The keys of a record's attributes, added up.
    fn keys(&self, record: &[u32]) -> u64 {
        let key = |place: usize| Digest::key(self.ordered.attributes()[place]);
        places(&record[..record.len() - 1]).map(key).fold(0, u64::wrapping_add)
    }

    fn show_part<V: Visitor>(&self, runs: &[&[u32]], words: usize, visitor: &mut V) {
        let mut intent = vec![0; words_for(self.relation.attributes())];
        let mut extent =
            vec![0; self.columns.as_ref().map_or(0, |_| words_for(self.relation.objects()))];
        for record in runs.iter().flat_map(|run| run.chunks_exact(words)) {
            let Some((&support, set)) = record.split_last() else { continue };
            match (&self.masks, &mut intent[..]) {
                (Some(masks), [low, high]) => {
                    // The whole host waits for this loop, so it is written out.
                    let mut both = [0, 0];
                    for (masks, &word) in masks.chunks(32).zip(set) {
                        let mut left = word;
                        while left != 0 {
                            let mask = masks[left.trailing_zeros() as usize];
                            left &= left - 1;
                            both[0] |= mask[0];
                            both[1] |= mask[1];
                        }
                    }
                    [*low, *high] = both;
                }
                (_, intent) => {
                    intent.fill(0);
                    for place in places(set) {
                        insert(intent, self.ordered.attributes()[place] as usize);
                    }
                }
            }
            if let Some(columns) = &self.columns {
                extent.fill(0);
                self.extent(columns, &intent, &mut extent);
            }
            visitor.visit(&Found { intent: &intent, support: u64::from(support), extent: &extent });
        }
    }

    /// The objects of an intent: those of its rarest attribute that have all the others too.
    fn extent(&self, columns: &Relation, intent: &[u64], extent: &mut [u64]) {
        let Some(rarest) = members(intent).min_by_key(|&attribute| columns.row(attribute).len())
        else {
            (0..self.relation.objects()).for_each(|object| insert(extent, object));
            return;
        };
        for &object in columns.row(rarest) {
            let row = self.relation.row(object as usize);
            let has = |attribute: usize| row.binary_search(&small(attribute)).is_ok();
            if members(intent).all(has) {
                insert(extent, object as usize);
            }
        }
    }
}

/// The places that are set in a record's words, ascending.
fn places(set: &[u32]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut left = bits;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                word * 32 + bit
            })
        })
    })
}

/// Leaves so many records, and says whether there were more.
fn cut(runs: &mut Vec<&[u32]>, mut left: usize, words: usize) -> bool {
    for index in 0..runs.len() {
        let records = runs[index].len() / words;
        if records > left {
            runs[index] = &runs[index][..left * words];
            runs.truncate(index + 1);
            return true;
        }
        left -= records;
    }
    false
}

/// Attributes are numbered by 32 bits.
#[expect(clippy::cast_possible_truncation)]
fn small(number: usize) -> u32 {
    number as u32
}
