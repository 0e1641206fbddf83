//! Best-first search with a refinement operator: a tree whose root is `owl:Thing` and in which
//! every node is a specialization of its parent.
//!
//! The most promising nodes are refined first, many at a time: their refinements are generated,
//! evaluated in one batch and, if they are new and can still improve, added to the tree. A node is
//! refined repeatedly, each time to longer expressions, and its heuristic value decreases (Lehmann
//! et al., "Class expression learning for ontology engineering", 2011).
//!
//! Expressions differ only in their extents, so only a few expressions with the same coverage are
//! expanded, and only a few fillers with the same extent are used.

mod classes;
mod duplicates;
mod operator;
mod queue;
mod scope;
mod skeleton;
mod state;
#[cfg(test)]
mod tests;
mod top_refinements;
mod values;

pub use state::RefineState;

use super::evaluation::{Evaluation, evaluate_all};
use super::identity::{Digest, Identities, digest};
use super::{LogicError, SearchContext, SearchMethod, StepOutcome};
use duplicates::DuplicateFilter;
use operator::{LengthRange, Operator};
use pellucid_program::{Expr, Node as ProgramNode, ProgramId};
use pellucid_relate::Target;
use queue::{Node, Queue};
use rustc_hash::{FxHashMap, FxHashSet};
use skeleton::Skeletons;
use state::NodeState;

/// The number of programs after which a round takes no more nodes.
const ROUND_PROGRAMS: usize = 4096;
/// The maximum number of nodes per round.
const ROUND_NODES: usize = 64;
/// The number of nodes to keep; the least promising ones are dropped when there are twice as many.
const MAX_NODES: usize = 50_000;
/// The maximum number of skeletons with the same coverage.
const MAX_SAME_COVERAGE: usize = 8;
/// The maximum number of skeletons of fillers with the same extent.
const MAX_SAME_EXTENT: usize = 4;
/// The maximum length of a refinement beyond the length of its node.
const MAX_LENGTH_INCREASE: u32 = 12;
/// The maximum number of programs in the pool before it is rebuilt.
const MAX_PROGRAMS: usize = 2_000_000;
/// The maximum number of evaluated programs to remember.
const MAX_EVALUATED: usize = 4_000_000;

/// Best-first search with a refinement operator.
#[derive(Debug)]
pub struct Refine {
    operator: Operator,
    queue: Queue,
    coverages: DuplicateFilter,
    fillers: DuplicateFilter,
    tried: FxHashSet<u64>,
    known_fillers: FxHashSet<u64>,
    identities: Identities,
    skeletons: Skeletons,
}

/// A refinement of a node.
struct Child {
    program: ProgramId,
    identity: u64,
    parent: usize,
}

