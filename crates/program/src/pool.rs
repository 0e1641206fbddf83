use super::canonical::{Joined, hash_node, join, order_key};
use super::expr::{Expr, Interval, MAX_DEPTH, Op, Quantifier, Role, Value};
use super::node::{Leaf, Node, ProgramId, Span, Stored, TextId};
use super::parse::ParseError;
use super::schema::{Kind, Schema};
use crate::shorten;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use thiserror::Error;

/// The reason why an expression is not valid for a schema.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProgramError {
    /// The text is not an expression.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// No such column.
    #[error("there is no column '{}'; {known}", shorten(name))]
    Column {
        /// The name used.
        name: String,
        /// The end of the message: the first few column names of the schema.
        known: String,
    },
    /// No such role.
    #[error("there is no role '{}'", shorten(.0))]
    Role(String),
    /// A condition that does not fit the kind of the column.
    #[error("column '{}' is {is}; expected {accepts}", shorten(column))]
    Kind {
        /// The column's name.
        column: String,
        /// The kind of the column.
        is: &'static str,
        /// The conditions that this kind accepts.
        accepts: &'static str,
    },
    /// More nested levels than [`MAX_DEPTH`].
    #[error("the expression nests {0} levels deep; the maximum is {MAX_DEPTH}")]
    Depth(usize),
    /// A comparison with NaN.
    #[error("cannot compare column '{}' with NaN", shorten(.0))]
    NotANumber(String),
}

/// A pool of programs over one schema, in which every program exists once.
///
/// The [crate documentation](crate) defines which programs are equal. Single programs are never removed; a
/// caller that reads an endless stream of them [clears](Programs::clear) the pool from time to time.
#[derive(Clone, Debug)]
pub struct Programs {
    schema: Schema,
    nodes: Vec<Stored>,
    sizes: Vec<u64>,
    /// The order key of each program; see `canonical::order_key`.
    keys: Vec<u64>,
    depths: Vec<u16>,
    operands: Vec<ProgramId>,
    /// Reused buffer for the operands under construction.
    flat: Vec<ProgramId>,
    numbers: Vec<f64>,
    categories: Vec<TextId>,
    texts: Vec<String>,
    text_index: FxHashMap<String, TextId>,
    index: HashTable<u32>,
}

impl Programs {
    /// Returns an empty pool.
    #[must_use]
    pub fn new(schema: Schema) -> Programs {
        Programs {
            schema,
            nodes: Vec::new(),
            sizes: Vec::new(),
            keys: Vec::new(),
            depths: Vec::new(),
            operands: Vec::new(),
            flat: Vec::new(),
            numbers: Vec::new(),
            categories: Vec::new(),
            texts: Vec::new(),
            text_index: FxHashMap::default(),
            index: HashTable::new(),
        }
    }

