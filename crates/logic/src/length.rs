use pellucid_program::{Expr, Op};

/// Returns the length of a class expression, as concept learners count it.
///
/// A name, a constant, a value, a connective, a negation, a quantifier and an inverse count 1 each:
///
/// | expression | length |
/// |---|---|
/// | `A`, `owl:Thing` | 1 |
/// | `not A` | 2 |
/// | `A and B`, `A or B` | 3; each further operand adds a connective and itself |
/// | `r some C`, `r only C` | 2 + the length of the filler: quantifier and role |
/// | `r min 2 C`, `max`, `exactly` | 3 + the length of the filler: the number counts too |
/// | `inverse r some C` | one more |
/// | `{a, b}` | 1 + the individuals |
/// | `r value a`, `p value 3` | 3: as `some` with the value as filler |
/// | `p some xsd:double[>= 1]`, a pattern | 4: the comparison and the number |
/// | `p some xsd:double[>= 1, < 2]` | 7: two comparisons joined |
#[must_use]
pub fn length(expr: &Expr) -> usize {
    use pellucid_program::Quantifier::{Exactly, Max, Min, Only, Some};
    match expr {
        Expr::Constant(_) | Expr::Is(_) | Expr::Compare(_, Op::Equal, _) => 1,
        Expr::Compare(_, _, _) | Expr::Contains(..) => 2,
        Expr::Within(..) => 5,
        Expr::OneOf(_, values) => 1 + values.len(),
        Expr::Not(operand) => 1 + length(operand),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().map(length).sum::<usize>() + operands.len().saturating_sub(1)
        }
        Expr::Related(quantifier, role, filler) => {
            let counted = match quantifier {
                Some | Only => 0,
                Min(_) | Max(_) | Exactly(_) => 1,
            };
            2 + counted + usize::from(role.inverse) + length(filler)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::length;
    use crate::syntax::{Lexicon, manchester};
    use pellucid_data::Datatype;

    #[test]
    fn lengths_of_known_expressions() {
        let names = Lexicon::default()
            .class("x:A", "A")
            .class("x:B", "B")
            .role("x:r", "r")
            .individual("x:a", "a")
            .individual("x:b", "b")
            .property("x:p", "p", Datatype::Real);
        for (text, expected) in [
            ("A", 1),
            ("not A", 2),
            ("A and B", 3),
            ("A and B and not A", 6),
            ("r some A", 3),
            ("inverse r only (A or B)", 6),
            ("r min 2 A", 4),
            ("r max 3", 4),
            ("{a, b}", 3),
            ("r value a", 3),
            ("p value 3.5", 3),
            ("p some xsd:double[>= 1]", 4),
            ("p some xsd:double[>= 1, < 2]", 7),
            ("p some {1, 2}", 5),
        ] {
            let expr = manchester::parse(text, &names).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(length(&expr), expected, "{text}");
        }
    }
}
