//! The heights of layers, and the number of rows in each.

use super::graph::LayeredGraph;
use super::layout::DrawnNode;
use super::order::Layers;

/// The margin around the drawing.
pub(super) const MARGIN: f64 = 24.0;
/// The gap between a node and its label.
pub(super) const PAD: f64 = 5.0;
/// The horizontal gap between circles without labels.
const GAP: f64 = 6.0;
/// The gap between bends of lines without labels.
const BENDS: f64 = 2.0;
/// A layer without labels has one row per this many concepts, at least; hundreds in one row would
/// be unreadable.
const IN_ROW: f64 = 100.0;

/// A layer in the drawing.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The center, from the top.
    pub(super) middle: f64,
    /// The radius of the largest circle.
    pub(super) radius: f64,
    /// The number of rows; neighbors are in different rows, in turn.
    rows: usize,
    above: f64,
    below: f64,
}

impl Layer {
    /// Returns all layers, without their heights.
    pub(super) fn all(graph: &LayeredGraph, nodes: &[DrawnNode], is_labeled: bool) -> Vec<Layer> {
        let mut levels = vec![Layer::default(); graph.layers];
        for (node, &layer) in nodes.iter().zip(&graph.layer) {
            let level = &mut levels[layer];
            level.radius = level.radius.max(node.radius);
            level.rows += 1;
            if is_labeled {
                level.above = level.above.max(node.attributes.height());
                level.below = level.below.max(node.objects.height());
            }
        }
        // Many layers with many rows would be taller than wide.
        let in_row = IN_ROW.max(1.7 * (nodes.len() as f64).sqrt());
        for level in &mut levels {
            let rows = (1u16..).find(|&rows| level.rows as f64 <= f64::from(rows) * in_row);
            level.rows = if is_labeled { 1 } else { rows.map_or(1, usize::from) };
        }
        levels
    }

    /// Returns the least distance between neighbors without labels, so that nodes in the same row
    /// do not touch.
    pub(super) fn distance(&self, is_bend: bool, is_other_bend: bool) -> f64 {
        let half = |is_bend: bool| if is_bend { BENDS / 2.0 } else { self.radius + GAP / 2.0 };
        (half(is_bend) + half(is_other_bend)) / self.rows as f64
    }

    /// Returns the distance between rows.
    fn pitch(&self) -> f64 {
        2.0 * self.radius + GAP
    }

    /// Returns how far the rows reach above and below the center.
    fn reach(&self) -> f64 {
        self.radius + self.pitch() * self.rows.saturating_sub(1) as f64 / 2.0
    }

    /// Returns the height of a concept, given the number of concepts to its left.
    pub(super) fn height(&self, place: usize) -> f64 {
        // 0, 2, 4, …, 5, 3, 1: up and down, to avoid slanted stripes.
        let step = place % self.rows;
        let row = if 2 * step < self.rows { 2 * step } else { 2 * (self.rows - 1 - step) + 1 };
        self.middle + self.pitch() * (row as f64 - (self.rows - 1) as f64 / 2.0)
    }

    /// Stacks the layers in a drawing of some width; returns the bottom of the last one.
    pub(super) fn stack(levels: &mut [Layer], width: f64) -> f64 {
        // Flat lines are hard to tell apart, so a wide drawing is also tall.
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

/// Returns the number of concepts to the left of each concept on its layer.
pub(super) fn places(graph: &LayeredGraph, layers: &Layers) -> Vec<usize> {
    let mut places = vec![0; graph.concepts];
    for layer in layers {
        let concepts = layer.iter().filter(|&&node| !graph.is_bend(node));
        concepts.enumerate().for_each(|(place, &concept)| places[concept as usize] = place);
    }
    places
}
