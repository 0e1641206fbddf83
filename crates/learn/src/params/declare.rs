/// Declares the parameters of a learner.
///
/// Each entry has the help of the parameter, its name, its type and its field, then calls of methods
/// of [`Row`](crate::params::Row):
///
/// ```text
/// parameters! {
///     Params by mode {
///         group "Rules" {
///             /// Maximum number of rules
///             most_rules(usize: voting.most_rules) within(1..=10_000) only_in(&["default"]);
///             /// Use several rules even if one rule is as good
///             always_vote(bool: not voting.prefer_one_rule);
///         }
///     }
/// }
/// ```
///
/// `by mode` names the parameter that selects the mode; `not` is for a flag that switches something
/// off. `builder Name for Learner` also declares the builder for Rust programs, with a method for
/// each parameter and the methods of all learners; see [`FitOptions`](crate::learner::FitOptions).
#[macro_export]
macro_rules! parameters {
    ($params:ty $(, by $mode:ident)? { $($groups:tt)+ }) => {
        $crate::parameters!(@table $params, [$($mode)?], $($groups)+);
    };
    (
        $params:ty $(, by $mode:ident)? { $($groups:tt)+ }
        $(#[$about:meta])*
        builder $builder:ident for $learner:ty;
    ) => {
        $crate::parameters!(@table $params, [$($mode)?], $($groups)+);
        $crate::parameters!(@builder $builder, $learner, [$(#[$about])*]);
        $crate::parameters!(@setters $builder, $($groups)+);
    };
    (
        @table $params:ty, [$($mode:ident)?],
        $(group $group:literal {
            $(
                $(#[doc = $help:literal])+
                $name:ident ( $type:ty : $($place:tt)+ ) $($option:ident ( $($arguments:tt)* ))* ;
            )+
        })+
    ) => {
        impl $crate::params::Parameters for $params {
            const MODE: ::core::option::Option<&'static str> =
                $crate::parameters!(@mode $($mode)?);

            fn table() -> &'static [$crate::params::Parameter<$params>] {
                static TABLE: ::std::sync::OnceLock<::std::vec::Vec<$crate::params::Parameter<$params>>> =
                    ::std::sync::OnceLock::new();
                TABLE.get_or_init(|| ::std::vec![$($(
                    $crate::params::Row::<$params, $type>::new(
                        stringify!($name),
                        concat!($($help),+),
                        $group,
                        |params| $crate::parameters!(@get params, $($place)+),
                        |params, value| $crate::parameters!(@set params, value, $($place)+),
                    )
                    $(.$option($($arguments)*))*
                    .done(),
                )+)+])
            }
        }
    };
    (@mode) => { ::core::option::Option::None };
    (@mode $mode:ident) => { ::core::option::Option::Some(stringify!($mode)) };
    (@get $params:ident, not $($field:ident).+) => { !$params.$($field).+ };
    (@get $params:ident, $($field:ident).+) => { $params.$($field).+.clone() };
    (@set $params:ident, $value:ident, not $($field:ident).+) => { $params.$($field).+ = !$value };
    (@set $params:ident, $value:ident, $($field:ident).+) => { $params.$($field).+ = $value };
    (
        @setters $builder:ident,
        $(group $group:literal {
            $(
                $(#[doc = $help:literal])+
                $name:ident ( $type:ty : $($place:tt)+ ) $($option:ident ( $($arguments:tt)* ))* ;
            )+
        })+
    ) => {
        impl $builder<'_> {
            $($(
                $(#[doc = $help])+
                #[must_use]
                pub fn $name(mut self, value: impl $crate::params::ParamValue<$type>) -> Self {
                    let value: $type = value.into_value();
                    self.0.chosen.change(stringify!($name), |params| {
                        $crate::parameters!(@set params, value, $($place)+)
                    });
                    self
                }
            )+)+
        }
    };
    (@builder $builder:ident, $learner:ty, [$(#[$about:meta])*]) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $builder<'o>($crate::learner::FitOptions<'o, $learner>);

        impl ::core::default::Default for $builder<'_> {
            fn default() -> Self {
                Self($crate::learner::FitOptions::new())
            }
        }

        impl<'o> $builder<'o> {
            /// Returns the learner with its defaults, on all CPU threads.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            /// Sets all parameters.
            #[must_use]
            pub fn params(mut self, params: <$learner as $crate::learner::Describe>::Params) -> Self {
                self.0.chosen.replace(params);
                self
            }

            /// Sets a parameter by name, from text.
            ///
            /// # Errors
            /// If the parameter does not exist or the text is not a valid value.
            pub fn set(
                mut self,
                name: &str,
                text: &str,
            ) -> ::core::result::Result<Self, $crate::params::ParamError> {
                self.0.chosen.set_text(name, text)?;
                ::core::result::Result::Ok(self)
            }

            /// Sets the devices and threads.
            #[must_use]
            pub fn machine(mut self, machine: &$crate::learner::Machine) -> Self {
                self.0.machine = ::core::option::Option::Some(machine.clone());
                self
            }

            /// Sets the number of CPU threads.
            #[must_use]
            pub fn threads(mut self, threads: ::core::num::NonZeroUsize) -> Self {
                self.0.threads = ::core::option::Option::Some(threads);
                self
            }

            /// Stops after this time and keeps the best model so far.
            #[must_use]
            pub fn time_limit(mut self, limit: ::core::time::Duration) -> Self {
                self.0.time_limit = ::core::option::Option::Some(limit);
                self
            }

            /// Sets a control, which can stop the run from another thread.
            #[must_use]
            pub fn control(mut self, control: &$crate::run::Control) -> Self {
                self.0.control = ::core::option::Option::Some(control.clone());
                self
            }

            /// Saves the state of the run to a file, so that it can be resumed.
            #[must_use]
            pub fn checkpoint(mut self, path: impl ::core::convert::Into<::std::path::PathBuf>) -> Self {
                self.0.checkpoint = ::core::option::Option::Some(path.into());
                self
            }

            /// Resumes from the checkpoint, if it exists.
            #[must_use]
            pub fn resume(mut self, resume: bool) -> Self {
                self.0.resume = resume;
                self
            }

            /// Sets an observer of the run.
            #[must_use]
            pub fn observer(mut self, observer: impl $crate::run::Observer + 'o) -> Self {
                self.0.observer = ::std::boxed::Box::new(observer);
                self
            }
        }
    };
}
