//! Class expressions over the individuals of an ontology.

use super::{
    CoveredExamples, Evaluation, EvaluationResult, EvaluatorError, ExpressionEvaluator,
    ExpressionSize, POOL, text,
};
use crate::logic::kb::ResolvedProblem;
use crate::logic::{KnowledgeBase, Semantics, length, syntax};
use pellucid_device::Machine;
use pellucid_program::ProgramId;
use pellucid_relate::{LabeledIndividuals, Reasoner, check};
use std::sync::Arc;

/// How to evaluate expressions on an ontology.
#[derive(Clone, Debug, Default)]
pub struct OntologyQuestion {
    /// The positive and negative individuals to count, from [`KnowledgeBase::resolve`]. If none,
    /// all individuals.
    pub examples: Option<ResolvedProblem>,
    /// What `only` and `max` mean for individuals without fillers.
    pub semantics: Semantics,
    /// Whether to list the covered individuals.
    pub cover: bool,
}

/// The evaluator of class expressions.
pub(super) struct OntologyEvaluator {
    kb: KnowledgeBase,
    reasoner: Reasoner,
    semantics: Semantics,
    /// The class code of each count.
    classes: Vec<usize>,
    cover: bool,
}

impl OntologyEvaluator {
    /// Returns the evaluator and the names of the classes.
    pub(super) fn new(
        kb: KnowledgeBase,
        question: &OntologyQuestion,
        machine: &Machine,
    ) -> Result<(OntologyEvaluator, Vec<String>), EvaluatorError> {
        let mut reasoner = Reasoner::new(Arc::clone(&kb.world), machine)?;
        let (examples, names, classes) = match &question.examples {
            None => {
                let all: Vec<u32> = (0u32..).take(kb.world.len()).collect();
                let codes = vec![0; all.len()];
                (LabeledIndividuals::new(all, codes, 1)?, vec!["all"], vec![0])
            }
            Some(ResolvedProblem { positive, negative, .. }) => (
                LabeledIndividuals::binary(positive, negative),
                vec!["positive", "negative"],
                vec![1, 0],
            ),
        };
        reasoner.ask(examples);
        let (semantics, cover) = (question.semantics, question.cover);
        let evaluator = OntologyEvaluator { kb, reasoner, semantics, classes, cover };
        Ok((evaluator, names.into_iter().map(str::to_owned).collect()))
    }

    /// Parses a line to a program. Also returns the length of the expression.
    fn parse(&mut self, line: &Result<&str, String>) -> Result<(ProgramId, usize), String> {
        let expr =
            syntax::parse(text(line, "owl:Thing")?, &self.kb).map_err(|error| error.to_string())?;
        let standard = self.semantics.standard(&expr);
        let programs = self.reasoner.programs_mut();
        let program = programs.add(&standard).map_err(|error| error.to_string())?;
        Ok((program, length(&expr)))
    }
}

impl ExpressionEvaluator for OntologyEvaluator {
    fn answer(
        &mut self,
        lines: &[Result<&str, String>],
    ) -> Result<Vec<EvaluationResult>, EvaluatorError> {
        if self.reasoner.programs().len() > POOL {
            self.reasoner.forget_programs();
        }
        let mut parsed: Vec<Result<(ProgramId, usize), String>> =
            lines.iter().map(|line| self.parse(line)).collect();
        let programs: Vec<ProgramId> =
            parsed.iter().flatten().map(|(program, _)| *program).collect();
        let checks = check(self.reasoner.world(), self.reasoner.programs(), &programs);
        for (line, check) in parsed.iter_mut().filter(|line| line.is_ok()).zip(checks) {
            if let Err(error) = check {
                *line = Err(error.to_string());
            }
        }
        let roots: Vec<ProgramId> = parsed.iter().flatten().map(|(program, _)| *program).collect();
        let tallies = self.reasoner.tally(&roots)?;
        let covered = if self.cover { Some(self.reasoner.cover(&roots)?) } else { None };
        let display_name = |number: usize| {
            let number = u32::try_from(number).ok();
            number.map_or_else(String::new, |number| self.kb.show_individual(number).to_owned())
        };
        let mut index = 0;
        let answers = parsed.into_iter().map(|line| {
            let (_, length) = line?;
            let counts = tallies.of(index);
            let answer = Evaluation {
                counts: self.classes.iter().map(|&class| counts[class]).collect(),
                size: ExpressionSize::Length(length),
                covered: covered.as_ref().map(|all| {
                    CoveredExamples::Individuals(all.ones(index).map(display_name).collect())
                }),
            };
            index += 1;
            Ok(answer)
        });
        Ok(answers.collect())
    }
}
