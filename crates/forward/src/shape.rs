//! The shape of a network, and the meaning of its genes.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use thiserror::Error;

/// How the width gene of an RBF node becomes a width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// The gene itself, as in the paper. A node with a negative width grows with the distance.
    Raw,
    /// `ln(1 + e^gene)`, which is never negative.
    #[default]
    Softplus,
}

/// The activation of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// `exp(-width · Σ (weight·x - centre)²)`, with the exponent clamped to -87 to 60.
    Rbf(Width),
    /// `1 / (1 + exp(-(Σ weight·x + bias)))`.
    Sigmoid,
    /// `tanh(Σ weight·x + bias)`.
    Tanh,
    /// `max(0, Σ weight·x + bias)`.
    Relu,
}

impl Activation {
    /// Whether nodes have a center for each input, and a width instead of a bias.
    #[must_use]
    pub fn is_radial(self) -> bool {
        matches!(self, Activation::Rbf(_))
    }
}

/// A hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layer {
    /// The number of nodes.
    pub nodes: usize,
    /// The activation of its nodes.
    pub activation: Activation,
}

/// The reason why a shape is invalid.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// Too few or too many inputs.
    #[error("found {0} inputs; expected 1 to {most}", most = Shape::MOST_INPUTS)]
    Inputs(usize),
    /// Too few or too many layers.
    #[error("found {0} hidden layers; expected 1 or 2")]
    Layers(usize),
    /// Too few or too many nodes.
    #[error(
        "hidden layer {layer} has {nodes} nodes; expected 1 to {most}",
        most = Shape::MOST_NODES
    )]
    Nodes {
        /// The layer, from 1.
        layer: usize,
        /// The number of nodes.
        nodes: usize,
    },
}

/// The meaning of a gene. Layers, nodes and inputs are numbered from 0; the inputs of the second
/// layer are the nodes of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeneRole {
    /// The weight of an input.
    Weight {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
        /// The input.
        input: usize,
    },
    /// The center of an RBF node along an input.
    Centre {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
        /// The input.
        input: usize,
    },
    /// The width of an RBF node.
    Width {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
    },
    /// The bias of a node that is not an RBF.
    Bias {
        /// The layer of the node.
        layer: usize,
        /// The node.
        node: usize,
    },
    /// The weight of a node of the last layer in the output.
    Output {
        /// The node.
        node: usize,
    },
}

/// The shape of a feed-forward network: inputs, one or two hidden layers, and one linear output.
///
/// The parameters are *genes*, in this order: for each layer its weights (node by node), then the
/// centers of an RBF layer in the same order, then the widths of an RBF layer or the biases of
/// another layer; finally the output weights of the last layer. The output has no bias, because it
/// would not change the ranks.
///
/// ```
/// use pellucid_forward::{Activation, GeneRole, Layer, Shape, Width};
/// // The network of the paper: 19 inputs, four RBF nodes, 160 genes.
/// let rbf = Activation::Rbf(Width::Raw);
/// let shape = Shape::new(19, &[Layer { nodes: 4, activation: rbf }])?;
/// assert_eq!(shape.genes(), 160);
/// assert_eq!(shape.gene(20), GeneRole::Weight { layer: 0, node: 1, input: 1 });
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

