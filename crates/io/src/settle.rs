//! From the cells of a file to columns with a meaning: words that are numbers or dates, the column that names the bags, and
//! columns that name rows, which are no attributes. What was decided without being told is noted.

use crate::assemble::{Part, Parts, Places};
use crate::dates::{self, Guess};
use crate::error::{ReadError, ReadProblem, listed, shorten};
use crate::identify;
use crate::known;
use crate::missing::Markers;
use crate::options::ReadOptions;
use crate::retype::{counts, known, to_numbers};
use crate::roles::ColumnRole;
use crate::units::{self, Beside};
use pellucid_data::{DateFormat, Values};

/// Settles what the columns hold and what they are for.
pub(crate) fn settle(parts: &mut Parts, options: &ReadOptions) -> Result<(), ReadError> {
    let markers = Markers::new(options).with_form(parts.form);
    identify::find_bags(parts, options);
    let Parts { columns, places, notes, .. } = parts;
    for part in columns.iter_mut() {
        type_of(part, places, &markers, notes)?;
        known::align(part, notes);
        tell_misfits(part, notes);
        if matches!(places, Places::Lines(_)) {
            tell_rounded(part, notes);
        }
        if part.role == ColumnRole::Target {
            tell_alike(part, notes);
        }
    }
    identify::leave_out_names(parts, options);
    Ok(())
}

/// Gives a column of words the type that it was told to have, or that its words have.
fn type_of(
    part: &mut Part,
    places: &Places,
    markers: &Markers<'_>,
    notes: &mut Vec<String>,
) -> Result<(), ReadError> {
    let Values::Nominal { codes, categories } = &part.column.values else { return Ok(()) };
    let number = |text: &str| markers.number(text);
    let mut format = part.date.clone();
    match part.role {
        ColumnRole::Numeric => {
            if part.beside == Beside::Unknown
                && let units::Guess::One(unit) = units::guess(&words(codes, categories), markers)
            {
                notes.push(format!("column '{}' holds numbers with '{unit}'", part.column.name));
                part.beside = Beside::Unit(unit);
            }
            let measured = |text: &str| match part.beside.unit() {
                Some(unit) => units::number(text, unit, markers),
                None => markers.number(text),
            };
            (part.column.values, part.misfits) = to_numbers(codes, categories, places, measured);
            return Ok(());
        }
        // The file says itself what its dates are.
        ColumnRole::Feature if format.is_some() => {}
        ColumnRole::Date if format.is_none() => format = Some(told_dates(part)?),
        ColumnRole::Date => {}
        // Read as text because it might have named the bags, and it does not.
        ColumnRole::Feature
            if part.perhaps_bag && is_numeric(codes, categories, places, markers) =>
        {
            (part.column.values, part.misfits) = to_numbers(codes, categories, places, number);
            return Ok(());
        }
        ColumnRole::Feature if !part.declared => match dates::guess(&words(codes, categories)) {
            Guess::None => {
                measure(part, places, markers, notes);
                return Ok(());
            }
            Guess::One(found) => {
                notes.push(format!(
                    "column '{}' holds dates ({found}); `nominal {}` makes it words",
                    part.column.name, part.column.name
                ));
                format = Some(found);
            }
            Guess::Mixed(one, other) => {
                notes.push(format!(
                    "column '{0}' holds dates of different forms ({one} and {other}), so they were taken as words; written in one form they are dates, and `date {0}={one}` takes the others as missing",
                    part.column.name
                ));
                return Ok(());
            }
            Guess::Several(formats) => {
                notes.push(format!(
                    "column '{}' holds dates, but of which form cannot be told, so they were taken as words; {} says it",
                    part.column.name,
                    either(&part.column.name, &formats)
                ));
                return Ok(());
            }
        },
        _ => return Ok(()),
    }
    if let Some(format) = format {
        let day = |text: &str| {
            format.parse(text).or_else(|| markers.among_numbers(text).then_some(f64::NAN))
        };
        (part.column.values, part.misfits) = to_numbers(codes, categories, places, day);
        part.date = Some(format);
    }
    Ok(())
}

