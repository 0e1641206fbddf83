//! Every reader of the project, each with sound files and what is done with what it reads.

use crate::{bundled, examples, parquets, sound, stored};
use pellucid::concepts::write::BinaryReader;
use pellucid::device::Machine;
use pellucid::io::{self, Choice, ContextOptions, Format, ReadOptions};
use pellucid::logic::Closure;
use pellucid::logic::kb::KnowledgeBase;
use pellucid::logic::syntax::{self, manchester};
use pellucid::program::{Expr, Programs, Schema};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was read, and what it says fits together.
    Accepted,
    /// It was refused with a sentence.
    Refused,
}

type Read = Box<dyn Fn(&[u8]) -> Outcome>;

/// Makes a damaged file whole again outside.
pub(crate) type Seal = fn(&[u8]) -> Vec<u8>;

/// Something that reads files of strangers.
pub struct Reader {
    /// What it is called; its folder in the corpus is, too.
    pub name: &'static str,
    /// How many turns it gets.
    pub turns: usize,
    /// Files that it accepts.
    pub samples: Vec<Vec<u8>>,
    /// What lets damage get further, where a file is checked outside first.
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
        name: &'static str,
        turns: usize,
        samples: Vec<Vec<u8>>,
        read: impl Fn(&[u8]) -> Outcome + 'static,
    ) -> Reader {
        Reader { name, turns, samples, seal: None, read: Box::new(read) }
    }

    pub(crate) fn sealed(mut self, seal: Seal) -> Reader {
        self.seal = Some(seal);
        self
    }

    /// Reads a file.
    ///
    /// # Panics
    /// When a reader does, or what it accepts does not fit together: that is what is looked for.
    #[must_use]
    pub fn read(&self, bytes: &[u8]) -> Outcome {
        (self.read)(bytes)
    }
}

/// All readers, with the folder that those of whole files write to.
#[derive(Debug)]
pub struct Bench {
    /// The readers.
    pub readers: Vec<Reader>,
    /// Whose turn it is, again and again.
    turns: Vec<usize>,
    _folder: tempfile::TempDir,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench::new()
    }
}

impl Bench {
    /// Sets everything up.
    ///
    /// # Panics
    /// When a file of the project is missing.
    #[must_use]
    pub fn new() -> Bench {
        // In memory where that is possible: a million files are written here.
        let shared = Path::new("/dev/shm");
        let folder =
            if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() };
        let folder = folder.expect("a folder");
        let machine = Machine::processor(NonZeroUsize::new(1)).expect("a processor");
        let mut readers = tables(folder.path());
        readers.extend(contexts());
        readers.extend(ontologies());
        readers.extend(problems());
        readers.extend(stored::models(&machine));
        readers.extend(stored::checkpoints(folder.path(), &machine));
        readers.push(stored::continued(&machine));
        readers.push(packed(&machine));
        readers.extend(expressions());
        let each = |(number, reader): (usize, &Reader)| std::iter::repeat_n(number, reader.turns);
        let turns = readers.iter().enumerate().flat_map(each).collect();
        Bench { readers, turns, _folder: folder }
    }

    /// The reader whose turn a case is.
    #[must_use]
    pub fn of_case(&self, case: u64) -> &Reader {
        let turn = usize::try_from(case % self.turns.len() as u64).unwrap_or(0);
        &self.readers[self.turns[turn]]
    }

    /// The reader of a name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Reader> {
        self.readers.iter().find(|reader| reader.name == name)
    }
}

pub(crate) fn answered<T, E: std::fmt::Display>(
    result: Result<T, E>,
    look: impl FnOnce(T),
) -> Outcome {
    match result {
        Ok(found) => {
            look(found);
            Outcome::Accepted
        }
        Err(error) => {
            let said = error.to_string();
            assert!(
                !said.is_empty() && said.len() < 20_000,
                "a sentence of {} letters",
                said.len()
            );
            Outcome::Refused
        }
    }
}

fn table(name: &'static str, options: ReadOptions) -> impl Fn(&[u8]) -> Outcome {
    let options = options.threads(NonZeroUsize::MIN);
    move |bytes: &[u8]| {
        answered(io::read_from(bytes, name, &options), |data| {
            data.check().expect("what is read fits together");
        })
    }
}

