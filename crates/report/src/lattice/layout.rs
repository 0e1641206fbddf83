//! The layout of the drawing.

use super::graph::LayeredGraph;
use super::label::{LINE, NameLabel};
use super::level::{Layer, MARGIN, PAD, places};
use super::route::{Obstacles, Router};
use super::{DrawOptions, NameLabels, order, position};
use pellucid_concepts::lattice::Lattice;
use pellucid_data::Context;

/// The gap between neighbors on a layer with labels.
const GAP: f64 = 16.0;
/// The height of the legend at the usual font size.
const LEGEND: f64 = 56.0;
/// The largest initial width of a drawing without labels.
const SHOWN: f64 = 1_500.0;
/// Up to this many concepts, labels are always shown.
const LABELED: usize = 150;

/// A concept in the drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnNode {
    /// The center, from the left.
    pub x: f64,
    /// The center, from the top.
    pub y: f64,
    /// The radius of the circle.
    pub radius: f64,
    /// The share of all objects that the concept has, from 0 to 1.
    pub share: f64,
    /// Its own attributes, which no concept above it has.
    pub attributes: NameLabel,
    /// The baseline of their last line.
    pub attributes_y: f64,
    /// Its own objects, which no concept below it has.
    pub objects: NameLabel,
    /// The baseline of their first line.
    pub objects_y: f64,
}

/// A line in the drawing, from a concept to one directly below.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnEdge {
    /// The upper concept.
    pub from: u32,
    /// The lower concept.
    pub to: u32,
    /// The points on the line, from top to bottom, including both ends.
    pub points: Vec<(f64, f64)>,
}

/// The layout of a lattice.
#[derive(Clone, Debug, PartialEq)]
pub struct LatticeLayout {
    /// The concepts, in the order of the lattice.
    pub nodes: Vec<DrawnNode>,
    /// The lines.
    pub edges: Vec<DrawnEdge>,
    /// The width of the drawing.
    pub width: f64,
    /// The height of the drawing.
    pub height: f64,
    /// Whether all labels are shown; otherwise they appear under the pointer and when zoomed in.
    pub is_labeled: bool,
    /// The factor by which the drawing is initially scaled down; the legend is scaled up by it.
    pub shrink: f64,
}

impl LatticeLayout {
    pub(super) fn new(
        context: &Context,
        lattice: &Lattice,
        options: &DrawOptions,
    ) -> LatticeLayout {
        let is_labeled = match options.labels {
            NameLabels::Auto => lattice.len() <= LABELED,
            NameLabels::All => true,
            NameLabels::Hover => false,
        };
        let mut nodes: Vec<DrawnNode> =
            lattice.concepts().map(|concept| node(context, lattice, concept, is_labeled)).collect();
        let graph = LayeredGraph::new(lattice);
        let layers = order::order(&graph);
        let half_widths = |node: u32| HalfWidths::of(nodes.get(node as usize), is_labeled);
        let mut levels = Layer::all(&graph, &nodes, is_labeled);
        let mut x = position::positions(&graph, &layers, |a, b| {
            let (is_bend, is_other_bend) = (graph.is_bend(a), graph.is_bend(b));
            if is_labeled {
                half_widths(a)
                    .beside(&half_widths(b), if is_bend && is_other_bend { GAP / 2.0 } else { GAP })
            } else {
                levels[graph.layer[a as usize]].distance(is_bend, is_other_bend)
            }
        });
        spread(&mut x);

        let half = |node: usize| half_widths(u32::try_from(node).unwrap_or(u32::MAX)).half();
        let left = (0..x.len()).map(|node| x[node] - half(node)).fold(f64::INFINITY, f64::min);
        let right = (0..x.len()).map(|node| x[node] + half(node)).fold(f64::NEG_INFINITY, f64::max);
        let inner = if x.is_empty() { 0.0 } else { right - left };
        // The drawing is at least as wide as its legend.
        let width = (inner + 2.0 * MARGIN).max(560.0);
        let shift = (width - inner) / 2.0 - left;
        let bottom = Layer::stack(&mut levels, inner);
        for (index, (node, place)) in nodes.iter_mut().zip(places(&graph, &layers)).enumerate() {
            let level = &levels[graph.layer[index]];
            node.x = x[index] + shift;
            node.y = level.height(place);
            node.attributes_y = node.y - level.radius - PAD - 0.25 * LINE;
            node.objects_y = node.y + level.radius + PAD + 0.75 * LINE;
        }
        let mut obstacles: Vec<Vec<&DrawnNode>> = vec![Vec::new(); graph.layers];
        nodes.iter().zip(&graph.layer).for_each(|(node, &layer)| obstacles[layer].push(node));
        let obstacles: Vec<Obstacles<'_>> =
            obstacles.into_iter().map(|nodes| Obstacles::new(nodes, is_labeled)).collect();
        let mut router = Router::new(&obstacles);
        let edges = graph.lines.iter().map(|line| {
            let passed = std::iter::once(line.from).chain(line.bends.clone()).chain([line.to]);
            let point = |index: u32| match nodes.get(index as usize) {
                Some(node) => (node.x, node.y),
                None => (x[index as usize] + shift, levels[graph.layer[index as usize]].middle),
            };
            let mut points: Vec<(f64, f64)> = passed.map(point).collect();
            if points.len() > 2 {
                let ends = [points[0], points[points.len() - 1]];
                points = router.route(&points, graph.layer[line.from as usize]);
                // Routing recomputes the ends, and rounding must not separate them from their
                // circles.
                if let [first, .., last] = points.as_mut_slice() {
                    [*first, *last] = ends;
                }
            }
            DrawnEdge { from: line.from, to: line.to, points }
        });
        let edges = edges.collect();
        let shrink = if is_labeled { 1.0 } else { (width / SHOWN).max(1.0) };
        LatticeLayout { edges, nodes, width, height: bottom + LEGEND * shrink, is_labeled, shrink }
    }
}

