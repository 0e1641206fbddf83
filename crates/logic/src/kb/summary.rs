/// Stub.
#[derive(Clone, Debug)]
pub struct Summary;
