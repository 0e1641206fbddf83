//! Draws the performance on held-out rows: gains, lift, and calibration.

use super::{WIDTH, label};
use pellucid_data::visible_line;
use pellucid_networks::model::{HeldOutEvaluation, NetworkModel};
use std::fmt::Write as _;

/// The side length of a plot.
const SIDE: f64 = 200.0;
/// The left edge of the first plot, and the distance between plots.
const LEFT: f64 = 66.0;
const APART: f64 = (WIDTH - 20.0 - LEFT - SIDE) / 2.0;

/// A square plot with axes from 0 to `most` in both directions.
struct Plot {
    left: f64,
    top: f64,
    most: [f64; 2],
}

impl Plot {
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [right, up] = self.most;
        [self.left + SIDE * x / right, self.top + SIDE * (1.0 - y / up)]
    }

    /// Draws the axes with their maxima, a heading, and a label below.
    fn axes(&self, head: &str, ends: [&str; 2], below: &str) -> String {
        let ([x, y], [right, top]) = (self.at([0.0, 0.0]), self.at(self.most));
        let mut out = label(x, self.top - 12.0, "", "start", head);
        let _ = writeln!(
            out,
            "<path class=\"axis\" fill=\"none\" d=\"M{x:.1} {top:.1}V{y:.1}H{right:.1}\"/>"
        );
        out += &label(x - 6.0, y + 4.0, "s", "end", "0");
        out += &label(x - 6.0, top + 4.0, "s", "end", ends[1]);
        out += &label(right, y + 16.0, "s", "end", ends[0]);
        out + &label(x, y + 16.0, "s", "start", below)
    }

    /// Draws a dashed reference line.
    fn reference(&self, from: [f64; 2], to: [f64; 2]) -> String {
        let ([x, y], [to_x, to_y]) = (self.at(from), self.at(to));
        format!(
            "<line class=\"chance\" x1=\"{x:.1}\" y1=\"{y:.1}\" \
             x2=\"{to_x:.1}\" y2=\"{to_y:.1}\"/>\n"
        )
    }

    fn line(&self, points: impl Iterator<Item = [f64; 2]>) -> String {
        let mut path = String::new();
        for (place, point) in points.enumerate() {
            let [x, y] = self.at(point);
            let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
        }
        format!("<path class=\"line\" d=\"{path}\"/>\n")
    }
}

/// Draws three plots side by side. Returns the elements and their height.
pub(super) fn held_out(
    held_out: &HeldOutEvaluation,
    top: f64,
    model: &NetworkModel,
) -> (String, f64) {
    if model.body.outputs > 1 {
        return of_classes(held_out, top);
    }
    let positive = model.schema.classes.get(1).map_or("positive", String::as_str);
    let positive = visible_line(positive);
    let head = format!(
        "Held-out performance: {} rows, {} '{positive}'",
        held_out.rows.all, held_out.rows.positive
    );
    let mut out = label(20.0, top + 14.0, "h", "start", &head);
    let plot = |place: f64, most| Plot { left: LEFT + place * APART, top: top + 56.0, most };
    let taken = "rows, highest scores first";

    let gains = plot(0.0, [1.0, 1.0]);
    out += &gains.axes("share of positives found", ["100 %", "100 %"], taken);
    out += &gains.reference([0.0, 0.0], [1.0, 1.0]);
    let found = held_out.gains.iter().map(|gain| [gain.taken, gain.found]);
    out += &gains.line([[0.0, 0.0]].into_iter().chain(found).chain([[1.0, 1.0]]));

    let most = held_out.gains.iter().fold(1.0_f64, |most, gain| most.max(gain.lift)).ceil();
    let lift = plot(1.0, [1.0, most]);
    out += &lift.axes("lift", ["100 %", &most.to_string()], taken);
    out += &lift.reference([0.0, 1.0], [1.0, 1.0]);
    out +=
        &lift.line(held_out.gains.iter().map(|gain| [gain.taken, gain.lift]).chain([[1.0, 1.0]]));

    if !held_out.calibration.is_empty() {
        let shares =
            held_out.calibration.iter().flat_map(|tenth| [tenth.probability, tenth.observed]);
        // The probabilities of a rare class are small; the axis ends at the next tenth.
        let most = ((10.0 * shares.fold(0.0, f64::max)).ceil() / 10.0).clamp(0.1, 1.0);
        let end = format!("{:.0} %", 100.0 * most);
        let calibration = plot(2.0, [most, most]);
        let head = "observed share, by tenths of the rows";
        out += &calibration.axes(head, [&end, &end], "predicted probability");
        out += &calibration.reference([0.0, 0.0], [most, most]);
        for tenth in &held_out.calibration {
            let [x, y] = calibration.at([tenth.probability, tenth.observed]);
            let _ = writeln!(out, "<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
        }
    }
    (out, SIDE + 80.0)
}

/// Writes the accuracy and the log loss of more than two classes.
fn of_classes(held_out: &HeldOutEvaluation, top: f64) -> (String, f64) {
    let figures = [("accuracy", &held_out.accuracy), ("log loss", &held_out.log_loss)];
    let figures: Vec<String> = figures
        .into_iter()
        .filter_map(|(name, figure)| {
            let found = figure.as_ref()?;
            Some(format!("{name} {:.3} ({:.3} to {:.3})", found.value, found.low, found.high))
        })
        .collect();
    let rows = held_out.rows.all;
    let head = format!("Held-out performance: {rows} rows, {}", figures.join(", "));
    (label(20.0, top + 14.0, "h", "start", &head), 20.0)
}
