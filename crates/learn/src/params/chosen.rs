use super::{Applies, Check, ParamError, Parameters, Valid};
use serde_json::Value;

/// Parameters as somebody chose them: the defaults, and what was given by name.
///
/// What was given counts for more than its value: a parameter that the chosen mode does not have would change nothing, and to
/// give it is a mistake that is better told.
#[derive(Clone, Debug, Default)]
pub struct Chosen<P> {
    params: P,
    given: Vec<&'static str>,
}

impl<P: Parameters> Chosen<P> {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a parameter as typed.
    ///
    /// # Errors
    /// When there is no such parameter, or the text is no such value.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
        let parameter = P::find(name)?;
        parameter.set_text(&mut self.params, text)?;
        self.given.push(parameter.described.name);
        Ok(())
    }

    /// Gives a parameter as JSON has it.
    ///
    /// # Errors
    /// When there is no such parameter, or it takes no such value.
    pub fn set_json(&mut self, name: &str, value: &Value) -> Result<(), ParamError> {
        let parameter = P::find(name)?;
        parameter.set_json(&mut self.params, value)?;
        self.given.push(parameter.described.name);
        Ok(())
    }

    /// Gives a parameter by changing it in place.
    pub fn change(&mut self, name: &'static str, change: impl FnOnce(&mut P)) {
        change(&mut self.params);
        self.given.push(name);
    }

    /// Takes all parameters as they are.
    pub fn replace(&mut self, params: P) {
        (self.params, self.given) = (params, Vec::new());
    }

    /// The parameters so far.
    #[must_use]
    pub fn params(&self) -> &P {
        &self.params
    }

    /// Checks every parameter, and whether those that were given apply.
    ///
    /// # Errors
    /// When a value is not allowed, or a parameter does not apply in the mode chosen.
    pub fn check(self) -> Result<Valid<P>, ParamError> {
        if let (Some(which), Some(mode)) = (P::MODE, self.params.chosen_mode()) {
            for name in self.given {
                let Applies::OnlyIn(modes) = P::find(name)?.described.applies else { continue };
                if !modes.contains(&mode.as_str()) {
                    let modes = modes.join(" and ");
                    let problem =
                        format!("allowed in {which} {modes} only, and the {which} is {mode}");
                    return Err(ParamError::saying(name, problem));
                }
            }
        }
        self.params.check()
    }
}
