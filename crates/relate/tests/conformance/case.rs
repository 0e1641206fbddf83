//! Random worlds with hubs, cycles, empty roles and individuals with many values, and programs over
//! them.

use crate::oracle::pair_set;
use pellucid_data::INDIVIDUAL;
use pellucid_data::Register;
use pellucid_program::{Domain, Edge, Expr, Interval, Op, Quantifier, Role, Value};
use pellucid_relate::{Edges, Links, Property, World};
use pellucid_testdevices::Draw;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const CLASSES: [&str; 4] = ["A", "B", "C", "Empty"];
pub(crate) const ROLES: [&str; 4] = ["r", "hub", "cycle", "none"];

pub(crate) struct Case {
    pub(crate) world: World,
    pub(crate) facts: Facts,
    pub(crate) exprs: Vec<Expr>,
}

/// The facts from which a world was built.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) individuals: u32,
    pub(crate) classes: BTreeMap<String, BTreeSet<u32>>,
    pub(crate) roles: BTreeMap<String, BTreeSet<(u32, u32)>>,
    pub(crate) distinct_numbers: Vec<f64>,
    /// Individuals and indices of distinct numbers.
    pub(crate) numbers: BTreeSet<(u32, u32)>,
    pub(crate) distinct_words: Vec<String>,
    /// Individuals and indices of distinct words.
    pub(crate) words: BTreeSet<(u32, u32)>,
}

impl Case {
    pub(crate) fn draw(draw: &mut Draw, size: u32) -> Case {
        let individuals = 1 + draw.below(size);
        let names: Register = (0..individuals).map(|number| format!("i{number}")).collect();
        let mut world = World::new(Arc::new(names));
        let mut facts = Facts { individuals, ..Facts::default() };
        for class in CLASSES {
            let share = draw.below(5);
            let is_member = |_: &u32| class != "Empty" && draw.below(5) < share;
            let members: BTreeSet<u32> = (0..individuals).filter(is_member).collect();
            world =
                world.class(class, (0..individuals).map(|who| members.contains(&who)).collect());
            facts.classes.insert(class.to_owned(), members);
        }
        for role in ROLES {
            let pairs = edges(draw, role, individuals);
            facts.roles.insert(role.to_owned(), pair_set(&pairs));
            world = world.role(role, Links::new(individuals as usize, pairs));
        }
        // Few or many distinct numbers, from 0 to 4.5.
        let distinct = [9, 9, 200, 3000][draw.below(4) as usize];
        let numbers: Vec<f64> =
            (0..distinct).map(|number| f64::from(number) * 4.5 / f64::from(distinct - 1)).collect();
        let pairs = values(draw, individuals, numbers.len());
        (facts.distinct_numbers, facts.numbers) = (numbers.clone(), pair_set(&pairs));
        let edges = Edges::new(individuals as usize, numbers.len(), pairs);
        world = world.property("number", Property { values: Domain::Numeric(numbers), edges });
        // Sorted in some cases, unsorted in others.
        let mut words = ["x", "yx", "z", ""].map(String::from).to_vec();
        if draw.below(2) == 0 {
            words.extend((0..draw.below(1200)).map(|number| format!("{number:b}x")));
            words.sort_unstable();
        }
        let pairs = values(draw, individuals, words.len());
        (facts.distinct_words, facts.words) = (words.clone(), pair_set(&pairs));
        let edges = Edges::new(individuals as usize, words.len(), pairs);
        world = world.property("word", Property { values: Domain::Nominal(words), edges });
        // A few programs in some cases; in others enough along one role to answer them side by
        // side.
        let number = if size > 10_000 { 90 } else { [4, 30, 700][draw.below(3) as usize] };
        let exprs = (0..number).map(|_| expr(draw, 1 + number % 3, individuals)).collect();
        Case { world, facts, exprs }
    }
}

/// Draws the values of individuals: any number each, one each, or one individual with most of them.
fn values(draw: &mut Draw, individuals: u32, distinct: usize) -> Vec<[u32; 2]> {
    let distinct_values = distinct as u32;
    match draw.below(4) {
        0 => (0..individuals)
            .filter(|who| who % 7 != 3)
            .map(|who| [who, draw.below(distinct_values)])
            .collect(),
        1 => {
            let owner = draw.below(individuals);
            let most = (0..distinct_values).map(|value| [owner, value]);
            most.chain([[draw.below(individuals), 0]]).collect()
        }
        _ => {
            let number = draw.below(3 * individuals);
            (0..number).map(|_| [draw.below(individuals), draw.below(distinct_values)]).collect()
        }
    }
}

