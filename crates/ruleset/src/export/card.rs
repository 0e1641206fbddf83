//! A scorecard as text and as CSV: the points of each value, and the risk by total.

use super::header::{examples_name, header};
use super::points::{PointsGroup, any_other, points_groups};
use super::sizes;
use super::text::class_name;
use crate::card::{PairGain, RiskBand, Scorecard};
use crate::model::RuleModel;
use pellucid_export::wrap::paragraph;
use pellucid_learn::digits::whole_percent;
use pellucid_learn::metrics::Estimate;
use std::collections::BTreeSet;

/// A scorecard for people: in each group at most one line applies, and no line has negative points.
#[derive(Debug, PartialEq)]
pub struct CardTables {
    /// How to read the points.
    pub how: String,
    /// What lines on two columns gain.
    pub gain: Option<String>,
    /// The score of a total of 0.
    pub start: i64,
    /// The points of each column, then those of pairs of columns.
    pub groups: Vec<CardGroup>,
    /// The risk by total.
    pub risks: Vec<RiskRow>,
}

/// Lines of which at most one applies.
#[derive(Debug, PartialEq)]
pub struct CardGroup {
    /// The columns; none if rows are bags.
    pub columns: Vec<String>,
    /// The places of the rules in the model.
    pub rules: Vec<usize>,
    /// The least score, which the points are counted from.
    pub least: i64,
    /// The values in words, with their points.
    pub lines: Vec<(String, i64)>,
}

/// The risk of some totals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiskRow {
    /// The lowest and the highest total.
    pub totals: (i64, i64),
    /// The number of held-out examples.
    pub examples: u64,
    /// The number of those of the positive class.
    pub positive: u64,
    /// Their share with its 95 % interval.
    pub risk: Estimate,
}

/// Returns the scorecard of a model; `None` if it is none.
pub fn card<P>(model: &RuleModel<P>) -> Option<CardTables> {
    let Scorecard { bands, missing, pairs } = model.body.card.as_ref()?;
    let groups = points_groups(model)?;
    let pairs = pairs.filter(|_| groups.iter().any(|group| group.tests_several));
    let groups: Vec<CardGroup> =
        groups.into_iter().map(|group| card_group(group, missing)).collect();
    let start = whole(model.body.base[1] - model.body.base[0]);
    let start = start + groups.iter().map(|group| group.least).sum::<i64>();
    let most: i64 = groups.iter().map(CardGroup::most).sum();
    let risks = risk_rows(bands, start, &possible_totals(&groups));
    let how = how(model, 1 - start, most);
    Some(CardTables { how, gain: pairs.and_then(gain), start, groups, risks })
}

/// Returns what lines on two columns gain. They are selected by their loss, so the AUC may be no higher.
fn gain(PairGain { auc, without }: PairGain) -> Option<String> {
    let [before, after] = [without, auc].map(|auc| format!("{auc:.3}"));
    (before < after).then(|| {
        format!("Lines on two columns raise the AUC on held-out data from {before} to {after}.")
    })
}

/// Returns a group without negative points, given the columns with missing values.
fn card_group(group: PointsGroup, missing: &[String]) -> CardGroup {
    let PointsGroup { columns, rules, rows, .. } = group;
    let mut lines: Vec<(String, i64)> =
        rows.into_iter().map(|(text, points)| (text, whole(points))).collect();
    if let [name] = &columns[..]
        && missing.contains(name)
    {
        // No rule applies to a missing value, nor to values that no rule names.
        match lines.iter_mut().find(|(text, _)| *text == any_other(name)) {
            Some((text, _)) => text.push_str(", or missing"),
            None => lines.push((format!("{name} is missing"), 0)),
        }
    }
    let least = lines.iter().map(|(_, points)| *points).min().unwrap_or(0);
    lines.iter_mut().for_each(|(_, points)| *points -= least);
    CardGroup { columns, rules, least, lines }
}

impl CardGroup {
    /// Returns the highest points of a line.
    fn most(&self) -> i64 {
        self.lines.iter().map(|(_, points)| *points).max().unwrap_or(0)
    }
}

/// Returns all totals that one line of each group can give, in order.
fn possible_totals(groups: &[CardGroup]) -> Vec<i64> {
    let mut totals = BTreeSet::from([0]);
    for group in groups {
        let added = |&total: &i64| group.lines.iter().map(move |(_, points)| total + points);
        totals = totals.iter().flat_map(added).collect();
    }
    totals.into_iter().collect()
}

