//! Tests the inferences of random ontologies against a naive fixpoint of rules.

use crate::support::*;
use pellucid_data::{Axiom, RoleExpression};
use pellucid_program::Expr;
use proptest::prelude::*;
use std::collections::BTreeSet;

const INDIVIDUALS: u32 = 6;
const ROLES: u32 = 4;
const CLASSES: u32 = 6;

type Pairs = BTreeSet<[u32; 2]>;

fn role_expression() -> impl Strategy<Value = RoleExpression> {
    (0..ROLES, any::<bool>()).prop_map(|(role, inverse)| RoleExpression { role, inverse })
}

fn role_axiom() -> impl Strategy<Value = Axiom> {
    prop_oneof![
        4 => (role_expression(), role_expression()).prop_map(|(a, b)| Axiom::SubRole(vec![a], b)),
        1 => (role_expression(), role_expression()).prop_map(|(a, b)| Axiom::SameRole(a, b)),
        1 => (0..ROLES).prop_map(Axiom::Symmetric),
        2 => (0..ROLES).prop_map(Axiom::Transitive),
        1 => (0..ROLES).prop_map(Axiom::Reflexive),
        3 => (prop::collection::vec(role_expression(), 2..4), role_expression())
            .prop_map(|(c, a)| Axiom::SubRole(c, a)),
    ]
}

fn naive_roles(axioms: &[Axiom], mut roles: Vec<Pairs>) -> Vec<Pairs> {
    let of = |roles: &[Pairs], expression: RoleExpression| -> Pairs {
        let pairs = roles[expression.role as usize].iter();
        if expression.inverse {
            pairs.map(|&[a, b]| [b, a]).collect()
        } else {
            pairs.copied().collect()
        }
    };
    let join = |left: &Pairs, right: &Pairs| -> Pairs {
        let mut joined = Pairs::new();
        for &[a, b] in left {
            joined.extend(right.iter().filter(|pair| pair[0] == b).map(|pair| [a, pair[1]]));
        }
        joined
    };
    let plain = |role| RoleExpression { role, inverse: false };
    loop {
        let before: usize = roles.iter().map(Pairs::len).sum();
        for axiom in axioms {
            match axiom {
                Axiom::SubRole(chain, to) => {
                    let first = of(&roles, chain[0]);
                    let all =
                        chain[1..].iter().fold(first, |left, &next| join(&left, &of(&roles, next)));
                    add_to(&mut roles, all, *to);
                }
                Axiom::SameRole(a, b) => {
                    let (left, right) = (of(&roles, *a), of(&roles, *b));
                    add_to(&mut roles, left, *b);
                    add_to(&mut roles, right, *a);
                }
                Axiom::Symmetric(role) => {
                    let back = of(&roles, RoleExpression { role: *role, inverse: true });
                    add_to(&mut roles, back, plain(*role));
                }
                Axiom::Transitive(role) => {
                    let own = of(&roles, plain(*role));
                    add_to(&mut roles, join(&own, &own), plain(*role));
                }
                Axiom::Reflexive(role) => {
                    add_to(&mut roles, (0..INDIVIDUALS).map(|x| [x, x]).collect(), plain(*role));
                }
                _ => {}
            }
        }
        if roles.iter().map(Pairs::len).sum::<usize>() == before {
            return roles;
        }
    }
}

fn add_to(roles: &mut [Pairs], new: Pairs, to: RoleExpression) {
    let new = new.into_iter().map(|[a, b]| if to.inverse { [b, a] } else { [a, b] });
    roles[to.role as usize].extend(new);
}

fn world() -> Builder {
    let mut builder = Builder::new();
    for number in 0..INDIVIDUALS {
        builder.individual(&format!("i{number}"));
    }
    for number in 0..ROLES {
        builder.role(&format!("r{number}"));
    }
    for number in 0..CLASSES {
        builder.class(&format!("C{number}"));
    }
    builder
}

/// Expressions that are monotone in the class instances.
fn expression() -> impl Strategy<Value = Expr> {
    let leaf = (0..CLASSES).prop_map(|class| is(&format!("C{class}")));
    leaf.prop_recursive(3, 8, 3, |inner| {
        let role = (0..ROLES, any::<bool>())
            .prop_map(|(role, inverse)| format!("{}r{role}", if inverse { "-" } else { "" }));
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..3).prop_map(Expr::and),
            prop::collection::vec(inner.clone(), 2..3).prop_map(Expr::or),
            (role.clone(), inner.clone()).prop_map(|(role, filler)| some(&role, filler)),
            (role, inner).prop_map(|(role, filler)| only(&role, filler)),
        ]
    })
}

