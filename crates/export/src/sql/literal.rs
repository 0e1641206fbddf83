//! Names, texts and numbers in SQL.

use pellucid_program::Op;

/// A condition that is always true; not every database has a literal for it.
pub const TRUE: &str = "1 = 1";
/// A condition that is always false.
pub const FALSE: &str = "1 = 0";

/// Returns a comparison with a number. There is no portable infinity, so the largest finite number
/// replaces it.
#[must_use]
pub fn compare(subject: &str, op: Op, number: f64) -> String {
    let with = |op: &str, number: f64| format!("{subject} {op} {}", literal(number));
    if number == f64::INFINITY {
        return match op {
            Op::Greater => FALSE.to_owned(),
            Op::LessEqual => TRUE.to_owned(),
            Op::GreaterEqual | Op::Equal => with(">", f64::MAX),
            Op::Less | Op::NotEqual => with("<=", f64::MAX),
        };
    }
    if number == f64::NEG_INFINITY {
        return match op {
            Op::Less => FALSE.to_owned(),
            Op::GreaterEqual => TRUE.to_owned(),
            Op::LessEqual | Op::Equal => with("<", f64::MIN),
            Op::Greater | Op::NotEqual => with(">=", f64::MIN),
        };
    }
    with(if op == Op::NotEqual { "<>" } else { op.symbol() }, number)
}

/// Returns a number as a literal that is parsed back to itself.
#[must_use]
pub fn literal(number: f64) -> String {
    let text = format!("{number:?}");
    let digits = text.chars().filter(char::is_ascii_digit).count();
    // Some databases treat a number without an exponent as a decimal, and do not round long
    // decimals to the nearest double.
    if digits > 15 && !text.contains('e') { format!("{text}e0") } else { text }
}

/// Returns a name as a quoted identifier.
#[must_use]
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns text as a literal.
#[must_use]
pub fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for (number, text) in [
            (3.0, "3.0"),
            (-0.25, "-0.25"),
            (1e300, "1e300"),
            (0.1 + 0.2, "0.30000000000000004e0"),
            (1.5e-9, "1.5e-9"),
        ] {
            assert_eq!(literal(number), text);
            assert_eq!(text.parse(), Ok(number));
        }
    }

    #[test]
    fn infinity_is_written_without_its_name() {
        for op in Op::ALL {
            for infinity in [f64::INFINITY, f64::NEG_INFINITY] {
                for value in [f64::NEG_INFINITY, f64::MIN, 0.0, f64::MAX, f64::INFINITY] {
                    let text = compare("x", op, infinity);
                    let holds = match text.split(' ').collect::<Vec<_>>()[..] {
                        ["1", "=", right] => right == "1",
                        ["x", ">", right] => value > right.parse().unwrap(),
                        ["x", "<", right] => value < right.parse().unwrap(),
                        ["x", ">=", right] => value >= right.parse().unwrap(),
                        ["x", "<=", right] => value <= right.parse().unwrap(),
                        _ => panic!("{text}"),
                    };
                    assert_eq!(holds, op.holds(value, infinity), "{value} {op:?} {infinity}");
                }
            }
        }
    }
}