/// Returns the risk by total, given the score of a total of 0 and the totals of the scorecard. The models of
/// the folds differ a little from the scorecard, so each range begins and ends with one of its totals, and a
/// range without any is added to the one before.
fn risk_rows(bands: &[RiskBand], start: i64, totals: &[i64]) -> Vec<RiskRow> {
    // The place of the lowest total, the examples, and those of the positive class.
    let mut rows: Vec<(usize, u64, u64)> = Vec::with_capacity(bands.len());
    for &RiskBand { low, examples, positive, .. } in bands {
        let place = totals.partition_point(|total| *total < whole(low) - start);
        let place = if rows.is_empty() { 0 } else { place.min(totals.len() - 1) };
        match rows.last_mut() {
            Some(last) if last.0 >= place => {
                (last.1, last.2) = (last.1 + examples, last.2 + positive)
            }
            _ => rows.push((place, examples, positive)),
        }
    }
    let ends = rows.iter().skip(1).map(|next| next.0 - 1).chain([totals.len() - 1]);
    let row = |(&(first, examples, positive), last): (&(usize, u64, u64), usize)| {
        let risk = Estimate::share(positive as f64 / examples as f64, examples as f64);
        RiskRow { totals: (totals[first], totals[last]), examples, positive, risk }
    };
    rows.iter().zip(ends).map(row).collect()
}

