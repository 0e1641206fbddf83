use super::axioms::ClassAxioms;
use super::bounds::InferenceBounds;
use super::classes::ClassCompletion;
use super::columns::Columns;
use super::disjoint;
use super::graph::{reachable, to_u32};
use super::roles::RoleAxioms;
use super::same::MergedIndividuals;
use super::{
    AssertedCounts, Closure, Datatype, Hierarchy, KbError, KnowledgeBase, LabelChoice, ShortNames,
};
use pellucid_bits::Bits;
use pellucid_data::{Axiom, Message, Ontology, Register, message};
use pellucid_learn::run::Control;
use pellucid_relate::{Edges, Links, Property, World, sorted};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl KnowledgeBase {
    /// Computes the inferences of an ontology.
    ///
    /// # Errors
    /// If the object properties have more edges than the limit.
    ///
    /// # Panics
    /// If assertions or axioms use numbers that are not in the registers of the ontology.
    pub fn new(ontology: Ontology, closure: &Closure) -> Result<KnowledgeBase, KbError> {
        KnowledgeBase::with_control(ontology, closure, &Control::new())
    }

    /// [`KnowledgeBase::new`] with a control that can stop it.
    ///
    /// # Errors
    /// If the object properties have more edges than the limit, or the control stops inference.
    ///
    /// # Panics
    /// If assertions or axioms use numbers that are not in the registers of the ontology.
    pub fn with_control(
        mut ontology: Ontology,
        closure: &Closure,
        control: &Control,
    ) -> Result<KnowledgeBase, KbError> {
        let mut notes = std::mem::take(&mut ontology.notes);
        let class_axioms = ClassAxioms::new(&ontology, closure);
        let role_axioms = RoleAxioms::new(ontology.roles.len(), &ontology.axioms);
        let individuals = std::mem::take(&mut ontology.individuals);
        let MergedIndividuals { individuals, number, aliases } =
            MergedIndividuals::new(individuals, &ontology.same);
        if !aliases.is_empty() {
            notes.push(format!("{} names are aliases of other individuals", aliases.len()).into());
        }
        let aliases: FxHashMap<String, u32> = aliases.into_iter().collect();
        let mut asserted =
            AssertedCounts { statements: ontology.statements, ..AssertedCounts::default() };

        let below = property_inclusions(&ontology.axioms);
        let properties = Hierarchy::new(ontology.properties.len(), &below);
        let columns = columns(&ontology, &number, individuals.len(), &below, &mut notes);
        asserted.properties = ontology.values.iter().map(|data| data.len() as u64).collect();
        asserted.properties.resize(ontology.properties.len(), 0);
        let mut types = std::mem::take(&mut ontology.types);
        renumber_subjects(&mut types, &number);
        types.sort_unstable();
        types.dedup();
        asserted.classes = counts(ontology.classes.len(), &types);
        let inferred = class_axioms.types.iter().map(|&[i, class]| [number[i as usize], class]);
        types.extend(inferred);
        let edges = asserted_edges(&mut ontology, &number, individuals.len());
        asserted.roles = edges.iter().map(|pairs| pairs.len() as u64).collect();

        let individuals = Arc::new(individuals);
        let datatypes: Vec<Datatype> = columns.iter().map(|(datatype, _)| *datatype).collect();
        let mut builder = WorldBuilder {
            ontology: &ontology,
            closure,
            control,
            role_axioms: &role_axioms,
            class_axioms: &class_axioms,
            aliases: &aliases,
            individuals: &individuals,
            types: &types,
            columns: Some(columns),
        };
        let world = builder.world(edges, &mut notes)?;
        notes.extend(class_axioms.notes().map(Message::from));
        notes.extend(disjoint::contradictions(&world, &class_axioms.disjoint));
        let signed = role_axioms.graph();
        let (role_domains, role_ranges) = inherited_types(&signed, &class_axioms);
        let disjoint = disjoint::pairs(&class_axioms.disjoint, &mut notes);
        let value_types = value_types(&ontology, &below);
        let labels = std::mem::take(&mut ontology.labels);
        let mut short_names = ShortNames::new(&world, datatypes, value_types, labels, aliases);
        short_names.show_labels(&world, &LabelChoice::default());
        Ok(KnowledgeBase {
            name: ontology.name,
            short_names,
            classes: Hierarchy::new(world.classes().len(), &class_axioms.below),
            roles: Hierarchy::new(world.roles().len(), &role_inclusions(&signed)),
            property_domains: inherited_domains(&properties, class_axioms.property_domains),
            properties,
            role_domains,
            role_ranges,
            functional_roles: functional(&ontology.axioms, |axiom| match axiom {
                Axiom::FunctionalRole(role) => Some(*role),
                _ => None,
            }),
            functional_properties: functional(&ontology.axioms, |axiom| match axiom {
                Axiom::FunctionalProperty(property) => Some(*property),
                _ => None,
            }),
            disjoint,
            asserted,
            ignored: ontology.ignored,
            notes,
            world: Arc::new(world),
        })
    }
}

