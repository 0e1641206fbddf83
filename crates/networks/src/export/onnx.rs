//! The ONNX export: preparation of the raw columns, all networks, their mean, and the probability.
//!
//! Every column is an input with one value per row. Numbers and booleans (0 and 1) are doubles,
//! with NaN for missing values. Categories are strings, empty for missing values. The outputs are
//! `score` and, if the model is calibrated, `probability`, the probability of the second class,
//! which is predicted above one half. With more classes they are `scores` and `probabilities`, with a
//! column for each class; for a number, `predicted` in double precision. If a column already has the
//! name of an output, the output gets a number, as in `score 2`.

use crate::decide::{Decision, calibration_of};
use crate::model::{NetworkEnsemble, NetworkModel, OutputScale};
use crate::prepare::{Encoding, Input};
use crate::search::width_of;
use crate::task::NetworkTask;
use pellucid_export::names::FreeNames;
use pellucid_export::protobuf::ProtoMessage;
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT};
use pellucid_learn::model::ColumnKind;

const FLOAT: i64 = 1;
const INT64: i64 = 7;
const STRING: i64 = 8;
const DOUBLE: i64 = 11;

/// Returns the content of the ONNX file.
#[must_use]
pub fn onnx(model: &NetworkModel) -> Vec<u8> {
    let mut graph =
        Graph::with_columns(model.schema.columns.iter().map(|column| column.name.clone()));
    for column in &model.schema.columns {
        let used = model.body.preparation.inputs.iter().any(|input| input.column == column.name);
        if used {
            let kind = if column.kind == ColumnKind::Nominal { STRING } else { DOUBLE };
            graph.inputs.push(value(&column.name, kind, 1));
        }
    }
    let inputs = &model.body.preparation.inputs;
    let prepared: Vec<String> =
        inputs.iter().map(|input| graph.prepared(input, model.body.preparation.clip)).collect();
    let joined = graph.node("Concat", &prepared, "", &[integer("axis", 1)]);
    match NetworkTask::of_schema(&model.schema) {
        NetworkTask::TwoClasses => graph.two_classes(model, joined),
        NetworkTask::Classes(classes) => graph.classes(model, joined, classes),
        NetworkTask::Number => graph.number(&model.body, joined),
    }
    let opset = |domain: &str, version: i64| ProtoMessage::new().text(1, domain).number(2, version);
    ProtoMessage::new()
        .number(1, 8)
        .text(2, "pellucid")
        .message(7, &graph.into_message())
        .message(8, &opset("", 17))
        .message(8, &opset("ai.onnx.ml", 2))
        .into_bytes()
}

/// An ONNX graph under construction.
struct Graph {
    nodes: Vec<ProtoMessage>,
    constants: Vec<ProtoMessage>,
    inputs: Vec<ProtoMessage>,
    outputs: Vec<ProtoMessage>,
    /// The number of generated names.
    generated: usize,
    /// The names of columns and outputs.
    names: FreeNames,
}

impl Graph {
    fn into_message(self) -> ProtoMessage {
        let mut graph = ProtoMessage::new();
        for node in &self.nodes {
            graph = graph.message(1, node);
        }
        graph = graph.text(2, "network");
        for constant in &self.constants {
            graph = graph.message(5, constant);
        }
        for input in &self.inputs {
            graph = graph.message(11, input);
        }
        self.outputs.iter().fold(graph, |graph, output| graph.message(12, output))
    }

    fn with_columns(columns: impl Iterator<Item = String>) -> Graph {
        Graph {
            nodes: Vec::new(),
            constants: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            generated: 0,
            names: FreeNames::exact(columns),
        }
    }

    /// Returns a new name that no column has.
    fn new_name(&mut self) -> String {
        loop {
            self.generated += 1;
            let name = format!("pellucid/{}", self.generated);
            if !self.names.has(&name) {
                return name;
            }
        }
    }

    /// Adds a node and returns the name of its output, which is generated if `output` is empty.
    fn node(
        &mut self,
        kind: &str,
        inputs: &[String],
        output: &str,
        attributes: &[ProtoMessage],
    ) -> String {
        self.node_of("", kind, inputs, output, attributes)
    }

    fn node_of(
        &mut self,
        domain: &str,
        kind: &str,
        inputs: &[String],
        output: &str,
        attributes: &[ProtoMessage],
    ) -> String {
        let output = if output.is_empty() { self.new_name() } else { output.to_owned() };
        let mut node = inputs.iter().fold(ProtoMessage::new(), |node, input| node.text(1, input));
        node = node.text(2, &output).text(4, kind);
        for attribute in attributes {
            node = node.message(5, attribute);
        }
        self.nodes.push(if domain.is_empty() { node } else { node.text(7, domain) });
        output
    }