fn tables(folder: &Path) -> Vec<Reader> {
    let plain = ReadOptions::default;
    let csv = || {
        let mut all = sound::files(&["tests/data/tables/visits.csv", "examples/trains.csv"]);
        all.extend(sound::texts(&[
            "id;size;colour;y\na;1,5;red;0\na;-2e3;\"dark; \"\"blue\"\"\";0\nb;?;green;1\nc;.5;red;1\n",
            "'40-49','premeno','3',no\n'50-59',nan,'2',yes\n'40-49','lt40','1',no\n",
            "1 2 3 \n4  5 6 \n7 8 9 \n",
        ]));
        all
    };
    let arff = "% note\n@relation 'r s'\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute s string\n\
                @attribute class {0,1}\n@data\n1,x,'t\\'u',0,{2}\n?,'y z',\"v\",1\n{0 3,3 1}\n1 x s 0\n";
    let relational = "@relation r\n@attribute id {p,q}\n@attribute bag relational\n  @attribute f numeric\n\
                      @attribute g {u,v}\n@end bag\n@attribute class {0,1}\n@data\np,\"1,u\\n2,v\",1\nq,\"3,?\",0\n";
    let arffs =
        [sound::files(&["tests/data/tables/boxes.arff"]), sound::texts(&[arff, relational])];
    let parquet = file_reader(folder.join("t.parquet"), |path| {
        let options = ReadOptions::default().target(Choice::None).threads(NonZeroUsize::MIN);
        answered(io::read(path, &options), |data| {
            data.check().expect("what is read fits together");
        })
    });
    vec![
        Reader::new("csv", 6, csv(), table("t.csv", plain())),
        Reader::new("csv-bags", 3, csv(), table("t.csv", plain().bag("1").dedupe_instances(true))),
        Reader::new(
            "gzip",
            2,
            csv().iter().map(|text| sound::gzip(text)).collect(),
            table("t.csv.gz", plain()),
        ),
        Reader::new("csv-in-gzip", 1, csv(), table("t.csv.gz", plain())).sealed(sound::gzip),
        Reader::new("arff", 5, arffs.concat(), table("t.arff", plain())),
        Reader::new(
            "keel",
            4,
            sound::files(&["tests/data/tables/boxes.dat"]),
            table("t.dat", plain()),
        ),
        Reader::new(
            "uci",
            2,
            sound::texts(&["MUSK-1,1_1,3,-4,1.\nMUSK-1,1_2,5,6,1.\nNON-2,2_1,7,8,0.\n"]),
            table("t.data", plain().format(Format::Uci)),
        ),
        Reader::new("parquet", 10, parquets::all(), parquet),
    ]
}

/// A reader of whole files.
pub(crate) fn file_reader(
    path: PathBuf,
    read: impl Fn(&Path) -> Outcome,
) -> impl Fn(&[u8]) -> Outcome {
    move |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a folder that takes files");
        read(&path)
    }
}

fn contexts() -> Vec<Reader> {
    let form = |name: &'static str, file: &'static str, samples: Vec<Vec<u8>>| {
        let read = move |bytes: &[u8]| {
            let context = io::read_context_from(bytes, file, &ContextOptions::default());
            answered(context, |context| {
                assert_eq!(context.objects.len(), context.relation.objects());
                assert_eq!(context.attributes.len(), context.relation.attributes());
            })
        };
        Reader::new(name, 3, samples, read)
    };
    vec![
        form("cxt", "c.cxt", sound::files(&["tests/data/contexts/tools.cxt"])),
        form("fimi", "c.dat", sound::files(&["tests/data/contexts/baskets.dat"])),
        form(
            "crosses",
            "c.csv",
            sound::texts(&[
                "animal,flies,milk\nowl,X,.\nbat,X,X\n",
                "animal, flies, milk\nowl, 1, 0\n\nbat, 1, Yes\n",
            ]),
        ),
        form("pairs", "c.pairs", sound::files(&["tests/data/contexts/editor.pairs"])),
    ]
}