fn holds(expr: &Expr, roles: &[Pairs], classes: &[BTreeSet<u32>], x: u32) -> bool {
    let number = |name: &str| name[1..].parse::<usize>().unwrap();
    match expr {
        Expr::Is(name) => classes[number(name)].contains(&x),
        Expr::And(all) => all.iter().all(|one| holds(one, roles, classes, x)),
        Expr::Or(any) => any.iter().any(|one| holds(one, roles, classes, x)),
        Expr::Related(quantifier, role, filler) => {
            let pairs = roles[number(&role.name)].iter();
            let mut reached = pairs.filter_map(|&[a, b]| match role.inverse {
                false => (a == x).then_some(b),
                true => (b == x).then_some(a),
            });
            match quantifier {
                pellucid_program::Quantifier::Some => {
                    reached.any(|y| holds(filler, roles, classes, y))
                }
                _ => reached.all(|y| holds(filler, roles, classes, y)),
            }
        }
        _ => unreachable!("expressions are made above"),
    }
}

/// Applies the right side of an axiom to an instance of its left side.
fn conclude(right: &Expr, roles: &[Pairs], classes: &mut [BTreeSet<u32>], x: u32) {
    match right {
        Expr::Is(name) => {
            classes[name[1..].parse::<usize>().unwrap()].insert(x);
        }
        Expr::And(all) => all.iter().for_each(|one| conclude(one, roles, classes, x)),
        Expr::Related(pellucid_program::Quantifier::Only, role, filler) => {
            let pairs = roles[role.name[1..].parse::<usize>().unwrap()].iter();
            for &[a, b] in pairs {
                let (from, to) = if role.inverse { (b, a) } else { (a, b) };
                if from == x {
                    conclude(filler, roles, classes, to);
                }
            }
        }
        _ => {}
    }
}

fn naive_classes(
    axioms: &[Axiom],
    roles: &[Pairs],
    mut classes: Vec<BTreeSet<u32>>,
) -> Vec<BTreeSet<u32>> {
    loop {
        let before: usize = classes.iter().map(BTreeSet::len).sum();
        for axiom in axioms {
            let pairs: Vec<(&Expr, &Expr)> = match axiom {
                Axiom::SubClass(left, right) => vec![(left, right)],
                Axiom::Equivalent(both) => vec![(&both[0], &both[1]), (&both[1], &both[0])],
                _ => unreachable!("axioms are made above"),
            };
            for (left, right) in pairs {
                for x in 0..INDIVIDUALS {
                    if holds(left, roles, &classes, x) {
                        conclude(right, roles, &mut classes, x);
                    }
                }
            }
        }
        if classes.iter().map(BTreeSet::len).sum::<usize>() == before {
            return classes;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1000)))]

    #[test]
    fn roles_agree(
        axioms in prop::collection::vec(role_axiom(), 0..7),
        edges in prop::collection::vec((0..ROLES, [0..INDIVIDUALS, 0..INDIVIDUALS]), 0..10),
    ) {
        let mut builder = world();
        let mut roles = vec![Pairs::new(); ROLES as usize];
        for (role, pair) in edges {
            builder.0.edges[role as usize].push(pair);
            roles[role as usize].insert(pair);
        }
        builder.0.axioms.clone_from(&axioms);
        let kb = builder.kb();
        for (links, naive) in kb.world.roles().iter().zip(naive_roles(&axioms, roles)) {
            prop_assert_eq!(links.forward.pairs().collect::<Vec<_>>(), naive.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn classes_agree(
        axioms in prop::collection::vec(
            prop_oneof![
                3 => [0..CLASSES, 0..CLASSES].prop_map(|pair| {
                    let [low, high] = pair.map(|class| is(&format!("C{class}")));
                    Axiom::SubClass(low, high)
                }),
                2 => (expression(), expression()).prop_map(|(a, b)| Axiom::SubClass(a, b)),
                1 => (expression(), expression()).prop_map(|(a, b)| Axiom::Equivalent(vec![a, b])),
            ],
            0..8,
        ),
        edges in prop::collection::vec((0..ROLES, [0..INDIVIDUALS, 0..INDIVIDUALS]), 0..10),
        types in prop::collection::vec([0..INDIVIDUALS, 0..CLASSES], 0..8),
    ) {
        let mut builder = world();
        let mut roles = vec![Pairs::new(); ROLES as usize];
        let mut classes = vec![BTreeSet::new(); CLASSES as usize];
        for (role, pair) in edges {
            builder.0.edges[role as usize].push(pair);
            roles[role as usize].insert(pair);
        }
        for [individual, class] in types {
            builder.0.types.push([individual, class]);
            classes[class as usize].insert(individual);
        }
        builder.0.axioms.clone_from(&axioms);
        let kb = builder.kb();
        for (members, naive) in kb.world.classes().iter().zip(naive_classes(&axioms, &roles, classes)) {
            let naive: Vec<usize> = naive.into_iter().map(|x| x as usize).collect();
            prop_assert_eq!(members.ones().collect::<Vec<_>>(), naive);
        }
    }
}
