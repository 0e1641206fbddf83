//! Valid files of each form with random damage: readers do not panic, and return consistent graphs.

use crate::damage::damage;
use pellucid_io::{GraphFormat, GraphOptions, Limits, read_graph_from, read_partition_from};
use proptest::prelude::*;

const FILES: [(&str, &str); 6] = [
    ("g.mdg", "main io.c 2\nio.c  err.c\n\nerr.c err.c 0.5\r\n"),
    ("g.csv", "from,to,weight\nmain,\"i,o\",2\n\"i,o\",err,.5\n"),
    (
        "g.dot",
        "strict digraph g { a -> \"b\\\"c\" [weight=2 label=<x<y>>]; subgraph s { d; {e f} } -> a:n # c\n }",
    ),
    (
        "g.graphml",
        "<graphml><key id='k' attr.name='weight'/><graph><node id='a'><data key='label'>x&amp;</data>\
                   </node><edge source='a' target='b'><data key='k'>2</data></edge></graph></graphml>",
    ),
    (
        "g.json",
        "{\"packages\":[{\"id\":\"a\",\"name\":\"a\",\"version\":\"1\",\"dependencies\":[{\"name\":\"b\",\
                \"kind\":null}]},{\"id\":\"b\",\"name\":\"b\"}],\"workspace_members\":[\"a\",\"b\"],\
                \"resolve\":{\"nodes\":[{\"id\":\"a\",\"deps\":[{\"pkg\":\"b\",\
                \"dep_kinds\":[{\"kind\":null}]}]}]}}",
    ),
    ("g", "a b\nb c 3\n"),
];

fn survive(name: &str, bytes: &[u8], options: &GraphOptions) -> Result<(), TestCaseError> {
    match read_graph_from(bytes, name, options) {
        Ok(graph) => {
            prop_assert!(!graph.modules.is_empty());
            for edge in graph.edges() {
                prop_assert!(edge.from != edge.to && edge.weight > 0.0 && edge.weight.is_finite());
                prop_assert!((edge.from.max(edge.to) as usize) < graph.modules.len());
            }
        }
        Err(error) => prop_assert!(error.to_string().starts_with(name), "{error}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1000)))]

    #[test]
    fn damaged_files(damages in proptest::collection::vec(damage(), 1..6)) {
        for (name, text) in FILES {
            let mut bytes = text.as_bytes().to_vec();
            survive(name, &bytes, &GraphOptions::default())?;
            damages.iter().for_each(|damage| damage.apply(&mut bytes));
            survive(name, &bytes, &GraphOptions::default())?;
            survive("g", &bytes, &GraphOptions::default().external(true))?;
        }
    }

    #[test]
    fn damaged_partitions(damages in proptest::collection::vec(damage(), 1..6)) {
        for text in ["SS(a.ss)= b, c\n// x\nSS(d)=e\n", "module,cluster\nb,\"a,c\"\nd,a\n"] {
            let mut bytes = text.as_bytes().to_vec();
            damages.iter().for_each(|damage| damage.apply(&mut bytes));
            let _ = read_partition_from(&bytes[..], "p", &Limits::default());
        }
    }

    #[test]
    fn any_bytes_in_any_form(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survive("g", &bytes, &GraphOptions::default())?;
        use GraphFormat::{CargoMetadata, Dot, EdgeTable, GraphMl, Pairs};
        for format in [CargoMetadata, Dot, EdgeTable, GraphMl, Pairs] {
            survive("g", &bytes, &GraphOptions::default().format(format))?;
        }
    }
}