fn ontologies() -> Vec<Reader> {
    let turtle = "@prefix : <http://e/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n\
        :r a owl:ObjectProperty, owl:TransitiveProperty ; rdfs:domain :A ; owl:inverseOf :s . :q a owl:DatatypeProperty .\n\
        :A owl:equivalentClass [ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom [ owl:unionOf ( :B [ owl:complementOf :C ] ) ] ] .\n\
        :D rdfs:subClassOf [ owl:onProperty :r ; owl:minQualifiedCardinality \"2\"^^xsd:nonNegativeInteger ; owl:onClass :B ] .\n\
        :t owl:propertyChainAxiom ( :r :s ) . :a a :B ; :r :b, :c ; :q 1.5, \"x\\ny\", \"2020-01-31\"^^xsd:date, true .\n\
        :b :r :c ; owl:sameAs :e . :c a :C ; :s :a . [ :r _:x ] :r :a .\n";
    let triples = "<http://e/#a> <http://e/#r> <http://e/#b> .\n<http://e/#a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/#A> .\n\
        _:x <http://e/#q> \"1\\u0041\"^^<http://www.w3.org/2001/XMLSchema#string> .\n<http://e/#b> <http://e/#n> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n";
    let form = |name: &'static str, file: &'static str, turns, samples| {
        let read = move |bytes: &[u8]| {
            let ontology = io::read_ontology_from(bytes, file);
            answered(ontology, |ontology| {
                // Few edges are enough to see what grows.
                let closure = Closure { edge_limit: Some(200_000), ..Closure::default() };
                if let Ok(kb) = KnowledgeBase::new(ontology, &closure) {
                    drop(kb.summary().to_string());
                }
            })
        };
        Reader::new(name, turns, samples, read)
    };
    let turtles = [sound::texts(&[turtle]), sound::files(&["examples/family.ttl"])].concat();
    vec![
        form("turtle", "o.ttl", 4, turtles.clone()),
        form("rdf-xml", "o.owl", 3, sound::files(&["tests/data/ontologies/kin.owl"])),
        form("n-triples", "o.nt", 3, sound::texts(&[triples])),
        form("n-quads", "o.nq", 1, sound::texts(&[triples])),
        form("trig", "o.trig", 1, sound::texts(&[turtle])),
    ]
}

fn problems() -> Vec<Reader> {
    let form = |name: &'static str, file: &'static str, sample: &str| {
        let read = move |bytes: &[u8]| answered(io::read_problems_from(bytes, file), drop);
        Reader::new(name, 2, sound::files(&[sample]), read)
    };
    vec![
        form("problem-json", "p.json", "examples/uncle.json"),
        form("problem-conf", "p.conf", "tests/data/ontologies/uncle.conf"),
        Reader::new(
            "problem-list",
            1,
            sound::files(&["tests/data/ontologies/cousin.pos.txt"]),
            |bytes| answered(io::read_examples_from(bytes, "p.txt"), drop),
        ),
    ]
}

fn packed(machine: &Machine) -> Reader {
    let text = bundled::file("tests/data/contexts/tools.cxt");
    let context = io::read_context_from(text, "tools.cxt", &ContextOptions::default());
    let context = context.expect("the tools");
    let samples = [false, true].map(|extents| sound::packed(&context, machine, extents)).to_vec();
    Reader::new("packed-concepts", 4, samples, |bytes| {
        let mut reader = match BinaryReader::new(bytes) {
            Err(error) => return answered(Err::<(), _>(error), drop),
            Ok(reader) => reader,
        };
        loop {
            match reader.next() {
                Ok(Some(_)) => {}
                Ok(None) => return Outcome::Accepted,
                Err(error) => return answered(Err::<(), _>(error), drop),
            }
        }
    })
}

fn expressions() -> Vec<Reader> {
    let formulas = sound::texts(&[
        "age > 40.5 and not (colour in {red, 'dark ''blue'''} or \"MDVP:Fo(Hz)\" in [1, 2.5))",
        "min 3 row (x > 1 and only inverse r (y or z contains 'a')) or mean(x) <= -1e5 or true",
    ]);
    let classes = sound::texts(&[
        "Male and hasSibling some (Parent or not (hasChild only {ada, 'david'})) and born some xsd:integer[>= 1960, < 2000]",
        "∃hasSibling.(Parent ⊔ ¬Female) ⊓ ≥2 hasChild.⊤ ⊓ ∀ hasChild⁻.Male ⊓ ∃ born.≥ 1960",
        "inverse hasChild min 2 (Male and born value 1960)",
    ]);
    let kb = examples::family();
    vec![
        Reader::new("formula", 4, formulas, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            answered(text.parse::<Expr>(), |expr| {
                let again: Expr = expr.to_string().parse().expect("what is printed reads back");
                assert_eq!(again.to_string(), expr.to_string());
                let mut programs =
                    Programs::new(Schema::new([("age", pellucid::program::Kind::Numeric)]));
                drop(programs.add(&expr));
            })
        }),
        Reader::new("class-expression", 4, classes, move |bytes| {
            let text = String::from_utf8_lossy(bytes);
            answered(syntax::parse(&text, &kb), |expr| {
                let printed = manchester::print(&expr, &kb);
                let again = syntax::parse(&printed, &kb).expect("what is printed reads back");
                assert_eq!(manchester::print(&again, &kb), printed);
            })
        }),
    ]
}
