//! Completes object properties: sub-properties, inverses, symmetry, transitivity, chains.
//!
//! Every property is represented twice, forward and inverted, so an inverse declaration is two
//! inclusions. Properties that include each other, in some direction, are one *relation*. Relations
//! are completed in the order of their dependencies: the union of what they include, then composed
//! chains, then the transitive closure. Only relations that depend on each other through chains are
//! completed together, edge by edge ([`RelationCompletion`]).

use super::KbError;
use super::bounds::{Excess, InferenceBounds};
use super::dense;
use super::graph::{Components, to_u32};
use super::grow::RelationCompletion;
use super::relation::{ChainRule, DirectedRelation, compose};
use super::transitive::transitive;
use pellucid_data::{Axiom, RoleExpression};
use pellucid_relate::{Edges, sorted};

/// The axioms about object properties.
pub(super) struct RoleAxioms {
    roles: usize,
    /// Pairs of signed properties; the first is included in the second.
    inclusions: Vec<[u32; 2]>,
    /// Chains of signed properties, each included in a signed property.
    chains: Vec<(Vec<u32>, u32)>,
    transitive: Vec<u32>,
    reflexive: Vec<u32>,
}

/// Returns a property or its inverse as one number.
fn signed(expression: RoleExpression) -> u32 {
    2 * expression.role + u32::from(expression.inverse)
}

impl RoleAxioms {
    /// Collects the axioms about object properties.
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

    /// Adds an inclusion and the corresponding one of the inverses.
    fn include(&mut self, from: u32, to: u32) {
        self.inclusions.extend([[from, to], [from ^ 1, to ^ 1]]);
    }

    /// The inclusions as a graph of signed properties: even numbers are properties, each followed
    /// by its inverse.
    pub(super) fn graph(&self) -> Edges {
        Edges::new(2 * self.roles, 2 * self.roles, self.inclusions.clone())
    }

    /// Returns the pairs of each property after inference, in any order, without duplicates.
    pub(super) fn close(
        &self,
        individuals: usize,
        asserted: Vec<Vec<[u32; 2]>>,
        bounds: InferenceBounds<'_>,
        name: impl Fn(u32) -> String,
    ) -> Result<Vec<Vec<[u32; 2]>>, KbError> {
        let (relations, limit) = (Relations::new(self), bounds.edges);
        let role = |relation: u32| name(relations.role(relation));
        let too_many = |relation: u32| KbError::TooManyEdges { role: role(relation), limit };
        let exceeded = |excess| match excess {
            Excess::Edges(relation) => too_many(relation),
            Excess::Steps(relation) => KbError::TooSlow { role: role(relation) },
            Excess::Stopped(reason) => KbError::Stopped { reason },
        };
        let asserted_edges: usize = asserted.iter().map(Vec::len).sum();
        let loops = self.reflexive.len().saturating_mul(individuals);
        if let Some(&role) = self.reflexive.first()
            && asserted_edges.saturating_add(loops) > limit
        {
            return Err(KbError::TooManyEdges { role: name(role), limit });
        }
        let mut pairs = relations.pairs(self, individuals, asserted);
        // The number of edges of all completed relations, counted once per property.
        let mut done = 0_usize;
        let rules = relations.rules(self);
        let order = relations.order(&rules);
        for component in 0..to_u32(order.len()) {
            let members = order.members(component);
            let left = InferenceBounds { edges: limit.saturating_sub(done), ..bounds };
            // Rules are sorted by their heads.
            let own: Vec<&ChainRule> = members
                .iter()
                .flat_map(|&head| {
                    let start = rules.partition_point(|rule| rule.head < head);
                    rules[start..].iter().take_while(move |rule| rule.head == head)
                })
                .collect();
            let inside =
                |directed: &DirectedRelation| order.of[directed.relation as usize] == component;
            let recursive = |rule: &&ChainRule| rule.body.iter().any(inside);
            if own.iter().any(recursive) {
                let traits = &relations.traits;
                match dense::complete(members, &own, traits, left, &mut pairs) {
                    Some(completed) => completed.map_err(exceeded)?,
                    None => {
                        let completion =
                            RelationCompletion::new(individuals, members, &own, traits, left);
                        completion.run(&mut pairs).map_err(exceeded)?;
                    }
                }
                done = relations.count_edges(done, members, &pairs, limit).map_err(too_many)?;
                continue;
            }
            let relation = members[0];
            let mut all = std::mem::take(&mut pairs[relation as usize]);
            for rule in own {
                all.extend(compose(individuals, rule, &pairs, &left).map_err(exceeded)?);
            }
            if relations.traits[relation as usize].symmetric {
                let back: Vec<[u32; 2]> = all.iter().map(|&[a, b]| [b, a]).collect();
                all.extend(back);
            }
            all = sorted(individuals, all);
            if all.len() > left.edges {
                return Err(too_many(relation));
            }
            if relations.traits[relation as usize].transitive {
                all = transitive(individuals, all, left.edges).ok_or_else(|| too_many(relation))?;
            }
            pairs[relation as usize] = all;
            done = relations.count_edges(done, &[relation], &pairs, limit).map_err(too_many)?;
        }
        Ok(relations.by_role(pairs))
    }
}

/// The characteristics of a relation.
#[derive(Clone, Copy, Default)]
pub(super) struct RelationTraits {
    pub(super) symmetric: bool,
    pub(super) transitive: bool,
}

