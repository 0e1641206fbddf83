//! Drawings of lattices: everything is drawn, and nothing overlaps.
#![expect(clippy::cast_possible_truncation, reason = "contexts of a few rows and columns")]

use pellucid_close::Terms;
use pellucid_concepts::lattice::Lattice;
use pellucid_data::Relation;
use pellucid_data::{Context, Names};
use pellucid_report::lattice::{
    DrawError, DrawOptions, DrawnNode, LatticeLayout, NameLabel, NameLabels, layout, svg,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Contexts of all shapes, with unusual names.
fn contexts() -> impl Strategy<Value = Context> {
    let name = prop_oneof![
        4 => "[a-z ]{0,40}",
        1 => any::<String>(),
        1 => Just("<b>&amp;\"'\u{0}\u{1b}]]></svg>\u{ffff}".to_owned()),
        1 => Just("\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{4f60}\u{597d} \u{1f600}".to_owned()),
        1 => Just("very long ".repeat(60)),
    ];
    let names = prop::collection::vec(name, 18);
    (0usize..8, prop::collection::vec(any::<u8>(), 0..10), names).prop_map(
        |(attributes, rows, names)| {
            let row = |bits: &u8| {
                (0..attributes as u32).filter(|a| bits >> a & 1 == 1).collect::<Vec<_>>()
            };
            let relation = Relation::new(attributes, rows.iter().map(row)).unwrap();
            let objects: Names = names[8..8 + rows.len()].iter().collect();
            Context::new(names[0].clone(), objects, names[..attributes].iter().collect(), relation)
        },
    )
}

fn lattice_of(context: &Context, min_support: u64) -> Lattice {
    Lattice::build(&context.relation, &Terms { min_support, ..Terms::default() }, 1).unwrap()
}

fn picture(context: &Context, lattice: &Lattice, options: &DrawOptions) -> String {
    let mut bytes = Vec::new();
    svg(context, lattice, options, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A box: left, top, right, bottom.
type Frame = (f64, f64, f64, f64);

fn label_frame(node: &DrawnNode, label: &NameLabel, heights: Option<(f64, f64)>) -> Option<Frame> {
    let half = label.width / 2.0;
    heights.map(|(top, bottom)| (node.x - half, top, node.x + half, bottom))
}

/// Returns the circles and labels of a drawing, each with the index of its concept.
fn frames(layout: &LatticeLayout) -> Vec<(usize, Frame)> {
    let mut frames = Vec::new();
    for (index, node) in layout.nodes.iter().enumerate() {
        let r = node.radius;
        frames.push((index, (node.x - r, node.y - r, node.x + r, node.y + r)));
        frames
            .extend(label_frame(node, &node.attributes, node.attributes_box()).map(|f| (index, f)));
        frames.extend(label_frame(node, &node.objects, node.objects_box()).map(|f| (index, f)));
    }
    frames
}

fn overlap(a: Frame, b: Frame) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

fn circles_touch(layout: &LatticeLayout) -> bool {
    let touch = |a: &DrawnNode, b: &DrawnNode| (a.x - b.x).hypot(a.y - b.y) <= a.radius + b.radius;
    let mut nodes = layout.nodes.iter().enumerate();
    nodes.any(|(index, a)| layout.nodes[..index].iter().any(|b| touch(a, b)))
}

/// Checks that a text is well-formed XML: allowed characters, matching tags, escaped text.
fn check_xml(text: &str) -> Result<(), String> {
    if let Some(letter) =
        text.chars().find(|&c| (c < ' ' && c != '\n') || c == '\u{fffe}' || c == '\u{ffff}')
    {
        return Err(format!("{letter:?} is not allowed in XML"));
    }
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        check_entities(&rest[..start])?;
        rest = &rest[start..];
        if let Some(raw) = rest.strip_prefix("<![CDATA[") {
            rest = &raw[raw.find("]]>").ok_or("data without end")? + 3..];
            continue;
        }
        let end = rest.find('>').ok_or("a tag without end")?;
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("{name} closes nothing"));
            }
        } else if !tag.ends_with('/') {
            if tag.matches('"').count() % 2 == 1 || tag.contains('<') {
                return Err(format!("odd tag {tag}"));
            }
            open.push(tag.split([' ', '\n']).next().unwrap_or_default());
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} left open")) }
}

fn check_entities(text: &str) -> Result<(), String> {
    let known = ["amp;", "lt;", "gt;", "quot;"];
    let loose =
        text.split('&').skip(1).find(|after| !known.iter().any(|entity| after.starts_with(entity)));
    loose.map_or(Ok(()), |after| Err(format!("a loose mark before {after:?}")))
}

