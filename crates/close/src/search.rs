//! A search wherever it is asked for: on GPUs, or on the processor.

use super::frontier::{self, Reader};
use super::{Digest, Found, Frontier, Ordered, Outcome, Stop, Terms, Visitor, search};
use crate::gpu::OpenFrontier;
use pellucid_bits::words::{full, words_for};
use pellucid_data::Relation;
use pellucid_device::{Device, DeviceError, Fault, Hardware, Machine};
use std::sync::Arc;

/// Lists the concepts of a relation on the devices of a machine: GPUs share the tree, and without any, or if one fails before a concept
/// was shown, the processor does it. The number of visitors is the number of the processor's threads.
///
/// # Errors
/// When a GPU fails after concepts were shown: they cannot be taken back.
///
/// # Panics
/// When there is no visitor.
pub fn search_on<V: Visitor>(
    machine: &Machine,
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
) -> Result<Outcome, DeviceError> {
    let is_gpu = |device: &&Device| matches!(device.hardware(), Hardware::Gpu(_));
    let gpus: Vec<&Device> = machine.devices.iter().filter(is_gpu).collect();
    if gpus.is_empty() || (relation.objects() as u64) < terms.min_support.max(1) {
        return Ok(search(relation, terms, visitors));
    }
    let ordered = Ordered::new(relation, terms.min_support);
    if ordered.attributes().is_empty() {
        // One concept or two: nothing to search.
        return Ok(search(relation, terms, visitors));
    }
    let mut shown = false;
    match on_gpus(&gpus, relation, Arc::new(ordered), terms, visitors, &mut shown) {
        Err(error) if !shown => {
            machine.faults.hear(&Fault { error, left: 1 });
            Ok(search(relation, terms, visitors))
        }
        done => done,
    }
}

fn on_gpus<V: Visitor>(
    gpus: &[&Device],
    relation: &Relation,
    ordered: Arc<Ordered>,
    terms: &Terms<'_>,
    visitors: &mut [V],
    shown: &mut bool,
) -> Result<Outcome, DeviceError> {
    let reader = Reader::new(relation, Arc::clone(&ordered), terms, V::LOOKS);
    let mut frontiers = Vec::with_capacity(gpus.len());
    for (number, &device) in gpus.iter().enumerate() {
        let (min_support, looks) = (terms.min_support, reader.looks());
        let open = OpenFrontier { ordered: &ordered, min_support, looks, whole: number == 0 };
        frontiers.push((device, open_on(device, open)?));
    }
    let mut outcome = frontier::search(frontiers, &reader, terms, visitors, shown)?;
    let whole = |row: &[u32]| row.len() == relation.attributes();
    if outcome.stop == Stop::Complete && terms.min_support == 0 && !relation.rows().any(whole) {
        list_bottom(relation, terms, visitors, &mut outcome);
    }
    Ok(outcome)
}

fn open_on(device: &Device, frontier: OpenFrontier<'_>) -> Result<Box<dyn Frontier>, DeviceError> {
    device.open(|hardware| match hardware {
        Hardware::Gpu(gpu) => gpu.open(frontier),
        Hardware::Processor(_) => {
            Err(DeviceError::new(device.id(), "it searches on threads, not in slices"))
        }
    })
}

/// The concept of no object and all attributes, which no search meets.
fn list_bottom<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
    outcome: &mut Outcome,
) {
    if terms.most == Some(outcome.concepts) {
        outcome.stop = Stop::Most;
        return;
    }
    let intent = full(relation.attributes());
    let attributes = 0..u32::try_from(relation.attributes()).unwrap_or(u32::MAX);
    outcome.concepts += 1;
    outcome.digest.add(attributes.map(Digest::key).fold(0, u64::wrapping_add));
    let extent = vec![0; if terms.extents { words_for(relation.objects()) } else { 0 }];
    visitors[0].visit(&Found { intent: &intent, support: 0, extent: &extent });
}