impl KnowledgeBase {
    /// Chooses the labels to show in place of short names.
    #[must_use]
    pub fn with_labels(mut self, labels: &LabelChoice) -> KnowledgeBase {
        self.short_names.show_labels(&self.world, labels);
        self
    }
}

/// Takes the edges of each object property, between merged individuals.
fn asserted_edges(
    ontology: &mut Ontology,
    number: &[u32],
    individuals: usize,
) -> Vec<Vec<[u32; 2]>> {
    let mut edges = std::mem::take(&mut ontology.edges);
    edges.resize(ontology.roles.len(), Vec::new());
    for pairs in &mut edges {
        pairs.iter_mut().flatten().for_each(|node| *node = number[*node as usize]);
        *pairs = sorted(individuals, std::mem::take(pairs));
    }
    edges
}

/// Returns the datatypes of the values of each data property, including those of sub-properties.
fn value_types(ontology: &Ontology, below: &[[u32; 2]]) -> Vec<Vec<String>> {
    let count = ontology.properties.len();
    let down = reachable(&Edges::new(count, count, below.iter().map(|&[a, b]| [b, a]).collect()));
    let all = |parts: &Vec<u32>| {
        let types = parts.iter().filter_map(|&part| ontology.value_types.get(part as usize));
        let mut types: Vec<String> = types.flatten().cloned().collect();
        types.sort_unstable();
        types.dedup();
        types
    };
    down.iter().map(all).collect()
}

/// Builds worlds from asserted facts.
struct WorldBuilder<'a> {
    ontology: &'a Ontology,
    closure: &'a Closure,
    control: &'a Control,
    role_axioms: &'a RoleAxioms,
    class_axioms: &'a ClassAxioms,
    aliases: &'a FxHashMap<String, u32>,
    individuals: &'a Arc<Register>,
    types: &'a [[u32; 2]],
    /// Moved into the last world.
    columns: Option<Vec<(Datatype, Property)>>,
}

impl WorldBuilder<'_> {
    /// Returns the world with all inferences. If membership in a class implies an edge to an
    /// individual, edges and classes are completed alternately until there is no new edge, first
    /// with rules that are monotone in the edges.
    fn world(
        &mut self,
        mut asserted: Vec<Vec<[u32; 2]>>,
        notes: &mut Vec<Message>,
    ) -> Result<World, KbError> {
        while !self.class_axioms.related.is_empty() {
            let mut world = self.with_completed_roles(asserted.clone(), false)?;
            let mut completion =
                ClassCompletion::new(&world, self.class_axioms, self.aliases, &mut Vec::new());
            completion.keep_monotone();
            self.complete(&completion, &mut world)?;
            let new = self.missing_edges(&world, &mut completion, true);
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|(role, edge)| asserted[role as usize].push(edge));
        }
        let mut world = self.with_completed_roles(asserted, true)?;
        let mut completion = ClassCompletion::new(&world, self.class_axioms, self.aliases, notes);
        notes.extend(self.complete(&completion, &mut world)?);
        let missing = self.missing_edges(&world, &mut completion, false).len();
        if missing > 0 {
            notes.push(message!(
                "{missing} edges were not inferred, because they depend on classes defined with \
                 'not', 'only', 'max' or 'exactly'"
            ));
        }
        Ok(world)
    }

    fn complete(
        &self,
        completion: &ClassCompletion<'_>,
        world: &mut World,
    ) -> Result<Vec<Message>, KbError> {
        let completed = completion.run(world, &self.class_axioms.below, self.control);
        completed.map_err(|reason| KbError::Stopped { reason })
    }

    /// Returns the edges that instances of classes must have and that are missing.
    fn missing_edges(
        &self,
        world: &World,
        completion: &mut ClassCompletion<'_>,
        only_monotone: bool,
    ) -> Vec<(u32, [u32; 2])> {
        let related = &self.class_axioms.related;
        let roots = completion.add(world, related.iter().map(|(left, ..)| left));
        let mut new = Vec::new();
        for (root, (_, role, object)) in roots.into_iter().zip(related) {
            let object =
                world.individuals().find(object).or_else(|| self.aliases.get(object).copied());
            let (Ok(root), Some(object)) = (root, object) else { continue };
            let Some(number) = world.role_names().find(&role.name) else { continue };
            if only_monotone && !completion.is_monotone(root) {
                continue;
            }
            let links = &world.roles()[number as usize];
            let edges = if role.inverse { &links.inverse } else { &links.forward };
            for subject in completion.extent(world, root).ones().map(to_u32) {
                if edges.of(subject).binary_search(&object).is_err() {
                    let edge = if role.inverse { [object, subject] } else { [subject, object] };
                    new.push((number, edge));
                }
            }
        }
        new
    }

    /// Returns a world with completed roles and asserted classes.
    fn with_completed_roles(
        &mut self,
        asserted: Vec<Vec<[u32; 2]>>,
        last: bool,
    ) -> Result<World, KbError> {
        let (ontology, count) = (self.ontology, self.individuals.len());
        let mut world = World::new(Arc::clone(self.individuals));
        let name = |role| ontology.roles.get(role).to_owned();
        let asserted_edges = asserted.iter().map(Vec::len).sum();
        let edges = self.closure.max_edges(asserted_edges);
        let bounds = InferenceBounds { edges, control: self.control };
        let edges = self.role_axioms.close(count, asserted, bounds, name)?;
        for (name, pairs) in ontology.roles.iter().zip(edges) {
            world = world.role(name, Links::new(count, pairs));
        }
        let columns = if last { self.columns.take() } else { self.columns.clone() };
        for (name, (_, column)) in ontology.properties.iter().zip(columns.unwrap_or_default()) {
            world = world.property(name, column);
        }
        let mut members = vec![Bits::zeros(count); ontology.classes.len()];
        for &[individual, class] in self.types {
            members[class as usize].set(individual as usize);
        }
        for (name, members) in ontology.classes.iter().zip(members) {
            world = world.class(name, members);
        }
        Ok(world)
    }
}

