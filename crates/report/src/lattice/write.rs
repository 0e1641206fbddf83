//! The drawing as SVG.

use super::label::LINE;
use super::layout::{DrawnEdge, DrawnNode, LatticeLayout};
use super::{DrawOptions, NameLabel};
use pellucid_concepts::lattice::Lattice;
use pellucid_data::{Context, Names};
use pellucid_export::xml::escaped_lines;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The most names in a tooltip, with and without labels; the rest is counted.
const MOST_NAMES: (usize, usize) = (60, 12);

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

pub(super) fn write(
    context: &Context,
    lattice: &Lattice,
    layout: &LatticeLayout,
    options: &DrawOptions,
    mut out: impl Write,
) -> io::Result<()> {
    let LatticeLayout { width, height, shrink, .. } = layout;
    let class = if layout.is_labeled { "lattice" } else { "lattice quick" };
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" role=\"img\" \
         width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">",
        width / shrink,
        height / shrink
    )?;
    writeln!(out, "<title>Concept lattice of {}</title>", escaped_lines(&context.name))?;
    writeln!(out, "<style>\n{STYLE}</style>")?;
    // Not every viewer supports a background in the style.
    writeln!(out, "<rect class=\"g\" width=\"{width:.0}\" height=\"{height:.0}\"/>")?;
    // Thousands of lines would be one dark area, so lines are lighter the more there are.
    let ink = if layout.is_labeled {
        1.0
    } else {
        (600.0 / layout.edges.len() as f64).sqrt().clamp(0.12, 0.6)
    };
    writeln!(out, "<g stroke-opacity=\"{ink:.2}\">")?;
    layout.edges.iter().try_for_each(|edge| write_edge(edge, &mut out))?;
    writeln!(out, "</g>\n<g>")?;
    for (concept, node) in lattice.concepts().zip(&layout.nodes) {
        write_node(context, lattice, layout, concept, node, &mut out)?;
    }
    writeln!(out, "</g>")?;
    write_legend(lattice, layout, options, &mut out)?;
    if options.is_interactive {
        writeln!(out, "<script><![CDATA[\n{SCRIPT}]]></script>")?;
    }
    writeln!(out, "</svg>")
}

fn write_edge(edge: &DrawnEdge, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "<path class=\"e\" data-e=\"{} {}\" d=\"{}\"/>",
        edge.from,
        edge.to,
        path(&edge.points)
    )
}

/// Returns a path through descending points: straight between two, smooth through more.
///
/// The curve never leaves the horizontal range of its points (a monotone cubic, Fritsch and Carlson
/// 1980).
fn path(points: &[(f64, f64)]) -> String {
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    if let [_, (x, y)] = points {
        let _ = write!(path, "L{x:.1} {y:.1}");
        return path;
    }
    let slopes: Vec<f64> =
        points.windows(2).map(|p| (p[1].0 - p[0].0) / (p[1].1 - p[0].1)).collect();
    let at =
        |index: usize| match (index.checked_sub(1).map(|before| slopes[before]), slopes.get(index))
        {
            (Some(before), Some(&after)) if before * after > 0.0 => {
                2.0 * before * after / (before + after)
            }
            (Some(_), Some(_)) | (None, None) => 0.0,
            (Some(only), None) | (None, Some(&only)) => only,
        };
    for (index, pair) in points.windows(2).enumerate() {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let third = (y1 - y0) / 3.0;
        let (cx0, cx1) = (x0 + at(index) * third, x1 - at(index + 1) * third);
        let (cy0, cy1) = (y0 + third, y1 - third);
        let _ = write!(path, "C{cx0:.1} {cy0:.1} {cx1:.1} {cy1:.1} {x1:.1} {y1:.1}");
    }
    path
}

