//! Random shapes, rows, genes and requests.

use pellucid_forward::{Activation, Inputs, Layer, RankRequest, Shape, Width};
use pellucid_testdevices::Draw;

/// The sizes of a case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) rows: usize,
    pub(crate) features: usize,
    pub(crate) most_nodes: usize,
    pub(crate) networks: usize,
}

/// Networks, rows and requests.
pub(crate) struct Case {
    pub(crate) shape: Shape,
    pub(crate) genes: Vec<f32>,
    pub(crate) columns: Vec<Vec<f32>>,
    pub(crate) positive: Vec<bool>,
    /// The rows of each part except the first, as flags.
    pub(crate) parts: Vec<Vec<bool>>,
    pub(crate) asks: Vec<RankRequest>,
}

impl Case {
    pub(crate) fn new(seed: u64, kind: &Kind) -> Case {
        let mut draw = Draw::new(seed);
        let shape = shape(&mut draw, kind);
        Case::with_shape(&mut draw, kind, shape)
    }

    /// Networks with one layer of as many RBF nodes as there may be.
    #[allow(dead_code, reason = "not every test that includes this file uses it")]
    pub(crate) fn radial(seed: u64, kind: &Kind) -> Case {
        let layer = Layer { nodes: kind.most_nodes, activation: Activation::Rbf(Width::Raw) };
        let shape = Shape::new(kind.features, &[layer]).expect("a shape");
        Case::with_shape(&mut Draw::new(seed), kind, shape)
    }

    fn with_shape(draw: &mut Draw, kind: &Kind, shape: Shape) -> Case {
        let column = |draw: &mut Draw| {
            // Few distinct values give ties, and some values are outliers.
            let (steps, outliers) = ([3.0, 16.0, 4096.0][draw.index(3)], draw.index(4) == 0);
            let value = |_| match draw.index(64) {
                0 if outliers => 1e9 * (draw.unit() - 0.5),
                _ => ((draw.unit() - 0.5) * steps).round() * 4.0 / steps,
            };
            (0..kind.rows).map(value).collect()
        };
        let columns = (0..kind.features).map(|_| column(draw)).collect();
        let rare = 1 + draw.index(20);
        let positive = (0..kind.rows).map(|_| draw.index(rare) == 0).collect();
        let genes = (0..kind.networks).flat_map(|_| genes(draw, &shape)).collect();
        let mut mark = |every: usize| (0..kind.rows).map(|_| draw.index(every) == 0).collect();
        let parts = vec![mark(2), mark(2), mark(9)];
        let mut case = Case { shape, genes, columns, positive, parts, asks: Vec::new() };
        case.asks = asks(draw, &case.inputs());
        case
    }

    pub(crate) fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::new(&self.columns, &self.positive).expect("finite numbers");
        for part in &self.parts {
            inputs.add_part(part).expect("a flag for each row");
        }
        inputs
    }

    /// Returns the genes of one network.
    pub(crate) fn network(&self, network: usize) -> &[f32] {
        &self.genes[network * self.shape.genes()..][..self.shape.genes()]
    }

    pub(crate) fn networks(&self) -> usize {
        self.genes.len() / self.shape.genes()
    }
}

fn shape(draw: &mut Draw, kind: &Kind) -> Shape {
    let all = [
        Activation::Rbf(Width::Raw),
        Activation::Rbf(Width::Softplus),
        Activation::Sigmoid,
        Activation::Tanh,
        Activation::Relu,
    ];
    let mut layer =
        || Layer { nodes: 1 + draw.index(kind.most_nodes), activation: all[draw.index(all.len())] };
    let layers = [layer(), layer()];
    let count = 1 + draw.index(2);
    Shape::new(kind.features, &layers[..count]).expect("a shape")
}

/// Returns genes of the usual size, zero genes, or far too large genes.
fn genes(draw: &mut Draw, shape: &Shape) -> Vec<f32> {
    let mood = draw.index(8);
    let gene = |_| {
        let usual = (draw.unit() - 0.5) * 4.0;
        match (mood, draw.index(12)) {
            (0, _) => 0.0,
            (1, 0) => [f32::MAX, f32::MIN, 1e20, -1e20, f32::INFINITY, f32::NAN][draw.index(6)],
            (2, 0) => usual * 1e10,
            (3, _) => usual.round(),
            (4, 0..8) => -0.0,
            _ => usual,
        }
    };
    (0..shape.genes()).map(gene).collect()
}

fn asks(draw: &mut Draw, inputs: &Inputs) -> Vec<RankRequest> {
    let mut asks = Vec::new();
    for (number, part) in inputs.parts().iter().enumerate() {
        let rows = part.rows();
        if rows > 0 {
            let tops = [part.share(0.2), 1, rows, 1 + draw.index(rows)];
            let ask = RankRequest::top(number, tops[draw.index(4)]);
            asks.push(if draw.index(2) == 0 { ask } else { ask.and_pairs() });
        }
        if draw.index(3) == 0 {
            asks.push(RankRequest::pairs(number));
        }
    }
    asks
}
