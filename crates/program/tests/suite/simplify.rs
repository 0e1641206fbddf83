//! Simplified expressions are equivalent to the original for all values, missing ones included.

use pellucid_program::{Edge, Expr, Interval, Op, PerColumn, Quantifier, Role, Value, simplify};
use pellucid_testdata::cases;
use proptest::prelude::*;

/// An individual with values in columns and related individuals.
#[derive(Clone, Debug)]
struct Individual {
    /// The values of each column, empty if missing.
    numbers: Vec<Vec<f64>>,
    words: Vec<Vec<String>>,
    smokes: Option<bool>,
    /// The related individuals of each role.
    related: Vec<Vec<Individual>>,
}

fn is_true(expr: &Expr, one: &Individual) -> bool {
    let numbers = |name: &str, test: &dyn Fn(f64) -> bool| {
        one.numbers[usize::from(name == "y")].iter().any(|&number| test(number))
    };
    let words = |name: &str, test: &dyn Fn(&str) -> bool| {
        one.words[usize::from(name == "v")].iter().any(|word| test(word))
    };
    match expr {
        Expr::Constant(value) => *value,
        Expr::Is(_) => one.smokes == Some(true),
        Expr::Compare(name, op, Value::Number(number)) => {
            numbers(name, &|value| op.holds(value, *number))
        }
        Expr::Compare(name, op, Value::Text(text)) => {
            words(name, &|word| (word == text) == (*op == Op::Equal))
        }
        Expr::Within(name, interval) => numbers(name, &|value| interval.contains(value)),
        Expr::OneOf(name, values) => {
            let has = |number| values.contains(&Value::Number(number));
            let says = |word: &str| values.contains(&Value::Text(word.into()));
            if ["x", "y"].contains(&name.as_str()) {
                numbers(name, &has)
            } else {
                words(name, &says)
            }
        }
        Expr::Contains(name, part) => words(name, &|word| word.contains(part.as_str())),
        Expr::Not(operand) => !is_true(operand, one),
        Expr::And(operands) => operands.iter().all(|operand| is_true(operand, one)),
        Expr::Or(operands) => operands.iter().any(|operand| is_true(operand, one)),
        Expr::Related(quantifier, role, filler) => {
            let related = &one.related[usize::from(role.name == "s")];
            let count = related.iter().filter(|other| is_true(filler, other)).count();
            match quantifier {
                Quantifier::Some => count > 0,
                Quantifier::Only => count == related.len(),
                Quantifier::Min(least) => count >= *least as usize,
                Quantifier::Max(most) => count <= *most as usize,
                Quantifier::Exactly(number) => count == *number as usize,
            }
        }
    }
}

/// Returns the number of conditions.
fn conditions(expr: &Expr) -> usize {
    match expr {
        Expr::Constant(_) => 0,
        Expr::Not(operand) => conditions(operand),
        Expr::Related(_, _, filler) => 1 + conditions(filler),
        Expr::And(operands) | Expr::Or(operands) => operands.iter().map(conditions).sum(),
        _ => 1,
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (0..6).prop_map(f64::from),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
        1 => Just(-0.0),
    ]
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "ab", "c"]).prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = Expr> {
    let of_numbers = || prop::sample::select(vec!["x", "y"]).prop_map(str::to_owned);
    let of_words = || prop::sample::select(vec!["u", "v"]).prop_map(str::to_owned);
    let edge = || (number(), any::<bool>()).prop_map(|(value, closed)| Edge { value, closed });
    prop_oneof![
        6 => (of_numbers(), prop::sample::select(Op::ALL.to_vec()), number())
            .prop_map(|(name, op, number)| Expr::Compare(name, op, Value::Number(number))),
        2 => (of_numbers(), edge(), edge())
            .prop_map(|(name, low, high)| Expr::Within(name, Interval { low, high })),
        1 => (of_numbers(), prop::collection::vec(number().prop_map(Value::Number), 0..4))
            .prop_map(|(name, values)| Expr::OneOf(name, values)),
        2 => (of_words(), any::<bool>(), word()).prop_map(|(name, equal, word)| {
            Expr::Compare(name, if equal { Op::Equal } else { Op::NotEqual }, Value::Text(word))
        }),
        1 => (of_words(), prop::collection::vec(word().prop_map(Value::Text), 0..4))
            .prop_map(|(name, values)| Expr::OneOf(name, values)),
        1 => (of_words(), word()).prop_map(|(name, part)| Expr::Contains(name, part)),
        1 => Just(Expr::Is("smokes".into())),
        1 => any::<bool>().prop_map(Expr::Constant),
    ]
}

fn quantifier() -> impl Strategy<Value = Quantifier> {
    prop_oneof![
        Just(Quantifier::Some),
        Just(Quantifier::Only),
        (0u32..4).prop_map(Quantifier::Min),
        (0u32..4).prop_map(Quantifier::Max),
        (0u32..4).prop_map(Quantifier::Exactly),
    ]
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        let several = || prop::collection::vec(inner.clone(), 0..5);
        let role = prop::sample::select(vec!["r", "s"]);
        prop_oneof![
            3 => several().prop_map(Expr::and),
            3 => several().prop_map(Expr::or),
            1 => inner.clone().prop_map(|inner| Expr::Not(Box::new(inner))),
            2 => (quantifier(), role, inner).prop_map(|(quantifier, name, filler)| {
                Expr::Related(quantifier, Role { name: name.into(), inverse: false }, Box::new(filler))
            }),
        ]
    })
}

