//! Malformed input and the exact messages.

use super::plain;
use pellucid_io::{
    Context, ContextFormat, ContextOptions, Limits, Names, WriteError, read_context,
    read_context_from, write_cxt, write_dat, write_pairs,
};

fn message(name: &str, text: &[u8], options: &ContextOptions) -> String {
    match read_context_from(text, name, options) {
        Ok(context) => panic!("{name} {text:?} was read: {context:?}"),
        Err(error) => error.to_string(),
    }
}

fn check(cases: &[(&str, &str, &str)]) {
    for (name, text, expected) in cases {
        assert_eq!(message(name, text.as_bytes(), &plain()), *expected, "{text:?}");
    }
}

#[test]
fn burmeister() {
    check(&[
        ("a.cxt", "", "a.cxt: the file is empty; expected a formal context"),
        (
            "a.cxt",
            "C\n",
            "a.cxt, line 1: found 'C'; expected a line 'B', which begins a Burmeister context",
        ),
        ("a.cxt", "B\n", "a.cxt: unexpected end of file; expected the number of objects"),
        ("a.cxt", "B\n\ntwo\n2\n", "a.cxt, line 3: found 'two'; expected the number of objects"),
        ("a.cxt", "B\n\n-1\n2\n", "a.cxt, line 3: found '-1'; expected the number of objects"),
        ("a.cxt", "B\n\n2\n", "a.cxt: unexpected end of file; expected the number of attributes"),
        (
            "a.cxt",
            "B\n\n2\n99999999999999999999999\n",
            "a.cxt, line 4: found '99999999999999999999999'; expected the number of attributes",
        ),
        (
            "a.cxt",
            "B\n\n18446744073709551615\n18446744073709551615\n\na\n",
            "a.cxt: unexpected end of file; expected the name of an object",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\n",
            "a.cxt: unexpected end of file; expected the name of an attribute",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\n",
            "a.cxt: unexpected end of file; expected a row of crosses",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\n",
            "a.cxt: unexpected end of file; expected a row of crosses",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\nX.X\n",
            "a.cxt, line 11: found 3 marks in a row of crosses; expected 2",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\n.é\n",
            "a.cxt, line 11, column 2: found 'é'; expected 'X', 'x' or '.'",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\nX.\n\nX.\n",
            "a.cxt, line 13: found 'X.'; expected the end of the file",
        ),
    ]);
}

#[test]
fn transactions() {
    check(&[
        (
            "a.dat",
            "1 2\n3 x 4\n",
            "a.dat, line 2, column 2: found 'x'; expected item numbers separated by blanks",
        ),
        (
            "a.dat",
            "1,2\n",
            "a.dat, line 1, column 1: found '1,2'; expected item numbers separated by blanks",
        ),
        (
            "a.dat",
            "1 -2\n",
            "a.dat, line 1, column 2: found '-2'; expected item numbers separated by blanks",
        ),
        (
            "a.dat",
            "1\n\n4294967296\n",
            "a.dat, line 3, column 1: found '4294967296'; expected an item number of at most 4294967295",
        ),
        (
            "a.dat",
            "1\r2\n",
            "a.dat, line 1: found '\\r'; expected a line feed after a carriage return",
        ),
        (
            "a.dat",
            "@relation iris\n@attribute a real\n",
            "a.dat, line 1, column 1: found '@relation'; expected a line of item numbers; \
             if this is a many-valued table, scale it first",
        ),
    ]);
}

#[test]
fn tables_of_crosses() {
    check(&[
        ("a.csv", "\n \n", "a.csv: the file is empty; expected a formal context"),
        ("a.csv", "x,y,z\n1,0\n", "a.csv, line 2: found 2 values; expected 3"),
        (
            "a.csv",
            "name,legs,eggs\nowl,2,1\n",
            "a.csv, line 2, column 2: found '2'; expected a cross (1, X, true, yes) or no cross \
             (0, ., -, false, no or an empty cell); if this is a many-valued table, scale it first",
        ),
        (
            "a.csv",
            "p,q\n1,\"0\n",
            "a.csv, line 2, column 2: the quoted value that starts here is never closed; expected \"",
        ),
    ]);
}

