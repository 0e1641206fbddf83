//! Learning problems in JSON: `{"problems": {"NAME": {"positive_examples": […],
//! "negative_examples": […]}}}`, or a single problem without a name.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::once;
use crate::source::error::{ReadError, ReadProblem, json_error};
use pellucid_data::Problem as LearningProblem;

const EXPECTED: &str =
    "{\"problems\": {NAME: {\"positive_examples\": [IRI, …], \"negative_examples\": [IRI, …]}}}";

#[derive(Deserialize)]
struct Document {
    problems: Option<Named>,
    positive_examples: Option<Vec<String>>,
    #[serde(default)]
    negative_examples: Vec<String>,
}

#[derive(Deserialize)]
struct Lists {
    positive_examples: Vec<String>,
    negative_examples: Vec<String>,
}

/// The problems in the order of the file, which a map would not preserve.
struct Named(Vec<(String, Lists)>);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("problems by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named, A::Error> {
                let mut named = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    named.push(entry);
                }
                Ok(Named(named))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

pub(super) fn read(text: &str, stem: &str) -> Result<Vec<LearningProblem>, ReadError> {
    let document: Document = serde_json::from_str(text).map_err(|error| json_error(&error))?;
    let named = match (document.problems, document.positive_examples) {
        (Some(Named(named)), _) => named,
        (None, Some(positive_examples)) => {
            let negative_examples = document.negative_examples;
            vec![(stem.to_owned(), Lists { positive_examples, negative_examples })]
        }
        (None, None) => Vec::new(),
    };
    if named.is_empty() {
        return Err(ReadProblem::NoExamples { which: "examples", expected: EXPECTED }.into());
    }
    let problem = |(name, lists): (String, Lists)| LearningProblem {
        name,
        positive: once(lists.positive_examples),
        negative: once(lists.negative_examples),
    };
    let problems: Vec<LearningProblem> = named.into_iter().map(problem).collect();
    match problems.iter().find(|problem| problem.positive.is_empty()) {
        Some(empty) => Err(ReadProblem::Form {
            found: format!(
                "no positive examples for {}",
                crate::source::error::shorten(&empty.name)
            ),
            expected: "at least one".to_owned(),
        }
        .into()),
        None => Ok(problems),
    }
}