fn attribute_values<'a>(text: &'a str, name: &'a str) -> Vec<&'a str> {
    let parts = text.split(name).skip(1);
    parts.map(|part| part.split('"').next().unwrap_or_default()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(100)))]

    #[test]
    fn everything_is_drawn_once(
        context in contexts(),
        min_support in 0u64..3,
        is_interactive in any::<bool>(),
    ) {
        let lattice = lattice_of(&context, min_support);
        let options = DrawOptions { is_interactive, ..DrawOptions::default() };
        let text = picture(&context, &lattice, &options);
        prop_assert_eq!(check_xml(&text), Ok(()));
        prop_assert_eq!(text.contains("<script"), is_interactive);
        let concepts = attribute_values(&text, "data-c=\"");
        prop_assert!(concepts.iter().map(|c| c.parse::<u32>().unwrap()).eq(lattice.concepts()));
        let drawn: Vec<&str> = attribute_values(&text, "data-e=\"");
        let edges: BTreeSet<String> = lattice
            .concepts()
            .flat_map(|a| lattice.lower(a).iter().map(move |b| format!("{a} {b}")))
            .collect();
        prop_assert_eq!(drawn.len(), edges.len());
        prop_assert!(drawn.into_iter().all(|edge| edges.contains(edge)));
        prop_assert_eq!(picture(&context, &lattice, &options), text);
    }

    #[test]
    fn nothing_overlaps(context in contexts(), min_support in 0u64..3) {
        let lattice = lattice_of(&context, min_support);
        let layout = layout(&context, &lattice, &DrawOptions::default()).unwrap();
        let frames = frames(&layout);
        for (index, &(_, frame)) in frames.iter().enumerate() {
            prop_assert!(frame.0 >= 0.0 && frame.1 >= 0.0, "{frame:?} is outside");
            let is_inside = frame.2 <= layout.width && frame.3 <= layout.height - 30.0;
            prop_assert!(is_inside, "{frame:?} is outside");
            for &(_, other) in &frames[..index] {
                prop_assert!(!overlap(frame, other), "{frame:?} is over {other:?}");
            }
        }
        for edge in &layout.edges {
            prop_assert!(edge.points.windows(2).all(|pair| pair[0].1 < pair[1].1), "an edge goes up");
            let (first, last) = (edge.points[0], edge.points[edge.points.len() - 1]);
            let (from, to) = (&layout.nodes[edge.from as usize], &layout.nodes[edge.to as usize]);
            prop_assert_eq!((first, last), ((from.x, from.y), (to.x, to.y)));
            // A line through another circle would seem to end there.
            for (index, node) in layout.nodes.iter().enumerate() {
                if ![edge.from, edge.to].contains(&(index as u32)) {
                    let passes = |pair: &&[(f64, f64)]| pair[0].1 <= node.y && node.y <= pair[1].1;
                    for pair in edge.points.windows(2).filter(passes) {
                        let share = (node.y - pair[0].1) / (pair[1].1 - pair[0].1);
                        let x = pair[0].0 + share * (pair[1].0 - pair[0].0);
                        prop_assert!((x - node.x).abs() > node.radius, "a line through concept {index}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_labels_no_two_circles_touch(context in contexts()) {
        let lattice = lattice_of(&context, 0);
        let options = DrawOptions { labels: NameLabels::Hover, ..DrawOptions::default() };
        let layout = layout(&context, &lattice, &options).unwrap();
        prop_assert!(!circles_touch(&layout));
    }
}

/// Objects that have all attributes but one: every set of attributes is an intent.
fn all_sets(attributes: u32) -> Context {
    let rows =
        (0..attributes).map(|object| (0..attributes).filter(|&a| a != object).collect::<Vec<_>>());
    let relation = Relation::new(attributes as usize, rows).unwrap();
    let names = || Names::Numbered { first: 1, count: attributes as usize };
    Context::new("sets", names(), names(), relation)
}

#[test]
fn a_symmetric_lattice_is_drawn_symmetric() {
    let context = all_sets(3);
    let layout = layout(&context, &lattice_of(&context, 0), &DrawOptions::default()).unwrap();
    let places: BTreeSet<(i64, i64)> = layout
        .nodes
        .iter()
        .map(|n| ((10.0 * (n.x - layout.nodes[0].x)).round() as i64, (10.0 * n.y) as i64))
        .collect();
    assert_eq!(places.len(), 8);
    for &(x, y) in &places {
        assert!(
            (-2..=2).any(|off| places.contains(&(off - x, y))),
            "{x} {y} has no mirror image in {places:?}"
        );
    }
}

#[test]
fn thousands_of_concepts_are_drawn_and_too_many_are_rejected() {
    let context = all_sets(11);
    let lattice = lattice_of(&context, 0);
    let text = picture(&context, &lattice, &DrawOptions::default());
    assert_eq!(attribute_values(&text, "data-c=\"").len(), 2048);
    assert_eq!(attribute_values(&text, "data-e=\"").len(), 11 * 1024);
    assert!(text.contains("class=\"lattice quick\""));
    // The widest layer has 462 concepts, in several rows.
    let layout = layout(&context, &lattice, &DrawOptions::default()).unwrap();
    assert!(!circles_touch(&layout));
    assert!(
        layout.edges.iter().all(|edge| edge.points.windows(2).all(|pair| pair[0].1 < pair[1].1))
    );

    let context = all_sets(15);
    let lattice = lattice_of(&context, 0);
    let error = svg(&context, &lattice, &DrawOptions::default(), Vec::new()).unwrap_err();
    assert!(matches!(error, DrawError::TooMany(32_768)));
    assert_eq!(
        error.to_string(),
        "cannot draw 32768 concepts, only up to 20000; use a larger minimum support"
    );
}
