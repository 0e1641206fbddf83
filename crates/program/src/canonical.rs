//! The canonical form of programs: operands are flattened, sorted and unique.

use super::expr::{Interval, Op, Quantifier};
use super::node::{Leaf, Node, ProgramId};
use super::pool::Programs;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The canonical form of a conjunction or disjunction.
pub(super) enum Joined {
    /// All operands are neutral, or one decides the result.
    Constant(bool),
    /// One operand is left.
    Single(ProgramId),
    /// Two or more operands are left, in the buffer passed to `join`.
    Many,
}

/// Writes the flattened, sorted and unique operands of `and` (or of `or`, its dual) into `flat`.
pub(super) fn join(
    programs: &Programs,
    operands: &[ProgramId],
    and: bool,
    flat: &mut Vec<ProgramId>,
) -> Joined {
    flat.clear();
    for &operand in operands {
        match programs.node(operand) {
            Node::Constant(value) if value == and => {}
            Node::Constant(_) => return Joined::Constant(!and),
            Node::And(inner) if and => flat.extend_from_slice(inner),
            Node::Or(inner) if !and => flat.extend_from_slice(inner),
            _ => flat.push(operand),
        }
    }
    flat.sort_unstable_by(|&left, &right| compare(programs, left, right));
    flat.dedup();
    let contradicts = |&operand: &ProgramId| match programs.node(operand) {
        Node::Not(inner) => flat.binary_search_by(|&other| compare(programs, other, inner)).is_ok(),
        _ => false,
    };
    if flat.iter().any(contradicts) {
        return Joined::Constant(!and);
    }
    match flat[..] {
        [] => Joined::Constant(and),
        [single] => Joined::Single(single),
        _ => Joined::Many,
    }
}

/// Compares programs by content, so that the order does not depend on which was added first: conditions on
/// columns come first, in the order of the columns, then compound programs.
pub(super) fn compare(programs: &Programs, left: ProgramId, right: ProgramId) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    programs.key(left).cmp(&programs.key(right)).then_with(|| compare_whole(programs, left, right))
}

/// Returns a key for the order of programs: if two keys differ, the program with the smaller key comes
/// first. When operands are sorted, the key avoids nearly all full comparisons.
pub(super) fn order_key(programs: &Programs, node: Node<'_>) -> u64 {
    let below = match node {
        Node::Constant(_) | Node::Related { .. } => 0,
        Node::Leaf(column, leaf) => leaf_key(column, leaf),
        Node::Not(operand) => programs.key(operand) >> 3,
        Node::And(operands) | Node::Or(operands) => {
            operands.first().map_or(0, |&first| programs.key(first) >> 3)
        }
    };
    u64::from(in_three_bits(node_rank(node))) << 61 | below
}

/// Checks that a rank fits in three bits of a key. A fourth bit would overwrite other bits and change the
/// order.
fn in_three_bits(rank: u8) -> u8 {
    assert!(rank < 8, "found rank {rank}; expected at most 7 (three bits of a key)");
    rank
}

/// Returns the key of a leaf: 20 bits of the column, 3 of the kind of condition, 38 of a number.
fn leaf_key(column: u32, leaf: Leaf<'_>) -> u64 {
    let column = u64::from(column.min((1 << 20) - 1));
    // Columns beyond 20 bits share a key, so the lower bits must not distinguish them.
    if column == (1 << 20) - 1 {
        return column << 41;
    }
    let number = match leaf {
        Leaf::Number(_, number) => {
            let bits = number.to_bits();
            (if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }) >> 26
        }
        _ => 0,
    };
    column << 41 | u64::from(in_three_bits(leaf_rank(leaf))) << 38 | number
}