impl DrawnNode {
    /// Returns the top and bottom of the attributes' label, if it has one.
    #[must_use]
    pub fn attributes_box(&self) -> Option<(f64, f64)> {
        let bottom = self.attributes_y + 0.25 * LINE;
        (!self.attributes.lines.is_empty()).then(|| (bottom - self.attributes.height(), bottom))
    }

    /// Returns the top and bottom of the objects' label, if it has one.
    #[must_use]
    pub fn objects_box(&self) -> Option<(f64, f64)> {
        let top = self.objects_y - 0.75 * LINE;
        (!self.objects.lines.is_empty()).then(|| (top, top + self.objects.height()))
    }
}

/// Widens a small diagram, so that circles are clearly apart.
fn spread(x: &mut [f64]) {
    let (left, right) =
        x.iter().fold((0.0f64, 0.0f64), |(left, right), &x| (left.min(x), right.max(x)));
    let by = (480.0 / (right - left).max(1.0)).clamp(1.0, 1.7);
    x.iter_mut().for_each(|x| *x *= by);
}

fn node(context: &Context, lattice: &Lattice, concept: u32, is_labeled: bool) -> DrawnNode {
    let share = lattice.support(concept) as f64 / (lattice.objects() as f64).max(1.0);
    let size = if is_labeled { (5.0, 7.0) } else { (3.5, 5.5) };
    DrawnNode {
        x: 0.0,
        y: 0.0,
        // The area grows with the support.
        radius: size.0 + size.1 * share.sqrt(),
        share,
        attributes: NameLabel::of_attributes(&context.attributes, lattice.own_attributes(concept)),
        attributes_y: 0.0,
        objects: NameLabel::of_objects(&context.objects, lattice.own_objects(concept)),
        objects_y: 0.0,
    }
}

/// Half the width of a node: of its circle, of the attributes above, and of the objects below.
struct HalfWidths {
    circle: f64,
    above: f64,
    below: f64,
}

impl HalfWidths {
    fn of(node: Option<&DrawnNode>, is_labeled: bool) -> HalfWidths {
        match node {
            Some(node) if is_labeled => HalfWidths {
                circle: node.radius,
                above: node.attributes.width / 2.0,
                below: node.objects.width / 2.0,
            },
            Some(node) => HalfWidths { circle: node.radius, above: 0.0, below: 0.0 },
            None => HalfWidths { circle: 0.5, above: 0.0, below: 0.0 },
        }
    }

    fn half(&self) -> f64 {
        self.circle.max(self.above).max(self.below)
    }

    /// Returns the least distance between two neighbors. No name reaches over the other's circle,
    /// so that it is clear which concept it belongs to.
    fn beside(&self, other: &HalfWidths, gap: f64) -> f64 {
        let above = self.above.max(self.circle) + other.above.max(other.circle);
        let below = self.below.max(self.circle) + other.below.max(other.circle);
        above.max(below) + gap
    }
}
