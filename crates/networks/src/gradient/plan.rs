//! Lays out a network for gradients, and draws its initial genes.

use super::{Layer, Plan};
use crate::search::to_f32;
use crate::task::NetworkTask;
use pellucid_forward::{Activation, Shape, Width};
use pellucid_learn::rng::Stream;

impl Plan {
    /// Lays out networks of a shape. With several outputs, the weights of the others follow those of
    /// the first.
    pub(crate) fn new(shape: &Shape, task: NetworkTask) -> Plan {
        let layer = |(place, layer): (usize, &pellucid_forward::Layer)| Layer {
            activation: layer.activation,
            inputs: shape.fan_in(place),
            nodes: layer.nodes,
            weights: shape.weights(place).start,
            centres: shape.centres(place).start,
            last: shape.width_or_bias_of(place, 0),
        };
        Plan {
            layers: shape.layers().iter().enumerate().map(layer).collect(),
            output: shape.outputs().start,
            genes: shape.genes() + (task.outputs() - 1) * shape.outputs().len(),
            task,
        }
    }

    /// Returns initial genes, followed by the biases. Radial nodes are centered on rows, every second
    /// one on a positive row, and are as wide as typical distances. Other nodes get small weights.
    /// `rows` are the inputs of training rows.
    pub(crate) fn initial_genes(
        &self,
        positives: &[Vec<f32>],
        rows: &[Vec<f32>],
        biases: &[f32],
        stream: &mut Stream,
    ) -> Vec<f32> {
        let mut genes = vec![0.0_f32; self.genes];
        for (place, layer) in self.layers.iter().enumerate() {
            let inputs = layer.inputs as f64;
            for node in 0..layer.nodes {
                let from = if node % 2 == 0 { positives } else { rows };
                let row = stream.choose(from);
                for input in 0..layer.inputs {
                    let gene = node * layer.inputs + input;
                    if layer.activation.is_radial() {
                        let weight = to_f32(0.7 + 0.1 * stream.normal());
                        genes[layer.weights + gene] = weight;
                        // Nodes of the second layer are centered on typical outputs of the first
                        // layer.
                        genes[layer.centres + gene] = match row {
                            Some(row) if place == 0 => weight * row[input],
                            _ => weight * to_f32(stream.unit()),
                        };
                    } else {
                        genes[layer.weights + gene] = to_f32(stream.normal() / inputs.sqrt());
                    }
                }
                genes[layer.last + node] = to_f32(match layer.activation {
                    // The softplus of this is 1 / inputs.
                    Activation::Rbf(Width::Softplus) => libm::log(libm::expm1(1.0 / inputs)),
                    Activation::Rbf(Width::Raw) => 1.0 / inputs,
                    _ => 0.5 * stream.normal(),
                });
            }
        }
        for gene in &mut genes[self.output..] {
            *gene = to_f32(0.5 * stream.normal());
        }
        genes.extend_from_slice(biases);
        genes
    }
}

/// Returns the bias of the output for two classes: the log odds of the share of positives.
pub(crate) fn bias_of(share: f64) -> f32 {
    // With groups, a class may be absent from the training folds.
    let share = share.clamp(1e-6, 1.0 - 1e-6);
    to_f32(libm::log(share / (1.0 - share)))
}
