use super::cuts::{Cut, cuts};
use super::detours::Detours;
use super::leaderboard::{ExpressionScore, Leaderboard, PreferredExpression, RankedExpression};
use super::length::LengthCache;
use super::{AllowedNames, LearningTask, LogicError, Options, Semantics};
use crate::KnowledgeBase;
use pellucid_bits::Block;
use pellucid_data::{Message, message, parameter};
use pellucid_device::{Machine, Threads};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::metrics::Confusion;
use pellucid_learn::run::{Control, StopReason};
use pellucid_program::{Expr, ProgramId, Programs, Quantifier};
use pellucid_relate::Reasoner;
use std::sync::Arc;

/// The state shared by all methods: the knowledge base, a reasoner with the training examples, the
/// leaderboard, and the stopping criteria.
#[derive(Debug)]
pub struct SearchContext {
    kb: Arc<KnowledgeBase>,
    options: Options,
    task: LearningTask,
    allowed: AllowedNames,
    cuts: Vec<Vec<Cut>>,
    reasoner: Reasoner,
    threads: Arc<Threads>,
    control: Control,
    lengths: LengthCache,
    detours: Detours,
    leaderboard: Leaderboard,
    evaluated: u64,
    notes: Vec<Message>,
}

impl SearchContext {
    /// Prepares a search.
    ///
    /// # Errors
    /// If an excluded name does not exist, or no device can hold the knowledge base.
    pub fn new(
        kb: &Arc<KnowledgeBase>,
        task: LearningTask,
        options: &Options,
        machine: &Machine,
        control: &Control,
    ) -> Result<SearchContext, LogicError> {
        let allowed = AllowedNames::new(kb, options, &task.excluded)?;
        let mut reasoner = Reasoner::new(Arc::clone(&kb.world), machine)?;
        reasoner.ask(task.examples());
        let notes = omitted_coordinates(kb, &allowed).into_iter().collect();
        Ok(SearchContext {
            detours: Detours::new(&kb.world, &allowed),
            allowed,
            cuts: cuts(kb, &task.hidden),
            leaderboard: Leaderboard::new(options.answers, options.penalty.unwrap_or(0.0)),
            kb: Arc::clone(kb),
            options: options.clone(),
            task,
            reasoner,
            threads: Arc::clone(&machine.threads),
            control: control.clone(),
            lengths: LengthCache::default(),
            evaluated: 0,
            notes,
        })
    }

    /// The knowledge base.
    #[must_use]
    pub fn kb(&self) -> &Arc<KnowledgeBase> {
        &self.kb
    }

    /// The parameters.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The training examples.
    #[must_use]
    pub fn task(&self) -> &LearningTask {
        &self.task
    }

    /// Replaces the training examples and clears the leaderboard. Returns the previous examples.
    pub fn set_task(&mut self, task: LearningTask) -> LearningTask {
        self.reasoner.ask(task.examples());
        self.cuts = cuts(&self.kb, &task.hidden);
        self.clear_leaderboard();
        std::mem::replace(&mut self.task, task)
    }

    /// Clears the leaderboard. Returns the expressions on it.
    pub fn clear_leaderboard(&mut self) -> Vec<RankedExpression> {
        let penalty = self.options.penalty.unwrap_or(0.0);
        let new = Leaderboard::new(self.options.answers, penalty);
        std::mem::replace(&mut self.leaderboard, new).into_answers()
    }

    /// The names that expressions may use.
    #[must_use]
    pub fn allowed(&self) -> &AllowedNames {
        &self.allowed
    }

    /// The cuts of a data property; empty if its values are not numbers.
    #[must_use]
    pub fn cuts(&self, property: u32) -> &[Cut] {
        &self.cuts[property as usize]
    }

    /// The reasoner. Direct evaluations are not counted as candidates.
    pub fn reasoner(&mut self) -> &mut Reasoner {
        &mut self.reasoner
    }

