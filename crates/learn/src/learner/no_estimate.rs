//! Why there is no held-out estimate of a model.

/// Why there is no held-out estimate of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEstimate {
    /// Inner folds are turned off.
    #[error("inner folds are turned off")]
    NotAsked,
    /// The run was stopped early.
    #[error("the run was stopped early")]
    CutShort,
    /// The run continued another model, which may have been trained on these examples.
    #[error("the model it continues may have been trained on these examples")]
    MaybeSeen,
    /// The folds would only serve the estimate, and the run took longer than
    /// [`PATIENCE`](super::PATIENCE).
    #[error(
        "the run took longer than {} s, and an estimate takes several such runs",
        super::PATIENCE
    )]
    TooLong,
    /// There are too few examples to split into folds, or too few of a class.
    #[error("too few examples, or too few examples of a class, to hold some out")]
    TooFew,
    /// The rows are on other machines, which do not split them into folds.
    #[error("the rows are on other machines")]
    Elsewhere,
    /// The inner folds were stopped early.
    #[error("the inner folds were stopped early")]
    Stopped,
}
