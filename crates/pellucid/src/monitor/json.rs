//! A monitoring as JSON, and as a page.

use super::{Monitoring, NamedDrift, QualityChange};
use crate::learn::profile::{BinCounts, Bins};
use crate::report::page::monitoring_page;
use serde_json::{Map, Value, json};

impl Monitoring {
    /// Returns the monitoring as a JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "model": self.model,
            "target": self.target,
            "data": self.data,
            "rows": self.rows,
            "reference": self.reference,
            "reference_rows": self.reference_rows,
            "columns": self.columns.iter().map(encode).collect::<Vec<_>>(),
            "skipped": self.skipped,
            "unseen": self.unseen,
            "actual": self.actual.as_ref().map(encode),
            "predictions": self.predictions.as_ref().map(encode),
            "evaluated": self.evaluated,
            "quality": self.quality.iter().map(quality).collect::<Vec<_>>(),
        })
    }

    /// Returns the monitoring as an HTML page. `date` is the date of the page and `command` the command that
    /// wrote it.
    #[must_use]
    pub fn to_html(&self, date: &str, command: Option<&str>) -> String {
        let mut content = self.to_json();
        content["version"] = json!(env!("CARGO_PKG_VERSION"));
        content["provenance"] = json!({ "date": date, "command": command });
        content["summary"] = json!(self.sentences());
        monitoring_page(&format!("Monitoring: {}", self.target), &content)
    }
}

fn encode(one: &NamedDrift) -> Value {
    let (drift, mut object) = (&one.drift, Map::new());
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("name", json!(one.distribution.name));
    put("in_model", json!(one.is_used));
    put("severity", json!(one.severity().name()));
    put("psi", json!(drift.psi));
    put("test", json!(drift.test.name()));
    put("statistic", json!(drift.result.map(|result| result.statistic)));
    put("degrees_of_freedom", json!(drift.result.and_then(|result| result.freedom)));
    put("p", json!(drift.result.map(|result| result.p)));
    put("change", json!(one.change));
    match &one.distribution.bins {
        Bins::Numbers { cuts, .. } => put("cuts", json!(cuts)),
        Bins::Categories { names, .. } => put("categories", json!(names)),
    };
    let counts = |counts: &BinCounts| json!({ "bins": counts.bins, "missing": counts.missing });
    put("reference", counts(&drift.reference));
    put("new", counts(&drift.new));
    Value::Object(object)
}

fn quality(one: &QualityChange) -> Value {
    json!({
        "key": one.key,
        "name": one.name(),
        "new": one.new,
        "reference": one.reference,
        "difference": one.difference(),
        "better": one.is_better(),
    })
}
