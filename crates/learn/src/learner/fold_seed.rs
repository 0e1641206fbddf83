//! The seed of each fold.

use crate::params::Parameters;
use crate::rng::Streams;
use crate::split::Split;
use serde_json::Value;

/// Returns the seed of the parameters, if they have one.
pub(super) fn seed<P: Parameters>(params: &P) -> Option<u64> {
    P::find("seed").ok()?.json(params).as_u64()
}

/// Returns the parameters with a seed of the fold, so that one lucky seed does not decide all folds.
pub(super) fn own_seed<P: Parameters>(params: &P, purpose: &'static str, split: &Split) -> P {
    let mut own = params.clone();
    if let (Some(seed), Ok(parameter)) = (seed(params), P::find("seed")) {
        let path = [purpose.into(), split.repeat.into(), split.fold.into()];
        let word = Streams::new(seed).stream(&path).next_word();
        // The parameter is a number, so setting it cannot fail.
        let _ = parameter.set_json(&mut own, &Value::from(word));
    }
    own
}
