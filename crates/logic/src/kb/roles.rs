//! Object properties with everything that follows for them: sub-properties, inverses, symmetry, transitivity, chains.
//!
//! Every property is there twice, as it is and inverted, so that "`r` is the inverse of `s`" is no more than two
//! inclusions. Properties that include each other, in some direction, are one *relation* with many names. Relations are
//! worked out in the order in which they need each other: a union of what they include, chains composed, then closed if
//! transitive. Only relations that need each other through chains grow together, edge by edge ([`Growing`]).

use super::KbError;
use super::graph::{Components, small};
use super::grow::Growing;
use super::relation::{ChainRule, Side, compose};
use super::transitive::transitive;
use pellucid_data::{Axiom, Step};
use pellucid_relate::{Edges, sorted};

/// What an ontology says in general about its object properties.
pub(super) struct RoleAxioms {
    roles: usize,
    /// Signed properties of which the first is included in the second.
    inclusions: Vec<[u32; 2]>,
    /// Signed properties that one after the other are included in another.
    chains: Vec<(Vec<u32>, u32)>,
    transitive: Vec<u32>,
    reflexive: Vec<u32>,
}

/// A property or its inverse as one number.
fn signed(step: Step) -> u32 {
    2 * step.role + u32::from(step.inverse)
}

impl RoleAxioms {
    /// Picks what concerns object properties.
    pub(super) fn new(roles: usize, axioms: &[Axiom]) -> RoleAxioms {
        let mut found = RoleAxioms {
            roles,
            inclusions: Vec::new(),
            chains: Vec::new(),
            transitive: Vec::new(),
            reflexive: Vec::new(),
        };
        for axiom in axioms {
            match axiom {
                Axiom::SubRole(chain, to) => match chain[..] {
                    [] => {}
                    [from] => found.include(signed(from), signed(*to)),
                    _ => {
                        let chain = chain.iter().map(|&step| signed(step)).collect();
                        found.chains.push((chain, signed(*to)));
                    }
                },
                Axiom::SameRole(a, b) => {
                    found.include(signed(*a), signed(*b));
                    found.include(signed(*b), signed(*a));
                }
                Axiom::Symmetric(role) => found.include(2 * role, 2 * role + 1),
                Axiom::Transitive(role) => found.transitive.push(*role),
                Axiom::Reflexive(role) => found.reflexive.push(*role),
                _ => {}
            }
        }
        found
    }

    /// An inclusion and the same one of the inverses.
    fn include(&mut self, from: u32, to: u32) {
        self.inclusions.extend([[from, to], [from ^ 1, to ^ 1]]);
    }

    /// The inclusions between properties and their inverses, as a graph of signed properties: even numbers are the
    /// properties, each followed by its inverse.
    pub(super) fn graph(&self) -> Edges {
        Edges::new(2 * self.roles, 2 * self.roles, self.inclusions.clone())
    }

    /// By property: its pairs after all conclusions, in any order, each once.
    pub(super) fn close(
        &self,
        individuals: usize,
        asserted: Vec<Vec<[u32; 2]>>,
        limit: usize,
        name: impl Fn(u32) -> String,
    ) -> Result<Vec<Vec<[u32; 2]>>, KbError> {
        let relations = Relations::new(self);
        let blow_up =
            |relation: u32| KbError::TooManyEdges { role: name(relations.role(relation)), limit };
        let told: usize = asserted.iter().map(Vec::len).sum();
        let loops = self.reflexive.len().saturating_mul(individuals);
        if let Some(&role) = self.reflexive.first()
            && told.saturating_add(loops) > limit
        {
            return Err(KbError::TooManyEdges { role: name(role), limit });
        }
        let mut pairs = relations.pairs(self, individuals, asserted);
        // How many edges all relations have that are done, each as often as a property has it.
        let mut done = 0_usize;
        let rules = relations.rules(self);
        let order = relations.order(&rules);
        for component in 0..small(order.len()) {
            let members = order.members(component);
            let left = limit.saturating_sub(done);
            // Rules are sorted by their heads.
            let own: Vec<&ChainRule> = members
                .iter()
                .flat_map(|&head| {
                    let start = rules.partition_point(|rule| rule.head < head);
                    rules[start..].iter().take_while(move |rule| rule.head == head)
                })
                .collect();
            let inside = |side: &Side| order.of[side.relation as usize] == component;
            let recursive = |rule: &&ChainRule| rule.body.iter().any(inside);
            if own.iter().any(recursive) {
                let growing = Growing::new(individuals, members, &own, &relations.traits, left);
                growing.grow(&mut pairs).map_err(blow_up)?;
                done = relations.held(done, members, &pairs, limit).map_err(blow_up)?;
                continue;
            }
            let relation = members[0];
            let mut all = std::mem::take(&mut pairs[relation as usize]);
            for rule in own {
                let composed = compose(individuals, &rule.body, &pairs, left);
                all.extend(composed.ok_or_else(|| blow_up(relation))?);
            }
            if relations.traits[relation as usize].symmetric {
                let back: Vec<[u32; 2]> = all.iter().map(|&[a, b]| [b, a]).collect();
                all.extend(back);
            }
            all = sorted(individuals, all);
            if all.len() > left {
                return Err(blow_up(relation));
            }
            if relations.traits[relation as usize].transitive {
                all = transitive(individuals, all, left).ok_or_else(|| blow_up(relation))?;
            }
            pairs[relation as usize] = all;
            done = relations.held(done, &[relation], &pairs, limit).map_err(blow_up)?;
        }
        Ok(relations.by_role(pairs))
    }
}

