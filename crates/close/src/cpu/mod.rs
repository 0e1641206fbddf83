//! The CPU: one Close-by-One tree, searched by all threads.
//!
//! A node of the tree keeps only the part of the columns that lies within its extent. The deeper the search
//! goes, the smaller that part is; most nodes take a few words.
//!
//! - `prepare`: rare columns first, equal `rows` merged, hopeless columns left out.
//! - `columns`: many columns side by side, looked at eight at a time. `level`: the columns within one
//!   `extent`; `rivals`: the one test that says whether a candidate is new. `slots`: what the bits of an
//!   extent stand for. `base`: all rows as bits.
//! - `worker`: one thread's way through its tasks. It walks by one of these strategies, each in a file of its
//!   own:
//!   - `lists`: a large `context` with few crosses, as lists, until what is left of it is worth `bits`;
//!   - `tree`: down and up the levels of bits;
//!   - `few` and `handful`: what lies `within` a concept of few candidates or rows is listed at once, without
//!     a tree;
//!   - `thin`: levels of a deep tree give up their columns while they wait, so that memory stays bounded.
//! - `pool`: what workers share. `share`: what one gives away. `listing`: concepts on their way out.
//!   `tuning`: where one strategy is taken instead of another, and what each gains.

mod base;
mod bits;
mod columns;
mod context;
mod extent;
mod few;
mod handful;
mod level;
mod listing;
mod lists;
mod pool;
mod prepare;
mod rivals;
mod rows;
mod share;
mod slots;
mod thin;
mod tree;
mod tuning;
mod within;
mod worker;

use super::{ConceptView, Digest, SearchOutcome, Share, Terms, Visitor, spec};
use base::Base;
use bits::Start;
use context::{Context, Stretch};
use listing::Listing;
use pellucid_bits::{Block, Level, LevelError, as_u32};
use pellucid_data::Relation;
use pellucid_device::Threads;
use pool::{Branch, PanicGuard, Pool, Task};
use prepare::Prepared;
use std::thread;
pub use tuning::Tuning;
use worker::Worker;

/// Lists all concepts that the terms ask for, with a thread for every visitor; the first visitor has the
/// caller's thread.
///
/// The concepts, their number and digest are those of [`spec::concepts`]; the order is not. At the scalar
/// level (`PELLUCID_SIMD=scalar`) it is the specification itself that searches, for the first visitor.
///
/// # Errors
/// When `PELLUCID_SIMD` names no level of instructions, or one that the CPU lacks.
///
/// # Panics
/// Without a visitor, or if one panics.
pub fn search<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
) -> Result<SearchOutcome, LevelError> {
    Ok(search_with(relation, terms, visitors, Level::chosen()?, Tuning::default()))
}

/// [`search`], with the level of instructions and the tuning of choice.
#[doc(hidden)]
pub fn search_with<V: Visitor>(
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: &mut [V],
    level: Level,
    tuning: Tuning,
) -> SearchOutcome {
    search_in(None, relation, terms, visitors, level, tuning)
}

/// [`search_with`], on the threads of a device, or with a new thread for every visitor but the first.
pub(crate) fn search_in<V: Visitor>(
    threads: Option<&Threads>,
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
        run(threads, relation, terms, visitors, V::LOOKS, level, tuning)
    }
}

/// A visitor of any type, so that the search is compiled once and not for every type of visitor.
trait AnyVisitor: Send {
    fn show(&mut self, concept: &ConceptView<'_>);
}

impl<V: Visitor> AnyVisitor for V {
    fn show(&mut self, concept: &ConceptView<'_>) {
        self.visit(concept);
    }
}

/// [`search_in`] for visitors that look, or do not.
fn run(
    threads: Option<&Threads>,
    relation: &Relation,
    terms: &Terms<'_>,
    visitors: Vec<&mut dyn AnyVisitor>,
    looks: bool,
    level: Level,
    tuning: Tuning,
) -> SearchOutcome {
    assert!(!visitors.is_empty(), "a search has a visitor");
    let prepared = Prepared::new(relation, terms.min_support);
    let base = Base::new(&prepared, tuning.most_bytes);
    let root = root(&prepared, looks, &base, tuning, terms.share);
    let pool = Pool::new(terms, root);
    let work = |(number, visitor): (usize, &mut dyn AnyVisitor)| {
        let _guard = PanicGuard(&pool);
        pool.join();
        let mut listing = Listing::new(&pool, relation, &prepared, visitor, looks);
        listing.report();
        if number == 0 && terms.share.is_none_or(Share::has_root) && !pool.was_stopped() {
            outermost(relation, terms, &prepared, &mut listing);
        }
        level.run(Worker::new(&pool, &base, listing, tuning))
    };
    let visitors = visitors.into_iter().enumerate().collect();
    let parts = match threads {
        Some(threads) => threads.map_items(visitors, work),
        None => on_new_threads(visitors, tuning.threads, &work),
    };
    let mut outcome = SearchOutcome { concepts: 0, digest: Digest::default(), stop: pool.reason() };
    for (concepts, digest) in parts {
        outcome.concepts += concepts;
        outcome.digest.merge(digest);
    }
    outcome
}

/// Works for the first visitor on the caller's thread, and for every other one on a thread of its own, of which
/// there are at most `most`.
fn on_new_threads<'a>(
    visitors: Vec<(usize, &'a mut dyn AnyVisitor)>,
    most: usize,
    work: &(dyn Fn((usize, &'a mut dyn AnyVisitor)) -> (u64, Digest) + Sync),
) -> Vec<(u64, Digest)> {
    thread::scope(|scope| {
        let mut visitors = visitors.into_iter();
        let first = visitors.next();
        // The system may refuse a thread, as in a container with a limit on them; the search then goes on with
        // those that it got.
        let spawn =
            |visitor| thread::Builder::new().spawn_scoped(scope, move || work(visitor)).ok();
        let threads: Vec<_> = visitors.take(most).map_while(spawn).collect();
        let mut parts: Vec<(u64, Digest)> = first.map(work).into_iter().collect();
        for thread in threads {
            parts.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        parts
    })
}

/// The concepts that no search is needed for: of all objects, and of none.
fn outermost(
    relation: &Relation,
    terms: &Terms<'_>,
    prepared: &Prepared,
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

/// The whole context as the first task, or a share of its columns.
fn root(
    prepared: &Prepared,
    looks: bool,
    base: &Base<'_>,
    tuning: Tuning,
    share: Option<Share>,
) -> Task {
    let context = Context::root(prepared, looks);
    let intent = prepared.shared.clone();
    let rivals = vec![Block::ZERO; base.blocks];
    let are_lists = context.rows.len() > 64 && tuning.lists.unwrap_or_else(|| context.is_sparse());
    if are_lists || share.is_some() {
        let stretch = Stretch { share, ..Stretch::whole(context.with_columns(), rivals) };
        return Task { branch: Branch::Lists(stretch), intent };
    }
    let mut start = Start::default();
    start.lay_out(&context);
    start.level.keys = context.keys;
    start.level.intent = intent.len();
    start.level.mask = rivals;
    start.level.all_alive();
    Task { branch: Branch::Bits(Box::new(start)), intent }
}
