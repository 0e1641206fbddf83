//! The grammar of bred rules: the attributes, the operators and the size.
//!
//! The grammar is right-recursive, as in the paper:
//!
//! ```text
//! antecedent  -> conjunction | OR conjunction antecedent
//! conjunction -> comparison  | AND comparison conjunction
//! comparison  -> operator pair
//! operator    -> > | <=          (numbers)      = | !=   (categories)
//! pair        -> one for each attribute, with a value of that attribute
//! ```
//!
//! The **size** of a rule is the number of its non-terminals: four for each comparison (its place in
//! the conjunction, the comparison, the operator and the pair) and one for each conjunction.

use pellucid_cover::{Literal, Table};
use pellucid_learn::params::ParamError;
use pellucid_learn::rng::Stream;
use pellucid_learn::suggest::{listed, nearest};
use pellucid_program::{Domain, Op};
use serde::{Deserialize, Serialize};

/// The size of a comparison.
pub const COMPARISON_SIZE: usize = 4;
/// The size of the smallest rule: one conjunction of one comparison.
pub const LEAST_SIZE: usize = 1 + COMPARISON_SIZE;

/// The rules that may be bred, as restricted by the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Grammar {
    /// The attributes that may be used; all if the list is empty.
    pub attributes: Vec<String>,
    /// The attributes that must not be used.
    pub forbidden: Vec<String>,
    /// The operators that may be used: `>`, `<=`, `=` and `!=`.
    pub operators: Vec<String>,
    /// The largest size of a rule.
    pub max_size: usize,
}

impl Default for Grammar {
    /// Returns a grammar with all attributes, all operators, and the paper's limit of 50.
    fn default() -> Grammar {
        Grammar {
            attributes: Vec::new(),
            forbidden: Vec::new(),
            operators: OPERATORS.iter().map(|op| op.symbol().to_owned()).collect(),
            max_size: 50,
        }
    }
}

impl Grammar {
    /// Returns whether rules may use an attribute.
    #[must_use]
    pub fn has_attribute(&self, name: &str) -> bool {
        let is_listed = |names: &[String]| names.iter().any(|attribute| attribute == name);
        (self.attributes.is_empty() || is_listed(&self.attributes)) && !is_listed(&self.forbidden)
    }

    /// Returns whether rules may use an operator.
    #[must_use]
    pub fn has_operator(&self, op: Op) -> bool {
        self.operators.iter().any(|operator| operator == op.symbol())
    }
}

/// The accepted values of [`Grammar::operators`].
const OPERATORS: [Op; 4] = [Op::Greater, Op::LessEqual, Op::Equal, Op::NotEqual];

/// Checks that there are operators, and that all of them are known.
pub(crate) fn check_operators(name: &'static str, operators: &[String]) -> Result<(), ParamError> {
    let known = OPERATORS.map(Op::symbol);
    if let Some(other) = operators.iter().find(|operator| !known.contains(&operator.as_str())) {
        return Err(ParamError::new(name, format_args!("'{other}'"), known.join(", ")));
    }
    if operators.is_empty() {
        return Err(ParamError::new(name, "none", "one or more of >, <=, =, !="));
    }
    Ok(())
}

/// A grammar on a table: all possible comparisons.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    attributes: Vec<Attribute>,
    max_size: usize,
}

/// An attribute that comparisons may use.
#[derive(Clone, Debug)]
struct Attribute {
    column: u32,
    kind: AttributeKind,
    /// Whether the plain comparison is allowed, and whether its opposite is.
    operators: (bool, bool),
}

#[derive(Clone, Debug)]
enum AttributeKind {
    /// The distinct values.
    Numeric(Vec<f64>),
    /// The codes of the categories that occur.
    Nominal(Vec<u32>),
    Boolean,
}

impl Vocabulary {
    /// Creates the vocabulary of a grammar on a table. Constant columns are left out, because no
    /// comparison separates their rows.
    ///
    /// # Errors
    /// If an attribute does not exist, or nothing is left to compare.
    pub fn new(grammar: &Grammar, table: &Table) -> Result<Vocabulary, ParamError> {
        let names = || table.columns().iter().map(|column| column.name());
        let named = grammar.attributes.iter().map(|name| ("attributes", name));
        let forbidden = grammar.forbidden.iter().map(|name| ("forbid", name));
        for (field, wanted) in named.chain(forbidden) {
            if !names().any(|name| name == wanted) {
                let hint = nearest(wanted, names()).map(|near| format!("; did you mean '{near}'?"));
                let allowed = format!("{}{}", listed(names(), 8), hint.unwrap_or_default());
                return Err(ParamError::new(field, format_args!("'{wanted}'"), allowed));
            }
        }
        let has = |op| grammar.has_operator(op);
        let by_order = (has(Op::Greater), has(Op::LessEqual));
        let by_name = (has(Op::Equal), has(Op::NotEqual));
        let mut attributes = Vec::new();
        for (column, stored) in (0u32..).zip(table.columns()) {
            if !grammar.has_attribute(stored.name()) {
                continue;
            }
            let (kind, operators) = match stored.domain() {
                Domain::Numeric(values) if values.len() < 2 => continue,
                Domain::Numeric(values) => (AttributeKind::Numeric(values.clone()), by_order),
                Domain::Nominal(categories) => {
                    let mut occurs = vec![false; categories.len()];
                    (0..table.rows())
                        .filter_map(|row| table.rank(row, column as usize))
                        .for_each(|rank| occurs[rank as usize] = true);
                    let codes: Vec<u32> = (0u32..)
                        .zip(&occurs)
                        .filter(|(_, occurs)| **occurs)
                        .map(|(code, _)| code)
                        .collect();
                    if codes.len() < 2 {
                        continue;
                    }
                    (AttributeKind::Nominal(codes), by_name)
                }
                Domain::Boolean => {
                    // A missing value is not true, like a false one.
                    let is_true = |row: usize| table.rank(row, column as usize) == Some(1);
                    let truths = (0..table.rows()).filter(|&row| is_true(row)).count();
                    if truths == 0 || truths == table.rows() {
                        continue;
                    }
                    (AttributeKind::Boolean, by_name)
                }
            };
            if operators != (false, false) {
                attributes.push(Attribute { column, kind, operators });
            }
        }
        if attributes.is_empty() {
            let (found, expected) =
                ("no column with two or more values that the operators fit", "at least one");
            return Err(ParamError::new("attributes", found, expected));
        }
        Ok(Vocabulary { attributes, max_size: grammar.max_size })
    }

