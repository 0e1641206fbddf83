//! Compares the scores of the specification with double precision, and its ranks with the metrics of `learn`.

use super::case::{Case, Kind};
use super::{expected, spec};
use pellucid_forward::{
    Activation, LARGEST_EXPONENT, Layer, SMALLEST_EXPONENT, Shape, TieCounting, Width,
};
use pellucid_learn::metrics::{Ranking, Ties};
use pellucid_testdevices::{Draw, cases};
use proptest::prelude::*;

/// Returns the output in double precision, and the sum of the absolute values of its terms as the scale of
/// its error: the relative error of a node is 1e-5; near zero, where a sigmoid or tanh is a difference, its
/// absolute error is a twentieth of that at an output of 1.
fn output(shape: &Shape, genes: &[f32], row: &[f32]) -> (f64, f64) {
    let wide = |place: usize| f64::from(genes[place]);
    let mut values: Vec<f64> = row.iter().copied().map(f64::from).collect();
    for (number, layer) in shape.layers().iter().enumerate() {
        let respond = |node: usize| {
            let once = wide(shape.width_or_bias_of(number, node));
            let weights = shape.weights_of(number, node).map(wide).zip(&values);
            let Activation::Rbf(width) = layer.activation else {
                let sum = once + weights.map(|(weight, value)| weight * value).sum::<f64>();
                return match layer.activation {
                    Activation::Sigmoid => 1.0 / (1.0 + (-sum).exp()),
                    Activation::Tanh => sum.tanh(),
                    Activation::Relu | Activation::Rbf(_) => sum.max(0.0),
                };
            };
            let centres = shape.centres_of(number, node).map(wide);
            let distance: f64 = weights
                .zip(centres)
                .map(|((weight, value), centre)| (weight * value - centre).powi(2))
                .sum();
            let width = if width == Width::Raw { once } else { once.exp().ln_1p() };
            (-width * distance).clamp(SMALLEST_EXPONENT, LARGEST_EXPONENT).exp()
        };
        values = (0..layer.nodes).map(respond).collect();
    }
    let terms = shape.outputs().map(wide).zip(&values);
    terms.fold((0.0, 0.0), |(sum, size), (weight, value)| {
        (sum + weight * value, size + weight.abs() * (value.abs() + 0.05))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(200), ..ProptestConfig::default() })]

    /// One layer, so that the next does not amplify errors; exponents below 20, so that the error is small
    /// relative to the result.
    #[test]
    fn scores_are_near_double_precision(seed: u64, nodes in 1usize..6, kind in 0usize..5) {
        let activation = [
            Activation::Rbf(Width::Raw),
            Activation::Rbf(Width::Softplus),
            Activation::Sigmoid,
            Activation::Tanh,
            Activation::Relu,
        ][kind];
        let shape = Shape::new(3, &[Layer { nodes, activation }]).expect("a shape");
        let case = Case::new(seed, &Kind { rows: 40, features: 3, most_nodes: 1, networks: 1 });
        let mut draw = Draw::new(seed);
        let genes: Vec<f32> =
            (0..shape.genes()).map(|_| (draw.index(2001) as f32 - 1000.0) / 800.0).collect();
        for row in 0..40 {
            let row: Vec<f32> =
                case.columns.iter().map(|column| column[row].clamp(-1.0, 1.0)).collect();
            let (exact, size) = output(&shape, &genes, &row);
            let found = f64::from(spec::score(&shape, &genes, &row));
            prop_assert!((found - exact).abs() <= 1e-5 * size, "{} and {}", found, exact);
        }
    }

    #[test]
    fn ranks_agree_with_the_metrics(seed: u64, rows in 2usize..120) {
        let mut case = Case::new(seed, &Kind { rows, features: 2, most_nodes: 3, networks: 2 });
        (case.positive[0], case.positive[1]) = (true, false);
        let inputs = case.inputs();
        let fraction = [0.05, 0.2, 0.29, 1.0][(seed % 4) as usize];
        case.asks = vec![super::RankRequest::top(0, inputs.part(0).share(fraction)).and_pairs()];
        for network in 0..2 {
            let scores = spec::scores(&case.shape, case.network(network), &inputs);
            let ranks = expected(&case, &case.asks, &scores)[0];
            let wide: Vec<f64> = scores.iter().copied().map(f64::from).collect();
            let ranking = Ranking::new(&wide, &case.positive).expect("both classes");
            prop_assert_eq!(ranks.auc(), ranking.auc());
            let both = [(TieCounting::Shared, Ties::Shared), (TieCounting::Strict, Ties::Strict)];
            for (ours, theirs) in both {
                let (found, exact) = (ranks.lift(ours), ranking.lift_at(fraction, theirs));
                prop_assert!((found - exact).abs() < 1e-12, "{:?}: {} and {}", ours, found, exact);
            }
        }
    }
}
