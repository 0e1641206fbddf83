//! The same seed gives the same model, and the counts of a model are correct.

use crate::cases::{learned, machine, noisy, plain_machine, small};
use pellucid_bits::Level;
use pellucid_data::Dataset;
use pellucid_learn::metrics::Confusion;
use pellucid_learn::model::StoredModel;
use pellucid_program::{Expr, Op, PerColumn, simplify};
use pellucid_rules::apply::AppliedRules;
use pellucid_rules::model::{LEARNER, Rule, RuleModel};
use pellucid_rules::params::{Covering, Mode};
use pellucid_rules::summary::{ROWS, mean_of};
use std::path::Path;

/// Every mode on bags and on rows.
fn each(mut check: impl FnMut(Mode, &Dataset, u64)) {
    for mode in Mode::ALL {
        for (seed, has_bags) in [(0, true), (1, true), (2, false), (3, false)] {
            check(mode, &noisy(seed, has_bags), seed);
        }
    }
}

#[test]
fn models_do_not_depend_on_threads_and_instruction_sets() {
    let levels: Vec<Level> = Level::ALL.into_iter().filter(|level| level.is_available()).collect();
    let mut machines = vec![plain_machine(), machine(2, Level::best()), machine(3, Level::best())];
    machines.extend(levels.into_iter().map(|level| machine(1, level)));
    each(|mode, data, seed| {
        let models: Vec<String> = machines
            .iter()
            .map(|machine| learned(data, small(mode, seed), machine).unwrap())
            .map(|learned| learned.model.to_json().unwrap())
            .collect();
        for (index, model) in models.iter().enumerate() {
            assert_eq!(model, &models[0], "{mode} with seed {seed} on machine {index}");
        }
    });
}

#[test]
fn another_seed_may_give_another_model() {
    let data = noisy(0, true);
    let machine = plain_machine();
    let rules = |seed| learned(&data, small(Mode::G3pMi, seed), &machine).unwrap().model.body;
    let first = rules(0);
    assert!((1..6).any(|seed| rules(seed) != first), "{first:?}");
}

/// Returns how many examples of each class a rule covers.
fn recount(applied: &AppliedRules, rule: usize, data: &Dataset) -> Vec<u64> {
    let mut counts = vec![0; 2];
    for (example, code) in data.example_codes().into_iter().enumerate() {
        // In a list, only examples that no earlier rule covers are counted.
        let is_taken = applied.is_ordered() && (0..rule).any(|one| applied.holds(one, example));
        counts[code as usize] += u64::from(applied.holds(rule, example) && !is_taken);
    }
    counts
}

fn reread(model: &RuleModel) -> RuleModel {
    let text = model.to_json().unwrap();
    let stored = StoredModel::parse(Path::new("model.json"), text.into_bytes()).unwrap();
    stored.read(LEARNER).unwrap()
}

#[test]
fn counts_match_the_parsed_model() {
    let machine = plain_machine();
    each(|mode, data, seed| {
        let learned = learned(data, small(mode, seed), &machine).unwrap();
        let model = reread(&learned.model);
        assert_eq!(model, learned.model);
        let codes = data.example_codes();
        let number = |class| codes.iter().filter(|&&code| code == class).count() as u64;
        assert_eq!(model.body.examples, [number(0), number(1)]);
        let applied = AppliedRules::new(&model, data, &machine).unwrap();
        for (index, rule) in model.body.rules.iter().enumerate() {
            assert_eq!(rule.covered, recount(&applied, index, data), "{mode}: {}", rule.when);
        }
        let mut front = model.clone();
        front.body.rules = std::mem::take(&mut front.body.front);
        let applied = AppliedRules::new(&front, data, &machine).unwrap();
        for (index, rule) in front.body.rules.iter().enumerate() {
            assert_eq!(rule.covered, recount(&applied, index, data), "{mode}: {}", rule.when);
        }
        let predicted = AppliedRules::new(&model, data, &machine).unwrap().predictions();
        let right = predicted.iter().zip(&codes).filter(|(one, two)| one == two).count();
        let accuracy = right as f64 / codes.len() as f64;
        let scores = serde_json::to_value(&learned.train).unwrap();
        assert_eq!(scores["accuracy"].as_f64(), Some(accuracy), "{mode}");
    });
}

