//! The answers in a journal whose result no event has told yet.

use cot_engine::{Attempt, CallKey, internal::VisitKey};
use cot_store::{Answer, AttemptHistory};
use serde_json::Value as Json;

use super::visit::TaskAt;

/// The answers of a stored run to which no event has come yet. Runs that are observed have none.
#[derive(Debug, Default)]
pub(super) struct Answers(Vec<AttemptHistory>);

/// A visit of a task, with its number; 0 if it is not known.
pub(super) type VisitAt<'a> = (TaskAt<'a>, u32);

impl Answers {
    pub(super) fn add(&mut self, answer: AttemptHistory) {
        let Some(key) = &answer.key else { return };
        if key.round() > 0 {
            // The replies before this one called tools.
            let is_earlier = |other: &CallKey| is_main(other) && other.visits().eq(key.visits());
            self.0.retain(|other| !other.key.as_ref().is_some_and(is_earlier));
        }
        self.0.push(answer);
    }

    pub(super) fn take_all(&mut self) -> Vec<AttemptHistory> {
        std::mem::take(&mut self.0)
    }

    /// Takes the answers that a visit has itself, for all items or only one.
    pub(super) fn take_own(
        &mut self,
        visit: VisitAt<'_>,
        item: Option<usize>,
    ) -> Vec<AttemptHistory> {
        self.take_at(visit, |key| is_main(key) && (item.is_none() || key.item() == item))
    }

    /// Takes the answer to the last call of a failed attempt; `None` if the attempt has it itself.
    pub(super) fn take_failed(
        &mut self,
        visit: VisitAt<'_>,
        failed: &Attempt,
    ) -> Option<AttemptHistory> {
        let attempt = (failed.number, failed.item);
        let is_its = |key: &CallKey| (key.attempt(), key.item()) == attempt && !is_of_tool(key);
        let answers = self.take_at(visit, is_its);
        answers.into_iter().rfind(|answer| answer.key.as_ref().is_some_and(is_main))
    }

    /// Takes the answers to a call of a tool, whose result its event has, and to the question whether to make it.
    pub(super) fn take_approval(&mut self, visit: VisitAt<'_>, call: u32) -> Option<Json> {
        let is_its = |key: &CallKey| key.tool_call().or_else(|| key.approval()) == Some(call);
        self.take_at(visit, is_its).into_iter().find_map(|answer| match answer.answer? {
            Answer::Answered(approval) => Some(approval),
            _ => None,
        })
    }

    /// Takes the answers of the sub-processes that a visit runs: all, or those of an item or an attempt.
    pub(super) fn take_below(
        &mut self,
        (at, number): VisitAt<'_>,
        item: Option<usize>,
        attempt: Option<u32>,
    ) -> Vec<AttemptHistory> {
        let is_its = |visit: &VisitKey| {
            [0, visit.number].contains(&number)
                && (item.is_none() || visit.item == item)
                && attempt.is_none_or(|attempt| visit.attempt == attempt)
        };
        self.take(|key| {
            key.visits().count() > at.outer.len() + 1
                && at.visit_in(&visits(key)).is_some_and(is_its)
        })
    }

    fn take_at(
        &mut self,
        (at, number): VisitAt<'_>,
        is_wanted: impl Fn(&CallKey) -> bool,
    ) -> Vec<AttemptHistory> {
        let is_current = |visit: &VisitKey| [0, visit.number].contains(&number);
        self.take(|key| {
            // Many answers of items can be there.
            is_wanted(key)
                && key.visits().count() == at.outer.len() + 1
                && at.visit_in(&visits(key)).is_some_and(is_current)
        })
    }

    fn take(&mut self, is_wanted: impl Fn(&CallKey) -> bool) -> Vec<AttemptHistory> {
        let is_wanted = |answer: &mut AttemptHistory| answer.key.as_ref().is_some_and(&is_wanted);
        self.0.extract_if(.., is_wanted).collect()
    }
}

pub(super) fn visits(key: &CallKey) -> Vec<VisitKey> {
    key.visits().cloned().collect()
}

/// Returns whether a call is the first that its attempt makes, or one of the model after rounds of tool calls.
pub(super) fn is_main(key: &CallKey) -> bool {
    !key.is_check() && !is_of_tool(key)
}

/// Returns whether a call is one of a tool, or the question whether to make it.
fn is_of_tool(key: &CallKey) -> bool {
    key.tool_call().or_else(|| key.approval()).is_some()
}
