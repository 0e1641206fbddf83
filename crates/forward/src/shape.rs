//! What a network is made of, and which gene is what.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use thiserror::Error;

/// How the width gene of an RBF node becomes a width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// As it is, negative ones too, as in the paper. A node with a negative width grows with the distance.
    Raw,
    /// `ln(1 + e^gene)`, which is never negative.
    #[default]
    Softplus,
}

/// What a node makes of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// `exp(-width · Σ (weight·x - centre)²)`, the exponent kept within -87 and 60.
    Rbf(Width),
    /// `1 / (1 + exp(-(Σ weight·x + bias)))`.
    Sigmoid,
    /// `tanh(Σ weight·x + bias)`.
    Tanh,
    /// `max(0, Σ weight·x + bias)`.
    Relu,
}

impl Activation {
    /// Whether nodes have a centre for each input, and a width instead of a bias.
    #[must_use]
    pub fn is_radial(self) -> bool {
        matches!(self, Activation::Rbf(_))
    }
}

/// A hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layer {
    /// How many nodes it has.
    pub nodes: usize,
    /// What each of them computes.
    pub activation: Activation,
}

/// Why there is no network of some shape.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// Too few or too many inputs.
    #[error("found {0} inputs; expected 1 to {most}", most = Shape::MOST_INPUTS)]
    Inputs(usize),
    /// Too few or too many layers.
    #[error("found {0} hidden layers; expected 1 or 2")]
    Layers(usize),
    /// Too few or too many nodes.
    #[error("hidden layer {layer} has {nodes} nodes; expected 1 to {most}", most = Shape::MOST_NODES)]
    Nodes {
        /// The layer, from 1.
        layer: usize,
        /// How many nodes were asked for.
        nodes: usize,
    },
}

/// What a gene is to its network. Layers, nodes and inputs are counted from 0; what a node of the second
/// layer takes in are the nodes of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gene {
    /// What an input is multiplied by.
    Weight {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
        /// The input.
        input: usize,
    },
    /// Where an RBF node is centred along an input.
    Centre {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
        /// The input.
        input: usize,
    },
    /// How fast an RBF node falls off.
    Width {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
    },
    /// What is added to the sum of a node that is not an RBF.
    Bias {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
    },
    /// What a node of the last layer contributes to the output.
    Output {
        /// The node.
        node: usize,
    },
}

/// A feed-forward network without its numbers: inputs, one or two hidden layers, and one linear output.
///
/// The numbers are *genes*, one after the other: for each layer its weights (node by node, all inputs of a
/// node side by side), then, in the same order, the centres of an RBF layer, then a width for each of its
/// nodes, or a bias for each node of another layer; at last the weight of each node of the last layer in the
/// output. There is no bias in the output, since ranks would not see it.
///
/// ```
/// use pellucid_forward::{Activation, Gene, Layer, Shape, Width};
/// // The network of the paper: 19 inputs, four RBF nodes, 160 genes.
/// let rbf = Activation::Rbf(Width::Raw);
/// let shape = Shape::new(19, &[Layer { nodes: 4, activation: rbf }])?;
/// assert_eq!(shape.genes(), 160);
/// assert_eq!(shape.gene(20), Gene::Weight { layer: 0, node: 1, input: 1 });
/// assert_eq!(shape.widths(0), 152..156);
/// assert_eq!(shape.outputs(), 156..160);
/// # Ok::<(), pellucid_forward::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Declared", into = "Declared")]
pub struct Shape {
    inputs: usize,
    layers: Vec<Layer>,
}

/// A shape as it is written down.
#[derive(Serialize, Deserialize)]
struct Declared {
    inputs: usize,
    layers: Vec<Layer>,
}

impl TryFrom<Declared> for Shape {
    type Error = ShapeError;

    fn try_from(declared: Declared) -> Result<Shape, ShapeError> {
        Shape::new(declared.inputs, &declared.layers)
    }
}

impl From<Shape> for Declared {
    fn from(shape: Shape) -> Declared {
        Declared { inputs: shape.inputs, layers: shape.layers }
    }
}

impl Shape {
    /// The most inputs; more than any table of readable models has.
    pub const MOST_INPUTS: usize = 1 << 14;
    /// The most nodes of a layer.
    pub const MOST_NODES: usize = 1 << 10;

    /// A shape of so many inputs and these hidden layers.
    ///
    /// # Errors
    /// When there is no layer or more than two, or there are too few or too many inputs or nodes.
    pub fn new(inputs: usize, layers: &[Layer]) -> Result<Shape, ShapeError> {
        if !(1..=Shape::MOST_INPUTS).contains(&inputs) {
            return Err(ShapeError::Inputs(inputs));
        }
        if !(1..=2).contains(&layers.len()) {
            return Err(ShapeError::Layers(layers.len()));
        }
        let odd = layers.iter().position(|layer| !(1..=Shape::MOST_NODES).contains(&layer.nodes));
        if let Some(layer) = odd {
            return Err(ShapeError::Nodes { layer: layer + 1, nodes: layers[layer].nodes });
        }
        Ok(Shape { inputs, layers: layers.to_vec() })
    }

