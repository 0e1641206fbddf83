//! A search on devices that work in slices: each has a part of the tree's frontier, and what one has too much of goes to
//! another by way of the host.

use super::words::{insert, words_for};
use super::{Digest, Found, Ordered, Outcome, Relation, Stop, Terms, Visitor};
use crate::device::DeviceError;
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

    /// Records of the slice that was finished last, even while the next one is under way, some here and some there. Each
    /// is [`Frontier::record_words`] words: the intent in the order of [`Ordered`], and the support.
    fn records(&self) -> Vec<&[u32]>;

    /// Words of a record.
    fn record_words(&self) -> usize;

    /// Takes a subtree over; between slices only.
    ///
    /// # Errors
    /// When the device fails.
    fn take(&mut self, subtree: Subtree) -> Result<(), DeviceError>;

    /// How long the device itself computed since this was last asked, where it can tell.
    fn take_time(&mut self) -> Option<Duration>;
}

/// Subtrees that a device is asked for when another has nothing to do.
const WANTED: usize = 256;
/// Records that are worth a thread of their own.
const WORTH_A_THREAD: usize = 4096;

/// Lists the concepts of a relation on frontiers, of which the first has the whole tree and the others nothing yet.
///
/// # Errors
/// When a device fails; `shown` tells whether visitors have seen anything by then.
pub(crate) fn search<V: Visitor>(
    frontiers: &mut [Box<dyn Frontier>],
    reader: &Reader<'_>,
    terms: &Terms<'_>,
    visitors: &mut [V],
    shown: &mut bool,
) -> Result<Outcome, DeviceError> {
    let mut outcome = Outcome { concepts: 0, digest: Digest::default(), stop: Stop::Complete };
    let mut unfinished = vec![false; frontiers.len()];
    unfinished[0] = true;
    let mut queue: Vec<Subtree> = Vec::new();
    let mut started = vec![false; frontiers.len()];
    loop {
        for (frontier, (busy, started)) in
            frontiers.iter_mut().zip(unfinished.iter_mut().zip(&mut started))
        {
            if !*busy && let Some(subtree) = queue.pop() {
                frontier.take(subtree)?;
                for _ in 0..WANTED / 2 {
                    let Some(subtree) = queue.pop() else { break };
                    frontier.take(subtree)?;
                }
                *busy = true;
            }
            if *busy && !*started {
                frontier.start(0)?;
                *started = true;
            }
        }
        if !started.contains(&true) {
            return Ok(outcome);
        }
        let idle = unfinished.iter().any(|&busy| !busy);
        for index in 0..frontiers.len() {
            if !std::mem::take(&mut started[index]) {
                continue;
            }
            let frontier = &mut frontiers[index];
            let slice = frontier.finish(&mut queue)?;
            unfinished[index] = slice.unfinished;
            if let (Some(sum), Some(time)) = (terms.device_time, frontier.take_time()) {
                let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                sum.fetch_add(nanos, Ordering::Relaxed);
            }
            let told = terms.stop.is_some_and(|stop| stop());
            if slice.unfinished && !told {
                // The device works on while its concepts are shown.
                frontier.start(if idle { WANTED } else { 0 })?;
                started[index] = true;
            }
            if reader.looks {
                *shown |= slice.concepts > 0;
                reader.show(&**frontier, terms, visitors, &mut outcome);
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
                // Whoever is under way may finish; nobody listens any more.
                for (frontier, started) in frontiers.iter_mut().zip(started) {
                    if started {
                        frontier.finish(&mut queue)?;
                    }
                }
                return Ok(outcome);
            }
        }
    }
}

/// Reads records back into the relation's own numbers.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    relation: &'a Relation,
    ordered: Arc<Ordered>,
    /// By attribute: its objects, if extents are to be shown.
    columns: Option<Relation>,
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
        // To end after so many concepts, one must see which they are.
        Reader { relation, ordered, columns, looks: looks || terms.most.is_some() }
    }

    pub(crate) fn looks(&self) -> bool {
        self.looks
    }

    fn show<V: Visitor>(
        &self,
        frontier: &dyn Frontier,
        terms: &Terms<'_>,
        visitors: &mut [V],
        outcome: &mut Outcome,
    ) {
        let words = frontier.record_words();
        let mut runs = frontier.records();
        if let Some(most) = terms.most {
            let left = usize::try_from(most - outcome.concepts).unwrap_or(usize::MAX);
            outcome.stop = if cut(&mut runs, left, words) { Stop::Most } else { outcome.stop };
        }
        let shown: usize = runs.iter().map(|run| run.len() / words).sum();
        outcome.concepts += shown as u64;
        let threads = visitors.len().min(shown / WORTH_A_THREAD).max(1);
        let share = runs.len().div_ceil(threads).max(1);
        let digest = std::thread::scope(|scope| {
            let mut parts = runs.chunks(share).zip(visitors);
            let first = parts.next();
            let others: Vec<_> = parts
                .map(|(part, visitor)| scope.spawn(move || self.show_part(part, words, visitor)))
                .collect();
            let mut digest = Digest::default();
            if let Some((part, visitor)) = first {
                digest.merge(self.show_part(part, words, visitor));
            }
            for other in others {
                match other.join() {
                    Ok(more) => digest.merge(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            digest
        });
        outcome.digest.merge(digest);
    }

    fn show_part<V: Visitor>(&self, runs: &[&[u32]], words: usize, visitor: &mut V) -> Digest {
        let mut digest = Digest::default();
        let mut intent = vec![0; words_for(self.relation.attributes())];
        let mut extent = vec![0; words_for(self.relation.objects())];
        for record in runs.iter().flat_map(|run| run.chunks_exact(words)) {
            let Some((&support, places)) = record.split_last() else { continue };
            intent.fill(0);
            let mut keys = 0u64;
            let (mut smallest, mut fewest) = (None, usize::MAX);
            for (word, &bits) in places.iter().enumerate() {
                let mut left = bits;
                while left != 0 {
                    let place = word * 32 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let attribute = self.ordered.attributes()[place];
                    keys = keys.wrapping_add(Digest::key(attribute));
                    insert(&mut intent, attribute as usize);
                    if let Some(columns) = &self.columns
                        && columns.row(attribute as usize).len() < fewest
                    {
                        fewest = columns.row(attribute as usize).len();
                        smallest = Some(attribute);
                    }
                }
            }
            digest.add(keys);
            if V::LOOKS {
                let extent = match &self.columns {
                    None => &[][..],
                    Some(columns) => {
                        extent.fill(0);
                        self.extent(columns, smallest, &intent, &mut extent);
                        &extent
                    }
                };
                visitor.visit(&Found { intent: &intent, support: u64::from(support), extent });
            }
        }
        digest
    }

    /// The objects of an intent: those of its rarest attribute that have all the others too.
    fn extent(&self, columns: &Relation, rarest: Option<u32>, intent: &[u64], extent: &mut [u64]) {
        let Some(rarest) = rarest else {
            (0..self.relation.objects()).for_each(|object| insert(extent, object));
            return;
        };
        for &object in columns.row(rarest as usize) {
            let row = self.relation.row(object as usize);
            let has = |attribute: usize| row.binary_search(&small(attribute)).is_ok();
            if super::words::members(intent).all(has) {
                insert(extent, object as usize);
            }
        }
    }
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
