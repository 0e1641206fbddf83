use super::operators::*;
use super::*;
use crate::metric::Fitness;
use pellucid_forward::{Activation, Layer, Shape, Width};
use pellucid_learn::rng::Streams;
use proptest::prelude::*;

fn shapes() -> impl Strategy<Value = Shape> {
    let activation = prop::sample::select(vec![Activation::Rbf(Width::Softplus), Activation::Tanh]);
    let layer =
        (1_usize..5, activation).prop_map(|(nodes, activation)| Layer { nodes, activation });
    (1_usize..6, prop::collection::vec(layer, 1..3))
        .prop_map(|(inputs, layers)| Shape::new(inputs, &layers).expect("a shape"))
}

fn genes(shape: &Shape, seed: u64) -> Vec<f32> {
    let mut stream = Streams::new(seed).stream(&["genes".into()]);
    (0..shape.genes()).map(|_| to_f32(stream.normal())).collect()
}

fn output(shape: &Shape, genes: &[f32], row: &[f64]) -> f64 {
    let mut values = row.to_vec();
    for layer in 0..shape.layers().len() {
        values = layer_outputs(shape, genes, layer, &values);
    }
    values.iter().zip(&genes[shape.outputs()]).map(|(a, &b)| a * f64::from(b)).sum()
}

proptest! {
    #[test]
    fn reordered_nodes_are_the_same_network_and_are_matched(shape in shapes(), seed in 0_u64..500) {
        let mut stream = Streams::new(seed).stream(&["order".into()]);
        let own = genes(&shape, seed);
        let mut other = own.clone();
        for (layer, of) in shape.layers().iter().enumerate() {
            let mut order: Vec<usize> = (0..of.nodes).collect();
            stream.shuffle(&mut order);
            other = reordered(&shape, &other, layer, &order);
        }
        let rows: Vec<Vec<f32>> = (0..64)
            .map(|_| (0..shape.inputs()).map(|_| to_f32(stream.normal())).collect())
            .collect();
        for row in &rows {
            let row: Vec<f64> = row.iter().map(|&value| f64::from(value)).collect();
            let (a, b) = (output(&shape, &own, &row), output(&shape, &other, &row));
            prop_assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} {b}");
        }
        let found = Responses::new(rows.clone()).aligned(&shape, &own, &other);
        // Nodes with the same outputs on all rows may stay exchanged.
        for row in &rows {
            let row: Vec<f64> = row.iter().map(|&value| f64::from(value)).collect();
            for layer in 0..1 {
                let outputs = |genes: &[f32]| layer_outputs(&shape, genes, layer, &row);
                let (a, b) = (outputs(&own), outputs(&found));
                a.iter().zip(&b).for_each(|(a, b)| assert!((a - b).abs() < 1e-5, "{a} {b}"));
            }
        }
    }

    #[test]
    fn crossover_takes_every_node_from_one_parent(shape in shapes(), seed in 0_u64..500) {
        let (one, other) = (genes(&shape, seed), genes(&shape, seed + 1000));
        let child = cross_nodes(&shape, &one, &other, &mut Streams::new(seed).stream(&[]));
        for node in nodes(&shape) {
            let from = |parent: &[f32]| genes_of(&shape, node).all(|gene| child[gene] == parent[gene]);
            prop_assert!(from(&one) || from(&other));
        }
        let child = cross_weights(&one, &other, &mut Streams::new(seed).stream(&[]));
        prop_assert!((0..child.len()).all(|gene| child[gene] == one[gene] || child[gene] == other[gene]));
    }

    #[test]
    fn mutating_a_node_changes_nothing_else(shape in shapes(), seed in 0_u64..500) {
        let own = genes(&shape, seed);
        let all = nodes(&shape);
        let mut stream = Streams::new(seed).stream(&[]);
        let node = all[stream.index(all.len())];
        let mut child = own.clone();
        mutate_node(&shape, &mut child, node, true, MutationSize::even(1.0), &mut stream);
        let touched: Vec<usize> = genes_of(&shape, node).collect();
        for gene in 0..own.len() {
            prop_assert_eq!(child[gene] != own[gene], touched.contains(&gene), "gene {}", gene);
        }
    }

    #[test]
    fn removing_a_node_removes_only_its_output(shape in shapes(), seed in 0_u64..500) {
        let own = genes(&shape, seed);
        let last = shape.layers().len() - 1;
        let row: Vec<f64> = (0..shape.inputs()).map(|place| 0.3 * place as f64 - 0.5).collect();
        let mut values = row.clone();
        for layer in 0..=last {
            values = layer_outputs(&shape, &own, layer, &values);
        }
        for node in 0..shape.layers()[last].nodes {
            let cut = without_node(&shape, &own, (last, node));
            let given = values[node] * f64::from(own[shape.outputs().start + node]);
            let rest = output(&shape, &own, &row) - output(&shape, &cut, &row);
            prop_assert!((rest - given).abs() < 1e-9 * (1.0 + given.abs()));
        }
    }
}

