use super::rewrites::simpler;
use super::{complexity, readable};
use crate::learn::random_world::{context, planted, random_kb};
use crate::learn::{Options, SearchContext};
use pellucid_program::Expr;

fn parse(text: &str) -> Expr {
    text.parse().expect("an expression")
}

fn covered(context: &mut SearchContext, expr: &Expr) -> u128 {
    let program = context.programs_mut().add(expr).expect("a sound expression");
    context.coverage(program).expect("a CPU")
}

#[test]
fn redundant_operands_are_removed_at_any_depth() {
    let cases = [
        ("A or (A and B)", "A"),
        ("A and (A or some r (B))", "A"),
        ("not (A or (A and B))", "not A"),
    ];
    for seed in 0..8 {
        let kb = random_kb(seed, 60);
        let Some(task) = planted(&kb, "A") else { continue };
        let mut context = context(&kb, task, &Options::default(), 1);
        for (redundant, needed) in cases {
            let found = readable(&mut context, &parse(redundant)).expect("a CPU");
            assert_eq!(found, parse(needed), "seed {seed}");
        }
    }
}

#[test]
fn no_simpler_rewriting_covers_the_same_examples() {
    let texts = [
        "A or B or C or some r (B)",
        "(A or B) and (C or D) and not some s (A)",
        "min 3 r (A) or some inverse r (some r (B and C))",
        "some s (some age (3 <= age < 30)) and exactly 2 s (A)",
    ];
    let mut compared = 0;
    for seed in 0..8 {
        let kb = random_kb(seed, 60);
        let Some(task) = planted(&kb, "A and some r (B)") else { continue };
        let mut context = context(&kb, task, &Options::default(), 1);
        for text in texts {
            let expr = parse(text);
            let kept = readable(&mut context, &expr).expect("a CPU");
            let whole = covered(&mut context, &kept);
            assert_eq!(whole, covered(&mut context, &expr), "seed {seed}: {kept}");
            assert!(complexity(&kept) <= complexity(&expr), "seed {seed}: {kept}");
            for other in simpler(&kept) {
                if complexity(&other) < complexity(&kept) {
                    compared += 1;
                    assert_ne!(covered(&mut context, &other), whole, "seed {seed}: {kept}");
                }
            }
        }
    }
    assert!(compared > 30, "only {compared} expressions were compared");
}
