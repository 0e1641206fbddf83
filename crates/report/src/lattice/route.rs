//! The routing of long lines, as straight as obstacles allow.
//!
//! The bends of a line keep it clear of the nodes on the layers it passes. Most bends are not
//! needed: a line skips every bend that it can without coming near a circle or a name, and it is
//! straight between the remaining ones.

use super::layout::DrawnNode;

/// The least distance between a line and an obstacle.
const CLEAR: f64 = 4.0;

/// The obstacles on one layer: its concepts, from left to right.
pub(super) struct Obstacles<'a> {
    nodes: Vec<&'a DrawnNode>,
    is_labeled: bool,
    /// Half the width of the widest obstacle.
    reach: f64,
}

impl<'a> Obstacles<'a> {
    pub(super) fn new(mut nodes: Vec<&'a DrawnNode>, is_labeled: bool) -> Obstacles<'a> {
        nodes.sort_by(|a, b| a.x.total_cmp(&b.x));
        let reach = nodes.iter().map(|node| half(node, is_labeled)).fold(0.0, f64::max) + CLEAR;
        Obstacles { nodes, is_labeled, reach }
    }

    /// Returns whether a straight line passes the layer without touching an obstacle.
    fn is_passable(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let slope = (to.0 - from.0) / (to.1 - from.1);
        let at = |y: f64| from.0 + (y - from.1) * slope;
        let Some(first) = self.nodes.first() else { return true };
        // Names extend up and down, where the line is further left or right.
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
            if self.is_labeled {
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

/// Routes long lines, one after the other.
pub(super) struct Router<'a> {
    layers: &'a [Obstacles<'a>],
    /// The positions of bends on each layer so far.
    bends: Vec<Vec<f64>>,
}

impl<'a> Router<'a> {
    pub(super) fn new(layers: &'a [Obstacles<'a>]) -> Router<'a> {
        Router { layers, bends: vec![Vec::new(); layers.len()] }
    }

    /// Returns the points of a line, given one point on every layer: as few as possible, and on a
    /// path that is not longer.
    ///
    /// If names leave no room for a straight line, the router first tries to bend it around the
    /// obstacles as little as possible, because the order of a layer may lead it around a far end.
    pub(super) fn route(&mut self, points: &[(f64, f64)], first_layer: usize) -> Vec<(f64, f64)> {
        let given = straighten(points, first_layer, self.layers);
        if given.len() == 2 || !self.layers[first_layer].is_labeled {
            return given;
        }
        let (start, end) = (points[0], points[points.len() - 1]);
        let mut tight = points.to_vec();
        for point in &mut tight {
            point.0 = between(start, end, point.1);
        }
        for _ in 0..4 {
            for index in 1..points.len() - 1 {
                let wanted = between(tight[index - 1], tight[index + 1], tight[index].1);
                tight[index].0 = self.nearest_free(first_layer + index, wanted);
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

    /// Returns the free position nearest to a wanted one, between names, circles and the bends of
    /// other lines.
    fn nearest_free(&self, layer: usize, wanted: f64) -> f64 {
        let obstacles =
            self.layers[layer].nodes.iter().map(|node| (node.x, half(node, true) + 2.0 * CLEAR));
        let bends = self.bends[layer].iter().map(|&x| (x, 2.0 * CLEAR));
        let mut blocked: Vec<(f64, f64)> =
            obstacles.chain(bends).map(|(x, half)| (x - half, x + half)).collect();
        blocked.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Overlapping obstacles count as one; the nearest free positions are at its ends.
        let (mut left, mut right) = (wanted, wanted);
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
        if wanted - left <= right - wanted { left } else { right }
    }
}

/// Returns the position of a straight line between two points at a height.
fn between(from: (f64, f64), to: (f64, f64), y: f64) -> f64 {
    from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1)
}

fn length(points: &[(f64, f64)]) -> f64 {
    points.windows(2).map(|pair| libm::hypot(pair[1].0 - pair[0].0, pair[1].1 - pair[0].1)).sum()
}

/// Returns half the width of a node.
fn half(node: &DrawnNode, is_labeled: bool) -> f64 {
    match is_labeled {
        true => node.radius.max(node.attributes.width / 2.0).max(node.objects.width / 2.0),
        false => node.radius,
    }
}

/// Returns the points that a line needs, given one point on every layer.
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
                .all(|passed| layers[first_layer + passed].is_passable(points[from], points[to]))
        };
        let to = (from + 2..points.len()).rev().find(|&to| is_free(to)).unwrap_or(from + 1);
        kept.push(points[to]);
        from = to;
    }
    kept
}
