//! The CPU search: one Close-by-One tree that all threads search together.
//!
//! A node of the tree keeps only the part of the columns within its extent. This part shrinks with
//! the depth of the node; most nodes take a few words.
//!
//! - `prepare`: orders the columns from rare to frequent and drops columns below the minimum
//!   support. `distinct`: merges equal `rows`, on all threads.
//! - `columns`: many columns side by side, processed eight at a time. `supports`: their minimum
//!   support. `level`: the columns within
//!   one `extent`. `rivals`: the test whether a candidate is new. `slots`: maps the bits of an
//!   extent to rows. `base`: all rows as bits.
//! - `worker`: one thread that processes tasks. It uses these strategies, each in its own file:
//!   - `lists`: a large `context` with few crosses, stored as lists until the remaining part is
//!     worth converting to `bits`;
//!   - `tree`: a walk through levels of bits;
//!   - `few` and `handful`: if a concept has few candidates or rows below it (`node`), its subtree
//!     is listed at once, without a tree;
//!   - `merge`: deep in the tree, rows with the same remaining candidates (`equal_rows`) become one
//!     row with a weight;
//!   - `thin`: waiting levels of a deep tree release their columns, which bounds the memory.
//! - `pool`: the state that workers share. `share`: how a worker gives away work. `listing`: counts
//!   concepts and passes them to the visitor. `tuning`: the thresholds between the strategies, and
//!   the speedup of each.

mod base;
mod bits;
mod columns;
mod context;
mod distinct;
mod equal_rows;
mod extent;
mod few;
mod handful;
mod level;
mod listing;
mod lists;
mod merge;
mod node;
mod pool;
mod prepare;
mod rivals;
mod rows;
mod share;
mod slots;
mod supports;
mod thin;
mod tree;
mod tuning;
mod worker;

use super::{ConceptView, Digest, SearchOutcome, Share, Terms, Visitor, spec};
use base::Base;
use bits::Start;
use context::{ColumnRange, Context, are_sparse};
use listing::Listing;
use pellucid_bits::{Block, Level, as_u32};
use pellucid_data::Relation;
use pellucid_device::Threads;
use pool::{Branch, PanicGuard, Pool, Task};
use prepare::PreparedRelation;
use std::sync::Arc;
pub use tuning::Tuning;
use worker::Worker;

/// Lists all concepts that the terms select on the given threads, with one visitor per thread;
/// further visitors receive nothing. At the scalar level the specification itself searches, for the
/// first visitor.
pub(crate) fn search<V: Visitor>(
    threads: &Threads,
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
    level: Level,
    tuning: Tuning,
) -> SearchOutcome {
    if level == Level::Scalar {
        let first = visitors.first_mut().expect("a search has a visitor");
        spec::concepts(relation, terms, first)
    } else {
        let visitors = visitors.iter_mut().map(|visitor| visitor as &mut dyn AnyVisitor).collect();
        run(threads, relation, terms, visitors, V::READS_CONCEPTS, level, tuning)
    }
}

/// A visitor behind a trait object, so that the search is compiled once and not per visitor type.
trait AnyVisitor: Send {
    fn show(&mut self, concept: &ConceptView<'_>);
}

impl<V: Visitor> AnyVisitor for V {
    fn show(&mut self, concept: &ConceptView<'_>) {
        self.visit(concept);
    }
}

/// [`search`] for visitors that read the concepts, or only count them.
fn run(
    threads: &Threads,
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: Vec<&mut dyn AnyVisitor>,
    reads_concepts: bool,
    level: Level,
    tuning: Tuning,
) -> SearchOutcome {
    assert!(!visitors.is_empty(), "a search has a visitor");
    let prepared = PreparedRelation::new(relation, terms.min_support, threads);
    let base = Arc::new(Base::new(&prepared, tuning.most_bytes, threads));
    let root = root(&prepared, reads_concepts, &base, tuning, terms.share, threads);
    let pool = Pool::new(terms, root);
    let work = |(number, visitor): (usize, &mut dyn AnyVisitor)| {
        let _guard = PanicGuard(&pool);
        pool.join();
        let mut listing = Listing::new(&pool, relation, &prepared, visitor, reads_concepts);
        listing.report();
        if number == 0 && terms.share.is_none_or(Share::has_root) && !pool.was_stopped() {
            list_outermost_concepts(relation, terms, &prepared, &mut listing);
        }
        level.run(Worker::new(&pool, &base, listing, tuning))
    };
    let visitors = visitors.into_iter().enumerate().take(threads.count()).collect();
    let parts = threads.map_items(visitors, work);
    let mut outcome = SearchOutcome { concepts: 0, digest: Digest::default(), stop: pool.reason() };
    for (concepts, digest) in parts {
        outcome.concepts += concepts;
        outcome.digest.merge(digest);
    }
    outcome
}

/// Lists the concepts that need no search: the one with all objects and the one with none.
fn list_outermost_concepts(
    relation: &Relation,
    terms: &Terms<'_>,
    prepared: &PreparedRelation,
    listing: &mut Listing<'_>,
) {
    let (objects, attributes) = (relation.objects(), relation.attributes());
    if objects > 0 && objects as u64 >= terms.min_support {
        listing.list_outermost(&prepared.shared, objects);
    }
    if terms.min_support == 0 && relation.rows().all(|row| row.len() < attributes) {
        let all: Vec<u32> = (0..as_u32(attributes)).collect();
        listing.list_outermost(&all, 0);
    }
}

/// Returns the first task: the whole context, or a share of its columns.
fn root(
    prepared: &PreparedRelation,
    reads_concepts: bool,
    base: &Arc<Base>,
    tuning: Tuning,
    share: Option<Share>,
    threads: &Threads,
) -> Task {
    let intent = prepared.shared.clone();
    let rivals = vec![Block::ZERO; base.blocks];
    let columns = prepared.columns.len();
    let are_lists = prepared.rows.len() > 64
        && tuning.lists.unwrap_or_else(|| are_sparse(prepared.rows.lengths(), columns));
    if are_lists || share.is_some() {
        let context = Context::root(prepared, reads_concepts, threads).with_columns_on(threads);
        let range = ColumnRange { share, ..ColumnRange::whole(context, rivals) };
        return Task { branch: Branch::Lists(range), intent };
    }
    let mut start = Start::new(base);
    if base.has_bits() {
        start.lay_out_whole(base, prepared, reads_concepts);
    } else {
        start.lay_out(base, &Context::root(prepared, reads_concepts, threads));
    }
    start.level.keys = prepared.shared_keys();
    start.level.intent = intent.len();
    start.level.mask = rivals;
    start.level.mark_all_alive();
    Task { branch: Branch::Bits(Box::new(start)), intent }
}