#[test]
fn draws_have_the_right_mean() {
    let mut stream = Streams::new(1).stream(&[]);
    let draws: Vec<f64> = (0..20_000).map(|_| two_sided(&mut stream, 0.5)).collect();
    let mean = |of: &dyn Fn(f64) -> f64| draws.iter().map(|&draw| of(draw)).sum::<f64>() / 20_000.0;
    assert!((mean(&f64::abs) - 0.5).abs() < 0.02, "{}", mean(&f64::abs));
    assert!(mean(&|draw| draw).abs() < 0.02);
}

#[test]
fn better_ranks_are_drawn_more_often() {
    let mut stream = Streams::new(2).stream(&[]);
    let mut counts = [0_u32; 50];
    (0..50_000).for_each(|_| counts[draw_rank(&mut stream, 50)] += 1);
    let ratio = f64::from(counts[10]) / f64::from(counts[0]);
    assert!((ratio - 0.92_f64.powi(10)).abs() < 0.06, "{ratio}");
    assert!(counts[49] > 0);
}

#[test]
fn duplicates_are_removed_and_the_best_comes_first() {
    let fit = |value: f64| Fitness { value, auc: 0.5 };
    let networks = vec![
        (vec![1.0_f32], fit(1.0)),
        (vec![2.0], fit(3.0)),
        (vec![1.0], fit(1.0)),
        (vec![3.0], Fitness { value: 3.0, auc: 0.9 }),
        (vec![4.0], fit(f64::NAN)),
    ];
    let sorted = Population::sorted(networks, 10);
    assert_eq!(sorted.genes, [3.0, 2.0, 1.0, 4.0]);
}

#[test]
fn a_distribution_moves_toward_better_networks() {
    let goal = [2.0_f32, -1.0, 0.5, 3.0];
    let mut distribution = Snes::new(&[0.0; 4], vec![0.5; 4]);
    for generation in 0..300_u64 {
        let streams = Streams::new(7).at(generation);
        let fitness: Vec<Fitness> = (0..20)
            .map(|place| {
                let far: f32 = distribution
                    .network(streams, place)
                    .iter()
                    .zip(&goal)
                    .map(|(a, b)| (a - b) * (a - b))
                    .sum();
                Fitness { value: -f64::from(far), auc: 0.5 }
            })
            .collect();
        distribution.update(streams, &fitness);
    }
    let far: f32 = distribution.mean.iter().zip(&goal).map(|(a, b)| (a - b).abs()).sum();
    assert!(far < 0.05, "{:?}", distribution.mean);
}

#[test]
fn children_of_the_paper_are_mutated_or_crossed_never_both() {
    let shape = Shape::new(19, &[Layer { nodes: 4, activation: Activation::Rbf(Width::Raw) }])
        .expect("a shape");
    let paper = PaperBreeder { shape: &shape };
    let first = paper.first(50, Streams::new(1));
    let fitness = (0..50_u32).map(|place| Fitness { value: -f64::from(place), auc: 0.5 });
    let population = Population::sorted(first.iter().cloned().zip(fitness).collect(), 50);
    let mut mutated = [0_u32; 2];
    for (late, generation) in [0_u64, 20_000].into_iter().enumerate() {
        for place in 0..2000_u64 {
            let mut stream = Streams::new(place).stream(&[generation.into()]);
            let child = paper.child(&population, generation, &mut stream);
            let changed =
                |parent: &[f32]| child.genes.iter().zip(parent).filter(|(a, b)| a != b).count();
            match child.operator {
                Operator::MutateNodes => {
                    mutated[late] += 1;
                    // One node has 19 weights, 19 centers, a width and an output weight.
                    assert_eq!(changed(population.network(child.parent)), 40);
                }
                _ => assert!(child.genes.iter().enumerate().all(|(gene, value)| {
                    (0..50).any(|parent| population.network(parent)[gene] == *value)
                })),
            }
        }
    }
    // The mutation rate is 15 % at first and 65 % at the end.
    assert!((250..350).contains(&mutated[0]), "{mutated:?}");
    assert!((1200..1400).contains(&mutated[1]), "{mutated:?}");
}