/// Properties grouped into relations.
struct Relations {
    /// For each signed property, its relation and direction.
    directed: Vec<DirectedRelation>,
    traits: Vec<RelationTraits>,
}

impl Relations {
    fn new(axioms: &RoleAxioms) -> Relations {
        let components = Components::new(&axioms.graph());
        let mut number = vec![u32::MAX; components.len()];
        let (mut directed, mut traits) = (Vec::new(), Vec::<RelationTraits>::new());
        for signed in 0..2 * axioms.roles {
            let (here, mirror) = (components.of[signed], components.of[signed ^ 1]);
            let inverse = number[here as usize] == u32::MAX && number[mirror as usize] != u32::MAX;
            let known = &mut number[if inverse { mirror } else { here } as usize];
            if *known == u32::MAX {
                *known = to_u32(traits.len());
                traits.push(RelationTraits { symmetric: here == mirror, transitive: false });
            }
            directed.push(DirectedRelation { relation: *known, inverse });
        }
        let mut relations = Relations { directed, traits };
        // The chain "r, r is included in r" means that r is transitive.
        let doubled = axioms.chains.iter().filter(|(body, head)| {
            body.len() == 2
                && body.iter().all(|&step| relations.directed(step) == relations.directed(*head))
        });
        let transitive: Vec<u32> = axioms
            .transitive
            .iter()
            .map(|role| 2 * role)
            .chain(doubled.map(|(_, head)| *head))
            .map(|signed| relations.directed(signed).relation)
            .collect();
        for relation in transitive {
            relations.traits[relation as usize].transitive = true;
        }
        relations
    }

    fn directed(&self, signed: u32) -> DirectedRelation {
        self.directed[signed as usize]
    }

    /// Returns a property of the relation, for messages.
    fn role(&self, relation: u32) -> u32 {
        to_u32(
            self.directed.iter().position(|directed| directed.relation == relation).unwrap_or(0)
                / 2,
        )
    }

    /// The asserted pairs of each relation.
    fn pairs(
        &self,
        axioms: &RoleAxioms,
        individuals: usize,
        asserted: Vec<Vec<[u32; 2]>>,
    ) -> Vec<Vec<[u32; 2]>> {
        let mut pairs: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.traits.len()];
        for (role, mut own) in (0u32..).zip(asserted) {
            let directed = self.directed(2 * role);
            if directed.inverse {
                own.iter_mut().for_each(|pair| pair.reverse());
            }
            let all = &mut pairs[directed.relation as usize];
            if all.is_empty() { *all = own } else { all.extend(own) }
        }
        for &role in &axioms.reflexive {
            let relation = self.directed(2 * role).relation;
            pairs[relation as usize].extend((0..to_u32(individuals)).map(|x| [x, x]));
        }
        pairs
    }

    /// The inclusions and chains between relations, with forward heads.
    fn rules(&self, axioms: &RoleAxioms) -> Vec<ChainRule> {
        let single = axioms.inclusions.iter().map(|&[from, to]| (vec![from], to));
        let mut rules: Vec<ChainRule> = single
            .chain(axioms.chains.iter().cloned())
            .map(|(mut body, mut head)| {
                if self.directed(head).inverse {
                    head ^= 1;
                    body.reverse();
                    body.iter_mut().for_each(|signed| *signed ^= 1);
                }
                let head = self.directed(head).relation;
                ChainRule {
                    head,
                    body: body.into_iter().map(|signed| self.directed(signed)).collect(),
                }
            })
            .filter(|rule| {
                // A self-inclusion adds nothing, and transitivity is handled as a trait.
                let itself = DirectedRelation { relation: rule.head, inverse: false };
                rule.body.len() > 2 || rule.body.iter().any(|&directed| directed != itself)
            })
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The relations in the order of their dependencies.
    fn order(&self, rules: &[ChainRule]) -> Components {
        let needs = rules
            .iter()
            .flat_map(|rule| rule.body.iter().map(|directed| [rule.head, directed.relation]))
            .collect();
        Components::new(&Edges::new(self.traits.len(), self.traits.len(), needs))
    }

    /// Returns the number of edges including some more relations, if it is within the limit. Edges
    /// count once per property. The error is the relation that exceeds the limit.
    fn count_edges(
        &self,
        done: usize,
        members: &[u32],
        pairs: &[Vec<[u32; 2]>],
        limit: usize,
    ) -> Result<usize, u32> {
        members.iter().try_fold(done, |done, &relation| {
            let users =
                self.directed.iter().step_by(2).filter(|directed| directed.relation == relation);
            let own = pairs[relation as usize].len().saturating_mul(users.count().max(1));
            Some(done.saturating_add(own)).filter(|&all| all <= limit).ok_or(relation)
        })
    }

    /// Returns the pairs of each property.
    fn by_role(&self, mut pairs: Vec<Vec<[u32; 2]>>) -> Vec<Vec<[u32; 2]>> {
        let mut users = vec![0u32; pairs.len()];
        let directed: Vec<DirectedRelation> = self.directed.iter().step_by(2).copied().collect();
        directed.iter().for_each(|directed| users[directed.relation as usize] += 1);
        directed
            .iter()
            .map(|directed| {
                let relation = directed.relation as usize;
                users[relation] -= 1;
                let mut own = match users[relation] {
                    0 => std::mem::take(&mut pairs[relation]),
                    _ => pairs[relation].clone(),
                };
                if directed.inverse {
                    own.iter_mut().for_each(|pair| pair.reverse());
                }
                own
            })
            .collect()
    }
}
