//! Class expressions in plain English.

use crate::syntax::{NameResolver, Sort, manchester};
use pellucid_data::INDIVIDUAL;
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// Returns what an instance is or does: "is a Man and has a child that is not a Woman".
pub(super) fn sentence(expr: &Expr, names: &dyn NameResolver) -> String {
    match expr {
        Expr::Constant(true) => "is anything".to_owned(),
        Expr::Constant(false) => "is nothing".to_owned(),
        Expr::Is(class) => format!("is {}", class_name(&shown(names, Sort::Class, class))),
        Expr::Not(operand) => match &**operand {
            Expr::Is(class) => {
                format!("is not {}", class_name(&shown(names, Sort::Class, class)))
            }
            other => negated(other, names),
        },
        Expr::And(operands) => joined(operands, " and ", names),
        Expr::Or(operands) => format!("either {}", joined(operands, " or ", names)),
        Expr::Related(quantifier, role, filler) => match names.leads_to_values(&role.name) {
            true => of_values(*quantifier, role, filler, names),
            false => of_fillers(*quantifier, role, filler, names),
        },
        Expr::Compare(column, Op::Equal, value) if column == INDIVIDUAL => {
            format!("is {}", individual(value, names))
        }
        Expr::OneOf(column, values) if column == INDIVIDUAL => {
            let listed: Vec<String> = values.iter().map(|one| individual(one, names)).collect();
            format!("is one of {}", listed.join(", "))
        }
        other => manchester::print(other, names),
    }
}

/// Returns what an instance of the complement of an expression is or does.
fn negated(expr: &Expr, names: &dyn NameResolver) -> String {
    let text = sentence(expr, names);
    let is_some = matches!(expr, Expr::Related(Quantifier::Some, _, _));
    let rest = ["has a ", "has an "].iter().find_map(|start| text.strip_prefix(start));
    match rest.filter(|_| is_some) {
        Some(rest) => format!("has no {rest}"),
        None => format!("is not something that {}", bracketed(expr, names)),
    }
}

/// Joins operands; a part that is joined itself is in brackets.
fn joined(operands: &[Expr], between: &str, names: &dyn NameResolver) -> String {
    let parts: Vec<String> = operands.iter().map(|operand| bracketed(operand, names)).collect();
    parts.join(between)
}

fn bracketed(expr: &Expr, names: &dyn NameResolver) -> String {
    let text = sentence(expr, names);
    if matches!(expr, Expr::And(_) | Expr::Or(_)) { format!("({text})") } else { text }
}

/// A restriction on individuals.
fn of_fillers(
    quantifier: Quantifier,
    role: &Role,
    filler: &Expr,
    names: &dyn NameResolver,
) -> String {
    let name = shown(names, Sort::Role, &role.name);
    let is_any = matches!(filler, Expr::Constant(true));
    let (that, those) = match is_any {
        true => (String::new(), String::new()),
        false => {
            let what = bracketed(filler, names);
            (format!(" that {what}"), format!(" to something that {what}"))
        }
    };
    let direction = if role.inverse { "incoming " } else { "" };
    let links = format!("{direction}'{name}' link");
    match (quantifier, noun(&name)) {
        (Quantifier::Some, Some(noun)) if role.inverse => {
            format!("is {} of something{that}", with_article(&noun))
        }
        (Quantifier::Some, Some(noun)) => format!("has {}{that}", with_article(&noun)),
        (Quantifier::Some, None) => format!("has {}{those}", with_article(&links)),
        (Quantifier::Only, Some(noun)) if !role.inverse => {
            format!("has no {noun} other than one{that}")
        }
        (Quantifier::Only, _) => format!("has no {links} other than one{those}"),
        (Quantifier::Min(count), _) => format!("has at least {}{those}", many(count, &links)),
        (Quantifier::Max(count), _) => format!("has at most {}{those}", many(count, &links)),
        (Quantifier::Exactly(count), _) => format!("has exactly {}{those}", many(count, &links)),
    }
}

