//! The questions that can be selected, and those that are.

use std::collections::BTreeSet;

use cot_store::{RunFilter, RunId, RunOrder, RunSummary};

use super::group::Group;
use crate::{error::PageError, fields::Fields, people::question::OpenQuestion, visit::Visit};

/// The maximum number of questions that one form answers.
pub(super) const MAX_AT_ONCE: usize = 500;
/// The name of the check boxes.
pub(super) const FIELD: &str = "question";
/// The values of the buttons that change the selection.
pub(super) const ALL: &str = "all:";
pub(super) const NONE: &str = "none:";

/// The runs whose questions can be answered together, the most urgent first.
pub(super) struct Listing {
    pub(super) runs: Vec<RunSummary>,
    /// Whether further ones were not looked at.
    pub(super) is_cut: bool,
}

impl Listing {
    /// Lists the runs of a group whose questions have no answer yet, or those that a search finds.
    pub(super) async fn load(visit: &Visit, group: &Group) -> Result<Self, PageError> {
        let mut filter = RunFilter::default();
        filter.is_asking = Some(true);
        filter.process = Some(group.process.clone());
        filter.task = Some(group.task.clone());
        filter.search = visit.query().filled("q").map(str::to_owned);
        filter.order = RunOrder::AttentionFirst;
        filter.limit = Some(MAX_AT_ONCE + 1);
        let mut runs = visit.store().runs(&filter).await?;
        let is_cut = runs.len() > MAX_AT_ONCE;
        runs.truncate(MAX_AT_ONCE);
        runs.retain(|run| {
            let question = OpenQuestion::find(run).filter(|question| question.is_open(visit.now()));
            question.is_some_and(|question| group.contains(&question))
        });
        Ok(Self { runs, is_cut })
    }

    pub(super) fn questions(&self) -> impl Iterator<Item = OpenQuestion<'_>> {
        self.runs.iter().filter_map(OpenQuestion::find)
    }
}

/// The selected questions: their runs and keys, so that an answer reaches only the question that was shown.
#[derive(Default)]
pub(super) struct Selection(BTreeSet<(RunId, String)>);

impl Selection {
    /// Parses the check boxes of a form.
    pub(super) fn parse(fields: &Fields) -> Self {
        let boxes = fields.iter().filter(|(name, _)| *name == FIELD);
        let parse = |(_, value): (&str, &str)| {
            let (run, key) = value.split_once(' ')?;
            Some((run.parse().ok()?, key.to_owned()))
        };
        Self(boxes.filter_map(parse).collect())
    }

    /// Selects all questions of a list.
    pub(super) fn all(listing: &Listing) -> Self {
        Self(listing.questions().map(|question| name(&question)).collect())
    }

    pub(super) fn contains(&self, question: &OpenQuestion<'_>) -> bool {
        self.0.contains(&name(question))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the runs and the keys of their questions.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(RunId, String)> {
        self.0.iter()
    }
}

/// Returns the value of the check box of a question.
pub(super) fn value(question: &OpenQuestion<'_>) -> String {
    let (run, key) = name(question);
    format!("{run} {key}")
}

fn name(question: &OpenQuestion<'_>) -> (RunId, String) {
    (question.run.run.clone(), question.key.to_string())
}
