//! Which concepts lie right below which.
//!
//! Take a concept (A, B) and an attribute m outside of B. The objects of A that have m are the extent of some concept below;
//! call it D. Between the two lies no other concept exactly if *every* attribute that D has more than B leads to D and not
//! to a larger extent on the way. So count how many attributes lead to each D, and compare with how many it has more.
//!
//! To find D, nothing is closed. Every row has a random key, and the hash of an extent is the sum of its rows' keys: one walk
//! over the rows of A adds each key to the sums of the attributes that row has, and then the sum of m *is* the hash of D.
//! That no two concepts have the same hash was seen to when they were entered into the [`Table`]. What is found is checked
//! against B and m all the same: a D that has them all lies below the extent of m, which is then large enough to be that of a
//! concept listed, and hashes of listed concepts differ. So the answer is exact also where small concepts were left out.

use super::links::Links;
use super::share::share;
use super::sides::{Extent, Sides};
use super::table::Table;
use pellucid_engine::close::words::{contains, count, is_subset, members, words_for};

/// The concepts whose covers are sought.
pub(super) struct Listed<'a> {
    pub(super) sides: &'a Sides,
    pub(super) keys: &'a [u64],
    pub(super) table: &'a Table,
    pub(super) intents: &'a [u64],
    pub(super) sizes: &'a [u32],
    /// The last concept, if it has no object.
    pub(super) empty: Option<u32>,
}

/// What a thread needs for one concept after the other.
struct Room {
    extent: Extent,
    /// For each attribute the hash of the extent it leads to.
    sums: Vec<u64>,
    met: Vec<u64>,
    /// For each concept how many attributes lead to it.
    led: Vec<u32>,
    below: Vec<u32>,
}

impl Listed<'_> {
    /// For every concept those right below, ascending; nothing if told to stop.
    pub(super) fn lower(&self, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> Option<Links> {
        let width = words_for(self.sides.attributes());
        let room = || Room {
            extent: Extent::default(),
            sums: vec![0; width * 64],
            met: vec![0; width],
            led: vec![0; self.sizes.len()],
            below: Vec::new(),
        };
        let parts = share(threads, self.sizes.len(), stop, room, |room, range| {
            let mut links = Links::new();
            for concept in range {
                self.lower_of(concept, room);
                links.push(room.below.drain(..));
            }
            links
        })?;
        Some(parts.iter().fold(Links::new(), |mut all, part| {
            all.append(part);
            all
        }))
    }

    fn intent(&self, concept: usize) -> &[u64] {
        let width = words_for(self.sides.attributes());
        &self.intents[concept * width..][..width]
    }

    fn lower_of(&self, concept: usize, room: &mut Room) {
        let Room { extent, sums, met, led, below } = room;
        let intent = self.intent(concept);
        self.sides.extent(intent, extent);
        self.sides.deliver(&extent.rows, intent, self.keys, sums, met);
        for attribute in members(met) {
            let hash = std::mem::take(&mut sums[attribute]);
            if let Some(other) = self.table.get(hash) {
                let closed = self.intent(other as usize);
                if contains(closed, attribute) && is_subset(intent, closed) {
                    if led[other as usize] == 0 {
                        below.push(other);
                    }
                    led[other as usize] += 1;
                }
            }
        }
        let is_last = count(met) == 0 && self.empty != u32::try_from(concept).ok();
        met.fill(0);
        below.retain(|&other| {
            let led = std::mem::take(&mut led[other as usize]);
            led == self.sizes[other as usize] - self.sizes[concept]
        });
        below.sort_unstable();
        // Attributes that nothing here has lead to no object at all, and that lies below everything else.
        if let (true, Some(empty)) = (is_last, self.empty) {
            below.push(empty);
        }
    }
}
