//! Everything bred stays within the grammar, for any number of threads.

use crate::cases::{columns, stream, threads};
use pellucid_cover::{Literal, Table};
use pellucid_learn::rng::{Stream, Streams};
use pellucid_program::{Domain, Op};
use pellucid_rules::breed::{Breeding, Offspring, children, first};
use pellucid_rules::genome::{Population, is_whole, size};
use pellucid_rules::grammar::{Grammar, Vocabulary};
use proptest::prelude::*;

const GENERATIONS: u64 = 8;

fn some<T: Clone>(stream: &mut Stream, all: &[T], share: f64) -> Vec<T> {
    all.iter().filter(|_| stream.chance(share)).cloned().collect()
}

/// Returns a random grammar over a table; `None` if it leaves nothing to compare.
fn grammar(stream: &mut Stream, table: &Table, max_size: usize) -> Option<(Grammar, Vocabulary)> {
    let names: Vec<String> = table.columns().iter().map(|column| column.name().into()).collect();
    let share = [0.0, 0.3, 0.8][stream.index(3)];
    let operators = Grammar::default().operators;
    let grammar = Grammar {
        attributes: some(stream, &names, share),
        forbidden: some(stream, &names, 0.1),
        operators: some(stream, &operators, 0.7),
        max_size,
    };
    let vocabulary = Vocabulary::new(&grammar, table).ok()?;
    Some((grammar, vocabulary))
}

/// Returns whether a grammar can produce a literal, judging by the grammar's words and the table's
/// values.
fn is_allowed(grammar: &Grammar, table: &Table, literal: Literal) -> bool {
    let index = literal.column() as usize;
    let column = &table.columns()[index];
    let mut occurring: Vec<u32> =
        (0..table.rows()).filter_map(|row| table.rank(row, index)).collect();
    occurring.sort_unstable();
    occurring.dedup();
    let (plain, opposite, rank_is_good) = match column.domain() {
        Domain::Numeric(_) => {
            (Op::Greater, Op::LessEqual, literal.rank() + 1 < occurring.len() as u32)
        }
        Domain::Nominal(_) => {
            (Op::Equal, Op::NotEqual, occurring.len() > 1 && occurring.contains(&literal.rank()))
        }
        Domain::Boolean => {
            let is_true = |row: &usize| table.rank(*row, index) == Some(1);
            let truths = (0..table.rows()).filter(is_true).count();
            let varies = truths > 0 && truths < table.rows();
            (Op::Equal, Op::NotEqual, varies && literal.rank() == 0)
        }
    };
    let op = if literal.is_opposite() { opposite } else { plain };
    let is_listed = |names: &[String]| names.iter().any(|name| name == column.name());
    let named = (grammar.attributes.is_empty() || is_listed(&grammar.attributes))
        && !is_listed(&grammar.forbidden);
    named && rank_is_good && grammar.operators.iter().any(|symbol| symbol == op.symbol())
}

/// Returns the first generation and the next ones, with random fitness.
fn generations(
    vocabulary: &Vocabulary,
    breeding: &Breeding,
    seed: u64,
    count: usize,
) -> Vec<(Offspring, Vec<f64>)> {
    let (streams, threads) = (Streams::new(seed), threads(count));
    let mut all: Vec<(Offspring, Vec<f64>)> = Vec::new();
    for number in 0..GENERATIONS {
        let offspring = match all.last() {
            None => first(vocabulary, breeding.population, streams.at("first"), &threads),
            Some((parents, fitness)) => {
                let streams = streams.at("breed").at(number);
                children(vocabulary, breeding, &parents.rules, fitness, streams, &threads)
            }
        };
        let mut chance = streams.at("fitness").stream(&[number.into()]);
        let fitness = (0..offspring.rules.len()).map(|_| chance.index(5) as f64).collect();
        all.push((offspring, fitness));
    }
    all
}

