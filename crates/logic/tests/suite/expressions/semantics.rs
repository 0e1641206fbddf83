//! Tests each semantics against a direct evaluation.

use crate::expressions::generate::{expr, world};
use pellucid_logic::Semantics;
use pellucid_logic::syntax::normal;
use pellucid_program::{Expr, Programs, Quantifier};
use pellucid_relate::{Target, World, spec};
use proptest::prelude::*;

/// Whether an individual is an instance of an expression in a semantics, by counting fillers.
fn holds(semantics: Semantics, world: &World, expr: &Expr, individual: u32) -> bool {
    let of = |expr: &Expr| holds(semantics, world, expr, individual);
    match expr {
        Expr::Not(operand) => !of(operand),
        Expr::And(operands) => operands.iter().all(of),
        Expr::Or(operands) => operands.iter().any(of),
        Expr::Related(quantifier, role, filler) => {
            let mut programs = Programs::new(world.schema());
            let number = programs.schema().role(&role.name).expect("a known role");
            let hits: Vec<bool> = match world.target(number) {
                Target::Individuals(number) => {
                    let links = &world.roles()[number];
                    let edges = if role.inverse { &links.inverse } else { &links.forward };
                    let others = edges.of(individual).iter();
                    others.map(|&other| holds(semantics, world, filler, other)).collect()
                }
                Target::Values(property) => {
                    let filler = programs.add(filler).expect("a known filler");
                    let values = world.properties()[property].edges.of(individual).iter();
                    let holds = |&value: &u32| {
                        spec::value_holds(world, &programs, filler, property, value as usize)
                    };
                    values.map(holds).collect()
                }
            };
            let count = hits.iter().filter(|&&hit| hit).count();
            match (quantifier, semantics) {
                (Quantifier::Some, _) => count > 0,
                (Quantifier::Only, Semantics::SomeOnly) => count == hits.len() && count > 0,
                (Quantifier::Only, _) => count == hits.len(),
                (Quantifier::Min(least), _) => count >= *least as usize,
                (Quantifier::Max(most), Semantics::HtHedl) => count > 0 && count <= *most as usize,
                (Quantifier::Max(most), _) => count <= *most as usize,
                (Quantifier::Exactly(exact), _) => count == *exact as usize,
            }
        }
        leaf => {
            let mut programs = Programs::new(world.schema());
            let id = programs.add(leaf).expect("a known leaf");
            spec::holds(world, &programs, id, individual)
        }
    }
}

proptest! {
    #[test]
    fn rewriting_preserves_the_meaning(world in world(), expr in expr()) {
        for semantics in [Semantics::Standard, Semantics::HtHedl, Semantics::SomeOnly] {
            let rewritten = semantics.standard(&expr);
            let mut programs = Programs::new(world.schema());
            let id = programs.add(&rewritten).expect("a known expression");
            for individual in 0..world.len() as u32 {
                prop_assert_eq!(
                    spec::holds(&world, &programs, id, individual),
                    holds(semantics, &world, &expr, individual),
                    "{:?} of {}", semantics, individual
                );
            }
        }
        prop_assert_eq!(normal(&Semantics::Standard.standard(&expr)), normal(&expr));
    }
}
