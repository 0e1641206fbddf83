//! A search on the devices of a machine, either GPUs or the CPU.

use crate::cpu::search_in;
use crate::gpu::{self, DeviceLoss, Member, OpenFrontier, Reader, TooLarge};
use crate::ordered::OrderedRelation;
use crate::recovery::{KeySums, ListedConcepts, Recorder};
use crate::{ConceptView, Digest, SearchOutcome, SearchStop, Terms, Tuning, Visitor};
use pellucid_bits::as_u32;
use pellucid_bits::words::{full, words_for};
use pellucid_data::Relation;
use pellucid_device::{Device, DeviceError, Fault, Hardware, Machine};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Lists the concepts of a relation on the devices of a machine. GPUs share the search tree. The
/// CPU searches if there is no GPU, or if the terms select a [`Share`](crate::Share) of the
/// concepts; it uses one thread per visitor.
///
/// A GPU that does not open, or that is too small for the context, is left out. If a GPU fails
/// before any concept was listed, the search restarts on the remaining GPUs, or on the CPU if none
/// is left. If a GPU fails after concepts were listed, the CPU lists the remaining concepts, each
/// once. Every failure is reported to the fault listener of the machine.
///
/// # Errors
/// If a GPU fails after more concepts were listed than can be remembered (268 million, which take 2
/// GiB).
///
/// # Panics
/// If there is no visitor.
pub fn search_on<V: Visitor>(
    machine: &Machine,
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
) -> Result<SearchOutcome, DeviceError> {
    search_on_with(machine, relation, terms, visitors, Tuning::default())
}

/// [`search_on`] with the given tuning.
#[doc(hidden)]
pub fn search_on_with<V: Visitor>(
    machine: &Machine,
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
    tuning: Tuning,
) -> Result<SearchOutcome, DeviceError> {
    let is_gpu = |device: &&Device| matches!(device.hardware(), Hardware::Gpu(_));
    let mut gpus: Vec<&Device> = machine.devices.iter().filter(is_gpu).collect();
    if gpus.is_empty()
        || terms.share.is_some()
        || (relation.objects() as u64) < terms.min_support.max(1)
    {
        return on_cpu(machine, relation, terms, visitors, tuning);
    }
    let ordered = Arc::new(OrderedRelation::new(relation, terms.min_support));
    if ordered.attributes().is_empty() {
        // There are at most two concepts, so there is nothing to search.
        return on_cpu(machine, relation, terms, visitors, tuning);
    }
    let reader = Reader::new(relation, Arc::clone(&ordered), terms, V::READS_CONCEPTS);
    let keys = KeySums::new(relation.attributes());
    let remembered = tuning.remembered / visitors.len().max(1);
    let mut shown = false;
    loop {
        let mut members = open_members(machine, &mut gpus, &ordered, &reader, terms);
        if members.is_empty() {
            return on_cpu(machine, relation, terms, visitors, tuning);
        }
        let record = |visitor| Recorder::new(visitor, &keys, remembered);
        let mut recorders: Vec<Recorder<'_, V>> = visitors.iter_mut().map(record).collect();
        let lost = match gpu::search(&mut members, &reader, terms, &mut recorders, &mut shown) {
            Ok(mut outcome) => {
                list_bottom(relation, terms, visitors, &mut outcome);
                return Ok(outcome);
            }
            Err(lost) => lost,
        };
        let DeviceLoss { member, error } = lost;
        let Some(listed) = ListedConcepts::of(recorders) else { return Err(error) };
        drop(members);
        gpus.remove(member);
        let left = if listed.is_empty() { gpus.len().max(1) } else { 1 };
        machine.faults.hear(&Fault { error: error.clone(), left });
        if let Some(progress) = terms.progress {
            progress.store(0, Ordering::Relaxed);
        }
        if !listed.is_empty() {
            let level = machine.level();
            let others = listed.list_others(&keys, terms, visitors, |terms, remainders| {
                search_in(Some(&machine.threads), relation, terms, remainders, level, tuning)
            });
            return others.ok_or(error);
        }
    }
}

/// Searches on the threads of the machine, at the SIMD level of its CPU.
fn on_cpu<V: Visitor>(
    machine: &Machine,
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
    tuning: Tuning,
) -> Result<SearchOutcome, DeviceError> {
    let level = machine.level();
    Ok(search_in(Some(&machine.threads), relation, terms, visitors, level, tuning))
}

/// Opens a search on each GPU; the first one starts with the whole tree. GPUs that cannot open it
/// are removed from `gpus` and reported to the fault listener of the machine.
fn open_members<'a>(
    machine: &Machine,
    gpus: &mut Vec<&'a Device>,
    ordered: &OrderedRelation,
    reader: &Reader<'_>,
    terms: &Terms<'_>,
) -> Vec<Member<'a>> {
    let mut members = Vec::with_capacity(gpus.len());
    let mut left = gpus.len();
    gpus.retain(|&device| {
        let (min_support, reads_concepts, whole) =
            (terms.min_support, reader.reads_concepts(), members.is_empty());
        let open = OpenFrontier { ordered, min_support, reads_concepts, whole };
        let opened = device.caught(|| {
            device.open(|hardware| match hardware {
                Hardware::Gpu(gpu) => gpu.open(open),
                Hardware::Processor(_) => {
                    Err(DeviceError::new(device.id(), "the CPU searches on threads, not in slices"))
                }
            })
        });
        left -= usize::from(!matches!(opened, Ok(Ok(_))));
        let fault = |error| Fault { error, left: left.max(1) };
        match opened {
            Ok(Ok(frontier)) => {
                members.push(Member::new(device, frontier));
                return true;
            }
            Ok(Err(TooLarge(reason))) => {
                let error = DeviceError::new(device.id(), reason);
                machine.faults.hear_too_small(&fault(error));
            }
            Err(error) => machine.faults.hear(&fault(error)),
        }
        false
    });
    members
}

/// Lists the concept with no object and all attributes, which a search on GPUs never reaches.
fn list_bottom<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
    outcome: &mut SearchOutcome,
) {
    let has_all = |row: &[u32]| row.len() == relation.attributes();
    if outcome.stop != SearchStop::Complete || terms.min_support > 0 || relation.rows().any(has_all)
    {
        return;
    }
    if terms.most == Some(outcome.concepts) {
        outcome.stop = SearchStop::Limit;
        return;
    }
    let intent = full(relation.attributes());
    let attributes = 0..as_u32(relation.attributes());
    outcome.concepts += 1;
    outcome.digest.add(attributes.map(Digest::key).fold(0, u64::wrapping_add));
    if let Some(progress) = terms.progress {
        progress.store(outcome.concepts, Ordering::Relaxed);
    }
    let extent = vec![0; if terms.extents { words_for(relation.objects()) } else { 0 }];
    visitors[0].visit(&ConceptView { intent: &intent, support: 0, extent: &extent });
}
