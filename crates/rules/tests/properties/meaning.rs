//! A rule means the same as formulas for the engine and as an expression for people.

use crate::cases::{bag_of_row, columns, literal_holds, plain_machine, stream};
use pellucid_cover::{Formulas, Hypothesis, Labels, Session, Table};
use pellucid_learn::rng::Stream;
use pellucid_program::Expr;
use pellucid_rules::genome::{Gene, Link, conjunction_end, expr, size, write};
use pellucid_rules::grammar::{COMPARISON_SIZE, Grammar, Vocabulary};
use pellucid_rules::train::readable;
use proptest::prelude::*;
use std::sync::Arc;

/// The largest size that a grammar may allow.
const MAX_SIZE: usize = 1000;

/// Returns a rule of at most this many comparisons with links of any kind; few or most of them
/// flipped.
fn genes(stream: &mut Stream, vocabulary: &Vocabulary, most: usize) -> Vec<Gene> {
    let comparisons = 1 + stream.index(most);
    let (flips, ors) = ([0.0, 0.2, 0.5, 0.9][stream.index(4)], [0.2, 0.5, 0.8][stream.index(3)]);
    (1..=comparisons)
        .map(|number| {
            let link = if stream.chance(ors) { Link::Or } else { Link::And };
            let link = if stream.chance(flips) { link.flipped() } else { link };
            let link = if number == comparisons { Link::End } else { link };
            Gene { literal: vocabulary.comparison(stream), link }
        })
        .collect()
}

/// Returns whether a rule is true for a row, by definition: conjunctions, and the list of them,
/// nest to the right.
fn holds(genes: &[Gene], table: &Table, row: usize) -> bool {
    let end = conjunction_end(genes, 0);
    let own = conjunction_holds(&genes[..end], table, row);
    match genes[end - 1].link {
        Link::Or => own || holds(&genes[end..], table, row),
        Link::FlippedOr => own && holds(&genes[end..], table, row),
        _ => own,
    }
}

fn conjunction_holds(genes: &[Gene], table: &Table, row: usize) -> bool {
    let own = literal_holds(genes[0].literal, table, row);
    match genes[0].link {
        Link::And => own && conjunction_holds(&genes[1..], table, row),
        Link::FlippedAnd => own || conjunction_holds(&genes[1..], table, row),
        _ => own,
    }
}

/// Checks that rules over a random table mean the same in every form.
fn check(
    seed: u64,
    rows: usize,
    has_bags: bool,
    mut rule: impl FnMut(&mut Stream, &Vocabulary) -> Vec<Gene>,
) {
    let mut draw = stream(seed);
    let values = columns(&mut draw, rows);
    let of_row = bag_of_row(&mut draw, rows);
    let table = if has_bags { Table::with_bags(values, &of_row) } else { Table::new(values) };
    let table = Arc::new(table.unwrap());
    let Ok(vocabulary) = Vocabulary::new(&Grammar::default(), &table) else { return };
    let (labels, hypothesis) = if has_bags {
        let codes: Vec<u32> = (0..=of_row[rows - 1]).map(|bag| bag % 2).collect();
        let hypotheses = [Hypothesis::Presence, Hypothesis::AtLeast(2), Hypothesis::Between(1, 3)];
        (Labels::bags(&table, &codes, 2), hypotheses[draw.index(3)])
    } else {
        let codes: Vec<u32> = (0..rows as u32).map(|row| row % 2).collect();
        (Labels::rows(&table, &codes, 2), Hypothesis::Rows)
    };
    let machine = plain_machine();
    let mut session =
        Session::new(Arc::clone(&table), labels.unwrap(), hypothesis, &machine.devices).unwrap();
    let rules: Vec<Vec<Gene>> = (0..6).map(|_| rule(&mut draw, &vocabulary)).collect();
    let (mut formulas, mut plain, mut parsed) = (Formulas::new(), Vec::new(), Vec::new());
    for rule in &rules {
        write(rule, &mut formulas);
        let programs = session.programs_mut();
        plain.push(programs.add(&expr(rule, &|literal| literal.expr(&table))).unwrap());
        // Models store conditions as text.
        let text =
            expr(rule, &|literal| readable(literal, &table, &Grammar::default())).to_string();
        parsed.push(programs.add(&text.parse::<Expr>().unwrap()).unwrap());
    }
    let counted = session.tally_formulas(&formulas).unwrap();
    let covered = session.cover_formulas(&formulas).unwrap();
    for roots in [&plain, &parsed] {
        session.forget_counts();
        assert_eq!(session.tally(roots).unwrap(), counted);
        let rows = session.cover(roots).unwrap();
        for (index, rule) in rules.iter().enumerate() {
            assert!(rows.ones(index).eq(covered.ones(index)), "{rule:?}");
        }
    }
    for (index, rule) in rules.iter().enumerate() {
        let expected = (0..rows).filter(|&row| holds(rule, &table, row));
        assert!(covered.ones(index).eq(expected), "{rule:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: pellucid_testdata::cases(80), ..ProptestConfig::default() })]

    #[test]
    fn formulas_and_expressions_agree(seed: u64, rows in 2usize..120, has_bags: bool) {
        check(seed, rows, has_bags, |draw, vocabulary| genes(draw, vocabulary, 12));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: pellucid_testdata::cases(30), ..ProptestConfig::default() })]

    #[test]
    fn long_rules_that_need_parts_agree(seed: u64, rows in 2usize..200, has_bags: bool) {
        check(seed, rows, has_bags, |draw, vocabulary| genes(draw, vocabulary, 48));
    }
}

/// The conditions of the deepest rules of the largest grammar can be parsed.
#[test]
fn the_largest_rules_agree() {
    let comparisons = (MAX_SIZE - 1) / COMPARISON_SIZE;
    let patterns = [
        vec![Link::And, Link::FlippedAnd],
        vec![Link::Or, Link::FlippedOr],
        vec![Link::FlippedOr],
        vec![Link::FlippedAnd, Link::And, Link::FlippedOr, Link::And, Link::FlippedAnd, Link::Or],
    ];
    for (seed, pattern) in (0..).zip(patterns) {
        check(seed, 300, seed % 2 == 0, |draw, vocabulary| {
            let mut genes: Vec<Gene> = pattern
                .iter()
                .cycle()
                .take(comparisons)
                .map(|&link| Gene { literal: vocabulary.comparison(draw), link })
                .collect();
            // Conjunctions have a size of their own.
            while size(&genes) > MAX_SIZE {
                genes.pop();
            }
            genes.last_mut().unwrap().link = Link::End;
            genes
        });
    }
}
