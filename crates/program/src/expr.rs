/// The maximum nesting depth of a program, so that recursion never overflows the stack.
pub const MAX_DEPTH: usize = 500;

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

impl Op {
    /// All operators.
    pub const ALL: [Op; 6] =
        [Op::Greater, Op::GreaterEqual, Op::Less, Op::LessEqual, Op::Equal, Op::NotEqual];

    /// Returns the operator as it is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Op::Greater => ">",
            Op::GreaterEqual => ">=",
            Op::Less => "<",
            Op::LessEqual => "<=",
            Op::Equal => "=",
            Op::NotEqual => "!=",
        }
    }

    /// Returns whether the comparison is true for two numbers.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "the comparison is exact")]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Op::Greater => left > right,
            Op::GreaterEqual => left >= right,
            Op::Less => left < right,
            Op::LessEqual => left <= right,
            Op::Equal => left == right,
            Op::NotEqual => left != right,
        }
    }
}

/// The value a column is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, never NaN.
    Number(f64),
    /// A category.
    Text(String),
}

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The number at the end.
    pub value: f64,
    /// Whether the number belongs to the interval.
    pub closed: bool,
}

/// The numbers between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: Edge,
    /// The upper end.
    pub high: Edge,
}

impl Interval {
    /// Returns whether the interval contains a number.
    #[must_use]
    pub fn contains(&self, number: f64) -> bool {
        let above = if self.low.closed { Op::GreaterEqual } else { Op::Greater };
        let below = if self.high.closed { Op::LessEqual } else { Op::Less };
        above.holds(number, self.low.value) && below.holds(number, self.high.value)
    }
}

/// The number of related individuals that must satisfy the filler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// At least one.
    Some,
    /// All of them; also true if there are none.
    Only,
    /// At least this number.
    Min(u32),
    /// At most this number.
    Max(u32),
    /// Exactly this number.
    Exactly(u32),
}

/// A binary relation by name, or its inverse.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Role {
    /// The relation's name.
    pub name: String,
    /// Whether it is followed from object to subject.
    pub inverse: bool,
}

/// A formula as it is written.
///
/// ```
/// use pellucid_program::Expr;
/// let expr: Expr = "charge > 0.5 and not (element in {c, 'not measured'} or 12 <= mass < 14)".parse()?;
/// assert_eq!(expr.to_string().parse::<Expr>()?, expr);
/// # Ok::<(), pellucid_program::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Always true, or always false.
    Constant(bool),
    /// A boolean column by name.
    Is(String),
    /// `column op value`.
    Compare(String, Op, Value),
    /// `low <= column < high`, also written `column in [low, high)`.
    Within(String, Interval),
    /// `column in {value, …}`.
    OneOf(String, Vec<Value>),
    /// `column contains 'text'`: the category contains the text.
    Contains(String, String),
    /// `not expr`.
    Not(Box<Expr>),
    /// `expr and expr …`; at least two operands, none of them an `And`.
    And(Vec<Expr>),
    /// `expr or expr …`; at least two operands, none of them an `Or`.
    Or(Vec<Expr>),
    /// `some role (expr)` and the other quantifiers.
    Related(Quantifier, Role, Box<Expr>),
}

impl Expr {
    /// Returns the conjunction of expressions. Nested conjunctions are flattened; a single operand is
    /// returned as it is.
    #[must_use]
    pub fn and(operands: Vec<Expr>) -> Expr {
        Expr::join(operands, true)
    }

    /// Returns the disjunction of expressions. Nested disjunctions are flattened; a single operand is
    /// returned as it is.
    #[must_use]
    pub fn or(operands: Vec<Expr>) -> Expr {
        Expr::join(operands, false)
    }

    /// Returns the number of levels.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Expr::Not(operand) | Expr::Related(_, _, operand) => operand.depth() + 1,
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().map(Expr::depth).max().unwrap_or(0) + 1
            }
            _ => 1,
        }
    }

    /// Returns the name of the column for every condition, repeated names included.
    #[must_use]
    pub fn columns(&self) -> Vec<&str> {
        match self {
            Expr::Constant(_) => Vec::new(),
            Expr::Is(column)
            | Expr::Compare(column, ..)
            | Expr::Within(column, _)
            | Expr::OneOf(column, _)
            | Expr::Contains(column, _) => vec![column],
            Expr::Not(operand) | Expr::Related(_, _, operand) => operand.columns(),
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().flat_map(Expr::columns).collect()
            }
        }
    }

    /// Returns the column and the number of every comparison with a number, repetitions included.
    #[must_use]
    pub fn numbers(&self) -> Vec<(&str, f64)> {
        let number = |value: &Value| match value {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        };
        match self {
            Expr::Constant(_) | Expr::Is(_) | Expr::Contains(..) => Vec::new(),
            Expr::Compare(column, _, value) => {
                number(value).map(|number| (column.as_str(), number)).into_iter().collect()
            }
            Expr::Within(column, Interval { low, high }) => {
                vec![(column, low.value), (column, high.value)]
            }
            Expr::OneOf(column, values) => {
                values.iter().filter_map(number).map(|number| (column.as_str(), number)).collect()
            }
            Expr::Not(operand) | Expr::Related(_, _, operand) => operand.numbers(),
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().flat_map(Expr::numbers).collect()
            }
        }
    }

    fn join(operands: Vec<Expr>, and: bool) -> Expr {
        let mut flat = Vec::with_capacity(operands.len());
        for operand in operands {
            match operand {
                Expr::And(inner) if and => flat.extend(inner),
                Expr::Or(inner) if !and => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Expr::Constant(and),
            1 => flat.swap_remove(0),
            _ if and => Expr::And(flat),
            _ => Expr::Or(flat),
        }
    }
}
