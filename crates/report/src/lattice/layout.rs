//! Where everything goes.

use super::graph::LayeredGraph;
use super::label::{LINE, NameLabel};
use super::level::{Layer, MARGIN, PAD, places};
use super::straight::{Obstacles, Router};
use super::{DrawOptions, NameLabels, order, place};
use pellucid_concepts::lattice::Lattice;
use pellucid_data::Context;

/// Between neighbours on a layer with labels.
const GAP: f64 = 16.0;
/// How much room the legend takes where its letters have their usual size.
const LEGEND: f64 = 56.0;
/// A picture without labels is shown no wider than this at first.
const SHOWN: f64 = 1_500.0;
/// Up to so many concepts, labels are always shown.
const LABELLED: usize = 150;

/// A concept in the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnNode {
    /// The middle, from the left.
    pub x: f64,
    /// The middle, from the top.
    pub y: f64,
    /// How large the circle is.
    pub radius: f64,
    /// How many of all objects the concept has, from 0 to 1.
    pub share: f64,
    /// The attributes it is the first to have.
    pub attributes: NameLabel,
    /// Where the last line of theirs stands.
    pub attributes_y: f64,
    /// The objects it is the last to have.
    pub objects: NameLabel,
    /// Where the first line of theirs stands.
    pub objects_y: f64,
}

/// A line in the picture, from a concept down to one right below.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnEdge {
    /// The upper concept.
    pub from: u32,
    /// The lower concept.
    pub to: u32,
    /// The points it passes, from the top down, both ends included.
    pub points: Vec<(f64, f64)>,
}

/// A lattice laid out: all that a picture of it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct LatticeLayout {
    /// The concepts, in the lattice's order.
    pub nodes: Vec<DrawnNode>,
    /// The lines.
    pub edges: Vec<DrawnEdge>,
    /// How wide the picture is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// Whether there is room for all labels; otherwise they are for whoever looks closer.
    pub is_labelled: bool,
    /// How much smaller than it is the picture is shown at first: the legend is larger by as much.
    pub shrink: f64,
}

impl LatticeLayout {
    pub(super) fn new(
        context: &Context,
        lattice: &Lattice,
        options: &DrawOptions,
    ) -> LatticeLayout {
        let is_labelled = match options.labels {
            NameLabels::Auto => lattice.len() <= LABELLED,
            NameLabels::All => true,
            NameLabels::Hover => false,
        };
        let mut nodes: Vec<DrawnNode> = lattice
            .concepts()
            .map(|concept| node(context, lattice, concept, is_labelled))
            .collect();
        let graph = LayeredGraph::new(lattice);
        let layers = order::order(&graph);
        let room = |node: u32| Room::of(nodes.get(node as usize), is_labelled);
        let mut levels = Layer::all(&graph, &nodes, is_labelled);
        let mut x = place::place(&graph, &layers, |a, b| {
            let (is_bend, is_other_bend) = (graph.is_bend(a), graph.is_bend(b));
            if is_labelled {
                room(a).beside(&room(b), if is_bend && is_other_bend { GAP / 2.0 } else { GAP })
            } else {
                levels[graph.layer[a as usize]].distance(is_bend, is_other_bend)
            }
        });
        spread(&mut x);

        let half = |node: usize| room(u32::try_from(node).unwrap_or(u32::MAX)).half();
        let left = (0..x.len()).map(|node| x[node] - half(node)).fold(f64::INFINITY, f64::min);
        let right = (0..x.len()).map(|node| x[node] + half(node)).fold(f64::NEG_INFINITY, f64::max);
        let inner = if x.is_empty() { 0.0 } else { right - left };
        // A picture is not narrower than its legend.
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
            obstacles.into_iter().map(|nodes| Obstacles::new(nodes, is_labelled)).collect();
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
                // Routing computes the ends again, and rounding must not part them from their circles.
                if let [first, .., last] = points.as_mut_slice() {
                    [*first, *last] = ends;
                }
            }
            DrawnEdge { from: line.from, to: line.to, points }
        });
        let edges = edges.collect();
        let shrink = if is_labelled { 1.0 } else { (width / SHOWN).max(1.0) };
        LatticeLayout { edges, nodes, width, height: bottom + LEGEND * shrink, is_labelled, shrink }
    }
}

impl DrawnNode {
    /// From where to where the attributes' names reach, from the top; nothing without names.
    #[must_use]
    pub fn attributes_box(&self) -> Option<(f64, f64)> {
        let bottom = self.attributes_y + 0.25 * LINE;
        (!self.attributes.lines.is_empty()).then(|| (bottom - self.attributes.height(), bottom))
    }

    /// From where to where the objects' names reach, from the top; nothing without names.
    #[must_use]
    pub fn objects_box(&self) -> Option<(f64, f64)> {
        let top = self.objects_y - 0.75 * LINE;
        (!self.objects.lines.is_empty()).then(|| (top, top + self.objects.height()))
    }
}

/// Gives a small diagram some air: circles a finger apart are easier on the eye than circles that just do not touch.
fn spread(x: &mut [f64]) {
    let (left, right) =
        x.iter().fold((0.0f64, 0.0f64), |(left, right), &x| (left.min(x), right.max(x)));
    let by = (480.0 / (right - left).max(1.0)).clamp(1.0, 1.7);
    x.iter_mut().for_each(|x| *x *= by);
}

fn node(context: &Context, lattice: &Lattice, concept: u32, is_labelled: bool) -> DrawnNode {
    let share = lattice.support(concept) as f64 / (lattice.objects() as f64).max(1.0);
    let size = if is_labelled { (5.0, 7.0) } else { (3.5, 5.5) };
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

/// How far a node reaches to either side: as a circle, with its attributes above, with its objects below.
struct Room {
    circle: f64,
    above: f64,
    below: f64,
}

impl Room {
    fn of(node: Option<&DrawnNode>, is_labelled: bool) -> Room {
        match node {
            Some(node) if is_labelled => Room {
                circle: node.radius,
                above: node.attributes.width / 2.0,
                below: node.objects.width / 2.0,
            },
            Some(node) => Room { circle: node.radius, above: 0.0, below: 0.0 },
            None => Room { circle: 0.5, above: 0.0, below: 0.0 },
        }
    }

    fn half(&self) -> f64 {
        self.circle.max(self.above).max(self.below)
    }

    /// How far the middles of two neighbours must be apart: no name reaches over the other's circle or beyond, so that it is
    /// clear whose it is.
    fn beside(&self, other: &Room, gap: f64) -> f64 {
        let above = self.above.max(self.circle) + other.above.max(other.circle);
        let below = self.below.max(self.circle) + other.below.max(other.circle);
        above.max(below) + gap
    }
}
