//! Where the time of a step goes.

use std::time::Instant;

/// A part of a step, as publications tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding who matches, and what is kept so that it is found fast.
    Match,
    /// Making rules for what nobody matches.
    Cover,
    /// What the match set foretells or votes for.
    Predict,
    /// Moving estimates.
    Update,
    /// Choosing parents, crossing and mutating.
    Breed,
    /// Rules taken in by wider ones.
    Subsume,
    /// Making room.
    Delete,
}

impl Phase {
    /// All of them, in the order of a step.
    pub const ALL: [Phase; 7] = [
        Phase::Match,
        Phase::Cover,
        Phase::Predict,
        Phase::Update,
        Phase::Breed,
        Phase::Subsume,
        Phase::Delete,
    ];

    /// Its name.
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

/// How long each phase took. To read the clock at every change costs a few hundred nanoseconds a step, so steps are clocked only
/// where somebody asks, and speeds are measured without.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    seconds: [f64; Phase::ALL.len()],
}

impl Profile {
    /// The seconds of a phase.
    #[must_use]
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.seconds[phase as usize]
    }

    /// The seconds of all.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.seconds.iter().sum()
    }

    /// Adds those of another.
    pub fn add(&mut self, other: &Profile) {
        self.seconds.iter_mut().zip(other.seconds).for_each(|(own, other)| *own += other);
    }
}

/// A clock that knows which phase it is.
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

    /// Another phase begins. Says which it was.
    pub(crate) fn enter(&mut self, phase: Phase) -> Phase {
        let now = Instant::now();
        self.profile.seconds[self.now as usize] += (now - self.since).as_secs_f64();
        self.since = now;
        std::mem::replace(&mut self.now, phase)
    }
}
