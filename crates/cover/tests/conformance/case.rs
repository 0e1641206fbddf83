//! Generates tables, labels and programs with many edge cases.

use pellucid_cover::{Hypothesis, Labels, Table, UNCOUNTED};
use pellucid_data::{MISSING, Values};
use pellucid_program::{Edge, Expr, Interval, Op, Value};
use pellucid_testdevices::Draw;

#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) roots: usize,
    pub(crate) bags: bool,
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<(String, Values)>,
    pub(crate) bag_of_row: Option<Vec<u32>>,
    /// One class code per row or bag.
    pub(crate) codes: Vec<u32>,
    /// The weight of each row or bag for each class, if they are weighted.
    pub(crate) weights: Option<Vec<Vec<u32>>>,
    pub(crate) classes: usize,
    pub(crate) hypothesis: Hypothesis,
    pub(crate) exprs: Vec<Expr>,
}

impl Case {
    pub(crate) fn new(seed: u64, shape: &Shape) -> Case {
        let mut draw = Draw::new(seed);
        let columns: Vec<_> = (0..shape.columns)
            .map(|index| (format!("c{index}"), column(&mut draw, shape.rows)))
            .collect();
        let bag_of_row = shape.bags.then(|| bags(&mut draw, shape.rows));
        let exprs = (0..shape.roots).map(|_| expr(&mut draw, &columns, 4)).collect();
        let hypothesis = match (shape.bags, draw.below(5)) {
            (false, _) => Hypothesis::Rows,
            (true, 0 | 1) => Hypothesis::Presence,
            (true, 2) => Hypothesis::AtLeast(draw.below(6)),
            (true, 3) => Hypothesis::Between(draw.below(4), draw.below(9)),
            (true, _) => Hypothesis::Between(0, draw.below(3)),
        };
        Case::with_labels(&mut draw, shape.rows, columns, bag_of_row, hypothesis, exprs)
    }

    /// Returns a case with a column of distinct values, and comparisons equal to, between and
    /// beyond them.
    pub(crate) fn distinct(rows: usize) -> Case {
        let mut draw = Draw::new(3);
        let numbers: Vec<f64> =
            (0..rows).map(|row| ((row * 7_919) % rows) as f64 * 0.5 - 1000.0).collect();
        let constants =
            [-1e9, -1000.0, -999.75, 0.0, 16_000.25, numbers[5], 33_999.5, 34_000.0, 1e9];
        let compare = |(op, constant)| Expr::Compare("x".into(), op, Value::Number(constant));
        let exprs = Op::ALL
            .into_iter()
            .flat_map(|op| constants.map(|constant| (op, constant)))
            .map(compare)
            .collect();
        Case::with_labels(
            &mut draw,
            rows,
            vec![("x".into(), Values::Numeric(numbers.into()))],
            None,
            Hypothesis::Rows,
            exprs,
        )
    }

    /// Returns a case with `and`, `or` and `not` nested alternately.
    pub(crate) fn deep(depth: usize) -> Case {
        let mut draw = Draw::new(11);
        let columns: Vec<_> =
            (0..4).map(|index| (format!("c{index}"), column(&mut draw, 700))).collect();
        let mut exprs = Vec::new();
        for _ in 0..3 {
            let mut nested = leaf(&mut draw, &columns);
            for level in 0..depth {
                let other = leaf(&mut draw, &columns);
                nested = match level % 3 {
                    0 => Expr::and(vec![nested, other]),
                    1 => Expr::or(vec![nested, other]),
                    _ => Expr::Not(Box::new(nested)),
                };
            }
            exprs.push(nested);
        }
        Case::with_labels(&mut draw, 700, columns, None, Hypothesis::Rows, exprs)
    }

    /// Returns a case with more distinct leaves than fit into any second-level cache with a full
    /// tile.
    pub(crate) fn wide() -> Case {
        let mut draw = Draw::new(17);
        let rows = 4_400;
        let columns: Vec<(String, Values)> = (0..8)
            .map(|index| {
                let numbers = (0..rows).map(|_| f64::from(draw.below(30_000))).collect();
                (format!("c{index}"), Values::Numeric(numbers))
            })
            .collect();
        let exprs = (0..40)
            .map(|_| {
                Expr::or(
                    (0..40)
                        .map(|_| Expr::and((0..20).map(|_| leaf(&mut draw, &columns)).collect()))
                        .collect(),
                )
            })
            .collect();
        Case::with_labels(&mut draw, rows, columns, None, Hypothesis::Rows, exprs)
    }

