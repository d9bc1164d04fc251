//! The open question of a run.

use std::time::{Duration, SystemTime};

use cot_engine::CallKey;
use cot_schema::Issues;
use cot_store::{RunSummary, Status, StoreError};
use serde_json::Value;

/// The open question of a run.
#[derive(Clone, Copy)]
pub(super) struct OpenQuestion<'r> {
    pub(super) run: &'r RunSummary,
    pub(super) task: &'r str,
    pub(super) key: &'r CallKey,
    pub(super) text: &'r str,
    pub(super) schema: &'r Value,
    /// The issues of the answer before.
    pub(super) issues: Option<&'r Issues>,
    pub(super) since: SystemTime,
    pub(super) until: Option<SystemTime>,
}

impl<'r> OpenQuestion<'r> {
    /// Returns the question of a run, if it asks one.
    pub(super) fn find(run: &'r RunSummary) -> Option<Self> {
        let Status::Asking { task, key, question, schema, issues, since, until, .. } = &run.status
        else {
            return None;
        };
        Some(Self {
            run,
            task,
            key,
            text: question,
            schema,
            issues: issues.as_ref(),
            since: *since,
            until: *until,
        })
    }

    /// Returns the question of a run, if it is asked under this key.
    pub(super) fn with_key(run: &'r RunSummary, key: &str) -> Option<Self> {
        Self::find(run).filter(|question| question.key.to_string() == key)
    }

    /// Returns whether the question has no answer yet, and time for one.
    pub(super) fn is_open(&self, now: SystemTime) -> bool {
        !self.run.is_answered && self.overdue(now).is_none()
    }

    /// Returns how long ago the time for an answer ended, if it has.
    pub(super) fn overdue(&self, now: SystemTime) -> Option<Duration> {
        now.duration_since(self.until?).ok()
    }

    /// Checks an answer as the store does. Other errors than those of the answer are left to the store.
    pub(super) fn check(&self, answer: &Value) -> Result<(), Issues> {
        match self.run.check_answer(self.key, answer) {
            Err(StoreError::InvalidAnswer { issues, .. }) => Err(issues),
            _ => Ok(()),
        }
    }
}
