/// Compiles the generic code of a learner in its own crate: use it within the `impl` of
/// [`Learner`](crate::learner::Learner). Without it, every crate that calls the code compiles it again.
/// It only saves compile time.
#[macro_export]
macro_rules! compiled_with_learner {
    () => {
        #[inline(never)]
        fn learn_with_estimate(
            data: &Self::Data,
            params: $crate::params::Valid<Self::Params>,
            inner: $crate::learner::Inner<'_>,
            machine: &$crate::learner::Machine,
            driver: &$crate::run::Driver,
            observer: &mut dyn $crate::run::Observer,
        ) -> Result<$crate::learner::LearnedWithEstimate<Self>, $crate::run::RunError<Self::Error>>
        {
            $crate::learner::learn_with_estimate::<Self>(
                data, params, inner, machine, driver, observer,
            )
        }

        #[inline(never)]
        fn cross_validate(
            data: &Self::Data,
            params: &$crate::params::Valid<Self::Params>,
            setup: &$crate::learner::CrossValidationSetup<'_>,
        ) -> Result<$crate::split::CrossValidation, $crate::run::RunError<Self::Error>> {
            $crate::learner::cross_validate::<Self>(data, params, setup)
        }

        #[inline(never)]
        fn read_model(
            stored: &$crate::model::StoredModel,
        ) -> Result<$crate::learner::ModelOf<Self>, $crate::model::ModelError> {
            stored.read(Self::NAME)
        }

        #[inline(never)]
        fn model_to_json(
            model: &$crate::learner::ModelOf<Self>,
        ) -> Result<String, $crate::model::ModelError> {
            model.to_json()
        }
    };
}
