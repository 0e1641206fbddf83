//! The edges of a role in GPU memory.

use crate::Edges;
use pellucid_device::gpu::{Card, CardError, sent};

/// Subjects with more edges than this are hubs.
pub(super) const HUB_EDGES: u32 = 64;
/// The maximum number of edges of a hub that are counted together.
const PIECE_EDGES: u32 = 8192;

/// A list in GPU memory.
#[derive(Debug)]
pub(super) struct List<C: Card> {
    pub(super) memory: C::Memory,
    pub(super) len: usize,
}

/// Edges in GPU memory, and the pieces of their hubs.
#[derive(Debug)]
pub(super) struct GpuEdges<C: Card> {
    pub(super) offsets: C::Memory,
    pub(super) objects: C::Memory,
    /// The subject and first piece of each hub, with one more entry at the end.
    pub(super) hubs: List<C>,
    /// The first edge and the end of each piece.
    pub(super) pieces: List<C>,
}

/// Returns the number of pieces of all hubs.
pub(super) fn piece_count(edges: &Edges) -> usize {
    let degrees = edges.offsets().windows(2).map(|ends| ends[1] - ends[0]);
    degrees
        .filter(|&degree| degree > HUB_EDGES)
        .map(|degree| degree.div_ceil(PIECE_EDGES) as usize)
        .sum()
}

impl<C: Card> GpuEdges<C> {
    /// Returns an upper bound of the number of words of edges in GPU memory.
    pub(super) fn words_of(edges: &Edges) -> usize {
        // A hub has more than 64 edges. All its pieces but one are full.
        let lists =
            edges.len() / HUB_EDGES as usize * (2 + 4) + edges.len() / PIECE_EDGES as usize * 4;
        edges.offsets().len() + edges.len() + lists + 16
    }

    /// Returns the number of words in use.
    pub(super) fn words(&self) -> usize {
        let lists = [&self.offsets, &self.objects, &self.hubs.memory, &self.pieces.memory];
        lists.into_iter().map(C::words).sum()
    }

    pub(super) fn send(card: &C, edges: &Edges) -> Result<GpuEdges<C>, CardError> {
        let (mut hubs, mut pieces): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let number = |list: &Vec<u32>, width: usize| {
            // There are fewer entries than edges, so this fits.
            u32::try_from(list.len() / width).unwrap_or(u32::MAX)
        };
        for (subject, ends) in (0u32..).zip(edges.offsets().windows(2)) {
            if ends[1] - ends[0] <= HUB_EDGES {
                continue;
            }
            hubs.extend([subject, number(&pieces, 4)]);
            let mut first = ends[0];
            while first < ends[1] {
                let end = first.saturating_add(PIECE_EDGES).min(ends[1]);
                pieces.extend([first, end, 0, 0]);
                first = end;
            }
        }
        let hub_count = hubs.len() / 2;
        hubs.extend([u32::MAX, number(&pieces, 4)]);
        Ok(GpuEdges {
            offsets: sent(card, edges.offsets())?,
            objects: sent(card, edges.objects())?,
            hubs: List { memory: sent(card, &hubs)?, len: hub_count },
            pieces: List { memory: sent(card, &pieces)?, len: pieces.len() / 4 },
        })
    }
}
