//! The variants of each format.

use super::{Contents, contents, plain, sound};
use pellucid_io::{ContextFormat, Header, Names};

fn expected(objects: &[&str], attributes: &[&str], rows: &[&[u32]]) -> Contents {
    let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    (owned(objects), owned(attributes), rows.iter().map(|row| row.to_vec()).collect())
}

#[test]
fn burmeister_blank_lines_and_marks() {
    let wanted = expected(&["a", " b "], &["p:q", "ü|"], &[&[0, 1], &[1]]);
    for (text, name) in [
        ("B\n\n2\n2\n\na\n b \np:q\nü|\nXX\n.X\n", "zoo"),
        ("B\nname \n2\n2\n\na\n b \np:q\nü|\nxX\n.x", "name"),
        ("B\n42\n2\n2\n\na\n b \np:q\nü|\nXX\n.X\n", "42"),
        ("B\n2\n2\na\n b \np:q\nü|\nXX\n.X\n", "zoo"),
        ("B\r\n\r\n2\r\n2\r\na\r\n b \r\np:q\r\nü|\r\nXX\r\n.X\r\n", "zoo"),
        ("B\n\n\n2\n\n2\n\n\na\n b \n\np:q\nü|\n\nXX  \n\n.X\n\n\n", "zoo"),
        ("\u{feff}B\n\n2\n2\n\na\n b \np:q\nü|\nXX\n.X\n", "zoo"),
    ] {
        let context = sound("zoo.cxt", text, &plain());
        assert_eq!((contents(&context), context.name.as_str()), (wanted.clone(), name), "{text:?}");
    }
}

#[test]
fn burmeister_blank_names_and_nothing() {
    let read = |text: &str| contents(&sound("a.cxt", text, &plain()));
    // No extra lines: the blank ones are names.
    assert_eq!(read("B\n\n2\n1\n\nb\np\nX\n.\n"), expected(&["", "b"], &["p"], &[&[0], &[]]));
    assert_eq!(read("B\n\n2\n1\n\n\nb\np\nX\n.\n"), expected(&["", "b"], &["p"], &[&[0], &[]]));
    assert_eq!(read("B\n\n0\n2\n\np\nq\n"), expected(&[], &["p", "q"], &[]));
    assert_eq!(read("B\n\n2\n0\n\na\nb\n\n\n"), expected(&["a", "b"], &[], &[&[], &[]]));
    assert_eq!(read("B\n\n2\n0\na\nb\n"), expected(&["a", "b"], &[], &[&[], &[]]));
    assert_eq!(read("B\n\n0\n0\n"), expected(&[], &[], &[]));
}

#[test]
fn transactions() {
    let read = |text: &str| contents(&sound("a.dat", text, &plain()));
    // Numbers from 0 with holes, repeated and unsorted; CR LF, tabs, trailing blanks, a line
    // without numbers, no last line break.
    let wanted = expected(&["1", "2", "3"], &["0", "3", "900"], &[&[0, 1], &[], &[0, 2]]);
    assert_eq!(read("0 3 \n\n900\t0 0\n"), wanted);
    assert_eq!(read("3 0\r\n  \r\n0 900"), wanted);
    assert_eq!(read("\n"), expected(&["1"], &[], &[&[]]));
    let far = expected(&["1", "2"], &["7", "4294967295"], &[&[1], &[0]]);
    assert_eq!(read("4294967295\n007\n"), far);

    let context = sound("a.dat", "4 5\n6\n", &plain());
    assert_eq!(context.attributes, Names::Numbered { first: 4, count: 3 });
    assert_eq!(context.objects, Names::Numbered { first: 1, count: 2 });
    assert!(context.notes.is_empty(), "{:?}", context.notes);
    let context = sound("a.dat", "4 5\n\n\n", &plain());
    assert_eq!(context.notes, ["treated empty lines as objects without attributes: 2"]);
}

