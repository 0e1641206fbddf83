use pellucid_bits::Bits;
use pellucid_program::MAX_DEPTH;
use pellucid_program::{Expr, Leaf, Node, Op, ProgramId, Programs, Quantifier};
use pellucid_relate::{Edges, Target, World, check, spec};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Evaluates the left sides of axioms while classes still gain instances.
///
/// A [`Reasoner`](pellucid_relate::Reasoner) caches results for a fixed world; this evaluator does
/// not cache.
pub(super) struct Evaluator<'a> {
    programs: Programs,
    /// Aliases of individuals.
    aliases: &'a FxHashMap<String, u32>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(world: &World, aliases: &'a FxHashMap<String, u32>) -> Evaluator<'a> {
        let programs = Programs::new(world.schema());
        Evaluator { programs, aliases }
    }

    /// Adds expressions. The error explains why an expression cannot be evaluated.
    pub(super) fn add<'e>(
        &mut self,
        world: &World,
        exprs: impl Iterator<Item = &'e Expr>,
    ) -> Vec<Result<ProgramId, String>> {
        let mut roots: Vec<Result<ProgramId, String>> = exprs
            .map(|expr| {
                if expr.depth() > MAX_DEPTH {
                    return Err(format!("nested more than {MAX_DEPTH} levels"));
                }
                self.programs.add(expr).map_err(|error| error.to_string())
            })
            .collect();
        let known: Vec<ProgramId> = roots.iter().filter_map(|root| root.clone().ok()).collect();
        let mut checked = check(world, &self.programs, &known).into_iter();
        for root in roots.iter_mut().filter(|root| root.is_ok()) {
            if let Some(Err(error)) = checked.next() {
                *root = Err(error.to_string());
            }
        }
        roots
    }

    /// Whether the extent grows monotonically with class instances and edges.
    pub(super) fn is_monotone(&self, root: ProgramId) -> bool {
        match self.programs.node(root) {
            Node::Constant(_) | Node::Leaf(..) => true,
            Node::Not(_) => false,
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().all(|&operand| self.is_monotone(operand))
            }
            Node::Related { quantifier, filler, .. } => {
                matches!(quantifier, Quantifier::Some | Quantifier::Min(_))
                    && self.is_monotone(filler)
            }
        }
    }

    /// The classes in an expression, and whether additional instances of each can shrink the
    /// extent.
    pub(super) fn classes(&self, root: ProgramId) -> Vec<(u32, bool)> {
        let mut found = Vec::new();
        self.collect_classes(root, false, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The classes that every instance of the expression belongs to by its conjuncts.
    pub(super) fn required(&self, root: ProgramId) -> Vec<u32> {
        let class = |id: ProgramId| match self.programs.node(id) {
            Node::Leaf(column, Leaf::Is) => Some(column),
            _ => None,
        };
        match self.programs.node(root) {
            Node::And(operands) => operands.iter().filter_map(|&operand| class(operand)).collect(),
            _ => class(root).into_iter().collect(),
        }
    }

    fn collect_classes(&self, id: ProgramId, is_negative: bool, found: &mut Vec<(u32, bool)>) {
        match self.programs.node(id) {
            Node::Leaf(column, Leaf::Is) => found.push((column, is_negative)),
            Node::Constant(_) | Node::Leaf(..) => {}
            Node::Not(operand) => self.collect_classes(operand, !is_negative, found),
            Node::And(operands) | Node::Or(operands) => {
                operands
                    .iter()
                    .for_each(|&operand| self.collect_classes(operand, is_negative, found));
            }
            Node::Related { quantifier, filler, .. } => {
                // Roles are complete. With more fillers, `some`, `only` and `min` cover more, `max`
                // covers less.
                let both = matches!(quantifier, Quantifier::Exactly(_));
                if both || !matches!(quantifier, Quantifier::Max(_)) {
                    self.collect_classes(filler, is_negative, found);
                }
                if both || matches!(quantifier, Quantifier::Max(_)) {
                    self.collect_classes(filler, !is_negative, found);
                }
            }
        }
    }

    /// Returns the instances of an expression for the current classes.
    pub(super) fn extent<'w>(&'w self, world: &'w World, id: ProgramId) -> Cow<'w, Bits> {
        let len = world.len();
        Cow::Owned(match self.programs.node(id) {
            Node::Constant(true) => Bits::ones_of(len),
            Node::Constant(false) => Bits::zeros(len),
            Node::Leaf(column, leaf) if column == world.individual_column() => {
                self.individuals(world, leaf)
            }
            Node::Leaf(column, _) => return Cow::Borrowed(&world.classes()[column as usize]),
            Node::Not(operand) => {
                let mut bits = self.extent(world, operand).into_owned();
                bits.flip();
                bits
            }
            Node::And(operands) => {
                let mut bits = self.extent(world, operands[0]).into_owned();
                operands[1..].iter().for_each(|&next| bits.and_with(&self.extent(world, next)));
                bits
            }
            Node::Or(operands) => {
                let mut bits = self.extent(world, operands[0]).into_owned();
                for &next in &operands[1..] {
                    bits.or_with(&self.extent(world, next));
                }
                bits
            }
            Node::Related { quantifier, role, inverse, filler } => match world.target(role) {
                Target::Individuals(role) => {
                    let links = &world.roles()[role];
                    let edges = if inverse { &links.inverse } else { &links.forward };
                    if let (Quantifier::Some, Node::Constant(true)) =
                        (quantifier, self.programs.node(filler))
                    {
                        return Cow::Borrowed(edges.subjects());
                    }
                    related(edges, quantifier, &self.extent(world, filler))
                }
                Target::Values(property) => {
                    let edges = &world.properties()[property].edges;
                    let satisfies =
                        |value| spec::value_holds(world, &self.programs, filler, property, value);
                    related(edges, quantifier, &(0..edges.object_count()).map(satisfies).collect())
                }
            },
        })
    }

    /// Returns the individuals that satisfy a condition on names.
    fn individuals(&self, world: &World, leaf: Leaf<'_>) -> Bits {
        let mut bits = Bits::zeros(world.len());
        let mut set = |text| {
            let name = self.programs.category(text);
            let known = world.individuals().find(name).or_else(|| self.aliases.get(name).copied());
            if let Some(individual) = known {
                bits.set(individual as usize);
            }
        };
        match leaf {
            Leaf::Category(Op::NotEqual, text) => {
                set(text);
                bits.flip();
            }
            Leaf::Category(_, text) => set(text),
            Leaf::AnyCategory(texts) => texts.iter().copied().for_each(set),
            Leaf::Contains(part) => {
                let part = self.programs.category(part);
                bits = world.individuals().iter().map(|name| name.contains(part)).collect();
            }
            Leaf::Is | Leaf::Number(..) | Leaf::Within(_) | Leaf::AnyNumber(_) => {}
        }
        bits
    }
}

fn related(edges: &Edges, quantifier: Quantifier, filler: &Bits) -> Bits {
    let mut bits = Bits::zeros(edges.subject_count());
    for subject in 0..super::graph::to_u32(edges.subject_count()) {
        let fillers = edges.of(subject);
        let hit = |object: &&u32| filler.get(**object as usize);
        let hits = || fillers.iter().filter(hit).count();
        let is_instance = match quantifier {
            Quantifier::Some => fillers.iter().any(|object| hit(&object)),
            Quantifier::Only => fillers.iter().all(|object| hit(&object)),
            Quantifier::Min(count) => hits() >= count as usize,
            Quantifier::Max(count) => hits() <= count as usize,
            Quantifier::Exactly(count) => hits() == count as usize,
        };
        if is_instance {
            bits.set(subject as usize);
        }
    }
    bits
}