    /// How many inputs there are.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The hidden layers, one or two.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// How many values the nodes of a layer take in: the inputs, or the nodes of the layer before.
    ///
    /// # Panics
    /// When there is no such layer, here and below.
    #[must_use]
    pub fn fan_in(&self, layer: usize) -> usize {
        assert!(layer < self.layers.len(), "the network has such a layer");
        if layer == 0 { self.inputs } else { self.layers[layer - 1].nodes }
    }

    /// How many genes a network has.
    #[must_use]
    pub fn genes(&self) -> usize {
        self.outputs().end
    }

    /// How many genes a layer has.
    fn genes_in(&self, layer: usize) -> usize {
        let Layer { nodes, activation } = self.layers[layer];
        let links = if activation.is_radial() { 2 } else { 1 };
        nodes * (links * self.fan_in(layer) + 1)
    }

    /// Where the genes of a layer begin.
    fn start(&self, layer: usize) -> usize {
        (0..layer).map(|before| self.genes_in(before)).sum()
    }

    /// All weights of a layer, node by node.
    #[must_use]
    pub fn weights(&self, layer: usize) -> Range<usize> {
        let start = self.start(layer);
        start..start + self.layers[layer].nodes * self.fan_in(layer)
    }

    /// All centres of a layer, node by node; none where it is no RBF layer.
    #[must_use]
    pub fn centres(&self, layer: usize) -> Range<usize> {
        let weights = self.weights(layer);
        let radial = self.layers[layer].activation.is_radial();
        weights.end..weights.end + if radial { weights.len() } else { 0 }
    }

    /// What each node of a layer has once: widths of an RBF layer, biases of another.
    fn once(&self, layer: usize) -> Range<usize> {
        let before = self.centres(layer).end;
        before..before + self.layers[layer].nodes
    }

    /// The widths of a layer; none where it is no RBF layer.
    #[must_use]
    pub fn widths(&self, layer: usize) -> Range<usize> {
        let once = self.once(layer);
        if self.layers[layer].activation.is_radial() { once } else { once.start..once.start }
    }

    /// The biases of a layer; none where it is an RBF layer.
    #[must_use]
    pub fn biases(&self, layer: usize) -> Range<usize> {
        let once = self.once(layer);
        if self.layers[layer].activation.is_radial() { once.start..once.start } else { once }
    }

    /// The weights of the last layer's nodes in the output.
    #[must_use]
    pub fn outputs(&self) -> Range<usize> {
        let last = self.layers.len() - 1;
        let start = self.once(last).end;
        start..start + self.layers[last].nodes
    }

    /// The weights of a node, one for each of its inputs.
    ///
    /// # Panics
    /// When there is no such node, here and below.
    #[must_use]
    pub fn weights_of(&self, layer: usize, node: usize) -> Range<usize> {
        one_of(self.weights(layer), self.layers[layer].nodes, node)
    }

    /// The centres of a node, one for each of its inputs; none where it is no RBF node.
    #[must_use]
    pub fn centres_of(&self, layer: usize, node: usize) -> Range<usize> {
        one_of(self.centres(layer), self.layers[layer].nodes, node)
    }

    /// The width of an RBF node, or the bias of another.
    #[must_use]
    pub fn width_or_bias_of(&self, layer: usize, node: usize) -> usize {
        one_of(self.once(layer), self.layers[layer].nodes, node).start
    }

    /// All genes that a node alone depends on: weights, centres, and its width or bias.
    pub fn incoming(&self, layer: usize, node: usize) -> impl Iterator<Item = usize> + use<> {
        let once = self.width_or_bias_of(layer, node);
        self.weights_of(layer, node).chain(self.centres_of(layer, node)).chain([once])
    }

    /// All genes by which others take in what a node gives: its weights, and centres, in the nodes of the
    /// next layer, or its weight in the output.
    pub fn outgoing(&self, layer: usize, node: usize) -> impl Iterator<Item = usize> + use<> {
        assert!(node < self.layers[layer].nodes, "the layer has such a node");
        let (first, last, step) = match self.layers.get(layer + 1) {
            Some(_) => (
                self.weights(layer + 1).start,
                self.centres(layer + 1).end,
                self.layers[layer].nodes,
            ),
            None => (self.outputs().start, self.outputs().end, self.layers[layer].nodes),
        };
        (first + node..last).step_by(step)
    }

