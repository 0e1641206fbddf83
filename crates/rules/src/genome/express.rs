//! The meaning of a rule: as flat formulas for the engine, and as an expression for people.

use super::{Gene, Link};
use pellucid_cover::{FormulaPart, Formulas, Literal};
use pellucid_program::Expr;

/// Writes a rule as the next root of some formulas.
pub fn write(genes: &[Gene], formulas: &mut Formulas) {
    let is_flipped = |gene: &Gene| matches!(gene.link, Link::FlippedAnd | Link::FlippedOr);
    if genes.iter().any(is_flipped) {
        write_nested(genes, formulas);
    } else {
        for gene in genes {
            formulas.literal(gene.literal);
            if gene.link != Link::And {
                formulas.end_group();
            }
        }
    }
    formulas.end_root();
}

/// A literal or a part.
#[derive(Clone, Copy)]
enum Token {
    Literal(Literal),
    Part(FormulaPart),
}

/// An OR of ANDs.
type Groups = Vec<Vec<Token>>;

/// An AND of ORs is expanded up to this many groups; larger ones become parts.
const MULTIPLIED: usize = 8;

/// Lists nest to the right, so the rule is assembled from its last conjunction on.
fn write_nested(genes: &[Gene], formulas: &mut Formulas) {
    let mut rest: Option<Groups> = None;
    let mut end = genes.len();
    while end > 0 {
        let start = genes[..end - 1]
            .iter()
            .rposition(|gene| !gene.link.is_inside())
            .map_or(0, |before| before + 1);
        let mine = conjunction(&genes[start..end]);
        rest = Some(match rest {
            None => mine,
            Some(rest) if genes[end - 1].link == Link::FlippedOr => both(mine, rest, formulas),
            Some(rest) => mine.into_iter().chain(rest).collect(),
        });
        end = start;
    }
    put(&rest.unwrap_or_default(), formulas);
}

/// `a and (b or (c and d))` is `a b or a c d`: every OR ends a group, and what precedes it by AND
/// is in all following groups.
fn conjunction(genes: &[Gene]) -> Groups {
    let mut groups = Groups::new();
    let mut before = Vec::new();
    for gene in genes {
        let token = Token::Literal(gene.literal);
        match gene.link {
            Link::And => before.push(token),
            _ => groups.push(before.iter().copied().chain([token]).collect()),
        }
    }
    groups
}

fn both(left: Groups, right: Groups, formulas: &mut Formulas) -> Groups {
    if left.len() * right.len() <= MULTIPLIED {
        let joined = |a: &Vec<Token>, b: &Vec<Token>| a.iter().chain(b).copied().collect();
        return left.iter().flat_map(|a| right.iter().map(move |b| joined(a, b))).collect();
    }
    let mut single = |groups: Groups| match <[Vec<Token>; 1]>::try_from(groups) {
        Ok([group]) => group,
        Err(groups) => {
            put(&groups, formulas);
            vec![Token::Part(formulas.end_part())]
        }
    };
    let (mut left, right) = (single(left), single(right));
    left.extend(right);
    vec![left]
}

fn put(groups: &Groups, formulas: &mut Formulas) {
    for group in groups {
        for token in group {
            match *token {
                Token::Literal(literal) => formulas.literal(literal),
                Token::Part(part) => formulas.part(part),
            }
        }
        formulas.end_group();
    }
}

/// Returns a rule as an expression; `leaf` writes a comparison.
pub fn expr(genes: &[Gene], leaf: &impl Fn(Literal) -> Expr) -> Expr {
    if genes.is_empty() {
        return Expr::Constant(false);
    }
    let end = super::conjunction_end(genes, 0);
    let mine = conjunction_expr(&genes[..end], leaf);
    match genes[end - 1].link {
        _ if end == genes.len() => mine,
        Link::FlippedOr => Expr::and(vec![mine, expr(&genes[end..], leaf)]),
        _ => Expr::or(vec![mine, expr(&genes[end..], leaf)]),
    }
}

fn conjunction_expr(genes: &[Gene], leaf: &impl Fn(Literal) -> Expr) -> Expr {
    match genes {
        [] => Expr::Constant(true),
        [only] => leaf(only.literal),
        [first, rest @ ..] => {
            let both = vec![leaf(first.literal), conjunction_expr(rest, leaf)];
            if first.link == Link::And { Expr::and(both) } else { Expr::or(both) }
        }
    }
}
