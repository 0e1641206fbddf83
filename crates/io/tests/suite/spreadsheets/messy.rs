//! Messy spreadsheets: titles, totals and remarks, units, repeated names.

use super::{load, noted, numbers, plain, refused, words};
use pellucid_data::Message;
use pellucid_io::{Choice, ColumnContent, ColumnRole, Header, ReadOptions, describe_from};

/// Forty rows of three numbers and a class, joined by a delimiter.
fn rows(delimiter: &str) -> String {
    let row = |n: usize| {
        let class = if n.is_multiple_of(3) { "ja" } else { "nein" };
        [n.to_string(), (20 + n % 50).to_string(), (n % 4).to_string(), class.to_owned()]
            .join(delimiter)
            + "\n"
    };
    (0..40).map(row).collect()
}

fn names(text: &str, options: &ReadOptions) -> (Vec<String>, usize, Vec<Message>) {
    let data = load(text, options);
    let columns = data.columns.iter().map(|column| column.name.clone()).collect();
    (columns, data.rows, data.notes)
}

#[test]
fn titles_above_the_names_are_skipped() {
    let padded = format!("Patients 2024;;;\nmade in May;;;\n;;;\nnr;age;dose;ill\n{}", rows(";"));
    let bare = format!("Patients 2024\n\nnr,age,dose,ill\n{}", rows(","));
    let merged = format!("Patient,,Treatment,\nnr,age,dose,ill\n{}", rows(","));
    for (text, line) in
        [(&padded, "treated line 4"), (&bare, "the first line"), (&merged, "treated line 2")]
    {
        let (columns, rows, notes) = names(text, &plain());
        assert_eq!(
            (&columns[..], rows),
            (&["age".to_owned(), "dose".to_owned()][..], 40),
            "{text}"
        );
        assert!(
            notes.iter().any(|note| note.contains(line) && note.contains("skipped")),
            "{notes:?}"
        );
        let about_names = notes.iter().filter(|note| note.contains("as column names")).count();
        assert_eq!(about_names, 1, "{notes:?}");
    }
    // Lines count from the start of the file.
    let odd = padded.replace(";27;3;", ";old;3;");
    let data = load(&odd, &plain());
    assert!(noted(&data, &["'old' (line 12)"]), "{:?}", data.notes);
    // The caller can declare the first line as column names.
    assert!(refused(&bare, &plain().header(Header::Yes)).contains("values"), "{bare}");
}

#[test]
fn a_table_without_names_keeps_its_rows() {
    let pandas = format!(",age,dose,ill\n{}", rows(","));
    assert_eq!(names(&pandas, &plain()).1, 40);
    let words = "a,,c\nx,y,z\nu,v,w\n";
    assert_eq!(load(words, &plain().header(Header::No)).rows, 3);
}

#[test]
fn totals_remarks_and_empty_rows_at_the_end_are_skipped() {
    let head = "nr,age,dose,ill\n";
    for end in [
        "Total,980,60,\n",
        "Summe:,980,60,\n",
        "\nSource: the ward\n",
        ",,,\n,,,\n",
        "Source: the ward,,,\n,,,\n",
    ] {
        let data = load(format!("{head}{}{end}", rows(",")), &plain());
        assert_eq!(data.rows, 40, "{end}");
        let is_noted = noted(&data, &["skipped line"]);
        assert_eq!(is_noted, end.chars().any(char::is_alphabetic), "{:?}", data.notes);
        let empty = end.lines().filter(|line| *line == ",,,").count();
        assert_eq!(noted(&data, &[" empty row"]), empty > 0, "{:?}", data.notes);
    }
    // Any number of empty rows, with any delimiter.
    for (delimiter, empty) in [(",", 1), (",", 2), (";", 300), ("\t", 3)] {
        let line = format!("{}\n", delimiter.repeat(3));
        let text = format!("{head}{}", rows(","));
        let data = load(text.replace(',', delimiter) + &line.repeat(empty), &plain());
        assert_eq!(data.rows, 40, "{delimiter:?}");
        let rows = if empty == 1 { "row" } else { "rows" };
        let note = format!("skipped {empty} empty {rows} at the end");
        assert!(noted(&data, &[&note]), "{:?}", data.notes);
    }
    // A column may have the name of a total.
    let named = format!("total,age,dose,ill\n{}total,9,9,\n", rows(","));
    assert_eq!(load(named, &plain()).rows, 40);
    // A truncated last row is an error.
    let cut = format!("{head}{}57,3\n", rows(","));
    assert!(refused(&cut, &plain()).contains("line 42: found 2 values; expected 4"), "{cut}");
    // A row is not a total if its first cell also occurs above.
    let regions = "region,a,ill\ntotal,1,x\nnorth,2,y\ntotal,3,x\nnorth,4,y\ntotal,5,x\n";
    assert_eq!(load(regions, &plain()).rows, 5);
}

