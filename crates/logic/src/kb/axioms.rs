//! Class axioms as rules under the closed-world assumption: instances of an expression are in a
//! class.
//!
//! The right side of an axiom is decomposed. A named class is a consequence, and so is every
//! operand of a conjunction. `r only B` is a consequence for the objects. `r some B` would require
//! an anonymous individual, which does not exist in a closed world: such axioms are counted and
//! have no effect.

use super::Closure;
use super::short_names::abbreviated;
use pellucid_data::INDIVIDUAL;
use pellucid_data::{Axiom, Ontology, Register};
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// The decomposed class axioms.
#[derive(Default)]
pub(super) struct ClassAxioms {
    /// Pairs of named classes; the first is a subclass of the second.
    pub(super) below: Vec<[u32; 2]>,
    /// Inferred types of individuals, numbered as in the ontology.
    pub(super) types: Vec<[u32; 2]>,
    /// Instances of the expression are in the class.
    pub(super) rules: Vec<(Expr, u32)>,
    /// Instances of the expression are related to the individual.
    pub(super) related: Vec<(Expr, Role, String)>,
    /// Lists of pairwise disjoint classes.
    pub(super) disjoint: Vec<Vec<u32>>,
    /// For each object property, the named classes of its domain.
    pub(super) role_domains: Vec<Vec<u32>>,
    /// For each object property, the named classes of its range.
    pub(super) role_ranges: Vec<Vec<u32>>,
    /// For each data property, the named classes of its domain.
    pub(super) property_domains: Vec<Vec<u32>>,
    /// Superclass expressions without consequences.
    without_consequences: WithoutConsequences,
    /// Types of individuals without consequences.
    types_without_consequences: WithoutConsequences,
}

/// Expressions without consequences: their number, and the first.
#[derive(Clone, Default)]
struct WithoutConsequences {
    count: u64,
    first: Option<Expr>,
}

impl ClassAxioms {
    /// Decomposes the axioms of an ontology.
    pub(super) fn new(ontology: &Ontology, closure: &Closure) -> ClassAxioms {
        let mut found = ClassAxioms {
            role_domains: vec![Vec::new(); ontology.roles.len()],
            role_ranges: vec![Vec::new(); ontology.roles.len()],
            property_domains: vec![Vec::new(); ontology.properties.len()],
            ..ClassAxioms::default()
        };
        let mut reader =
            AxiomReader { ontology, closure, found: &mut found, of_individuals: false };
        for axiom in &ontology.axioms {
            reader.axiom(axiom);
        }
        reader.of_individuals = true;
        for (individual, class) in &ontology.described {
            let name = ontology.individuals.get(*individual).to_owned();
            reader.include(&Expr::Compare(INDIVIDUAL.into(), Op::Equal, Value::Text(name)), class);
        }
        found
    }

    /// Returns notes about expressions without consequences.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let sentence = |group: &WithoutConsequences, one: &str, many: &str| {
            let first = abbreviated(group.first.as_ref()?);
            Some(match group.count {
                1 => format!("{one} has no consequences in a closed world: '{first}'"),
                count => format!(
                    "{count} {many} have no consequences in a closed world; the first is '{first}'"
                ),
            })
        };
        let classes = sentence(
            &self.without_consequences,
            "1 superclass expression",
            "superclass expressions",
        );
        let types = sentence(
            &self.types_without_consequences,
            "1 type of an individual",
            "types of individuals",
        );
        classes.into_iter().chain(types)
    }
}

struct AxiomReader<'a> {
    ontology: &'a Ontology,
    closure: &'a Closure,
    found: &'a mut ClassAxioms,
    /// Whether the left sides are individuals.
    of_individuals: bool,
}

impl<'a> AxiomReader<'a> {
    fn axiom(&mut self, axiom: &Axiom) {
        match axiom {
            Axiom::SubClass(left, right) => self.include(left, right),
            Axiom::Equivalent(classes) => {
                // A definition determines the instances of a class. That the other direction has no
                // consequences is expected.
                let before = self.found.without_consequences.clone();
                for (index, left) in classes.iter().enumerate() {
                    for (other, right) in classes.iter().enumerate() {
                        if index != other {
                            self.include(left, right);
                        }
                    }
                }
                self.found.without_consequences = before;
            }
            Axiom::Disjoint(classes) => {
                let named = named(&self.ontology.classes, classes);
                self.found.disjoint.push(named);
            }
            Axiom::RoleDomain(role, class) => {
                let named = self.named_conjuncts(class);
                self.found.role_domains[*role as usize].extend(named);
                self.add_typing(self.role(*role, false), class);
            }
            Axiom::RoleRange(role, class) => {
                let named = self.named_conjuncts(class);
                self.found.role_ranges[*role as usize].extend(named);
                self.add_typing(self.role(*role, true), class);
            }
            Axiom::PropertyDomain(property, class) => {
                let named = self.named_conjuncts(class);
                self.found.property_domains[*property as usize].extend(named);
                let name = self.ontology.properties.get(*property).to_owned();
                self.add_typing(Role { name, inverse: false }, class);
            }
            Axiom::SubRole(..)
            | Axiom::SameRole(..)
            | Axiom::Symmetric(_)
            | Axiom::Transitive(_)
            | Axiom::Reflexive(_)
            | Axiom::SubProperty(..)
            | Axiom::FunctionalRole(_)
            | Axiom::FunctionalProperty(_) => {}
        }
    }

