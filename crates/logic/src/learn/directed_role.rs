use pellucid_relate::{Edges, World};

/// An object property with a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DirectedRole {
    /// The object property.
    pub(super) role: u32,
    /// Whether it is followed from object to subject.
    pub(super) inverse: bool,
}

impl DirectedRole {
    /// The edges in this direction.
    pub(super) fn edges(self, world: &World) -> &Edges {
        let links = &world.roles()[self.role as usize];
        if self.inverse { &links.inverse } else { &links.forward }
    }
}
