//! Malformed graphs and partitions, and the exact messages.

use pellucid_io::{GraphFormat, GraphOptions, Limits, read_graph_from, read_partition_from};

fn message(name: &str, text: &str, options: &GraphOptions) -> String {
    match read_graph_from(text.as_bytes(), name, options) {
        Ok(graph) => panic!("{name} {text:?} was read: {graph:?}"),
        Err(error) => error.to_string(),
    }
}

/// The name and text of a graph, and the message.
const GRAPHS: &[(&str, &str, &str)] = &[
    ("g", "", "g: found no edges; expected a dependency graph"),
    (
        "g.mdg",
        "a\n",
        "g.mdg, line 1: found 1 word; expected a pair FROM TO, optionally followed by a weight",
    ),
    (
        "g.mdg",
        "a b\na b -1\n",
        "g.mdg, line 2, column 3: found '-1'; expected a weight, which is a positive number",
    ),
    (
        "g.mdg",
        "a b inf\n",
        "g.mdg, line 1, column 3: found 'inf'; expected a weight, which is a positive number",
    ),
    (
        "g.mdg",
        "a b x\n",
        "g.mdg, line 1, column 3: found 'x'; expected a weight (a number) or the end of the line",
    ),
    ("g.csv", "a,b,1\nc,d\n", "g.csv, line 2: found 2 values; expected 3"),
    ("g.csv", "a,b\n,d\n", "g.csv, line 2, column 1: found ''; expected the name of a module"),
    (
        "g.csv",
        "a,b,c,d\n",
        "g.csv, line 1: found 'a, b, c, d'; expected two columns FROM and TO and optionally a weight, \
             or columns named 'from' and 'to'",
    ),
    ("g.dot", "digraph {}", "g.dot: found no edges; expected a dependency graph"),
    ("g.dot", "digraph { a -> b", "g.dot: unexpected end of file; expected a closing brace"),
    (
        "g.dot",
        "digraph { a -> }",
        "g.dot, line 1: found '}'; expected a node, an edge, a subgraph or '}'",
    ),
    (
        "g.dot",
        "digraph\n{ a -> b [weight=x] }",
        "g.dot, line 2: found 'x'; expected a weight, which is a positive number",
    ),
    (
        "g.dot",
        "digraph { \"a -> b }",
        "g.dot, line 1: the quoted value that starts here is never closed; expected \"",
    ),
    (
        "g.dot",
        "graph { a ) b }",
        "g.dot, line 1: found ')'; expected a DOT graph such as: digraph { a -> b }",
    ),
    (
        "g.graphml",
        "<graphml><graph>",
        "g.graphml: unexpected end of file; expected the end of the XML elements",
    ),
    ("g.graphml", "<svg/>", "g.graphml: found 'XML without the element 'graph''; expected GraphML"),
    (
        "g.graphml",
        "<graphml>\n<graph><edge source='a'/></graph></graphml>",
        "g.graphml, line 2: found 'an element 'edge' without 'target''; expected the attribute 'target'",
    ),
    ("g.json", "{}", "g.json, line 1, column 2: invalid JSON: missing field `packages`"),
    (
        "g",
        "hello\n",
        "g, line 1: found 'hello'; expected pairs FROM TO, a table of edges (CSV), DOT, GraphML or the \
             output of cargo metadata; or specify the format",
    ),
];

#[test]
fn graphs() {
    for (name, text, expected) in GRAPHS {
        assert_eq!(message(name, text, &GraphOptions::default()), *expected, "{text:?}");
    }
    let folder = GraphOptions::default().format(GraphFormat::CIncludes);
    assert_eq!(
        message("g", "a b", &folder),
        "g: found a file; expected a folder of C or C++ files"
    );
}

#[test]
fn deep_and_wide_graphs_are_refused() {
    let deep = format!("digraph {{ {} a -> b", "{".repeat(100_000));
    let found = message("g.dot", &deep, &GraphOptions::default());
    assert_eq!(found, "g.dot, line 1: found '{'; expected at most 100 subgraphs in each other");
    let nodes: String = (0..6_000).map(|node| format!("n{node} ")).collect();
    let wide = format!("digraph {{ {{{nodes}}} -> {{{nodes}}} }}");
    let found = message("g.dot", &wide, &GraphOptions::default());
    assert!(found.contains("more than 33554432 edges"), "{found}");
}

#[test]
fn partitions() {
    let message = |name: &str, text: &str| {
        let read = read_partition_from(text.as_bytes(), name, &Limits::default());
        read.map_or_else(|error| error.to_string(), |found| format!("{found:?}"))
    };
    let nothing = "p: found no clusters; expected lines such as SS(name)=a, b or module,cluster";
    assert_eq!(message("p", "\n// nothing\n"), nothing);
    assert_eq!(message("p", "module,cluster\n"), nothing);
    let form = "p, line 2: found 'x=a'; expected a cluster such as SS(name)=a, b";
    assert_eq!(message("p", "SS(a)=b\nx=a\n"), form);
    let columns = "p.csv, line 1: found 'a, b, c'; expected two columns, module and cluster";
    assert_eq!(message("p.csv", "a,b,c\n"), columns);
    let expected = r#"[("a (b)", ["x", "y"]), ("c", [])]"#;
    assert_eq!(message("p", " SS(a (b)) = x,  y\nSS(c)=\n"), expected);
}
