use crate::Destinations;
use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use pellucid::io::{LearningProblem, read_examples, read_problems};
use pellucid::logic::{Closure, Semantics};
use pellucid::problems::{ProblemChoiceError, choose};
use std::path::PathBuf;

/// The inference on an ontology.
#[derive(Debug, Args)]
pub struct KnowledgeBaseArgs {
    /// Do not infer classes of individuals from the domain and range of properties
    #[arg(long, help_heading = "Ontologies")]
    pub no_domain_range: bool,
    /// Maximum number of edges of all object properties after inference
    ///
    /// [default: 3000000, or four times the asserted edges]
    #[arg(long, value_name = "N", help_heading = "Ontologies", hide_short_help = true)]
    pub max_edges: Option<usize>,
}

impl KnowledgeBaseArgs {
    /// Returns whether any of these flags is given.
    pub fn is_given(&self) -> bool {
        self.no_domain_range || self.max_edges.is_some()
    }

    /// Returns the inferences to make.
    pub fn closure(&self) -> Closure {
        let (domains_and_ranges, edge_limit) = (!self.no_domain_range, self.max_edges);
        Closure { domains_and_ranges, edge_limit, ..Closure::default() }
    }
}

/// The learning problem. All commands on ontologies share these flags.
#[derive(Debug, Args)]
pub struct ProblemArgs {
    /// Learning problem: a DL-Learner .conf file, or .json with one or more problems
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Ontologies",
        conflicts_with_all = ["positive", "negative"]
    )]
    pub problem: Option<PathBuf>,
    /// Name of the problem in the file
    #[arg(long, value_name = "NAME", help_heading = "Ontologies", requires = "problem")]
    pub name: Option<String>,
    /// File of positive individuals, one per line, by short name or IRI
    #[arg(long, value_name = "FILE", help_heading = "Ontologies", requires = "negative")]
    pub positive: Option<PathBuf>,
    /// File of negative individuals, one per line
    #[arg(long, value_name = "FILE", help_heading = "Ontologies", requires = "positive")]
    pub negative: Option<PathBuf>,
}

impl ProblemArgs {
    /// Adds the files that the command reads.
    pub fn files<'a>(&'a self, files: Destinations<'a>) -> Destinations<'a> {
        files
            .reads("the learning problem", self.problem.as_deref())
            .reads("the positive individuals", self.positive.as_deref())
            .reads("the negative individuals", self.negative.as_deref())
    }

    /// Returns whether any of these flags is given.
    pub fn is_given(&self) -> bool {
        self.problem.is_some() || self.positive.is_some()
    }

    /// Reads the problem, if one is given.
    pub fn read(&self) -> Result<Option<LearningProblem>> {
        if let (Some(positive), Some(negative)) = (&self.positive, &self.negative) {
            let (positive, negative) = (read_examples(positive)?, read_examples(negative)?);
            return Ok(Some(LearningProblem { name: String::new(), positive, negative }));
        }
        let Some(path) = &self.problem else { return Ok(None) };
        let chosen = choose(read_problems(path)?, self.name.as_deref());
        chosen.map(Some).map_err(|error| {
            let file = path.display();
            match error {
                ProblemChoiceError::Several { count, known } => {
                    anyhow!("{file}: contains {count} problems; select one with --name: {known}")
                }
                ProblemChoiceError::Unknown { .. } => anyhow!("{file}: {error}"),
            }
        })
    }

    /// Reads the problem; it is an error if none is given.
    pub fn require(&self) -> Result<LearningProblem> {
        match self.read()? {
            Some(problem) => Ok(problem),
            None => bail!(
                "no examples given; use --problem FILE, or --positive FILE and --negative FILE"
            ),
        }
    }
}

/// The meaning of `only` and `max` for individuals without fillers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SemanticsArg {
    /// As in OWL: 'only' and 'max' are true without fillers
    Standard,
    /// As in HT-HEDL: 'max' requires at least one filler
    Hthedl,
    /// As in DL-Learner: 'only' requires at least one filler
    Someonly,
}

impl SemanticsArg {
    /// Returns the semantics.
    pub fn semantics(self) -> Semantics {
        match self {
            SemanticsArg::Standard => Semantics::Standard,
            SemanticsArg::Hthedl => Semantics::HtHedl,
            SemanticsArg::Someonly => Semantics::SomeOnly,
        }
    }
}

/// The flags for ontologies in commands that also accept tables.
#[derive(Debug, Args)]
pub struct OntologyArgs {
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Meaning of 'only' and 'max' without fillers: standard, hthedl or someonly [default: standard]
    ///
    /// 'standard': both are true, as in OWL. 'hthedl': 'max' requires at least one filler.
    /// 'someonly': 'only' requires at least one filler, as in DL-Learner.
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "HOW",
        help_heading = "Ontologies"
    )]
    pub semantics: Option<SemanticsArg>,
    #[command(flatten)]
    pub kb: KnowledgeBaseArgs,
}

impl OntologyArgs {
    /// Returns whether any of these flags is given; the data is then an ontology.
    pub fn is_given(&self) -> bool {
        self.problem.is_given() || self.semantics.is_some() || self.kb.is_given()
    }

    /// Returns the semantics of restrictions.
    pub fn semantics(&self) -> Semantics {
        self.semantics.map_or(Semantics::Standard, SemanticsArg::semantics)
    }
}