    /// Returns a case with bags of 1 to 1,044 rows, as in Musk2.
    pub(crate) fn ragged(hypothesis: Hypothesis) -> Case {
        let mut draw = Draw::new(23);
        let sizes: Vec<usize> = (0..102)
            .map(|bag| if bag == 60 { 1_044 } else { 1 + (bag * bag * 37) % 190 })
            .collect();
        let bag_of_row: Vec<u32> =
            sizes.iter().enumerate().flat_map(|(bag, &size)| vec![bag as u32; size]).collect();
        let rows = bag_of_row.len();
        let columns: Vec<_> =
            (0..4).map(|index| (format!("c{index}"), column(&mut draw, rows))).collect();
        let exprs = (0..10).map(|_| expr(&mut draw, &columns, 3)).collect();
        Case::with_labels(&mut draw, rows, columns, Some(bag_of_row), hypothesis, exprs)
    }

    fn with_labels(
        draw: &mut Draw,
        rows: usize,
        columns: Vec<(String, Values)>,
        bag_of_row: Option<Vec<u32>>,
        hypothesis: Hypothesis,
        exprs: Vec<Expr>,
    ) -> Case {
        let classes = 1 + draw.below(4) as usize;
        let examples = bag_of_row
            .as_ref()
            .map_or(rows, |bags| bags.iter().max().map_or(0, |&last| last as usize + 1));
        let code = |draw: &mut Draw| {
            if draw.below(7) == 0 { UNCOUNTED } else { draw.below(classes as u32) }
        };
        let codes = (0..examples).map(|_| code(draw)).collect();
        let weights =
            (draw.below(2) == 0).then(|| (0..classes).map(|_| weights(draw, examples)).collect());
        Case { rows, columns, bag_of_row, codes, weights, classes, hypothesis, exprs }
    }

    pub(crate) fn table(&self) -> Table {
        match &self.bag_of_row {
            None => Table::new(self.columns.clone()),
            Some(bag_of_row) => Table::with_bags(self.columns.clone(), bag_of_row),
        }
        .expect("a table")
    }

    pub(crate) fn labels(&self, table: &Table) -> Labels {
        let weights = self.weights.iter().flatten().map(Vec::as_slice).collect::<Vec<_>>();
        match (&self.bag_of_row, &self.weights) {
            (None, None) => Labels::rows(table, &self.codes, self.classes),
            (Some(_), None) => Labels::bags(table, &self.codes, self.classes),
            (None, Some(_)) => Labels::weighted_rows(table, &weights),
            (Some(_), Some(_)) => Labels::weighted_bags(table, &weights),
        }
        .expect("labels")
    }
}

const EDGES: [f64; 9] = [
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
];

fn number(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => EDGES[draw.below(9) as usize],
        1 | 2 => f64::from(draw.below(2000)) * 0.25 - 250.0,
        _ => f64::from(draw.below(9)) - 4.0,
    }
}

fn column(draw: &mut Draw, rows: usize) -> Values {
    let missing = if draw.below(2) == 0 { 0 } else { 1 + draw.below(6) };
    let is_missing = |draw: &mut Draw| draw.below(10) < missing;
    match draw.below(10) {
        0 => Values::Boolean(
            (0..rows).map(|_| (!is_missing(draw)).then(|| draw.below(2) == 1)).collect(),
        ),
        1..3 => {
            let categories: Vec<String> =
                (0..1 + draw.below(9)).map(|code| format!("k {code}")).collect();
            // The last category may never occur.
            let used = (categories.len() as u32 - draw.below(2)).max(1);
            let codes = (0..rows)
                .map(|_| if is_missing(draw) { MISSING } else { draw.below(used) })
                .collect();
            Values::Nominal { codes, categories }
        }
        3 => Values::Numeric(vec![number(draw); rows].into()),
        4 => Values::Numeric(vec![f64::NAN; rows].into()),
        _ => Values::Numeric(
            (0..rows).map(|_| if is_missing(draw) { f64::NAN } else { number(draw) }).collect(),
        ),
    }
}

