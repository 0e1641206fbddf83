//! How well rows are ranked that had no part in learning, drawn: gains, lift, and whether probabilities come true.

use super::{WIDTH, label};
use crate::model::{Judged, NetworkModel};
use pellucid_data::visible_line;
use std::fmt::Write as _;

/// The side of a plot.
const SIDE: f64 = 200.0;
/// Where the first plot begins, and how far apart they are.
const LEFT: f64 = 66.0;
const APART: f64 = (WIDTH - 20.0 - LEFT - SIDE) / 2.0;

/// A square with an axis below and one on the left, from 0 to `most` in either direction.
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

    /// The axes with their ends told, and what lies along them.
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

    /// What nobody is to be better than: a dashed line.
    fn chance(&self, from: [f64; 2], to: [f64; 2]) -> String {
        let ([x, y], [to_x, to_y]) = (self.at(from), self.at(to));
        format!(
            "<line class=\"chance\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\"/>\n"
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

/// Three plots beside each other.
pub(super) fn judged(judged: &Judged, top: f64, model: &NetworkModel) -> (String, f64) {
    let positive = model.schema.classes.get(1).map_or("positive", String::as_str);
    let positive = visible_line(positive);
    let head = format!(
        "On {} rows that had no part in learning, {} of them '{positive}'",
        judged.rows.all, judged.rows.positive
    );
    let mut out = label(20.0, top + 14.0, "h", "start", &head);
    let plot = |place: f64, most| Plot { left: LEFT + place * APART, top: top + 56.0, most };
    let taken = "rows, the best first";

    let gains = plot(0.0, [1.0, 1.0]);
    out += &gains.axes("share of the positives found", ["100 %", "100 %"], taken);
    out += &gains.chance([0.0, 0.0], [1.0, 1.0]);
    let found = judged.gains.iter().map(|gain| [gain.taken, gain.found]);
    out += &gains.line([[0.0, 0.0]].into_iter().chain(found).chain([[1.0, 1.0]]));

    let most = judged.gains.iter().fold(1.0_f64, |most, gain| most.max(gain.lift)).ceil();
    let lift = plot(1.0, [1.0, most]);
    out += &lift.axes("lift: times more than by chance", ["100 %", &most.to_string()], taken);
    out += &lift.chance([0.0, 1.0], [1.0, 1.0]);
    out += &lift.line(judged.gains.iter().map(|gain| [gain.taken, gain.lift]).chain([[1.0, 1.0]]));

    if !judged.calibration.is_empty() {
        let shares =
            judged.calibration.iter().flat_map(|tenth| [tenth.probability, tenth.happened]);
        // Rare classes have small probabilities: to the next tenth.
        let most = ((10.0 * shares.fold(0.0, f64::max)).ceil() / 10.0).clamp(0.1, 1.0);
        let told = format!("{:.0} %", 100.0 * most);
        let calibration = plot(2.0, [most, most]);
        let head = "what happened, by tenths";
        out += &calibration.axes(head, [&told, &told], "what was foretold");
        out += &calibration.chance([0.0, 0.0], [most, most]);
        for tenth in &judged.calibration {
            let [x, y] = calibration.at([tenth.probability, tenth.happened]);
            let _ = writeln!(out, "<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
        }
    }
    (out, SIDE + 80.0)
}
