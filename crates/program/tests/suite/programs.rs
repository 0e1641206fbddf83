//! Expressions as text and as programs: printed text parses back, and equivalent expressions share an id.

use pellucid_program::{
    Edge, Expr, Interval, Kind, Op, ProgramError, Programs, Quantifier, Role, Schema, Value,
};
use pellucid_testdata::cases;
use proptest::prelude::*;

const NUMERIC: [&str; 9] =
    ["age", "Atr-1", "Type=br", "MDVP:Fo(Hz)", "not", "mean(age)", "f(max)", "g(", "mean(a)(b)"];
const NOMINAL: [&str; 3] = ["colour", "a \"quoted\" name", "in"];
const BOOLEAN: [&str; 2] = ["smoker", "größe.x"];

fn schema() -> Schema {
    let columns = NUMERIC.map(|name| (name, Kind::Numeric)).into_iter();
    let columns = columns.chain(NOMINAL.map(|name| (name, Kind::Nominal)));
    Schema::new(columns.chain(BOOLEAN.map(|name| (name, Kind::Boolean))))
        .with_roles(["hasChild", "part of"])
}

fn name(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(names).prop_map(str::to_owned)
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("a number", |number| !number.is_nan()),
        (-50i8..50).prop_map(|number| f64::from(number) / 8.0),
        prop::sample::select(vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1e300, 5e-324]),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "\\PC{0,8}",
        prop::sample::select(vec!["", "it's", "40-49", "and", "NaN", "inf", "1", "-3.5", "a b"])
            .prop_map(str::to_owned),
    ]
}

/// Names that look like other tokens, and arbitrary names.
fn any_name() -> impl Strategy<Value = String> {
    let odd = [
        "hasChild",
        "mean(x)",
        "mean(x)(y)",
        "f(max)",
        "a(b)c",
        "x(",
        "(",
        ")",
        "some",
        "Inverse",
        "inf",
        "-inf",
        "NaN",
        "infinity",
        "1e3",
        "e1",
        "'",
        "\"",
        "a\"b",
        "∞",
        "a\nb",
        "\t",
        " x ",
        "",
        "größe.x",
        "a-b",
        "a:b",
        "_",
        "x1",
        "²",
    ];
    prop_oneof![
        prop::sample::select(odd.to_vec()).prop_map(str::to_owned),
        "[a-z]{1,4}\\([a-z]{1,3}\\)",
        any::<String>(),
    ]
}

fn leaf() -> impl Strategy<Value = Expr> {
    let op = prop::sample::select(Op::ALL.to_vec());
    let equality = prop::sample::select(vec![Op::Equal, Op::NotEqual]);
    let edge = || (number(), any::<bool>()).prop_map(|(value, closed)| Edge { value, closed });
    prop_oneof![
        any::<bool>().prop_map(Expr::Constant),
        name(&BOOLEAN).prop_map(Expr::Is),
        (name(&NUMERIC), op, number()).prop_map(|(name, op, number)| Expr::Compare(
            name,
            op,
            Value::Number(number)
        )),
        (name(&NOMINAL), equality, text()).prop_map(|(name, op, text)| Expr::Compare(
            name,
            op,
            Value::Text(text)
        )),
        (name(&NOMINAL), text()).prop_map(|(name, text)| Expr::Contains(name, text)),
        (name(&NUMERIC), edge(), edge())
            .prop_map(|(name, low, high)| Expr::Within(name, Interval { low, high })),
        (name(&NUMERIC), prop::collection::vec(number(), 0..4)).prop_map(|(name, numbers)| {
            Expr::OneOf(name, numbers.into_iter().map(Value::Number).collect())
        }),
        (name(&NOMINAL), prop::collection::vec(text(), 0..4)).prop_map(
            |(name, texts)| Expr::OneOf(name, texts.into_iter().map(Value::Text).collect())
        ),
    ]
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(5, 40, 4, |inner| {
        let quantifier = prop_oneof![
            Just(Quantifier::Some),
            Just(Quantifier::Only),
            any::<u32>().prop_map(Quantifier::Min),
            any::<u32>().prop_map(Quantifier::Max),
            any::<u32>().prop_map(Quantifier::Exactly),
        ];
        let role = (prop::sample::select(vec!["hasChild", "part of"]), any::<bool>())
            .prop_map(|(name, inverse)| Role { name: name.to_owned(), inverse });
        prop_oneof![
            inner.clone().prop_map(|operand| Expr::Not(Box::new(operand))),
            prop::collection::vec(inner.clone(), 1..5).prop_map(Expr::and),
            prop::collection::vec(inner.clone(), 1..5).prop_map(Expr::or),
            (quantifier, role, inner).prop_map(|(quantifier, role, filler)| Expr::Related(
                quantifier,
                role,
                Box::new(filler)
            )),
        ]
    })
}

