//! The forms of files with edges.

use super::{edges, notes, sound};
use pellucid_io::{GraphFormat, GraphOptions, Header, read_graph_from};

#[test]
fn the_same_graph_in_all_forms() {
    let expected = ["main io 2", "io err 1"];
    for (name, text) in [
        ("g.mdg", "main io 2\n\nio err \n"),
        ("g", "main io 2\nio err\n"),
        ("g.csv", "main,io,2\nio,err,1\n"),
        ("g.csv", "from,to,weight\nmain,io,2\nio,err,1\n"),
        ("g.csv", "n;target;comment;source\n2;io;x;main\n1;err;y;io\n"),
        ("g.tsv", "Caller\tCallee\tCalls\nmain\tio\t2\nio\terr\t1\n"),
        ("g.dot", "digraph { main -> io [weight=2]; io -> err }"),
        (
            "g",
            "/* c */ strict digraph \"g\" {\n node [shape=box];\n main:n -> \"io\" \
               [weight=\"2\", color=red]\n\
               subgraph cluster_x { label=x; io -> { err } } // c\n}",
        ),
        (
            "g.gv",
            "digraph{1[label=\"main\"];2[label=\"io\"] 3[label=\"err\"]\n1->2[weight=2]\n2->3}",
        ),
        (
            "g.graphml",
            "<?xml version='1.0'?><graphml><key id='d1' for='edge' attr.name='weight'/>\
               <graph edgedefault='directed'><node id='main'/><node id='io'/><node id='err'/>\
               <edge source='main' target='io'><data key='d1'>2.0</data></edge>\
               <edge source='io' target='err'/></graph></graphml>",
        ),
        (
            "g",
            "<graphml><key id=\"d0\" for=\"node\" attr.name=\"label\"/><graph>\
               <node id=\"n0\"><data key=\"d0\">main</data></node>\
               <node id=\"n1\"><data key=\"d0\">io</data></node>\
               <node id=\"n2\"><data key=\"d0\">e&#114;r</data></node><edge source=\"n0\" target=\"n1\">\
               <data key=\"weight\"> 2 </data></edge><edge source=\"n1\" target=\"n2\"/></graph></graphml>",
        ),
    ] {
        let graph = sound(name, text);
        let mut found = edges(&graph);
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{name} {text}");
    }
}

#[test]
fn edges_are_added_up() {
    let graph = sound("g.mdg", "a b 2\na b 0.5\nb a 1\na a 7\n");
    assert_eq!(edges(&graph), ["a b 2.5", "b a 1"]);
    assert_eq!(notes(&graph), ["ignored 1 edge of a module to itself"]);
    let graph = sound("g.mdg", "a b\na b\n");
    assert_eq!((edges(&graph), graph.is_weighted()), (vec!["a b 1".to_owned()], false));
}

#[test]
fn tables_say_what_they_read() {
    let graph = sound("g.csv", "from,to\na,b\n");
    assert!(notes(&graph)[0].starts_with("treated the first line as column names"));
    let options = GraphOptions::default().header(Header::No);
    let graph = read_graph_from(&b"from,to\na,b\n"[..], "g.csv", &options).unwrap();
    assert_eq!(graph.edges().len(), 2);
}

#[test]
fn sets_of_nodes_have_all_edges() {
    let graph = sound("g.dot", "graph { {a b} -- {c d} -- e; a -- a; x = y }");
    assert_eq!(graph.edges().len(), 6);
    let many = "digraph { {a b c} -> {d e f} -> g [label=\"all\"] }";
    assert_eq!(sound("g.dot", many).edges().len(), 12);
}

#[test]
fn labels_are_names_only_if_all_differ() {
    let twice = sound("g.dot", "digraph { a [label=x]; b [label=x]; a -> b }");
    assert_eq!(edges(&twice), ["a b 1"]);
    let some = sound("g.dot", "digraph { a [label=\"x\\ny\"]; a -> b }");
    assert_eq!(edges(&some), ["a b 1"]);
    let all = sound("g.dot", "digraph { a [label=\"x\\ny\"]; b [label=z]; a -> b }");
    assert_eq!(
        (edges(&all), notes(&all)[0].contains("labels")),
        (vec!["x y z 1".to_owned()], true)
    );
}

const METADATA: &str = r#"{"packages":[
 {"id":"app 1","name":"app","version":"1.0.0","dependencies":[
  {"name":"core","kind":null},{"name":"serde","kind":null}]},
 {"id":"core 1","name":"core","version":"1.0.0","dependencies":[{"name":"app","kind":"dev"}]},
 {"id":"serde 1","name":"serde","version":"1.0.0","dependencies":[]},
 {"id":"serde 2","name":"serde","version":"2.0.0","dependencies":[]}],
 "workspace_members":["app 1","core 1"],"resolve":RESOLVE}"#;

#[test]
fn packages_of_a_workspace() {
    let resolve = r#"{"nodes":[
     {"id":"app 1","deps":[{"pkg":"core 1","dep_kinds":[{"kind":null}]},
      {"pkg":"serde 1","dep_kinds":[{"kind":"build"}]}]},
     {"id":"core 1","deps":[{"pkg":"app 1","dep_kinds":[{"kind":"dev"}]}]},
     {"id":"serde 1","deps":[{"pkg":"serde 2"}]}]}"#;
    let text = METADATA.replace("RESOLVE", resolve);
    assert_eq!(edges(&sound("m.json", &text)), ["app core 1"]);
    let options = GraphOptions::default().external(true);
    let all = read_graph_from(text.as_bytes(), "-", &options).unwrap();
    assert_eq!(edges(&all), ["app core 1", "app serde 1.0.0 1", "serde 1.0.0 serde 2.0.0 1"]);
    // Without dependencies of dependencies, as with the flag for that.
    let text = METADATA.replace("RESOLVE", "null");
    assert_eq!(edges(&sound("m.json", &text)), ["app core 1"]);
    assert!(notes(&sound("m.json", &text))[0].contains("2 packages of the workspace"));
}

#[test]
fn a_given_form_overrides_the_name() {
    let options = GraphOptions::default().format(GraphFormat::Pairs);
    let graph = read_graph_from(&b"a b\n"[..], "g.csv", &options).unwrap();
    assert_eq!(edges(&graph), ["a b 1"]);
}