fn bags(draw: &mut Draw, rows: usize) -> Vec<u32> {
    let largest = [1, 3, 12, 80, 1100][draw.below(5) as usize];
    let mut bag_of_row = Vec::with_capacity(rows);
    let mut bag = 0;
    while bag_of_row.len() < rows {
        let size = 1 + draw.below(largest) as usize;
        bag_of_row.extend(std::iter::repeat_n(bag, size.min(rows - bag_of_row.len())));
        bag += 1;
    }
    // The rows of a bag do not have to be adjacent.
    for row in (1..rows).rev() {
        bag_of_row.swap(row, draw.below(row as u32 + 1) as usize);
    }
    bag_of_row
}

/// Returns random weights: all zero, of one bit (like two overlapping classes), of eight bits, or
/// of up to 32 bits.
fn weights(draw: &mut Draw, examples: usize) -> Vec<u32> {
    let bits = [0, 1, 1, 8, 31, 32][draw.below(6) as usize];
    (0..examples).map(|_| (u64::from(draw.below(u32::MAX)) % (1 << bits)) as u32).collect()
}

fn expr(draw: &mut Draw, columns: &[(String, Values)], depth: u32) -> Expr {
    let operands =
        |draw: &mut Draw| (0..1 + draw.below(5)).map(|_| expr(draw, columns, depth - 1)).collect();
    match draw.below(if depth == 0 { 1 } else { 8 }) {
        0..2 => leaf(draw, columns),
        2 => Expr::Not(Box::new(expr(draw, columns, depth - 1))),
        3 if draw.below(8) == 0 => Expr::Constant(draw.below(2) == 0),
        3..6 => Expr::and(operands(draw)),
        _ => Expr::or(operands(draw)),
    }
}

fn leaf(draw: &mut Draw, columns: &[(String, Values)]) -> Expr {
    let (name, values) = &columns[draw.below(columns.len() as u32) as usize];
    let name = name.clone();
    match values {
        Values::Boolean(_) => Expr::Is(name),
        Values::Nominal { categories, .. } => {
            let text = |draw: &mut Draw| {
                let code = draw.below(categories.len() as u32 + 1) as usize;
                Value::Text(categories.get(code).cloned().unwrap_or_else(|| "never seen".into()))
            };
            match draw.below(4) {
                3 => {
                    let Value::Text(text) = text(draw) else {
                        unreachable!("categories are texts")
                    };
                    let letters = draw.below(3) as usize;
                    Expr::Contains(name, text.chars().skip(letters).take(letters).collect())
                }
                0 => Expr::Compare(name, Op::Equal, text(draw)),
                1 => Expr::Compare(name, Op::NotEqual, text(draw)),
                _ => Expr::OneOf(name, (0..draw.below(4)).map(|_| text(draw)).collect()),
            }
        }
        Values::Numeric(numbers) => {
            let constant = |draw: &mut Draw| match (draw.below(3), numbers.len()) {
                (0, 1..) => Some(numbers[draw.below(numbers.len() as u32) as usize])
                    .filter(|number| !number.is_nan()),
                (1, 1..) => Some(f64::from(draw.below(30_000)) + 0.5),
                _ => None,
            };
            let constant = |draw: &mut Draw| constant(draw).unwrap_or_else(|| number(draw));
            match draw.below(8) {
                0 => Expr::OneOf(
                    name,
                    (0..draw.below(4)).map(|_| Value::Number(constant(draw))).collect(),
                ),
                1 => {
                    let edge = |draw: &mut Draw| Edge {
                        value: constant(draw),
                        closed: draw.below(2) == 0,
                    };
                    Expr::Within(name, Interval { low: edge(draw), high: edge(draw) })
                }
                _ => Expr::Compare(
                    name,
                    Op::ALL[draw.below(6) as usize],
                    Value::Number(constant(draw)),
                ),
            }
        }
    }
}
