//! Sessions: explorations as JSON, to continue later.
//!
//! ```json
//! {"format": "pellucid exploration", "version": 1, "expert": "ann", "name": "animals",
//!  "attributes": ["swims", "flies"], "objects": [{"name": "salmon", "attributes": ["swims"]}],
//!  "answers": [{"expert": "ann", "premise": [], "conclusion": ["swims"], "answer": "counterexample",
//!               "object": "bee", "attributes": ["flies"]}]}
//! ```

use super::error::listed;
use super::{Answer, Exploration, Question, SessionError, Verdict};
use pellucid_bits::words::{insert, members, words_for};
use pellucid_data::{Context, Relation};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

const FORMAT: &str = "pellucid exploration";
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct SavedSession {
    format: String,
    version: u64,
    expert: String,
    name: String,
    attributes: Vec<String>,
    objects: Vec<SavedObject>,
    answers: Vec<SavedAnswer>,
}

#[derive(Serialize, Deserialize)]
struct SavedObject {
    name: String,
    attributes: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct SavedAnswer {
    expert: String,
    premise: Vec<String>,
    conclusion: Vec<String>,
    #[serde(flatten)]
    verdict: SavedVerdict,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "lowercase")]
enum SavedVerdict {
    Yes,
    Counterexample { object: String, attributes: Vec<String> },
    Unknown,
}

impl Exploration {
    /// Returns the session as JSON: the context at the beginning and all answers.
    #[must_use]
    pub fn to_json(&self) -> String {
        let start = &self.start;
        let objects = start.objects.iter().enumerate().map(|(index, name)| SavedObject {
            name: name.into_owned(),
            attributes: self.names(&start.relation.row_words(index)),
        });
        let answers = self.answers.iter().map(|answer| SavedAnswer {
            expert: answer.expert.clone(),
            premise: self.names(&answer.question.premise),
            conclusion: self.names(&answer.question.conclusion),
            verdict: match &answer.verdict {
                Verdict::Accepted => SavedVerdict::Yes,
                Verdict::Counterexample { object, attributes } => SavedVerdict::Counterexample {
                    object: object.clone(),
                    attributes: self.names(attributes),
                },
                Verdict::Unknown => SavedVerdict::Unknown,
            },
        });
        let session = SavedSession {
            format: FORMAT.to_owned(),
            version: VERSION,
            expert: self.expert.clone(),
            name: start.name.clone(),
            attributes: start.attributes.iter().map(Into::into).collect(),
            objects: objects.collect(),
            answers: answers.collect(),
        };
        let text = serde_json::to_string_pretty(&session).expect("texts and lists");
        text + "\n"
    }

    /// Returns the exploration of a session, which continues after its last answer.
    ///
    /// # Errors
    /// If the text is not a session, or an answer does not fit those before it.
    pub fn from_json(text: &str) -> Result<Exploration, SessionError> {
        let saved: SavedSession =
            serde_json::from_str(text).map_err(|error| SessionError::Form(error.to_string()))?;
        if saved.format != FORMAT {
            let found = format!("the format is '{}'", super::error::listed(&[saved.format]));
            return Err(SessionError::Form(found));
        }
        if saved.version > VERSION {
            return Err(SessionError::Version { found: saved.version, known: VERSION });
        }
        let numbers: FxHashMap<&str, usize> =
            saved.attributes.iter().map(String::as_str).zip(0..).collect();
        if numbers.len() != saved.attributes.len() {
            return Err(SessionError::Form("two attributes have the same name".to_owned()));
        }
        let set = |names: &[String]| {
            let mut set = vec![0; words_for(numbers.len())];
            for name in names {
                let number = numbers.get(name.as_str()).ok_or_else(|| {
                    let known = listed(&saved.attributes);
                    SessionError::UnknownAttribute { attribute: name.clone(), known }
                })?;
                insert(&mut set, *number);
            }
            Ok::<Vec<u64>, SessionError>(set)
        };
        let mut rows = Vec::new();
        for object in &saved.objects {
            let row = set(&object.attributes)?;
            rows.push(members(&row).map(pellucid_bits::as_u32).collect::<Vec<u32>>());
        }
        let relation = Relation::new(numbers.len(), rows).expect("attributes of the session");
        let objects = saved.objects.iter().map(|object| object.name.clone()).collect();
        let attributes = saved.attributes.iter().cloned().collect();
        let context = Context::new(saved.name, objects, attributes, relation);
        let mut exploration = Exploration::new(context, saved.expert);
        for (number, answer) in (1..).zip(saved.answers) {
            let (premise, conclusion) = (set(&answer.premise)?, set(&answer.conclusion)?);
            let verdict = match answer.verdict {
                SavedVerdict::Yes => Verdict::Accepted,
                SavedVerdict::Counterexample { object, attributes } => {
                    Verdict::Counterexample { object, attributes: set(&attributes)? }
                }
                SavedVerdict::Unknown => Verdict::Unknown,
            };
            let question = Question { premise, conclusion };
            let answer = Answer { expert: answer.expert, question, verdict };
            let applied = exploration.apply(answer);
            applied.map_err(|problem| SessionError::Answer { number, problem })?;
        }
        exploration.refresh();
        Ok(exploration)
    }

    /// Whether the exploration began with this context.
    #[must_use]
    pub fn is_of(&self, context: &Context) -> bool {
        let same =
            |one: &pellucid_data::Names, other: &pellucid_data::Names| one.iter().eq(other.iter());
        same(&self.start.attributes, &context.attributes)
            && same(&self.start.objects, &context.objects)
            && self.start.relation == context.relation
    }
}