    /// The pool of programs.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        self.reasoner.programs()
    }

    /// The pool of programs, for adding programs.
    pub fn programs_mut(&mut self) -> &mut Programs {
        self.reasoner.programs_mut()
    }

    /// The threads.
    #[must_use]
    pub fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    /// Clears the pool of programs, which invalidates all ids. The leaderboard is kept.
    pub fn forget_programs(&mut self) {
        self.reasoner.forget_programs();
        self.lengths.clear();
        self.detours.forget_programs();
    }

    /// Returns the length of a program.
    pub fn length(&mut self, program: ProgramId) -> u32 {
        self.lengths.of(self.reasoner.programs(), program)
    }

    /// Whether a program follows a property and comes back through an inverse, although that says
    /// nothing new.
    pub(super) fn has_detour(&mut self, program: ProgramId) -> bool {
        self.detours.has_detour(&self.kb.world, self.reasoner.programs(), program)
    }

    /// Returns `only role (filler)` in the selected semantics.
    pub fn only(&mut self, role: u32, inverse: bool, filler: ProgramId) -> ProgramId {
        let programs = self.reasoner.programs_mut();
        let only = programs.related(Quantifier::Only, role, inverse, filler);
        if self.options.semantics != Semantics::SomeOnly {
            return only;
        }
        let some = programs.related(Quantifier::Some, role, inverse, filler);
        programs.and(&[some, only])
    }

    /// Returns `max most role (filler)` in the selected semantics.
    pub fn max(&mut self, most: u32, role: u32, inverse: bool, filler: ProgramId) -> ProgramId {
        let programs = self.reasoner.programs_mut();
        let max = programs.related(Quantifier::Max(most), role, inverse, filler);
        if self.options.semantics != Semantics::HtHedl {
            return max;
        }
        let some = programs.related(Quantifier::Some, role, inverse, filler);
        programs.and(&[some, max])
    }

    /// Returns the quality of covering some numbers of examples.
    #[must_use]
    pub fn quality(&self, positive: u64, negative: u64) -> f64 {
        let (positives, negatives) = (self.task.positive.len(), self.task.negative.len());
        let counts =
            Confusion::from_covered(positive, negative, positives as u64, negatives as u64);
        self.options.measure.of(&counts)
    }

    /// Evaluates programs in one batch. Each one counts as a candidate.
    ///
    /// # Errors
    /// If a program is invalid in this world, or evaluation fails on all devices.
    pub fn score(&mut self, programs: &[ProgramId]) -> Result<Vec<ExpressionScore>, LogicError> {
        let tallies = self.reasoner.tally(programs)?;
        self.count(programs.len() as u64);
        let mut scores = Vec::with_capacity(programs.len());
        for (index, &program) in programs.iter().enumerate() {
            let &[negative, positive] = tallies.of(index) else { unreachable!("two classes") };
            let quality = self.quality(positive, negative);
            scores.push(ExpressionScore {
                positive,
                negative,
                quality,
                length: self.length(program),
            });
        }
        Ok(scores)
    }

    /// Offers evaluated programs to the leaderboard. Programs that are too long or not good enough
    /// are skipped.
    ///
    /// # Errors
    /// As [`SearchContext::score`].
    pub fn offer(
        &mut self,
        programs: &[ProgramId],
        scores: &[ExpressionScore],
    ) -> Result<(), LogicError> {
        let longest = self.options.length;
        let is_candidate =
            |&at: &usize| scores[at].length <= longest && self.leaderboard.would_take(&scores[at]);
        let chosen: Vec<usize> = (0..programs.len()).filter(is_candidate).collect();
        let roots: Vec<ProgramId> = chosen.iter().map(|&at| programs[at]).collect();
        if roots.is_empty() {
            return Ok(());
        }
        let covered = self.reasoner.cover_examples(&roots)?;
        for (row, &at) in chosen.iter().enumerate() {
            // The leaderboard may have filled up in the meantime.
            if self.leaderboard.would_take(&scores[at]) {
                let expr = self.reasoner.programs().expr(roots[row]);
                let text = expr.to_string();
                let coverage = digest(covered.row(row));
                self.leaderboard.offer(RankedExpression {
                    expr,
                    text,
                    score: scores[at],
                    coverage,
                });
            }
        }
        Ok(())
    }

    /// Puts an evaluated program on the leaderboard, above all with a merit of at most `bar`.
    ///
    /// # Errors
    /// As [`SearchContext::score`].
    pub(super) fn prefer(
        &mut self,
        program: ProgramId,
        score: ExpressionScore,
        bar: f64,
    ) -> Result<(), LogicError> {
        let coverage = self.coverage(program)?;
        self.leaderboard.set_preferred(Some(PreferredExpression { coverage, bar }));
        let expr = self.programs().expr(program);
        let text = expr.to_string();
        self.leaderboard.offer(RankedExpression { expr, text, score, coverage });
        Ok(())
    }

    /// Evaluates programs and offers them to the leaderboard.
    ///
    /// # Errors
    /// As [`SearchContext::score`].
    pub fn attempt(&mut self, programs: &[ProgramId]) -> Result<Vec<ExpressionScore>, LogicError> {
        let scores = self.score(programs)?;
        self.offer(programs, &scores)?;
        Ok(scores)
    }

    /// The leaderboard.
    #[must_use]
    pub fn leaderboard(&self) -> &Leaderboard {
        &self.leaderboard
    }

    /// The leaderboard, for changing its order.
    pub fn leaderboard_mut(&mut self) -> &mut Leaderboard {
        &mut self.leaderboard
    }

    /// Returns an expression with its score, without adding it to the leaderboard.
    ///
    /// # Errors
    /// If it is invalid in this world.
    pub fn ranked(&mut self, text: &str) -> Result<RankedExpression, LogicError> {
        let expr: Expr = text.parse().map_err(pellucid_program::ProgramError::from)?;
        let program = self.programs_mut().add(&expr)?;
        let evaluated = self.evaluated;
        let score = self.score(&[program])?[0];
        self.evaluated = evaluated;
        let coverage = self.coverage(program)?;
        Ok(RankedExpression { expr, text: text.to_owned(), score, coverage })
    }

    /// Restores an expression of an earlier leaderboard.
    ///
    /// # Errors
    /// If it is invalid in this world.
    pub fn put_back(&mut self, expr: &Expr) -> Result<(), LogicError> {
        let program = self.programs_mut().add(expr)?;
        let evaluated = self.evaluated;
        self.attempt(&[program])?;
        self.evaluated = evaluated;
        Ok(())
    }

    /// The number of candidates evaluated.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Counts candidates that were evaluated without the reasoner.
    pub fn count(&mut self, hypotheses: u64) {
        self.evaluated = self.evaluated.saturating_add(hypotheses);
    }

    /// Restores the number of candidates evaluated.
    pub fn set_evaluated(&mut self, hypotheses: u64) {
        self.evaluated = hypotheses;
    }

    /// The number of misclassified examples that a solution may have.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count"
    )]
    pub fn tolerance(&self) -> u64 {
        (self.options.noise * self.task.len() as f64) as u64
    }

    /// Whether this coverage is a solution: all examples are classified correctly, except for the
    /// tolerated noise.
    #[must_use]
    pub fn is_solution(&self, positive: u64, negative: u64) -> bool {
        let missed = (self.task.positive.len() as u64).saturating_sub(positive);
        missed + negative <= self.tolerance()
    }

    /// Whether a score is that of a solution.
    #[must_use]
    pub fn solves(&self, score: &ExpressionScore) -> bool {
        self.is_solution(score.positive, score.negative)
    }

    /// Whether the leaderboard has a solution.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.leaderboard.best().is_some_and(|best| self.solves(&best.score))
    }

    /// Whether to stop now, and why. Cheap enough to call between batches, which should take a few
    /// milliseconds.
    #[must_use]
    pub fn should_stop(&self) -> Option<StopReason> {
        let full = self.options.hypotheses.is_some_and(|most| self.evaluated >= most);
        self.control.should_stop().or(full.then_some(StopReason::Cap))
    }

    /// Notes about the examples or the expressions.
    #[must_use]
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }

    /// Adds a note, unless it is already present.
    pub fn note(&mut self, note: Message) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Returns a digest of the examples that a program covers.
    ///
    /// # Errors
    /// As [`SearchContext::score`].
    pub fn coverage(&mut self, program: ProgramId) -> Result<u128, LogicError> {
        Ok(digest(self.reasoner.cover_examples(&[program])?.row(0)))
    }

    /// The clock and the interrupt flag.
    #[must_use]
    pub fn control(&self) -> &Control {
        &self.control
    }
}

/// Returns the note about coordinates that expressions do not use.
fn omitted_coordinates(kb: &KnowledgeBase, allowed: &AllowedNames) -> Option<Message> {
    let names: Vec<String> =
        allowed.coordinates.iter().map(|&one| format!("'{}'", kb.show_property(one))).collect();
    let (last, first) = names.split_last()?;
    let names = format!("{} and {last}", first.join(", "));
    Some(message!(
        "the data properties {names} look like coordinates of a drawing and are not used; \
         include them with `",
        parameter("coordinates"),
        "`"
    ))
}

/// A platform-independent digest of the covered examples.
fn digest(blocks: &[Block]) -> u128 {
    let half = |seed: u64| {
        let words = blocks.iter().flat_map(|block| block.0);
        words.fold(Fingerprint::new().with_number(seed), Fingerprint::with_number).value()
    };
    u128::from(half(0)) << 64 | u128::from(half(1))
}
