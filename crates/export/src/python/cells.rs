//! Python code that parses cells as the training table was parsed: with its marks of missing
//! values, its number format and its dates.

use super::string;
use crate::missing::{all_categories, missing_marks, thousands_marks};
use crate::spellings::merged_spellings;
use pellucid_data::{FIRST_YEAR, MISSING_AMONG_NUMBERS};
use pellucid_learn::model::Schema;

/// Returns the functions that parse cells, `number(row, column)`, `text(row, column)` and
/// `truth(row, column)`, and their constants.
#[must_use]
pub fn helpers(schema: &Schema) -> String {
    let reading = &schema.reading;
    let list =
        |texts: &mut dyn Iterator<Item = &str>| texts.map(string).collect::<Vec<_>>().join(", ");
    let words: Vec<&str> = all_categories(schema).collect();
    let marks = list(&mut missing_marks(schema).into_iter());
    let among_numbers = list(&mut std::iter::once("").chain(MISSING_AMONG_NUMBERS));
    let dates: Vec<String> = schema
        .columns
        .iter()
        .filter_map(|column| Some((column, reading.date(&column.name)?)))
        .map(|(column, format)| format!("{}: {}", string(&column.name), string(format.pattern())))
        .collect();
    let units: Vec<String> = schema
        .columns
        .iter()
        .filter_map(|column| Some((column, reading.units.get(&column.name)?)))
        .map(|(column, unit)| format!("{}: {}", string(&column.name), string(unit)))
        .collect();
    let spellings = spellings(schema);
    let decimal = reading.decimal.unwrap_or('.');
    let thousands = thousands_marks(schema);
    // Spaces around a cell are removed, unless a category of the model has some.
    let blanks = words.iter().any(|word| word.trim() != *word);
    let trim = if blanks { "value" } else { "value.strip()" };
    let head = format!(
        "\n\n# Marks of missing values (in any column; in number and date columns), and the formats\n\
         # of numbers and dates.\n\
         MISSING = {{{marks}}}\nMISSING_NUMBERS = {{{among_numbers}}}\n\
         DECIMAL, THOUSANDS = {}, {}\nDATES = {{{}}}\n",
        string(&decimal.to_string()),
        string(&thousands),
        dates.join(", ")
    );
    let head = match units.is_empty() {
        true => head,
        false => {
            format!(
                "{head}# Units that may stand beside the numbers of a column.\nUNITS = {{{}}}\n",
                units.join(", ")
            )
        }
    };
    let head = head + &spellings;
    let use_spelling = if spellings.is_empty() { "" } else { USE_SPELLING };
    let first = FIRST_YEAR.to_string();
    let date = if dates.is_empty() { String::new() } else { DATE.replace("FIRST_YEAR", &first) };
    let (bare, use_unit) = if units.is_empty() { ("", "") } else { (BARE, USE_UNIT) };
    let use_date = if dates.is_empty() { "" } else { USE_DATE };
    let helpers = HELPERS
        .replace("TRIMMED", trim)
        .replace("        USE_SPELLING\n", use_spelling)
        .replace("        USE_DATE\n", use_date)
        .replace("        USE_UNIT\n", use_unit);
    head + &helpers + &date + bare
}

/// Returns the constant with the spellings that were merged, by column; nothing if there are none.
fn spellings(schema: &Schema) -> String {
    let columns = schema.columns.iter().filter_map(|column| {
        let spellings = merged_spellings(schema, column);
        let pair = |(letters, category): &(String, &str)| {
            format!("{}: {}", string(letters), string(category))
        };
        let pairs: Vec<String> = spellings.iter().map(pair).collect();
        (!pairs.is_empty()).then(|| format!("{}: {{{}}}", string(&column.name), pairs.join(", ")))
    });
    let columns: Vec<String> = columns.collect();
    match columns.is_empty() {
        true => String::new(),
        false => format!(
            "# Categories by their letters, without case and spaces.\nSPELLINGS = {{{}}}\n",
            columns.join(", ")
        ),
    }
}

