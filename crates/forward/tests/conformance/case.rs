//! Shapes, rows, genes and questions by chance.

use pellucid_forward::{Activation, Ask, Inputs, Layer, Shape, Width};

/// A small generator of its own, so that a case is a function of its seed.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number below another.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// What a case is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) rows: usize,
    pub(crate) features: usize,
    pub(crate) most_nodes: usize,
    pub(crate) networks: usize,
}

/// Networks, rows, and what is asked.
pub(crate) struct Case {
    pub(crate) shape: Shape,
    pub(crate) genes: Vec<f32>,
    pub(crate) columns: Vec<Vec<f32>>,
    pub(crate) positive: Vec<bool>,
    /// Marks of the rows of each part but the first.
    pub(crate) parts: Vec<Vec<bool>>,
    pub(crate) asks: Vec<Ask>,
}

impl Case {
    pub(crate) fn new(seed: u64, kind: &Kind) -> Case {
        let mut chance = Chance::new(seed);
        let shape = shape(&mut chance, kind);
        let column = |chance: &mut Chance| {
            // Few distinct values make ties, and now and then a value is far from all others.
            let (steps, outliers) = ([3.0, 16.0, 4096.0][chance.below(3)], chance.below(4) == 0);
            let value = |_| match chance.below(64) {
                0 if outliers => 1e9 * (chance.unit() - 0.5),
                _ => ((chance.unit() - 0.5) * steps).round() * 4.0 / steps,
            };
            (0..kind.rows).map(value).collect()
        };
        let columns = (0..kind.features).map(|_| column(&mut chance)).collect();
        let rare = 1 + chance.below(20);
        let positive = (0..kind.rows).map(|_| chance.below(rare) == 0).collect();
        let genes = (0..kind.networks).flat_map(|_| genes(&mut chance, &shape)).collect();
        let mut mark = |every: usize| (0..kind.rows).map(|_| chance.below(every) == 0).collect();
        let parts = vec![mark(2), mark(2), mark(9)];
        let mut case = Case { shape, genes, columns, positive, parts, asks: Vec::new() };
        case.asks = asks(&mut chance, &case.inputs());
        case
    }

    pub(crate) fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::new(&self.columns, &self.positive).expect("finite numbers");
        for part in &self.parts {
            inputs.add_part(part).expect("a mark for each row");
        }
        inputs
    }

    /// The genes of one network.
    pub(crate) fn network(&self, network: usize) -> &[f32] {
        &self.genes[network * self.shape.genes()..][..self.shape.genes()]
    }

    pub(crate) fn networks(&self) -> usize {
        self.genes.len() / self.shape.genes()
    }
}

fn shape(chance: &mut Chance, kind: &Kind) -> Shape {
    let all = [
        Activation::Rbf(Width::Raw),
        Activation::Rbf(Width::Softplus),
        Activation::Sigmoid,
        Activation::Tanh,
        Activation::Relu,
    ];
    let mut layer = || Layer {
        nodes: 1 + chance.below(kind.most_nodes),
        activation: all[chance.below(all.len())],
    };
    let layers = [layer(), layer()];
    let count = 1 + chance.below(2);
    Shape::new(kind.features, &layers[..count]).expect("a shape")
}

/// Genes of the usual size, without any opinion, or far too large.
fn genes(chance: &mut Chance, shape: &Shape) -> Vec<f32> {
    let mood = chance.below(8);
    let gene = |_| {
        let usual = (chance.unit() - 0.5) * 4.0;
        match (mood, chance.below(12)) {
            (0, _) => 0.0,
            (1, 0) => [f32::MAX, f32::MIN, 1e20, -1e20, f32::INFINITY, f32::NAN][chance.below(6)],
            (2, 0) => usual * 1e10,
            (3, _) => usual.round(),
            (4, 0..8) => -0.0,
            _ => usual,
        }
    };
    (0..shape.genes()).map(gene).collect()
}

fn asks(chance: &mut Chance, inputs: &Inputs) -> Vec<Ask> {
    let mut asks = Vec::new();
    for (number, part) in inputs.parts().iter().enumerate() {
        let rows = part.rows();
        if rows > 0 {
            let tops = [part.share(0.2), 1, rows, 1 + chance.below(rows)];
            let ask = Ask::top(number, tops[chance.below(4)]);
            asks.push(if chance.below(2) == 0 { ask } else { ask.and_pairs() });
        }
        if chance.below(3) == 0 {
            asks.push(Ask::pairs(number));
        }
    }
    asks
}
