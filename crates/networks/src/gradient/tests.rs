use super::*;
use crate::search::layer_outputs;
use pellucid_bits::Level;
use pellucid_forward::{Activation, LARGEST_EXPONENT, Layer, SMALLEST_EXPONENT, Shape, Width};
use pellucid_learn::rng::Streams;
use proptest::prelude::*;

fn shapes() -> impl Strategy<Value = Shape> {
    let activation = prop::sample::select(vec![
        Activation::Rbf(Width::Raw),
        Activation::Rbf(Width::Softplus),
        Activation::Sigmoid,
        Activation::Tanh,
        Activation::Relu,
    ]);
    let layer =
        (1_usize..5, activation).prop_map(|(nodes, activation)| Layer { nodes, activation });
    (1_usize..6, prop::collection::vec(layer, 1..3))
        .prop_map(|(inputs, layers)| Shape::new(inputs, &layers).expect("a shape"))
}

fn tasks() -> impl Strategy<Value = NetworkTask> {
    let classes = (3_usize..6).prop_map(NetworkTask::Classes);
    prop_oneof![Just(NetworkTask::TwoClasses), classes, Just(NetworkTask::Number)]
}

/// Rows, genes followed by the biases, and the labels of each output.
struct Case {
    task: NetworkTask,
    columns: Vec<Vec<f32>>,
    labels: Vec<Vec<f32>>,
    genes: Vec<f32>,
}

fn case(shape: &Shape, task: NetworkTask, rows: usize, seed: u64) -> Case {
    let mut stream = Streams::new(seed).stream(&["case".into()]);
    let mut draw = |size: f64| crate::search::to_f32(size * stream.normal());
    let columns = (0..shape.inputs()).map(|_| (0..rows).map(|_| draw(1.0)).collect()).collect();
    let genes = Plan::new(shape, task).genes + task.outputs();
    let genes = (0..genes).map(|_| draw(0.7)).collect();
    let labels = match task {
        NetworkTask::TwoClasses => {
            vec![labels(&(0..rows).map(|row| row % 3 == 0).collect::<Vec<_>>())]
        }
        NetworkTask::Number => vec![(0..rows).map(|_| draw(1.0)).collect()],
        NetworkTask::Classes(classes) => (0..classes)
            .map(|class| (0..rows).map(|row| f32::from(u8::from(row % classes == class))).collect())
            .collect(),
    };
    Case { task, columns, labels, genes }
}

/// Returns the sum of the losses of all rows, computed row by row and node by node in double
/// precision.
fn plain_loss(shape: &Shape, case: &Case, genes: &[f64]) -> f64 {
    let (genes, biases) = genes.split_at(genes.len() - case.task.outputs());
    let mut sum = 0.0;
    for row in 0..case.labels[0].len() {
        let mut values: Vec<f64> =
            case.columns.iter().map(|column| f64::from(column[row])).collect();
        for layer in 0..shape.layers().len() {
            values = plain_layer(shape, genes, layer, &values);
        }
        let weights = genes[shape.outputs().start..].chunks(values.len());
        let score = |(weights, bias): (&[f64], &f64)| {
            values.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>() + bias
        };
        let scores: Vec<f64> = weights.zip(biases).map(score).collect();
        let label = |output: usize| f64::from(case.labels[output][row]);
        sum += match case.task {
            NetworkTask::TwoClasses => {
                (1.0 + (if label(0) > 0.5 { -scores[0] } else { scores[0] }).exp()).ln()
            }
            NetworkTask::Classes(classes) => {
                let actual = (0..classes).find(|&class| label(class) > 0.5).expect("a class");
                scores.iter().map(|score| score.exp()).sum::<f64>().ln() - scores[actual]
            }
            NetworkTask::Number => (scores[0] - label(0)).powi(2),
        };
    }
    sum
}

