//! Where on its layer a node stands.
//!
//! Lines are springs: all of them together want to be as short as they can, sideways. Nodes of a layer keep their order and their
//! distances. For one layer, the others held still, the best places are found exactly, by pooling neighbours that would
//! push each other (isotonic regression); going over all layers again and again comes ever nearer to the best there is, which is
//! symmetric where the diagram is.

use super::graph::LayeredGraph;
use super::order::Layers;

/// The places of all nodes, some of them negative.
pub(super) fn place(
    graph: &LayeredGraph,
    layers: &Layers,
    distance: impl Fn(u32, u32) -> f64,
) -> Vec<f64> {
    // Where each node stands if its layer is packed as close as may be.
    let mut packed = vec![0.0; graph.len()];
    for layer in layers {
        let mut at = 0.0;
        for (index, &node) in layer.iter().enumerate() {
            if index > 0 {
                at += distance(layer[index - 1], node);
            }
            packed[node as usize] = at;
        }
        layer.iter().for_each(|&node| packed[node as usize] -= at / 2.0);
    }
    let mut x = packed.clone();
    let rounds = (600_000 / graph.len().max(1)).clamp(24, 300);
    for _ in 0..rounds {
        let order = (0..layers.len()).chain((0..layers.len()).rev());
        let moved =
            order.map(|layer| settle(graph, &layers[layer], &packed, &mut x)).fold(0.0, f64::max);
        if moved < 0.01 {
            break;
        }
    }
    x
}

/// Puts one layer where its lines are shortest; how far a node moved at most.
fn settle(graph: &LayeredGraph, layer: &[u32], packed: &[f64], x: &mut [f64]) -> f64 {
    // Blocks of nodes that stand as close as they may: total weight, weighted sum of where it wants to begin, nodes.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::with_capacity(layer.len());
    for &node in layer {
        let (weight, sum) = wish(graph, node, x);
        let mut block = (weight, sum - weight * packed[node as usize], 1);
        while let Some(&(weight, sum, nodes)) = blocks.last() {
            if sum * block.0 < block.1 * weight {
                break;
            }
            block = (block.0 + weight, block.1 + sum, block.2 + nodes);
            blocks.pop();
        }
        blocks.push(block);
    }
    let mut moved = 0.0f64;
    let mut nodes = layer.iter();
    for (weight, sum, count) in blocks {
        for &node in nodes.by_ref().take(count) {
            let to = packed[node as usize] + sum / weight;
            moved = moved.max((to - x[node as usize]).abs());
            x[node as usize] = to;
        }
    }
    moved
}

/// How strongly a node is pulled, and where to: the weight and the weighted sum of its neighbours' places.
fn wish(graph: &LayeredGraph, node: u32, x: &[f64]) -> (f64, f64) {
    // A node without lines stays where it is.
    let mut wish = (1e-6, 1e-6 * x[node as usize]);
    for &other in graph.up[node as usize].iter().chain(&graph.down[node as usize]) {
        // Long lines should run straight: the springs between bends are stiffer.
        let weight = match (graph.is_bend(node), graph.is_bend(other)) {
            (true, true) => 6.0,
            (false, false) => 1.0,
            _ => 1.5,
        };
        wish.0 += weight;
        wish.1 += weight * x[other as usize];
    }
    wish
}
