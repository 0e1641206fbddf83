//! What the axioms about classes amount to under the closed world: rules "whoever satisfies this is in that class".
//!
//! The right side of an axiom is taken apart. A named class is a conclusion; so is every operand of a conjunction. "Only
//! objects in B" is a conclusion about the objects. "Some object in B" would be somebody without a name, of whom the closed
//! world knows nothing: such axioms are counted and left alone.

use super::Closure;
use super::vocabulary::abbreviated;
use pellucid_data::INDIVIDUAL;
use pellucid_data::{Axiom, Ontology, Register};
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// Axioms about classes, taken apart.
#[derive(Default)]
pub(super) struct ClassAxioms {
    /// Named classes of which the first lies below the second.
    pub(super) below: Vec<[u32; 2]>,
    /// Individuals, numbered as in the ontology, that are in a class without its being asserted.
    pub(super) types: Vec<[u32; 2]>,
    /// Whoever satisfies the expression is in the class.
    pub(super) rules: Vec<(Expr, u32)>,
    /// Whoever satisfies the expression is related to the individual.
    pub(super) related: Vec<(Expr, Role, String)>,
    /// Classes no two of which share an individual.
    pub(super) disjoint: Vec<Vec<u32>>,
    /// By object property: named classes of its subjects.
    pub(super) role_domains: Vec<Vec<u32>>,
    /// By object property: named classes of its objects.
    pub(super) role_ranges: Vec<Vec<u32>>,
    /// By data property: named classes of its subjects.
    pub(super) property_domains: Vec<Vec<u32>>,
    /// Superclasses that nothing follows from.
    silent: Silent,
    /// What single individuals are said to be and nothing follows from.
    silent_types: Silent,
}

/// Expressions that nothing follows from: how many, and the first.
#[derive(Clone, Default)]
struct Silent {
    count: u64,
    first: Option<Expr>,
}

impl ClassAxioms {
    /// Takes the axioms of an ontology apart.
    pub(super) fn new(ontology: &Ontology, closure: &Closure) -> ClassAxioms {
        let mut found = ClassAxioms {
            role_domains: vec![Vec::new(); ontology.roles.len()],
            role_ranges: vec![Vec::new(); ontology.roles.len()],
            property_domains: vec![Vec::new(); ontology.properties.len()],
            ..ClassAxioms::default()
        };
        let mut reader = Reader { ontology, closure, found: &mut found, of_individuals: false };
        for axiom in &ontology.axioms {
            reader.axiom(axiom);
        }
        reader.of_individuals = true;
        for (individual, class) in &ontology.described {
            let name = ontology.individuals.get(*individual).to_owned();
            reader.conclude(&Expr::Compare(INDIVIDUAL.into(), Op::Equal, Value::Text(name)), class);
        }
        found
    }

    /// Sentences about what nothing follows from, where there is such.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let sentence = |silent: &Silent, one: &str, many: &str| {
            let first = abbreviated(silent.first.as_ref()?);
            Some(match silent.count {
                1 => format!("nothing follows in a closed world from {one}: '{first}'"),
                count => format!(
                    "nothing follows in a closed world from {count} {many}; the first is '{first}'"
                ),
            })
        };
        let classes =
            sentence(&self.silent, "a superclass without a name", "superclasses without a name");
        let types = sentence(
            &self.silent_types,
            "what an individual is said to be",
            "things that individuals are said to be",
        );
        classes.into_iter().chain(types)
    }
}

struct Reader<'a> {
    ontology: &'a Ontology,
    closure: &'a Closure,
    found: &'a mut ClassAxioms,
    /// Whether left sides are individuals that the file describes one by one.
    of_individuals: bool,
}

