use pellucid_bits::Bits;
use pellucid_program::MAX_DEPTH;
use pellucid_program::{Expr, Leaf, Node, Op, ProgramId, Programs, Quantifier};
use pellucid_relate::{Edges, Target, World, check, spec};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Says who satisfies the left sides of axioms while classes still gain members.
///
/// A [`Reasoner`](pellucid_relate::Reasoner) takes its world as final and keeps what it worked out; here nothing is
/// kept.
pub(super) struct Evaluator<'a> {
    programs: Programs,
    /// Other names of individuals.
    aliases: &'a FxHashMap<String, u32>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(world: &World, aliases: &'a FxHashMap<String, u32>) -> Evaluator<'a> {
        let programs = Programs::new(world.schema());
        Evaluator { programs, aliases }
    }

    /// Takes expressions in; for each, why it means nothing here if so.
    pub(super) fn add<'e>(
        &mut self,
        world: &World,
        exprs: impl Iterator<Item = &'e Expr>,
    ) -> Vec<Result<ProgramId, String>> {
        let mut roots: Vec<Result<ProgramId, String>> = exprs
            .map(|expr| {
                if expr.depth() > MAX_DEPTH {
                    return Err(format!("it nests more than {MAX_DEPTH} levels"));
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

    /// Whether more members and more edges can only bring more.
    pub(super) fn is_steady(&self, root: ProgramId) -> bool {
        match self.programs.node(root) {
            Node::Constant(_) | Node::Leaf(..) => true,
            Node::Not(_) => false,
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().all(|&operand| self.is_steady(operand))
            }
            Node::Related { quantifier, filler, .. } => {
                matches!(quantifier, Quantifier::Some | Quantifier::Min(_))
                    && self.is_steady(filler)
            }
        }
    }

    /// The classes that a program mentions, and whether more members of each can take somebody out of the program's extent.
    pub(super) fn classes(&self, root: ProgramId) -> Vec<(u32, bool)> {
        let mut found = Vec::new();
        self.mentioned(root, false, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The classes that whoever satisfies the program is in by its words alone.
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

    fn mentioned(&self, id: ProgramId, against: bool, found: &mut Vec<(u32, bool)>) {
        match self.programs.node(id) {
            Node::Leaf(column, Leaf::Is) => found.push((column, against)),
            Node::Constant(_) | Node::Leaf(..) => {}
            Node::Not(operand) => self.mentioned(operand, !against, found),
            Node::And(operands) | Node::Or(operands) => {
                operands.iter().for_each(|&operand| self.mentioned(operand, against, found));
            }
            Node::Related { quantifier, filler, .. } => {
                // Roles are final, so with more fillers `some`, `only` and `min` hold for more, `max` for fewer.
                let both = matches!(quantifier, Quantifier::Exactly(_));
                if both || !matches!(quantifier, Quantifier::Max(_)) {
                    self.mentioned(filler, against, found);
                }
                if both || matches!(quantifier, Quantifier::Max(_)) {
                    self.mentioned(filler, !against, found);
                }
            }
        }
    }

    /// Who satisfies a program as classes are now.
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
                    let holds =
                        |value| spec::value_holds(world, &self.programs, filler, property, value);
                    related(edges, quantifier, &(0..edges.object_count()).map(holds).collect())
                }
            },
        })
    }

    /// The individuals that a condition on their names holds for.
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
    for subject in 0..super::graph::small(edges.subject_count()) {
        let fillers = edges.of(subject);
        let hit = |object: &&u32| filler.get(**object as usize);
        let hits = || fillers.iter().filter(hit).count();
        let holds = match quantifier {
            Quantifier::Some => fillers.iter().any(|object| hit(&object)),
            Quantifier::Only => fillers.iter().all(|object| hit(&object)),
            Quantifier::Min(count) => hits() >= count as usize,
            Quantifier::Max(count) => hits() <= count as usize,
            Quantifier::Exactly(count) => hits() == count as usize,
        };
        if holds {
            bits.set(subject as usize);
        }
    }
    bits
}
