use super::{Applies, Check, ParamError, Parameters, Valid};
use serde_json::Value;

/// The defaults, with some parameters set by name.
///
/// It records which parameters are set: setting a parameter that does not apply in the chosen mode
/// is an error, since it would have no effect.
#[derive(Clone, Debug, Default)]
pub struct Chosen<P> {
    params: P,
    given: Vec<&'static str>,
}

impl<P: Parameters> Chosen<P> {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a parameter from text.
    ///
    /// # Errors
    /// If the parameter does not exist or the text is not a valid value.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
        let parameter = P::find(name)?;
        parameter.set_text(&mut self.params, text)?;
        self.given.push(parameter.described.name);
        Ok(())
    }

    /// Sets a parameter from JSON.
    ///
    /// # Errors
    /// If the parameter does not exist or the value is not valid.
    pub fn set_json(&mut self, name: &str, value: &Value) -> Result<(), ParamError> {
        let parameter = P::find(name)?;
        parameter.set_json(&mut self.params, value)?;
        self.given.push(parameter.described.name);
        Ok(())
    }

    /// Sets a parameter with a function.
    pub fn change(&mut self, name: &'static str, change: impl FnOnce(&mut P)) {
        change(&mut self.params);
        self.given.push(name);
    }

    /// Replaces all parameters.
    pub fn replace(&mut self, params: P) {
        (self.params, self.given) = (params, Vec::new());
    }

    /// Returns the parameters.
    #[must_use]
    pub fn params(&self) -> &P {
        &self.params
    }

    /// Checks every parameter, and whether those that are set apply.
    ///
    /// # Errors
    /// If a value is invalid, or a parameter does not apply in the chosen mode.
    pub fn check(self) -> Result<Valid<P>, ParamError> {
        if let (Some(which), Some(mode)) = (P::MODE, self.params.chosen_mode()) {
            for name in self.given {
                let Applies::OnlyIn(modes) = P::find(name)?.described.applies else { continue };
                if !modes.contains(&mode.as_str()) {
                    let modes = modes.join(" and ");
                    let problem =
                        format!("applies to {which} {modes} only, but the {which} is {mode}");
                    return Err(ParamError::with_problem(name, problem));
                }
            }
        }
        self.params.check()
    }
}
