//! Writes the calls that models make of tools.

use cot_task_format::{Block, BlockKind, Expr, Object};
use serde_json::Value as Json;

use super::{
    outline::CALLED_TOOL,
    trace_writer::{TraceWriter, json_expr},
    visit::{TaskAt, ToolState, UnwrittenCall, Visit},
};
use crate::json_or_text;

impl TraceWriter {
    /// Records that a tool is called.
    pub(super) fn begin_call(&mut self, at: TaskAt<'_>, number: u32, call: UnwrittenCall) {
        let is_known = self.outline.has_tool(&call.tool);
        let visit = self.visit(at);
        if visit.tools.contains_key(&number) {
            return;
        }
        let id = visit.tool_call_id(number);
        if is_known {
            visit.tools.insert(number, ToolState::Written);
            self.push_block(call_block(&call, &id));
        } else {
            visit.tools.insert(number, ToolState::Unwritten(call));
        }
    }

    /// Records the result of a call of a tool. A failed call of a tool that is not known is shown as a thought.
    pub(super) fn end_call(
        &mut self,
        at: TaskAt<'_>,
        (number, tool): (u32, &str),
        result: Result<&str, &str>,
    ) {
        let approval = self.answers.take_approval((at, self.visit_number(at)), number);
        let visit = self.visit(at);
        let id = visit.tool_call_id(number);
        let call = match visit.tools.insert(number, ToolState::Answered) {
            Some(ToolState::Answered) => return,
            Some(ToolState::Written) => {
                approval.iter().for_each(|approval| self.approve(at, approval));
                return self.push_block(result_block(&id, result));
            }
            Some(ToolState::Unwritten(call)) => UnwrittenCall { approval, ..call },
            None => UnwrittenCall { tool: tool.to_owned(), approval, ..UnwrittenCall::default() },
        };
        if result.is_ok() {
            self.outline.add_tool(call.tool.clone(), CALLED_TOOL.to_owned());
        }
        if self.outline.has_tool(&call.tool) {
            self.push_block(call_block(&call, &id));
            self.push_block(result_block(&id, result));
        } else {
            self.push_block(call.thought(match result {
                Ok(text) | Err(text) => text,
            }));
        }
    }
}

impl TraceWriter {
    /// Records a person's answer to the question whether to make a call.
    pub(super) fn approve(&mut self, at: TaskAt<'_>, approval: &Json) {
        let approval = Object::default().with("approval", json_expr(approval));
        self.note(at, Expr::from(approval));
    }
}

impl Visit {
    /// Returns the blocks that answer the open calls of the visit.
    pub(super) fn unanswered(&self, why: &str) -> Vec<Block> {
        let blocks = self.tools.iter().filter_map(|(number, state)| match state {
            ToolState::Written => Some(result_block(&self.tool_call_id(*number), Err(why))),
            ToolState::Unwritten(call) => Some(call.thought(why)),
            ToolState::Answered => None,
        });
        blocks.collect()
    }
}

impl UnwrittenCall {
    fn thought(&self, why: &str) -> Block {
        let Self { tool, arguments, approval } = self;
        let mut act = Object::default().with("think", format!("called `{tool}`: {why}"));
        if !arguments.is_empty() {
            let arguments = Object::default().with("arguments", parsed(arguments));
            act = act.with("think", Expr::from(arguments));
        }
        if let Some(approval) = approval {
            let approval = Object::default().with("approval", json_expr(approval));
            act = act.with("think", Expr::from(approval));
        }
        Block::new(BlockKind::Act, act)
    }
}

fn call_block(call: &UnwrittenCall, id: &str) -> Block {
    let UnwrittenCall { tool, arguments, approval } = call;
    let mut call =
        Object::default().with("tool", tool.as_str()).with("arguments", parsed(arguments));
    if let Some(approval) = approval {
        call = call.with("approval", json_expr(approval));
    }
    let call = call.with("id", id);
    Block::new(BlockKind::Act, Object::default().with("call", Expr::from(call)))
}

fn result_block(id: &str, result: Result<&str, &str>) -> Block {
    let answer = match result {
        Ok(result) => Object::default().with("data", parsed(result)),
        Err(error) => Object::default().with("error", error),
    };
    Block::new(BlockKind::ToolResult, Expr::from(answer).tag(id))
}

/// Converts a text that is usually JSON.
fn parsed(text: &str) -> Expr {
    json_expr(&json_or_text(text))
}
