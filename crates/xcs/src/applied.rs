//! A model applied to data: its rules, and the group of each example.

use crate::groups::group_of;
use crate::model::{ExampleGroup, XcsModel, as_selected_rules};
use pellucid_data::{Dataset, visible_line};
use pellucid_device::Machine;
use pellucid_learn::learner::{
    ActualClass, Actuals, Applied, BoxError, Explanation, ExplanationRequest, Predicted,
};
use pellucid_learn::score_matrix::ScoreMatrix;
use pellucid_ruleset::apply::{AppliedRules, ApplyError};
use pellucid_ruleset::model::Rule;
use serde_json::json;

/// The rules of a model applied to data, and its groups.
pub(crate) struct AppliedClassifiers {
    applied: AppliedRules,
    rules: Vec<Rule>,
    groups: Vec<ExampleGroup>,
}

impl AppliedClassifiers {
    pub(crate) fn new(
        model: &XcsModel,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<AppliedClassifiers, ApplyError> {
        // Models of earlier versions do not have the rules of a group.
        let has_rules = |group: &ExampleGroup| !group.rules.is_empty();
        let is_known = model.body.groups.iter().all(has_rules);
        Ok(AppliedClassifiers {
            applied: AppliedRules::new(&as_selected_rules(model), data, machine)?,
            rules: if is_known { model.body.set.rules.clone() } else { Vec::new() },
            groups: if is_known { model.body.groups.clone() } else { Vec::new() },
        })
    }

    /// Returns the class that a group explains: the actual one if it is known, otherwise the predicted one.
    fn explained_class(&self, example: usize) -> u32 {
        match self.actual().class(example) {
            Some(ActualClass::Known(class)) => *class,
            _ => self.predicted().class(example),
        }
    }
}

impl Applied for AppliedClassifiers {
    fn predicted(&self) -> Predicted<'_> {
        self.applied.predicted()
    }

    fn scores(&self) -> Option<&ScoreMatrix> {
        Applied::scores(&self.applied)
    }

    fn actual(&self) -> &Actuals {
        self.applied.actual()
    }

    fn has_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    fn group(&self, example: usize) -> Option<usize> {
        let class = self.explained_class(example);
        group_of(&self.groups, &self.rules, class, |rule| self.applied.holds(rule, example))
    }

    fn explain(
        &self,
        example: usize,
        request: &ExplanationRequest<'_>,
    ) -> Result<Explanation, BoxError> {
        let mut explanation = Applied::explain(&self.applied, example, request)?;
        if self.has_groups() {
            let group = self.group(example);
            let sentence = match group.and_then(|group| Some((group, self.groups.get(group)?))) {
                Some((group, own)) => {
                    let columns = own.columns.iter().take(SHOWN_COLUMNS);
                    let names: Vec<_> =
                        columns.map(|column| visible_line(&column.column)).collect();
                    format!("group {}: explained by {}", group + 1, names.join(", "))
                }
                None => "no group: no group of rules argues for this class".to_owned(),
            };
            explanation.text = format!("{}\n  {sentence}\n\n", explanation.text.trim_end());
            if let Some(json) = explanation.json.as_object_mut() {
                json.insert("group".to_owned(), json!(group.map(|group| group + 1)));
            }
        }
        Ok(explanation)
    }

    fn heading(&self) -> &str {
        self.applied.heading()
    }

    fn name(&self, example: usize) -> String {
        self.applied.name(example)
    }

    fn example_of_row(&self, row: usize) -> Option<usize> {
        self.applied.example_of_row(row)
    }

    fn len(&self) -> usize {
        Applied::len(&self.applied)
    }
}

/// The most columns of a group that an explanation names.
const SHOWN_COLUMNS: usize = 3;
