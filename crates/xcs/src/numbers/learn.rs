//! Learning from known numbers (XCSF with constant predictions).

use crate::conditions::Conditions;
use crate::reward::is_accurate;
use crate::system::{MatchInput, System};

impl<C: Conditions> System<C> {
    /// Learns from an example and its number, in units in which the largest reward is one standard
    /// deviation. Returns the number that the rules predicted before; `None` if none matches.
    pub(crate) fn learn_number(&mut self, input: MatchInput<'_>, number: f64) -> Option<f64> {
        self.form_match_set(input);
        // All rules have the same action.
        let predicted = self.predictions().first().copied().filter(|number| number.is_finite());
        self.state.time += 1;
        if self.matched.is_empty() {
            self.cover(input.codes(), 0);
            self.form_match_set_again(input);
        }
        self.take_action(0);
        self.update(number);
        if self.life.subsume_niche {
            self.subsume_niche(is_accurate);
        }
        self.breed(input.codes(), is_accurate, false);
        predicted
    }
}