/// What is peculiar to a relation.
#[derive(Clone, Copy, Default)]
pub(super) struct Traits {
    pub(super) symmetric: bool,
    pub(super) transitive: bool,
}

/// Properties that include each other, collapsed.
struct Relations {
    /// By signed property: its relation, and whether it is followed backwards.
    sides: Vec<Side>,
    traits: Vec<Traits>,
}

impl Relations {
    fn new(axioms: &RoleAxioms) -> Relations {
        let components = Components::new(&axioms.graph());
        let mut number = vec![u32::MAX; components.len()];
        let (mut sides, mut traits) = (Vec::new(), Vec::<Traits>::new());
        for signed in 0..2 * axioms.roles {
            let (here, mirror) = (components.of[signed], components.of[signed ^ 1]);
            let inverse = number[here as usize] == u32::MAX && number[mirror as usize] != u32::MAX;
            let known = &mut number[if inverse { mirror } else { here } as usize];
            if *known == u32::MAX {
                *known = small(traits.len());
                traits.push(Traits { symmetric: here == mirror, transitive: false });
            }
            sides.push(Side { relation: *known, inverse });
        }
        let mut relations = Relations { sides, traits };
        // "r after r is within r" is another way to say that r is transitive.
        let doubled = axioms.chains.iter().filter(|(body, head)| {
            body.len() == 2
                && body.iter().all(|&step| relations.side(step) == relations.side(*head))
        });
        let transitive: Vec<u32> = axioms
            .transitive
            .iter()
            .map(|role| 2 * role)
            .chain(doubled.map(|(_, head)| *head))
            .map(|signed| relations.side(signed).relation)
            .collect();
        for relation in transitive {
            relations.traits[relation as usize].transitive = true;
        }
        relations
    }

    fn side(&self, signed: u32) -> Side {
        self.sides[signed as usize]
    }

    /// A property of the relation, to speak of it.
    fn role(&self, relation: u32) -> u32 {
        small(self.sides.iter().position(|side| side.relation == relation).unwrap_or(0) / 2)
    }

    /// What is asserted, by relation.
    fn pairs(
        &self,
        axioms: &RoleAxioms,
        individuals: usize,
        asserted: Vec<Vec<[u32; 2]>>,
    ) -> Vec<Vec<[u32; 2]>> {
        let mut pairs: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.traits.len()];
        for (role, mut own) in (0u32..).zip(asserted) {
            let side = self.side(2 * role);
            if side.inverse {
                own.iter_mut().for_each(|pair| pair.reverse());
            }
            let all = &mut pairs[side.relation as usize];
            if all.is_empty() { *all = own } else { all.extend(own) }
        }
        for &role in &axioms.reflexive {
            let relation = self.side(2 * role).relation;
            pairs[relation as usize].extend((0..small(individuals)).map(|x| [x, x]));
        }
        pairs
    }

    /// Inclusions and chains between relations, each with its head followed forwards.
    fn rules(&self, axioms: &RoleAxioms) -> Vec<ChainRule> {
        let single = axioms.inclusions.iter().map(|&[from, to]| (vec![from], to));
        let mut rules: Vec<ChainRule> = single
            .chain(axioms.chains.iter().cloned())
            .map(|(mut body, mut head)| {
                if self.side(head).inverse {
                    head ^= 1;
                    body.reverse();
                    body.iter_mut().for_each(|signed| *signed ^= 1);
                }
                let head = self.side(head).relation;
                ChainRule { head, body: body.into_iter().map(|signed| self.side(signed)).collect() }
            })
            .filter(|rule| {
                // What is included in itself adds nothing, and transitivity is a trait.
                let itself = Side { relation: rule.head, inverse: false };
                rule.body.len() > 2 || rule.body.iter().any(|&side| side != itself)
            })
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The relations in the order in which they need each other.
    fn order(&self, rules: &[ChainRule]) -> Components {
        let needs = rules
            .iter()
            .flat_map(|rule| rule.body.iter().map(|side| [rule.head, side.relation]))
            .collect();
        Components::new(&Edges::new(self.traits.len(), self.traits.len(), needs))
    }

    /// How many edges there are with those of some more relations, if not too many. Every property has edges of its own, also
    /// where several are one relation. The error is the relation that was too much.
    fn held(
        &self,
        done: usize,
        members: &[u32],
        pairs: &[Vec<[u32; 2]>],
        limit: usize,
    ) -> Result<usize, u32> {
        members.iter().try_fold(done, |done, &relation| {
            let users = self.sides.iter().step_by(2).filter(|side| side.relation == relation);
            let own = pairs[relation as usize].len().saturating_mul(users.count().max(1));
            Some(done.saturating_add(own)).filter(|&all| all <= limit).ok_or(relation)
        })
    }

    /// Back from relations to properties.
    fn by_role(&self, mut pairs: Vec<Vec<[u32; 2]>>) -> Vec<Vec<[u32; 2]>> {
        let mut users = vec![0u32; pairs.len()];
        let sides: Vec<Side> = self.sides.iter().step_by(2).copied().collect();
        sides.iter().for_each(|side| users[side.relation as usize] += 1);
        sides
            .iter()
            .map(|side| {
                let relation = side.relation as usize;
                users[relation] -= 1;
                let mut own = match users[relation] {
                    0 => std::mem::take(&mut pairs[relation]),
                    _ => pairs[relation].clone(),
                };
                if side.inverse {
                    own.iter_mut().for_each(|pair| pair.reverse());
                }
                own
            })
            .collect()
    }
}
