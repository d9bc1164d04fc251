//! The tools that a visit offers, and the rounds of their calls.

use std::{mem, time::Duration};

use cot_bounds::{DEFAULT_HELD_CALLS, DEFAULT_TOOL_CALLS};
use cot_model::{Tool, ToolCall, ToolRound, Usage};
use serde::Serialize;
use serde_json::Value;

use super::pending_round::PendingRound;
use crate::{
    process::{
        effect::Effect,
        host::ProcessHost,
        tables::TaskIndex,
        tool::definition::{ToolDefinition, ToolHistory, ToolIndex},
    },
    protocol::open_calls::OpenCalls,
    run::{
        attempts::ReplyCost,
        context::{RunFacts, Visit},
        restore_context::RestoreContext,
    },
    snapshot::{error::SnapshotError, tools::ToolsData},
    values::history::HistoryEntry,
};

/// The tools that a visit of a task offers, and the calls of the model so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolConversation {
    /// The tools whose guards held when the task started.
    pub(crate) tools: Vec<Tool>,
    /// How each of these tools is called.
    pub(crate) uses: Vec<OfferedTool>,
    /// The rounds that are complete.
    pub(crate) rounds: Vec<ToolRound>,
    /// The number of calls in the visit.
    pub(crate) calls: u32,
    /// The usage of the replies since the last attempt that called tools.
    usage: Usage,
    /// The time of these replies and their calls.
    elapsed: Duration,
    pub(crate) pending: Option<PendingRound>,
}

/// How a tool that a visit offers is called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfferedTool {
    /// The index of the tool, or of its source, in the process.
    pub(crate) index: ToolIndex,
    /// The stricter effect of the tool and its source.
    pub(crate) effect: Effect,
    pub(crate) needs_approval: bool,
}

impl ToolConversation {
    /// Returns the tools of a task whose guards hold now, or `None` if the task has no tools.
    pub(crate) fn begin(
        facts: &RunFacts,
        visit: &Visit,
        host: &dyn ProcessHost,
    ) -> Option<Box<Self>> {
        let uses = facts.definition.task(visit.task).kind.tools();
        if uses.is_empty() {
            return None;
        }
        let mut conversation = Box::<Self>::default();
        let scope = facts.scope(visit, None);
        for (tool_use, index) in uses.iter().copied().enumerate() {
            if host.is_tool_visible(visit.task, tool_use, index, &scope) {
                conversation.offer(index, facts, host);
            }
        }
        Some(conversation)
    }

    /// Offers the tools of the task with these names, whose guards held when the task started.
    fn offer_again(
        &mut self,
        names: &[String],
        facts: &RunFacts,
        visit: &Visit,
        host: &dyn ProcessHost,
    ) {
        (self.tools, self.uses) = (Vec::new(), Vec::new());
        for index in facts.definition.task(visit.task).kind.tools() {
            self.offer(*index, facts, host);
        }
        let offered = mem::take(&mut self.tools).into_iter().zip(mem::take(&mut self.uses));
        let offered = offered.filter(|(tool, _)| names.iter().any(|name| name == tool.name()));
        (self.tools, self.uses) = offered.unzip();
    }

    fn offer(&mut self, index: ToolIndex, facts: &RunFacts, host: &dyn ProcessHost) {
        let Some(definition) = facts.definition.tools.tools.get(index) else { return };
        let ToolDefinition { effect, needs_approval, selection, .. } = *definition;
        if let Some(schema) = host.tool_schema(index) {
            let schema = host.schemas().arguments(index, definition.name, schema);
            self.tools.push(Tool::new(definition.description, schema));
            self.uses.push(OfferedTool { index, effect, needs_approval });
        }
        for tool in selection.select(host.source_tools(index)) {
            self.tools.push(Tool::new(&*tool.description, tool.schema.clone()));
            let (effect, needs_approval) =
                (effect.max(tool.effect), needs_approval || tool.needs_approval);
            self.uses.push(OfferedTool { index, effect, needs_approval });
        }
    }

    /// Returns the number of calls that a visit of the task may make.
    pub(crate) fn max_calls(facts: &RunFacts, task: TaskIndex) -> u32 {
        let kind = &facts.definition.task(task).kind;
        let declared = kind.max_tool_calls().or(facts.definition.tools.max_calls);
        let is_held = kind.calls().is_some();
        declared.unwrap_or(if is_held { DEFAULT_HELD_CALLS } else { DEFAULT_TOOL_CALLS })
    }

