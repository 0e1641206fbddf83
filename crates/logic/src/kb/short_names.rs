use super::Datatype;
use super::labels::{LabelChoice, shown};
use pellucid_data::{EntityLabel, Register};
use pellucid_program::{Expr, Role, Value};
use pellucid_relate::World;
use rustc_hash::FxHashMap;

/// Short names of IRIs, and lookup by name. Labels may be shown in place of short
/// names that are codes; both are found.
///
/// The short name is the part after the last `#` or `/`. If two entities of one kind would share
/// it, or if it is not a valid name, the IRI is shown in angle brackets. A valid name starts with a
/// letter or `_`, continues with letters, digits, `_`, `-` and `.`, and is not a keyword of
/// Manchester syntax. A blank node is shown by its label: `_:label`.
#[derive(Clone, Debug, Default)]
pub struct ShortNames {
    /// Short names of classes, by number.
    pub classes: Register,
    /// Short names of object properties, by number.
    pub roles: Register,
    /// Short names of data properties, by number.
    pub properties: Register,
    /// Short names of individuals, by number.
    pub individuals: Register,
    /// The datatype of each data property.
    pub datatypes: Vec<Datatype>,
    /// The datatypes of the values of each data property as the file has them, such as
    /// `xsd:decimal`, and `@en` for texts in a language; sorted.
    pub value_types: Vec<Vec<String>>,
    /// The short names of classes, object properties and data properties where labels are shown in
    /// their place.
    pub codes: [Register; 3],
    /// The labels of the file.
    pub labels: Vec<EntityLabel>,
    /// Other names of merged individuals: IRIs, and their short names if these are unambiguous.
    pub aliases: FxHashMap<String, u32>,
}

/// Well-known prefixes that need no declaration.
const PREFIXES: [(&str, &str); 10] = [
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("schema", "http://schema.org/"),
    ("dbo", "http://dbpedia.org/ontology/"),
];

/// Keywords of class expressions, in lower case.
const KEYWORDS: [&str; 17] = [
    "and", "or", "not", "some", "only", "value", "min", "max", "exactly", "self", "that",
    "inverse", "onlysome", "in", "contains", "true", "false",
];

impl ShortNames {
    /// Creates short names for everything in a world.
    pub(super) fn new(
        world: &World,
        datatypes: Vec<Datatype>,
        value_types: Vec<Vec<String>>,
        labels: Vec<EntityLabel>,
        mut aliases: FxHashMap<String, u32>,
    ) -> ShortNames {
        let individuals = shorten(world.individuals());
        let mut short: Vec<(String, u32)> =
            aliases.iter().map(|(iri, &number)| (local(iri).to_owned(), number)).collect();
        short.sort_unstable();
        for names in short.chunk_by(|a, b| a.0 == b.0) {
            let (name, number) = &names[0];
            let is_unambiguous = names.iter().all(|(_, other)| other == number);
            if is_unambiguous && is_name(name) && individuals.find(name).is_none() {
                aliases.entry(name.clone()).or_insert(*number);
            }
        }
        let codes = [world.class_names(), world.role_names(), world.property_names()].map(shorten);
        let [classes, roles, properties] = codes.clone();
        ShortNames {
            classes,
            roles,
            properties,
            individuals,
            datatypes,
            value_types,
            codes,
            labels,
            aliases,
        }
    }

    /// Shows labels in place of short names.
    pub(super) fn show_labels(&mut self, world: &World, chosen: &LabelChoice) {
        let [classes, roles, properties] = &self.codes;
        self.classes = shown(world.class_names(), classes, &self.labels, chosen);
        self.roles = shown(world.role_names(), roles, &self.labels, chosen);
        self.properties = shown(world.property_names(), properties, &self.labels, chosen);
    }
}

/// Returns the number of a short name, an IRI with or without brackets, or a name with a well-known
/// prefix.
pub(super) fn find(short: &Register, iris: &Register, name_or_iri: &str) -> Option<u32> {
    let name_or_iri = name_or_iri.trim();
    let bare =
        name_or_iri.strip_prefix('<').and_then(|iri| iri.strip_suffix('>')).unwrap_or(name_or_iri);
    short.find(name_or_iri).or_else(|| iris.find(bare)).or_else(|| {
        let (prefix, name) = bare.split_once(':')?;
        let (_, start) = PREFIXES.iter().find(|(known, _)| *known == prefix)?;
        iris.find(&format!("{start}{name}"))
    })
}

/// Returns the part of an IRI after the last `#` or `/`.
pub(crate) fn local(iri: &str) -> &str {
    iri.rsplit(['#', '/']).next().unwrap_or(iri)
}

/// Formats an expression for a note: with short names, in at most one line.
pub(super) fn abbreviated(expr: &Expr) -> String {
    const MAX_CHARS: usize = 80;
    let text = with_local_names(expr).to_string();
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
        None => text,
    }
}

fn with_local_names(expr: &Expr) -> Expr {
    let name = |iri: &String| local(iri).to_owned();
    let value = |value: &Value| match value {
        Value::Text(text) => Value::Text(name(text)),
        Value::Number(number) => Value::Number(*number),
    };
    let all = |operands: &[Expr]| operands.iter().map(with_local_names).collect();
    match expr {
        Expr::Constant(truth) => Expr::Constant(*truth),
        Expr::Is(class) => Expr::Is(name(class)),
        Expr::Compare(column, op, with) => Expr::Compare(name(column), *op, value(with)),
        Expr::Within(column, interval) => Expr::Within(name(column), *interval),
        Expr::OneOf(column, values) => {
            Expr::OneOf(name(column), values.iter().map(value).collect())
        }
        Expr::Contains(column, text) => Expr::Contains(name(column), text.clone()),
        Expr::Not(operand) => Expr::Not(Box::new(with_local_names(operand))),
        Expr::And(operands) => Expr::And(all(operands)),
        Expr::Or(operands) => Expr::Or(all(operands)),
        Expr::Related(quantifier, role, filler) => {
            let role = Role { name: name(&role.name), inverse: role.inverse };
            Expr::Related(*quantifier, role, Box::new(with_local_names(filler)))
        }
    }
}

/// Whether a text is a valid name in a class expression.
pub(crate) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters.next().is_some_and(|letter| letter.is_alphabetic() || letter == '_');
    let inner = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    let keyword = || KEYWORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    first && letters.all(inner) && !text.ends_with('.') && !keyword()
}

/// Creates a short name for each IRI.
fn shorten(iris: &Register) -> Register {
    // Usually all names differ, and one pass is enough.
    let mut short = Register::default();
    let is_unambiguous =
        (0..).zip(iris.iter()).all(|(number, iri)| add_short_name(&mut short, iri, true) == number);
    if is_unambiguous {
        return short;
    }
    let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
    iris.iter().for_each(|iri| *uses.entry(local(iri)).or_default() += 1);
    let mut short = Register::default();
    for iri in iris.iter() {
        add_short_name(&mut short, iri, uses[local(iri)] == 1);
    }
    debug_assert_eq!(short.len(), iris.len(), "as many short names as IRIs");
    short
}

/// Adds the local name of an IRI if it is unambiguous and valid, otherwise the IRI.
fn add_short_name(short: &mut Register, iri: &str, is_unambiguous: bool) -> u32 {
    let name = local(iri);
    if iri.starts_with("_:") {
        short.add(iri)
    } else if is_unambiguous && is_name(name) {
        short.add(name)
    } else {
        short.add(&format!("<{iri}>"))
    }
}
