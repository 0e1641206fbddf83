//! The model as an HTML page: its rules, the table of points, and the accuracy by number of rules.
//!
//! The page has the same sentences as the text of the model, from the same functions. It adds
//! bars, and long sets of categories that expand on demand. No information is shown by color alone,
//! and the page follows the reader's light or dark color scheme; so does a fragment within another
//! page, such as a notebook.

mod path;
mod points;
mod rules;

pub(crate) use rules::decision;

use pellucid_export::dates::dated;
use pellucid_export::xml::{escaped, escaped_lines};
use pellucid_program::Expr;
use pellucid_ruleset::export::sentences::{condition_text, front, header, sets_in};
use pellucid_ruleset::model::RuleModel;

const STYLE: &str = include_str!("style.css");

/// The number of categories of a long set that are shown before it is expanded.
const SHOWN: usize = 3;

/// The contents of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The most rules to show.
    pub most: usize,
    /// Paragraphs at the end.
    pub notes: Vec<String>,
    /// Whether the result is a fragment of another page, such as a notebook.
    pub is_part: bool,
}

/// Returns the model as a self-contained page, or as a fragment of another page.
#[must_use]
pub fn page<P>(model: &RuleModel<P>, contents: &Page) -> String {
    let part = part(model, contents);
    if contents.is_part {
        return part;
    }
    let title = model.schema.target.as_deref().unwrap_or("class");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}: rules</title>\n\
         <style>body{{margin:0 auto;padding:1rem;max-width:64rem}}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n{part}</body>\n</html>\n",
        title = escaped(title),
    )
}

fn part<P>(model: &RuleModel<P>, page: &Page) -> String {
    let mut out = format!("<style>{STYLE}</style>\n<div class=\"pellucid\">\n");
    out += &format!("<p>{}</p>\n", escaped(&header(model)));
    out += &rules::table(model, page.most);
    // Points of only some rules do not decide.
    if model.body.rules.len() <= page.most {
        out += &points::table(model);
    }
    match front(model) {
        front if front.is_empty() => {}
        front => out += &format!("<pre>{}</pre>\n", escaped_lines(front.trim())),
    }
    out += &path::figure(model);
    for note in &page.notes {
        out += &format!("<p>{}</p>\n", escaped(note.trim()));
    }
    out + "</div>\n"
}

