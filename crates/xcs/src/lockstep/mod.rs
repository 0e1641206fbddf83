//! Systems that live side by side on a GPU: what they are like and how they stand, as the kernel takes it and gives it back.
//!
//! The step itself is written twice, here in Rust and once more in `gpu/kernels`, and the two give the same
//! bits: whoever changes one changes the other, and `lockstep/tests.rs` holds them together. What the kernel does not know
//! is left to the processor ([`constants`] says nothing then).

pub(crate) mod fit;
pub(crate) mod tables;
#[cfg(all(test, feature = "emulator"))]
pub(crate) mod tests;

use crate::conditions::Ternary;
use crate::gpu::{self, Constants, MOST_COLUMNS, MOST_LABELS, MOST_SLOTS, Rule};
use crate::params::{Crossover, Life};
use crate::population::{Classifier, Population};
use crate::roulette::Roulette;
use crate::system::{State, System};
use pellucid_learn::rng::Stream;
use serde::{Deserialize, Serialize};

/// The largest power of accuracy that is taken by squaring; others are left to the processor.
const MOST_POWER: f64 = 64.0;

/// What a system is like, as the kernel takes it; nothing for what it does not know.
pub(crate) fn constants(system: &System<Ternary>, supervised: bool) -> Option<Constants> {
    let Life {
        population,
        learning_rate,
        accuracy_fall,
        accuracy_power,
        forgiven_error,
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
    let columns = u32::try_from(conditions.columns).ok().filter(|&it| it <= MOST_COLUMNS)?;
    let is_whole = accuracy_power.fract() == 0.0 && (0.0..=MOST_POWER).contains(&accuracy_power);
    if specify || !is_whole || system.classes > MOST_LABELS || population as usize + 64 > MOST_SLOTS
    {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a small whole number"
    )]
    let accuracy_power = accuracy_power as u32;
    Some(Constants {
        learning_rate,
        accuracy_fall,
        accuracy_power,
        forgiven_error,
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

/// How a system stands, as the kernel takes it. Its world is the stream that its problems come from, if they do.
pub(crate) fn leaving(system: &System<Ternary>, world: Option<&Stream>) -> gpu::State {
    let State { population, stream, time, .. } = &system.state;
    gpu::State {
        life: words_of(stream),
        world: world.map_or([0; 4], words_of),
        time: *time,
        copies: population.copies,
        fitness: population.fitness,
        made: system.made,
        rules: population.rules.iter().map(sent).collect(),
        care: population.conditions.care.clone(),
        value: population.conditions.value.clone(),
        weights: population.wheel.clone().into(),
        free: population.free.clone(),
    }
}

/// How a system stands that comes back after so many inputs. Its world goes on where it is.
pub(crate) fn returned(
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
        rules: state.rules.iter().map(back).collect(),
        free: state.free,
        copies,
        fitness,
        wheel: Roulette::from(state.weights),
    };
    // Only an all-zero generator cannot be read back, and none gets there.
    let stream = stream_of(life).unwrap_or_else(|| system.state.stream.clone());
    if let (Some(world), Some(stream)) = (world, stream_of(around)) {
        *world = stream;
    }
    system.restore(State { population, stream, time, shown });
    system.made = made;
}

/// A generator as it is stored.
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

/// The same record by the other name of its class.
macro_rules! renamed {
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

fn sent(rule: &Classifier) -> Rule {
    renamed!(rule, class => Rule { label })
}

fn back(rule: &Rule) -> Classifier {
    renamed!(rule, label => Classifier { class })
}
