//! The model as a page: its rules, the table of points, how other sizes did.
//!
//! What is said is what the [text](super::text()) says, in the same words and from the same functions. A page adds what paper
//! of eighty letters cannot have: bars, and long sets of categories that open when somebody asks. Nothing is told by
//! colour alone, and the page takes light or dark from whoever reads it; so does a part of another page, such as a notebook.

mod path;
mod points;
mod rules;

use super::sets::sets_in;
use super::text::{front, header, in_words};
use super::xml::escaped;
use crate::export::dates::dated;
use crate::model::RuleModel;
use pellucid_program::Expr;

const STYLE: &str = include_str!("style.css");

/// How many categories of a long set are seen at once.
const SEEN: usize = 3;

/// What is on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many rules are told at most.
    pub most: usize,
    /// What is said at the end.
    pub notes: Vec<String>,
    /// Whether it stands in another page, such as a notebook.
    pub is_part: bool,
}

/// The model as a page that needs nothing else, or as a part of another page.
#[must_use]
pub fn html<P>(model: &RuleModel<P>, page: &Page) -> String {
    let part = part(model, page);
    if page.is_part {
        return part;
    }
    let title = model.schema.target.as_deref().unwrap_or("class");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}: rules</title>\n<style>body{{margin:0 auto;padding:1rem;max-width:64rem}}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{part}</body>\n</html>\n",
        title = escaped(title),
    )
}

fn part<P>(model: &RuleModel<P>, page: &Page) -> String {
    let mut out = format!("<style>{STYLE}</style>\n<div class=\"pellucid\">\n");
    out += &format!("<p>{}</p>\n", escaped(&header(model)));
    out += &rules::table(model, page.most);
    // Points of some rules alone decide nothing.
    if model.model.rules.len() <= page.most {
        out += &points::table(model);
    }
    match front(model) {
        front if front.is_empty() => {}
        front => out += &format!("<pre>{}</pre>\n", escaped_lines(&front)),
    }
    out += &path::figure(model);
    for note in &page.notes {
        out += &format!("<p>{}</p>\n", escaped(note.trim()));
    }
    out + "</div>\n"
}

fn escaped_lines(text: &str) -> String {
    text.trim().lines().map(escaped).collect::<Vec<_>>().join("\n")
}

/// A condition in words, in which long sets open when somebody asks.
fn condition<P>(model: &RuleModel<P>, expr: &Expr) -> String {
    let text = in_words(model, expr);
    let dated = dated(expr, &model.schema.reading);
    let mut rest = &text[..];
    let mut out = String::new();
    for set in sets_in(&dated, &model.schema.columns) {
        let whole = set.text();
        // Words may stand in another order than in the condition; then the set is shown whole.
        let Some(start) = rest.find(&whole).filter(|_| set.categories.len() > SEEN + 1) else {
            continue;
        };
        let (seen, more) = set.categories.split_at(SEEN);
        out += &escaped(&rest[..start]);
        out += &escaped(&format!("{}{}, ", set.before, seen.join(", ")));
        let (number, more) = (more.len(), escaped(&more.join(", ")));
        out += &format!("<details><summary>{number} more</summary>{more}</details>}}");
        rest = &rest[start + whole.len()..];
    }
    out + &escaped(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Rule, RuleSet};
    use pellucid_learn::model::{Column, Schema};
    use proptest::prelude::*;

    const CATEGORIES: [&str; 9] =
        ["red", "it's", "<b>", "a, b", "}", "blue", "&amp;", "x in {red}", "\u{7}"];

    fn model(rules: Vec<Rule>) -> RuleModel<()> {
        let schema = Schema {
            columns: vec![
                Column::numeric("x"),
                Column::nominal("c", CATEGORIES.map(String::from).to_vec()),
            ],
            classes: vec!["<i>".into(), "b".into()],
            target: Some("</title>".into()),
            ..Schema::default()
        };
        let set =
            RuleSet { base: vec![0.0, 0.5], rules, examples: vec![60, 40], ..RuleSet::default() };
        RuleModel::new("rules", (), schema, set)
    }

    /// What is read on a page on which everything is open.
    fn read(html: &str) -> String {
        let mut out = String::new();
        let mut rest = html;
        while let Some((before, tag)) = rest.split_once('<') {
            out += before;
            let after = match tag.strip_prefix("summary>") {
                Some(tag) => tag.split_once("</summary>").expect("an end").1,
                None => tag.split_once('>').expect("an end").1,
            };
            rest = after;
        }
        out += rest;
        out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
    }

    proptest! {
        /// A condition on a page is the condition of the text, once its sets are open.
        #[test]
        fn sets_open_to_what_the_text_says(sets in prop::collection::vec(prop::collection::btree_set(0..CATEGORIES.len(), 2..=CATEGORIES.len()), 1..4), within in any::<bool>()) {
            let set = |places: &std::collections::BTreeSet<usize>| {
                Expr::OneOf("c".into(), places.iter().map(|&place| pellucid_program::Value::Text(CATEGORIES[place].into())).collect())
            };
            let mut parts: Vec<Expr> = sets.iter().map(set).collect();
            parts.push("x > 1".parse().unwrap());
            let expr = if within { Expr::Not(Box::new(Expr::Or(parts))) } else { Expr::And(parts) };
            let model = model(Vec::new());
            prop_assert_eq!(read(&condition(&model, &expr)), in_words(&model, &expr));
        }
    }

    #[test]
    fn a_page_holds_what_the_text_holds_and_nothing_opens_it() {
        let rule = |when: &str, class, votes, covered: [u64; 2]| Rule {
            when: when.parse().unwrap(),
            class,
            votes,
            covered: covered.to_vec(),
        };
        let model = model(vec![
            rule("x > 1", 1, 1.5, [10, 30]),
            rule("c in {red, 'it''s', '<b>', 'a, b', '}', blue}", 0, 0.5, [50, 20]),
            rule("x <= 4", 0, 0.25, [40, 5]),
        ]);
        let page = Page { most: 9, notes: vec!["a <note>".into()], is_part: false };
        let page = html(&model, &page);
        for told in [
            "&lt;/title&gt; of each row from 2 columns; classes: &lt;i&gt;, b",
            "<caption>To begin with &lt;i&gt; has no votes, b has 0.50.",
            "c in {all but '&amp;amp;', 'x in {red}', '\\u0007'}",
            "covers 30 of 40 'b' and 10 of 60 '&lt;i&gt;': precision 75&nbsp;%, lift&nbsp;1.9",
            "The same as points for 'b': begin with +0.50",
            "<th scope=\"row\"><code>1 &lt; x &lt;= 4</code></th><td class=\"n\">+1.25</td>",
            "<p>a &lt;note&gt;</p>",
        ] {
            assert!(page.contains(told), "{told}\n{page}");
        }
        for odd in ["<i>", "<b>", "<note>", "</title> ", "\u{7}"] {
            assert!(!page.contains(odd), "{odd}");
        }
        let first = Page { most: 2, notes: Vec::new(), is_part: true };
        let first = html(&model, &first);
        assert!(first.starts_with("<style>") && !first.contains("as points"), "{first}");
        assert_eq!(first.matches("<td><code>").count(), 2);
        assert_eq!(page.matches("</table>").count(), page.matches("<table").count());
    }
}