fn plain_layer(shape: &Shape, genes: &[f64], layer: usize, row: &[f64]) -> Vec<f64> {
    let of_node = |node: usize| {
        let weights = &genes[shape.weights_of(layer, node)];
        let last = genes[shape.width_or_bias_of(layer, node)];
        let sum = |of: &dyn Fn(f64, f64, usize) -> f64| -> f64 {
            weights.iter().zip(row).enumerate().map(|(place, (&w, &x))| of(w, x, place)).sum()
        };
        let linear = sum(&|w, x, _| w * x) + last;
        match shape.layers()[layer].activation {
            Activation::Rbf(width) => {
                let centres = &genes[shape.centres_of(layer, node)];
                let distance = sum(&|w, x, place| (w * x - centres[place]).powi(2));
                let width = if width == Width::Raw { last } else { (1.0 + last.exp()).ln() };
                (-width * distance).clamp(SMALLEST_EXPONENT, LARGEST_EXPONENT).exp()
            }
            Activation::Sigmoid => 1.0 / (1.0 + (-linear).exp()),
            Activation::Tanh => linear.tanh(),
            Activation::Relu => linear.max(0.0),
        }
    };
    (0..shape.layers()[layer].nodes).map(of_node).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: pellucid_testdata::cases(48), ..ProptestConfig::default() })]

    #[test]
    fn gradients_match_finite_differences(
        shape in shapes(), task in tasks(), seed in 0_u64..1000, rows in 1_usize..300, in_tile in 1..=ROWS,
    ) {
        let case = case(&shape, task, rows, seed);
        let wide: Vec<f64> = case.genes.iter().map(|&gene| f64::from(gene)).collect();
        // Where the output explodes, finite differences are useless.
        let whole = plain_loss(&shape, &case, &wide);
        prop_assume!(whole.is_finite() && whole < 1e4);
        let fold = vec![0; rows];
        let tiles = Tiles::new(&case.columns, &case.labels, &fold, in_tile, Streams::new(seed));
        let plan = Plan::new(&shape, task);
        let (mut gradient, mut workspace) = (vec![0.0; wide.len()], Workspace::new(&plan));
        let places = tiles.of_fold(0);
        let counted = Level::best().run(Gradient {
            plan: &plan, tiles: &tiles, places: &places, genes: &case.genes,
            gradient: &mut gradient, workspace: &mut workspace,
        });
        prop_assert_eq!(counted, rows as f32);
        for gene in 0..wide.len() {
            let by = 1e-5;
            let at = |step: f64| {
                let mut moved = wide.clone();
                moved[gene] += step;
                plain_loss(&shape, &case, &moved)
            };
            // The derivative of the squared error is taken without its factor of 2.
            let by_loss = if task == NetworkTask::Number { 0.5 / by } else { 1.0 / by };
            let (up, down) = ((at(by) - whole) * by_loss, (whole - at(-by)) * by_loss);
            let truth = (up + down) / 2.0;
            let close = 3e-3 * (1.0 + truth.abs() + whole / 100.0);
            // At the kink of a ReLU either one-sided derivative is right.
            let found = f64::from(gradient[gene]);
            let off = (found - truth).abs().min((found - up).abs()).min((found - down).abs());
            prop_assert!(off < close, "gene {gene}: {found} and {truth} ({down} to {up})");
        }
    }

    #[test]
    fn the_loss_matches_the_plain_version(
        shape in shapes(), task in tasks(), seed in 0_u64..1000, rows in 1_usize..200,
    ) {
        let case = case(&shape, task, rows, seed);
        let wide: Vec<f64> = case.genes.iter().map(|&gene| f64::from(gene)).collect();
        let truth = plain_loss(&shape, &case, &wide) / rows as f64;
        prop_assume!(truth.is_finite() && truth < 1e3);
        let tiles = Tiles::new(&case.columns, &case.labels, &vec![0; rows], ROWS, Streams::new(seed));
        let plan = Plan::new(&shape, task);
        let found = Level::best().run(Loss {
            plan: &plan, tiles: &tiles, places: &tiles.of_fold(0), genes: &case.genes,
            workspace: &mut Workspace::new(&plan),
        });
        prop_assert!((found - truth).abs() < 1e-4 * (1.0 + truth), "{found} and {truth}");
    }

    #[test]
    fn every_row_is_in_one_tile_and_small_tiles_are_balanced(
        rows in 1_usize..700, folds in 1_u32..6, in_tile in 1..=ROWS, seed in 0_u64..1000,
    ) {
        let fold: Vec<u32> = (0..folds).cycle().take(rows).collect();
        let columns: Vec<Vec<f32>> = vec![
            (0..rows).map(|row| row as f32).collect(),
            fold.iter().map(|&fold| fold as f32).collect(),
        ];
        let tiles = Tiles::new(&columns, &[vec![0.0; rows]], &fold, in_tile, Streams::new(seed));
        let mut seen: Vec<f32> = Vec::new();
        for of in 0..fold.iter().max().map_or(0, |&last| last as usize + 1) {
            let mut sizes = Vec::new();
            for place in tiles.of_fold(of) {
                let Tile { x, weights, rows, .. } = tiles.tile(place);
                let numbers = |column: &Column| column.map(|block| block.0).concat();
                let own: Vec<f32> = numbers(&x[0])[..rows].to_vec();
                let is_used = |(row, &weight): (usize, &f32)| (weight > 0.0) == (row < rows);
                prop_assert!(numbers(weights).iter().enumerate().all(is_used));
                prop_assert!(numbers(&x[1])[..rows].iter().all(|&fold| fold == of as f32));
                sizes.push(own.len());
                seen.extend(own);
            }
            prop_assert!(sizes.iter().all(|&size| (1..=in_tile).contains(&size)));
            if in_tile < ROWS {
                let (least, most) = (sizes.iter().min(), sizes.iter().max());
                prop_assert!(most <= least.map(|least| least + 1).as_ref(), "{sizes:?}");
            }
        }
        seen.sort_by(f32::total_cmp);
        prop_assert_eq!(&seen, &columns[0]);
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits(
        shape in shapes(), task in tasks(), seed in 0_u64..1000, rows in 1_usize..400,
    ) {
        let case = case(&shape, task, rows, seed);
        let tiles = Tiles::new(&case.columns, &case.labels, &vec![0; rows], ROWS, Streams::new(seed));
        let plan = Plan::new(&shape, task);
        let places = tiles.of_fold(0);
        let of = |level: Level| -> Vec<u32> {
            let (mut gradient, mut workspace) = (vec![0.0; case.genes.len()], Workspace::new(&plan));
            level.run(Gradient {
                plan: &plan, tiles: &tiles, places: &places, genes: &case.genes,
                gradient: &mut gradient, workspace: &mut workspace,
            });
            gradient.iter().map(|slope| slope.to_bits()).collect()
        };
        let plain = of(Level::Portable);
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            prop_assert_eq!(&of(level), &plain, "{}", level);
        }
    }
}

