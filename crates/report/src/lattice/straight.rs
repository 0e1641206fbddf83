//! Long lines, as straight as what stands in their way lets them be.
//!
//! The bends of a line keep it clear of the nodes on the layers it passes. Most are not needed: a line leaves out every bend it can
//! without coming near a circle or a name, and the way from one bend that is left to the next is straight.

use super::layout::Node;

/// How near a line may come to what it passes.
const CLEAR: f64 = 4.0;

/// What lines have to pass on one layer: its concepts, from left to right.
pub(super) struct Obstacles<'a> {
    pub(super) nodes: Vec<&'a Node>,
    pub(super) is_labelled: bool,
    /// How far the widest reaches to either side.
    reach: f64,
}

impl<'a> Obstacles<'a> {
    pub(super) fn new(mut nodes: Vec<&'a Node>, is_labelled: bool) -> Obstacles<'a> {
        nodes.sort_by(|a, b| a.x.total_cmp(&b.x));
        let half = |node: &&Node| match is_labelled {
            true => node.radius.max(node.attributes.width / 2.0).max(node.objects.width / 2.0),
            false => node.radius,
        };
        let reach = nodes.iter().map(half).fold(0.0, f64::max) + CLEAR;
        Obstacles { nodes, is_labelled, reach }
    }

    /// Whether a straight line passes the layer without touching anything.
    fn lets_pass(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let slope = (to.0 - from.0) / (to.1 - from.1);
        let at = |y: f64| from.0 + (y - from.1) * slope;
        let Some(first) = self.nodes.first() else { return true };
        // Names reach up and down a little, and the line goes sideways meanwhile.
        let drift = slope.abs() * 120.0;
        let (left, right) = (at(first.y) - self.reach - drift, at(first.y) + self.reach + drift);
        let start = self.nodes.partition_point(|node| node.x < left);
        let near = self.nodes[start..].iter().take_while(|node| node.x <= right);
        near.into_iter().all(|node| {
            let misses = |top: f64, bottom: f64, half: f64| {
                let (a, b) = (at(top.max(from.1)), at(bottom.min(to.1)));
                a.max(b) < node.x - half - CLEAR || a.min(b) > node.x + half + CLEAR
            };
            let mut is_clear = misses(node.y - node.radius, node.y + node.radius, node.radius);
            if self.is_labelled {
                let (above, below) = (node.attributes_box(), node.objects_box());
                is_clear &= above
                    .is_none_or(|(top, bottom)| misses(top, bottom, node.attributes.width / 2.0));
                is_clear &=
                    below.is_none_or(|(top, bottom)| misses(top, bottom, node.objects.width / 2.0));
            }
            is_clear
        })
    }
}

/// The points that a line needs, of those it has been given one of on every layer.
pub(super) fn straighten(
    points: &[(f64, f64)],
    first_layer: usize,
    layers: &[Obstacles<'_>],
) -> Vec<(f64, f64)> {
    let mut kept = vec![points[0]];
    let mut from = 0;
    while from + 1 < points.len() {
        let is_free = |to: usize| {
            (from + 1..to)
                .all(|passed| layers[first_layer + passed].lets_pass(points[from], points[to]))
        };
        let to = (from + 2..points.len()).rev().find(|&to| is_free(to)).unwrap_or(from + 1);
        kept.push(points[to]);
        from = to;
    }
    kept
}
