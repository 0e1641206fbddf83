use crate::Destinations;
use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use pellucid::io::{LearningProblem, read_examples, read_problems};
use pellucid::logic::kb::{ExampleSource, LabelChoice};
use pellucid::logic::{Closure, Semantics};
use pellucid::problems::{ProblemChoiceError, choose};
use std::path::{Path, PathBuf};

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
    /// Another file of the ontology, read together with the first one; may be repeated
    ///
    /// Files that the ontology imports are found in the same folder, or by catalog-v001.xml.
    #[arg(long, value_name = "FILE", help_heading = "Ontologies")]
    pub import: Vec<PathBuf>,
    /// Show the labels of classes and properties in this language, or 'none' for short names
    ///
    /// [default: labels in place of short names that are codes, such as `HP_0001627`]
    #[arg(long, value_name = "LANG", help_heading = "Ontologies")]
    pub label_language: Option<String>,
}

impl KnowledgeBaseArgs {
    /// Returns whether any of these flags is given.
    pub fn is_given(&self) -> bool {
        self.no_domain_range
            || self.max_edges.is_some()
            || self.label_language.is_some()
            || !self.import.is_empty()
    }

    /// Returns the files of the ontology: those that are named first, and the imports.
    pub fn paths<'a>(&'a self, first: &[&'a Path]) -> Vec<&'a Path> {
        first.iter().copied().chain(self.import.iter().map(PathBuf::as_path)).collect()
    }

    /// Returns the labels to show.
    pub fn labels(&self) -> LabelChoice {
        match self.label_language.as_deref() {
            None => LabelChoice::Codes,
            Some("none") => LabelChoice::None,
            Some(language) => LabelChoice::Language(language.to_owned()),
        }
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
        conflicts_with_all = ["positive", "negative", "class"]
    )]
    pub problem: Option<PathBuf>,
    /// Name of the problem in the file
    #[arg(long, value_name = "NAME", help_heading = "Ontologies", requires = "problem")]
    pub name: Option<String>,
    /// File of positive individuals, one per line, by short name or IRI
    ///
    /// Without --negative, the other individuals of the same kind are the negative examples: those
    /// in the largest class without superclasses that contains all positive ones.
    #[arg(long, value_name = "FILE", help_heading = "Ontologies", conflicts_with = "class")]
    pub positive: Option<PathBuf>,
    /// File of negative individuals, one per line
    #[arg(long, value_name = "FILE", help_heading = "Ontologies", requires = "positive")]
    pub negative: Option<PathBuf>,
    /// Define a class: its instances are the positive examples
    ///
    /// The other instances of its smallest superclass are the negative examples. Expressions do not
    /// use the class, its equivalents and its subclasses.
    #[arg(long, value_name = "NAME", help_heading = "Ontologies")]
    pub class: Option<String>,
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
        self.problem.is_some() || self.positive.is_some() || self.class.is_some()
    }

    /// Reads the problem, if one is given.
    pub fn read(&self) -> Result<Option<ExampleSource>> {
        if let Some(class) = &self.class {
            return Ok(Some(ExampleSource::Class(class.clone())));
        }
        if let Some(positive) = &self.positive {
            let positive = read_examples(positive)?;
            let mut problem = LearningProblem { positive, ..LearningProblem::default() };
            return Ok(Some(match &self.negative {
                Some(negative) => {
                    problem.negative = read_examples(negative)?;
                    ExampleSource::Listed(problem)
                }
                None => ExampleSource::PositiveOnly(problem),
            }));
        }
        let Some(path) = &self.problem else { return Ok(None) };
        let chosen = choose(read_problems(path)?, self.name.as_deref());
        chosen.map(|problem| Some(ExampleSource::Listed(problem))).map_err(|error| {
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
    pub fn require(&self) -> Result<ExampleSource> {
        match self.read()? {
            Some(problem) => Ok(problem),
            None => bail!(
                "no examples given; use --problem FILE, --positive FILE with or without --negative \
                 FILE, or --class NAME"
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