impl SearchMethod for Refine {
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
                let message = format!("the score of '{}' is inconsistent", kept.text);
                return Err(LogicError::Checkpoint(message));
            }
            search.queue.nodes.push(node);
        }
        // Reject programs that are invalid in this world.
        let programs: Vec<ProgramId> = search.queue.nodes.iter().map(|node| node.program).collect();
        context.reasoner().cover_examples(&programs)?;
        search.coverages = DuplicateFilter::restore(MAX_SAME_COVERAGE, state.coverages)?;
        search.fillers = DuplicateFilter::restore(MAX_SAME_EXTENT, state.fillers)?;
        search.tried = state.tried.into_iter().collect();
        search.known_fillers = state.known_fillers.into_iter().collect();
        Ok(search)
    }

    fn step(&mut self, context: &mut SearchContext) -> Result<StepOutcome, LogicError> {
        if context.is_solved() {
            return Ok(StepOutcome::Done);
        }
        self.rebuild_pool(context)?;
        let mut queue = self.queue.clone();
        let children = self.expand(context, &mut queue)?;
        let programs: Vec<ProgramId> = children.iter().map(|child| child.program).collect();
        let Some(evaluations) = evaluate_all(context, &programs)? else {
            return Ok(StepOutcome::CutShort);
        };
        let fillers = self.fillers_of(context, &children, &evaluations)?;
        self.queue = queue;
        for (child, evaluation) in children.iter().zip(&evaluations) {
            self.add_child(context, child, evaluation, &fillers);
        }
        if self.tried.len() > MAX_EVALUATED {
            self.tried.clear();
        }
        self.prune_queue(context);
        let done = self.queue.nodes.is_empty() || context.is_solved();
        Ok(if done { StepOutcome::Done } else { StepOutcome::More })
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
            coverages: DuplicateFilter::new(MAX_SAME_COVERAGE),
            fillers: DuplicateFilter::new(MAX_SAME_EXTENT),
            tried: FxHashSet::default(),
            known_fillers: FxHashSet::default(),
            identities: Identities::default(),
            skeletons: Skeletons::default(),
        }
    }

    /// Generates refinements of the most promising nodes that were not evaluated before.
    fn expand(
        &mut self,
        context: &mut SearchContext,
        queue: &mut Queue,
    ) -> Result<Vec<Child>, LogicError> {
        let mut children: Vec<Child> = Vec::new();
        let mut made: FxHashSet<u64> = FxHashSet::default();
        for index in queue.best(ROUND_NODES) {
            if children.len() >= ROUND_PROGRAMS {
                break;
            }
            let node = &mut queue.nodes[index];
            let before = children.len();
            while children.len() == before && node.expanded < max_length(context, node) {
                let lengths = LengthRange {
                    above: if node.children == 0 && node.expanded <= node.score.length {
                        // The first expansion includes refinements that are not longer than the
                        // node.
                        i64::MIN / 2
                    } else {
                        i64::from(node.expanded)
                    },
                    up_to: i64::from(node.expanded) + 1,
                };
                node.expanded += 1;
                for program in self.operator.refine(context, node.program, lengths)? {
                    let identity = self.identities.of(context.programs(), program);
                    if !self.tried.contains(&identity)
                        && !context.has_detour(program)
                        && made.insert(identity)
                    {
                        children.push(Child { program, identity, parent: index });
                        node.children += 1;
                    }
                }
            }
        }
        Ok(children)
    }

    /// Returns the extents of new fillers in children that may be added.
    fn fillers_of(
        &mut self,
        context: &mut SearchContext,
        children: &[Child],
        evaluations: &[Evaluation],
    ) -> Result<FxHashMap<u64, Digest>, LogicError> {
        let mut new_fillers: Vec<(u64, ProgramId)> = Vec::new();
        let mut met: FxHashSet<u64> = FxHashSet::default();
        for (child, evaluation) in children.iter().zip(evaluations) {
            if self.is_promising(context, child.program, evaluation) {
                for filler in fillers(context, child.program) {
                    let identity = self.identities.of(context.programs(), filler);
                    if !self.known_fillers.contains(&identity) && met.insert(identity) {
                        new_fillers.push((identity, filler));
                    }
                }
            }
        }
        let mut found = FxHashMap::default();
        for chunk in new_fillers.chunks(1024) {
            let programs: Vec<ProgramId> = chunk.iter().map(|&(_, filler)| filler).collect();
            let rows = context.reasoner().cover(&programs)?;
            let digests =
                chunk.iter().enumerate().map(|(row, &(id, _))| (id, digest(rows.row(row))));
            found.extend(digests);
        }
        Ok(found)
    }

    /// Whether a child has a new coverage for its skeleton and can still improve on the best
    /// expression.
    fn is_promising(
        &mut self,
        context: &SearchContext,
        program: ProgramId,
        evaluation: &Evaluation,
    ) -> bool {
        let length = evaluation.score.length;
        let skeleton = self.skeletons.of(context.programs(), program);
        !is_weak(context, evaluation)
            && self.coverages.would_admit(evaluation.covered, skeleton, length)
    }

    fn add_child(
        &mut self,
        context: &mut SearchContext,
        child: &Child,
        evaluation: &Evaluation,
        digests: &FxHashMap<u64, Digest>,
    ) {
        self.tried.insert(child.identity);
        if !self.is_promising(context, child.program, evaluation) {
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
        self.coverages.admit(evaluation.covered, skeleton, evaluation.score.length);
        let parent = self.queue.nodes[child.parent].score.quality;
        self.queue.nodes.push(Node {
            program: child.program,
            score: evaluation.score,
            parent: Some(parent),
            expanded: evaluation.score.length - 1,
            children: 0,
        });
    }

    /// Drops nodes that are fully expanded or cannot improve on the best expression, and surplus
    /// nodes.
    fn prune_queue(&mut self, context: &SearchContext) {
        let best =
            context.leaderboard().best().map_or(f64::NEG_INFINITY, |best| best.score.quality);
        self.queue.nodes.retain(|node| {
            node.expanded < max_length(context, node)
                && context.quality(node.score.positive, 0) >= best
        });
        if self.queue.nodes.len() > 2 * MAX_NODES {
            self.queue.shrink(MAX_NODES);
        }
    }

    /// Rebuilds the pool if it has grown too large, keeping only the nodes.
    fn rebuild_pool(&mut self, context: &mut SearchContext) -> Result<(), LogicError> {
        if context.programs().len() < MAX_PROGRAMS {
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

/// The maximum length of refinements of a node.
fn max_length(context: &SearchContext, node: &Node) -> u32 {
    context.options().length.min(node.score.length + MAX_LENGTH_INCREASE)
}

/// Whether no specialization can improve on the best expression: none covers more positive
/// examples.
fn is_weak(context: &SearchContext, evaluation: &Evaluation) -> bool {
    let Some(best) = context.leaderboard().best() else { return false };
    evaluation.score.positive == 0
        || context.quality(evaluation.score.positive, 0) < best.score.quality
}

/// Returns all fillers over individuals in a program.
fn fillers(context: &SearchContext, program: ProgramId) -> Vec<ProgramId> {
    let (programs, world) = (context.programs(), &context.kb().world);
    let (mut open, mut found) = (vec![program], Vec::new());
    while let Some(part) = open.pop() {
        match programs.node(part) {
            ProgramNode::Constant(_) | ProgramNode::Leaf(..) => {}
            ProgramNode::Not(operand) => open.push(operand),
            ProgramNode::And(operands) | ProgramNode::Or(operands) => {
                open.extend_from_slice(operands)
            }
            ProgramNode::Related { role, filler, .. } => {
                if let Target::Individuals(_) = world.target(role) {
                    found.push(filler);
                    open.push(filler);
                }
            }
        }
    }
    found
}
