//! The readers of dependency graphs, partitions and explorations.

use crate::readers::{ReadOutcome, Reader, outcome_of};
use crate::samples;
use pellucid::concepts::exploration::Exploration;
use pellucid::io::{self, GraphOptions, Limits};

const DOT: &str = r#"strict digraph "g" {
# c
 node [shape=box]; a:n -> "b\"c" [weight=2, label=<x<y>>];
 subgraph cluster_s { label=s; d; {e f} } -> a /* x */; a [label="A"] }
"#;
const GRAPHML: &str = r#"<?xml version="1.0"?>
<graphml><key id="k" for="edge" attr.name="weight"/>
<graph edgedefault="directed"><node id="a"><data key="label">x &amp; y</data></node><node id="b"/>
<edge source="a" target="b"><data key="k">2.5</data></edge></graph></graphml>
"#;
const METADATA: &str = r#"{"packages":[
{"id":"a 1","name":"a","version":"1","dependencies":[{"name":"b","kind":null}]},
{"id":"b 1","name":"b","version":"1","dependencies":[]}],"workspace_members":["a 1","b 1"],
"resolve":{"nodes":[{"id":"a 1","deps":[{"pkg":"b 1","dep_kinds":[{"kind":null}]}]}]}}"#;
const SESSION: &str = r#"{"format":"pellucid exploration","version":1,"expert":"ann","name":"animals",
"attributes":["swims","flies"],"objects":[{"name":"salmon","attributes":["swims"]}],"answers":[
{"expert":"ann","premise":[],"conclusion":["swims"],"answer":"counterexample","object":"bee",
 "attributes":["flies"]},
{"expert":"bob","premise":["swims","flies"],"conclusion":[],"answer":"unknown"}]}"#;

pub(crate) fn readers() -> Vec<Reader> {
    let form = |name: &'static str, file: &'static str, samples: &[&str]| {
        Reader::new(name, 2, samples::texts(samples), move |bytes: &[u8]| {
            let graph = io::read_graph_from(bytes, file, &GraphOptions::default());
            outcome_of(graph, |graph| {
                let modules = graph.modules.len();
                let is_within = |end: u32| (end as usize) < modules;
                assert!(
                    graph.edges().iter().all(|edge| is_within(edge.from) && is_within(edge.to))
                );
                assert!(graph.edges().iter().all(|edge| edge.weight > 0.0));
            })
        })
    };
    vec![
        form("graph-pairs", "g.mdg", &["main io 2\nio err\n\nerr err 0.5\n"]),
        form("graph-table", "g.csv", &["from,to,weight\nmain,\"i,o\",2\n\"i,o\",err,1\n"]),
        form("graph-dot", "g.dot", &[DOT]),
        form("graph-graphml", "g.graphml", &[GRAPHML]),
        form("graph-cargo", "g.json", &[METADATA]),
        Reader::new(
            "partition",
            2,
            samples::texts(&[
                "SS(a.ss)= b, c\n// x\nSS(d)=e\n",
                "module,cluster\nb,\"a,c\"\nd,a\n",
            ]),
            |bytes| outcome_of(io::read_partition_from(bytes, "p", &Limits::default()), drop),
        ),
        Reader::new("exploration", 2, samples::texts(&[SESSION]), |bytes| -> ReadOutcome {
            outcome_of(Exploration::from_json(&String::from_utf8_lossy(bytes)), |exploration| {
                let again = Exploration::from_json(&exploration.to_json());
                assert!(again.expect("a session that was written") == exploration);
            })
        }),
    ]
}
