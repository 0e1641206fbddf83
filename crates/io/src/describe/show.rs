//! The description of a table as text and as JSON.

use std::fmt;

use super::{ColumnContent, ColumnDescription, ColumnRole, Description};
use crate::cells::number;
use crate::source::error::{counted, shorten};
use pellucid_data::visible_line;
use serde_json::{Map, Value, json};

impl fmt::Display for Description {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = (counted(self.rows, "row"), counted(self.columns.len(), "column"));
        writeln!(out, "{}: {rows}, {columns}\n", visible_line(&self.name))?;
        let heads = ["column", "role", "type", "missing", "values"].map(str::to_owned);
        let lines: Vec<[String; 5]> =
            std::iter::once(heads).chain(self.columns.iter().map(cells)).collect();
        let width =
            |place: usize| lines.iter().map(|line| line[place].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..4).map(width).collect();
        for line in &lines {
            let [column, role, kind, missing, values] = line;
            let shown = format!(
                "{column:<0$}  {role:<1$}  {kind:<2$}  {missing:>3$}  {values}",
                widths[0], widths[1], widths[2], widths[3]
            );
            writeln!(out, "{}", shown.trim_end())?;
        }
        match &self.bags {
            Some(bags) => write!(out, "\nTable of bags, {bags}"),
            None => Ok(()),
        }
    }
}

/// Returns the cells of a column's line.
fn cells(column: &ColumnDescription) -> [String; 5] {
    let role = match column.role {
        ColumnRole::Target { guessed: true } => "target (assumed)".to_owned(),
        ColumnRole::Attribute => "feature".to_owned(),
        ColumnRole::Code => "code?".to_owned(),
        ColumnRole::Identifier => "identifier (skipped)".to_owned(),
        role => role.name().to_owned(),
    };
    let missing = match &column.content {
        ColumnContent::Unread => String::new(),
        _ => column.missing.to_string(),
    };
    [
        visible_line(&shorten(&column.name)).into_owned(),
        role,
        type_name(&column.content).to_owned(),
        missing,
        values(column),
    ]
}

/// Returns the name of a type in the table that people read.
fn type_name(content: &ColumnContent) -> &'static str {
    match content {
        ColumnContent::Numbers { .. } => "numbers",
        ColumnContent::Dates { .. } => "dates",
        ColumnContent::Words { .. } => "text",
        ColumnContent::Truths { .. } => "yes/no",
        ColumnContent::Unread => "",
    }
}

/// Returns the name of a type in JSON.
fn json_type(content: &ColumnContent) -> &'static str {
    match content {
        ColumnContent::Numbers { .. } => "numbers",
        ColumnContent::Dates { .. } => "dates",
        ColumnContent::Words { .. } => "words",
        ColumnContent::Truths { .. } => "yes or no",
        ColumnContent::Unread => "",
    }
}

fn values(column: &ColumnDescription) -> String {
    let distinct = column.distinct;
    let mut text = match &column.content {
        ColumnContent::Numbers { range: None, .. } | ColumnContent::Dates { range: None, .. } => {
            "all missing".to_owned()
        }
        ColumnContent::Numbers { range: Some((low, _)), unit } if distinct == 1 => {
            format!("always {}", measured(*low, unit.as_deref()))
        }
        ColumnContent::Numbers { range: Some((low, high)), unit } => {
            let high = measured(*high, unit.as_deref());
            format!("{} to {high}, {distinct} distinct", number::print(*low))
        }
        ColumnContent::Dates { range: Some((low, high)), format } => {
            format!("{} to {}, {distinct} distinct", format.show(*low), format.show(*high))
        }
        ColumnContent::Words { common } => words(common, distinct),
        ColumnContent::Truths { yes, no } => format!("true {yes}, false {no}"),
        ColumnContent::Unread => String::new(),
    };
    if column.misfits.count > 0 {
        let (count, listed) = (column.misfits.count, column.misfits.listed());
        text.push_str(&format!("; {count} invalid: {listed}"));
    }
    visible_line(&text).into_owned()
}

/// Returns a number with its unit.
fn measured(value: f64, unit: Option<&str>) -> String {
    let number = number::print(value);
    unit.map_or_else(|| number.clone(), |unit| format!("{number} {unit}"))
}

fn words(common: &[(String, usize)], distinct: usize) -> String {
    const SHOWN: usize = 4;
    let all_once = common.first().is_some_and(|(_, rows)| *rows == 1);
    let shown: Vec<String> = common
        .iter()
        .take(SHOWN)
        .map(
            |(word, rows)| {
                if all_once { shorten(word) } else { format!("{} ({rows})", shorten(word)) }
            },
        )
        .collect();
    let list = shown.join(", ");
    match distinct {
        0 => "all missing".to_owned(),
        distinct if distinct > shown.len() => format!("{distinct} distinct: {list}, …"),
        _ => list,
    }
}

impl Description {
    /// Returns the description as a JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let columns: Vec<Value> = self.columns.iter().map(ColumnDescription::to_json).collect();
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.name));
        object.insert("rows".to_owned(), json!(self.rows));
        object.insert("columns".to_owned(), json!(columns));
        if let Some(bags) = &self.bags {
            object.insert("bags".to_owned(), bags.to_json());
        }
        object.insert("notes".to_owned(), json!(self.notes));
        Value::Object(object)
    }
}

impl ColumnDescription {
    /// Returns the description as a JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("name", json!(self.name));
        put("role", json!(self.role.name()));
        if let ColumnRole::Target { guessed } = self.role {
            put("guessed", json!(guessed));
        }
        if self.content != ColumnContent::Unread {
            put("type", json!(json_type(&self.content)));
            put("missing", json!(self.missing));
            put("distinct", json!(self.distinct));
        }
        match &self.content {
            ColumnContent::Numbers { range, unit } => {
                if let Some((low, high)) = range {
                    put("low", json!(low));
                    put("high", json!(high));
                }
                if let Some(unit) = unit {
                    put("unit", json!(unit));
                }
            }
            ColumnContent::Dates { format, range } => {
                put("format", json!(format.pattern()));
                if let Some((low, high)) = range {
                    put("low", json!(format.show(*low)));
                    put("high", json!(format.show(*high)));
                }
            }
            ColumnContent::Words { common } => {
                let pair = |(word, rows): &(String, usize)| json!({ "value": word, "rows": rows });
                put("values", common.iter().map(pair).collect());
            }
            ColumnContent::Truths { yes, no } => {
                put("true", json!(yes));
                put("false", json!(no));
            }
            ColumnContent::Unread => {}
        }
        if self.misfits.count > 0 {
            put("misfits", json!({ "count": self.misfits.count, "first": self.misfits.first }));
        }
        Value::Object(object)
    }
}