#[test]
fn graphs_and_unknown_formats() {
    check(&[
        (
            "a.mdg",
            "a b\n\nc\n",
            "a.mdg, line 3: found 1 word; expected a pair FROM TO, optionally followed by a weight",
        ),
        (
            "a.mdg",
            "a b 1 2 3\n",
            "a.mdg, line 1: found 5 words; expected a pair FROM TO, optionally followed by a weight",
        ),
        (
            "a.mdg",
            "a b c\n",
            "a.mdg, line 1, column 3: found 'c'; expected a weight (a number) or the end of the line",
        ),
        ("a.mdg", " \n", "a.mdg: the file is empty; expected a formal context"),
        ("a", "\n\n", "a: the file is empty; expected a formal context"),
        (
            "a",
            "\nsome words of no known form\n",
            "a, line 2: found 'some words of no known form'; expected a line 'B' (Burmeister), \
             item numbers (FIMI), a table of crosses (CSV) or pairs FROM TO; or specify the format",
        ),
    ]);
    assert_eq!(
        message("a.dat", b"1 2\n", &plain().symmetric(true)),
        "a.dat: found a list of FIMI transactions; expected pairs FROM TO, because only a graph \
         can be made symmetric"
    );
    assert_eq!(
        message("a", b"a b\n", &plain().format(ContextFormat::Burmeister)),
        "a, line 1: found 'a b'; expected a line 'B', which begins a Burmeister context"
    );
    assert_eq!(
        message("a.mdg", b"a b\nc \xff\n", &plain()),
        "a.mdg, line 2: byte 3 of the line is 0xff, which is not valid UTF-8; convert the file to UTF-8"
    );
    let short = Limits { max_bytes: 10, ..Limits::default() };
    assert_eq!(
        message("a.dat", &[b'1'; 11], &plain().limits(short)),
        "a.dat: the decompressed data is larger than 10 bytes; raise max_bytes to read it"
    );
    let absent = read_context("absent.cxt".as_ref(), &plain()).expect_err("absent").to_string();
    assert!(absent.starts_with("absent.cxt: cannot read the file: "), "{absent}");
}

#[test]
fn contexts_that_a_format_cannot_represent() {
    let read = |name: &str, text: &str| super::sound(name, text, &plain());
    let reason = |result: Result<(), WriteError>| result.expect_err("refused").to_string();
    let csv = read("a.csv", "\"\",p,\"q\nr\"\na b,1,0\nc,1,0\n");
    assert_eq!(
        reason(write_cxt(&csv, Vec::new())),
        "the name of attribute 'q\\nr' contains a line break, which a .cxt file cannot store"
    );
    assert_eq!(
        reason(write_dat(&csv, Vec::new())),
        "attribute 'q\nr' has no objects; a .dat file would lose it"
    );
    assert_eq!(
        reason(write_pairs(&csv, Vec::new())),
        "objects and attributes differ; a list of pairs needs the same names for both"
    );
    let none = read("a.cxt", "B\n\n0\n0\n");
    assert_eq!(
        reason(write_dat(&none, Vec::new())),
        "the context has no objects; a .dat file would be empty"
    );
    assert_eq!(
        reason(write_pairs(&none, Vec::new())),
        "the context has no modules; a list of pairs would be empty"
    );
    let graph = |first: &str, second: &str| {
        let context = read("a.mdg", "x y\n");
        let names: Names = [first, second].into_iter().collect();
        Context { objects: names.clone(), attributes: names, ..context }
    };
    assert_eq!(
        reason(write_pairs(&graph("a b", "c"), Vec::new())),
        "found the name 'a b'; expected a name without blanks"
    );
    assert_eq!(
        reason(write_pairs(&graph("", "c"), Vec::new())),
        "found the name ''; expected a name without blanks"
    );
    assert_eq!(
        reason(write_pairs(&graph("c", "c"), Vec::new())),
        "two modules are named 'c'; expected unique names"
    );
    let lonely = read("a.cxt", "B\n\n2\n2\n\na\nb\na\nb\nX.\n..\n");
    assert_eq!(
        reason(write_pairs(&lonely, Vec::new())),
        "module 'b' is in no pair; a list of pairs would lose it"
    );
}
