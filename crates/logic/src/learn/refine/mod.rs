//! From the general to the special: a tree whose root is `true` and in which every node holds for nobody that its parent
//! does not hold for.
//!
//! The most promising nodes are refined first, many at a time: what they may become is made, tried in one batch and, where it
//! is new and could still become an answer, added to the tree. A node is refined again and again, each time to
//! longer expressions, and loses promise by it (Lehmann and others, "Class expression learning for ontology engineering",
//! 2011).
//!
//! An expression can be told from another only by whom it holds for. So of all that hold for the same examples few are
//! looked into, and likewise of fillers that hold for the same individuals.

mod classes;
mod menu;
mod operator;
mod queue;
mod scope;
mod seen;
mod skeleton;
mod state;
#[cfg(test)]
mod tests;
mod values;

pub use state::RefineState;

use super::identity::{Digest, Identities, digest};
use super::trial::{Trial, try_all};
use super::{LogicError, Pace, Search, SearchContext};
use operator::{LengthRange, Operator};
use pellucid_program::{Expr, Node as Part, ProgramId};
use pellucid_relate::Target;
use queue::{Node, Queue};
use rustc_hash::{FxHashMap, FxHashSet};
use seen::Seen;
use skeleton::Skeletons;
use state::NodeState;

/// A round takes nodes until it has so many programs to try...
const ROUND: usize = 4096;
/// ... or so many nodes.
const ROUND_NODES: usize = 64;
/// How many nodes are kept; when there are twice as many, the least promising go.
const MOST_NODES: usize = 50_000;
/// How many skeletons may cover the same examples.
const SAME_EXAMPLES: usize = 8;
/// How many skeletons of fillers may hold for the same individuals.
const SAME_INDIVIDUALS: usize = 4;
/// How much longer than itself a node's refinements may be.
const LONGEST_STEP: u32 = 12;
/// How many programs the pool may hold before it is made anew.
const MOST_PROGRAMS: usize = 2_000_000;
/// How many programs are remembered as tried before all are forgotten.
const MOST_TRIED: usize = 4_000_000;

/// Best-first search by refinement.
#[derive(Debug)]
pub struct Refine {
    operator: Operator,
    queue: Queue,
    coverages: Seen,
    fillers: Seen,
    tried: FxHashSet<u64>,
    known_fillers: FxHashSet<u64>,
    identities: Identities,
    skeletons: Skeletons,
}

/// A program made of a node.
struct Child {
    program: ProgramId,
    identity: u64,
    parent: usize,
}

impl Search for Refine {
    type State = RefineState;

    fn new(context: &mut SearchContext) -> Result<Refine, LogicError> {
        let top = context.programs_mut().constant(true);
        let scores = context.attempt(&[top])?;
        let root = Node { program: top, score: scores[0], parent: None, expanded: 0, children: 0 };
        let mut search = Refine::empty(context);
        search.queue.nodes.push(root);
        Ok(search)
    }

    fn restore(context: &mut SearchContext, state: RefineState) -> Result<Refine, LogicError> {
        let mut search = Refine::empty(context);
        for kept in &state.nodes {
            let program = context.programs_mut().parse(&kept.text)?;
            let node = kept.node(program);
            if node.score.length != context.length(program) || !node.score.quality.is_finite() {
                let words = format!("the score of '{}' is not its own", kept.text);
                return Err(LogicError::Checkpoint(words));
            }
            search.queue.nodes.push(node);
        }
        // Only what makes sense over this world may be tried later.
        let programs: Vec<ProgramId> = search.queue.nodes.iter().map(|node| node.program).collect();
        context.reasoner().cover_examples(&programs)?;
        search.coverages = Seen::restore(SAME_EXAMPLES, state.coverages)?;
        search.fillers = Seen::restore(SAME_INDIVIDUALS, state.fillers)?;
        search.tried = state.tried.into_iter().collect();
        search.known_fillers = state.known_fillers.into_iter().collect();
        Ok(search)
    }

