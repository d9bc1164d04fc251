//! The calls of a reply, until all of them are answered.

use std::time::Duration;

use cot_model::{ToolCall, Usage};
use serde_json::Value;

use super::progress::CallProgress;
use crate::{
    protocol::{
        directive::CallId,
        open_calls::{Answerer, OpenCalls},
    },
    snapshot::tools::{CallData, RoundData},
};

/// A reply that calls tools.
#[derive(Debug)]
pub(crate) struct CallingReply {
    /// The text beside the calls.
    pub(crate) text: String,
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) usage: Usage,
    pub(crate) elapsed: Duration,
}

/// A round whose calls are not all answered.
#[derive(Debug, Clone)]
pub(crate) struct PendingRound {
    pub(super) text: String,
    /// The number of the first call within the visit.
    pub(super) first: u32,
    pub(super) calls: Vec<RoundCall>,
}

/// A call of a round.
#[derive(Debug, Clone)]
pub(super) struct RoundCall {
    pub(super) call: ToolCall,
    /// The arguments as they were read; `null` if the call was answered with an error.
    pub(super) arguments: Value,
    pub(super) progress: CallProgress,
}

impl PendingRound {
    pub(crate) fn save(&self) -> RoundData {
        let calls = self.calls.iter().map(|RoundCall { call, arguments, progress }| CallData {
            call: call.clone(),
            arguments: arguments.clone(),
            progress: progress.save(),
        });
        RoundData { text: self.text.clone(), first: self.first, calls: calls.collect() }
    }

    pub(crate) fn restore(data: RoundData) -> Self {
        let RoundData { text, first, calls } = data;
        let calls = calls.into_iter().map(|CallData { call, arguments, progress }| {
            let progress = CallProgress::restore(progress);
            RoundCall { call, arguments, progress }
        });
        Self { text, first, calls: calls.collect() }
    }

    pub(super) fn number(&self, position: usize) -> u32 {
        self.first.saturating_add(u32::try_from(position).unwrap_or(u32::MAX))
    }
}

impl OpenCalls for PendingRound {
    fn visit(&self, visit: &mut dyn FnMut(CallId, Answerer)) {
        for progress in self.calls.iter().map(|call| &call.progress) {
            let is_asking = matches!(progress, CallProgress::Asking(_));
            let answerer = if is_asking { Answerer::Person } else { Answerer::Other };
            progress.id().into_iter().for_each(|id| visit(id, answerer));
        }
    }
}
