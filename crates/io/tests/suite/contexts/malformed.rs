//! Wrong input and the exact sentence each gets.

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
        ("a.cxt", "", "a.cxt: the file is empty; a context was expected"),
        (
            "a.cxt",
            "C\n",
            "a.cxt line 1: found 'C'; a line 'B', which begins a Burmeister context, was expected",
        ),
        ("a.cxt", "B\n", "a.cxt: the file ends and the number of objects was expected"),
        ("a.cxt", "B\n\ntwo\n2\n", "a.cxt line 3: found 'two'; the number of objects was expected"),
        ("a.cxt", "B\n\n-1\n2\n", "a.cxt line 3: found '-1'; the number of objects was expected"),
        ("a.cxt", "B\n\n2\n", "a.cxt: the file ends and the number of attributes was expected"),
        (
            "a.cxt",
            "B\n\n2\n99999999999999999999999\n",
            "a.cxt line 4: found '99999999999999999999999'; the number of attributes was expected",
        ),
        (
            "a.cxt",
            "B\n\n18446744073709551615\n18446744073709551615\n\na\n",
            "a.cxt: the file ends and the name of an object was expected",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\n",
            "a.cxt: the file ends and the name of an attribute was expected",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\n",
            "a.cxt: the file ends and a row of crosses was expected",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\n",
            "a.cxt: the file ends and a row of crosses was expected",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\nX.X\n",
            "a.cxt line 11: found 3 marks in a row of crosses, 2 were expected",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\n.é\n",
            "a.cxt line 11, column 2: found 'é'; a mark 'X', 'x' or '.' was expected",
        ),
        (
            "a.cxt",
            "B\n\n2\n2\n\na\nb\np\nq\nXX\nX.\n\nX.\n",
            "a.cxt line 13: found 'X.'; the end of the file was expected",
        ),
    ]);
}

#[test]
fn transactions() {
    check(&[
        (
            "a.dat",
            "1 2\n3 x 4\n",
            "a.dat line 2, column 2: found 'x'; an item number, or blanks between two of them, was expected",
        ),
        (
            "a.dat",
            "1,2\n",
            "a.dat line 1, column 1: found '1,2'; an item number, or blanks between two of them, was expected",
        ),
        (
            "a.dat",
            "1 -2\n",
            "a.dat line 1, column 2: found '-2'; an item number, or blanks between two of them, was expected",
        ),
        (
            "a.dat",
            "1\n\n4294967296\n",
            "a.dat line 3, column 1: found '4294967296'; an item number of at most 4294967295 was expected",
        ),
        (
            "a.dat",
            "1\r2\n",
            "a.dat line 1: found '\\r'; a line feed after a carriage return was expected",
        ),
        (
            "a.dat",
            "@relation iris\n@attribute a real\n",
            "a.dat line 1, column 1: found '@relation', as in a table of values; a line of item numbers was expected, \
             or scale the table first",
        ),
    ]);
}

#[test]
fn tables_of_crosses() {
    check(&[
        ("a.csv", "\n \n", "a.csv: the file is empty; a context was expected"),
        ("a.csv", "x,y,z\n1,0\n", "a.csv line 2: found 2 values, 3 were expected"),
        (
            "a.csv",
            "name,legs,eggs\nowl,2,1\n",
            "a.csv line 2, column 2: found '2', as in a table of values; a cross (1, X, true, yes) or none \
             (0, ., -, false, no or nothing) was expected, or scale the table first",
        ),
        (
            "a.csv",
            "p,q\n1,\"0\n",
            "a.csv line 2, column 2: a quoted value starts here and is never closed; \" was expected",
        ),
    ]);
}