/// Returns how to read the points, given the lowest total of the positive class and the highest total.
fn how<P>(model: &RuleModel<P>, least: i64, most: i64) -> String {
    let (negative, positive) = (class_name(model, 0), class_name(model, 1));
    let add = format!("Add the points of the lines that apply, one in each group: 0 to {most}.");
    match least {
        ..=0 => format!("{add} Every total predicts '{positive}'."),
        least if least > most => format!("{add} Every total predicts '{negative}'."),
        least => {
            format!(
                "{add} A total of {least} or more predicts '{positive}', a lower one '{negative}'."
            )
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "points of a scorecard are small whole numbers"
)]
fn whole(points: f64) -> i64 {
    points.round() as i64
}

/// Returns the model as text; `None` if it is no scorecard.
pub(super) fn text<P>(model: &RuleModel<P>) -> Option<String> {
    let CardTables { how, gain, groups, risks, .. } = card(model)?;
    let mut out = paragraph("", 0, &header(model)) + "\n" + &paragraph("", 0, &how);
    out += &gain.map_or_else(String::new, |gain| paragraph("\n", 0, &gain));
    let letters = |text: &str| text.chars().count();
    // A long set of categories shifts its own points, not those of all rows.
    let widths = groups.iter().flat_map(|group| &group.lines).map(|(text, _)| letters(text));
    let width = widths.filter(|width| *width <= 48).max().unwrap_or(0);
    for group in &groups {
        out += "\n";
        for (text, points) in &group.lines {
            let room = " ".repeat(width.saturating_sub(letters(text)));
            out += &format!("  {text}{room}  {points:>3}\n");
        }
    }
    Some(out + &risk_text(model, &risks) + &sizes::text(model))
}

/// Returns the risk by total as text; empty if it is unknown.
fn risk_text<P>(model: &RuleModel<P>, risks: &[RiskRow]) -> String {
    if risks.is_empty() {
        return String::new();
    }
    let positive = class_name(model, 1);
    let mut out = paragraph("\n", 0, &format!("Risk of '{positive}' by total (held-out data):"));
    out += &format!(
        "\n  {:>9}  {:>7}  {:>8}  {:>6}  95 % interval\n",
        "total",
        examples_name(model, 2),
        "positive",
        "risk"
    );
    for row in risks {
        out += &format!(
            "  {:>9}  {:>7}  {:>8}  {:>6}  {} to {}\n",
            totals_text(row.totals),
            row.examples,
            row.positive,
            whole_percent(row.risk.value),
            whole_percent(row.risk.low),
            whole_percent(row.risk.high),
        );
    }
    out
}

/// Returns a range of totals in words.
pub fn totals_text((low, high): (i64, i64)) -> String {
    if low == high { low.to_string() } else { format!("{low} to {high}") }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::{Rule, RuleSet};
    use pellucid_learn::model::{Column, Schema};

    pub(in crate::export) fn scorecard(bands: Vec<RiskBand>, missing: &[&str]) -> RuleModel<()> {
        let schema = Schema {
            columns: vec![
                Column::numeric("age"),
                Column::boolean("smoker"),
                Column::nominal("ward", ["a", "b, or c"].map(String::from).to_vec()),
                Column::numeric("flag"),
            ],
            target: Some("ill".into()),
            classes: vec!["no".into(), "yes".into()],
            ..Schema::default()
        };
        let rule = |when: &str, votes: f64| {
            let class = u32::from(votes > 0.0);
            Rule::new(when.parse().expect("a condition"), class, votes.abs())
        };
        let rules = vec![
            rule("age > 40", 4.0),
            rule("age <= 20", -3.0),
            rule("smoker", 2.0),
            rule("ward = a", -5.0),
            rule("flag = 1", 6.0),
        ];
        let missing = missing.iter().map(ToString::to_string).collect();
        let card = Some(Scorecard { bands, missing, pairs: None });
        let body = RuleSet { base: vec![2.0, 0.0], rules, card, ..RuleSet::default() };
        RuleModel::new("rules", (), schema, body)
    }

    pub(in crate::export) fn band(low: f64, high: f64, examples: u64, positive: u64) -> RiskBand {
        RiskBand { low, high, examples, positive }
    }

    /// The score is -2 plus points from -8 to 12; a total of 0 is a score of -10.
    #[test]
    fn a_scorecard_has_no_negative_points() {
        let bands = vec![band(-12.0, -6.0, 40, 2), band(-4.0, 1.0, 30, 9), band(3.0, 8.0, 30, 24)];
        let found = text(&scorecard(bands, &["age"])).expect("a scorecard");
        assert_eq!(
            found,
            "Predicts ill (no or yes) from 4 columns.

Add the points of the lines that apply, one in each group: 0 to 20. A total of
11 or more predicts 'yes', a lower one 'no'.

  age <= 20                0
  20 < age <= 40           3
  age > 40                 7
  age is missing           3

  not smoker               0
  smoker                   2

  ward = a                 0
  ward = 'b, or c'         5

  flag = 1                 6
  flag: any other value    0

Risk of 'yes' by total (held-out data):

      total     rows  positive    risk  95 % interval
     0 to 5       40         2     5 %  1 % to 17 %
    6 to 12       30         9    30 %  17 % to 48 %
   13 to 20       30        24    80 %  63 % to 90 %
"
        );
    }

    #[test]
    fn lines_on_two_columns_come_last() {
        let mut model = scorecard(Vec::new(), &["age"]);
        let pair = "flag = 1 and age > 40".parse().expect("a condition");
        model.body.rules.insert(1, Rule::new(pair, 0, 2.0));
        let pairs = Some(PairGain { auc: 0.8125, without: 0.75 });
        model.body.card = model.body.card.map(|card| Scorecard { pairs, ..card });
        let found = text(&model).expect("a scorecard");
        let last = "  flag: any other value    0

  flag = 1 and age > 40    0
  any other values         2
";
        assert!(found.ends_with(last), "{found}");
        let gain = "Lines on two columns raise the AUC on held-out data from 0.750 to 0.812.";
        assert!(found.contains(gain), "{found}");
        let card = card(&model).expect("a scorecard");
        assert_eq!(card.start, -12);
        assert_eq!(card.groups.iter().map(|group| group.rules.len()).sum::<usize>(), 6);
    }

    #[test]
    fn missing_values_are_among_the_others() {
        let found = text(&scorecard(Vec::new(), &["flag"])).expect("a scorecard");
        assert!(found.contains("  flag: any other value, or missing    0\n"), "{found}");
        assert!(!found.contains("flag is missing"), "{found}");
    }

    #[test]
    fn a_gain_is_shown_only_if_there_is_one() {
        let with = |auc: f64, condition: &str| {
            let mut model = scorecard(Vec::new(), &[]);
            model.body.rules.push(Rule::new(condition.parse().expect("a condition"), 1, 2.0));
            let pairs = Some(PairGain { auc, without: 0.75 });
            model.body.card = model.body.card.map(|card| Scorecard { pairs, ..card });
            card(&model).expect("a scorecard").gain.is_some()
        };
        assert!(with(0.76, "smoker and age > 40"));
        assert!(!with(0.7504, "smoker and age > 40"));
        assert!(!with(0.74, "smoker and age > 40"));
        assert!(!with(0.76, "age > 30"));
    }

    #[test]
    fn totals_that_only_folds_reach_belong_to_the_nearest_range() {
        let bands =
            vec![band(-14.0, -13.0, 9, 1), band(-12.0, -11.0, 10, 2), band(12.0, 13.0, 11, 3)];
        let card = card(&scorecard(bands, &[])).expect("a scorecard");
        assert_eq!(card.start, -10);
        let rows: Vec<((i64, i64), u64, u64)> =
            card.risks.iter().map(|row| (row.totals, row.examples, row.positive)).collect();
        // No line has 1 or 4 points, so a total of 19 is not possible.
        assert_eq!(rows, [((0, 18), 19, 3), ((20, 20), 11, 3)]);
    }

    #[test]
    fn only_possible_totals_have_a_risk() {
        let lines = vec![("x <= 5".to_owned(), 0), ("x > 5".to_owned(), 10)];
        let one_step = CardGroup { columns: vec!["x".into()], rules: vec![0], least: 0, lines };
        let totals = possible_totals(&[one_step]);
        assert_eq!(totals, [0, 10]);
        let bands = [band(-5.0, -5.0, 40, 4), band(4.0, 4.0, 9, 5), band(5.0, 5.0, 31, 20)];
        let rows: Vec<((i64, i64), u64)> =
            risk_rows(&bands, -5, &totals).iter().map(|row| (row.totals, row.examples)).collect();
        assert_eq!(rows, [((0, 0), 40), ((10, 10), 40)]);
    }
}
