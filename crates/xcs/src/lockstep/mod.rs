//! Conversion of systems for the GPU kernel: their constants and their states, in both directions.
//!
//! The step itself is implemented twice, in the learner, which is the specification (`gpu/spec.rs`), and in
//! `gpu/kernels`. Both implementations give the same bits. A change to one needs the same change to the
//! other; `lockstep/tests.rs` compares them. Systems that
//! the kernel does not support run on the CPU ([`constants`] returns `None` for them).

pub(crate) mod fit;
pub(crate) mod tables;
#[cfg(all(test, feature = "emulator"))]
pub(crate) mod tests;

use crate::conditions::Ternary;
use crate::gpu::{self, Constants, MAX_COLUMNS, MAX_LABELS, MAX_SLOTS, Rule};
use crate::params::{Crossover, SystemParams};
use crate::population::{Classifier, Population};
use crate::roulette::Roulette;
use crate::system::{State, System};
use pellucid_learn::rng::Stream;
use serde::{Deserialize, Serialize};

/// The largest power of accuracy that the kernel computes by squaring; others run on the CPU.
const MAX_POWER: f64 = 64.0;

/// Returns the constants of a system for the kernel, or `None` if the kernel does not support the system.
pub(crate) fn constants(system: &System<Ternary>, supervised: bool) -> Option<Constants> {
    let SystemParams {
        population,
        learning_rate,
        accuracy_fall,
        accuracy_power,
        forgiven_error: _,
        accurate_from,
        breeding_pause,
        crossover_rate,
        crossover,
        mutation,
        tournament,
        deletion_experience,
        deletion_share,
        subsumption_experience,
        subsume_children,
        subsume_niche,
        error_first,
        specify,
        least_actions,
        exploration,
        discount: _,
        reward,
    } = system.life;
    let conditions = &system.state.population.conditions;
    let columns = u32::try_from(conditions.columns).ok().filter(|&it| it <= MAX_COLUMNS)?;
    let is_whole = accuracy_power.fract() == 0.0 && (0.0..=MAX_POWER).contains(&accuracy_power);
    if specify || !is_whole || system.classes > MAX_LABELS || population as usize + 64 > MAX_SLOTS {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a small integer"
    )]
    let accuracy_power = accuracy_power as u32;
    Some(Constants {
        learning_rate,
        accuracy_fall,
        accuracy_power,
        forgiven_error: system.life.forgiven_error(),
        accurate_from,
        crossover_rate,
        mutation,
        tournament,
        deletion_share,
        exploration,
        reward,
        named: 1.0 - conditions.dont_care,
        breeding_pause,
        population,
        deletion_experience,
        subsumption_experience,
        labels: system.classes,
        least_labels: least_actions.unwrap_or(system.classes).min(system.classes),
        columns,
        supervised,
        subsume_children,
        subsume_niche,
        error_first,
        two_point: crossover == Crossover::TwoPoint,
    })
}

/// Returns the state of a system for the kernel. `world` is the random stream of its problems, if it has one.
pub(crate) fn export_state(system: &System<Ternary>, world: Option<&Stream>) -> gpu::State {
    let State { population, stream, time, .. } = &system.state;
    gpu::State {
        life: words_of(stream),
        world: world.map_or([0; 4], words_of),
        time: *time,
        copies: population.copies,
        fitness: population.fitness,
        made: system.made,
        rules: population.rules.iter().map(to_gpu_rule).collect(),
        care: population.conditions.care.clone(),
        value: population.conditions.value.clone(),
        weights: population.wheel.clone().into(),
        free: population.free.clone(),
    }
}

/// Restores a system from the state that the kernel returned after `shown` inputs, and its random stream of
/// problems.
pub(crate) fn import_state(
    system: &mut System<Ternary>,
    state: gpu::State,
    shown: u64,
    world: Option<&mut Stream>,
) {
    let gpu::State { life, world: around, time, copies, fitness, made, .. } = state;
    let mut conditions = system.state.population.conditions.clone();
    (conditions.care, conditions.value) = (state.care, state.value);
    let population = Population {
        conditions,
        rules: state.rules.iter().map(to_classifier).collect(),
        free: state.free,
        copies,
        fitness,
        wheel: Roulette::from(state.weights),
    };
    // Only an all-zero generator cannot be restored, and no generator reaches that state.
    let stream = stream_of(life).unwrap_or_else(|| system.state.stream.clone());
    if let (Some(world), Some(stream)) = (world, stream_of(around)) {
        *world = stream;
    }
    system.restore(State { population, stream, time, shown });
    system.made = made;
}

/// The serialized form of a generator.
#[derive(Serialize, Deserialize)]
struct Words {
    s: [u64; 4],
}

fn words_of(stream: &Stream) -> [u64; 4] {
    let stored = serde_json::to_value(stream).and_then(serde_json::from_value::<Words>);
    stored.map_or([0; 4], |words| words.s)
}

fn stream_of(words: [u64; 4]) -> Option<Stream> {
    serde_json::to_value(Words { s: words }).and_then(serde_json::from_value).ok()
}

/// Converts between the two record types, which differ in the name of the class field.
macro_rules! convert_rule {
    ($rule:expr, $class:ident => $into:ident { $label:ident }) => {
        $into {
            $label: $rule.$class,
            digest: $rule.digest,
            stamp: $rule.stamp,
            copies: $rule.copies,
            experience: $rule.experience,
            correct: $rule.correct,
            prediction: $rule.prediction,
            error: $rule.error,
            fitness: $rule.fitness,
            niche: $rule.niche,
        }
    };
}

fn to_gpu_rule(rule: &Classifier) -> Rule {
    convert_rule!(rule, class => Rule { label })
}

fn to_classifier(rule: &Rule) -> Classifier {
    convert_rule!(rule, label => Classifier { class })
}