/// Makes a column of numbers with a unit one of numbers.
fn measure(part: &mut Part, places: &Places, markers: &Markers<'_>, notes: &mut Vec<String>) {
    let Values::Nominal { codes, categories } = &part.column.values else { return };
    let name = &part.column.name;
    match units::guess(&words(codes, categories), markers) {
        units::Guess::None => {}
        units::Guess::One(unit) => {
            notes.push(format!(
                "column '{name}' holds numbers with '{unit}'; `nominal {name}` makes it words"
            ));
            let measured = |text: &str| units::number(text, &unit, markers);
            (part.column.values, part.misfits) = to_numbers(codes, categories, places, measured);
            part.beside = Beside::Unit(unit);
        }
        units::Guess::Several(units) => notes.push(format!(
            "column '{name}' holds numbers with different units ({}), which cannot be compared, so they were taken as words; written in one unit they are numbers",
            listed(&units)
        )),
    }
}

fn words<'a>(codes: &[u32], categories: &'a [String]) -> Vec<(&'a str, usize)> {
    let rows = counts(codes, categories.len());
    categories.iter().map(String::as_str).zip(rows).filter(|&(_, rows)| rows > 0).collect()
}

fn is_numeric(
    codes: &[u32],
    categories: &[String],
    places: &Places,
    markers: &Markers<'_>,
) -> bool {
    let (values, misfits) = to_numbers(codes, categories, places, |text| markers.number(text));
    misfits.are_strays(known(&values))
}

fn either(column: &str, formats: &[DateFormat]) -> String {
    let told: Vec<String> =
        formats.iter().map(|format| format!("`date {column}={format}`")).collect();
    told.join(" or ")
}

/// The format of a column that was said to hold dates.
fn told_dates(part: &Part) -> Result<DateFormat, ReadError> {
    let Values::Nominal { codes, categories } = &part.column.values else {
        return Err(ReadProblem::Options(String::new()).into());
    };
    let name = &part.column.name;
    match dates::guess(&words(codes, categories)) {
        Guess::One(format) => Ok(format),
        Guess::None | Guess::Mixed(..) => {
            let column = shorten(name);
            Err(ReadProblem::Options(format!(
                "column '{column}' holds {}, which are no dates of a usual form; name the form, as in `date {column}=%d.%m.%Y`",
                listed(categories)
            ))
            .into())
        }
        Guess::Several(formats) => Err(ReadProblem::Options(format!(
            "column '{}' holds dates, but of which form cannot be told; {} says it",
            shorten(name),
            either(name, &formats)
        ))
        .into()),
    }
}

/// Says which classes differ in the case of their letters alone; they are probably one.
fn tell_alike(part: &Part, notes: &mut Vec<String>) {
    const MOST: usize = 1000;
    let Values::Nominal { categories, .. } = &part.column.values else { return };
    if categories.len() > MOST {
        return;
    }
    let mut lower: Vec<(String, &String)> =
        categories.iter().map(|word| (word.to_lowercase(), word)).collect();
    lower.sort_unstable();
    for pair in lower.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        notes.push(format!(
            "'{}' and '{}' in the target column '{}' differ in the case of letters alone and are two classes; write them alike if they mean the same",
            shorten(pair[0].1),
            shorten(pair[1].1),
            part.column.name
        ));
    }
}

/// Says that whole numbers of a text may be rounded: a 64-bit float holds every whole number below 2⁵³, and not all above.
fn tell_rounded(part: &Part, notes: &mut Vec<String>) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let Values::Numeric(numbers) = &part.column.values else { return };
    let is_known = |number: &&f64| number.is_finite();
    let Some(large) = numbers.iter().filter(is_known).find(|number| number.abs() >= EXACT) else {
        return;
    };
    if part.date.is_none() && numbers.iter().filter(is_known).all(|number| number.fract() == 0.0) {
        notes.push(format!(
            "column '{}' holds whole numbers of {EXACT} and more, such as {large}, which are rounded: numbers that differ in their \
             last digits may become equal; if they are names, read the column as categories",
            part.column.name
        ));
    }
}

/// Says which cells did not fit, and what became of them.
fn tell_misfits(part: &Part, notes: &mut Vec<String>) {
    if part.misfits.count == 0 {
        return;
    }
    let column = &part.column;
    let told = matches!(part.role, ColumnRole::Numeric | ColumnRole::Date);
    match &column.values {
        Values::Numeric(_) => {
            let kind = if part.date.is_some() { "dates" } else { "numbers" };
            let fitting = known(&column.values);
            notes.push(part.misfits.taken_as_missing(&column.name, kind, fitting, told));
        }
        // The words that are no numbers are the misfits, so the others are.
        _ => {
            let fitting = known(&column.values).saturating_sub(part.misfits.count);
            if !part.misfits.are_fewer_than(fitting) {
                return;
            }
            notes.push(part.misfits.made_words(&column.name, "numbers", fitting));
        }
    }
}
