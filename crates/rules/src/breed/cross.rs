//! Crossover: two rules swap subtrees with the same root symbol.

use crate::genome::{Gene, conjunction_end, size};
use crate::grammar::Vocabulary;
use pellucid_learn::rng::Stream;

/// The symbols of the grammar that have subtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Antecedent,
    Conjunction,
    Comparison,
    Operator,
    Pair,
}

/// A non-terminal: its symbol and its first gene.
#[derive(Clone, Copy, Debug)]
struct Node {
    symbol: Symbol,
    gene: usize,
}

/// Returns a non-terminal of a rule by its number in a preorder walk.
fn node(genes: &[Gene], number: usize) -> Node {
    let mut left = number;
    let mut first = true;
    for (gene, stored) in genes.iter().enumerate() {
        let symbols: &[Symbol] = if first { &FROM_THE_FIRST } else { &FROM_THE_FIRST[1..] };
        if let Some(&symbol) = symbols.get(left) {
            return Node { symbol, gene };
        }
        left -= symbols.len();
        first = !stored.link.is_inside();
    }
    Node { symbol: Symbol::Antecedent, gene: 0 }
}

const FROM_THE_FIRST: [Symbol; 5] =
    [Symbol::Antecedent, Symbol::Conjunction, Symbol::Comparison, Symbol::Operator, Symbol::Pair];

/// Crosses two rules into two children. A child that is larger than the grammar allows is a copy of
/// its own parent; so are both if the second parent does not contain the symbol chosen in the
/// first. Returns which children are copies.
pub(super) fn cross(
    vocabulary: &Vocabulary,
    parents: (&[Gene], &[Gene]),
    stream: &mut Stream,
    children: (&mut Vec<Gene>, &mut Vec<Gene>),
) -> (bool, bool) {
    let (left, right) = parents;
    let (one, two) = children;
    one.clear();
    two.clear();
    let chosen = node(left, stream.index(size(left)));
    match partner(vocabulary, chosen, left, right, stream) {
        None => {
            one.extend_from_slice(left);
            two.extend_from_slice(right);
        }
        Some(other) => {
            splice(vocabulary, chosen.symbol, left, chosen.gene, right, other, one);
            splice(vocabulary, chosen.symbol, right, other, left, chosen.gene, two);
        }
    }
    for (child, parent) in [(&mut *one, left), (&mut *two, right)] {
        if size(child) > vocabulary.max_size() {
            child.clear();
            child.extend_from_slice(parent);
        }
    }
    (one == left, two == right)
}

/// Returns the first gene, from a random one on, at which the symbol begins and the size fits.
fn partner(
    vocabulary: &Vocabulary,
    chosen: Node,
    left: &[Gene],
    right: &[Gene],
    stream: &mut Stream,
) -> Option<usize> {
    let start = stream.index(right.len());
    let mine = left[chosen.gene].literal;
    (start..right.len()).chain(0..start).find(|&gene| match chosen.symbol {
        Symbol::Antecedent => gene == 0 || !right[gene - 1].link.is_inside(),
        Symbol::Conjunction | Symbol::Comparison => true,
        Symbol::Operator | Symbol::Pair => vocabulary.is_same_kind(mine, right[gene].literal),
    })
}

/// Returns `host` with the subtree at `at` replaced by the subtree of `guest` at `from`.
fn splice(
    vocabulary: &Vocabulary,
    symbol: Symbol,
    host: &[Gene],
    at: usize,
    guest: &[Gene],
    from: usize,
    child: &mut Vec<Gene>,
) {
    child.extend_from_slice(&host[..at]);
    match symbol {
        Symbol::Antecedent => child.extend_from_slice(&guest[from..]),
        Symbol::Conjunction => {
            let (end, guest_end) = (conjunction_end(host, at), conjunction_end(guest, from));
            child.extend_from_slice(&guest[from..guest_end]);
            // The link after the conjunction is the host's.
            if let Some(last) = child.last_mut() {
                last.link = host[end - 1].link;
            }
            child.extend_from_slice(&host[end..]);
        }
        Symbol::Comparison | Symbol::Operator | Symbol::Pair => {
            let (mine, other) = (host[at].literal, guest[from].literal);
            let literal = match symbol {
                Symbol::Comparison => other,
                Symbol::Operator => vocabulary.with_operator_of(mine, other),
                _ => vocabulary.with_operator_of(other, mine),
            };
            child.push(Gene { literal, ..host[at] });
            child.extend_from_slice(&host[at + 1..]);
        }
    }
}
