//! The questions that one answer can fit.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::{
    fields::Fields,
    links::{Links, with_query},
    people::{approval, question::OpenQuestion},
};

/// The questions of a task of a process whose answers have the same schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::people) struct Group {
    pub(in crate::people) process: String,
    /// The task of the status of the runs.
    pub(in crate::people) task: String,
    /// The hash of the schema, and of the tasks of sub-processes that lead to the question.
    kind: String,
}

impl Group {
    /// Returns the group of a question. The approval of a tool's call has none: each call has arguments of its own, and
    /// the tool runs once the call is approved.
    pub(in crate::people) fn from_question(question: &OpenQuestion<'_>) -> Option<Self> {
        if approval::is_approval(question.schema) {
            return None;
        }
        let OpenQuestion { run, task, key, schema, .. } = question;
        let mut hasher = Sha256::new();
        for visit in key.visits() {
            hasher.update(&*visit.task);
            hasher.update("/");
        }
        hasher.update(schema.to_string());
        let mut kind = String::new();
        for byte in hasher.finalize().iter().take(8) {
            _ = write!(kind, "{byte:02x}");
        }
        Some(Self { process: run.process.clone(), task: (*task).to_owned(), kind })
    }

    /// Returns the group that an address names.
    pub(super) fn parse(query: &Fields) -> Option<Self> {
        let text = |name| query.filled(name).map(str::to_owned);
        Some(Self { process: text("process")?, task: text("task")?, kind: text("kind")? })
    }

    /// Returns the fields of the query that names the group.
    pub(super) fn query(&self) -> [(&'static str, &str); 3] {
        [("process", &self.process), ("task", &self.task), ("kind", &self.kind)]
    }

    /// Returns the address of the page that answers the questions of the group, or those with a text in them.
    pub(in crate::people) fn address(&self, links: &Links, search: Option<&str>) -> String {
        let query = self.query().into_iter().chain(search.map(|search| ("q", search)));
        with_query(links.answers(), &query.collect::<Vec<_>>())
    }

    /// Returns whether a question belongs to the group.
    pub(super) fn contains(&self, question: &OpenQuestion<'_>) -> bool {
        Self::from_question(question).as_ref() == Some(self)
    }
}
