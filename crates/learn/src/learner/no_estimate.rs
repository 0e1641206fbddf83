//! Why there is no held-out estimate of a model.

/// Why there is no held-out estimate of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEstimate {
    /// No inner folds were asked for.
    #[error("inner folds are turned off")]
    NotAsked,
    /// The run stopped before its end.
    #[error("the run stopped before its end")]
    CutShort,
    /// It continued another model, to which these examples may not be new.
    #[error("the model it continues may have been trained on these examples")]
    MaybeSeen,
    /// Its models give no scores, so that folds serve the estimate alone, and the run took longer than [`PATIENCE`](super::PATIENCE).
    #[error(
        "the run took longer than {} s, and an estimate takes several such runs",
        super::PATIENCE
    )]
    TooLong,
    /// There are too few examples to split into folds, or too few of a class.
    #[error("there are too few examples, or too few of a class, to hold some out")]
    TooFew,
    /// The rows are on other machines, and folds would have to be split there.
    #[error("the rows are on other machines")]
    Elsewhere,
    /// The inner folds were stopped before their end.
    #[error("the inner folds were stopped before their end")]
    Stopped,
}
