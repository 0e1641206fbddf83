//! Class expressions over the individuals of an ontology.

use super::lines::Line;
use super::{Answer, Evaluator, POOL, separated, text, together};
use crate::args::EvaluateArgs;
use crate::logic::files::{load, task};
use anyhow::{Result, bail};
use pellucid::engine::world::{Examples, Reasoner, check};
use pellucid::engine::{Machine, ProgramId};
use pellucid::logic::{KnowledgeBase, Semantics, length, syntax};
use serde_json::Value;
use std::sync::Arc;

/// A knowledge base and the individuals that count.
pub(super) struct OntologyEvaluator {
    kb: KnowledgeBase,
    reasoner: Reasoner,
    semantics: Semantics,
    /// What the counts are of, in the order they are written: as JSON has it, and its number.
    classes: Vec<(&'static str, usize)>,
    cover: bool,
    together: usize,
}

impl OntologyEvaluator {
    pub(super) fn new(args: &EvaluateArgs, machine: &Machine) -> Result<OntologyEvaluator> {
        args.data.refuse_for_ontology()?;
        if args.hypothesis.is_some() {
            bail!(
                "--hypothesis counts rows or bags of a table; of an ontology individuals are counted"
            );
        }
        let kb = load(&args.data.path, &args.logic.kb, args.quiet)?;
        let mut reasoner = Reasoner::new(Arc::clone(&kb.world), machine)?;
        let everybody: Vec<u32> = (0u32..).take(kb.world.len()).collect();
        let (examples, classes) = match args.logic.problem.read()? {
            None => {
                let codes = vec![0; everybody.len()];
                (Examples::new(everybody, codes, 1)?, vec![("\"all\"", 0)])
            }
            Some(problem) => {
                let task = task(&kb, &problem, args.quiet)?;
                let examples = Examples::binary(&task.positive, &task.negative);
                (examples, vec![("\"positive\"", 1), ("\"negative\"", 0)])
            }
        };
        reasoner.ask(examples);
        let together = together(args.cover, kb.world.len());
        let semantics = args.logic.semantics();
        Ok(OntologyEvaluator { kb, reasoner, semantics, classes, cover: args.cover, together })
    }

    /// The program of a line, and how long its expression is.
    fn parse(&mut self, line: &Line) -> Result<(ProgramId, usize), String> {
        let expr =
            syntax::parse(text(line, "owl:Thing")?, &self.kb).map_err(|error| error.to_string())?;
        let standard = self.semantics.standard(&expr);
        let programs = self.reasoner.programs_mut();
        let program = programs.add(&standard).map_err(|error| error.to_string())?;
        Ok((program, length(&expr)))
    }
}

impl Evaluator for OntologyEvaluator {
    fn together(&self) -> usize {
        self.together
    }

    fn answer(&mut self, lines: &[Line]) -> Result<Vec<Answer>> {
        if self.reasoner.programs().len() > POOL {
            self.reasoner.forget_programs();
        }
        let mut parsed: Vec<Result<(ProgramId, usize), String>> =
            lines.iter().map(|line| self.parse(line)).collect();
        let asked: Vec<ProgramId> = parsed.iter().flatten().map(|(program, _)| *program).collect();
        let sound = check(self.reasoner.world(), self.reasoner.programs(), &asked);
        for (line, sound) in parsed.iter_mut().filter(|line| line.is_ok()).zip(sound) {
            if let Err(misuse) = sound {
                *line = Err(misuse.to_string());
            }
        }
        let roots: Vec<ProgramId> = parsed.iter().flatten().map(|(program, _)| *program).collect();
        let tallies = self.reasoner.tally(&roots)?;
        let covered = if self.cover { Some(self.reasoner.cover(&roots)?) } else { None };
        let mut index = 0;
        let answers = parsed.into_iter().map(|line| {
            let (_, length) = line?;
            let mut members = String::new();
            let counts = tallies.of(index);
            let counts =
                self.classes.iter().map(|(name, code)| format!("{name}:{}", counts[*code]));
            separated(&mut members, "\"counts\":{", counts, '}');
            members += &format!(",\"length\":{length}");
            if let Some(covered) = &covered {
                let names = covered.ones(index).map(|number| {
                    let shown = u32::try_from(number).map(|number| self.kb.show_individual(number));
                    Value::from(shown.unwrap_or_default())
                });
                separated(&mut members, ",\"individuals\":[", names, ']');
            }
            index += 1;
            Ok(members)
        });
        Ok(answers.collect())
    }
}
