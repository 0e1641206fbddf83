//! Time measurements of the phases of a step.

use std::time::Instant;

/// A phase of a step, as in the publications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Forming the match set, and maintaining the data structures for it.
    Match,
    /// Covering.
    Cover,
    /// Computing the prediction array or the votes.
    Predict,
    /// Updating the estimates.
    Update,
    /// Selection, crossover and mutation.
    Breed,
    /// Subsumption.
    Subsume,
    /// Deletion.
    Delete,
}

impl Phase {
    /// All phases, in the order of a step.
    pub const ALL: [Phase; 7] = [
        Phase::Match,
        Phase::Cover,
        Phase::Predict,
        Phase::Update,
        Phase::Breed,
        Phase::Subsume,
        Phase::Delete,
    ];

    /// Returns the name of the phase.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Match => "match",
            Phase::Cover => "cover",
            Phase::Predict => "prediction array",
            Phase::Update => "update",
            Phase::Breed => "genetic algorithm",
            Phase::Subsume => "subsumption",
            Phase::Delete => "deletion",
        }
    }
}

/// The time of each phase. Reading the clock at every phase costs a few hundred nanoseconds per
/// step, so it is off by default, and speeds are measured without it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    seconds: [f64; Phase::ALL.len()],
}

impl Profile {
    /// Returns the seconds of a phase.
    #[must_use]
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.seconds[phase as usize]
    }

    /// Returns the seconds of all phases.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.seconds.iter().sum()
    }

    /// Adds the times of another profile.
    pub fn add(&mut self, other: &Profile) {
        self.seconds.iter_mut().zip(other.seconds).for_each(|(own, other)| *own += other);
    }
}

/// A clock for the phases of a step.
#[derive(Clone, Debug)]
pub(crate) struct PhaseClock {
    pub(crate) profile: Profile,
    now: Phase,
    since: Instant,
}

impl PhaseClock {
    pub(crate) fn new() -> PhaseClock {
        PhaseClock { profile: Profile::default(), now: Phase::Match, since: Instant::now() }
    }

    /// Starts a phase and returns the previous one.
    pub(crate) fn enter(&mut self, phase: Phase) -> Phase {
        let now = Instant::now();
        self.profile.seconds[self.now as usize] += (now - self.since).as_secs_f64();
        self.since = now;
        std::mem::replace(&mut self.now, phase)
    }
}