fn compare_whole(programs: &Programs, left: ProgramId, right: ProgramId) -> Ordering {
    let slices = |left: &[ProgramId], right: &[ProgramId]| {
        let pairs = left.iter().zip(right);
        pairs
            .map(|(&l, &r)| compare(programs, l, r))
            .find(|order| order.is_ne())
            .unwrap_or(left.len().cmp(&right.len()))
    };
    match (programs.node(left), programs.node(right)) {
        (Node::Leaf(left_column, left), Node::Leaf(right_column, right)) => {
            left_column.cmp(&right_column).then_with(|| compare_leaves(programs, left, right))
        }
        (Node::Not(left), Node::Not(right)) => compare(programs, left, right),
        (Node::And(left), Node::And(right)) | (Node::Or(left), Node::Or(right)) => {
            slices(left, right)
        }
        (
            Node::Related { quantifier: lq, role: lr, inverse: li, filler: lf },
            Node::Related { quantifier: rq, role: rr, inverse: ri, filler: rf },
        ) => (lr, li, lq).cmp(&(rr, ri, rq)).then_with(|| compare(programs, lf, rf)),
        (left, right) => node_rank(left).cmp(&node_rank(right)),
    }
}

fn node_rank(node: Node<'_>) -> u8 {
    match node {
        Node::Constant(value) => u8::from(value),
        Node::Leaf(..) => 2,
        Node::Not(_) => 3,
        Node::And(_) => 4,
        Node::Or(_) => 5,
        Node::Related { .. } => 6,
    }
}

fn leaf_rank(leaf: Leaf<'_>) -> u8 {
    match leaf {
        Leaf::Is => 0,
        Leaf::Number(..) => 1,
        Leaf::Category(..) => 2,
        Leaf::Within(_) => 3,
        Leaf::AnyNumber(_) => 4,
        Leaf::AnyCategory(_) => 5,
        Leaf::Contains(_) => 6,
    }
}

fn compare_leaves(programs: &Programs, left: Leaf<'_>, right: Leaf<'_>) -> Ordering {
    match (left, right) {
        (Leaf::Number(lo, ln), Leaf::Number(ro, rn)) => ln.total_cmp(&rn).then(lo.cmp(&ro)),
        (Leaf::Category(lo, lt), Leaf::Category(ro, rt)) => {
            programs.category(lt).cmp(programs.category(rt)).then(lo.cmp(&ro))
        }
        (Leaf::Contains(left), Leaf::Contains(right)) => {
            programs.category(left).cmp(programs.category(right))
        }
        (Leaf::Within(left), Leaf::Within(right)) => compare_intervals(left, right),
        (Leaf::AnyNumber(left), Leaf::AnyNumber(right)) => left
            .iter()
            .map(|number| number.to_bits())
            .cmp(right.iter().map(|number| number.to_bits())),
        (Leaf::AnyCategory(left), Leaf::AnyCategory(right)) => left
            .iter()
            .map(|&text| programs.category(text))
            .cmp(right.iter().map(|&text| programs.category(text))),
        (left, right) => leaf_rank(left).cmp(&leaf_rank(right)),
    }
}

fn compare_intervals(left: Interval, right: Interval) -> Ordering {
    (left.low.value.total_cmp(&right.low.value))
        .then(left.high.value.total_cmp(&right.high.value))
        .then(left.low.closed.cmp(&right.low.closed))
        .then(left.high.closed.cmp(&right.high.closed))
}

/// Feeds the content of a node to a hasher; numbers by their bits.
pub(super) fn hash_node(node: Node<'_>, state: &mut impl Hasher) {
    node_rank(node).hash(state);
    match node {
        Node::Constant(_) => {}
        Node::Leaf(column, leaf) => {
            column.hash(state);
            hash_leaf(leaf, state);
        }
        Node::Not(operand) => operand.hash(state),
        Node::And(operands) | Node::Or(operands) => operands.hash(state),
        Node::Related { quantifier, role, inverse, filler } => {
            let quantifier: Quantifier = quantifier;
            (quantifier, role, inverse, filler).hash(state);
        }
    }
}

fn hash_leaf(leaf: Leaf<'_>, state: &mut impl Hasher) {
    match leaf {
        Leaf::Is => 0u8.hash(state),
        Leaf::Number(op, number) => (1u8, op as Op, number.to_bits()).hash(state),
        Leaf::Category(op, text) => (2u8, op, text).hash(state),
        Leaf::Within(Interval { low, high }) => {
            (3u8, low.value.to_bits(), low.closed, high.value.to_bits(), high.closed).hash(state);
        }
        Leaf::Contains(text) => (6u8, text).hash(state),
        Leaf::AnyNumber(numbers) => numbers.iter().for_each(|number| number.to_bits().hash(state)),
        Leaf::AnyCategory(texts) => texts.hash(state),
    }
}
