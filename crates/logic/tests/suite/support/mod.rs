//! Small ontologies, written in code.

#![allow(dead_code, reason = "every test file uses its own part")]

use pellucid_data::INDIVIDUAL;
use pellucid_data::{Axiom, Datatype, Datum, Ontology, RoleExpression};
use pellucid_logic::kb::{Closure, KnowledgeBase};
use pellucid_program::{Expr, Op, Quantifier, Role, Value};

/// Builds an ontology. Names are registered on first use.
#[derive(Clone, Default)]
pub(crate) struct Builder(pub(crate) Ontology);

impl Builder {
    pub(crate) fn new() -> Builder {
        Builder(Ontology { name: "test".into(), ..Ontology::default() })
    }

    pub(crate) fn class(&mut self, name: &str) -> u32 {
        self.0.classes.add(name)
    }

    pub(crate) fn role(&mut self, name: &str) -> u32 {
        let number = self.0.roles.add(name);
        self.0.edges.resize(self.0.roles.len(), Vec::new());
        number
    }

    pub(crate) fn property(&mut self, name: &str) -> u32 {
        let number = self.0.properties.add(name);
        self.0.values.resize(self.0.properties.len(), Vec::new());
        number
    }

    pub(crate) fn individual(&mut self, name: &str) -> u32 {
        self.0.individuals.add(name)
    }

    /// `name` is a `class`.
    pub(crate) fn is(mut self, name: &str, class: &str) -> Builder {
        let pair = [self.individual(name), self.class(class)];
        self.0.types.push(pair);
        self
    }

    /// `subject role object`.
    pub(crate) fn edge(mut self, subject: &str, role: &str, object: &str) -> Builder {
        let role = self.role(role);
        let pair = [self.individual(subject), self.individual(object)];
        self.0.edges[role as usize].push(pair);
        self
    }

    /// A literal.
    pub(crate) fn value(
        mut self,
        subject: &str,
        property: &str,
        text: &str,
        kind: Datatype,
    ) -> Builder {
        let property = self.property(property);
        let subject = self.individual(subject);
        let text = self.0.texts.add(text);
        self.0.values[property as usize].push(Datum { subject, text, datatype: kind });
        self
    }

    pub(crate) fn same(mut self, a: &str, b: &str) -> Builder {
        let pair = [self.individual(a), self.individual(b)];
        self.0.same.push(pair);
        self
    }

    pub(crate) fn described(mut self, name: &str, class: Expr) -> Builder {
        self.names(&class);
        let individual = self.individual(name);
        self.0.described.push((individual, class));
        self
    }

    pub(crate) fn axiom(mut self, axiom: Axiom) -> Builder {
        self.0.axioms.push(axiom);
        self
    }

    pub(crate) fn sub_class(mut self, low: Expr, high: Expr) -> Builder {
        self.names(&low);
        self.names(&high);
        self.axiom(Axiom::SubClass(low, high))
    }

    pub(crate) fn equal(mut self, classes: Vec<Expr>) -> Builder {
        classes.iter().for_each(|class| self.names(class));
        self.axiom(Axiom::Equivalent(classes))
    }

    pub(crate) fn disjoint(mut self, classes: Vec<Expr>) -> Builder {
        classes.iter().for_each(|class| self.names(class));
        self.axiom(Axiom::Disjoint(classes))
    }

    pub(crate) fn domain(mut self, role: &str, class: Expr) -> Builder {
        self.names(&class);
        let role = self.role(role);
        self.axiom(Axiom::RoleDomain(role, class))
    }

    pub(crate) fn range(mut self, role: &str, class: Expr) -> Builder {
        self.names(&class);
        let role = self.role(role);
        self.axiom(Axiom::RoleRange(role, class))
    }

    /// A property or, with a `-` prefix, its inverse.
    pub(crate) fn role_expression(&mut self, text: &str) -> RoleExpression {
        let inverse = text.starts_with('-');
        RoleExpression { role: self.role(text.trim_start_matches('-')), inverse }
    }