fn write_node(
    context: &Context,
    lattice: &Lattice,
    layout: &LatticeLayout,
    concept: u32,
    node: &DrawnNode,
    out: &mut impl Write,
) -> io::Result<()> {
    let DrawnNode { x, y, radius, .. } = node;
    // Eight shades on a square-root scale, because most concepts have few objects.
    let shade =
        [1.0, 0.75, 0.56, 0.4, 0.26, 0.14, 0.03].iter().filter(|&&from| node.share >= from).count();
    let shade = if lattice.support(concept) == 0 { 0 } else { shade.max(1) };
    writeln!(out, "<g class=\"c\" data-c=\"{concept}\" tabindex=\"0\">")?;
    writeln!(
        out,
        "<title>{}</title>",
        escaped_lines(&full_label(context, lattice, layout, concept))
    )?;
    writeln!(out, "<circle class=\"s{shade}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>")?;
    let lines_above = node.attributes.lines.len().saturating_sub(1) as f64 * LINE;
    let attributes = (&node.attributes, node.attributes_y - lines_above);
    write_label("a", attributes, *x, &context.attributes, lattice.own_attributes(concept), out)?;
    let objects = (&node.objects, node.objects_y);
    write_label("o", objects, *x, &context.objects, lattice.own_objects(concept), out)?;
    writeln!(out, "</g>")
}

/// Writes a label with its first line at a height, and all its names as a tooltip.
fn write_label(
    class: &str,
    (label, y): (&NameLabel, f64),
    x: f64,
    names: &Names,
    which: &[u32],
    out: &mut impl Write,
) -> io::Result<()> {
    if label.lines.is_empty() {
        return Ok(());
    }
    let (left, top) = (x - label.width / 2.0, y - 0.75 * LINE);
    let all: Vec<_> = which.iter().map(|&index| names.get(index as usize)).collect();
    writeln!(out, "<g class=\"n\"><title>{}</title>", escaped_lines(&all.join("\n")))?;
    writeln!(
        out,
        "<rect class=\"b\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>",
        label.width,
        label.height()
    )?;
    let mut y = y;
    for line in &label.lines {
        writeln!(
            out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escaped_lines(line)
        )?;
        y += LINE;
    }
    writeln!(out, "</g>")
}

/// Returns the attributes and objects of a concept; long lists end with a count.
fn full_label(
    context: &Context,
    lattice: &Lattice,
    layout: &LatticeLayout,
    concept: u32,
) -> String {
    let most = if layout.is_labeled { MOST_NAMES.0 } else { MOST_NAMES.1 };
    let attributes: Vec<u32> = lattice.attributes_of(concept).collect();
    let extent = lattice.extent(concept);
    let attributes = name_list("attribute", &context.attributes, &attributes, most);
    let objects = name_list("object", &context.objects, &extent, most);
    format!("{attributes}\n{objects}")
}

fn name_list(what: &str, names: &Names, which: &[u32], most: usize) -> String {
    let plural = if which.len() == 1 { "" } else { "s" };
    let mut text = format!("{} {what}{plural}", which.len());
    for (index, &name) in which.iter().take(most).enumerate() {
        text += if index == 0 { ": " } else { ", " };
        text += names.get(name as usize).trim();
    }
    if which.len() > most {
        let _ = write!(text, " and {} more", which.len() - most);
    }
    text
}

fn write_legend(
    lattice: &Lattice,
    layout: &LatticeLayout,
    options: &DrawOptions,
    out: &mut impl Write,
) -> io::Result<()> {
    let plural =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut text = plural(lattice.len(), "concept");
    if !lattice.is_empty() && lattice.bottom().is_none() {
        let least = lattice.concepts().map(|concept| lattice.support(concept)).min().unwrap_or(0);
        let _ = write!(
            text,
            " with at least {}",
            plural(usize::try_from(least).unwrap_or(usize::MAX), "object")
        );
    }
    text += " · larger circle: more objects · an attribute applies to all concepts below it, \
             an object to all above";
    let usage = "drag to move · wheel to zoom · click a concept to see what lies above and below";
    let lines =
        if options.is_interactive { vec![text.as_str(), usage] } else { vec![text.as_str()] };
    let size = 11.0 * layout.shrink;
    for (line, text) in lines.iter().rev().enumerate() {
        let y = layout.height - size * (1.1 + 1.3 * line as f64);
        writeln!(
            out,
            "<text class=\"l\" x=\"{size:.0}\" y=\"{y:.1}\" font-size=\"{size:.0}\">{text}</text>"
        )?;
    }
    Ok(())
}
