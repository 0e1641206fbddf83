//! A model as CSV for a spreadsheet: a scorecard as its two tables, other models as a table of rules.

use super::card::{CardTables, RiskRow, card};
use super::text::{class_name, condition_text};
use crate::model::{Rule, RuleModel};
use pellucid_learn::metrics::Estimate;

/// Returns a model as CSV. A scorecard has two tables with an empty line between them: the points, and
/// the risk by total. Other models have one line for each rule.
pub fn csv<P>(model: &RuleModel<P>) -> String {
    match card(model) {
        Some(card) => card_tables(model, &card),
        None => rule_table(model),
    }
}

fn card_tables<P>(model: &RuleModel<P>, CardTables { groups, risks, .. }: &CardTables) -> String {
    let mut out = "value,points\n".to_owned();
    for (text, points) in groups.iter().flat_map(|group| &group.lines) {
        out += &format!("{},{points}\n", cell(text));
    }
    if !risks.is_empty() {
        let positive = cell(&format!("examples of '{}'", class_name(model, 1)));
        out += &format!("\nlowest total,highest total,examples,{positive},risk,low,high\n");
        for RiskRow { totals: (low_total, high_total), examples, positive, risk } in risks {
            let Estimate { value, low, high, .. } = risk;
            out += &format!(
                "{low_total},{high_total},{examples},{positive},{value:.4},{low:.4},{high:.4}\n"
            );
        }
    }
    out
}

/// Returns the rules with the points of each class, or the amount, and the examples that each covers.
fn rule_table<P>(model: &RuleModel<P>) -> String {
    let (set, classes) = (&model.body, 0..model.schema.outputs());
    let is_number = model.schema.number.is_some();
    let name = |class: usize| class_name(model, u32::try_from(class).unwrap_or(u32::MAX));
    let heads = |what: &str| -> Vec<String> {
        let head = |class: usize| match is_number {
            true => what.to_owned(),
            false => format!("{what} '{}'", name(class)),
        };
        classes.clone().map(|class| cell(&head(class))).collect()
    };
    let head = [vec!["condition".to_owned()], heads("points for"), heads("covered examples of")];
    let row = |condition: &str, points: Vec<f64>, covered: &[u64]| {
        let mut cells = vec![cell(condition)];
        cells.extend(points.iter().map(ToString::to_string));
        cells.extend(
            classes
                .clone()
                .map(|class| covered.get(class).map_or_else(String::new, ToString::to_string)),
        );
        cells.join(",") + "\n"
    };
    let mut out = head.concat().join(",") + "\n";
    let start = if set.ordered { "otherwise" } else { "start" };
    let of_rule = |rule: &Rule| {
        let mut points = vec![0.0; set.base.len()];
        rule.add_to(&mut points);
        row(&condition_text(model, &rule.when), points, &rule.covered)
    };
    let base = row(start, set.base.clone(), &set.examples);
    let rules: String = set.rules.iter().map(of_rule).collect();
    out += &if set.ordered { rules + &base } else { base + &rules };
    out
}

/// Returns a cell in quotes if it needs them. A cell that a spreadsheet would read as a formula starts
/// with an apostrophe.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::card::tests::{band, scorecard};
    use crate::model::RuleSet;

    #[test]
    fn a_scorecard_has_two_tables() {
        let found = csv(&scorecard(vec![band(-10.0, 10.0, 40, 10)], &[]));
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines[0], "value,points");
        assert!(lines.contains(&"\"ward = 'b, or c'\",5"), "{found}");
        let head = "lowest total,highest total,examples,examples of 'yes',risk,low,high";
        assert_eq!(lines[lines.len() - 2], head);
        assert!(lines[lines.len() - 1].starts_with("0,20,40,10,0.2500,"), "{found}");
    }

    #[test]
    fn rules_have_a_line_each() {
        let mut model = scorecard(Vec::new(), &[]);
        let RuleSet { card, examples, rules, .. } = &mut model.body;
        *card = None;
        *examples = vec![30, 10];
        rules.truncate(2);
        rules[0].covered = vec![3, 8];
        let expected = "condition,points for 'no',points for 'yes',covered examples of 'no',\
                        covered examples of 'yes'
start,2,0,30,10
age > 40,0,4,3,8
age <= 20,3,0,,
";
        assert_eq!(csv(&model), expected);
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        assert_eq!(cell("=1+2"), "'=1+2");
        assert_eq!(cell("@a,b"), "\"'@a,b\"");
        assert_eq!(cell("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(cell("age > 3"), "age > 3");
    }
}