fn individual(most: usize) -> impl Strategy<Value = Individual> {
    let numbers = move || {
        let value = prop_oneof![4 => number(), 1 => Just(2.5)];
        prop::collection::vec(prop::collection::vec(value, 0..=most), 2)
    };
    let words = move || {
        let value = prop_oneof![4 => word(), 1 => Just("in no condition".to_owned())];
        prop::collection::vec(prop::collection::vec(value, 0..=most), 2)
    };
    let alone = (numbers(), words(), any::<Option<bool>>()).prop_map(|(numbers, words, smokes)| {
        Individual { numbers, words, smokes, related: vec![Vec::new(), Vec::new()] }
    });
    alone.prop_recursive(2, 12, 4, move |others| {
        let related = prop::collection::vec(prop::collection::vec(others, 0..4), 2);
        (numbers(), words(), any::<Option<bool>>(), related).prop_map(
            |(numbers, words, smokes, related)| Individual { numbers, words, smokes, related },
        )
    })
}

/// In logic `x != v` means that no value is `v`, which the test writes as a negation.
fn without_differences(expr: &Expr) -> bool {
    match expr {
        Expr::Compare(_, Op::NotEqual, _) => false,
        Expr::Not(operand) | Expr::Related(_, _, operand) => without_differences(operand),
        Expr::And(operands) | Expr::Or(operands) => operands.iter().all(without_differences),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1000), ..ProptestConfig::default() })]

    #[test]
    fn equivalent_with_one_value_per_column(
        expr in expr(),
        people in prop::collection::vec(individual(1), 12),
    ) {
        let short = simplify(&expr, PerColumn::One);
        for one in &people {
            let (found, expected) = (is_true(&short, one), is_true(&expr, one));
            prop_assert_eq!(found, expected, "{} became {} for {:?}", expr, short, one);
        }
        prop_assert!(conditions(&short) <= conditions(&expr), "{} became {}", expr, short);
    }

    #[test]
    fn equivalent_with_several_values_per_column(
        expr in expr().prop_filter("`!=` has another meaning there", without_differences),
        people in prop::collection::vec(individual(3), 12),
    ) {
        let short = simplify(&expr, PerColumn::Several);
        for one in &people {
            let (found, expected) = (is_true(&short, one), is_true(&expr, one));
            prop_assert_eq!(found, expected, "{} became {} for {:?}", expr, short, one);
        }
        prop_assert!(conditions(&short) <= conditions(&expr), "{} became {}", expr, short);
    }

    #[test]
    fn simplification_is_idempotent(expr in expr()) {
        for values in [PerColumn::One, PerColumn::Several] {
            let short = simplify(&expr, values);
            prop_assert_eq!(simplify(&short, values), short.clone(), "{} became {}", expr, short);
        }
    }
}

#[test]
fn typical_search_results_are_simplified() {
    for (written, short) in [
        ("u > 0.305 and u > 0.35", "u > 0.35"),
        ("code != '02' and code = '04'", "code = '04'"),
        ("x > 116.5 or x > 152.5 or (x > 160.5 and y > 71)", "x > 116.5"),
        ("x > 0.31 and y = a and x <= 0.42", "0.31 < x <= 0.42 and y = a"),
        ("x > 5 and (x <= 3 or y = b)", "x > 5 and y = b"),
        ("purpose = car or purpose = radio", "purpose in {car, radio}"),
        ("purpose = car and purpose = radio", "false"),
        ("x > 3 and x != 7 and x > 3.5", "x > 3.5 and x != 7"),
        ("x > 3 or x <= 5", "x > 3 or x <= 5"),
        ("some r (x > 3 and x > 4) or some r (x > 4)", "some r (x > 4)"),
        ("some r (x > 3) and min 2 r (x > 3)", "min 2 r (x > 3)"),
        ("some r (x > 3) and some r (x > 2)", "some r (x > 3)"),
        ("not (not some r (x > 3))", "some r (x > 3)"),
    ] {
        let expr: Expr = written.parse().expect(written);
        assert_eq!(simplify(&expr, PerColumn::One).to_string(), short, "from {written}");
    }
}

#[test]
fn deep_nesting_terminates() {
    let mut expr: Expr = "x > 1".parse().expect("an expression");
    for level in 0..200 {
        let other: Expr =
            format!("x > {} and y <= {}", level % 7, level % 5).parse().expect("an expression");
        expr =
            if level % 2 == 0 { Expr::or(vec![expr, other]) } else { Expr::and(vec![other, expr]) };
    }
    assert!(conditions(&simplify(&expr, PerColumn::One)) < conditions(&expr));
}

/// Comparing all pairs of categories would take minutes.
#[test]
fn long_sets_of_categories_are_joined() {
    let set = |range: std::ops::Range<u32>| {
        Expr::OneOf(
            "y".into(),
            range.map(|number| Value::Text(format!("category {number}"))).collect(),
        )
    };
    let count = 100_000;
    let either = Expr::Or(vec![set(0..count), set(count / 2..2 * count)]);
    assert_eq!(simplify(&either, PerColumn::One), set(0..2 * count));
    let both = Expr::And(vec![set(0..count), set(count / 2..2 * count)]);
    assert_eq!(simplify(&both, PerColumn::One), set(count / 2..count));
}
