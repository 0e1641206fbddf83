//! The model on a page: what it predicts, its rules in words, and how they come to a decision.

use super::beside::beside_others;
use super::dates::dated;
use super::number::added;
use super::points;
use super::prose::{condition, visible};
use super::sets::has_all_but;
use super::sizes;
use super::wrap::paragraph;
use crate::model::{Rule, RuleModel, RuleSet, winner};
use pellucid_learn::metrics::significant;
use pellucid_learn::model::NumberSeen;
use pellucid_program::Expr;

/// The model as a person reads it.
///
/// Numbers of votes are rounded to the eye's needs; the model file has them in full.
///
/// ```
/// use pellucid_learn::model::{Column, Schema};
/// use pellucid_ruleset::export::text;
/// use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
///
/// let schema = Schema {
///     columns: vec![Column::numeric("f1"), Column::numeric("f7")],
///     target: Some("active".into()),
///     bag: Some("molecule".into()),
///     classes: vec!["no".into(), "yes".into()],
///     ..Schema::default()
/// };
/// let rule = Rule {
///     when: "some row (f1 > 2.5 and f7 <= 3)".parse()?,
///     class: 1,
///     votes: 1.0,
///     covered: vec![2, 31],
/// };
/// let (base, examples) = (vec![0.5, 0.0], vec![45, 47]);
/// let model = RuleSet { base, rules: vec![rule], examples, ..RuleSet::default() };
/// let model = RuleModel::new("rules", (), schema, model);
/// assert_eq!(
///     text(&model),
///     "active of each bag (column 'molecule') from 2 columns; classes: no, yes
///
/// IF some row has f1 > 2.5 and f7 <= 3
/// THEN yes
///      covers 31 of 47 'yes' and 2 of 45 'no': precision 94 %, lift 1.8
/// otherwise no
/// "
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn text<P>(model: &RuleModel<P>) -> String {
    text_of_first(model, usize::MAX)
}

/// The same with so many rules at most, where they vote.
#[must_use]
pub fn text_of_first<P>(model: &RuleModel<P>, most: usize) -> String {
    match (model.model.ordered, &model.schema.number) {
        (true, _) => return super::list::text(model),
        (false, Some(_)) => return super::number::text(model),
        (false, None) => {}
    }
    let mut out = paragraph("", 2, &header(model)) + "\n";
    let rules = &model.model.rules;
    match (&rules[..], decision(&model.model)) {
        ([], _) => {
            let class = class_name(model, winner(&model.model.base));
            out += &paragraph("", 0, &format!("There are no rules: always {class}."));
        }
        ([rule], Some(otherwise)) => {
            out += &paragraph("IF ", 3, &dated_when(model, rule));
            out += &paragraph("THEN ", 5, &class_name(model, rule.class));
            out += &coverage(model, rule, 5);
            out += &paragraph("otherwise ", 10, &class_name(model, otherwise));
        }
        (rules, otherwise) => {
            let beside = beside_others(model);
            for (index, rule) in rules.iter().enumerate().take(most) {
                let number = format!("{}. ", index + 1);
                let hang = number.len();
                out += &paragraph(&format!("{number}IF "), hang + 3, &dated_when(model, rule));
                // Where any rule decides alone, nobody counts votes.
                let (said, after) = match otherwise {
                    Some(_) => (class_name(model, rule.class), ""),
                    None => (said(model, rule), "\n"),
                };
                out += &paragraph(&format!("{:hang$}THEN ", ""), hang + 5, &said);
                out += &coverage(model, rule, hang + 5);
                if let Some(beside) = beside[index].as_ref().filter(|_| otherwise.is_none()) {
                    let indent = hang + 5;
                    out += &paragraph(&" ".repeat(indent), indent + 2, beside);
                }
                out += after;
            }
            out += &match otherwise {
                Some(class) => paragraph("otherwise ", 10, &class_name(model, class)),
                None if rules.len() > most => paragraph("", 0, &counting(model)),
                None => paragraph("", 0, &counting(model)) + &points::text(model),
            };
        }
    }
    out + &front(model) + &sizes::text(model)
}

