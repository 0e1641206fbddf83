//! The values of data properties as columns of one datatype each.

use super::graph::to_u32;
use super::literal;
use super::short_names::local;
use pellucid_data::{Datatype, Datum, Message, Register, message};
use pellucid_program::Domain;
use pellucid_relate::{Edges, Property};

/// Builds columns, one property at a time.
pub(super) struct Columns<'a> {
    pub(super) texts: &'a Register,
    /// Maps numbers in the ontology to current numbers of individuals.
    pub(super) number: &'a [u32],
    pub(super) individuals: usize,
    /// For each text, its index among the distinct texts of the current property. Reset after each
    /// property.
    index_of: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl<'a> Columns<'a> {
    pub(super) fn new(texts: &'a Register, number: &'a [u32], individuals: usize) -> Columns<'a> {
        Columns { texts, number, individuals, index_of: vec![ABSENT; texts.len()] }
    }

    /// Returns the column of a property whose data come in parts. Adds notes about dropped and
    /// inconsistent values.
    pub(super) fn make(
        &mut self,
        name: &str,
        parts: &[&[Datum]],
        notes: &mut Vec<Message>,
    ) -> (Datatype, Property) {
        let name = local(name);
        let datatype = self.kind(name, parts, notes);
        let mut distinct = Vec::new();
        for datum in parts.iter().copied().flatten() {
            let index = &mut self.index_of[datum.text as usize];
            if *index == ABSENT {
                *index = to_u32(distinct.len());
                distinct.push(datum.text);
            }
        }
        let (values, ranks) = self.ranked(datatype, &distinct);
        let mut pairs = Vec::with_capacity(parts.iter().map(|part| part.len()).sum());
        let mut dropped: Option<(u64, u32)> = None;
        for datum in parts.iter().copied().flatten() {
            match ranks[self.index_of[datum.text as usize] as usize] {
                ABSENT => dropped.get_or_insert((0, datum.text)).0 += 1,
                rank => pairs.push([self.number[datum.subject as usize], rank]),
            }
        }
        for &text in &distinct {
            self.index_of[text as usize] = ABSENT;
        }
        if let Some((count, text)) = dropped {
            let (example, kind) = (self.texts.get(text), described(datatype));
            let values = if count == 1 { "value" } else { "values" };
            notes.push(message!(
                "ignored {count} {values} of '{name}' that cannot be read as {kind}, such as '{example}'"
            ));
        }
        let count = match &values {
            Domain::Numeric(numbers) => numbers.len(),
            Domain::Nominal(texts) => texts.len(),
            Domain::Boolean => 2,
        };
        (datatype, Property { values, edges: Edges::new(self.individuals, count, pairs) })
    }

    /// The datatype of the column: the common datatype of its values.
    fn kind(&self, name: &str, parts: &[&[Datum]], notes: &mut Vec<Message>) -> Datatype {
        let mut kinds: Vec<(Datatype, u64)> = Vec::new();
        for datum in parts.iter().copied().flatten() {
            match kinds.iter_mut().find(|(kind, _)| *kind == datum.datatype) {
                Some((_, count)) => *count += 1,
                None => kinds.push((datum.datatype, 1)),
            }
        }
        let all = |allowed: &[Datatype]| kinds.iter().all(|(kind, _)| allowed.contains(kind));
        match kinds[..] {
            [] => Datatype::Text,
            [(kind, _)] => kind,
            _ if all(&[Datatype::Integer, Datatype::Real]) => Datatype::Real,
            _ => {
                kinds.sort_unstable();
                let found: Vec<String> = kinds
                    .iter()
                    .map(|(kind, count)| format!("{count} declared as {}", described(*kind)))
                    .collect();
                let found = found.join(", ");
                notes.push(message!(
                    "'{name}' has values of different datatypes ({found}); all are treated as text"
                ));
                Datatype::Text
            }
        }
    }

    /// Returns the distinct values in order and, for each distinct text, the rank of its value.
    fn ranked(&self, datatype: Datatype, distinct: &[u32]) -> (Domain, Vec<u32>) {
        let texts = distinct.iter().map(|&text| self.texts.get(text));
        let numbers = |read: fn(&str) -> Option<f64>| {
            let read: Vec<f64> = texts.clone().map(|text| read(text).unwrap_or(f64::NAN)).collect();
            let mut values: Vec<f64> =
                read.iter().copied().filter(|value| !value.is_nan()).collect();
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            let rank = |value: &f64| {
                values.binary_search_by(|other| other.total_cmp(value)).map_or(ABSENT, to_u32)
            };
            let ranks = read.iter().map(rank).collect();
            (Domain::Numeric(values), ranks)
        };
        match datatype {
            Datatype::Integer | Datatype::Real => numbers(literal::number),
            Datatype::Date => numbers(literal::date),
            Datatype::Boolean => {
                let rank = |text| literal::boolean(text).map_or(ABSENT, u32::from);
                let values = Domain::Nominal(vec!["false".to_owned(), "true".to_owned()]);
                (values, texts.map(rank).collect())
            }
            Datatype::Text => {
                let mut order: Vec<u32> = (0..to_u32(distinct.len())).collect();
                let text = |index: u32| self.texts.get(distinct[index as usize]);
                order.sort_unstable_by(|&a, &b| text(a).cmp(text(b)));
                let mut ranks = vec![0; distinct.len()];
                for (rank, &index) in (0..).zip(&order) {
                    ranks[index as usize] = rank;
                }
                let values = order.iter().map(|&index| text(index).to_owned()).collect();
                (Domain::Nominal(values), ranks)
            }
        }
    }
}

/// The name of a datatype in notes.
fn described(datatype: Datatype) -> &'static str {
    match datatype {
        Datatype::Integer => "an integer",
        Datatype::Real => "a number",
        Datatype::Boolean => "true or false",
        Datatype::Date => "a date",
        Datatype::Text => "text",
    }
}