/// Returns the columns of all data properties, including the values of sub-properties.
fn columns(
    ontology: &Ontology,
    number: &[u32],
    individuals: usize,
    below: &[[u32; 2]],
    notes: &mut Vec<Message>,
) -> Vec<(Datatype, Property)> {
    let count = ontology.properties.len();
    let down = reachable(&Edges::new(count, count, below.iter().map(|&[a, b]| [b, a]).collect()));
    let mut columns = Columns::new(&ontology.texts, number, individuals);
    ontology
        .properties
        .iter()
        .zip(&down)
        .map(|(name, parts)| {
            let parts: Vec<_> = parts
                .iter()
                .filter_map(|&part| ontology.values.get(part as usize).map(Vec::as_slice))
                .collect();
            columns.make(name, &parts, notes)
        })
        .collect()
}

fn property_inclusions(axioms: &[Axiom]) -> Vec<[u32; 2]> {
    let inclusion = |axiom: &Axiom| match axiom {
        Axiom::SubProperty(low, high) => Some([*low, *high]),
        _ => None,
    };
    axioms.iter().filter_map(inclusion).collect()
}

/// The object property inclusions, including those through inverses.
fn role_inclusions(signed: &Edges) -> Vec<[u32; 2]> {
    let plain = |reached: &&u32| reached.is_multiple_of(2);
    let up = reachable(signed).into_iter().step_by(2);
    (0u32..)
        .zip(up)
        .flat_map(|(low, all)| {
            all.iter().filter(plain).map(|high| [low, high / 2]).collect::<Vec<_>>()
        })
        .filter(|[low, high]| low != high)
        .collect()
}

/// Domains and ranges of object properties, including those of all super-properties.
fn inherited_types(signed: &Edges, axioms: &ClassAxioms) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let of = |reached: &u32, inverse: bool| {
        let role = (reached / 2) as usize;
        let backwards = (reached % 2 == 1) != inverse;
        let classes = if backwards { &axioms.role_ranges } else { &axioms.role_domains };
        classes[role].clone()
    };
    let collect = |all: &[u32], inverse: bool| {
        let mut classes: Vec<u32> = all.iter().flat_map(|reached| of(reached, inverse)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    };
    let up = reachable(signed);
    let domains = up.iter().step_by(2).map(|all| collect(all, false)).collect();
    let ranges = up.iter().step_by(2).map(|all| collect(all, true)).collect();
    (domains, ranges)
}

/// Domains of data properties, including those of all super-properties.
fn inherited_domains(hierarchy: &Hierarchy, own: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    (0u32..)
        .zip(&own)
        .map(|(property, classes)| {
            let above = hierarchy.ancestors(property);
            let mut all = classes.clone();
            all.extend(above.iter().flat_map(|&high| &own[high as usize]));
            all.sort_unstable();
            all.dedup();
            all
        })
        .collect()
}

fn functional(axioms: &[Axiom], pick: impl Fn(&Axiom) -> Option<u32>) -> Vec<u32> {
    let mut found: Vec<u32> = axioms.iter().filter_map(pick).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn renumber_subjects(pairs: &mut [[u32; 2]], number: &[u32]) {
    pairs.iter_mut().for_each(|[subject, _]| *subject = number[*subject as usize]);
}

fn counts(classes: usize, types: &[[u32; 2]]) -> Vec<u64> {
    let mut counts = vec![0; classes];
    types.iter().for_each(|&[_, class]| counts[class as usize] += 1);
    counts
}
