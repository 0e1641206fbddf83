//! Tests combinations of given rows on every instruction set against the same formulas evaluated
//! bit by bit.

#![allow(clippy::cast_possible_truncation, reason = "small sizes")]

use pellucid_bits::{BLOCK_BITS, Block, Level};
use pellucid_cover::plan::{Combinations, Term};
use pellucid_testdevices::cases;
use proptest::prelude::*;

/// The definition of a term.
#[derive(Clone, Debug)]
enum Definition {
    Constant(bool),
    Given(usize),
    Not(usize),
    All(Vec<usize>),
    Any(Vec<usize>),
}

const ROWS: usize = 6;
const CLASSES: usize = 3;

fn definitions() -> impl Strategy<Value = Vec<Definition>> {
    let some = || prop::collection::vec(any::<prop::sample::Index>(), 0..5);
    let step = prop_oneof![
        1 => any::<bool>().prop_map(|value| (0, usize::from(value), Vec::new())),
        4 => (0..ROWS).prop_map(|row| (1, row, Vec::new())),
        3 => some().prop_map(|operands| (2, 0, operands)),
        3 => some().prop_map(|operands| (3, 0, operands)),
        2 => some().prop_map(|operands| (4, 0, operands)),
    ];
    prop::collection::vec(step, 1..40).prop_map(|steps| {
        let steps = steps.into_iter().enumerate();
        let built = steps.map(|(index, (kind, number, operands))| {
            let before = |earlier: prop::sample::Index| earlier.index(index);
            let operands: Vec<usize> =
                if index == 0 { Vec::new() } else { operands.into_iter().map(before).collect() };
            match (kind, operands.first()) {
                (0, _) => Definition::Constant(number == 1),
                (2, _) => Definition::All(operands),
                (3, _) => Definition::Any(operands),
                (4, Some(&operand)) => Definition::Not(operand),
                _ => Definition::Given(number),
            }
        });
        built.collect()
    })
}

/// Returns the value of each term for one bit. Operands precede the terms that use them.
fn truth_values(definitions: &[Definition], rows: &[Vec<Block>], bit: usize) -> Vec<bool> {
    let mut values: Vec<bool> = Vec::new();
    for definition in definitions {
        let value = match definition {
            Definition::Constant(value) => *value,
            Definition::Given(row) => rows[*row][bit / BLOCK_BITS].get(bit % BLOCK_BITS),
            Definition::Not(operand) => !values[*operand],
            Definition::All(operands) => operands.iter().all(|&operand| values[operand]),
            Definition::Any(operands) => operands.iter().any(|&operand| values[operand]),
        };
        values.push(value);
    }
    values
}

fn terms(combinations: &mut Combinations, definitions: &[Definition]) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for definition in definitions {
        let of = |operands: &[usize]| -> Vec<Term> {
            operands.iter().map(|&operand| terms[operand]).collect()
        };
        let term = match definition {
            Definition::Constant(value) => Term::constant(*value),
            Definition::Given(row) => combinations.given(*row as u32),
            Definition::Not(operand) => !terms[*operand],
            Definition::All(operands) => combinations.all(&of(operands)),
            Definition::Any(operands) => combinations.any(&of(operands)),
        };
        terms.push(term);
    }
    terms
}

fn random_blocks(count: usize, draw: &mut u64) -> Vec<Block> {
    let mut word = || {
        *draw =
            draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *draw ^ *draw >> 31
    };
    (0..count).map(|_| Block(std::array::from_fn(|_| word()))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), ..ProptestConfig::default() })]

    #[test]
    fn bits_and_counts_are_those_of_the_formulas(
        chosen in definitions(),
        seed: u64,
        blocks in 1usize..7,
        skipped in 0usize..3,
    ) {
        let mut draw = seed;
        let rows: Vec<Vec<Block>> = (0..ROWS).map(|_| random_blocks(blocks, &mut draw)).collect();
        let given: Vec<&[Block]> = rows.iter().map(Vec::as_slice).collect();
        let masks = random_blocks(blocks * CLASSES, &mut draw);
        let range = skipped.min(blocks - 1)..blocks;
        let bits_of = range.start * BLOCK_BITS..range.end * BLOCK_BITS;
        let expected_bits: Vec<Vec<bool>> = bits_of.map(|bit| truth_values(&chosen, &rows, bit)).collect();

        let mut combinations = Combinations::default();
        for round in 0..2 {
            combinations.clear();
            let roots = terms(&mut combinations, &chosen);
            let plan = combinations.plan(&roots);
            prop_assert_eq!(plan.roots(), chosen.len());
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let mut bits = vec![vec![Block::ZERO; range.len()]; roots.len()];
                let mut out: Vec<&mut [Block]> = bits.iter_mut().map(Vec::as_mut_slice).collect();
                plan.bits(level, &given, range.clone(), &mut out);
                let mut counts = vec![1; roots.len() * CLASSES];
                plan.counts(level, &given, range.clone(), (&masks, CLASSES), &mut counts);
                for root in 0..roots.len() {
                    let mut expected = [1u64; CLASSES];
                    for (bit, values) in expected_bits.iter().enumerate() {
                        let (block, lane) = (bit / BLOCK_BITS, bit % BLOCK_BITS);
                        let found = bits[root][block].get(lane);
                        prop_assert_eq!(
                            found, values[root],
                            "{} in round {}: {:?}", level, round, chosen[root]
                        );
                        let masks = &masks[(range.start + block) * CLASSES..];
                        for (mask, expected) in masks.iter().zip(&mut expected) {
                            *expected += u64::from(values[root] && mask.get(lane));
                        }
                    }
                    prop_assert_eq!(&counts[root * CLASSES..][..CLASSES], expected);
                }
            }
            combinations.take_back(plan);
        }
    }
}
