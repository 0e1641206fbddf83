//! Every reader of the project, with valid sample files and checks of what it reads.

use crate::{bundled, examples, graphs, parquets, samples, spreadsheets, stored};
use pellucid::concepts::write::BinaryReader;
use pellucid::device::Machine;
use pellucid::io::{self, Choice, ContextOptions, Format, ReadOptions};
use pellucid::logic::Closure;
use pellucid::logic::kb::KnowledgeBase;
use pellucid::logic::syntax::{self, manchester};
use pellucid::program::{Expr, Programs, Schema};
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The result of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The file was read, and its content is consistent.
    Accepted,
    /// The file was rejected with an error.
    Rejected,
}

type Read = Box<dyn Fn(&[u8]) -> ReadOutcome>;

/// Corrects the checksum or container of a damaged file.
pub(crate) type Seal = fn(&[u8]) -> Vec<u8>;

/// A reader of untrusted files.
pub struct Reader {
    /// The name, which is also the name of its folder in the corpus.
    pub name: Cow<'static, str>,
    /// The number of cases it gets per round.
    pub turns: usize,
    /// Files that it accepts.
    pub samples: Vec<Vec<u8>>,
    /// Corrects the checksum of a damaged file, so that the reader does not reject it right away.
    pub seal: Option<Seal>,
    read: Read,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Reader {
    pub(crate) fn new(
        name: impl Into<Cow<'static, str>>,
        turns: usize,
        samples: Vec<Vec<u8>>,
        read: impl Fn(&[u8]) -> ReadOutcome + 'static,
    ) -> Reader {
        Reader { name: name.into(), turns, samples, seal: None, read: Box::new(read) }
    }

    pub(crate) fn sealed(mut self, seal: Seal) -> Reader {
        self.seal = Some(seal);
        self
    }

    /// Reads a file.
    ///
    /// # Panics
    /// When the reader panics, or accepts inconsistent content. The tests look for this.
    #[must_use]
    pub fn read(&self, bytes: &[u8]) -> ReadOutcome {
        (self.read)(bytes)
    }
}

/// All readers, with the folder for readers that need a file on disk.
#[derive(Debug)]
pub struct ReaderSet {
    /// The readers.
    pub all: Vec<Reader>,
    /// The index of the reader of each case in a round.
    turns: Vec<usize>,
    _folder: tempfile::TempDir,
}

impl Default for ReaderSet {
    fn default() -> ReaderSet {
        ReaderSet::new()
    }
}

impl ReaderSet {
    /// Creates all readers.
    ///
    /// # Panics
    /// When a sample file is missing or invalid.
    #[must_use]
    pub fn new() -> ReaderSet {
        // In memory if possible, because a million files are written here.
        let shared = Path::new("/dev/shm");
        let folder =
            if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() };
        let folder = folder.expect("a folder");
        let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
        let mut readers = tables(folder.path());
        readers.extend(spreadsheets::readers());
        readers.extend(contexts());
        readers.extend(graphs::readers());
        readers.extend(ontologies());
        readers.extend(problems());
        readers.extend(stored::models(&machine));
        readers.extend(stored::checkpoints(folder.path(), &machine));
        readers.push(stored::continued(&machine));
        readers.push(packed(&machine));
        readers.extend(expressions());
        let each = |(number, reader): (usize, &Reader)| std::iter::repeat_n(number, reader.turns);
        let turns = readers.iter().enumerate().flat_map(each).collect();
        ReaderSet { all: readers, turns, _folder: folder }
    }

    /// Returns the reader of a case.
    #[must_use]
    pub fn of_case(&self, case: u64) -> &Reader {
        let turn = usize::try_from(case % self.turns.len() as u64).unwrap_or(0);
        &self.all[self.turns[turn]]
    }

    /// Returns the reader with a name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Reader> {
        self.all.iter().find(|reader| reader.name == name)
    }
}

pub(crate) fn outcome_of<T, E: std::fmt::Display>(
    result: Result<T, E>,
    look: impl FnOnce(T),
) -> ReadOutcome {
    match result {
        Ok(found) => {
            look(found);
            ReadOutcome::Accepted
        }
        Err(error) => {
            let message = error.to_string();
            assert!(
                !message.is_empty() && message.len() < 20_000,
                "the error message has {} bytes",
                message.len()
            );
            ReadOutcome::Rejected
        }
    }
}

pub(crate) fn table(name: &'static str, options: ReadOptions) -> impl Fn(&[u8]) -> ReadOutcome {
    let options = options.threads(NonZeroUsize::MIN);
    move |bytes: &[u8]| {
        outcome_of(io::read_from(bytes, name, &options), |data| {
            data.check().expect("the data is consistent");
        })
    }
}