/// Returns the same expression with reversed operands, extra brackets and doubled negations.
fn disguised(expr: &Expr) -> Expr {
    let twice = |expr: Expr| Expr::Not(Box::new(Expr::Not(Box::new(expr))));
    let reversed =
        |operands: &[Expr]| operands.iter().rev().chain(operands.first()).map(disguised).collect();
    match expr {
        Expr::And(operands) => Expr::And(vec![Expr::And(reversed(operands)), Expr::Constant(true)]),
        Expr::Or(operands) => Expr::Or(vec![Expr::Or(reversed(operands)), Expr::Constant(false)]),
        Expr::Not(operand) => twice(Expr::Not(Box::new(disguised(operand)))),
        Expr::Related(quantifier, role, filler) => {
            Expr::Related(*quantifier, role.clone(), Box::new(disguised(filler)))
        }
        other => twice(other.clone()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(2000), ..ProptestConfig::default() })]

    #[test]
    fn parse_after_print_is_the_identity(expr in expr()) {
        let text = expr.to_string();
        match text.parse::<Expr>() {
            Ok(parsed) => prop_assert_eq!(parsed, expr, "{}", text),
            Err(error) => prop_assert!(false, "{text}: {error}"),
        }
    }

    #[test]
    fn any_name_and_any_text_are_read_back(
        column in any_name(), role in any_name(), text in any_name(), inverse: bool, number in number(),
    ) {
        let related = |filler| {
            let role = Role { name: role.clone(), inverse };
            Expr::Related(Quantifier::Some, role, Box::new(filler))
        };
        let is = Expr::Is(column.clone());
        for expr in [
            related(is.clone()),
            related(Expr::Not(Box::new(is.clone()))),
            Expr::and(vec![related(is.clone()), is.clone()]),
            related(related(is)),
            related(Expr::Compare(column.clone(), Op::Equal, Value::Text(text.clone()))),
            related(Expr::Compare(column.clone(), Op::Greater, Value::Number(number))),
            Expr::OneOf(column.clone(), vec![Value::Text(text.clone()), Value::Number(number)]),
            Expr::Contains(column.clone(), text.clone()),
        ] {
            let printed = expr.to_string();
            match printed.parse::<Expr>() {
                Ok(parsed) => prop_assert_eq!(parsed, expr, "{}", printed),
                Err(error) => prop_assert!(false, "{printed}: {error}"),
            }
        }
    }

    #[test]
    fn same_meaning_same_program(expr in expr()) {
        let mut programs = Programs::new(schema());
        let id = programs.add(&expr).unwrap();
        prop_assert_eq!(programs.add(&disguised(&expr)).unwrap(), id);
        // The canonical text does not depend on the programs that were added before.
        let text = programs.text(id);
        let mut others = Programs::new(schema());
        others.parse("not smoker or colour = red").unwrap();
        let again = others.parse(&text).unwrap();
        prop_assert_eq!(others.text(again), text.clone());
        prop_assert_eq!(programs.parse(&text).unwrap(), id);
    }

    #[test]
    fn any_text_is_an_expression_or_an_error(text in "\\PC{0,40}") {
        // The column in an error is in the text or directly after it.
        if let Err(error) = text.parse::<Expr>() {
            let end = text.chars().count() + 1;
            prop_assert!((1..=end).contains(&error.column), "{error} in {text:?}");
        }
    }

    #[test]
    fn scrambled_expressions_do_not_panic(
        expr in expr(),
        place in any::<prop::sample::Index>(),
        noise in "\\PC{0,3}",
    ) {
        let mut text: Vec<char> = expr.to_string().chars().collect();
        let place = place.index(text.len());
        text.splice(place..(place + 2).min(text.len()), noise.chars());
        let text: String = text.into_iter().collect();
        if let Ok(parsed) = text.parse::<Expr>() {
            prop_assert_eq!(parsed.to_string().parse::<Expr>().unwrap(), parsed);
        }
    }
}

