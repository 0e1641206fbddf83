//! Numbers, dates and marks of missing values in spreadsheets.

use super::{load, noted, numbers, plain, refused, words};
use pellucid_io::{Header, ReadOptions, TextEncoding};
use proptest::prelude::*;

#[test]
fn a_german_spreadsheet() {
    let text = "Kunde;Größe;Umsatz;seit;Klasse\nMüller;1,85;1.234,50;03.04.2021;ja\n\
                Weiß;1,7;17;31.12.2019;nein\nKoch;1,62;12.000,00;1.1.2020;ja\n";
    let data = load(text, &plain());
    assert_eq!(numbers(&data, "Größe"), [1.85, 1.7, 1.62]);
    assert_eq!(numbers(&data, "Umsatz"), [1234.5, 17.0, 12000.0]);
    assert_eq!(numbers(&data, "seit"), [18720.0, 18261.0, 18262.0]);
    let reading = &data.origin.reading;
    assert_eq!((reading.decimal, reading.thousands), (Some(','), Some('.')));
    assert_eq!(reading.date("seit").map(|format| format.show(18720.0)), Some("03.04.2021".into()));
    assert!(
        noted(&data, &["decimal separator is ','", "thousands separator is '.'"]),
        "{:?}",
        data.notes
    );
    assert!(noted(&data, &["column 'seit' as dates", "%d.%m.%Y"]), "{:?}", data.notes);
}

#[test]
fn the_meaning_of_a_comma_is_detected() {
    // In a file separated by commas, a comma in a number separates thousands.
    let data = load("a,b,y\n\"1,234\",1,p\n\"2,500\",2,q\n", &plain());
    assert_eq!(numbers(&data, "a"), [1234.0, 2500.0]);
    // In a file separated by semicolons, a comma is the decimal separator, as in Excel.
    let data = load("a;b;y\n1,234;1;p\n2,500;2;q\n", &plain());
    assert_eq!(numbers(&data, "a"), [1.234, 2.5]);
    // In a file separated by tabs it is ambiguous, and a note says so.
    let text = "a\tb\ty\n1,234\t1\tp\n2,500\t2\tq\n";
    let data = load(text, &plain());
    assert_eq!(words(&data, "a"), ["1,234", "2,500"]);
    assert!(noted(&data, &["'1,234'", "`decimal ,`", "`thousands ,`"]), "{:?}", data.notes);
    assert_eq!(numbers(&load(text, &plain().decimal(',')), "a"), [1.234, 2.5]);
    assert_eq!(numbers(&load(text, &plain().thousands(',')), "a"), [1234.0, 2500.0]);
    // Another column has decimal points, so the comma is not a decimal separator.
    let data = load("a;b;y\nx,y;1.25;p\nz;2.5;q\n", &plain());
    assert_eq!(numbers(&data, "b"), [1.25, 2.5]);
    assert_eq!(data.origin.reading.decimal, None);
}

#[test]
fn blanks_and_apostrophes_between_thousands() {
    let data = load("a;y\n1 234,5;p\n1\u{a0}000;q\n2,5;p\n", &plain());
    assert_eq!(numbers(&data, "a"), [1234.5, 1000.0, 2.5]);
    let data = load("a;y\n1'234.5;p\n2.5;q\n", &plain());
    assert_eq!(numbers(&data, "a"), [1234.5, 2.5]);
}

#[test]
fn marks_are_missing_among_numbers_but_not_in_text() {
    let text =
        "a,roof,y\n1,none,p\n-,flat,q\nn/a,-,p\n.,n/a,q\nNULL,none,p\n#DIV/0!,flat,p\n2,.,q\n";
    let data = load(text, &plain());
    let a = numbers(&data, "a");
    assert_eq!((a[0], a[6], a.iter().filter(|number| number.is_nan()).count()), (1.0, 2.0, 5));
    assert_eq!(words(&data, "roof"), ["-", ".", "flat", "none"]);
    // Marks of the caller replace the marks of text columns; an empty cell is always missing.
    let data = load("a,c,y\n1,red,p\n,?,q\n3,,p\nx,none,q\n", &plain().missing(["none", "x"]));
    assert_eq!(words(&data, "c"), ["?", "red"]);
    assert!(numbers(&data, "a")[3].is_nan());
    assert_eq!(data.origin.reading.missing, Some(vec!["none".to_owned(), "x".to_owned()]));
}

fn column_with(odd: &[(usize, &str)], rows: usize) -> String {
    let mut text = "a,b,y\n".to_owned();
    for row in 0..rows {
        let cell = odd.iter().find(|(place, _)| *place == row);
        let cell = cell.map_or_else(|| row.to_string(), |(_, text)| (*text).to_owned());
        text += &format!("{cell},{},{}\n", row % 7, row % 2);
    }
    text
}

#[test]
fn one_stray_cell_does_not_make_a_column_text() {
    let data = load(column_with(&[(15, "abc")], 100), &plain());
    assert!(numbers(&data, "a")[15].is_nan());
    assert!(
        noted(&data, &["1 of 100 cells", "'abc' (line 17)", "`missing abc`", "`nominal a`"]),
        "{:?}",
        data.notes
    );
    // No note if the caller names the mark.
    let data = load(column_with(&[(15, "abc")], 100), &plain().missing(["abc"]));
    assert!(!noted(&data, &["'abc'"]), "{:?}", data.notes);
    let data = load(column_with(&[(15, "abc")], 100), &plain().nominal(["a"]));
    assert_eq!(words(&data, "a").len(), 100);
}

