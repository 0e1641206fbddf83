use pellucid_bits::{Bits, as_u32};
use pellucid_relate::{Edges, World};

/// An object property with a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

    /// The individuals to which any individual is related.
    pub(super) fn object_set(self, world: &World) -> &Bits {
        DirectedRole { inverse: !self.inverse, ..self }.edges(world).subjects()
    }

    /// The individuals to which some individuals are related.
    pub(super) fn objects(self, world: &World, subjects: &Bits) -> Bits {
        let edges = self.edges(world);
        let mut objects = Bits::zeros(world.len());
        for subject in subjects.ones() {
            edges.of(as_u32(subject)).iter().for_each(|&object| objects.set(object as usize));
        }
        objects
    }
}