#[test]
fn tables_of_crosses() {
    let read = |name: &str, text: &str| contents(&sound(name, text, &plain()));
    let wanted = expected(&["owl", "bat"], &["flies", "milk"], &[&[0], &[0, 1]]);
    for (name, text) in [
        ("a.csv", "animal,flies,milk\nowl,1,0\nbat,1,1\n"),
        ("a.csv", ",flies,milk\r\nowl,X,\r\nbat,x,X\r\n"),
        ("a.csv", "animal;flies;milk\nowl;True;FALSE\nbat;yes;true\n"),
        ("a.tsv", "\tflies\tmilk\nowl\tx\t.\nbat\tX\tX\n"),
        ("a.csv", "animal, flies, milk\nowl, X, -\n\nbat, X, Yes\n"),
        ("stdin", "animal,flies,milk\nowl,1,0\nbat,1,1\n"),
    ] {
        assert_eq!(read(name, text), wanted, "{text:?}");
    }
    let bare = expected(&["1", "2"], &["1", "2"], &[&[0], &[0, 1]]);
    assert_eq!(read("a.csv", "1,0\n1,1\n"), bare);
    let named = expected(&["1", "2"], &["flies", "milk"], &[&[0], &[0, 1]]);
    assert_eq!(read("a.csv", "flies,milk\n1,0\n1,1\n"), named);
    let objects = expected(&["owl", "bat"], &["1", "2"], &[&[0], &[0, 1]]);
    assert_eq!(read("a.csv", "owl,1,0\nbat,1,1\n"), objects);
    // Names that look like marks are recognized by the blank corner, or set by the caller.
    let marks = expected(&["1", "0"], &["X", "1"], &[&[0], &[1]]);
    assert_eq!(read("a.csv", ",X,1\n1,1,0\n0,0,1\n"), marks);
    let yes = plain().header(Header::Yes);
    let marks = expected(&["1"], &["x", "1"], &[&[0]]);
    assert_eq!(contents(&sound("a.csv", "x,1\n1,0\n", &yes)), marks);

    let notes = |text: &str| sound("a.csv", text, &plain()).notes;
    assert_eq!(
        notes("owl,1,0\n"),
        [
            "treated the first line as crosses and named the attributes 1, 2, …",
            "treated the first column as the names of the objects"
        ]
    );
    assert!(notes(",p\na,1\n").is_empty());
}

#[test]
fn graphs() {
    let text = "main  io.c \n\nio.c sys/err 12\r\nmain\tio.c\nsys/err sys/err 0.5\n";
    let modules = ["main", "io.c", "sys/err"];
    let directed = expected(&modules, &modules, &[&[1], &[2], &[2]]);
    let both = expected(&modules, &modules, &[&[1], &[0, 2], &[1, 2]]);
    for name in ["graph", "graph.mdg", "graph.pairs", "graph.txt", "linux-2.4"] {
        assert_eq!(contents(&sound(name, text, &plain())), directed, "{name}");
        let context = sound(name, text, &plain().symmetric(true));
        assert_eq!(contents(&context), both, "{name}");
        assert_eq!(
            context.notes,
            ["read the pairs in both directions", "ignored the weights in the third column"]
        );
    }
}

#[test]
fn the_format_is_detected() {
    let objects = |name: &str, text: &str| sound(name, text, &plain()).objects.len();
    assert_eq!(objects("x", "B\n\n1\n1\n\na\nb\nX\n"), 1);
    assert_eq!(objects("x.dat", "B\n\n1\n1\n\na\nb\nX\n"), 1);
    assert_eq!(objects("x.txt", "1 2 3 4\n5\n6 7\n"), 3);
    assert_eq!(objects("x.txt", "1 2\n5 6\n"), 4);
    assert_eq!(objects("x.DAT.GZ", "1 2\n5 6\n"), 2);
    let fimi = plain().format(ContextFormat::Fimi);
    assert_eq!(sound("x.txt", "1 2\n5 6\n", &fimi).objects.len(), 2);
    assert_eq!(sound("folder/x.y.cxt", "B\n\n0\n0\n", &plain()).name, "x.y");
}