/// The counts of the search are those of the model's conditions.
#[test]
fn the_best_fitness_is_that_of_the_reported_rule() {
    let machine = plain_machine();
    let coverings =
        [Covering::Auto, Covering::Presence, Covering::AtLeast(2), Covering::Between(1, 2)];
    for seed in 0..12 {
        let data = noisy(seed, seed % 3 != 0);
        let mut params = small(Mode::G3pMi, seed);
        params.covering = coverings[seed as usize % 4];
        let metric = params.metric;
        let learned = learned(&data, params, &machine).unwrap();
        let [rule] = &learned.model.body.rules[..] else { panic!("one rule") };
        let [negatives, positives] = learned.model.body.examples[..] else { panic!("two") };
        let covered =
            Confusion::from_covered(rule.covered[1], rule.covered[0], positives, negatives);
        assert_eq!(learned.run.summary.best, Some(metric.of(&covered)), "{}", rule.when);
        let counted = match &rule.when {
            Expr::And(least_and_most) if matches!(least_and_most[0], Expr::Related(..)) => {
                &least_and_most[0]
            }
            counted => counted,
        };
        let of_row = match counted {
            Expr::Related(_, _, filler) => filler,
            of_row => of_row,
        };
        assert_eq!(&simplify(of_row, PerColumn::One), of_row, "nothing is repeated");
    }
}

#[test]
fn no_rule_of_a_front_is_better_than_another() {
    let machine = plain_machine();
    let (mut longest, key) = (0, |rule: &Rule| (rule.covered[1], rule.covered[0]));
    for seed in 0..8 {
        let data = noisy(seed, seed % 2 == 0);
        let model = learned(&data, small(Mode::Pareto, seed), &machine).unwrap().model.body;
        for pair in model.front.windows(2) {
            let ((more, false_more), (fewer, false_fewer)) = (key(&pair[0]), key(&pair[1]));
            assert!(more > fewer && false_more > false_fewer, "{pair:?}");
        }
        assert!(model.front.contains(&model.rules[0]), "{:?}", model.rules);
        longest = longest.max(model.front.len());
    }
    assert!(longest > 2, "fronts of {longest} rules at most test little");
}

/// Collects the operators of a condition, and the columns that it uses or summarizes.
fn words(expr: &Expr, operators: &mut Vec<Op>, names: &mut Vec<String>) {
    match expr {
        Expr::Compare(name, op, _) => {
            operators.push(*op);
            names.push(name.clone());
        }
        Expr::Is(name) | Expr::OneOf(name, _) => {
            operators.push(Op::Equal);
            names.push(name.clone());
        }
        Expr::Within(name, _) => {
            operators.extend([Op::Greater, Op::LessEqual]);
            names.push(name.clone());
        }
        Expr::Not(operand) => match &**operand {
            Expr::Is(name) => {
                operators.push(Op::NotEqual);
                names.push(name.clone());
            }
            other => words(other, operators, names),
        },
        Expr::Related(_, _, filler) => words(filler, operators, names),
        Expr::And(operands) | Expr::Or(operands) => {
            operands.iter().for_each(|operand| words(operand, operators, names));
        }
        other => panic!("unexpected {other}"),
    }
}

#[test]
fn rules_keep_to_the_attributes_and_operators_chosen() {
    let machine = plain_machine();
    let allowed = ["kind 1", "kind 5", "kind 7", "telling"];
    for operators in [vec![Op::Greater], vec![Op::LessEqual, Op::Equal], vec![Op::NotEqual]] {
        each(|mode, data, seed| {
            let mut params = small(mode, seed);
            params.grammar.attributes = allowed.map(String::from).to_vec();
            params.grammar.operators = operators.iter().map(|op| op.symbol().into()).collect();
            let model = learned(data, params, &machine).unwrap().model.body;
            for rule in model.rules.iter().chain(&model.front) {
                let (mut used, mut names) = (Vec::new(), Vec::new());
                words(&rule.when, &mut used, &mut names);
                assert!(used.iter().all(|op| operators.contains(op)), "{mode}: {}", rule.when);
                // The number of rows is not an attribute.
                let is_allowed =
                    |name: &str| name == ROWS || allowed.contains(&mean_of(name).unwrap_or(name));
                assert!(names.iter().all(|name| is_allowed(name)), "{mode}: {}", rule.when);
            }
        });
    }
}