/// Returns a condition in words, with long sets that expand on demand.
fn condition<P>(model: &RuleModel<P>, expr: &Expr) -> String {
    let text = condition_text(model, expr);
    let dated = dated(expr, &model.schema.reading);
    let mut rest = &text[..];
    let mut out = String::new();
    for set in sets_in(&dated, &model.schema.columns) {
        let whole = set.text();
        // The words may be in another order than the condition; then the set is shown whole.
        let Some(start) = rest.find(&whole).filter(|_| set.categories.len() > SHOWN + 1) else {
            continue;
        };
        let (shown, more) = set.categories.split_at(SHOWN);
        out += &escaped(&rest[..start]);
        out += &escaped(&format!("{}{}, ", set.before, shown.join(", ")));
        let (number, more) = (more.len(), escaped(&more.join(", ")));
        out += &format!("<details><summary>{number} more</summary>{more}</details>}}");
        rest = &rest[start + whole.len()..];
    }
    out + &escaped(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_learn::model::{Column, Schema};
    use pellucid_ruleset::model::{Rule, RuleSet};
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

    /// Returns the text of a page with everything expanded.
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
        /// With its sets expanded, a condition on a page is the condition in the text.
        #[test]
        fn sets_expand_to_the_text(
            sets in prop::collection::vec(
                prop::collection::btree_set(0..CATEGORIES.len(), 2..=CATEGORIES.len()), 1..4),
            within in any::<bool>(),
        ) {
            let value = |&index: &usize| pellucid_program::Value::Text(CATEGORIES[index].into());
            let set = |chosen: &std::collections::BTreeSet<usize>| {
                Expr::OneOf("c".into(), chosen.iter().map(value).collect())
            };
            let mut parts: Vec<Expr> = sets.iter().map(set).collect();
            parts.push("x > 1".parse().unwrap());
            let expr = if within { Expr::Not(Box::new(Expr::Or(parts))) } else { Expr::And(parts) };
            let model = model(Vec::new());
            prop_assert_eq!(read(&condition(&model, &expr)), condition_text(&model, &expr));
        }
    }

    #[test]
    fn a_page_has_the_sentences_of_the_text_and_names_are_escaped() {
        let rule = |when: &str, class, votes, covered: [u64; 2]| Rule {
            covered: covered.to_vec(),
            ..Rule::new(when.parse().unwrap(), class, votes)
        };
        let model = model(vec![
            rule("x > 1", 1, 1.5, [10, 30]),
            rule("c in {red, 'it''s', '<b>', 'a, b', '}', blue}", 0, 0.5, [50, 20]),
            rule("x <= 4", 0, 0.25, [40, 5]),
        ]);
        let page = Page { most: 9, notes: vec!["a <note>".into()], is_part: false };
        let page = super::page(&model, &page);
        for text in [
            "Predicts &lt;/title&gt; ('&lt;i&gt;' or b) from 2 columns. 100 rows: 60 '&lt;i&gt;', 40 b.",
            "<caption>Score = 0.50 + the points of every rule that applies.",
            "c in {all but '&amp;amp;', 'x in {red}', '\\u0007'}",
            "<td><span class=\"mark c0\" aria-hidden=\"true\"></span>subtract 0.25 (favors '&lt;i&gt;')</td>",
            "covers 30 of 40 'b' and 10 of 60 '&lt;i&gt;': precision 75&nbsp;%, lift&nbsp;1.9",
            "The same model as a table of points: start with +0.50",
            "<th scope=\"row\"><code>1 &lt; x &lt;= 4</code></th><td class=\"n\">+1.25</td>",
            "<p>a &lt;note&gt;</p>",
        ] {
            assert!(page.contains(text), "{text}\n{page}");
        }
        for odd in ["<i>", "<b>", "<note>", "</title> ", "\u{7}"] {
            assert!(!page.contains(odd), "{odd}");
        }
        let first = Page { most: 2, notes: Vec::new(), is_part: true };
        let first = super::page(&model, &first);
        assert!(first.starts_with("<style>") && !first.contains("table of points"), "{first}");
        assert_eq!(first.matches("<td><code>").count(), 2);
        assert_eq!(page.matches("</table>").count(), page.matches("<table").count());
    }

    #[test]
    fn a_rule_that_lowers_a_class_says_so() {
        let schema = Schema {
            columns: vec![Column::numeric("petal")],
            classes: ["setosa", "versicolor", "virginica"].map(str::to_owned).to_vec(),
            ..Schema::default()
        };
        let rule = |when: &str, class, votes, covered: [u64; 3]| Rule {
            covered: covered.to_vec(),
            ..Rule::new(when.parse().expect("a condition"), class, votes)
        };
        let rules = vec![
            rule("petal > 2.5", 0, -2.42, [0, 50, 50]),
            rule("petal > 4.9", 2, 1.5, [0, 2, 46]),
        ];
        let set =
            RuleSet { base: vec![0.0; 3], rules, examples: vec![50; 3], ..RuleSet::default() };
        let model = RuleModel::new("rules", (), schema, set);
        let shown = page(&model, &Page { most: 9, notes: Vec::new(), is_part: true });
        let shown = shown.replace("&nbsp;", " ");
        assert!(shown.contains("lower 'setosa' by 2.42"), "{shown}");
        assert!(!shown.contains("(-2.42)"), "{shown}");
        let covers = "covers 100 of 150, of which 0 are 'setosa' (0 %; overall 33 %)";
        assert!(shown.contains(covers), "{shown}");
    }
}