fn has(
    rules: &Population,
    fitness: &[f64],
    genes: &[pellucid_rules::genome::Gene],
    known: f64,
) -> bool {
    rules.iter().zip(fitness).any(|(mine, &fitness)| mine == genes && fitness == known)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: pellucid_testdata::cases(60), ..ProptestConfig::default() })]

    #[test]
    fn rules_stay_within_the_grammar(
        seed: u64,
        rows in 2usize..40,
        max_size in 5usize..60,
        population in 2usize..40,
        crossover in prop::sample::select(vec![0.0, 0.5, 1.0]),
        mutation in prop::sample::select(vec![0.0, 0.5, 1.0]),
        tournament in 1usize..4,
    ) {
        let mut draw = stream(seed);
        let table = Table::new(columns(&mut draw, rows)).unwrap();
        let drawn = grammar(&mut draw, &table, max_size);
        prop_assume!(drawn.is_some());
        let (grammar, vocabulary) = drawn.unwrap();
        let breeding =
            Breeding { population, crossover, mutation, tournament, ..Breeding::default() };
        let all = generations(&vocabulary, &breeding, seed, 1);
        for (number, (offspring, _)) in all.iter().enumerate() {
            prop_assert_eq!(offspring.rules.len(), population);
            prop_assert_eq!(offspring.known.len(), population);
            let unknown = offspring.known.iter().filter(|known| known.is_none()).count();
            prop_assert_eq!(offspring.formulas.len(), unknown);
            for (genes, known) in offspring.rules.iter().zip(&offspring.known) {
                prop_assert!(is_whole(genes), "{:?}", genes);
                prop_assert!(size(genes) <= max_size, "{} of {}", size(genes), max_size);
                for gene in genes {
                    prop_assert!(is_allowed(&grammar, &table, gene.literal), "{:?}", gene);
                    prop_assert!(vocabulary.allows(gene.literal), "{:?}", gene);
                }
                if let Some(known) = *known {
                    let (parents, fitness) = &all[number - 1];
                    prop_assert!(has(&parents.rules, fitness, genes, known), "no such parent");
                }
            }
        }
        for count in [2, 3] {
            for (one, many) in all.iter().zip(generations(&vocabulary, &breeding, seed, count)) {
                prop_assert_eq!(&one.0.rules, &many.0.rules, "{} threads", count);
                prop_assert_eq!(&one.0.known, &many.0.known, "{} threads", count);
            }
        }
    }

    #[test]
    fn a_vocabulary_allows_what_the_grammar_allows(seed: u64, rows in 1usize..30) {
        let mut draw = stream(seed);
        let table = Table::new(columns(&mut draw, rows)).unwrap();
        let drawn = grammar(&mut draw, &table, 50);
        prop_assume!(drawn.is_some());
        let (grammar, vocabulary) = drawn.unwrap();
        for (index, column) in (0u32..).zip(table.columns()) {
            for (rank, opposite) in
                (0..=column.ranks() as u32).flat_map(|rank| [(rank, false), (rank, true)])
            {
                let literal = Literal::new(index, rank, opposite);
                let expected = is_allowed(&grammar, &table, literal);
                prop_assert_eq!(vocabulary.allows(literal), expected, "{:?}", literal);
            }
        }
    }

    /// A cut point that is never tried can never be learned.
    #[test]
    fn every_gap_between_spread_numbers_is_drawn(seed: u64, low: bool, high: bool) {
        let mut numbers = vec![0.0, 1.0, 2.0, 3.0];
        numbers.extend(low.then_some(f64::NEG_INFINITY));
        numbers.extend(high.then_some(f64::INFINITY));
        let gaps = numbers.len() as u32 - 1;
        let table = Table::new(vec![("x".into(), pellucid_data::Values::Numeric(numbers.into()))]).unwrap();
        let vocabulary = Vocabulary::new(&Grammar::default(), &table).unwrap();
        let mut draw = stream(seed);
        let mut drawn: Vec<u32> = (0..500).map(|_| vocabulary.comparison(&mut draw).rank()).collect();
        drawn.sort_unstable();
        drawn.dedup();
        prop_assert_eq!(drawn, (0..gaps).collect::<Vec<_>>());
    }
}
