//! Learning from known answers (UCS): the right action of each input is given.

use super::Agent;
use crate::system::MatchInput;

impl Agent {
    /// Learns from an input whose right action is known. Returns the action that the rules predicted
    /// before; `None` if no rule matched.
    ///
    /// ```
    /// use pellucid_xcs::environment::{Agent, Environment as _, Multiplexer};
    /// use pellucid_xcs::params::SystemParams;
    /// use pellucid_learn::rng::Streams;
    ///
    /// let mut problem = Multiplexer::new(2);
    /// let life = SystemParams { population: 400, ..Agent::published() };
    /// let mut agent = Agent::new(&problem, life, 0.5, 1)?;
    /// let (mut stream, mut codes, mut right) = (Streams::new(1).stream(&[]), Vec::new(), 0);
    /// for step in 0..3_000 {
    ///     problem.begin(&mut stream);
    ///     problem.see(&mut codes);
    ///     let predicted = agent.teach(&codes, problem.answer());
    ///     right += u32::from(step >= 2_000 && predicted == Some(problem.answer()));
    /// }
    /// assert!(right > 950);
    /// # Ok::<(), pellucid_bits::LevelError>(())
    /// ```
    pub fn teach(&mut self, codes: &[u32], action: u32) -> Option<u32> {
        self.codes.clear();
        self.codes.extend_from_slice(codes);
        self.system.state.shown += 1;
        self.system.learn_example(MatchInput::Input(codes), action)
    }

    /// Returns the action with the most fitness among the rules that match an input, without
    /// learning; `None` if no rule matches.
    pub fn classify(&mut self, codes: &[u32]) -> Option<u32> {
        self.system.form_match_set(MatchInput::Input(codes));
        self.system.vote()
    }
}
