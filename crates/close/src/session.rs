//! A relation on the devices of a machine, and its search on GPUs or the CPU.

use crate::cpu;
use crate::gpu::{self, DeviceLoss, Member, OpenFrontier, Reader, TooLarge};
use crate::ordered::OrderedRelation;
use crate::recovery::{KeySums, ListedConcepts, Recorder, Remainder};
use crate::{ConceptView, Digest, SearchOutcome, SearchStop, Terms, Tuning, Visitor};
use pellucid_bits::as_u32;
use pellucid_bits::words::{full, words_for};
use pellucid_data::Relation;
use pellucid_device::{Device, DeviceError, Fault, Hardware, Machine};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A relation on the devices of a machine, ready to be searched; see [`open`](crate::open).
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    machine: &'a Machine,
    relation: &'a Relation,
    tuning: Tuning,
}

impl<'a> Session<'a> {
    pub(crate) fn new(machine: &'a Machine, relation: &'a Relation) -> Session<'a> {
        Session { machine, relation, tuning: Tuning::default() }
    }

    /// Returns the session with the given thresholds.
    #[doc(hidden)]
    #[must_use]
    pub fn tuned(self, tuning: Tuning) -> Session<'a> {
        Session { tuning, ..self }
    }

    /// Lists the concepts that the terms select. GPUs share the search tree. The CPU searches if
    /// there is no GPU, or if the terms select a [`Share`](crate::Share) of the concepts; it uses
    /// one thread per visitor.
    ///
    /// A GPU that does not open, or that is too small for the context, is left out. If a GPU fails
    /// before any concept was listed, the search restarts on the remaining GPUs, or on the CPU if
    /// none is left. If a GPU fails after concepts were listed, the CPU lists the remaining
    /// concepts, each once. Every failure is reported to the fault listener of the machine.
    ///
    /// # Errors
    /// If a GPU fails after more concepts were listed than can be remembered (268 million, which
    /// take 2 GiB).
    ///
    /// # Panics
    /// If there is no visitor, or if a visitor panics.
    pub fn search<V: Visitor>(
        &self,
        terms: &Terms<'_>,
        visitors: &mut [V],
    ) -> Result<SearchOutcome, DeviceError> {
        let Session { machine, relation, tuning } = *self;
        let is_gpu = |device: &&Device| matches!(device.hardware(), Hardware::Gpu(_));
        let mut gpus: Vec<&Device> = machine.devices.iter().filter(is_gpu).collect();
        if gpus.is_empty()
            || terms.share.is_some()
            || (relation.objects() as u64) < terms.min_support.max(1)
        {
            return Ok(self.search_on_cpu(terms, visitors));
        }
        let ordered = Arc::new(OrderedRelation::new(relation, terms.min_support));
        if ordered.attributes().is_empty() {
            // There are at most two concepts, so there is nothing to search.
            return Ok(self.search_on_cpu(terms, visitors));
        }
        let (shared, threads) = (Arc::clone(&ordered), &*machine.threads);
        let reader = Reader::new(relation, shared, terms, V::READS_CONCEPTS, threads);
        let keys = KeySums::new(relation.attributes());
        let remembered = tuning.remembered / visitors.len().max(1);
        let mut shown = false;
        loop {
            let mut members = open_members(machine, &mut gpus, &ordered, &reader, terms);
            if members.is_empty() {
                return Ok(self.search_on_cpu(terms, visitors));
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
                let search = |terms: &Terms<'_>, rest: &mut [Remainder<'_, V>]| {
                    self.search_on_cpu(terms, rest)
                };
                return listed.list_others(&keys, terms, visitors, search).ok_or(error);
            }
        }
    }

    /// Searches on the threads of the machine, at the SIMD level of its CPU.
    fn search_on_cpu<V: Visitor>(&self, terms: &Terms<'_>, visitors: &mut [V]) -> SearchOutcome {
        let Session { machine, relation, tuning } = *self;
        cpu::search(&machine.threads, relation, terms, visitors, machine.level(), tuning)
    }
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
        let opened = device.caught(|| device.open(|hardware| gpu::open(hardware, open)));
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
