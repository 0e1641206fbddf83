/// Compiles what is written once for all learners where a learner is, once: used within its `impl` of
/// [`Learner`](crate::learner::Learner). Such code is generic, so every crate that calls it compiles it for itself; what stands
/// in the crate of the learner is only called. A learner without this line works just as well.
#[macro_export]
macro_rules! compiled_with_learner {
    () => {
        #[inline(never)]
        fn learn_and_judge(
            data: &Self::Data,
            params: $crate::params::Valid<Self::Params>,
            inner: $crate::learner::Inner<'_>,
            machine: &$crate::learner::Machine,
            driver: &$crate::run::Driver,
            observer: &mut dyn $crate::run::Observer,
        ) -> Result<$crate::learner::JudgedBy<Self>, $crate::run::RunError<Self::Error>> {
            $crate::learner::learn_and_judge::<Self>(data, params, inner, machine, driver, observer)
        }

        #[inline(never)]
        fn cross_validate(
            data: &Self::Data,
            params: &$crate::params::Valid<Self::Params>,
            how: &$crate::learner::Judging<'_>,
        ) -> Result<$crate::split::CrossValidation, $crate::run::RunError<Self::Error>> {
            $crate::learner::cross_validate::<Self>(data, params, how)
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
