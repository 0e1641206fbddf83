//! The formula as LaTeX.

use super::inputs::{Case, FormulaInput, InputKind};
use super::rounding::trimmed;
use super::text::{negated, signed};
use super::{Formula, FormulaNetwork, FormulaNode, WeightedSum};
use crate::export::header;
use crate::model::NetworkModel;
use crate::task::NetworkTask;
use pellucid_data::visible_line;
use pellucid_export::wrap::marked;
use pellucid_forward::Activation;
use std::fmt::Write as _;

/// The number of terms on a line.
const TERMS: usize = 5;

/// Returns the model as equations of the package amsmath.
#[must_use]
pub fn latex(model: &NetworkModel) -> String {
    let formula = Formula::new(model);
    let mut out = marked("% ", &header(model));
    for remark in formula.remarks() {
        out += &marked("% ", &remark);
    }
    if let Some(clip) = formula.clip {
        let clip = trimmed(&format!("{clip:.6}"));
        let line = format!("An input below -{clip} counts as -{clip}, one above {clip} as {clip}.");
        out += &marked("% ", &line);
    }
    out += "% Needs \\usepackage{amsmath}; with \\allowdisplaybreaks a long formula continues on the\n\
            % next page.\n";
    out += "\\begin{align*}\n";
    let mut lines: Vec<String> =
        (1..).zip(&formula.inputs).map(|(at, one)| input(at, one)).collect();
    let count = formula.networks.len();
    for (number, network) in (1..).zip(&formula.networks) {
        nodes(&formula, network, (number, count), &mut lines);
    }
    predictions(&formula, model, &mut lines);
    out += &lines.join(" \\\\\n");
    out + "\n\\end{align*}\n"
}

/// Returns text in which no character has a meaning for LaTeX.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in visible_line(text).chars() {
        match letter {
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(letter);
            }
            other => out.push(other),
        }
    }
    out
}

/// Returns the equation of an input.
fn input(place: usize, FormulaInput { column, kind }: &FormulaInput) -> String {
    match kind {
        InputKind::Scaled { quantity, middle, half_range } => {
            let (quantity, moved) = (escaped(quantity), signed(&negated(middle)));
            format!(
                "x_{{{place}}} &= \\frac{{\\text{{{quantity}}}{moved}}}{{{half_range}}} \
                 \\quad \\text{{(0 if missing)}}"
            )
        }
        InputKind::Table(cases) => {
            let case = |(case, value): &(Case, String)| {
                format!("{value} & \\text{{if {}}}", escaped(&condition(column, case)))
            };
            let cases: Vec<String> = cases.iter().map(case).collect();
            let cases = cases.join(" \\\\\n    ");
            format!("x_{{{place}}} &= \\begin{{cases}}\n    {cases}\n  \\end{{cases}}")
        }
    }
}

fn condition(column: &str, case: &Case) -> String {
    match case {
        Case::Is(value) => format!("{column} is {value}"),
        Case::Within(None, Some(upper)) => format!("{column} is up to {upper}"),
        Case::Within(Some(lower), Some(upper)) => {
            format!("{column} is above {lower}, up to {upper}")
        }
        Case::Within(Some(lower), None) => format!("{column} is above {lower}"),
        Case::Within(None, None) => format!("{column} is any number"),
        Case::Missing => format!("{column} is missing"),
        Case::Other => format!("{column} has any other value"),
    }
}

/// Adds the equations of the hidden nodes and the outputs of a network. In an ensemble, the network is
/// the upper index.
fn nodes(
    formula: &Formula,
    network: &FormulaNetwork,
    (number, count): (usize, usize),
    lines: &mut Vec<String>,
) {
    let upper = upper_index(number, count);
    let mut before = "x".to_owned();
    let mut before_upper = String::new();
    for (layer, (nodes, &activation)) in network.layers.iter().zip(&formula.activations).enumerate()
    {
        let name = if layer == 0 { "h" } else { "g" };
        let value = |place: usize| format!("{before}_{{{place}}}{before_upper}");
        for (place, node) in (1..).zip(nodes) {
            let own = match node {
                FormulaNode::Linear(sum) => activated(activation, &sum_text(sum, value)),
                FormulaNode::Radial(width, links) => radial(width, links, value),
            };
            lines.push(format!("{name}_{{{place}}}{upper} &= {own}"));
        }
        (before, before_upper) = (name.to_owned(), upper.clone());
    }
    let value = |place: usize| format!("{before}_{{{place}}}{before_upper}");
    for (place, sum) in network.outputs.iter().enumerate() {
        let (name, sum) = (output_name(formula, place), sum_text(sum, value));
        match &network.scale {
            None => lines.push(format!("{name}{upper} &= {sum}")),
            Some((slope, offset)) => {
                lines.push(format!("o{upper} &= {sum}"));
                let scaled = format!("\\operatorname{{sign}}(o{upper}) \\ln(1 + |o{upper}|)");
                lines.push(format!("{name}{upper} &= {slope}\\,{scaled}{}", signed(offset)));
            }
        }
    }
}