impl<'a> Reader<'a> {
    fn axiom(&mut self, axiom: &Axiom) {
        match axiom {
            Axiom::SubClass(left, right) => self.conclude(left, right),
            Axiom::Equivalent(classes) => {
                // A definition says who is in a class; that it says less the other way round is no surprise.
                let silent = self.found.silent.clone();
                for (place, left) in classes.iter().enumerate() {
                    for (other, right) in classes.iter().enumerate() {
                        if place != other {
                            self.conclude(left, right);
                        }
                    }
                }
                self.found.silent = silent;
            }
            Axiom::Disjoint(classes) => {
                let named = named(&self.ontology.classes, classes);
                self.found.disjoint.push(named);
            }
            Axiom::RoleDomain(role, class) => {
                let named = self.named_conjuncts(class);
                self.found.role_domains[*role as usize].extend(named);
                self.typing(self.role(*role, false), class);
            }
            Axiom::RoleRange(role, class) => {
                let named = self.named_conjuncts(class);
                self.found.role_ranges[*role as usize].extend(named);
                self.typing(self.role(*role, true), class);
            }
            Axiom::PropertyDomain(property, class) => {
                let named = self.named_conjuncts(class);
                self.found.property_domains[*property as usize].extend(named);
                let name = self.ontology.properties.get(*property).to_owned();
                self.typing(Role { name, inverse: false }, class);
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

    /// Whoever has anything by the role is in the class.
    fn typing(&mut self, role: Role, class: &Expr) {
        if self.closure.domains_and_ranges {
            let anything = Box::new(Expr::Constant(true));
            self.conclude(&Expr::Related(Quantifier::Some, role, anything), class);
        }
    }

    /// Whoever is in the left class is in the right one.
    fn conclude(&mut self, left: &Expr, right: &Expr) {
        if let Expr::Or(operands) = left {
            return operands.iter().for_each(|operand| self.conclude(operand, right));
        }
        let class = |expr: &Expr| match expr {
            Expr::Is(name) => self.ontology.classes.find(name),
            _ => None,
        };
        match right {
            _ if matches!(left, Expr::Constant(false)) || left == right => {}
            Expr::Constant(true) => {}
            // Whoever is in all of some classes is in none: two named ones share nobody.
            Expr::Constant(false) => match left {
                Expr::And(operands) if operands.len() == 2 => {
                    let named = named(&self.ontology.classes, operands);
                    self.found.disjoint.push(named);
                }
                _ => self.silent(right),
            },
            Expr::And(operands) => {
                operands.iter().for_each(|operand| self.conclude(left, operand));
            }
            Expr::Is(_) => match (class(left), class(right)) {
                (Some(low), Some(high)) => self.found.below.push([low, high]),
                (None, Some(high)) => match self.listed(left) {
                    Some(individuals) => self.found.types.extend(individuals.map(|i| [i, high])),
                    None => self.found.rules.push((left.clone(), high)),
                },
                (_, None) => self.silent(right),
            },
            Expr::Not(operand) => match (class(left), class(operand)) {
                (Some(a), Some(b)) => self.found.disjoint.push(vec![a, b]),
                _ => self.silent(right),
            },
            Expr::Related(Quantifier::Only, role, filler) if self.follows(role) => {
                let back = Role { name: role.name.clone(), inverse: !role.inverse };
                let objects = Expr::Related(Quantifier::Some, back, Box::new(left.clone()));
                self.conclude(&objects, filler);
            }
            Expr::Related(Quantifier::Some, role, filler) => match &**filler {
                Expr::Compare(column, Op::Equal, Value::Text(name)) if column == INDIVIDUAL => {
                    self.found.related.push((left.clone(), role.clone(), name.clone()));
                }
                _ => self.silent(right),
            },
            _ => self.silent(right),
        }
    }

    /// The individuals that an expression lists by name.
    fn listed<'b>(&self, expr: &'b Expr) -> Option<impl Iterator<Item = u32> + use<'a, 'b>> {
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

    /// Whether something follows for the objects of a role.
    fn follows(&self, role: &Role) -> bool {
        self.closure.universals && self.ontology.roles.find(&role.name).is_some()
    }

    fn silent(&mut self, right: &Expr) {
        let found = &mut *self.found;
        let silent = if self.of_individuals { &mut found.silent_types } else { &mut found.silent };
        silent.count += 1;
        silent.first.get_or_insert_with(|| right.clone());
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
