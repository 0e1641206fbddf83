//! Long lines, as straight as what stands in their way lets them be.
//!
//! The bends of a line keep it clear of the nodes on the layers it passes. Most are not needed: a line leaves out every bend it can
//! without coming near a circle or a name, and the way from one bend that is left to the next is straight.

use super::layout::DrawnNode;

/// How near a line may come to what it passes.
const CLEAR: f64 = 4.0;

/// What lines have to pass on one layer: its concepts, from left to right.
pub(super) struct Obstacles<'a> {
    nodes: Vec<&'a DrawnNode>,
    is_labelled: bool,
    /// How far the widest reaches to either side.
    reach: f64,
}

impl<'a> Obstacles<'a> {
    pub(super) fn new(mut nodes: Vec<&'a DrawnNode>, is_labelled: bool) -> Obstacles<'a> {
        nodes.sort_by(|a, b| a.x.total_cmp(&b.x));
        let reach = nodes.iter().map(|node| half(node, is_labelled)).fold(0.0, f64::max) + CLEAR;
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

/// Finds ways for long lines, one after the other.
pub(super) struct Router<'a> {
    layers: &'a [Obstacles<'a>],
    /// Where on each layer lines bend already.
    bends: Vec<Vec<f64>>,
}

impl<'a> Router<'a> {
    pub(super) fn new(layers: &'a [Obstacles<'a>]) -> Router<'a> {
        Router { layers, bends: vec![Vec::new(); layers.len()] }
    }

    /// The points of a line, of which `points` has one on every layer: as few as will do, and on a way not longer than theirs.
    ///
    /// Where names leave no room for a straight line, it is first tried to bend it around what is in its way, as little as
    /// may be: the order of a layer may have sent it round a far end.
    pub(super) fn route(&mut self, points: &[(f64, f64)], first_layer: usize) -> Vec<(f64, f64)> {
        let given = straighten(points, first_layer, self.layers);
        if given.len() == 2 || !self.layers[first_layer].is_labelled {
            return given;
        }
        let (start, end) = (points[0], points[points.len() - 1]);
        let mut tight = points.to_vec();
        for point in &mut tight {
            point.0 = between(start, end, point.1);
        }
        for _ in 0..4 {
            for index in 1..points.len() - 1 {
                let wish = between(tight[index - 1], tight[index + 1], tight[index].1);
                tight[index].0 = self.nearest_free(first_layer + index, wish);
            }
        }
        let tight = straighten(&tight, first_layer, self.layers);
        let kept = if length(&tight) < length(&given) { tight } else { given };
        for &(x, y) in &kept[1..kept.len() - 1] {
            let passed = points.iter().position(|point| point.1 == y);
            self.bends[first_layer + passed.unwrap_or(0)].push(x);
        }
        kept
    }

    /// The place nearest to a wish where a line can pass a layer between names, circles and other lines that bend.
    fn nearest_free(&self, layer: usize, wish: f64) -> f64 {
        let obstacles =
            self.layers[layer].nodes.iter().map(|node| (node.x, half(node, true) + 2.0 * CLEAR));
        let bends = self.bends[layer].iter().map(|&x| (x, 2.0 * CLEAR));
        let mut blocked: Vec<(f64, f64)> =
            obstacles.chain(bends).map(|(x, half)| (x - half, x + half)).collect();
        blocked.sort_by(|a, b| a.0.total_cmp(&b.0));
        // What overlaps is one: the first free places on both sides of it are its ends.
        let (mut left, mut right) = (wish, wish);
        for &(from, to) in &blocked {
            if from < right && right < to {
                right = to;
            }
        }
        blocked.sort_by(|a, b| b.1.total_cmp(&a.1));
        for &(from, to) in &blocked {
            if from < left && left < to {
                left = from;
            }
        }
        if wish - left <= right - wish { left } else { right }
    }
}

/// Where a straight line between two points is at a height.
fn between(from: (f64, f64), to: (f64, f64), y: f64) -> f64 {
    from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1)
}

fn length(points: &[(f64, f64)]) -> f64 {
    points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum()
}

/// How far a node reaches to either side.
fn half(node: &DrawnNode, is_labelled: bool) -> f64 {
    match is_labelled {
        true => node.radius.max(node.attributes.width / 2.0).max(node.objects.width / 2.0),
        false => node.radius,
    }
}

/// The points that a line needs, of those it has been given one of on every layer.
fn straighten(
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