    fn role(&self, role: u32, inverse: bool) -> Role {
        Role { name: self.ontology.roles.get(role).to_owned(), inverse }
    }

    fn named_conjuncts(&self, class: &Expr) -> Vec<u32> {
        match class {
            Expr::And(operands) => named(&self.ontology.classes, operands),
            one => named(&self.ontology.classes, std::slice::from_ref(one)),
        }
    }

    /// Adds the axiom that everything with an edge or value of the role is in the class.
    fn add_typing(&mut self, role: Role, class: &Expr) {
        if self.closure.domains_and_ranges {
            let anything = Box::new(Expr::Constant(true));
            self.include(&Expr::Related(Quantifier::Some, role, anything), class);
        }
    }

    /// Adds the axiom that instances of `left` are instances of `right`.
    fn include(&mut self, left: &Expr, right: &Expr) {
        if let Expr::Or(operands) = left {
            return operands.iter().for_each(|operand| self.include(operand, right));
        }
        let class = |expr: &Expr| match expr {
            Expr::Is(name) => self.ontology.classes.find(name),
            _ => None,
        };
        match right {
            _ if matches!(left, Expr::Constant(false)) || left == right => {}
            Expr::Constant(true) => {}
            // An empty conjunction of two named classes makes them disjoint.
            Expr::Constant(false) => match left {
                Expr::And(operands) if operands.len() == 2 => {
                    let named = named(&self.ontology.classes, operands);
                    self.found.disjoint.push(named);
                }
                _ => self.record_without_consequences(right),
            },
            Expr::And(operands) => {
                operands.iter().for_each(|operand| self.include(left, operand));
            }
            Expr::Is(_) => match (class(left), class(right)) {
                (Some(low), Some(high)) => self.found.below.push([low, high]),
                (None, Some(high)) => match self.nominal_members(left) {
                    Some(individuals) => self.found.types.extend(individuals.map(|i| [i, high])),
                    None => self.found.rules.push((left.clone(), high)),
                },
                (_, None) => self.record_without_consequences(right),
            },
            Expr::Not(operand) => match (class(left), class(operand)) {
                (Some(a), Some(b)) => self.found.disjoint.push(vec![a, b]),
                _ => self.record_without_consequences(right),
            },
            Expr::Related(Quantifier::Only, role, filler) if self.has_consequences(role) => {
                let back = Role { name: role.name.clone(), inverse: !role.inverse };
                let objects = Expr::Related(Quantifier::Some, back, Box::new(left.clone()));
                self.include(&objects, filler);
            }
            Expr::Related(Quantifier::Some, role, filler) => match &**filler {
                Expr::Compare(column, Op::Equal, Value::Text(name)) if column == INDIVIDUAL => {
                    self.found.related.push((left.clone(), role.clone(), name.clone()));
                }
                _ => self.record_without_consequences(right),
            },
            _ => self.record_without_consequences(right),
        }
    }

    /// Returns the individuals of a nominal.
    fn nominal_members<'b>(
        &self,
        expr: &'b Expr,
    ) -> Option<impl Iterator<Item = u32> + use<'a, 'b>> {
        let values = match expr {
            Expr::Compare(column, Op::Equal, value) if column == INDIVIDUAL => {
                std::slice::from_ref(value)
            }
            Expr::OneOf(column, values) if column == INDIVIDUAL => values,
            _ => return None,
        };
        let individuals: &'a Register = &self.ontology.individuals;
        Some(values.iter().filter_map(|value| match value {
            Value::Text(name) => individuals.find(name),
            Value::Number(_) => None,
        }))
    }

    /// Whether a universal restriction has consequences for the objects of a role.
    fn has_consequences(&self, role: &Role) -> bool {
        self.closure.universals && self.ontology.roles.find(&role.name).is_some()
    }

    fn record_without_consequences(&mut self, right: &Expr) {
        let found = &mut *self.found;
        let group = if self.of_individuals {
            &mut found.types_without_consequences
        } else {
            &mut found.without_consequences
        };
        group.count += 1;
        group.first.get_or_insert_with(|| right.clone());
    }
}

fn named(classes: &Register, exprs: &[Expr]) -> Vec<u32> {
    exprs
        .iter()
        .filter_map(|expr| match expr {
            Expr::Is(name) => classes.find(name),
            _ => None,
        })
        .collect()
}
