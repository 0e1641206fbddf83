//! Compares the update equations with plain ones in double precision.

use crate::conditions::Ternary;
use crate::params::SystemParams;
use crate::population::Classifier;
use crate::system::System;
use pellucid_bits::Level;
use pellucid_learn::rng::Streams;
use pellucid_matching::{CodeDomain, CodedExamples, Matching, Way};
use std::sync::Arc;

/// The estimates of a rule, as Butz and Wilson define them.
#[derive(Clone, Debug)]
struct Plain {
    p: f64,
    e: f64,
    f: f64,
    size: f64,
    exp: f64,
    n: f64,
}

fn update(niche: &mut [Plain], reward: f64, life: &SystemParams) {
    let total: f64 = niche.iter().map(|rule| rule.n).sum();
    let (beta, alpha, nu) = (life.learning_rate, life.accuracy_fall, life.accuracy_power);
    let eps0 = life.forgiven_error * life.reward;
    for rule in niche.iter_mut() {
        rule.exp += 1.0;
        let rate = if rule.exp < 1.0 / beta { 1.0 / rule.exp } else { beta };
        if life.error_first {
            rule.e += rate * ((reward - rule.p).abs() - rule.e);
            rule.p += rate * (reward - rule.p);
        } else {
            rule.p += rate * (reward - rule.p);
            rule.e += rate * ((reward - rule.p).abs() - rule.e);
        }
        rule.size += rate * (total - rule.size);
    }
    let kappa: Vec<f64> = niche
        .iter()
        .map(|rule| if rule.e < eps0 { 1.0 } else { alpha * (rule.e / eps0).powf(-nu) })
        .collect();
    let sum: f64 = niche.iter().zip(&kappa).map(|(rule, kappa)| kappa * rule.n).sum();
    for (rule, kappa) in niche.iter_mut().zip(&kappa) {
        rule.f += beta * (kappa * rule.n / sum - rule.f);
    }
}

#[test]
fn updates_follow_the_publication() {
    for error_first in [false, true] {
        let life = SystemParams { error_first, ..SystemParams::default() };
        let examples = Arc::new(CodedExamples::none(vec![CodeDomain::ordered(2); 3]));
        let matcher = Matching::by(Way::Direct, Level::Portable, &examples, 64);
        let stream = Streams::new(1).stream(&[]);
        let mut system = System::new(Ternary::new(3, 0.5), life.clone(), 2, stream, matcher);
        let mut plain = Vec::new();
        for slot in 0..6_u32 {
            system.cover(&[0, 1, 0], 0);
            system.state.population.copy(slot as usize, slot % 3, &life);
            let (n, p) = (f64::from(1 + slot % 3), 0.01 * life.reward);
            plain.push(Plain { p, e: 0.0, f: 0.01, size: 1.0, exp: 0.0, n });
        }
        let mut stream = Streams::new(2).stream(&[]);
        for step in 0..300 {
            let members: Vec<u32> = (0..6).filter(|_| stream.chance(0.6)).collect();
            let reward = if stream.chance(0.8) { 1000.0 } else { 0.0 };
            system.niche.clone_from(&members);
            system.update(reward);
            let mut niche: Vec<Plain> =
                members.iter().map(|&slot| plain[slot as usize].clone()).collect();
            update(&mut niche, reward, &life);
            for (&slot, rule) in members.iter().zip(niche) {
                plain[slot as usize] = rule;
            }
            for (rule, expected) in system.state.population.rules.iter().zip(&plain) {
                let Classifier { prediction, error, fitness, niche, experience, .. } = *rule;
                let near = |found: f32, expected: f64, scale: f64| {
                    assert!(
                        (f64::from(found) - expected).abs() <= 1e-4 * scale,
                        "step {step}: {found} {expected}"
                    );
                };
                near(prediction, expected.p, 1000.0);
                near(error, expected.e, 1000.0);
                near(fitness, expected.f, 1.0);
                near(niche, expected.size, 10.0);
                assert_eq!(f64::from(experience), expected.exp);
            }
        }
    }
}
