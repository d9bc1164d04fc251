//! The state machine of a conversation, without I/O.
//!
//! [`next_action`](Conversation::next_action) returns the next action. [`ReplyParser`] parses the model's
//! reply; [`add_blocks`](Conversation::add_blocks) adds it to the conversation, and
//! [`add_result`](Conversation::add_result) adds the result of a call.

pub(crate) mod calls;
pub(crate) mod limits;
pub(super) mod prompt;
pub(crate) mod reply_parser;
mod resume;
mod rules;

use std::collections::HashSet;

use cot_task_format::{
    Block, BlockKind, Code, Diagnostic, Expr, Tool, Trace, internal::ToolDefinitions,
};
use serde_json::Value as Json;

pub(super) use calls::NewCall;
pub(super) use limits::Limits;

use self::{
    calls::{PendingCalls, add_missing_ids, calls_in},
    prompt::correction,
    rules::{TurnRules, diagnostic},
};
use crate::{
    task_session::error::{SessionBuildError, SessionError, ToolChange},
    tools::{self, ToolSet},
};

/// The state of a conversation.
#[derive(Clone, Debug)]
pub(super) struct Conversation {
    pub(super) trace: Trace,
    /// The trace as text, which is the prompt for the model.
    text: String,
    definitions: ToolDefinitions,
    pub(super) tools: ToolSet,
    pub(super) limits: Limits,
    phase: Phase,
    /// The ids of all calls.
    ids: HashSet<String>,
    /// Number of messages from the user.
    users: usize,
    has_plan: bool,
    /// Accepted replies of the current turn.
    rounds: u32,
    /// Consecutive rejected replies.
    rejected_replies: u32,
    /// The note about the last rejected reply, for the next prompt.
    correction: Option<String>,
    /// Differences between the tools of the session and those of the resumed trace.
    pub(super) changes: Vec<ToolChange>,
}

/// The participant whose input comes next.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// The user sends a message.
    User,
    /// The model replies.
    Model,
    /// Tools return results.
    Tools(PendingCalls),
}

/// The next action of the driver.
#[derive(Debug, PartialEq)]
pub(super) enum NextAction {
    /// Call the model with this prompt.
    Ask { prompt: String, round: u32, attempt: u32 },
    /// Run these calls, and add the result of each.
    Call(Vec<NewCall>),
    /// The turn is over.
    Nothing,
}

impl Conversation {
    /// Creates a conversation without messages.
    pub(super) fn new(
        system: &str,
        tools: ToolSet,
        limits: Limits,
    ) -> Result<Self, SessionBuildError> {
        if let Some(tools::ToolDefinitionError { tool, problem }) = tools.invalid().cloned() {
            return Err(SessionBuildError::ToolDefinition { tool, problem });
        }
        let mut opening = vec![Block::new(BlockKind::System, system)];
        for tool in tools.iter() {
            opening.push(tool_definition(tool)?);
        }
        let definitions = ToolDefinitions::from_blocks(&opening);
        let mut conversation = Self {
            trace: Trace::default(),
            text: String::new(),
            definitions,
            tools,
            limits,
            phase: Phase::User,
            ids: HashSet::new(),
            users: 0,
            has_plan: false,
            rounds: 0,
            rejected_replies: 0,
            correction: None,
            changes: Vec::new(),
        };
        opening.into_iter().for_each(|block| conversation.push(block));
        Ok(conversation)
    }