    /// Takes the cost of the replies since the last attempt, and adds it to the cost of the present reply.
    pub(crate) fn take_cost<'t>(&mut self, reply: ReplyCost<'t>) -> ReplyCost<'t> {
        let (usage, elapsed) = (mem::take(&mut self.usage), mem::take(&mut self.elapsed));
        ReplyCost {
            usage: reply.usage + usage,
            elapsed: reply.elapsed.saturating_add(elapsed),
            ..reply
        }
    }

    /// Adds the cost of a reply that called tools, and the time of its calls.
    pub(crate) fn add_cost(&mut self, usage: Usage, elapsed: Duration) {
        self.usage += usage;
        self.elapsed = self.elapsed.saturating_add(elapsed);
    }

    /// Returns the conversation as snapshot data, or `None` if no tool was called.
    pub(crate) fn save(&self) -> Option<Box<ToolsData>> {
        if self.rounds.is_empty() && self.pending.is_none() {
            return None;
        }
        Some(Box::new(ToolsData {
            rounds: self.rounds.clone(),
            offered: self.tools.iter().map(|tool| tool.name().to_owned()).collect(),
            calls: self.calls,
            usage: self.usage,
            elapsed: self.elapsed,
            pending: self.pending.as_ref().map(PendingRound::save),
        }))
    }

    /// Restores the calls from snapshot data, and the tools that the visit offers.
    pub(crate) fn restore(
        &mut self,
        data: ToolsData,
        visit: &Visit,
        cx: &RestoreContext<'_>,
    ) -> Result<(), SnapshotError> {
        let ToolsData { rounds, offered, calls, usage, elapsed, pending } = data;
        self.offer_again(&offered, cx.facts, visit, cx.host);
        (self.rounds, self.calls) = (rounds, calls);
        (self.usage, self.elapsed) = (usage, elapsed);
        self.pending = pending.map(PendingRound::restore);
        let mut ids = Vec::new();
        self.pending.iter().for_each(|round| round.visit(&mut |id, _| ids.push(id)));
        ids.into_iter().try_for_each(|id| cx.check_call_id(id).map(drop))
    }

    /// Returns the history entry of the calls of the visit, if there are any and the process keeps them.
    pub(crate) fn history_entry(&self, facts: &RunFacts, task: TaskIndex) -> Option<HistoryEntry> {
        let calls = || self.rounds.iter().flat_map(|round| &round.calls);
        calls().next()?;
        // The output of a task that performs calls of the state has the calls with their results.
        let is_output = facts.definition.task(task).kind.calls().is_some();
        let task = facts.name(task);
        match facts.definition.tools.history {
            ToolHistory::None => None,
            ToolHistory::All if is_output => None,
            ToolHistory::Names => {
                let tools = calls().map(|(call, _)| &*call.name).collect();
                HistoryEntry::from_serialize(&NamesEntry { task, tools }).ok()
            }
            ToolHistory::All => {
                let tool_calls = calls().map(|(call, result)| {
                    let (arguments, text) = (json_or_text(&call.arguments), &*result.text);
                    let (result, error) = match result.is_error {
                        false => (Some(json_or_text(text)), None),
                        true => (None, Some(text)),
                    };
                    CallEntry { tool: &call.name, arguments, result, error }
                });
                let tool_calls = tool_calls.collect();
                HistoryEntry::from_serialize(&CallsEntry { task, tool_calls }).ok()
            }
        }
    }

    /// Returns the results that the model has received, each with the name of the tool in the declaration.
    pub(crate) fn results(&self, facts: &RunFacts) -> Vec<(&'static str, String)> {
        let calls = self.rounds.iter().flat_map(|round| &round.calls);
        let answered = calls.filter(|(_, result)| !result.is_error);
        let results = answered.filter_map(|(call, result)| {
            let index = self.uses.get(self.find(call)?)?.index;
            let definition = facts.definition.tools.tools.get(index)?;
            // A text is searched as it is, and anything else as JSON.
            let text = serde_json::from_str::<String>(&result.text);
            Some((definition.name, text.unwrap_or_else(|_| result.text.clone())))
        });
        results.collect()
    }

    /// Returns the index of an offered tool, in the lists of this conversation.
    pub(crate) fn find(&self, call: &ToolCall) -> Option<usize> {
        self.tools.iter().position(|tool| tool.name() == call.name)
    }
}

fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// The history entry of a visit, with the names of the called tools.
#[derive(Serialize)]
struct NamesEntry<'a> {
    task: &'a str,
    tools: Vec<&'a str>,
}

/// The history entry of a visit, with its calls.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallsEntry<'a> {
    task: &'a str,
    tool_calls: Vec<CallEntry<'a>>,
}

#[derive(Serialize)]
struct CallEntry<'a> {
    tool: &'a str,
    arguments: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}