#[test]
fn a_column_with_many_strays_is_text_and_noted() {
    let odd: Vec<(usize, &str)> = (0..100).step_by(4).map(|row| (row, "low")).collect();
    let text = column_with(&odd, 100);
    let data = load(&text, &plain());
    assert_eq!(words(&data, "a").len(), 76);
    assert!(
        noted(&data, &["75 of 100 cells are numbers", "'low' (line 2)", "20 more", "`numeric a`"]),
        "{:?}",
        data.notes
    );
    let data = load(&text, &plain().numeric(["a"]));
    assert_eq!(numbers(&data, "a").iter().filter(|number| number.is_nan()).count(), 25);
    assert!(noted(&data, &["25 of 100 cells", "'low' (line 2)"]), "{:?}", data.notes);
    let marked = load(&text, &plain().missing(["low"]));
    assert_eq!(numbers(&marked, "a").len(), 100);
}

#[test]
fn a_line_of_units_is_noted_for_every_column() {
    let text = "size,weight\ncm,kg\n1,2\n2,3\n3,4\n4,5\n";
    let data = load(text, &plain().target(pellucid_io::Choice::None));
    assert_eq!(numbers(&data, "weight")[1..], [2.0, 3.0, 4.0, 5.0]);
    for unit in ["'cm' (line 2)", "'kg' (line 2)"] {
        assert!(noted(&data, &[unit]), "{:?}", data.notes);
    }
}

#[test]
fn ambiguous_dates_need_a_format() {
    let text = "day,v,y\n01/02/2024,1,p\n03/04/2024,2,q\n";
    let data = load(text, &plain());
    assert_eq!(words(&data, "day").len(), 2);
    assert!(noted(&data, &["`date day=%d/%m/%Y`", "`date day=%m/%d/%Y`"]), "{:?}", data.notes);
    let format = "%m/%d/%Y".parse().ok();
    let data = load(text, &plain().date("day", format));
    assert_eq!(numbers(&data, "day"), [19724.0, 19786.0]);
    assert!(
        refused(text, &plain().date("day", None))
            .contains("the date format of column 'day' is ambiguous")
    );
    let error = refused("day,v,y\nred,1,p\nblue,2,q\n", &plain().date("day", None));
    assert!(
        error.contains("expected dates in a common format") && error.contains("%d.%m.%Y"),
        "{error}"
    );
    let data =
        load("day,v,y\n20240201,1,p\n20240304,2,q\n", &plain().date("day", "%Y%m%d".parse().ok()));
    assert_eq!(numbers(&data, "day"), [19754.0, 19786.0]);
}

#[test]
fn one_stray_cell_does_not_hide_dates() {
    let mut text = "day,v,y\n".to_owned();
    for day in 1..=20 {
        let cell = if day == 7 { "soon".to_owned() } else { format!("2024-01-{day:02}") };
        text += &format!("{cell},{day},{}\n", day % 2);
    }
    let data = load(&text, &plain());
    assert!(numbers(&data, "day")[6].is_nan());
    assert!(
        noted(&data, &["column 'day' as dates; treated 1 of 20", "'soon' (line 8)"]),
        "{:?}",
        data.notes
    );
}

#[test]
fn old_encodings_are_detected() {
    let latin = b"Gr\xf6\xdfe,y\n1,\xe4\n2,\xfc\n";
    let data = load(latin, &plain());
    assert_eq!(data.columns[0].name, "Größe");
    assert_eq!(data.target.as_ref().expect("target").classes, ["ä", "ü"]);
    assert!(noted(&data, &["windows-1252"]), "{:?}", data.notes);
    let wide: Vec<u8> =
        "\u{feff}Größe\ty\n1\tä\n2\tü\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(load(wide, &plain()).columns[0].name, "Größe");
    let data = load(b"a,y\n1,\xa4\n2,b\n", &plain().encoding(TextEncoding::Latin9));
    assert_eq!(data.target.expect("target").classes, ["b", "€"]);
    assert_eq!(data.origin.reading.encoding.as_deref(), Some("iso-8859-15"));
}

/// The content of a cell in a column of numbers.
#[derive(Clone, Debug)]
enum Cell {
    Number(i32),
    Mark(&'static str),
    Stray(String),
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        30 => any::<i32>().prop_map(Cell::Number),
        2 => proptest::sample::select(vec!["", "?", "-", "n/a", "NULL", "None", "."]).prop_map(Cell::Mark),
        1 => "[b-m]{4,6}".prop_map(Cell::Stray),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(200)))]

    /// Every number of a column is read, or the column is text; a note has the number of stray cells.
    #[test]
    fn no_number_is_lost(cells in prop::collection::vec(cell(), 1..120)) {
        let mut text = "a,b,y\n".to_owned();
        for (row, cell) in cells.iter().enumerate() {
            let cell = match cell {
                Cell::Number(number) => number.to_string(),
                Cell::Mark(mark) => (*mark).to_owned(),
                Cell::Stray(word) => word.clone(),
            };
            text += &format!("{cell},{},{}\n", row % 3, row % 2);
        }
        let data = load(&text, &ReadOptions::default().keep_identifiers(true).header(Header::Yes));
        let strays = cells.iter().filter(|cell| matches!(cell, Cell::Stray(_))).count();
        let known = cells.iter().filter(|cell| matches!(cell, Cell::Number(_))).count();
        match super::column(&data, "a") {
            pellucid_io::Values::Numeric(read) => {
                for (read, cell) in read.iter().zip(&cells) {
                    match cell {
                        Cell::Number(number) => prop_assert_eq!(*read, f64::from(*number)),
                        _ => prop_assert!(read.is_nan()),
                    }
                }
                let count = format!("{strays} of {}", strays + known);
                let is_noted = strays == 0 || noted(&data, &["column 'a'", &count]);
                prop_assert!(is_noted, "{:?}", data.notes);
            }
            _ => prop_assert!(strays > 0 && (strays * 20 > strays + known || known < 5)),
        }
    }
}
