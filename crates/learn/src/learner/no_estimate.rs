//! Why nobody knows how well a model does on examples it has not seen.

/// Why it is not known how well a model does on examples that it has not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEstimate {
    /// Nobody wanted to know.
    #[error("nobody asked for it")]
    NotAsked,
    /// The run did not come to its end.
    #[error("the run was cut short")]
    CutShort,
    /// It went on from another model, to which these examples may not be new.
    #[error("the model it went on from may have seen these examples")]
    MaybeSeen,
    /// Its models do not vote, so that folds serve the estimate alone, and the run took longer than [`PATIENCE`](super::PATIENCE).
    #[error(
        "the run took longer than {} s, and an estimate takes several of them",
        super::PATIENCE
    )]
    TooLong,
    /// There are too few examples to deal, or too few of a class.
    #[error("there are too few examples, or too few of a class")]
    TooFew,
    /// The rows lie elsewhere, and folds would have to be dealt there.
    #[error("the rows lie elsewhere")]
    Elsewhere,
    /// The folds were stopped on the way.
    #[error("the inner folds were stopped")]
    Stopped,
}