    /// Removes all programs and keeps their memory for reuse. All earlier ids become invalid.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.sizes.clear();
        self.keys.clear();
        self.depths.clear();
        self.operands.clear();
        self.numbers.clear();
        self.categories.clear();
        self.texts.clear();
        self.text_index.clear();
        self.index.clear();
    }

    /// Returns the columns and roles that programs can name.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the number of programs, including their parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the pool is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the programs from index `first` on. Operands come before the programs that use them.
    pub fn ids_from(&self, first: usize) -> impl Iterator<Item = ProgramId> + use<> {
        (small(first)..small(self.nodes.len())).map(ProgramId)
    }

    /// Returns the node of a program.
    #[must_use]
    pub fn node(&self, id: ProgramId) -> Node<'_> {
        self.view(self.nodes[id.index()])
    }

    /// Returns the number of nodes of a program, [counted as in the literature](crate).
    #[must_use]
    pub fn size(&self, id: ProgramId) -> u64 {
        self.sizes[id.index()]
    }

    /// Returns the order key of a program; see `canonical::order_key`.
    pub(super) fn key(&self, id: ProgramId) -> u64 {
        self.keys[id.index()]
    }

    /// Returns the text of a category.
    #[must_use]
    pub fn category(&self, text: TextId) -> &str {
        &self.texts[text.0 as usize]
    }

    /// Parses a program.
    ///
    /// # Errors
    /// When the text is not an expression or names a column or role that the schema does not have.
    pub fn parse(&mut self, text: &str) -> Result<ProgramId, ProgramError> {
        self.add(&text.parse()?)
    }

    /// Adds an expression.
    ///
    /// # Errors
    /// When it names a column or role that the schema does not have, when a condition does not fit the kind
    /// of its column, or when it nests too deep.
    pub fn add(&mut self, expr: &Expr) -> Result<ProgramId, ProgramError> {
        match expr.depth() {
            depth if depth > MAX_DEPTH => Err(ProgramError::Depth(depth)),
            _ => self.add_level(expr),
        }
    }

    fn add_level(&mut self, expr: &Expr) -> Result<ProgramId, ProgramError> {
        match expr {
            Expr::Constant(value) => Ok(self.constant(*value)),
            Expr::Is(name) => {
                let column = self.column(name)?;
                self.is(column)
            }
            Expr::Compare(name, op, value) => {
                let column = self.column(name)?;
                self.compare(column, *op, value)
            }
            Expr::Within(name, interval) => {
                let column = self.column(name)?;
                self.within(column, *interval)
            }
            Expr::OneOf(name, values) => {
                let column = self.column(name)?;
                self.one_of(column, values)
            }
            Expr::Contains(name, text) => {
                let column = self.column(name)?;
                self.contains(column, text)
            }
            Expr::Not(operand) => {
                let operand = self.add_level(operand)?;
                Ok(self.not(operand))
            }
            Expr::And(operands) => {
                let operands = operands
                    .iter()
                    .map(|operand| self.add_level(operand))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(self.and(&operands))
            }
            Expr::Or(operands) => {
                let operands = operands
                    .iter()
                    .map(|operand| self.add_level(operand))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(self.or(&operands))
            }
            Expr::Related(quantifier, role, filler) => {
                let number = self
                    .schema
                    .role(&role.name)
                    .ok_or_else(|| ProgramError::Role(role.name.clone()))?;
                let filler = self.add_level(filler)?;
                Ok(self.related(*quantifier, number, role.inverse, filler))
            }
        }
    }

    /// Returns the program that is always true or always false.
    pub fn constant(&mut self, value: bool) -> ProgramId {
        self.intern(Stored::Constant(value))
    }

    /// Returns the program that is true where a boolean column is true.
    ///
    /// # Errors
    /// When the column is not boolean.
    pub fn is(&mut self, column: u32) -> Result<ProgramId, ProgramError> {
        self.expect(column, Kind::Boolean)?;
        Ok(self.intern(Stored::Is(column)))
    }

    /// Returns the comparison of a column with a value.
    ///
    /// # Errors
    /// When the operator or the value does not fit the kind of the column.
    pub fn compare(
        &mut self,
        column: u32,
        op: Op,
        value: &Value,
    ) -> Result<ProgramId, ProgramError> {
        match (self.schema.kind(column), value) {
            (Kind::Numeric, Value::Number(number)) => self.number(column, op, *number),
            (Kind::Nominal, _) if matches!(op, Op::Equal | Op::NotEqual) => {
                let text = self.text_id(value);
                Ok(self.intern(Stored::Category(column, op, text)))
            }
            _ => Err(self.wrong_kind(column)),
        }
    }

    /// Returns the comparison of a numeric column with a number.
    ///
    /// # Errors
    /// When the column is not numeric or the number is NaN.
    pub fn number(&mut self, column: u32, op: Op, number: f64) -> Result<ProgramId, ProgramError> {
        self.expect(column, Kind::Numeric)?;
        let number = self.real(column, number)?;
        Ok(self.intern(Stored::Number(column, op, number)))
    }

    /// Returns the program that is true where a numeric column is within an interval.
    ///
    /// # Errors
    /// When the column is not numeric or an end is NaN.
    pub fn within(
        &mut self,
        column: u32,
        mut interval: Interval,
    ) -> Result<ProgramId, ProgramError> {
        self.expect(column, Kind::Numeric)?;
        interval.low.value = self.real(column, interval.low.value)?;
        interval.high.value = self.real(column, interval.high.value)?;
        Ok(self.intern(Stored::Within(column, interval)))
    }

    /// Returns the program that is true where a column has one of the given values. A single value becomes a
    /// comparison; without values the program is always false.
    ///
    /// # Errors
    /// When the values do not fit the kind of the column.
    pub fn one_of(&mut self, column: u32, values: &[Value]) -> Result<ProgramId, ProgramError> {
        match (self.schema.kind(column), values) {
            (Kind::Boolean, _) => Err(self.wrong_kind(column)),
            (_, []) => Ok(self.constant(false)),
            (Kind::Numeric, _) => {
                let mut numbers = Vec::with_capacity(values.len());
                for value in values {
                    let Value::Number(number) = value else { return Err(self.wrong_kind(column)) };
                    numbers.push(self.real(column, *number)?);
                }
                numbers.sort_by(f64::total_cmp);
                numbers.dedup();
                if let [number] = numbers[..] {
                    return self.number(column, Op::Equal, number);
                }
                let span = Span { start: small(self.numbers.len()), len: small(numbers.len()) };
                self.numbers.extend(numbers);
                Ok(self.intern(Stored::AnyNumber(column, span)))
            }
            (Kind::Nominal, _) => {
                let mut texts: Vec<TextId> =
                    values.iter().map(|value| self.text_id(value)).collect();
                texts.sort_by(|&left, &right| self.category(left).cmp(self.category(right)));
                texts.dedup();
                if let [text] = texts[..] {
                    return Ok(self.intern(Stored::Category(column, Op::Equal, text)));
                }
                let span = Span { start: small(self.categories.len()), len: small(texts.len()) };
                self.categories.extend(texts);
                Ok(self.intern(Stored::AnyCategory(column, span)))
            }
        }
    }

    /// Returns the program that is true where the category of a nominal column contains a text. Every
    /// category contains the empty text.
    ///
    /// # Errors
    /// When the column is not nominal.
    pub fn contains(&mut self, column: u32, text: &str) -> Result<ProgramId, ProgramError> {
        self.expect(column, Kind::Nominal)?;
        let text = self.text_id(&Value::Text(text.to_owned()));
        Ok(self.intern(Stored::Contains(column, text)))
    }

    /// Returns the negation. The negation of a negation is its operand.
    pub fn not(&mut self, operand: ProgramId) -> ProgramId {
        match self.node(operand) {
            Node::Not(inner) => inner,
            Node::Constant(value) => self.constant(!value),
            _ => self.intern(Stored::Not(operand)),
        }
    }

    /// Returns the conjunction.
    pub fn and(&mut self, operands: &[ProgramId]) -> ProgramId {
        self.join(operands, true)
    }

    /// Returns the disjunction.
    pub fn or(&mut self, operands: &[ProgramId]) -> ProgramId {
        self.join(operands, false)
    }

    /// Returns the program that is true where enough individuals related by a role satisfy the filler.
    pub fn related(
        &mut self,
        quantifier: Quantifier,
        role: u32,
        inverse: bool,
        filler: ProgramId,
    ) -> ProgramId {
        self.intern(Stored::Related(quantifier, role, inverse, filler))
    }

    /// Returns a program as an expression.
    #[must_use]
    pub fn expr(&self, id: ProgramId) -> Expr {
        let list =
            |operands: &[ProgramId]| operands.iter().map(|&operand| self.expr(operand)).collect();
        match self.node(id) {
            Node::Constant(value) => Expr::Constant(value),
            Node::Leaf(column, leaf) => self.leaf_expr(self.schema.name(column).to_owned(), leaf),
            Node::Not(operand) => Expr::Not(Box::new(self.expr(operand))),
            Node::And(operands) => Expr::And(list(operands)),
            Node::Or(operands) => Expr::Or(list(operands)),
            Node::Related { quantifier, role, inverse, filler } => {
                let role = Role { name: self.schema.role_name(role).to_owned(), inverse };
                Expr::Related(quantifier, role, Box::new(self.expr(filler)))
            }
        }
    }

    /// Returns a program as text.
    #[must_use]
    pub fn text(&self, id: ProgramId) -> String {
        self.expr(id).to_string()
    }

    fn leaf_expr(&self, column: String, leaf: Leaf<'_>) -> Expr {
        let text = |id| Value::Text(self.category(id).to_owned());
        match leaf {
            Leaf::Is => Expr::Is(column),
            Leaf::Number(op, number) => Expr::Compare(column, op, Value::Number(number)),
            Leaf::Category(op, id) => Expr::Compare(column, op, text(id)),
            Leaf::Contains(id) => Expr::Contains(column, self.category(id).to_owned()),
            Leaf::Within(interval) => Expr::Within(column, interval),
            Leaf::AnyNumber(numbers) => {
                Expr::OneOf(column, numbers.iter().map(|&number| Value::Number(number)).collect())
            }
            Leaf::AnyCategory(texts) => {
                Expr::OneOf(column, texts.iter().map(|&id| text(id)).collect())
            }
        }
    }

    fn join(&mut self, operands: &[ProgramId], and: bool) -> ProgramId {
        let mut flat = std::mem::take(&mut self.flat);
        let id = match join(self, operands, and, &mut flat) {
            Joined::Constant(value) => self.constant(value),
            Joined::Single(operand) => operand,
            Joined::Many => {
                let span = Span { start: small(self.operands.len()), len: small(flat.len()) };
                self.operands.extend_from_slice(&flat);
                self.intern(if and { Stored::And(span) } else { Stored::Or(span) })
            }
        };
        self.flat = flat;
        id
    }

    /// Returns the id of a node and stores the node if it is new. Otherwise its arena entries are removed.
    fn intern(&mut self, stored: Stored) -> ProgramId {
        let hash = self.hash(stored);
        let same = |&other: &u32| self.view(self.nodes[other as usize]) == self.view(stored);
        if let Some(&known) = self.index.find(hash, same) {
            match stored {
                Stored::And(span) | Stored::Or(span) => self.operands.truncate(span.start as usize),
                Stored::AnyNumber(_, span) => self.numbers.truncate(span.start as usize),
                Stored::AnyCategory(_, span) => self.categories.truncate(span.start as usize),
                _ => {}
            }
            return ProgramId(known);
        }
        let (size, depth) = self.measure(self.view(stored));
        let key = order_key(self, self.view(stored));
        assert!(depth as usize <= MAX_DEPTH, "a program may nest at most {MAX_DEPTH} levels");
        let id = small(self.nodes.len());
        self.nodes.push(stored);
        self.sizes.push(size);
        self.keys.push(key);
        self.depths.push(depth);
        let Programs { index, nodes, operands, numbers, categories, .. } = self;
        let arenas = Arenas { operands, numbers, categories };
        index.insert_unique(hash, id, |&other| arenas.hash(nodes[other as usize]));
        ProgramId(id)
    }

    fn measure(&self, node: Node<'_>) -> (u64, u16) {
        let join = |operands: &[ProgramId]| {
            let size = operands
                .iter()
                .map(|&operand| self.size(operand))
                .fold(operands.len() as u64 - 1, u64::saturating_add);
            (
                size,
                operands.iter().map(|&operand| self.depths[operand.index()]).max().unwrap_or(0) + 1,
            )
        };
        match node {
            Node::Constant(_) | Node::Leaf(_, Leaf::Is) => (1, 1),
            Node::Leaf(_, Leaf::Number(..) | Leaf::Category(..) | Leaf::Contains(_)) => (3, 1),
            Node::Leaf(_, Leaf::Within(_)) => (7, 1),
            Node::Leaf(_, Leaf::AnyNumber(numbers)) => (4 * numbers.len() as u64 - 1, 1),
            Node::Leaf(_, Leaf::AnyCategory(texts)) => (4 * texts.len() as u64 - 1, 1),
            Node::Not(operand) | Node::Related { filler: operand, .. } => {
                (self.size(operand).saturating_add(1), self.depths[operand.index()] + 1)
            }
            Node::And(operands) | Node::Or(operands) => join(operands),
        }
    }

    fn view(&self, stored: Stored) -> Node<'_> {
        Arenas { operands: &self.operands, numbers: &self.numbers, categories: &self.categories }
            .view(stored)
    }

    fn hash(&self, stored: Stored) -> u64 {
        Arenas { operands: &self.operands, numbers: &self.numbers, categories: &self.categories }
            .hash(stored)
    }

    fn text_id(&mut self, value: &Value) -> TextId {
        let text = match value {
            Value::Text(text) => text.clone(),
            Value::Number(number) => number.to_string(),
        };
        let next = TextId(small(self.texts.len()));
        let texts = &mut self.texts;
        *self.text_index.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            next
        })
    }

    fn column(&self, name: &str) -> Result<u32, ProgramError> {
        self.schema.column(name).ok_or_else(|| {
            let mut known: Vec<String> =
                self.schema.names().take(8).map(|name| format!("'{}'", shorten(name))).collect();
            if self.schema.len() > known.len() {
                known.push(format!("{} more", self.schema.len() - known.len()));
            }
            let known = if known.is_empty() {
                "the table has no columns".to_owned()
            } else {
                format!("expected one of {}", known.join(", "))
            };
            ProgramError::Column { name: name.to_owned(), known }
        })
    }

    /// Returns the number to compare with: -0 becomes 0, NaN is an error.
    fn real(&self, column: u32, number: f64) -> Result<f64, ProgramError> {
        if number.is_nan() {
            Err(ProgramError::NotANumber(self.schema.name(column).to_owned()))
        } else {
            Ok(number + 0.0)
        }
    }

    fn expect(&self, column: u32, kind: Kind) -> Result<(), ProgramError> {
        if self.schema.kind(column) == kind { Ok(()) } else { Err(self.wrong_kind(column)) }
    }

    fn wrong_kind(&self, column: u32) -> ProgramError {
        let (is, accepts) = match self.schema.kind(column) {
            Kind::Numeric => {
                ("numeric", "a comparison with a number, 'in [low, high]' or 'in {1, 2}'")
            }
            Kind::Nominal => ("nominal", "'= category', '!= category' or 'in {a, b}'"),
            Kind::Boolean => ("boolean", "the column name alone, or 'not' and the column name"),
        };
        ProgramError::Kind { column: self.schema.name(column).to_owned(), is, accepts }
    }
}

