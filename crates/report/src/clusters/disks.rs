//! Places disks without overlap, close to those that they are connected with.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The space between two disks, in which the names of clusters stand.
const GAP: f64 = 34.0;
/// The number of positions around a disk that are tried.
const POSITIONS: u32 = 24;
/// The most disks around which positions are tried.
const MOST_TRIED: usize = 40;

/// A disk.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Disk {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) radius: f64,
}

impl Disk {
    fn distance(&self, x: f64, y: f64) -> f64 {
        ((self.x - x).powi(2) + (self.y - y).powi(2)).sqrt()
    }
}

/// Returns the disks of the given radiuses, and the width and height that they need.
///
/// The disk with the strongest connections comes first; then always the one with the strongest connections
/// to those that are placed, as near to them as there is space.
pub(super) fn placed(
    radiuses: &[f64],
    between: &BTreeMap<(usize, usize), f64>,
) -> (Vec<Disk>, (f64, f64)) {
    let mut neighbors = vec![Vec::new(); radiuses.len()];
    for (&(one, other), &weight) in between {
        neighbors[one].push((other, weight));
        neighbors[other].push((one, weight));
    }
    let total = |disk: usize| neighbors[disk].iter().map(|(_, weight)| weight).sum::<f64>();
    let mut pull: Vec<f64> = (0..radiuses.len()).map(|disk| total(disk) * 1e-9).collect();
    let mut disks = vec![Disk::default(); radiuses.len()];
    let mut done: Vec<usize> = Vec::new();
    let mut is_done = vec![false; radiuses.len()];
    while done.len() < radiuses.len() {
        let waiting = (0..radiuses.len()).filter(|&disk| !is_done[disk]);
        let next =
            waiting.max_by(|&one, &other| pull[one].total_cmp(&pull[other]).then(other.cmp(&one)));
        let Some(next) = next else { break };
        disks[next] = place(radiuses[next], &neighbors[next], &disks, &done, &is_done);
        is_done[next] = true;
        done.push(next);
        neighbors[next].iter().for_each(|&(other, weight)| pull[other] += weight);
    }
    moved_to_origin(disks)
}

/// Returns a place beside one of the disks that are placed, near to the neighbors.
fn place(
    radius: f64,
    neighbors: &[(usize, f64)],
    disks: &[Disk],
    done: &[usize],
    is_done: &[bool],
) -> Disk {
    let mut tied: Vec<(usize, f64)> =
        neighbors.iter().copied().filter(|(disk, _)| is_done[*disk]).collect();
    if tied.is_empty() {
        tied = done.iter().map(|&disk| (disk, 1.0)).collect();
    }
    let cost = |x: f64, y: f64| -> f64 {
        tied.iter().map(|&(disk, weight)| weight.sqrt() * disks[disk].distance(x, y)).sum()
    };
    // Disks near the center of the neighbors, around which there may be space.
    let mut beside = done.to_vec();
    beside.sort_by(|&one, &other| {
        let of = |disk: usize| cost(disks[disk].x, disks[disk].y);
        of(one).total_cmp(&of(other)).then(one.cmp(&other))
    });
    let mut best: Option<(f64, Disk)> = None;
    for (tried, &disk) in beside.iter().enumerate() {
        if tried >= MOST_TRIED && best.is_some() {
            break;
        }
        for position in 0..POSITIONS {
            let angle = TAU * f64::from(position) / f64::from(POSITIONS);
            let reach = disks[disk].radius + radius + GAP;
            let (sin, cos) = libm::sincos(angle);
            let (x, y) = (disks[disk].x + reach * cos, disks[disk].y + reach * sin);
            let is_free = |&other: &usize| {
                disks[other].distance(x, y) >= disks[other].radius + radius + GAP - 1e-6
            };
            let cost = cost(x, y);
            if best.is_none_or(|best| cost < best.0 - 1e-6) && done.iter().all(is_free) {
                best = Some((cost, Disk { x, y, radius }));
            }
        }
    }
    best.map_or(Disk { x: 0.0, y: 0.0, radius }, |best| best.1)
}

/// Moves disks so that all of them, with a margin, are right of and below the origin.
fn moved_to_origin(mut disks: Vec<Disk>) -> (Vec<Disk>, (f64, f64)) {
    let end = |of: fn(&Disk) -> f64, pick: fn(f64, f64) -> f64| disks.iter().map(of).reduce(pick);
    let left = end(|disk| disk.x - disk.radius, f64::min).unwrap_or(0.0) - GAP;
    let top = end(|disk| disk.y - disk.radius, f64::min).unwrap_or(0.0) - GAP;
    let right = end(|disk| disk.x + disk.radius, f64::max).unwrap_or(0.0) + GAP;
    let bottom = end(|disk| disk.y + disk.radius, f64::max).unwrap_or(0.0) + GAP;
    for disk in &mut disks {
        (disk.x, disk.y) = (disk.x - left, disk.y - top);
    }
    (disks, (right - left, bottom - top))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn disks_do_not_overlap(
            radiuses in prop::collection::vec(5.0..80.0, 0..30),
            links in prop::collection::vec((0usize..30, 0usize..30, 0.1..9.0), 0..60),
        ) {
            let count = radiuses.len();
            let links = links.into_iter().filter(|&(one, other, _)| one < other && other < count);
            let between = links.map(|(one, other, weight)| ((one, other), weight)).collect();
            let (disks, (width, height)) = placed(&radiuses, &between);
            for (number, disk) in disks.iter().enumerate() {
                prop_assert!(disk.x - disk.radius >= 0.0 && disk.x + disk.radius <= width);
                prop_assert!(disk.y - disk.radius >= 0.0 && disk.y + disk.radius <= height);
                for other in &disks[..number] {
                    let apart = disk.radius + other.radius;
                    prop_assert!(other.distance(disk.x, disk.y) >= apart);
                }
            }
        }
    }
}
