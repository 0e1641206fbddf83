//! Networks in the JSON of a page: what their inputs are computed from, and their genes.

use super::rules::calibration;
use super::sha256::base64;
use pellucid_forward::spec::falloff;
use pellucid_forward::{Activation, Shape};
use pellucid_learn::model::Column;
use pellucid_networks::model::{Member, NetworkModel, OutputScale};
use pellucid_networks::prepare::{Encoding, Input};
use serde_json::{Value, json};

/// Returns what a page needs to predict with networks.
pub(crate) fn network(model: &NetworkModel) -> Value {
    let body = &model.body;
    let inputs: Vec<Value> =
        body.preparation.inputs.iter().map(|one| input(one, &model.schema.columns)).collect();
    let layers: Vec<Value> = body
        .shape
        .layers()
        .iter()
        .map(|layer| {
            let kind = match layer.activation {
                Activation::Rbf(_) => "rbf",
                Activation::Sigmoid => "sigmoid",
                Activation::Tanh => "tanh",
                Activation::Relu => "relu",
            };
            json!([layer.nodes, kind])
        })
        .collect();
    let members: Vec<Value> = body
        .members
        .iter()
        .map(|member| {
            let offsets: Vec<f64> = (0..body.outputs).map(|one| member.offset_of(one)).collect();
            json!([base64(&genes(&body.shape, member)), member.slope, offsets])
        })
        .collect();
    let classes = model.schema.classes.len();
    json!({
        "inputs": inputs,
        "clip": body.preparation.largest_input(),
        "layers": layers,
        "members": members,
        "outputs": body.outputs,
        "number": model.schema.number.is_some(),
        "logarithmic": body.scale == OutputScale::Logarithmic,
        "calibration": calibration(model.calibration.as_ref(), classes),
    })
}

/// Returns an input: its column, its encoding, its scale, and what the encoding needs.
fn input(input: &Input, columns: &[Column]) -> Value {
    let (kind, extra) = match &input.encoding {
        Encoding::Number => ("number", json!([])),
        Encoding::Truth => ("truth", json!([])),
        Encoding::LogOdds { values, missing } | Encoding::Means { values, missing } => {
            // Pairs, because a name of JavaScript's own is no ordinary key of an object.
            let odds: Vec<(&String, &f64)> = values.iter().collect();
            ("words", json!([odds, missing]))
        }
        Encoding::Steps { cuts, log_odds, missing }
        | Encoding::MeanSteps { cuts, means: log_odds, missing } => {
            ("steps", json!([log_odds, missing, cuts]))
        }
    };
    let place = columns.iter().position(|column| column.name == input.column);
    json!([place, kind, input.middle, input.half_range, extra])
}

/// Returns the genes of a network as floats, the lowest byte first. The width of a radial node is replaced by
/// the factor of its squared distance, which takes functions that the page does not have.
fn genes(shape: &Shape, member: &Member) -> Vec<u8> {
    let mut genes = member.genes.clone();
    for (at, layer) in shape.layers().iter().enumerate() {
        if let Activation::Rbf(width) = layer.activation {
            for node in 0..layer.nodes {
                let gene = &mut genes[shape.width_or_bias_of(at, node)];
                *gene = falloff(width, *gene);
            }
        }
    }
    genes.iter().flat_map(|gene| gene.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_forward::{Layer, Width};
    use pellucid_networks::model::MemberOrigin;

    #[test]
    fn the_width_of_a_radial_node_becomes_the_factor_of_its_distance() {
        let activation = Activation::Rbf(Width::Softplus);
        let shape = Shape::new(1, &[Layer { nodes: 1, activation }]).expect("a shape");
        // A weight, a center, a width and an output; ln(1 + e^0) is ln 2, which is 1 in units of log2.
        let own = vec![1.5, 0.5, 0.0, 2.0];
        let origin = MemberOrigin::Search;
        let offsets = Vec::new();
        let member =
            Member { genes: own, slope: 1.0, offset: 0.0, offsets, origin, chosen_by: 0.5 };
        let bytes = genes(&shape, &member);
        let floats: Vec<f32> =
            bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        assert_eq!((floats[0], floats[1], floats[3]), (1.5, 0.5, 2.0));
        assert!((floats[2] + 1.0).abs() < 1e-6, "{floats:?}");
    }

    #[test]
    fn an_input_names_its_column_by_place_and_its_categories_by_pairs() {
        let columns = [Column::numeric("x"), Column::nominal("c", vec!["__proto__".to_owned()])];
        let values = [("__proto__".to_owned(), 0.5)].into();
        let encoding = Encoding::LogOdds { values, missing: -0.25 };
        let column = "c".to_owned();
        let one = Input { column, encoding, class: None, middle: 0.1, half_range: 2.0 };
        let expected = json!([1, "words", 0.1, 2.0, [[["__proto__", 0.5]], -0.25]]);
        assert_eq!(input(&one, &columns), expected);
    }
}