#[test]
fn graphs_and_unknown_forms() {
    check(&[
        (
            "a.mdg",
            "a b\n\nc\n",
            "a.mdg line 3: found 1 words, a pair FROM TO was expected, perhaps with a weight",
        ),
        (
            "a.mdg",
            "a b 1 2 3\n",
            "a.mdg line 1: found 5 words, a pair FROM TO was expected, perhaps with a weight",
        ),
        (
            "a.mdg",
            "a b c\n",
            "a.mdg line 1, column 3: found 'c'; a weight (a number) or the end of the line was expected",
        ),
        ("a.mdg", " \n", "a.mdg: the file is empty; a context was expected"),
        ("a", "\n\n", "a: the file is empty; a context was expected"),
        (
            "a",
            "\nsome words of no known form\n",
            "a line 2: found 'some words of no known form'; a context was expected: a line 'B' (Burmeister), \
             item numbers (FIMI), a table of crosses (CSV) or pairs FROM TO; or name its form",
        ),
    ]);
    assert_eq!(
        message("a.dat", b"1 2\n", &plain().symmetric(true)),
        "a.dat: only a graph can be made symmetric, and this is a list of FIMI transactions; \
         pairs FROM TO were expected"
    );
    assert_eq!(
        message("a", b"a b\n", &plain().format(ContextFormat::Burmeister)),
        "a line 1: found 'a b'; a line 'B', which begins a Burmeister context, was expected"
    );
    assert_eq!(
        message("a.mdg", b"a b\nc \xff\n", &plain()),
        "a.mdg line 2: byte 3 of the line is 0xff, which is not UTF-8 text; convert the file to UTF-8"
    );
    let short = Limits { max_bytes: 10, ..Limits::default() };
    assert_eq!(
        message("a.dat", &[b'1'; 11], &plain().limits(short)),
        "a.dat: holds more than 10 bytes (decompressed); max_bytes allows more"
    );
    let absent = read_context("absent.cxt".as_ref(), &plain()).expect_err("absent").to_string();
    assert!(absent.starts_with("absent.cxt: cannot be read: "), "{absent}");
}

#[test]
fn what_a_form_cannot_hold() {
    let read = |name: &str, text: &str| super::sound(name, text, &plain());
    let reason = |result: Result<(), WriteError>| result.expect_err("refused").to_string();
    let csv = read("a.csv", "\"\",p,\"q\nr\"\na b,1,0\nc,1,0\n");
    assert_eq!(
        reason(write_cxt(&csv, Vec::new())),
        "the name of attribute 'q\\nr' holds a line break, and a .cxt file has a line for each"
    );
    assert_eq!(
        reason(write_dat(&csv, Vec::new())),
        "attribute 'q\nr' has no object, and a .dat file would lose it"
    );
    assert_eq!(
        reason(write_pairs(&csv, Vec::new())),
        "objects and attributes differ, and pairs are between modules that are both"
    );
    let none = read("a.cxt", "B\n\n0\n0\n");
    assert_eq!(
        reason(write_dat(&none, Vec::new())),
        "there is no object, and a .dat file without lines is empty"
    );
    assert_eq!(
        reason(write_pairs(&none, Vec::new())),
        "there is no module, and a list without pairs is empty"
    );
    let graph = |first: &str, second: &str| {
        let context = read("a.mdg", "x y\n");
        let names: Names = [first, second].into_iter().collect();
        Context { objects: names.clone(), attributes: names, ..context }
    };
    assert_eq!(
        reason(write_pairs(&graph("a b", "c"), Vec::new())),
        "the name 'a b' is not one word, and words make a pair"
    );
    assert_eq!(
        reason(write_pairs(&graph("", "c"), Vec::new())),
        "the name '' is not one word, and words make a pair"
    );
    assert_eq!(
        reason(write_pairs(&graph("c", "c"), Vec::new())),
        "two modules are called 'c' and would become one"
    );
    let lonely = read("a.cxt", "B\n\n2\n2\n\na\nb\na\nb\nX.\n..\n");
    assert_eq!(
        reason(write_pairs(&lonely, Vec::new())),
        "module 'b' is in no pair and would be lost"
    );
}
