//! Which concepts lie right below which.
//!
//! Take a concept (A, B) and an attribute m outside of B. The objects of A that have m are the extent of some concept below;
//! call it D. Between the two lies no other concept exactly if *every* attribute that D has more than B leads to D and not
//! to a larger extent on the way. So count how many attributes lead to each D, and compare with how many it has more.
//!
//! To find D, nothing is closed. Every row has a random key, and the hash of an extent is the sum of its rows' keys: one walk
//! over the rows of A adds each key to the sums of the attributes that row has, and then the sum of m *is* the hash of D.
//! That no two concepts have the same hash was seen to when they were entered into the [`IntentTable`]. What is found is checked
//! against B and m all the same: a D that has them all lies below the extent of m, which is then large enough to be that of a
//! concept listed, and hashes of listed concepts differ. So the answer is exact also where small concepts were left out.
//!
//! Most concepts have few rows. Up to 64 of them are told apart by a bit each: the same walk then makes of every attribute the set
//! of rows itself, the sets that lie in no other are those right below, and only those are looked up.

use super::links::ConceptLinks;
use super::share::share;
use super::sides::{RowExtent, Sides};
use super::table::IntentTable;
use pellucid_bits::words::{contains, is_subset, members, words_for};

/// The concepts whose covers are sought.
pub(super) struct Listed<'a> {
    pub(super) sides: &'a Sides,
    pub(super) keys: &'a [u64],
    pub(super) table: &'a IntentTable,
    pub(super) intents: &'a [u64],
    pub(super) sizes: &'a [u32],
    /// The last concept, if it has no object.
    pub(super) empty: Option<u32>,
}

/// What a thread needs for one concept after the other.
struct Room {
    extent: RowExtent,
    /// For each attribute the hash of the extent it leads to.
    sums: Vec<u64>,
    met: Vec<u64>,
    /// For each concept how many attributes lead to it.
    led: Vec<u32>,
    /// The largest sets of rows so far, none in another, and an attribute that leads to each.
    largest: Vec<(u64, usize)>,
    below: Vec<u32>,
}

impl Listed<'_> {
    /// For every concept those right below, ascending; nothing if told to stop.
    pub(super) fn lower(
        &self,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<ConceptLinks> {
        let width = words_for(self.sides.attributes());
        let room = || Room {
            extent: RowExtent::default(),
            sums: vec![0; width * 64],
            met: vec![0; width],
            led: vec![0; self.sizes.len()],
            largest: Vec::new(),
            below: Vec::new(),
        };
        let parts = share(threads, self.sizes.len(), stop, room, |room, range| {
            let mut links = ConceptLinks::new();
            for concept in range {
                self.lower_of(concept, room);
                links.push(room.below.drain(..));
            }
            links
        })?;
        Some(parts.iter().fold(ConceptLinks::new(), |mut all, part| {
            all.append(part);
            all
        }))
    }

    fn intent(&self, concept: usize) -> &[u64] {
        let width = words_for(self.sides.attributes());
        &self.intents[concept * width..][..width]
    }

    fn lower_of(&self, concept: usize, room: &mut Room) {
        let intent = self.intent(concept);
        self.sides.extent(intent, &mut room.extent);
        if room.extent.rows.len() <= 64 {
            self.lower_of_few(concept, room);
        } else {
            self.lower_of_many(concept, room);
        }
        // Attributes that nothing here has lead to no object at all, and that lies below everything else.
        let is_last = room.met.iter().all(|&word| word == 0);
        match self.empty {
            Some(empty) if is_last && empty as usize != concept => room.below.push(empty),
            _ => {}
        }
        room.met.fill(0);
        room.below.sort_unstable();
    }

    /// The concepts right below one of at most 64 rows, by sets of rows.
    fn lower_of_few(&self, concept: usize, room: &mut Room) {
        let Room { extent, sums, met, largest, below, .. } = room;
        let intent = self.intent(concept);
        // Sums of different bits are sets.
        let bits = extent.rows.iter().enumerate().map(|(bit, &row)| (row, 1 << bit));
        self.sides.deliver(bits, intent, sums, met);
        largest.clear();
        for attribute in members(met) {
            let set = std::mem::take(&mut sums[attribute]);
            if largest.iter().all(|&(other, _)| set & !other != 0) {
                largest.retain(|&(other, _)| other & !set != 0);
                largest.push((set, attribute));
            }
        }
        for &(set, attribute) in &*largest {
            let mut hash = 0u64;
            let mut left = set;
            while left != 0 {
                let row = extent.rows[left.trailing_zeros() as usize];
                hash = hash.wrapping_add(self.keys[row as usize]);
                left &= left - 1;
            }
            below.extend(self.led_to(intent, attribute, hash));
        }
    }

    /// The concepts right below one of any number of rows, by counting what leads to each.
    fn lower_of_many(&self, concept: usize, room: &mut Room) {
        let Room { extent, sums, met, led, below, .. } = room;
        let intent = self.intent(concept);
        let keys = extent.rows.iter().map(|&row| (row, self.keys[row as usize]));
        self.sides.deliver(keys, intent, sums, met);
        for attribute in members(met) {
            let hash = std::mem::take(&mut sums[attribute]);
            if let Some(other) = self.led_to(intent, attribute, hash) {
                if led[other as usize] == 0 {
                    below.push(other);
                }
                led[other as usize] += 1;
            }
        }
        below.retain(|&other| {
            let led = std::mem::take(&mut led[other as usize]);
            led == self.sizes[other as usize] - self.sizes[concept]
        });
    }

    /// The concept that an attribute leads to, if it is listed.
    fn led_to(&self, intent: &[u64], attribute: usize, hash: u64) -> Option<u32> {
        let other = self.table.get(hash)?;
        let closed = self.intent(other as usize);
        (contains(closed, attribute) && is_subset(intent, closed)).then_some(other)
    }
}