    /// Returns whether the conversation waits for a message of the user.
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::User
    }

    /// Starts a turn with a message of the user.
    pub(super) fn start_turn(&mut self, text: String) -> Result<(), SessionError> {
        if !self.is_over() {
            return Err(SessionError::Unfinished);
        }
        let id = format!("usr{}", self.users + 1);
        let block = Block::new(BlockKind::User, Expr::from(text).tag(id));
        self.advance(&block);
        self.push(block);
        self.reset_limits();
        Ok(())
    }

    /// Resets the counters of rounds and rejected replies.
    pub(super) fn reset_limits(&mut self) {
        (self.rounds, self.rejected_replies, self.correction) = (0, 0, None);
    }

    /// Removes the last turn if it has no response.
    pub(super) fn abandon(&mut self) {
        let last = self.trace.blocks.iter().rposition(|block| block.kind == BlockKind::User);
        if let Some(last) = last.filter(|_| !self.is_over()) {
            self.trace.blocks.truncate(last);
            self.users -= 1;
            self.phase = Phase::User;
            self.render_text();
        }
    }

    /// Returns the next action, or the limit that prevents it.
    pub(super) fn next_action(&self) -> Result<NextAction, SessionError> {
        match &self.phase {
            Phase::User => return Ok(NextAction::Nothing),
            Phase::Tools(calls) => return Ok(NextAction::Call(calls.open().cloned().collect())),
            Phase::Model => {}
        }
        let (limit, bytes) = (self.limits.trace_bytes, self.text.len());
        if bytes > limit {
            return Err(SessionError::TraceLimit { limit, bytes });
        }
        if self.rounds >= self.limits.rounds {
            return Err(SessionError::RoundLimit { limit: self.limits.rounds });
        }
        let prompt = format!("{}{}", self.text, self.correction.as_deref().unwrap_or_default());
        Ok(NextAction::Ask { prompt, round: self.rounds + 1, attempt: self.rejected_replies + 1 })
    }

    /// Returns the rules for the next structure. `has_plan` says whether the current reply contains a plan.
    fn rules(&self, has_plan: bool) -> TurnRules<'_> {
        TurnRules {
            definitions: &self.definitions,
            tools: &self.tools,
            max_calls: self.limits.calls,
            has_plan: has_plan || self.has_plan,
        }
    }

    /// Adds checked structures of a reply to the trace. Returns findings that do not reject them.
    pub(super) fn add_blocks(&mut self, blocks: Vec<Block>) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for mut block in blocks {
            add_missing_ids(&mut block, &self.ids);
            findings.extend(self.advance(&block));
            let is_response = block.kind == BlockKind::Response;
            let position = block.position;
            self.push(block);
            if is_response {
                let open = self.trace.todos().into_iter();
                let open = open.filter(|item| item.turn == self.users && !item.is_satisfied);
                findings.extend(open.map(|item| {
                    let message = format!("nothing satisfies the todo item {}", item.number);
                    diagnostic(Code::UnsatisfiedTodo, position, message)
                }));
            }
        }
        findings
    }

    /// Counts an accepted reply.
    pub(super) fn accept_reply(&mut self) {
        self.rounds += 1;
        (self.rejected_replies, self.correction) = (0, None);
    }

    /// Counts a rejected reply. Fails if no retries are left.
    pub(super) fn reject_reply(
        &mut self,
        reply: &str,
        diagnostics: &[Diagnostic],
    ) -> Result<(), SessionError> {
        self.rejected_replies += 1;
        if self.rejected_replies > self.limits.retries {
            let (attempts, diagnostics) = (self.rejected_replies, diagnostics.to_vec());
            return Err(SessionError::Refused { attempts, diagnostics });
        }
        self.correction = Some(correction(reply, diagnostics));
        Ok(())
    }

    /// Adds the result of a call.
    pub(super) fn add_result(&mut self, id: &str, result: &Result<Json, String>) {
        let Phase::Tools(calls) = &mut self.phase else { return };
        let results = calls.add_result(id, result, self.limits.result_bytes);
        if calls.is_empty() {
            self.phase = Phase::Model;
        }
        results.into_iter().for_each(|block| self.push(block));
    }

    /// Updates the state for a valid structure. Returns findings that do not reject it.
    fn advance(&mut self, block: &Block) -> Vec<Diagnostic> {
        match block.kind {
            BlockKind::User => {
                self.users += 1;
                (self.phase, self.has_plan) = (Phase::Model, false);
            }
            BlockKind::Plan => self.has_plan = true,
            BlockKind::Response => self.phase = Phase::User,
            BlockKind::Act => return self.add_calls(block),
            _ => {}
        }
        Vec::new()
    }

    fn add_calls(&mut self, act: &Block) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for call in calls_in(act) {
            if !self.ids.insert(call.id.clone()) {
                let message = format!("an earlier call has the id `{}`", call.id);
                findings.push(diagnostic(Code::DuplicateTag, call.position, message));
            }
        }
        let mut calls = match std::mem::replace(&mut self.phase, Phase::Model) {
            Phase::Tools(calls) => calls,
            _ => PendingCalls::default(),
        };
        calls.add(calls_in(act));
        if !calls.is_empty() {
            self.phase = Phase::Tools(calls);
        }
        findings
    }

    /// Appends a structure to the trace.
    fn push(&mut self, block: Block) {
        if !self.trace.blocks.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&block.to_string());
        self.trace.blocks.push(block);
    }

    /// Renders the complete trace as text.
    fn render_text(&mut self) {
        self.text = self.trace.to_string();
    }
}

/// Creates the definition of a tool. Fails if its name or parameters conflict with the format.
fn tool_definition(tool: &tools::Tool) -> Result<Block, SessionBuildError> {
    let tools::Tool { name, description, schema, .. } = tool;
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(SessionBuildError::ToolName(name.clone()));
    }
    let properties = &schema.json()["properties"];
    let reserved = ["tool", "id"].into_iter().find(|name| properties.get(name).is_some());
    if let Some(parameter) = reserved {
        return Err(SessionBuildError::ToolParameter { tool: name.clone(), parameter });
    }
    Ok(Tool::from_schema(schema, name.clone(), description.clone()).to_block())
}
