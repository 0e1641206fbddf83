//! How well shorter and longer models did on examples that they had not seen.

use crate::model::RuleModel;
use pellucid_learn::metrics::significant;

/// Digits of an error that was calculated: more would be noise.
const DIGITS: usize = 4;

/// What is said above the table.
pub(super) const TITLE: &str = "How models of other sizes did on examples that they had not seen";

/// Models of several sizes and how well they did.
#[derive(Debug, PartialEq)]
pub(super) struct Sizes {
    /// What the figures are, and how wide they are in text.
    pub(super) heads: Vec<(&'static str, usize)>,
    /// The models, the smallest first.
    pub(super) models: Vec<Size>,
}

/// A model of some size.
#[derive(Debug, PartialEq)]
pub(super) struct Size {
    /// How many rules it has.
    pub(super) rules: usize,
    /// The share of examples that it was right about, or R².
    pub(super) share: f64,
    /// All figures as text.
    pub(super) figures: Vec<String>,
    /// Whether it is the one that is told.
    pub(super) is_told: bool,
}

/// What is known of models of other sizes, if anything.
pub(super) fn sizes<P>(model: &RuleModel<P>) -> Option<Sizes> {
    let path = model.model.path.as_ref()?;
    let stops = path.stops.iter().enumerate();
    let size = |place: usize, share: f64, figures: Vec<String>| {
        let rules = path.stops[place].rules(model.model.ordered);
        let figures = std::iter::once(rules.to_string()).chain(figures).collect();
        Size { rules, share, figures, is_told: place == path.told }
    };
    let (heads, models): (_, Vec<Size>) = match &model.model.number {
        Some(number) => {
            let of_stop = |((place, _), found): ((usize, _), &crate::number::NumberSize)| {
                // Of nothing there is no less than nothing.
                let r2 = (found.r2 * 1000.0).round() / 1000.0 + 0.0;
                size(place, r2, vec![format!("{r2:.3}"), significant(found.mae, DIGITS)])
            };
            let heads = vec![("rules", 5), ("R²", 6), ("mean absolute error", 19)];
            (heads, stops.zip(&number.sizes).map(of_stop).collect())
        }
        None => {
            let mut heads = vec![("rules", 5), ("accuracy", 8)];
            let judged = stops.filter_map(|(place, stop)| Some((place, stop.accuracy?, stop.auc)));
            let judged: Vec<_> = judged.collect();
            if judged.first().is_some_and(|(_, _, auc)| auc.is_some()) {
                heads.push(("AUC", 5));
            }
            let of_stop = |&(place, accuracy, auc): &(usize, f64, Option<f64>)| {
                let figures = std::iter::once(accuracy).chain(auc);
                size(place, accuracy, figures.map(|figure| format!("{figure:.3}")).collect())
            };
            (heads, judged.iter().map(of_stop).collect())
        }
    };
    (!models.is_empty()).then_some(Sizes { heads, models })
}

/// The same as text; nothing where nothing is known.
pub(super) fn text<P>(model: &RuleModel<P>) -> String {
    let Some(Sizes { heads, models }) = sizes(model) else { return String::new() };
    let mut out = format!("\n{TITLE}:\n\n");
    for (head, width) in &heads {
        out += &format!("  {head:>width$}");
    }
    out += "\n";
    for Size { figures, is_told, .. } in &models {
        for (figure, (_, width)) in figures.iter().zip(&heads) {
            out += &format!("  {figure:>width$}");
        }
        out += if *is_told { "  told above\n" } else { "\n" };
    }
    out
}
