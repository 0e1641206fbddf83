use pellucid_relate::{Edges, World};

/// A role and the way it is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RoleWay {
    /// An object property.
    pub(super) role: u32,
    /// Whether from object to subject.
    pub(super) inverse: bool,
}

impl RoleWay {
    /// Its edges.
    pub(super) fn edges(self, world: &World) -> &Edges {
        let links = &world.roles()[self.role as usize];
        if self.inverse { &links.inverse } else { &links.forward }
    }
}