    fn constant(&mut self, kind: i64, size: &[usize], bytes: &[u8]) -> String {
        let name = self.new_name();
        let tensor = size.iter().fold(ProtoMessage::new(), |tensor, &size| {
            tensor.number(1, i64::try_from(size).unwrap_or(i64::MAX))
        });
        self.constants.push(tensor.number(2, kind).text(8, &name).bytes(9, bytes));
        name
    }

    /// Adds a constant in single precision.
    fn floats(&mut self, size: &[usize], numbers: &[f64]) -> String {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|&number| crate::search::to_f32(number).to_le_bytes())
            .collect();
        self.constant(FLOAT, size, &bytes)
    }

    /// Adds a constant in double precision.
    fn doubles(&mut self, size: &[usize], numbers: &[f64]) -> String {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constant(DOUBLE, size, &bytes)
    }

    /// Adds the nodes that prepare one input of the networks. Returns a column of floats.
    fn prepared(&mut self, input: &Input, clip: Option<f64>) -> String {
        let column = input.column.clone();
        let scale = input.scale(clip);
        let number = match &input.encoding {
            Encoding::LogOdds { values, missing } | Encoding::Means { values, missing } => {
                // An empty string stands for a missing category.
                let mut keys: Vec<&str> = values.keys().map(String::as_str).collect();
                let mut odds: Vec<f64> = values.values().copied().collect();
                if !values.contains_key("") {
                    keys.push("");
                    odds.push(*missing);
                }
                let keys =
                    keys.iter().fold(attribute("keys_strings", 8), |all, key| all.text(9, key));
                let odds = odds.iter().fold(attribute("values_floats", 6), |all, &odds| {
                    all.float(7, crate::search::to_f32(odds))
                });
                let other = attribute("default_float", 1).float(2, 0.0);
                let attributes = [keys, odds, other];
                let found = self.node_of("ai.onnx.ml", "LabelEncoder", &[column], "", &attributes);
                self.node("Cast", &[found], "", &[integer("to", DOUBLE)])
            }
            Encoding::Steps { cuts, log_odds, missing }
            | Encoding::MeanSteps { cuts, means: log_odds, missing } => {
                let ends = self.doubles(&[1, cuts.len()], cuts);
                let rises: Vec<f64> = log_odds.windows(2).map(|pair| pair[1] - pair[0]).collect();
                let rises = self.doubles(&[cuts.len(), 1], &rises);
                let first = self.doubles(&[], &log_odds[..1]);
                let missing = self.doubles(&[], &[*missing]);
                let above = self.node("Greater", &[column.clone(), ends], "", &[]);
                let above = self.node("Cast", &[above], "", &[integer("to", DOUBLE)]);
                let risen = self.node("MatMul", &[above, rises], "", &[]);
                let found = self.node("Add", &[risen, first], "", &[]);
                let known = self.node("Equal", &[column.clone(), column], "", &[]);
                self.node("Where", &[known, found, missing], "", &[])
            }
            Encoding::Number | Encoding::Truth => {
                // NaN is not equal to itself.
                let known = self.node("Equal", &[column.clone(), column.clone()], "", &[]);
                let center = self.doubles(&[], &[input.middle]);
                self.node("Where", &[known, column, center], "", &[])
            }
        };
        let middle = self.doubles(&[], &[scale.middle]);
        let half = self.doubles(&[], &[scale.half_range]);
        let ends = [self.doubles(&[], &[-scale.clip]), self.doubles(&[], &[scale.clip])];
        let moved = self.node("Sub", &[number, middle], "", &[]);
        let scaled = self.node("Div", &[moved, half], "", &[]);
        let [least, most] = ends;
        let clipped = self.node("Clip", &[scaled, least, most], "", &[]);
        self.node("Cast", &[clipped], "", &[integer("to", FLOAT)])
    }

    /// Adds the score and the probability of the second of two classes.
    fn two_classes(&mut self, model: &NetworkModel, joined: String) {
        let name = self.names.take("score");
        let score = self.networks(&model.body, joined, &name);
        self.outputs.push(value(&score, FLOAT, 1));
        let decision = Decision::of(model);
        if decision.is_calibrated {
            let slope = self.floats(&[], &[decision.slope]);
            let offset = self.floats(&[], &[decision.offset]);
            let scaled = self.node("Mul", &[score, slope], "", &[]);
            let moved = self.node("Add", &[scaled, offset], "", &[]);
            let name = self.names.take("probability");
            let probability = self.node("Sigmoid", &[moved], &name, &[]);
            self.outputs.push(value(&probability, FLOAT, 1));
        }
    }

    /// Adds the scores and the probabilities of more than two classes.
    fn classes(&mut self, model: &NetworkModel, joined: String, classes: usize) {
        let networks = &model.body;
        let (count, each) = (networks.members.len(), networks.shape.outputs().len());
        let values = self.hidden_layers(networks, joined);
        let (mut weights, mut offsets) = (vec![0.0; count * each * classes], vec![0.0; classes]);
        for (number, member) in networks.members.iter().enumerate() {
            for class in 0..classes {
                offsets[class] += member.offset_of(class) / count as f64;
                for (node, &gene) in member.genes[networks.output_weights(class)].iter().enumerate()
                {
                    weights[(number * each + node) * classes + class] =
                        member.slope * f64::from(gene) / count as f64;
                }
            }
        }
        let weights = self.floats(&[count * each, classes], &weights);
        let offsets = self.floats(&[classes], &offsets);
        let sums = self.node("MatMul", &[values, weights], "", &[]);
        let name = self.names.take("scores");
        let scores = self.node("Add", &[sums, offsets], &name, &[]);
        self.outputs.push(value(&scores, FLOAT, classes));
        if let Some(found) = calibration_of(model) {
            let slope = self.floats(&[], &[found.slope]);
            let offsets = self.floats(&[classes], &found.offsets);
            let scaled = self.node("Mul", &[scores, slope], "", &[]);
            let moved = self.node("Add", &[scaled, offsets], "", &[]);
            let name = self.names.take("probabilities");
            let found = self.node("Softmax", &[moved], &name, &[integer("axis", 1)]);
            self.outputs.push(value(&found, FLOAT, classes));
        }
    }

    /// Adds the predicted number. Its last step is in double precision, because the mean of the target
    /// may be much larger than its deviation.
    fn number(&mut self, networks: &NetworkEnsemble, joined: String) {
        let count = networks.members.len();
        let outputs = self.member_outputs(networks, joined);
        let outputs = self.node("Cast", &[outputs], "", &[integer("to", DOUBLE)]);
        let slopes: Vec<f64> =
            networks.members.iter().map(|member| member.slope / count as f64).collect();
        let slopes = self.doubles(&[count, 1], &slopes);
        let offset = networks.members.iter().map(|one| one.offset / count as f64).sum::<f64>();
        let offset = self.doubles(&[], &[offset]);
        let sum = self.node("MatMul", &[outputs, slopes], "", &[]);
        let name = self.names.take("predicted");
        let predicted = self.node("Add", &[sum, offset], &name, &[]);
        self.outputs.push(value(&predicted, DOUBLE, 1));
    }

    /// Adds the hidden layers of all networks side by side.
    fn hidden_layers(&mut self, model: &NetworkEnsemble, joined: String) -> String {
        let (shape, members) = (&model.shape, &model.members);
        let mut values = joined;
        for (place, layer) in shape.layers().iter().enumerate() {
            let (nodes, each) = (layer.nodes * members.len(), shape.fan_in(place));
            // A node of the second layer is connected only to the first layer of its own network;
            // its other weights are 0.
            let inputs = if place == 0 { each } else { each * members.len() };
            let mut weights = vec![0.0; nodes * inputs];
            let mut centres = vec![0.0; nodes * inputs];
            let mut last = Vec::with_capacity(nodes);
            for (number, member) in members.iter().enumerate() {
                for node in 0..layer.nodes {
                    let row = (number * layer.nodes + node) * inputs;
                    let from = row + if place == 0 { 0 } else { number * each };
                    let genes = |range: std::ops::Range<usize>| {
                        member.genes[range].iter().map(|&gene| f64::from(gene)).enumerate()
                    };
                    genes(shape.weights_of(place, node))
                        .for_each(|(at, gene)| weights[from + at] = gene);
                    genes(shape.centres_of(place, node))
                        .for_each(|(at, gene)| centres[from + at] = gene);
                    last.push(f64::from(member.genes[shape.width_or_bias_of(place, node)]));
                }
            }
            values =
                self.layer(layer.activation, values, [nodes, inputs], &weights, &centres, &last);
        }
        values
    }

    /// Adds all networks side by side and the output of each.
    fn member_outputs(&mut self, model: &NetworkEnsemble, joined: String) -> String {
        let (shape, members) = (&model.shape, &model.members);
        let values = self.hidden_layers(model, joined);
        let (count, each) = (members.len(), shape.outputs().len());
        // The weight of each node of all networks in the output of each network.
        let mut outputs = vec![0.0; count * each * count];
        for (number, member) in members.iter().enumerate() {
            for (node, &gene) in member.genes[shape.outputs()].iter().enumerate() {
                outputs[(number * each + node) * count + number] = f64::from(gene);
            }
        }
        let weights = self.floats(&[count * each, count], &outputs);
        self.node("MatMul", &[values, weights], "", &[])
    }

    /// Adds all networks side by side and the mean of their outputs.
    fn networks(&mut self, model: &NetworkEnsemble, joined: String, score: &str) -> String {
        let (members, count) = (&model.members, model.members.len());
        let mut outputs = self.member_outputs(model, joined);
        if model.scale == OutputScale::Logarithmic {
            let one = self.floats(&[], &[1.0]);
            let size = self.node("Abs", &[outputs.clone()], "", &[]);
            let more = self.node("Add", &[size, one], "", &[]);
            let logarithm = self.node("Log", &[more], "", &[]);
            let sign = self.node("Sign", &[outputs], "", &[]);
            outputs = self.node("Mul", &[logarithm, sign], "", &[]);
        }
        let slopes: Vec<f64> = members.iter().map(|member| member.slope / count as f64).collect();
        let slopes = self.floats(&[count, 1], &slopes);
        let offset = members.iter().map(|member| member.offset).sum::<f64>() / count as f64;
        let offset = self.floats(&[], &[offset]);
        let sum = self.node("MatMul", &[outputs, slopes], "", &[]);
        self.node("Add", &[sum, offset], score, &[])
    }

    fn layer(
        &mut self,
        activation: Activation,
        values: String,
        [nodes, inputs]: [usize; 2],
        weights: &[f64],
        centres: &[f64],
        last: &[f64],
    ) -> String {
        if let Activation::Rbf(width) = activation {
            let axis: Vec<u8> = 1_i64.to_le_bytes().to_vec();
            let axis = self.constant(INT64, &[1], &axis);
            let sums: Vec<u8> = 2_i64.to_le_bytes().to_vec();
            let sums = self.constant(INT64, &[1], &sums);
            let weights = self.floats(&[1, nodes, inputs], weights);
            let centres = self.floats(&[1, nodes, inputs], centres);
            let widths: Vec<f64> = last.iter().map(|&gene| -width_of(width, gene)).collect();
            let widths = self.floats(&[nodes], &widths);
            let ends = [SMALLEST_EXPONENT, LARGEST_EXPONENT].map(|end| self.floats(&[], &[end]));
            let expanded = self.node("Unsqueeze", &[values, axis], "", &[]);
            let product = self.node("Mul", &[expanded, weights], "", &[]);
            let difference = self.node("Sub", &[product, centres], "", &[]);
            let squared = self.node("Mul", &[difference.clone(), difference], "", &[]);
            let distance = self.node("ReduceSum", &[squared, sums], "", &[integer("keepdims", 0)]);
            let exponent = self.node("Mul", &[distance, widths], "", &[]);
            let [least, most] = ends;
            let cut = self.node("Clip", &[exponent, least, most], "", &[]);
            return self.node("Exp", &[cut], "", &[]);
        }
        let mut transposed = vec![0.0; weights.len()];
        for node in 0..nodes {
            (0..inputs).for_each(|input| {
                transposed[input * nodes + node] = weights[node * inputs + input]
            });
        }
        let weights = self.floats(&[inputs, nodes], &transposed);
        let biases = self.floats(&[nodes], last);
        let product = self.node("MatMul", &[values, weights], "", &[]);
        let sum = self.node("Add", &[product, biases], "", &[]);
        let kind = match activation {
            Activation::Sigmoid => "Sigmoid",
            Activation::Tanh => "Tanh",
            Activation::Relu | Activation::Rbf(_) => "Relu",
        };
        self.node(kind, &[sum], "", &[])
    }
}

/// Describes values with this number of columns.
fn value(name: &str, kind: i64, columns: usize) -> ProtoMessage {
    let rows = ProtoMessage::new().text(2, "rows");
    let columns = ProtoMessage::new().number(1, i64::try_from(columns).unwrap_or(i64::MAX));
    let shape = ProtoMessage::new().message(1, &rows).message(1, &columns);
    let tensor = ProtoMessage::new().number(1, kind).message(2, &shape);
    ProtoMessage::new().text(1, name).message(2, &ProtoMessage::new().message(1, &tensor))
}

/// Starts an attribute of a type; its value is added by the caller.
fn attribute(name: &str, kind: i64) -> ProtoMessage {
    ProtoMessage::new().text(1, name).number(20, kind)
}

/// Returns an integer attribute.
fn integer(name: &str, number: i64) -> ProtoMessage {
    attribute(name, 2).number(3, number)
}
