//! The names that expressions may use.

use super::coordinates::coordinates;
use super::directed_role::DirectedRole;
use super::{LogicError, Options};
use crate::KnowledgeBase;
use pellucid_relate::World;

/// The numbers of the names that expressions may use, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedNames {
    /// Classes.
    pub classes: Vec<u32>,
    /// Object properties.
    pub roles: Vec<u32>,
    /// Data properties.
    pub properties: Vec<u32>,
    /// Coordinates of a drawing, which are left out unless they are asked for.
    pub coordinates: Vec<u32>,
    /// Object properties in the directions that expressions may use.
    directed_roles: Vec<DirectedRole>,
    /// For each object property, the one that has the same edges as its inverse.
    named_inverses: Vec<Option<u32>>,
}

impl AllowedNames {
    /// Returns all names but those that the parameters exclude, and some classes.
    pub(super) fn new(
        kb: &KnowledgeBase,
        options: &Options,
        excluded: &[u32],
    ) -> Result<AllowedNames, LogicError> {
        let (mut classes, mut roles, mut properties) = (excluded.to_vec(), Vec::new(), Vec::new());
        for name in &options.exclude {
            let found = [kb.find_class(name), kb.find_role(name), kb.find_property(name)];
            if found == [None; 3] {
                let near = kb.suggest_class(name).or_else(|| kb.suggest_property(name));
                let hint =
                    near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
                let (name, ontology) = (name.clone(), kb.name.clone());
                return Err(LogicError::Exclude { name, ontology, hint });
            }
            classes.extend(found[0]);
            roles.extend(found[1]);
            properties.extend(found[2]);
        }
        let mut drawn = Vec::new();
        if !options.operators.coordinates && options.operators.numeric {
            drawn = coordinates(kb);
            drawn.retain(|property| !properties.contains(property));
            properties.extend(&drawn);
        }
        let rest = |count: usize, out: &[u32]| {
            (0u32..).take(count).filter(|number| !out.contains(number)).collect()
        };
        let mut allowed = AllowedNames {
            classes: rest(kb.world.classes().len(), &classes),
            roles: rest(kb.world.roles().len(), &roles),
            properties: rest(kb.world.properties().len(), &properties),
            coordinates: drawn,
            ..AllowedNames::default()
        };
        allowed.named_inverses = named_inverses(&kb.world, &allowed.roles);
        for &role in &allowed.roles {
            allowed.directed_roles.push(DirectedRole { role, inverse: false });
            let is_named = allowed.named_inverses[role as usize].is_some();
            if options.operators.inverse && !is_named {
                allowed.directed_roles.push(DirectedRole { role, inverse: true });
            }
        }
        Ok(allowed)
    }

    /// The object properties in the directions that expressions may use. An inverse that has the same
    /// edges as another object property is not among them.
    pub(super) fn directed_roles(&self) -> &[DirectedRole] {
        &self.directed_roles
    }

    /// Returns an object property in a direction, without an inverse if another one has the same
    /// edges.
    pub(super) fn direction(&self, role: u32, inverse: bool) -> DirectedRole {
        let named = self.named_inverses.get(role as usize).copied().flatten();
        match named.filter(|_| inverse) {
            Some(role) => DirectedRole { role, inverse: false },
            None => DirectedRole { role, inverse },
        }
    }
}

/// Returns for each object property the allowed one that has the same edges as its inverse, if there
/// is one: `hasParent` for `hasChild`, and a symmetric property for itself.
fn named_inverses(world: &World, roles: &[u32]) -> Vec<Option<u32>> {
    let links = world.roles();
    let named = |role: u32| {
        let inverse = &links[role as usize].inverse;
        let same = |other: &u32| links[*other as usize].forward == *inverse;
        // A symmetric property stands for itself.
        let itself = std::iter::once(role);
        (!inverse.is_empty()).then(|| itself.chain(roles.iter().copied()).find(same)).flatten()
    };
    let is_allowed = |role: &u32| roles.binary_search(role).is_ok();
    (0u32..).take(links.len()).map(|role| named(role).filter(|_| is_allowed(&role))).collect()
}