/// Returns the imports of the module; `math` if it `computes`.
#[must_use]
pub fn imports(schema: &Schema, computes: bool) -> String {
    let columns = &schema.columns;
    let dates = columns.iter().any(|column| schema.reading.date(&column.name).is_some());
    let needed = [("datetime", dates), ("math", computes), ("re", true)];
    let lines =
        needed.iter().filter(|(_, needed)| *needed).map(|(name, _)| format!("import {name}\n"));
    std::iter::once("\n".to_owned()).chain(lines).collect()
}

const USE_DATE: &str =
    "        if column in DATES:\n            return date(value, DATES[column])\n";

const USE_UNIT: &str = "        if column in UNITS and not NUMBER.fullmatch(value):\n\
                        \x20           value = bare(value, UNITS[column])\n";

const USE_SPELLING: &str = "        if column in SPELLINGS:\n\
                            \x20           letters = \"\".join(value.split()).lower()\n\
                            \x20           value = SPELLINGS[column].get(letters, value)\n";

const HELPERS: &str = r#"

GROUP = "[" + re.escape(THOUSANDS) + "]" if THOUSANDS else "(?!)"
NUMBER = re.compile(
    rf"([+-]?)(?:(\d{{1,3}}(?:{GROUP}\d{{3}})+|\d+)(?:{re.escape(DECIMAL)}(\d*))?|{re.escape(DECIMAL)}(\d+))([eE][+-]?\d+)?",
    re.ASCII,
)
INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)


def cell(row, column):
    """Return the value of a column, ignoring spaces around its name."""
    try:
        return row[column]
    except (KeyError, IndexError):
        for name in row.keys():
            if isinstance(name, str) and name.strip() == column.strip():
                return row[name]
        raise


def number(row, column):
    """Return a number of a row; NaN if it is missing, for which every comparison is false."""
    value = cell(row, column)
    if value is None:
        return float("nan")
    if isinstance(value, str):
        value = value.strip()
        if value in MISSING or value.lower() in MISSING_NUMBERS:
            return float("nan")
        USE_DATE
        USE_UNIT
        found = NUMBER.fullmatch(value)
        if found:
            sign, whole, rest, alone, power = found.groups(default="")
            digits = re.sub(r"[^0-9]", "", whole, flags=re.ASCII)
            return float(f"{sign}{digits or 0}.{rest or alone or 0}{power}")
        return float(value) if INFINITY.fullmatch(value) else float("nan")
    if column in DATES and hasattr(value, "toordinal"):
        return date(value.strftime(DATES[column]), DATES[column])
    return float(value)


def differs(left, right):
    """Return whether two numbers are not equal and the first is not missing."""
    return left == left and left != right


def text(row, column):
    """Return a category of a row; None if it is missing."""
    value = cell(row, column)
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str):
        value = TRIMMED
        USE_SPELLING
        return None if value in MISSING else value
    return str(value)


def truth(row, column):
    """Return whether a boolean of a row is true and not missing."""
    return str(cell(row, column)).strip().lower() in ("true", "1", "1.0", "yes")
"#;

const DATE: &str = r#"

def date(value, form):
    """Return a date as days since 1970, or seconds if it has a time; NaN if invalid or before FIRST_YEAR."""
    try:
        when = datetime.datetime.strptime(value, form)
    except ValueError:
        return float("nan")
    if when.year < FIRST_YEAR:
        return float("nan")
    if when.tzinfo:
        when = when.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    since = when - datetime.datetime(1970, 1, 1)
    return since / datetime.timedelta(seconds=1) if "%H" in form else float(since.days)
"#;

const BARE: &str = r#"

def bare(value, unit):
    """Return a number without the unit before or after it."""
    sign = value[0] if value[:1] in ("+", "-") and value else ""
    rest = value[len(sign):].strip()
    if rest.startswith(unit):
        return sign + rest[len(unit):].strip()
    if rest.endswith(unit):
        return sign + rest[:-len(unit)].strip()
    return value
"#;