fn tables(folder: &Path) -> Vec<Reader> {
    let plain = ReadOptions::default;
    let csv = || {
        let mut all = samples::files(&["tests/data/tables/visits.csv", "examples/trains.csv"]);
        all.extend(samples::texts(&[
            "id;size;colour;y\na;1,5;red;0\na;-2e3;\"dark; \"\"blue\"\"\";0\nb;?;green;1\nc;.5;red;1\n",
            "'40-49','premeno','3',no\n'50-59',nan,'2',yes\n'40-49','lt40','1',no\n",
            "1 2 3 \n4  5 6 \n7 8 9 \n",
        ]));
        all
    };
    let arff = "% note\n@relation 'r s'\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute s string\n\
                @attribute class {0,1}\n@data\n1,x,'t\\'u',0,{2}\n?,'y z',\"v\",1\n{0 3,3 1}\n1 x s 0\n";
    let relational = "@relation r\n@attribute id {p,q}\n@attribute bag relational\n  @attribute f numeric\n\
                      @attribute g {u,v}\n@end bag\n@attribute class \
                      {0,1}\n@data\np,\"1,u\\n2,v\",1\nq,\"3,?\",0\n";
    let arffs =
        [samples::files(&["tests/data/tables/boxes.arff"]), samples::texts(&[arff, relational])];
    let parquet = file_reader(folder.join("t.parquet"), |path| {
        let options = ReadOptions::default().target(Choice::None).threads(NonZeroUsize::MIN);
        outcome_of(io::read(path, &options), |data| {
            data.check().expect("the data is consistent");
        })
    });
    vec![
        Reader::new("csv", 6, csv(), table("t.csv", plain())),
        Reader::new("csv-bags", 3, csv(), table("t.csv", plain().bag("1").dedupe_instances(true))),
        Reader::new(
            "gzip",
            2,
            csv().iter().map(|text| samples::gzip(text)).collect(),
            table("t.csv.gz", plain()),
        ),
        Reader::new("csv-in-gzip", 1, csv(), table("t.csv.gz", plain())).sealed(samples::gzip),
        Reader::new("arff", 5, arffs.concat(), table("t.arff", plain())),
        Reader::new(
            "keel",
            4,
            samples::files(&["tests/data/tables/boxes.dat"]),
            table("t.dat", plain()),
        ),
        Reader::new(
            "uci",
            2,
            samples::texts(&["MUSK-1,1_1,3,-4,1.\nMUSK-1,1_2,5,6,1.\nNON-2,2_1,7,8,0.\n"]),
            table("t.data", plain().format(Format::Uci)),
        ),
        Reader::new("parquet", 10, parquets::all(), parquet),
    ]
}

/// Returns a reader that needs a file on disk.
pub(crate) fn file_reader(
    path: PathBuf,
    read: impl Fn(&Path) -> ReadOutcome,
) -> impl Fn(&[u8]) -> ReadOutcome {
    move |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a folder that takes files");
        read(&path)
    }
}

fn contexts() -> Vec<Reader> {
    let form = |name: &'static str, file: &'static str, samples: Vec<Vec<u8>>| {
        let read = move |bytes: &[u8]| {
            let context = io::read_context_from(bytes, file, &ContextOptions::default());
            outcome_of(context, |context| {
                assert_eq!(context.objects.len(), context.relation.objects());
                assert_eq!(context.attributes.len(), context.relation.attributes());
            })
        };
        Reader::new(name, 3, samples, read)
    };
    vec![
        form("cxt", "c.cxt", samples::files(&["tests/data/contexts/tools.cxt"])),
        form("fimi", "c.dat", samples::files(&["tests/data/contexts/baskets.dat"])),
        form(
            "crosses",
            "c.csv",
            samples::texts(&[
                "animal,flies,milk\nowl,X,.\nbat,X,X\n",
                "animal, flies, milk\nowl, 1, 0\n\nbat, 1, Yes\n",
            ]),
        ),
        form("pairs", "c.pairs", samples::files(&["tests/data/contexts/editor.pairs"])),
    ]
}