/// Rules that trade sensitivity for specificity, one a paragraph, the most sensitive first.
pub(super) fn front<P>(model: &RuleModel<P>) -> String {
    let (rules, examples) = (&model.model.front, &model.model.examples);
    if rules.is_empty() || examples.is_empty() {
        return String::new();
    }
    let mut out =
        format!("\nThe rule above is one of {}, none better than another in both:\n", rules.len());
    for rule in rules {
        let share = |of_class: bool, covered: bool| {
            let pick = |(class, _): &(usize, &u64)| (*class == rule.class as usize) == of_class;
            let all: u64 = examples.iter().enumerate().filter(pick).map(|(_, count)| count).sum();
            let hit: u64 =
                rule.covered.iter().enumerate().filter(pick).map(|(_, count)| count).sum();
            let counted = if covered { hit } else { all.saturating_sub(hit) };
            100.0 * counted as f64 / all.max(1) as f64
        };
        let (sensitivity, specificity) = (share(true, true), share(false, false));
        out += &format!("\nsensitivity {sensitivity:.0} %, specificity {specificity:.0} %\n");
        out += &paragraph("  IF ", 5, &dated_when(model, rule));
    }
    out
}

/// What is predicted from what.
pub(super) fn header<P>(model: &RuleModel<P>) -> String {
    let schema = &model.schema;
    let target = schema.target.as_deref().unwrap_or("class");
    let example = match &schema.bag {
        Some(bag) => format!("bag (column '{bag}')"),
        None => "row".to_owned(),
    };
    let columns = match schema.columns.len() {
        1 => "1 column".to_owned(),
        number => format!("{number} columns"),
    };
    let what = match &schema.number {
        Some(NumberSeen { low, high, .. }) => {
            let (low, high) = (significant(*low, 6), significant(*high, 6));
            format!("a number, {low} to {high} where learned")
        }
        None => format!("classes: {}", schema.classes.join(", ")),
    };
    let line = format!("{target} of each {example} from {columns}; {what}");
    visible(&line)
}

/// The class of the examples that no rule covers, where any rule that holds decides for one and the same class.
pub(super) fn decision(model: &RuleSet) -> Option<u32> {
    let class = model.rules.first()?.class;
    let decides = |rule: &Rule| {
        let mut votes = model.base.clone();
        let Some(mine) = votes.get_mut(rule.class as usize) else { return false };
        *mine += rule.votes;
        rule.class == class && rule.votes > 0.0 && winner(&votes) == class
    };
    let otherwise = winner(&model.base);
    (model.rules.iter().all(decides) && otherwise != class).then_some(otherwise)
}

/// A rule's condition in words.
pub(super) fn dated_when<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    in_words(model, &rule.when)
}

/// A condition in words, dates as dates.
pub(super) fn in_words<P>(model: &RuleModel<P>, expr: &Expr) -> String {
    let schema = &model.schema;
    condition(&dated(expr, &schema.reading), &schema.columns, schema.bag.is_some())
}

/// What follows from a rule of a model: a class, votes for one, or, where no class is named, a number or what is added to it.
pub(crate) fn consequence(model: &RuleSet, rule: &Rule, class: Option<String>) -> String {
    match (class, model.ordered) {
        (None, true) => rule.votes.to_string(),
        (None, false) => added(rule.votes),
        (Some(class), true) => class,
        (Some(class), false) if rule.votes < 0.0 => {
            format!("lowers '{class}' by {}", rounded(-rule.votes))
        }
        (Some(class), false) => format!("{class} (+{})", rounded(rule.votes)),
    }
}

/// The same, with the class by its name.
pub(super) fn said<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    let class = model.schema.number.is_none().then(|| class_name(model, rule.class));
    consequence(&model.model, rule, class)
}

/// The whole rule in one line.
pub(super) fn whole<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    format!("IF {} THEN {}", dated_when(model, rule), said(model, rule))
}

/// A class by name, or by number where it has none.
pub(super) fn class_name<P>(model: &RuleModel<P>, class: u32) -> String {
    model
        .schema
        .classes
        .get(class as usize)
        .map_or_else(|| format!("class {class}"), |name| visible(name))
}

/// Two digits behind the point, or two digits that are not zero.
pub(crate) fn rounded(number: f64) -> String {
    if number == 0.0 || number.abs() >= 0.1 {
        format!("{number:.2}")
    } else {
        // A number's exponent says how many zeros come first.
        let digits = (1.0 - number.abs().log10().floor()).clamp(2.0, 12.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "2 to 12")]
        let digits = digits as usize;
        format!("{number:.digits$}")
    }
}

/// How many training examples of which class a rule covers, on lines of their own.
pub(super) fn coverage<P>(model: &RuleModel<P>, rule: &Rule, indent: usize) -> String {
    match covers(model, rule) {
        Some(line) => paragraph(&" ".repeat(indent), indent + 2, &line),
        None => String::new(),
    }
}