    fn step(&mut self, context: &mut SearchContext) -> Result<Pace, LogicError> {
        if context.is_solved() {
            return Ok(Pace::Done);
        }
        self.renew(context)?;
        let mut queue = self.queue.clone();
        let children = self.expand(context, &mut queue)?;
        let programs: Vec<ProgramId> = children.iter().map(|child| child.program).collect();
        let Some(trials) = try_all(context, &programs)? else { return Ok(Pace::CutShort) };
        let fillers = self.fillers_of(context, &children, &trials)?;
        self.queue = queue;
        for (child, trial) in children.iter().zip(&trials) {
            self.take(context, child, trial, &fillers);
        }
        if self.tried.len() > MOST_TRIED {
            self.tried.clear();
        }
        self.tidy(context);
        let done = self.queue.nodes.is_empty() || context.is_solved();
        Ok(if done { Pace::Done } else { Pace::More })
    }

    fn state(&self, context: &SearchContext) -> RefineState {
        let sorted = |set: &FxHashSet<u64>| {
            let mut list: Vec<u64> = set.iter().copied().collect();
            list.sort_unstable();
            list
        };
        let nodes = self.queue.nodes.iter();
        RefineState {
            nodes: nodes
                .map(|node| NodeState::new(node, context.programs().text(node.program)))
                .collect(),
            coverages: self.coverages.state(),
            fillers: self.fillers.state(),
            tried: sorted(&self.tried),
            known_fillers: sorted(&self.known_fillers),
        }
    }
}

impl Refine {
    fn empty(context: &SearchContext) -> Refine {
        Refine {
            operator: Operator::new(context),
            queue: Queue::default(),
            coverages: Seen::new(SAME_EXAMPLES),
            fillers: Seen::new(SAME_INDIVIDUALS),
            tried: FxHashSet::default(),
            known_fillers: FxHashSet::default(),
            identities: Identities::default(),
            skeletons: Skeletons::default(),
        }
    }

    /// Makes refinements of the most promising nodes that were not tried before.
    fn expand(
        &mut self,
        context: &mut SearchContext,
        queue: &mut Queue,
    ) -> Result<Vec<Child>, LogicError> {
        let mut children: Vec<Child> = Vec::new();
        let mut made: FxHashSet<u64> = FxHashSet::default();
        for place in queue.best(ROUND_NODES) {
            if children.len() >= ROUND {
                break;
            }
            let node = &mut queue.nodes[place];
            let before = children.len();
            while children.len() == before && node.expanded < longest(context, node) {
                let lengths = LengthRange {
                    above: if node.children == 0 && node.expanded <= node.score.length {
                        // The first time what is no longer than the node itself comes too.
                        i64::MIN / 2
                    } else {
                        i64::from(node.expanded)
                    },
                    up_to: i64::from(node.expanded) + 1,
                };
                node.expanded += 1;
                for program in self.operator.refine(context, node.program, lengths)? {
                    let identity = self.identities.of(context.programs(), program);
                    if !self.tried.contains(&identity) && made.insert(identity) {
                        children.push(Child { program, identity, parent: place });
                        node.children += 1;
                    }
                }
            }
        }
        Ok(children)
    }

    /// Which individuals the fillers hold for that were not met before, of children that may be taken.
    fn fillers_of(
        &mut self,
        context: &mut SearchContext,
        children: &[Child],
        trials: &[Trial],
    ) -> Result<FxHashMap<u64, Digest>, LogicError> {
        let mut wanted: Vec<(u64, ProgramId)> = Vec::new();
        let mut met: FxHashSet<u64> = FxHashSet::default();
        for (child, trial) in children.iter().zip(trials) {
            if self.could_be_taken(context, child.program, trial) {
                for filler in fillers(context, child.program) {
                    let identity = self.identities.of(context.programs(), filler);
                    if !self.known_fillers.contains(&identity) && met.insert(identity) {
                        wanted.push((identity, filler));
                    }
                }
            }
        }
        let mut found = FxHashMap::default();
        for chunk in wanted.chunks(1024) {
            let programs: Vec<ProgramId> = chunk.iter().map(|&(_, filler)| filler).collect();
            let rows = context.reasoner().cover(&programs)?;
            let digests =
                chunk.iter().enumerate().map(|(row, &(id, _))| (id, digest(rows.row(row))));
            found.extend(digests);
        }
        Ok(found)
    }