/// The arenas of a pool without its index, so that they can be read while the index is rebuilt.
struct Arenas<'a> {
    operands: &'a [ProgramId],
    numbers: &'a [f64],
    categories: &'a [TextId],
}

impl<'a> Arenas<'a> {
    fn view(&self, stored: Stored) -> Node<'a> {
        match stored {
            Stored::Constant(value) => Node::Constant(value),
            Stored::Is(column) => Node::Leaf(column, Leaf::Is),
            Stored::Number(column, op, number) => Node::Leaf(column, Leaf::Number(op, number)),
            Stored::Category(column, op, text) => Node::Leaf(column, Leaf::Category(op, text)),
            Stored::Contains(column, text) => Node::Leaf(column, Leaf::Contains(text)),
            Stored::Within(column, interval) => Node::Leaf(column, Leaf::Within(interval)),
            Stored::AnyNumber(column, span) => {
                Node::Leaf(column, Leaf::AnyNumber(&self.numbers[span.range()]))
            }
            Stored::AnyCategory(column, span) => {
                Node::Leaf(column, Leaf::AnyCategory(&self.categories[span.range()]))
            }
            Stored::Not(operand) => Node::Not(operand),
            Stored::And(span) => Node::And(&self.operands[span.range()]),
            Stored::Or(span) => Node::Or(&self.operands[span.range()]),
            Stored::Related(quantifier, role, inverse, filler) => {
                Node::Related { quantifier, role, inverse, filler }
            }
        }
    }

    fn hash(&self, stored: Stored) -> u64 {
        let mut state = FxHasher::default();
        hash_node(self.view(stored), &mut state);
        state.finish()
    }
}

/// Converts an index into 32 bits. A wrapped index would silently refer to another program.
fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a pool holds at most 2^32 programs, operands, numbers and texts")
}