#[test]
fn layer_outputs_match_the_plain_version() {
    let layers = [
        Layer { nodes: 3, activation: Activation::Rbf(Width::Softplus) },
        Layer { nodes: 2, activation: Activation::Tanh },
    ];
    let shape = Shape::new(4, &layers).expect("a shape");
    let case = case(&shape, NetworkTask::TwoClasses, 5, 7);
    let wide: Vec<f64> = case.genes.iter().map(|&gene| f64::from(gene)).collect();
    let mut row: Vec<f64> = case.columns.iter().map(|column| f64::from(column[2])).collect();
    for layer in 0..2 {
        let plain = plain_layer(&shape, &wide, layer, &row);
        row = layer_outputs(&shape, &case.genes, layer, &row);
        row.iter().zip(&plain).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{a} {b}"));
    }
}

#[test]
fn gradient_descent_learns_a_ring() {
    // Positives lie inside a circle, which no linear model can separate.
    let mut stream = Streams::new(3).stream(&["ring".into()]);
    let rows: Vec<[f32; 2]> =
        (0..2000).map(|_| [0, 1].map(|_| crate::search::to_f32(stream.range(-1.5, 1.5)))).collect();
    let positive: Vec<bool> = rows.iter().map(|[x, y]| x * x + y * y < 0.6).collect();
    let columns: Vec<Vec<f32>> =
        (0..2).map(|place| rows.iter().map(|row| row[place]).collect()).collect();
    let fold: Vec<u32> = (0..2000).map(|row| row % 5).collect();
    let shape = Shape::new(2, &[Layer { nodes: 4, activation: Activation::Rbf(Width::Softplus) }])
        .expect("a shape");
    let (plan, tiles) = (
        Plan::new(&shape, NetworkTask::TwoClasses),
        Tiles::new(&columns, &[labels(&positive)], &fold, ROWS, Streams::new(1)),
    );
    let some: Vec<Vec<f32>> = rows[..8].iter().map(|row| row.to_vec()).collect();
    let mut adam = Adam::new(plan.initial_genes(&some, &some, &[bias_of(0.2)], &mut stream));
    let schedule = TrainingSchedule {
        rate: 0.05,
        rows_in_tile: ROWS,
        tiles: 1,
        rounds: 60,
        decay: 0.0,
        patience: 60,
    };
    while !adam.is_done(&schedule) {
        adam.round(&plan, &tiles, 0, &schedule, Streams::new(2), Level::best());
    }
    let (loss, _) = adam.best.expect("a best network");
    assert!(loss < 0.1, "{loss}");
}
