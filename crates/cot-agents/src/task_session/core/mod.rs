//! A conversation, and what has to happen next in it. It does nothing by itself.
//!
//! [`next`](Core::next) says what to do; [`Reading`] reads what the model says then, [`take`](Core::take) and
//! [`answer`](Core::answer) move on with it.

pub(crate) mod calls;
pub(crate) mod limits;
pub(super) mod prompt;
pub(crate) mod reading;
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
    calls::{PendingCalls, add_ids, calls_of},
    prompt::correction,
    rules::{Rules, found},
};
use crate::{
    task_session::error::{SessionBuildError, SessionError, ToolChange},
    tools::{self, Tools},
};

/// A conversation.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub(super) trace: Trace,
    /// The trace as text: what the model goes on with.
    text: String,
    definitions: ToolDefinitions,
    pub(super) tools: Tools,
    pub(super) limits: Limits,
    phase: Phase,
    /// The ids of all calls.
    ids: HashSet<String>,
    /// How many messages the user has sent.
    users: usize,
    has_plan: bool,
    /// Replies of this turn that were taken.
    rounds: u32,
    /// Replies in a row that were refused.
    refused: u32,
    /// What the model is told of the last one.
    correction: Option<String>,
    /// How the tools differ from those of the trace that the conversation comes from.
    pub(super) changes: Vec<ToolChange>,
}

/// What the conversation waits for.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// A message of the user.
    User,
    /// The model.
    Model,
    /// Results of tools.
    Tools(PendingCalls),
}

/// What has to happen next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// Ask the model with this prompt.
    Ask { prompt: String, round: u32, attempt: u32 },
    /// Run these calls, and tell what each comes to.
    Call(Vec<NewCall>),
    /// Nothing: the turn is over.
    Nothing,
}

impl Core {
    /// A conversation that begins.
    pub(super) fn begin(
        system: &str,
        tools: Tools,
        limits: Limits,
    ) -> Result<Self, SessionBuildError> {
        if let Some(tools::BadTool { tool, problem }) = tools.bad().cloned() {
            return Err(SessionBuildError::ToolDefinition { tool, problem });
        }
        let mut opening = vec![Block::new(BlockKind::System, system)];
        for tool in tools.iter() {
            opening.push(definition_of(tool)?);
        }
        let definitions = ToolDefinitions::from_blocks(&opening);
        let mut core = Self {
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
            refused: 0,
            correction: None,
            changes: Vec::new(),
        };
        opening.into_iter().for_each(|block| core.push(block));
        Ok(core)
    }

    /// Whether a message of the user comes next.
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::User
    }

    /// Begins a turn.
    pub(super) fn user(&mut self, text: String) -> Result<(), SessionError> {
        if !self.is_over() {
            return Err(SessionError::Unfinished);
        }
        let id = format!("usr{}", self.users + 1);
        let block = Block::new(BlockKind::User, Expr::from(text).tag(id));
        self.move_on(&block);
        self.push(block);
        self.begin_again();
        Ok(())
    }

    /// Forgets how often was tried.
    pub(super) fn begin_again(&mut self) {
        (self.rounds, self.refused, self.correction) = (0, 0, None);
    }

    /// Takes the turn out that has no response.
    pub(super) fn abandon(&mut self) {
        let last = self.trace.blocks.iter().rposition(|block| block.kind == BlockKind::User);
        if let Some(last) = last.filter(|_| !self.is_over()) {
            self.trace.blocks.truncate(last);
            self.users -= 1;
            self.phase = Phase::User;
            self.write();
        }
    }

    /// What has to happen next; why nothing can.
    pub(super) fn next(&self) -> Result<Next, SessionError> {
        match &self.phase {
            Phase::User => return Ok(Next::Nothing),
            Phase::Tools(calls) => return Ok(Next::Call(calls.open().cloned().collect())),
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
        Ok(Next::Ask { prompt, round: self.rounds + 1, attempt: self.refused + 1 })
    }

    /// What the model may write, `has_plan` being whether the reply so far has one.
    fn rules(&self, has_plan: bool) -> Rules<'_> {
        Rules {
            definitions: &self.definitions,
            tools: &self.tools,
            max_calls: self.limits.calls,
            has_plan: has_plan || self.has_plan,
        }
    }

    /// Takes structures of a reply that were checked; gives what is wrong with them all the same.
    pub(super) fn take(&mut self, blocks: Vec<Block>) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for mut block in blocks {
            add_ids(&mut block, &self.ids);
            findings.extend(self.move_on(&block));
            let is_response = block.kind == BlockKind::Response;
            let position = block.position;
            self.push(block);
            if is_response {
                let open = self.trace.todos().into_iter();
                let open = open.filter(|item| item.turn == self.users && !item.is_satisfied);
                findings.extend(open.map(|item| {
                    let message = format!("nothing satisfies the todo item {}", item.number);
                    found(Code::UnsatisfiedTodo, position, message)
                }));
            }
        }
        findings
    }

    /// The reply was taken to its end.
    pub(super) fn accept(&mut self) {
        self.rounds += 1;
        (self.refused, self.correction) = (0, None);
    }

    /// The reply was not taken from here on; why the model is not asked again, if it isn't.
    pub(super) fn refuse(
        &mut self,
        reply: &str,
        diagnostics: &[Diagnostic],
    ) -> Result<(), SessionError> {
        self.refused += 1;
        if self.refused > self.limits.retries {
            let (attempts, diagnostics) = (self.refused, diagnostics.to_vec());
            return Err(SessionError::Refused { attempts, diagnostics });
        }
        self.correction = Some(correction(reply, diagnostics));
        Ok(())
    }

    /// Takes what a call came to.
    pub(super) fn answer(&mut self, id: &str, result: &Result<Json, String>) {
        let Phase::Tools(calls) = &mut self.phase else { return };
        let results = calls.answer(id, result, self.limits.result_bytes);
        if calls.is_empty() {
            self.phase = Phase::Model;
        }
        results.into_iter().for_each(|block| self.push(block));
    }

    /// Moves on with a structure that can stand where it stands; gives what is wrong with it all the same.
    fn move_on(&mut self, block: &Block) -> Vec<Diagnostic> {
        match block.kind {
            BlockKind::User => {
                self.users += 1;
                (self.phase, self.has_plan) = (Phase::Model, false);
            }
            BlockKind::Plan => self.has_plan = true,
            BlockKind::Response => self.phase = Phase::User,
            BlockKind::Act => return self.call(block),
            _ => {}
        }
        Vec::new()
    }

    fn call(&mut self, act: &Block) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for call in calls_of(act) {
            if !self.ids.insert(call.id.clone()) {
                let message = format!("an earlier call has the id `{}`", call.id);
                findings.push(found(Code::DuplicateTag, call.position, message));
            }
        }
        let mut calls = match std::mem::replace(&mut self.phase, Phase::Model) {
            Phase::Tools(calls) => calls,
            _ => PendingCalls::default(),
        };
        calls.add(calls_of(act));
        if !calls.is_empty() {
            self.phase = Phase::Tools(calls);
        }
        findings
    }

    /// Adds a structure to the trace.
    fn push(&mut self, block: Block) {
        if !self.trace.blocks.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&block.to_string());
        self.trace.blocks.push(block);
    }

    /// Writes the text of the trace anew.
    fn write(&mut self) {
        self.text = self.trace.to_string();
    }
}

/// The definition of a tool, if it can be called as the format calls it.
fn definition_of(tool: &tools::Tool) -> Result<Block, SessionBuildError> {
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
