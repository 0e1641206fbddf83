//! Genes as devices take them: what is worked out once for a network, and in the order in which it is used.

use crate::{Activation, Shape, spec};

/// Sections begin at multiples of so many numbers, which a GPU loads at once.
const ALIGN: usize = 4;

/// Where the numbers of a layer are in a prepared network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LayerPlan {
    pub(crate) activation: Activation,
    pub(crate) nodes: usize,
    pub(crate) fan_in: usize,
    /// Links from one node to the next: as many as there are inputs, or more, and those are zeros.
    pub(crate) stride: usize,
    /// `[node][input]`: a weight, or for an RBF a weight and a negated centre.
    pub(crate) links: usize,
    /// For each node its bias, or what the squared distance of an RBF is multiplied by.
    pub(crate) once: usize,
}

impl LayerPlan {
    /// Numbers of one link.
    pub(crate) fn link_width(&self) -> usize {
        if self.activation.is_radial() { 2 } else { 1 }
    }
}

/// Where everything is in a prepared network of some shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) layers: Vec<LayerPlan>,
    /// The weights of the last layer's nodes.
    pub(crate) outputs: usize,
    /// Numbers of a prepared network.
    pub(crate) words: usize,
}

impl Plan {
    pub(crate) fn new(shape: &Shape) -> Plan {
        Plan::padded(shape, shape.inputs())
    }

    /// A plan in which the nodes of the first layer have so many links each, at least as many as there are
    /// inputs.
    pub(crate) fn padded(shape: &Shape, inputs: usize) -> Plan {
        let (mut layers, mut words) = (Vec::with_capacity(2), 0);
        let mut section = |numbers: usize| {
            let start = words;
            words += numbers.next_multiple_of(ALIGN);
            start
        };
        for (number, layer) in shape.layers().iter().enumerate() {
            let (nodes, fan_in) = (layer.nodes, shape.fan_in(number));
            let stride = if number == 0 { inputs } else { fan_in };
            let activation = layer.activation;
            let mut plan = LayerPlan { activation, nodes, fan_in, stride, links: 0, once: 0 };
            plan.links = section(nodes * stride * plan.link_width());
            plan.once = section(nodes);
            layers.push(plan);
        }
        let outputs = section(shape.outputs().len());
        Plan { layers, outputs, words }
    }

    /// Prepares a network of the shape that the plan is for.
    pub(crate) fn prepare(&self, shape: &Shape, genes: &[f32], out: &mut [f32]) {
        out.fill(0.0);
        for (number, layer) in self.layers.iter().enumerate() {
            let weights = genes[shape.weights(number)].chunks_exact(layer.fan_in);
            let width = layer.link_width();
            let links = out[layer.links..].chunks_exact_mut(layer.stride * width);
            match layer.activation {
                Activation::Rbf(width) => {
                    let centres = genes[shape.centres(number)].chunks_exact(layer.fan_in);
                    for (links, (weights, centres)) in links.zip(weights.zip(centres)) {
                        for (link, (&weight, &centre)) in
                            links.chunks_exact_mut(2).zip(weights.iter().zip(centres))
                        {
                            link.copy_from_slice(&[weight, -centre]);
                        }
                    }
                    let widths = &genes[shape.widths(number)];
                    for (once, &gene) in out[layer.once..].iter_mut().zip(widths) {
                        *once = spec::falloff(width, gene);
                    }
                }
                Activation::Sigmoid | Activation::Tanh | Activation::Relu => {
                    for (links, weights) in links.zip(weights) {
                        links[..weights.len()].copy_from_slice(weights);
                    }
                    out[layer.once..][..layer.nodes].copy_from_slice(&genes[shape.biases(number)]);
                }
            }
        }
        let outputs = &genes[shape.outputs()];
        out[self.outputs..][..outputs.len()].copy_from_slice(outputs);
    }
}