fn ontologies() -> Vec<Reader> {
    let turtle = "@prefix : <http://e/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: \
        <http://www.w3.org/2001/XMLSchema#> .\n\
        :r a owl:ObjectProperty, owl:TransitiveProperty ; rdfs:domain :A ; owl:inverseOf :s . :q a \
        owl:DatatypeProperty .\n\
        :A owl:equivalentClass [ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom [ owl:unionOf \
        ( :B [ owl:complementOf :C ] ) ] ] .\n\
        :D rdfs:subClassOf [ owl:onProperty :r ; owl:minQualifiedCardinality \
        \"2\"^^xsd:nonNegativeInteger ; owl:onClass :B ] .\n\
        :t owl:propertyChainAxiom ( :r :s ) . :a a :B ; :r :b, :c ; :q 1.5, \"x\\ny\", \
        \"2020-01-31\"^^xsd:date, true .\n\
        :b :r :c ; owl:sameAs :e . :c a :C ; :s :a . [ :r _:x ] :r :a .\n";
    let triples = "<http://e/#a> <http://e/#r> <http://e/#b> .\n<http://e/#a> \
        <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/#A> .\n\
        _:x <http://e/#q> \"1\\u0041\"^^<http://www.w3.org/2001/XMLSchema#string> .\n<http://e/#b> \
        <http://e/#n> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n";
    let form = |name: &'static str, file: &'static str, turns, samples| {
        let read = move |bytes: &[u8]| {
            let ontology = io::read_ontology_from(bytes, file);
            outcome_of(ontology, |ontology| {
                // A low limit on edges is enough to find excessive growth.
                let closure = Closure { edge_limit: Some(200_000), ..Closure::default() };
                if let Ok(kb) = KnowledgeBase::new(ontology, &closure) {
                    drop(kb.summary().to_string());
                }
            })
        };
        Reader::new(name, turns, samples, read)
    };
    let turtles = [samples::texts(&[turtle]), samples::files(&["examples/family.ttl"])].concat();
    vec![
        form("turtle", "o.ttl", 4, turtles.clone()),
        form("rdf-xml", "o.owl", 3, samples::files(&["tests/data/ontologies/kin.owl"])),
        form("n-triples", "o.nt", 3, samples::texts(&[triples])),
        form("n-quads", "o.nq", 1, samples::texts(&[triples])),
        form("trig", "o.trig", 1, samples::texts(&[turtle])),
        form("functional", "o.ofn", 2, samples::files(&["tests/data/ontologies/family.ofn"])),
        form("owl-xml", "o.owx", 2, samples::files(&["tests/data/ontologies/family.owx"])),
        form("manchester-file", "o.omn", 2, samples::files(&["tests/data/ontologies/family.omn"])),
        form("obo", "o.obo", 2, samples::files(&["tests/data/ontologies/anatomy.obo"])),
        form("json-ld", "o.jsonld", 2, samples::files(&["tests/data/ontologies/family.jsonld"])),
    ]
}

fn problems() -> Vec<Reader> {
    let form = |name: &'static str, file: &'static str, sample: &str| {
        let read = move |bytes: &[u8]| outcome_of(io::read_problems_from(bytes, file), drop);
        Reader::new(name, 2, samples::files(&[sample]), read)
    };
    vec![
        form("problem-json", "p.json", "examples/uncle.json"),
        form("problem-conf", "p.conf", "tests/data/ontologies/uncle.conf"),
        Reader::new(
            "problem-list",
            1,
            samples::files(&["tests/data/ontologies/cousin.pos.txt"]),
            |bytes| outcome_of(io::read_examples_from(bytes, "p.txt"), drop),
        ),
    ]
}

fn packed(machine: &Machine) -> Reader {
    let text = bundled::file("tests/data/contexts/tools.cxt");
    let context = io::read_context_from(text, "tools.cxt", &ContextOptions::default());
    let context = context.expect("the tools");
    let samples = [false, true].map(|extents| samples::packed(&context, machine, extents)).to_vec();
    Reader::new("packed-concepts", 4, samples, |bytes| {
        let mut reader = match BinaryReader::new(bytes) {
            Err(error) => return outcome_of(Err::<(), _>(error), drop),
            Ok(reader) => reader,
        };
        loop {
            match reader.next() {
                Ok(Some(_)) => {}
                Ok(None) => return ReadOutcome::Accepted,
                Err(error) => return outcome_of(Err::<(), _>(error), drop),
            }
        }
    })
}

fn expressions() -> Vec<Reader> {
    let formulas = samples::texts(&[
        "age > 40.5 and not (colour in {red, 'dark ''blue'''} or \"MDVP:Fo(Hz)\" in [1, 2.5))",
        "min 3 row (x > 1 and only inverse r (y or z contains 'a')) or mean(x) <= -1e5 or true",
    ]);
    let classes = samples::texts(&[
        "Male and hasSibling some (Parent or not (hasChild only {ada, 'david'})) and born some \
         xsd:integer[>= 1960, < 2000]",
        "∃hasSibling.(Parent ⊔ ¬Female) ⊓ ≥2 hasChild.⊤ ⊓ ∀ hasChild⁻.Male ⊓ ∃ born.≥ 1960",
        "inverse hasChild min 2 (Male and born value 1960)",
    ]);
    let kb = examples::family();
    vec![
        Reader::new("formula", 4, formulas, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            outcome_of(text.parse::<Expr>(), |expr| {
                let again: Expr =
                    expr.to_string().parse().expect("the printed formula can be parsed");
                assert_eq!(again.to_string(), expr.to_string());
                let mut programs =
                    Programs::new(Schema::new([("age", pellucid::program::Kind::Numeric)]));
                drop(programs.add(&expr));
            })
        }),
        Reader::new("class-expression", 4, classes, move |bytes| {
            let text = String::from_utf8_lossy(bytes);
            outcome_of(syntax::parse(&text, &kb), |expr| {
                let printed = manchester::print(&expr, &kb);
                let again =
                    syntax::parse(&printed, &kb).expect("the printed expression can be parsed");
                assert_eq!(manchester::print(&again, &kb), printed);
            })
        }),
    ]
}