#[test]
fn empty_columns_at_the_end_are_skipped() {
    let text: String = format!("nr,age,dose,ill\n{}", rows(","))
        .lines()
        .map(|line| format!("{line},,,\n"))
        .collect();
    let data = load(&text, &plain());
    assert_eq!(data.target.as_ref().map(|target| target.name.as_str()), Some("ill"));
    assert!(noted(&data, &["skipped the last 3 columns"]), "{:?}", data.notes);
}

#[test]
fn repeated_names_get_a_number() {
    let text = format!("nr,value,value,value.2\n{}", rows(","));
    let data = load(text, &plain());
    assert_eq!((numbers(&data, "value")[1], numbers(&data, "value.3")[1]), (21.0, 1.0));
    assert!(noted(&data, &["renamed column 3 to 'value.3'"]), "{:?}", data.notes);
}

#[test]
fn separator_lines_and_old_mac_line_ends_are_supported() {
    let text = format!("sep=;\r\nnr;age;dose;ill\r\n{}", rows(";").replace('\n', "\r\n"));
    let data = load(&text, &plain());
    assert_eq!((data.rows, data.origin.lines[0]), (40, 3));
    let old = format!("nr,age,dose,ill\n{}", rows(",")).replace('\n', "\r");
    assert_eq!(load(old, &plain()).rows, 40);
}

#[test]
fn unicode_blanks_around_a_cell_are_removed() {
    let text = "age,town,ill\n\u{a0}31,Bad\u{a0}Ems\u{a0},no\n 42\u{202f},Ulm,yes\n\
                \u{a0}53\u{a0},\u{2009}Ulm,no\n";
    let data = load(text, &plain());
    assert_eq!(numbers(&data, "age"), [31.0, 42.0, 53.0]);
    assert_eq!(words(&data, "town"), ["Bad\u{a0}Ems", "Ulm"]);
}

#[test]
fn numbers_with_units_are_numbers() {
    let text = "rabatt;preis;dosis;gut\n12 %;€ 1.203,50;5 mg;ja\n7,5 %;€ 3,50;10 mg;nein\n-3 %;-€ \
                2;n/a;ja\n0 %;€ 0,10;2,5 mg;nein\n";
    let data = load(text, &plain());
    assert_eq!(numbers(&data, "rabatt"), [12.0, 7.5, -3.0, 0.0]);
    assert_eq!(numbers(&data, "preis"), [1203.5, 3.5, -2.0, 0.1]);
    assert!(numbers(&data, "dosis")[2].is_nan());
    let units = &data.origin.reading.units;
    let of = |name: &str| units.get(name).map(String::as_str);
    assert_eq!((of("rabatt"), of("preis"), of("dosis")), (Some("%"), Some("€"), Some("mg")));
    assert!(
        noted(&data, &["column 'preis' as numbers with the unit '€'", "`nominal preis`"]),
        "{:?}",
        data.notes
    );
    assert_eq!(words(&load(text, &plain().nominal(["rabatt"])), "rabatt").len(), 4);
    let dollars = "price,good\n\"$1,200.50\",a\n$3,b\n$25.00,a\n";
    assert_eq!(numbers(&load(dollars, &plain()), "price"), [1200.5, 3.0, 25.0]);
    let description = describe_from(text.as_bytes(), "t.csv", &plain()).expect("a table");
    let preis = &description.columns[1];
    assert_eq!(preis.role, ColumnRole::Attribute);
    let wanted = ColumnContent::Numbers { range: Some((-2.0, 1203.5)), unit: Some("€".into()) };
    assert_eq!(preis.content, wanted);
    assert!(description.to_string().contains("-2 to 1203.5 €, 4 distinct"), "{description}");
}

#[test]
fn mixed_units_and_codes_stay_text() {
    let mut text = "dose,room,code,ill\n".to_owned();
    for n in 1..21 {
        let (unit, ill) = (if n % 4 == 0 { "g" } else { "mg" }, n % 2);
        let letter = char::from(b'a' + u8::try_from(n).expect("small"));
        text += &format!("{n} {unit},{n}{letter},K{n},{ill}\n");
    }
    let data = load(&text, &plain().keep(["dose", "room", "code"]));
    for name in ["dose", "room", "code"] {
        assert_eq!(words(&data, name).len(), 20, "{name}");
    }
    assert!(noted(&data, &["mixes units ('mg', 'g')"]), "{:?}", data.notes);
}

#[test]
fn mixed_date_formats_and_classes_in_two_cases_are_noted() {
    let mut text = "seen,age,ill\n".to_owned();
    for n in 1..21usize {
        let seen =
            if n.is_multiple_of(3) { format!("2024-05-{n:02}") } else { format!("{n:02}.05.2024") };
        text += &format!("{seen},{n},{}\n", ["yes", "no", "Yes"][n % 3]);
    }
    let data = load(&text, &plain().target("ill"));
    assert!(noted(&data, &["two date formats (%d.%m.%Y and %Y-%m-%d)"]), "{:?}", data.notes);
    assert!(noted(&data, &["'Yes' and 'yes'", "differ only in case"]), "{:?}", data.notes);
}