/// A restriction on values.
fn of_values(
    quantifier: Quantifier,
    role: &Role,
    filler: &Expr,
    names: &dyn NameResolver,
) -> String {
    let name = shown(names, Sort::Property, &role.name);
    let noun = noun(&name).unwrap_or_else(|| format!("'{name}'"));
    let value = |value: &Value| manchester::value(value, &role.name, names);
    let condition = match filler {
        Expr::Constant(true) => String::new(),
        Expr::Compare(_, op, limit) => {
            let than = match op {
                Op::Equal => "of",
                Op::NotEqual => "other than",
                Op::Less => "below",
                Op::LessEqual => "of at most",
                Op::Greater => "above",
                Op::GreaterEqual => "of at least",
            };
            format!(" {than} {}", value(limit))
        }
        other => format!(" in {}", manchester::filler(other, role, names)),
    };
    match quantifier {
        Quantifier::Some => format!("has {}{condition}", with_article(&noun)),
        Quantifier::Only => format!("has no {noun} other than one{condition}"),
        other => format!("has {other} {noun}{condition}"),
    }
}

fn many(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns what a property names, if it starts with "has": `hasChild` is a child.
fn noun(property: &str) -> Option<String> {
    let rest = property.strip_prefix("has").or_else(|| property.strip_prefix("Has"))?;
    let rest = rest.trim_start_matches(['_', '-', ' ']);
    let starts_word = rest.chars().next().is_some_and(|letter| !letter.is_lowercase());
    // `hash` is no property of the form "has h".
    (starts_word || rest.len() < property.len() - 3)
        .then(|| word(rest))
        .filter(|noun| !noun.is_empty())
}

/// Returns a name as a word: `Child` is "child". A name of several words stays as it is.
fn word(name: &str) -> String {
    let is_simple = name.chars().skip(1).all(char::is_lowercase);
    if is_simple { name.to_lowercase() } else { name.to_owned() }
}

/// Returns a class with an article, unless it starts with a small letter as adjectives do.
fn class_name(name: &str) -> String {
    match name.chars().next().is_some_and(char::is_lowercase) {
        true => name.to_owned(),
        false => with_article(name),
    }
}

fn with_article(noun: &str) -> String {
    let first = noun.trim_start_matches('\'').chars().next().unwrap_or(' ').to_ascii_lowercase();
    format!("{} {noun}", if "aeiou".contains(first) { "an" } else { "a" })
}

fn shown(names: &dyn NameResolver, sort: Sort, iri: &str) -> String {
    names.short_name(sort, iri).unwrap_or(iri).to_owned()
}

fn individual(value: &Value, names: &dyn NameResolver) -> String {
    match value {
        Value::Text(iri) => shown(names, Sort::Individual, iri),
        Value::Number(number) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Datatype;
    use crate::syntax::Lexicon;

    #[test]
    fn expressions_are_sentences() {
        let names = Lexicon::default()
            .class("#M", "Man")
            .class("#A", "Aunt")
            .class("#o", "old")
            .role("#c", "hasChild")
            .role("#k", "knows")
            .property("#a", "hasAge", Datatype::Integer);
        let english =
            |text: &str| sentence(&manchester::parse(text, &names).expect("an expression"), &names);
        for (text, expected) in [
            ("Man and hasChild some owl:Thing", "is a Man and has a child"),
            (
                "hasChild some (Man or not Aunt)",
                "has a child that (either is a Man or is not an Aunt)",
            ),
            ("inverse hasChild some Man", "is a child of something that is a Man"),
            ("knows some Aunt", "has a 'knows' link to something that is an Aunt"),
            ("knows min 2 Man", "has at least 2 'knows' links to something that is a Man"),
            ("not old", "is not old"),
            ("hasChild only Man", "has no child other than one that is a Man"),
            ("hasAge some xsd:integer[>= 40]", "has an age of at least 40"),
            ("not (hasChild some Man)", "has no child that is a Man"),
            ("not (hasAge some xsd:integer[>= 40])", "has no age of at least 40"),
            (
                "not (inverse hasChild some Man)",
                "is not something that is a child of something that is a Man",
            ),
            ("not (Man and Aunt)", "is not something that (is a Man and is an Aunt)"),
        ] {
            assert_eq!(english(text), expected, "{text}");
        }
    }
}
