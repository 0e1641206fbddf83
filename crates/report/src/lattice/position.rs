//! The horizontal positions of nodes.
//!
//! Lines are springs that minimize their horizontal length. Nodes of a layer keep their order and
//! their distances. With all other layers fixed, the best positions of one layer are computed
//! exactly by pooling neighbors that would overlap (isotonic regression). Repeating this over all
//! layers converges to the optimum, which is symmetric if the diagram is.

use super::graph::LayeredGraph;
use super::order::Layers;

/// Returns the positions of all nodes; some are negative.
pub(super) fn positions(
    graph: &LayeredGraph,
    layers: &Layers,
    distance: impl Fn(u32, u32) -> f64,
) -> Vec<f64> {
    // The positions if every layer is packed as tightly as possible.
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
            order.map(|layer| relax(graph, &layers[layer], &packed, &mut x)).fold(0.0, f64::max);
        if moved < 0.01 {
            break;
        }
    }
    x
}

/// Moves one layer to the positions with the shortest lines; returns the largest movement.
fn relax(graph: &LayeredGraph, layer: &[u32], packed: &[f64], x: &mut [f64]) -> f64 {
    // Blocks of tightly packed nodes: total weight, weighted sum of the wanted positions of the
    // block, and number of nodes.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::with_capacity(layer.len());
    for &node in layer {
        let (weight, sum) = pull(graph, node, x);
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

/// Returns the weight and the weighted sum of the neighbors' positions.
fn pull(graph: &LayeredGraph, node: u32, x: &[f64]) -> (f64, f64) {
    // A node without lines stays where it is.
    let mut pull = (1e-6, 1e-6 * x[node as usize]);
    for &other in graph.up[node as usize].iter().chain(&graph.down[node as usize]) {
        // Long lines should be straight, so springs between bends are stiffer.
        let weight = match (graph.is_bend(node), graph.is_bend(other)) {
            (true, true) => 6.0,
            (false, false) => 1.0,
            _ => 1.5,
        };
        pull.0 += weight;
        pull.1 += weight * x[other as usize];
    }
    pull
}