    /// The chain `a b` is included in `c`; each may have a `-` prefix.
    pub(crate) fn sub_role(mut self, chain: &str, to: &str) -> Builder {
        let chain = chain.split(' ').map(|step| self.role_expression(step)).collect();
        let to = self.role_expression(to);
        self.axiom(Axiom::SubRole(chain, to))
    }

    pub(crate) fn same_role(mut self, a: &str, b: &str) -> Builder {
        let (a, b) = (self.role_expression(a), self.role_expression(b));
        self.axiom(Axiom::SameRole(a, b))
    }

    pub(crate) fn symmetric(mut self, role: &str) -> Builder {
        let role = self.role(role);
        self.axiom(Axiom::Symmetric(role))
    }

    pub(crate) fn transitive(mut self, role: &str) -> Builder {
        let role = self.role(role);
        self.axiom(Axiom::Transitive(role))
    }

    pub(crate) fn kb(self) -> KnowledgeBase {
        self.kb_with(&Closure::default())
    }

    pub(crate) fn kb_with(self, closure: &Closure) -> KnowledgeBase {
        KnowledgeBase::new(self.0, closure).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Registers the names in an expression, as a reader does.
    fn names(&mut self, expr: &Expr) {
        match expr {
            Expr::Is(name) => {
                self.class(name);
            }
            Expr::Not(operand) => self.names(operand),
            Expr::And(operands) | Expr::Or(operands) => {
                operands.iter().for_each(|operand| self.names(operand));
            }
            Expr::Related(_, role, filler) => {
                if self.0.properties.find(&role.name).is_none() {
                    self.role(&role.name);
                }
                self.names(filler);
            }
            _ => {}
        }
    }
}

pub(crate) fn is(name: &str) -> Expr {
    Expr::Is(name.into())
}

pub(crate) fn not(operand: Expr) -> Expr {
    Expr::Not(Box::new(operand))
}

pub(crate) fn thing() -> Expr {
    Expr::Constant(true)
}

pub(crate) fn related(quantifier: Quantifier, role: &str, filler: Expr) -> Expr {
    let (name, inverse) = (role.trim_start_matches('-').to_owned(), role.starts_with('-'));
    Expr::Related(quantifier, Role { name, inverse }, Box::new(filler))
}

pub(crate) fn some(role: &str, filler: Expr) -> Expr {
    related(Quantifier::Some, role, filler)
}

pub(crate) fn only(role: &str, filler: Expr) -> Expr {
    related(Quantifier::Only, role, filler)
}

pub(crate) fn one(name: &str) -> Expr {
    Expr::Compare(INDIVIDUAL.into(), Op::Equal, Value::Text(name.into()))
}

/// The names of the instances of a class, in the order of the individuals.
pub(crate) fn members(kb: &KnowledgeBase, class: &str) -> Vec<String> {
    let class = kb.find_class(class).unwrap_or_else(|| panic!("no class {class}"));
    let members = kb.world.classes()[class as usize].ones();
    members.map(|member| kb.show_individual(u32::try_from(member).unwrap()).to_owned()).collect()
}

/// The pairs of a role as `subject-object`.
pub(crate) fn pairs(kb: &KnowledgeBase, role: &str) -> Vec<String> {
    let role = kb.find_role(role).unwrap_or_else(|| panic!("no role {role}"));
    let links = &kb.world.roles()[role as usize];
    let show = |number| kb.show_individual(number);
    let mut back: Vec<[u32; 2]> = links.inverse.pairs().map(|[b, a]| [a, b]).collect();
    back.sort_unstable();
    assert_eq!(back, links.forward.pairs().collect::<Vec<_>>(), "both directions agree");
    let mut found: Vec<String> =
        links.forward.pairs().map(|[a, b]| format!("{}-{}", show(a), show(b))).collect();
    found.sort_unstable();
    found
}

impl Builder {
    pub(crate) fn individual_named(mut self, name: &str) -> Builder {
        self.individual(name);
        self
    }
}