/// The serialized form of a shape.
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
    /// The maximum number of inputs.
    pub const MOST_INPUTS: usize = 1 << 14;
    /// The maximum number of nodes of a layer.
    pub const MOST_NODES: usize = 1 << 10;

    /// Creates a shape.
    ///
    /// # Errors
    /// When there is no layer or more than two, or the number of inputs or nodes is out of range.
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

    /// Returns the number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the hidden layers, one or two.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the number of inputs of a layer: the inputs of the network, or the nodes of the
    /// previous layer.
    ///
    /// # Panics
    /// When there is no such layer, here and below.
    #[must_use]
    pub fn fan_in(&self, layer: usize) -> usize {
        assert!(layer < self.layers.len(), "the network has such a layer");
        if layer == 0 { self.inputs } else { self.layers[layer - 1].nodes }
    }

    /// Returns the number of genes of a network.
    #[must_use]
    pub fn genes(&self) -> usize {
        self.outputs().end
    }

    /// Returns the number of genes of a layer.
    fn genes_in(&self, layer: usize) -> usize {
        let Layer { nodes, activation } = self.layers[layer];
        let links = if activation.is_radial() { 2 } else { 1 };
        nodes * (links * self.fan_in(layer) + 1)
    }

    /// Returns the position of the first gene of a layer.
    fn start(&self, layer: usize) -> usize {
        (0..layer).map(|before| self.genes_in(before)).sum()
    }

    /// Returns the weights of a layer, node by node.
    #[must_use]
    pub fn weights(&self, layer: usize) -> Range<usize> {
        let start = self.start(layer);
        start..start + self.layers[layer].nodes * self.fan_in(layer)
    }

    /// Returns the centers of a layer, node by node; empty if it is not an RBF layer.
    #[must_use]
    pub fn centres(&self, layer: usize) -> Range<usize> {
        let weights = self.weights(layer);
        let radial = self.layers[layer].activation.is_radial();
        weights.end..weights.end + if radial { weights.len() } else { 0 }
    }

    /// Returns the genes that each node has once: the widths of an RBF layer, or the biases of
    /// another layer.
    fn once(&self, layer: usize) -> Range<usize> {
        let before = self.centres(layer).end;
        before..before + self.layers[layer].nodes
    }

    /// Returns the widths of a layer; empty if it is not an RBF layer.
    #[must_use]
    pub fn widths(&self, layer: usize) -> Range<usize> {
        let once = self.once(layer);
        if self.layers[layer].activation.is_radial() { once } else { once.start..once.start }
    }

    /// Returns the biases of a layer; empty if it is an RBF layer.
    #[must_use]
    pub fn biases(&self, layer: usize) -> Range<usize> {
        let once = self.once(layer);
        if self.layers[layer].activation.is_radial() { once.start..once.start } else { once }
    }

    /// Returns the output weights of the last layer.
    #[must_use]
    pub fn outputs(&self) -> Range<usize> {
        let last = self.layers.len() - 1;
        let start = self.once(last).end;
        start..start + self.layers[last].nodes
    }

    /// Returns the weights of a node, one for each input.
    ///
    /// # Panics
    /// When there is no such node, here and below.
    #[must_use]
    pub fn weights_of(&self, layer: usize, node: usize) -> Range<usize> {
        one_of(self.weights(layer), self.layers[layer].nodes, node)
    }

    /// Returns the centers of a node, one for each input; empty if it is not an RBF node.
    #[must_use]
    pub fn centres_of(&self, layer: usize, node: usize) -> Range<usize> {
        one_of(self.centres(layer), self.layers[layer].nodes, node)
    }

    /// Returns the width of an RBF node, or the bias of another node.
    #[must_use]
    pub fn width_or_bias_of(&self, layer: usize, node: usize) -> usize {
        one_of(self.once(layer), self.layers[layer].nodes, node).start
    }

    /// Returns the genes of the incoming links of a node: weights, centers, and its width or bias.
    pub fn incoming(&self, layer: usize, node: usize) -> impl Iterator<Item = usize> + use<> {
        let once = self.width_or_bias_of(layer, node);
        self.weights_of(layer, node).chain(self.centres_of(layer, node)).chain([once])
    }

    /// Returns the genes of the outgoing links of a node: weights and centers in the next layer, or
    /// its output weight.
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

    /// Returns the meaning of a gene.
    ///
    /// # Panics
    /// When there is no such gene.
    #[must_use]
    pub fn gene(&self, place: usize) -> GeneRole {
        for layer in 0..self.layers.len() {
            let fan_in = self.fan_in(layer);
            let (weights, centres, once) =
                (self.weights(layer), self.centres(layer), self.once(layer));
            if weights.contains(&place) {
                let within = place - weights.start;
                return GeneRole::Weight { layer, node: within / fan_in, input: within % fan_in };
            }
            if centres.contains(&place) {
                let within = place - centres.start;
                return GeneRole::Centre { layer, node: within / fan_in, input: within % fan_in };
            }
            if once.contains(&place) {
                let node = place - once.start;
                return match self.layers[layer].activation.is_radial() {
                    true => GeneRole::Width { layer, node },
                    false => GeneRole::Bias { layer, node },
                };
            }
        }
        let outputs = self.outputs();
        assert!(outputs.contains(&place), "the network has such a gene");
        GeneRole::Output { node: place - outputs.start }
    }
}

/// Returns the share of one node in a range that is divided equally among nodes.
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
        fn every_gene_has_one_meaning(shape in shape()) {
            for place in 0..shape.genes() {
                let found = match shape.gene(place) {
                    GeneRole::Weight { layer, node, input } => shape.weights_of(layer, node).start + input,
                    GeneRole::Centre { layer, node, input } => shape.centres_of(layer, node).start + input,
                    GeneRole::Width { layer, node } => shape.widths(layer).start + node,
                    GeneRole::Bias { layer, node } => shape.biases(layer).start + node,
                    GeneRole::Output { node } => shape.outputs().start + node,
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
                            GeneRole::Weight { layer: to, input, .. }
                            | GeneRole::Centre { layer: to, input, .. } => (to - 1, input),
                            GeneRole::Output { node } => (shape.layers().len() - 1, node),
                            GeneRole::Width { .. } | GeneRole::Bias { .. } => (usize::MAX, 0),
                        };
                        prop_assert_eq!(from, (layer, node));
                    }
                }
            }
            incoming.sort_unstable();
            prop_assert_eq!(incoming, (0..shape.genes()).collect::<Vec<_>>());
            let links: usize = (1..shape.layers().len())
                .map(|layer| shape.weights(layer).len() + shape.centres(layer).len())
                .sum();
            prop_assert_eq!(outgoing.len(), links + shape.outputs().len());
        }

        #[test]
        fn a_shape_is_read_back(shape in shape()) {
            let text = serde_json::to_string(&shape).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Shape>(&text).expect("a shape"), shape);
        }
    }

    #[test]
    fn invalid_shapes_are_rejected() {
        let relu = |nodes| Layer { nodes, activation: Activation::Relu };
        let error = |inputs, layers: &[Layer]| {
            Shape::new(inputs, layers).expect_err("no shape").to_string()
        };
        assert_eq!(error(0, &[relu(1)]), "found 0 inputs; expected 1 to 16384");
        assert_eq!(error(1, &[]), "found 0 hidden layers; expected 1 or 2");
        assert_eq!(error(1, &[relu(1); 3]), "found 3 hidden layers; expected 1 or 2");
        assert_eq!(error(1, &[relu(3), relu(0)]), "hidden layer 2 has 0 nodes; expected 1 to 1024");
        let text = r#"{"inputs": 2, "layers": [{"nodes": 5000, "activation": "tanh"}]}"#;
        let message = serde_json::from_str::<Shape>(text).expect_err("no shape").to_string();
        assert!(message.contains("hidden layer 1 has 5000 nodes"), "{message}");
    }
}
