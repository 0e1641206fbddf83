//! How high the layers stand, and how many rows each of them takes.

use super::graph::LayeredGraph;
use super::layout::DrawnNode;
use super::order::Layers;

/// Empty room around the picture.
pub(super) const MARGIN: f64 = 24.0;
/// Between a node and its label.
pub(super) const PAD: f64 = 5.0;
/// Between circles without labels, sideways.
const GAP: f64 = 6.0;
/// Between bends of lines where there are no labels.
const BENDS: f64 = 2.0;
/// A layer without labels takes another row for every so many concepts, at least: hundreds side by side would be dots on a line.
const IN_ROW: f64 = 100.0;

/// A layer in the picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The middle, from the top.
    pub(super) middle: f64,
    /// The largest circle.
    pub(super) radius: f64,
    /// How many rows there are; neighbours stand in different ones, in turn.
    rows: usize,
    above: f64,
    below: f64,
}

impl Layer {
    /// All layers, not yet at their heights.
    pub(super) fn all(graph: &LayeredGraph, nodes: &[DrawnNode], is_labelled: bool) -> Vec<Layer> {
        let mut levels = vec![Layer::default(); graph.layers];
        for (node, &layer) in nodes.iter().zip(&graph.layer) {
            let level = &mut levels[layer];
            level.radius = level.radius.max(node.radius);
            level.rows += 1;
            if is_labelled {
                level.above = level.above.max(node.attributes.height());
                level.below = level.below.max(node.objects.height());
            }
        }
        // Many layers of many rows would be higher than wide.
        let in_row = IN_ROW.max(1.7 * (nodes.len() as f64).sqrt());
        for level in &mut levels {
            let rows = (1u16..).find(|&rows| level.rows as f64 <= f64::from(rows) * in_row);
            level.rows = if is_labelled { 1 } else { rows.map_or(1, usize::from) };
        }
        levels
    }

    /// How far apart neighbours without labels must be, so that those that follow in the same row do not touch.
    pub(super) fn distance(&self, is_bend: bool, is_other_bend: bool) -> f64 {
        let half = |is_bend: bool| if is_bend { BENDS / 2.0 } else { self.radius + GAP / 2.0 };
        (half(is_bend) + half(is_other_bend)) / self.rows as f64
    }

    /// How far each row is from the next.
    fn pitch(&self) -> f64 {
        2.0 * self.radius + GAP
    }

    /// How far the rows reach from the middle, up and down.
    fn reach(&self) -> f64 {
        self.radius + self.pitch() * self.rows.saturating_sub(1) as f64 / 2.0
    }

    /// The height of a concept by how many stand left of it.
    pub(super) fn height(&self, place: usize) -> f64 {
        // 0, 2, 4, …, 5, 3, 1: up and down again, rather than in slanting stripes.
        let step = place % self.rows;
        let row = if 2 * step < self.rows { 2 * step } else { 2 * (self.rows - 1 - step) + 1 };
        self.middle + self.pitch() * (row as f64 - (self.rows - 1) as f64 / 2.0)
    }

    /// Puts the layers under each other in a picture of some width; where the last one ends.
    pub(super) fn stack(levels: &mut [Layer], width: f64) -> f64 {
        // Lines that run too flat cannot be told apart: a wide picture is high as well.
        let free = (0.55 * width / levels.len().max(2) as f64).clamp(30.0, 1_000.0);
        let mut at = MARGIN;
        for (index, level) in levels.iter_mut().enumerate() {
            if index > 0 {
                at += free;
            }
            level.middle = at + level.above + PAD + level.reach();
            at = level.middle + level.reach() + PAD + level.below;
        }
        at
    }
}

/// How many concepts of its layer stand left of each concept.
pub(super) fn places(graph: &LayeredGraph, layers: &Layers) -> Vec<usize> {
    let mut places = vec![0; graph.concepts];
    for layer in layers {
        let concepts = layer.iter().filter(|&&node| !graph.is_bend(node));
        concepts.enumerate().for_each(|(place, &concept)| places[concept as usize] = place);
    }
    places
}