    /// Returns the largest size of a rule.
    #[must_use]
    pub fn max_size(&self) -> usize {
        self.max_size
    }

    /// Returns the number of attributes.
    #[must_use]
    pub fn attributes(&self) -> usize {
        self.attributes.len()
    }

    /// Draws a comparison: an attribute, an operator and a value, each uniformly.
    #[must_use]
    pub fn comparison(&self, stream: &mut Stream) -> Literal {
        let attribute = &self.attributes[stream.index(self.attributes.len())];
        let rank = attribute.rank(stream);
        let opposite = attribute.operator(stream);
        Literal::new(attribute.column, rank, opposite)
    }

    /// Returns the comparison with a new value.
    #[must_use]
    pub fn fresh_value(&self, literal: Literal, stream: &mut Stream) -> Literal {
        let rank = self.attribute(literal).rank(stream);
        Literal::new(literal.column(), rank, literal.is_opposite())
    }

    /// Returns the comparison with another attribute of the same kind, and a new value.
    #[must_use]
    pub fn fresh_pair(&self, literal: Literal, stream: &mut Stream) -> Literal {
        // There are few kinds, so drawing until one fits is fast; a comparison fits itself.
        for _ in 0..64 {
            let drawn = self.comparison(stream);
            if self.is_same_kind(drawn, literal) {
                return self.with_operator_of(drawn, literal);
            }
        }
        self.fresh_value(literal, stream)
    }

    /// Returns the comparison with a new operator.
    #[must_use]
    pub fn fresh_operator(&self, literal: Literal, stream: &mut Stream) -> Literal {
        let opposite = self.attribute(literal).operator(stream);
        Literal::new(literal.column(), literal.rank(), opposite)
    }

    /// Returns the opposite comparison, if the grammar has its operator.
    #[must_use]
    pub fn flipped(&self, literal: Literal) -> Literal {
        if self.attribute(literal).operators == (true, true) { literal.opposite() } else { literal }
    }

    /// Returns the attribute and value of one comparison with the operator of another, if the
    /// grammar has it for this kind of attribute.
    #[must_use]
    pub fn with_operator_of(&self, pair: Literal, operator: Literal) -> Literal {
        let opposite = operator.is_opposite();
        let (plain, other) = self.attribute(pair).operators;
        if if opposite { other } else { plain } {
            Literal::new(pair.column(), pair.rank(), opposite)
        } else {
            pair
        }
    }

    /// Returns whether two comparisons have operators of one kind: order or equality.
    #[must_use]
    pub fn is_same_kind(&self, left: Literal, right: Literal) -> bool {
        let by_order = |literal| matches!(self.attribute(literal).kind, AttributeKind::Numeric(_));
        by_order(left) == by_order(right)
    }

    /// Returns whether the grammar can produce a comparison.
    #[must_use]
    pub fn allows(&self, literal: Literal) -> bool {
        let Ok(place) = self.place(literal) else { return false };
        let attribute = &self.attributes[place];
        let operator =
            if literal.is_opposite() { attribute.operators.1 } else { attribute.operators.0 };
        operator
            && match &attribute.kind {
                AttributeKind::Numeric(values) => (literal.rank() as usize) + 1 < values.len(),
                AttributeKind::Nominal(codes) => codes.binary_search(&literal.rank()).is_ok(),
                AttributeKind::Boolean => literal.rank() == 0,
            }
    }

    fn place(&self, literal: Literal) -> Result<usize, usize> {
        self.attributes.binary_search_by_key(&literal.column(), |attribute| attribute.column)
    }

    /// Returns the attribute of a comparison that this grammar produced.
    fn attribute(&self, literal: Literal) -> &Attribute {
        let place =
            self.place(literal).unwrap_or_else(|place| place.min(self.attributes.len() - 1));
        &self.attributes[place]
    }
}

impl Attribute {
    /// Draws the rank of a value: uniform between the smallest and the largest number if both are
    /// finite, or uniform over categories.
    ///
    /// Only the position of a number among the observed values matters, so only the rank is kept.
    #[expect(clippy::cast_possible_truncation, reason = "a table has fewer than 2^31 values")]
    fn rank(&self, stream: &mut Stream) -> u32 {
        match &self.kind {
            AttributeKind::Numeric(values) => {
                let (low, high) = (values[0], values[values.len() - 1]);
                if low.is_infinite() || high.is_infinite() {
                    // There is no uniform distribution up to infinity, so each gap is equally
                    // likely.
                    return stream.index(values.len() - 1) as u32;
                }
                let number = stream.range(low, high);
                let above = values.partition_point(|&value| value <= number);
                (above.clamp(1, values.len() - 1) - 1) as u32
            }
            AttributeKind::Nominal(codes) => codes[stream.index(codes.len())],
            AttributeKind::Boolean => 0,
        }
    }

    fn operator(&self, stream: &mut Stream) -> bool {
        match self.operators {
            (true, true) => stream.index(2) == 1,
            (_, opposite) => opposite,
        }
    }
}