    /// What a gene is.
    ///
    /// # Panics
    /// When there is no such gene.
    #[must_use]
    pub fn gene(&self, place: usize) -> Gene {
        for layer in 0..self.layers.len() {
            let fan_in = self.fan_in(layer);
            let (weights, centres, once) =
                (self.weights(layer), self.centres(layer), self.once(layer));
            if weights.contains(&place) {
                let within = place - weights.start;
                return Gene::Weight { layer, node: within / fan_in, input: within % fan_in };
            }
            if centres.contains(&place) {
                let within = place - centres.start;
                return Gene::Centre { layer, node: within / fan_in, input: within % fan_in };
            }
            if once.contains(&place) {
                let node = place - once.start;
                return match self.layers[layer].activation.is_radial() {
                    true => Gene::Width { layer, node },
                    false => Gene::Bias { layer, node },
                };
            }
        }
        let outputs = self.outputs();
        assert!(outputs.contains(&place), "the network has such a gene");
        Gene::Output { node: place - outputs.start }
    }
}

/// What belongs to one node of so many that have equally much of a range.
fn one_of(range: Range<usize>, nodes: usize, node: usize) -> Range<usize> {
    assert!(node < nodes, "the layer has such a node");
    let each = range.len() / nodes;
    range.start + node * each..range.start + (node + 1) * each
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) fn activation() -> impl Strategy<Value = Activation> {
        prop::sample::select(vec![
            Activation::Rbf(Width::Raw),
            Activation::Rbf(Width::Softplus),
            Activation::Sigmoid,
            Activation::Tanh,
            Activation::Relu,
        ])
    }

    fn shape() -> impl Strategy<Value = Shape> {
        let layer =
            (1usize..6, activation()).prop_map(|(nodes, activation)| Layer { nodes, activation });
        (1usize..8, prop::collection::vec(layer, 1..3))
            .prop_map(|(inputs, layers)| Shape::new(inputs, &layers).expect("a shape"))
    }

    proptest! {
        #[test]
        fn every_gene_is_one_thing_and_found_by_it(shape in shape()) {
            for place in 0..shape.genes() {
                let found = match shape.gene(place) {
                    Gene::Weight { layer, node, input } => shape.weights_of(layer, node).start + input,
                    Gene::Centre { layer, node, input } => shape.centres_of(layer, node).start + input,
                    Gene::Width { layer, node } => shape.widths(layer).start + node,
                    Gene::Bias { layer, node } => shape.biases(layer).start + node,
                    Gene::Output { node } => shape.outputs().start + node,
                };
                prop_assert_eq!(found, place);
            }
        }

        #[test]
        fn nodes_share_the_genes_among_them(shape in shape()) {
            let mut incoming: Vec<usize> = shape.outputs().collect();
            let mut outgoing = Vec::new();
            for (layer, &Layer { nodes, .. }) in shape.layers().iter().enumerate() {
                for node in 0..nodes {
                    incoming.extend(shape.incoming(layer, node));
                    outgoing.extend(shape.outgoing(layer, node));
                    for gene in shape.outgoing(layer, node) {
                        let from = match shape.gene(gene) {
                            Gene::Weight { layer: to, input, .. } | Gene::Centre { layer: to, input, .. } => (to - 1, input),
                            Gene::Output { node } => (shape.layers().len() - 1, node),
                            Gene::Width { .. } | Gene::Bias { .. } => (usize::MAX, 0),
                        };
                        prop_assert_eq!(from, (layer, node));
                    }
                }
            }
            incoming.sort_unstable();
            prop_assert_eq!(incoming, (0..shape.genes()).collect::<Vec<_>>());
            let links: usize = (1..shape.layers().len()).map(|layer| shape.weights(layer).len() + shape.centres(layer).len()).sum();
            prop_assert_eq!(outgoing.len(), links + shape.outputs().len());
        }

        #[test]
        fn a_shape_is_read_back(shape in shape()) {
            let text = serde_json::to_string(&shape).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Shape>(&text).expect("a shape"), shape);
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let relu = |nodes| Layer { nodes, activation: Activation::Relu };
        let message = |inputs, layers: &[Layer]| {
            Shape::new(inputs, layers).expect_err("no shape").to_string()
        };
        assert_eq!(message(0, &[relu(1)]), "found 0 inputs; expected 1 to 16384");
        assert_eq!(message(1, &[]), "found 0 hidden layers; expected 1 or 2");
        assert_eq!(message(1, &[relu(1); 3]), "found 3 hidden layers; expected 1 or 2");
        assert_eq!(
            message(1, &[relu(3), relu(0)]),
            "hidden layer 2 has 0 nodes; expected 1 to 1024"
        );
        let text = r#"{"inputs": 2, "layers": [{"nodes": 5000, "activation": "tanh"}]}"#;
        let message = serde_json::from_str::<Shape>(text).expect_err("no shape").to_string();
        assert!(message.contains("hidden layer 1 has 5000 nodes"), "{message}");
    }
}