/// How many training examples of which class a rule covers, where that is known.
pub(super) fn covers<P>(model: &RuleModel<P>, rule: &Rule) -> Option<String> {
    if rule.covered.is_empty() {
        return None;
    }
    if rule.votes < 0.0 && !model.model.ordered {
        return covers_few(model, rule);
    }
    let share = |class: usize| {
        let name = class_name(model, u32::try_from(class).unwrap_or(u32::MAX));
        let count = rule.covered[class];
        match model.model.examples.get(class) {
            Some(all) => format!("{count} of {all} '{name}'"),
            None => format!("{count} '{name}'"),
        }
    };
    let own = rule.class as usize;
    // Of many classes only those that are covered; of two always both, since none of the other is worth a word.
    let told = |class: usize| class == own || rule.covered[class] > 0 || rule.covered.len() == 2;
    let others = (0..rule.covered.len()).filter(|&class| class != own);
    let mut shares: Vec<String> = std::iter::once(own)
        .chain(others)
        .filter(|&class| class < rule.covered.len() && told(class))
        .map(share)
        .collect();
    let last = shares.pop().unwrap_or_default();
    let list = if shares.is_empty() { last } else { format!("{} and {last}", shares.join(", ")) };
    Some(format!("covers {list}{}", precision(model, rule)))
}

/// The same of a rule that makes its class less likely: how few of what it covers are of the class.
fn covers_few<P>(model: &RuleModel<P>, rule: &Rule) -> Option<String> {
    let (own, examples) = (rule.class as usize, &model.model.examples);
    let (covered, of_class) = (rule.covered.iter().sum::<u64>(), *rule.covered.get(own)?);
    let (all, class) = (examples.iter().sum::<u64>(), class_name(model, rule.class));
    let whole = if all > 0 { format!(" of {all}") } else { String::new() };
    let share = |part: u64, whole: u64| percent(part, whole.max(1));
    let are = if of_class == 1 { "is" } else { "are" };
    let overall = match examples.get(own) {
        Some(&of_all) if all > 0 => format!(", overall {}", share(of_all, all)),
        _ => String::new(),
    };
    let among = share(of_class, covered);
    Some(format!("covers {covered}{whole}, of which {of_class} {are} '{class}' ({among}{overall})"))
}

/// How often a rule is right where it holds, and how much more often than elsewhere.
#[expect(clippy::cast_precision_loss, reason = "for the eye")]
fn precision<P>(model: &RuleModel<P>, rule: &Rule) -> String {
    let (own, examples) = (rule.class as usize, &model.model.examples);
    let covered: u64 = rule.covered.iter().sum();
    let Some(&right) = rule.covered.get(own).filter(|_| rule.votes >= 0.0 && covered > 0) else {
        return String::new();
    };
    let (all, of_class) = (examples.iter().sum::<u64>(), examples.get(own).copied().unwrap_or(0));
    // A rule that holds for most examples cannot have much lift; what it tells apart are the others.
    // Of a list the others are also those that rules before it took.
    let others = match (all.checked_sub(covered), of_class.checked_sub(right)) {
        _ if model.model.ordered => String::new(),
        (Some(others), Some(missed)) if 0 < others && others < covered && missed <= others => {
            format!(" (among the others {})", percent(missed, others))
        }
        _ => String::new(),
    };
    let lift = match of_class > 0 && right > 0 {
        true => {
            let lift = right as f64 * all as f64 / (covered as f64 * of_class as f64);
            format!(", lift {lift:.1}")
        }
        false => String::new(),
    };
    format!(": precision {}{others}{lift}", percent(right, covered))
}

/// A share in whole percents; what is nearly all is never shown as all.
#[expect(clippy::cast_precision_loss, reason = "for the eye")]
pub(super) fn percent(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole as f64;
    match percent.round() {
        100.0 if part < whole => "over 99 %".to_owned(),
        0.0 if part > 0 => "under 1 %".to_owned(),
        rounded => format!("{rounded} %"),
    }
}

/// How the rules come to a decision.
pub(super) fn counting<P>(model: &RuleModel<P>) -> String {
    let begin: Vec<String> = (0u32..)
        .zip(&model.model.base)
        .map(|(class, &votes)| format!("{} has {}", class_name(model, class), signed(votes)))
        .collect();
    let columns = &model.schema.columns;
    let sets = match model.model.rules.iter().any(|rule| has_all_but(&rule.when, columns)) {
        true => {
            " Where a set is told by what is not in it, 'all' are the categories met in learning."
        }
        false => "",
    };
    format!(
        "To begin with {}. Every rule that holds adds its votes to those of its class. The class with the most votes wins, of equal classes the first.{sets}",
        begin.join(", ")
    )
}

fn signed(votes: f64) -> String {
    if votes == 0.0 { "no votes".to_owned() } else { rounded(votes) }
}
