/// Which of some numbered things lies directly below which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// By number: those directly above.
    pub parents: Vec<Vec<u32>>,
    /// By number: those directly below.
    pub children: Vec<Vec<u32>>,
}