#[test]
fn nodes_are_counted_as_in_the_literature() {
    let mut programs = Programs::new(schema());
    let mut size = |text: &str| {
        let id = programs.parse(text).unwrap();
        programs.size(id)
    };
    assert_eq!(size("age > 3"), 3);
    assert_eq!(size("age > 3 and age <= 9"), 7);
    // A rule of n comparisons has 4n - 1 nodes.
    assert_eq!(
        size("(age > 3 and \"Atr-1\" <= 9 and age < 70) or (age > 80 and \"Type=br\" = 1)"),
        19
    );
    assert_eq!(size("smoker"), 1);
    assert_eq!(size("not smoker"), 2);
    assert_eq!(size("age in [3, 9)"), 7);
    assert_eq!(size("colour in {red, green, blue}"), 11);
}

#[test]
fn errors_state_the_position_and_the_reason() {
    let error = |text: &str| text.parse::<Expr>().unwrap_err().to_string();
    assert_eq!(
        error(""),
        "column 1: found the end; expected a column, 'not', 'true', 'false' or '('"
    );
    assert_eq!(
        error("age >"),
        "column 6: found the end; expected a number or a category (in 'quotes' if it is not a plain word)"
    );
    assert_eq!(error("age > 3 4"), "column 9: found the number 4; expected 'and', 'or' or the end");
    assert_eq!(error("(age > 3"), "column 9: found the end; expected ')'");
    assert_eq!(error("age > 12x"), "column 7: found '12x'; expected a number");
    assert_eq!(error("age > nan"), "column 7: cannot compare with NaN; expected a number");
    assert_eq!(
        error("colour = 'red"),
        "column 10: the quoted text that starts here is never closed; expected '"
    );
    assert_eq!(error("age ~ 3"), "column 5: found '~'; expected a name, a value or an operator");
    assert_eq!(error("age in 3"), "column 8: found the number 3; expected '[', '(' or '{'");
    assert_eq!(
        error("min 1.5 hasChild (true)"),
        "column 5: found the number 1.5; expected a whole number from 0 to 4294967295"
    );
    assert_eq!(
        error(&format!("{}true", "(".repeat(600))),
        "column 501: found more than 500 nested levels; expected at most 500"
    );
    assert_eq!(
        error(&format!("{}true", "not ".repeat(600))),
        "column 2001: found more than 500 nested levels; expected at most 500"
    );
}

#[test]
fn programs_must_fit_the_schema() {
    let mut programs = Programs::new(schema());
    let mut error = |text: &str| programs.parse(text).unwrap_err().to_string();
    assert_eq!(
        error("aeg > 3"),
        "there is no column 'aeg'; expected one of 'age', 'Atr-1', 'Type=br', 'MDVP:Fo(Hz)', \
         'not', 'mean(age)', 'f(max)', 'g(', 6 more"
    );
    assert_eq!(
        error("colour > 3"),
        "column 'colour' is nominal; expected '= category', '!= category' or 'in {a, b}'"
    );
    assert_eq!(
        error("age = red"),
        "column 'age' is numeric; expected a comparison with a number, 'in [low, high]' or 'in {1, 2}'"
    );
    assert_eq!(
        error("smoker = 1"),
        "column 'smoker' is boolean; expected the column name alone, or 'not' and the column name"
    );
    assert_eq!(error("some hasParent (true)"), "there is no role 'hasParent'");
    assert!(matches!(programs.number(0, Op::Less, f64::NAN), Err(ProgramError::NotANumber(_))));
    let yes = programs.parse("colour = true").unwrap();
    assert_eq!(programs.text(yes), "colour = 'true'");
    // Codes that look like numbers are categories where the column is nominal.
    let spelled = programs.parse("colour = 2").unwrap();
    assert_eq!(programs.text(spelled), "colour = '2'");
}

#[test]
fn contradictions_and_constants_vanish() {
    let mut programs = Programs::new(schema());
    let mut text = |text: &str| {
        let id = programs.parse(text).unwrap();
        programs.text(id)
    };
    assert_eq!(text("smoker and not smoker"), "false");
    assert_eq!(text("smoker or not smoker"), "true");
    assert_eq!(text("smoker and true and (smoker or false)"), "smoker");
    assert_eq!(text("age in {}"), "false");
    assert_eq!(text("age in {3, 3}"), "age = 3");
    // Not equivalent where the age is missing.
    assert_eq!(text("age > 3 or age <= 3"), "age > 3 or age <= 3");
}