fn edges(draw: &mut Draw, role: &str, individuals: u32) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    match role {
        "none" => {}
        "cycle" => pairs.extend((0..individuals).map(|who| [who, (who + 1) % individuals])),
        "hub" => {
            // An individual with hundreds of neighbors, more than a byte can count.
            let hub = draw.below(individuals);
            pairs.extend((0..individuals).filter(|_| draw.below(4) > 0).map(|who| [hub, who]));
            pairs.extend((0..individuals / 3).map(|_| [draw.below(individuals), hub]));
        }
        _ => {
            let number = draw.below(4 * individuals);
            pairs.extend((0..number).map(|_| [draw.below(individuals), draw.below(individuals)]));
        }
    }
    pairs
}

fn expr(draw: &mut Draw, depth: u32, individuals: u32) -> Expr {
    if depth == 0 {
        return leaf(draw, individuals);
    }
    let below = |draw: &mut Draw| expr(draw, depth - 1, individuals);
    match draw.below(9) {
        0 => leaf(draw, individuals),
        1 => Expr::Not(Box::new(below(draw))),
        2 => Expr::and((0..2 + draw.below(3)).map(|_| below(draw)).collect()),
        3 => Expr::or((0..2 + draw.below(3)).map(|_| below(draw)).collect()),
        4 => {
            let role = Role { name: "number".into(), inverse: false };
            Expr::Related(quantifier(draw), role, Box::new(number_filler(draw)))
        }
        5 => {
            let role = Role { name: "word".into(), inverse: false };
            Expr::Related(quantifier(draw), role, Box::new(word_filler(draw)))
        }
        _ => {
            let name = ROLES[draw.below(4) as usize].to_owned();
            let role = Role { name, inverse: draw.below(2) == 0 };
            Expr::Related(quantifier(draw), role, Box::new(below(draw)))
        }
    }
}

fn quantifier(draw: &mut Draw) -> Quantifier {
    let number = match draw.below(12) {
        0 => 9 + draw.below(12),
        1 => 250 + draw.below(20),
        2 => u32::MAX - draw.below(2),
        _ => draw.below(4),
    };
    match draw.below(6) {
        0 | 1 => Quantifier::Some,
        2 => Quantifier::Only,
        3 => Quantifier::Min(number),
        4 => Quantifier::Max(number),
        _ => Quantifier::Exactly(number),
    }
}

fn leaf(draw: &mut Draw, individuals: u32) -> Expr {
    let name = |draw: &mut Draw| Value::Text(format!("i{}", draw.below(individuals + 1)));
    match draw.below(10) {
        0 => Expr::Constant(draw.below(2) == 0),
        1 => Expr::Compare(INDIVIDUAL.into(), Op::Equal, name(draw)),
        2 => Expr::OneOf(INDIVIDUAL.into(), (0..3).map(|_| name(draw)).collect()),
        _ => Expr::Is(CLASSES[draw.below(4) as usize].into()),
    }
}

fn number_filler(draw: &mut Draw) -> Expr {
    let number = |draw: &mut Draw| f64::from(draw.below(20)) / 4.0;
    let column = "number".to_owned();
    match draw.below(7) {
        0 => Expr::Constant(draw.below(2) == 0),
        3 => Expr::OneOf(column, (0..2).map(|_| Value::Number(number(draw))).collect()),
        4 => Expr::and(vec![number_filler(draw), number_filler(draw)]),
        1 => {
            let edge = |draw: &mut Draw| Edge { value: number(draw), closed: draw.below(2) == 0 };
            Expr::Within(column, Interval { low: edge(draw), high: edge(draw) })
        }
        2 => Expr::Not(Box::new(number_filler(draw))),
        _ => Expr::Compare(column, Op::ALL[draw.below(6) as usize], Value::Number(number(draw))),
    }
}

fn word_filler(draw: &mut Draw) -> Expr {
    let word = ["x", "yx", "z", "", "never", "101x", "1", "11"][draw.below(8) as usize].to_owned();
    match draw.below(6) {
        3 => Expr::Not(Box::new(word_filler(draw))),
        4 => Expr::OneOf("word".into(), vec![Value::Text(word), Value::Text("z".into())]),
        0 => Expr::Contains("word".into(), word),
        1 => Expr::or(vec![word_filler(draw), word_filler(draw)]),
        2 => Expr::Compare("word".into(), Op::NotEqual, Value::Text(word)),
        _ => Expr::Compare("word".into(), Op::Equal, Value::Text(word)),
    }
}
