use crate::Destinations;
use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use pellucid::io::{LearningProblem, read_examples, read_problems};
use pellucid::logic::{Closure, Semantics};
use pellucid::problems::choose;
use std::path::PathBuf;

/// What follows from an ontology.
#[derive(Debug, Args)]
pub struct KnowledgeBaseArgs {
    /// Do not conclude from a property's domain and range which classes its individuals belong to
    #[arg(long, help_heading = "Ontologies")]
    pub no_domain_range: bool,
    /// Give up where the object properties together would have more edges than this once all their conclusions are drawn [default: 3000000, or four times as many as are asserted]
    #[arg(long, value_name = "N", help_heading = "Ontologies", hide_short_help = true)]
    pub max_edges: Option<usize>,
}

impl KnowledgeBaseArgs {
    /// Whether any of them was typed.
    pub fn is_typed(&self) -> bool {
        self.no_domain_range || self.max_edges.is_some()
    }

    /// Which conclusions are drawn.
    pub fn closure(&self) -> Closure {
        let usual = Closure::default();
        Closure { domains_and_ranges: !self.no_domain_range, edge_limit: self.max_edges, ..usual }
    }
}

/// Which individuals are to be told apart. The same flags everywhere.
#[derive(Debug, Args)]
pub struct ProblemArgs {
    /// The learning problem: a DL-Learner .conf, or .json with one problem or many
    #[arg(long, value_name = "FILE", help_heading = "Ontologies", conflicts_with_all = ["positive", "negative"])]
    pub problem: Option<PathBuf>,
    /// The name of the problem in the file
    #[arg(long, value_name = "NAME", help_heading = "Ontologies", requires = "problem")]
    pub name: Option<String>,
    /// The positive individuals, one per line, by short name or IRI
    #[arg(long, value_name = "FILE", help_heading = "Ontologies", requires = "negative")]
    pub positive: Option<PathBuf>,
    /// The negative individuals, one per line
    #[arg(long, value_name = "FILE", help_heading = "Ontologies", requires = "positive")]
    pub negative: Option<PathBuf>,
}

impl ProblemArgs {
    /// Adds the files that are read.
    pub fn files<'a>(&'a self, files: Destinations<'a>) -> Destinations<'a> {
        files
            .reads("the learning problem", self.problem.as_deref())
            .reads("the positive individuals", self.positive.as_deref())
            .reads("the negative individuals", self.negative.as_deref())
    }

    /// Whether any of them was typed.
    pub fn is_typed(&self) -> bool {
        self.problem.is_some() || self.positive.is_some()
    }

    /// The problem they name, if they name one.
    pub fn read(&self) -> Result<Option<LearningProblem>> {
        if let (Some(positive), Some(negative)) = (&self.positive, &self.negative) {
            let (positive, negative) = (read_examples(positive)?, read_examples(negative)?);
            return Ok(Some(LearningProblem { name: String::new(), positive, negative }));
        }
        let Some(path) = &self.problem else { return Ok(None) };
        let chosen = choose(read_problems(path)?, self.name.as_deref());
        chosen.map(Some).map_err(|error| {
            let told = error.to_string().replace("by its name", "with --name");
            anyhow!("{}: {told}", path.display())
        })
    }

    /// The problem; there must be one.
    pub fn require(&self) -> Result<LearningProblem> {
        match self.read()? {
            Some(problem) => Ok(problem),
            None => bail!(
                "the examples are missing; name them with --problem FILE, or with --positive FILE and --negative FILE"
            ),
        }
    }
}

/// What `only` and `max` mean where there are no fillers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SemanticsArg {
    /// As OWL has it: 'only' and 'max' hold where there are none
    Standard,
    /// As HT-HEDL evaluates: 'max' asks for at least one
    Hthedl,
    /// As DL-Learner evaluates: 'only' asks for at least one
    Someonly,
}

impl SemanticsArg {
    /// What is meant.
    pub fn semantics(self) -> Semantics {
        match self {
            SemanticsArg::Standard => Semantics::Standard,
            SemanticsArg::Hthedl => Semantics::HtHedl,
            SemanticsArg::Someonly => Semantics::SomeOnly,
        }
    }
}

/// What is asked of an ontology, where a table might be given too.
#[derive(Debug, Args)]
pub struct OntologyArgs {
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// What 'only' and 'max' mean where there are no fillers: 'standard', 'hthedl' or 'someonly' [default: standard]
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
    /// Whether any of them was typed: then the data is an ontology.
    pub fn is_typed(&self) -> bool {
        self.problem.is_typed() || self.semantics.is_some() || self.kb.is_typed()
    }

    /// What restrictions mean.
    pub fn semantics(&self) -> Semantics {
        self.semantics.map_or(Semantics::Standard, SemanticsArg::semantics)
    }
}