#[test]
fn other_files_are_recognized() {
    let prose = "Call me Ishmael. Some years ago, never mind how long precisely, having little\n\
        or no money in my purse, and nothing particular to interest me on shore, I thought I\n\
        would sail about a little and see the watery part of the world. It is a way I have.\n";
    for (text, what) in [
        (prose, "the file is prose"),
        ("<!DOCTYPE html>\n<html><body>1,2</body></html>\n", "is a web page"),
        ("[{\"a\": 1, \"b\": 2}]\n", "is JSON"),
        ("%PDF-1.4\n", "is a PDF"),
        ("{\\rtf1\\ansi hello}", "is an RTF document"),
    ] {
        let message = refused(text, &plain());
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn date_formats_of_arff_are_used() {
    let text = "@relation r\n@attribute day date \"dd.MM.yyyy HH:mm\"\n@attribute born date\n\
    @attribute x numeric\n@attribute class {a,b}\n@data\n\
        '02.01.1970 00:00','1970-01-01T00:00:05',1,a\n?,'1970-01-02T00:00:00',2,b\n";
    let data = pellucid_io::read_from(text.as_bytes(), "t.arff", &plain()).expect("sound");
    assert_eq!(numbers(&data, "day")[0], 86_400.0);
    assert_eq!(numbers(&data, "born"), [5.0, 86_400.0]);
    let kept = data.origin.reading.date("day").map(ToString::to_string);
    assert_eq!(kept.as_deref(), Some("%d.%m.%Y %H:%M"));
}

#[test]
fn unsupported_date_formats_of_arff_are_text() {
    let text = "@relation r\n@attribute day date \"EEE hh a\"\n@attribute x numeric\n@attribute \
    class {a,b}\n@data\n\
        'Mon 03 PM',1,a\n'Tue 04 AM',2,b\n";
    let load = |options: &ReadOptions| {
        pellucid_io::read_from(text.as_bytes(), "t.arff", options).expect("sound")
    };
    let data = load(&plain());
    assert_eq!(words(&data, "day"), ["Mon 03 PM", "Tue 04 AM"]);
    let parts = ["column 'day'", "'EEE hh a'", "y M L d H m s S Z X", "`date day=%d.%m.%Y`"];
    assert!(noted(&data, &parts), "{:?}", data.notes);
    // No note if the caller does not want dates.
    for options in [plain().nominal(["day"]), plain().ignore(["day"])] {
        assert!(!noted(&load(&options), &["EEE"]));
    }
    // The caller may set the format; a quote must be closed.
    let dotted = text.replace("Mon 03 PM", "02.01.1970").replace("Tue 04 AM", "03.01.1970");
    let options = plain().date("day", "%d.%m.%Y".parse().ok());
    let data = pellucid_io::read_from(dotted.as_bytes(), "t.arff", &options).expect("sound");
    assert_eq!(numbers(&data, "day"), [1.0, 2.0]);
    let open = text.replace("hh a\"", "hh a");
    let message = pellucid_io::read_from(open.as_bytes(), "t.arff", &plain()).expect_err("a quote");
    assert!(message.to_string().starts_with("t.arff, line 2:"), "{message}");
}

#[test]
fn a_table_may_not_have_millions_of_columns() {
    let wide = |columns: usize| vec!["a"; columns].join(",") + "\n";
    let few = pellucid_io::Limits { max_columns: 50, ..pellucid_io::Limits::default() };
    let message = refused(&wide(51), &plain().limits(few));
    assert!(
        message.contains("found 51 columns; the limit is 50; raise max_columns to read them"),
        "{message}"
    );
    load(
        format!("{}{}", wide(50).replace('a', "b"), wide(50)),
        &plain().limits(few).target(Choice::None).header(Header::No),
    );
    assert!(refused(&wide(300_001), &plain()).contains("the limit is 300000"));
}

#[test]
fn numbers_that_mean_missing_and_several_spellings_are_noted() {
    let mut text = "age,job,income,class\n".to_owned();
    for n in 0..60 {
        let age = if n % 9 == 0 { 999 } else { 20 + n };
        let income = if n % 7 == 0 { -1 } else { 10 * (n % 23) };
        let job = ["full-time", "Full-Time", "part time", "parttime", "none"][n as usize % 5];
        text += &format!("{age},{job},{income},{}\n", ["a", "b"][usize::from(n % 3 == 0)]);
    }
    let data = load(&text, &plain());
    for wanted in [
        "column 'age' holds 999 in 7 rows, and its other values are 21 to 79; use `missing 999`",
        "column 'income' holds -1 in 9 rows",
        "'Full-Time' and 'full-time', 'part time' and 'parttime'; use one spelling",
    ] {
        assert!(noted(&data, &[wanted]), "{wanted}: {:?}", data.notes);
    }
    let described = describe_from(text.as_bytes(), "people.csv", &plain()).expect("a description");
    assert!(described.notes.iter().any(|note| note.contains("holds 999")), "{:?}", described.notes);
    // With the mark, the rest is a plain column.
    let marked = load(&text, &plain().missing(["999", "-1"]));
    assert!(!noted(&marked, &["holds"]), "{:?}", marked.notes);
}