    /// Whether a child covers what none like it does, and could become better than what there is.
    fn could_be_taken(
        &mut self,
        context: &SearchContext,
        program: ProgramId,
        trial: &Trial,
    ) -> bool {
        let length = trial.score.length;
        let skeleton = self.skeletons.of(context.programs(), program);
        !is_weak(context, trial) && self.coverages.would_admit(trial.covered, skeleton, length)
    }

    fn take(
        &mut self,
        context: &mut SearchContext,
        child: &Child,
        trial: &Trial,
        digests: &FxHashMap<u64, Digest>,
    ) {
        self.tried.insert(child.identity);
        if !self.could_be_taken(context, child.program, trial) {
            return;
        }
        for filler in fillers(context, child.program) {
            let identity = self.identities.of(context.programs(), filler);
            if self.known_fillers.contains(&identity) {
                continue;
            }
            let Some(&extension) = digests.get(&identity) else { return };
            let (length, skeleton) =
                (context.length(filler), self.skeletons.of(context.programs(), filler));
            if !self.fillers.would_admit(extension, skeleton, length) {
                return;
            }
            self.fillers.admit(extension, skeleton, length);
            self.known_fillers.insert(identity);
        }
        let skeleton = self.skeletons.of(context.programs(), child.program);
        self.coverages.admit(trial.covered, skeleton, trial.score.length);
        let parent = self.queue.nodes[child.parent].score.quality;
        self.queue.nodes.push(Node {
            program: child.program,
            score: trial.score,
            parent: Some(parent),
            expanded: trial.score.length - 1,
            children: 0,
        });
    }

    /// Drops nodes that are done with, or can no longer lead to the best answer, or are too many.
    fn tidy(&mut self, context: &SearchContext) {
        let best =
            context.leaderboard().best().map_or(f64::NEG_INFINITY, |best| best.score.quality);
        self.queue.nodes.retain(|node| {
            node.expanded < longest(context, node)
                && context.quality(node.score.positive, 0) >= best
        });
        if self.queue.nodes.len() > 2 * MOST_NODES {
            self.queue.shrink(MOST_NODES);
        }
    }

    /// Empties the pool when it has grown too large; only the nodes are put back.
    fn renew(&mut self, context: &mut SearchContext) -> Result<(), LogicError> {
        if context.programs().len() < MOST_PROGRAMS {
            return Ok(());
        }
        let programs = context.programs();
        let kept: Vec<Expr> =
            self.queue.nodes.iter().map(|node| programs.expr(node.program)).collect();
        context.forget_programs();
        for (node, expr) in self.queue.nodes.iter_mut().zip(&kept) {
            node.program = context.programs_mut().add(expr)?;
        }
        self.operator = Operator::new(context);
        self.identities.clear();
        self.skeletons.clear();
        Ok(())
    }
}

/// Up to which length a node is refined.
fn longest(context: &SearchContext, node: &Node) -> u32 {
    context.options().length.min(node.score.length + LONGEST_STEP)
}

/// Whether no specialisation can be better than the best answer: none covers more positive examples.
fn is_weak(context: &SearchContext, trial: &Trial) -> bool {
    let Some(best) = context.leaderboard().best() else { return false };
    trial.score.positive == 0 || context.quality(trial.score.positive, 0) < best.score.quality
}

/// The fillers over individuals anywhere in a program.
fn fillers(context: &SearchContext, program: ProgramId) -> Vec<ProgramId> {
    let (programs, world) = (context.programs(), &context.kb().world);
    let (mut open, mut found) = (vec![program], Vec::new());
    while let Some(part) = open.pop() {
        match programs.node(part) {
            Part::Constant(_) | Part::Leaf(..) => {}
            Part::Not(operand) => open.push(operand),
            Part::And(operands) | Part::Or(operands) => open.extend_from_slice(operands),
            Part::Related { role, filler, .. } => {
                if let Target::Individuals(_) = world.target(role) {
                    found.push(filler);
                    open.push(filler);
                }
            }
        }
    }
    found
}