/// A role and its filler need no space between them, unless there is a role named `hasChild(Parent)`.
#[test]
fn no_space_is_needed_between_role_and_filler() {
    let same = |tight: &str, wide: &str| {
        let parsed =
            |text: &str| text.parse::<Expr>().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(parsed(tight), parsed(wide), "{tight}");
    };
    same("some hasChild(Parent)", "some hasChild (Parent)");
    same("only inverse hasChild(Parent)", "only inverse hasChild (Parent)");
    same("min 2 hasChild(Parent) and smoker", "(min 2 hasChild (Parent)) and smoker");
    same("not some hasChild(not(Parent))", "not some hasChild (not Parent)");
    same("some hasChild(some hasChild(Parent))", "some hasChild (some hasChild (Parent))");
    same("some hasChild(mean(age) > 3)", "some hasChild (mean(age) > 3)");
    same("some hasChild(Parent) or(smoker)", "(some hasChild (Parent)) or smoker");
    same("some \"part of\"(Parent)", "some \"part of\" (Parent)");
    let role: Expr = "some mean(x) (Parent)".parse().expect("a role with this name");
    assert!(matches!(role, Expr::Related(_, Role { name, .. }, _) if name == "mean(x)"));
    let error = "some hasChild".parse::<Expr>().unwrap_err().to_string();
    assert_eq!(error, "column 14: found the end; expected '('");
}

#[test]
fn derived_names_need_no_quotes() {
    let expr: Expr = "mean(age) > 3 and not (age <= 2)".parse().expect("an expression");
    assert_eq!(expr.to_string(), "mean(age) > 3 and not age <= 2");
    let nested: Expr = "some row (age > 1)".parse().expect("a space keeps role and filler apart");
    assert!(matches!(nested, Expr::Related(..)));
}

/// The parser counts brackets, but one level of brackets can contain two levels of the expression.
#[test]
fn too_deep_nesting_is_rejected() {
    let mut programs =
        Programs::new(Schema::new(["a", "b", "c"].map(|name| (name, Kind::Boolean))));
    let text = format!("{}a{}", "(".repeat(400), " and b or c)".repeat(400));
    let error = programs.parse(&text).unwrap_err().to_string();
    assert_eq!(error, "the expression nests 801 levels deep; the maximum is 500");
    let text = format!("{}a{}", "(".repeat(200), " and b or c)".repeat(200));
    assert!(programs.parse(&text).is_ok());
}

#[test]
fn parsing_takes_linear_time() {
    // For half a million tokens, counting the column of each from the start would take minutes.
    let text = vec!["age > 1"; 250_000].join(" or ");
    let Expr::Or(operands) = text.parse().unwrap() else { panic!("expected an or") };
    assert_eq!(operands.len(), 250_000);
    let error = "(".repeat(1_000_000).parse::<Expr>().unwrap_err();
    assert!(
        error.to_string().ends_with("found more than 500 nested levels; expected at most 500"),
        "{error}"
    );
    // Columns are counted in characters.
    let error = "größe > 1 or  größe > 1 größe".parse::<Expr>().unwrap_err();
    assert_eq!(error.column, 25);
}

#[test]
fn errors_shorten_long_names() {
    let long = "x".repeat(1_000_000);
    for text in [format!("{long} {long}"), format!("a > '{long}' b"), format!("a \"{long}\"")] {
        let message = text.parse::<Expr>().unwrap_err().to_string();
        assert!(message.len() < 500, "{} bytes", message.len());
    }
    let mut programs = Programs::new(Schema::new([("age", Kind::Numeric)]));
    let message = programs.parse(&format!("{long} > 1")).unwrap_err().to_string();
    assert!(message.len() < 500 && message.ends_with("expected one of 'age'"), "{message}");
}

/// A negated operand is searched in the sorted list, not compared with every other operand.
#[test]
fn long_lists_of_operands_are_joined() {
    let compare =
        |number: u32| Expr::Compare("age".into(), Op::Greater, Value::Number(number.into()));
    let not = |number: u32| Expr::Not(Box::new(compare(number)));
    let count = 60_000;
    let mut programs = Programs::new(schema());
    let negated = Expr::And((0..count).map(not).collect());
    let all = programs.add(&negated).expect("a program");
    assert_eq!(programs.expr(all).to_string().matches("not").count(), count as usize);
    let contradiction = (0..count).map(not).chain([compare(count / 2)]).collect();
    let never = programs.add(&Expr::And(contradiction)).expect("a program");
    assert_eq!(programs.expr(never), Expr::Constant(false));
}