fn upper_index(number: usize, count: usize) -> String {
    if count > 1 { format!("^{{({number})}}") } else { String::new() }
}

/// Returns the name of an output.
fn output_name(formula: &Formula, output: usize) -> String {
    match formula.task {
        NetworkTask::TwoClasses => "s".to_owned(),
        NetworkTask::Classes(_) => format!("s_{{{}}}", output + 1),
        NetworkTask::Number => "y".to_owned(),
    }
}

/// Returns terms with line breaks between groups of them.
fn broken(terms: &[String]) -> String {
    let lines: Vec<String> = terms.chunks(TERMS).map(|terms| terms.join(" ")).collect();
    lines.join(" \\\\\n    &\\qquad ")
}

fn sum_text(sum: &WeightedSum, value: impl Fn(usize) -> String) -> String {
    broken(&sum.terms(|weight, place| format!("{weight}\\,{}", value(place))))
}

/// Returns the activation of a sum. Brackets do not grow with their content, because sums may have
/// several lines.
fn activated(activation: Activation, sum: &str) -> String {
    match activation {
        Activation::Tanh => format!("\\tanh\\bigl({sum}\\bigr)"),
        Activation::Relu => format!("\\max\\bigl(0,\\; {sum}\\bigr)"),
        Activation::Sigmoid | Activation::Rbf(_) => {
            format!("1 / \\bigl(1 + \\exp(-({sum}))\\bigr)")
        }
    }
}

fn radial(width: &str, links: &[(String, String)], value: impl Fn(usize) -> String) -> String {
    let squares: Vec<String> = (1..)
        .zip(links)
        .map(|(place, (weight, center))| {
            let sign = if place > 1 { "+ " } else { "" };
            format!("{sign}({weight}\\,{}{})^2", value(place), signed(&negated(center)))
        })
        .collect();
    format!("\\exp\\bigl(-{width}\\,({})\\bigr)", broken(&squares))
}

/// Adds the mean of an ensemble and the probabilities.
fn predictions(formula: &Formula, model: &NetworkModel, lines: &mut Vec<String>) {
    let count = formula.networks.len();
    let outputs = formula.networks.first().map_or(0, |network| network.outputs.len());
    if count > 1 {
        for output in 0..outputs {
            let name = output_name(formula, output);
            let all: Vec<String> =
                (1..=count).map(|number| format!("{name}{}", upper_index(number, count))).collect();
            lines.push(format!("{name} &= ({}) / {count}", all.join(" + ")));
        }
    }
    let class = |place: usize| escaped(model.schema.classes.get(place).map_or("", String::as_str));
    let offset = |offset: &f64| signed(&trimmed(&format!("{offset:.9}")));
    match (formula.task, &formula.calibration) {
        (NetworkTask::Number, _) => {
            let target = escaped(model.schema.target.as_deref().unwrap_or("target"));
            lines.push(format!("\\text{{{target}}} &\\approx y"));
        }
        (NetworkTask::TwoClasses, Some((slope, offsets))) => lines.push(format!(
            "P(\\text{{{}}}) &= \\frac{{1}}{{1 + \\exp(-({slope}\\,s{}))}}",
            class(1),
            offset(&offsets[0])
        )),
        (NetworkTask::Classes(classes), Some((slope, offsets))) => {
            for (place, own) in (1..=classes).zip(offsets) {
                let own = offset(own);
                lines.push(format!("e_{{{place}}} &= \\exp({slope}\\,s_{{{place}}}{own})"));
            }
            for place in 1..=classes {
                let name = class(place - 1);
                lines.push(format!(
                    "P(\\text{{{name}}}) &= e_{{{place}}} / \\textstyle\\sum_{{k=1}}^{{{classes}}} e_{{k}}"
                ));
            }
        }
        (_, None) => {}
    }
    if let (NetworkTask::TwoClasses, Some(threshold)) = (formula.task, formula.threshold) {
        let mut decision = format!("&\\text{{Predict {} if }} s > ", class(1));
        let _ = write!(decision, "{threshold:.4}");
        lines.push(decision);
    }
}
