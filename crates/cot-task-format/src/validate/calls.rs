//! Rules for calls and their results.

use std::{borrow::Cow, collections::HashMap};

use cot_schema::internal::closest_name;

use super::{
    arguments::{Arguments, MAX_SUGGESTED},
    tools::Tools,
};
use crate::{
    block::{Block, BlockKind, Call},
    diagnostic::{Code, Findings, quote_excerpt},
    position::Position,
    value::Expr,
};

pub(super) fn check(blocks: &[Block], tools: &Tools, findings: &mut Findings) {
    let mut calls = CallIds::default();
    let mut arguments = Arguments::default();
    for block in blocks {
        check_shape(block, findings);
        for call in block.calls() {
            calls.add(&call, findings);
            check_tool(&call, tools, &mut arguments, findings);
        }
        if block.kind == BlockKind::ToolResult {
            calls.add_result(block, findings);
        }
    }
    let mut waiting: Vec<Position> = calls.0.into_values().flatten().collect();
    waiting.sort_unstable();
    for position in waiting {
        findings.add(Code::MissingResult, position, "the call has no result");
    }
}

/// Checks that each call is an object.
fn check_shape(block: &Block, findings: &mut Findings) {
    let object = block.content.as_object().filter(|_| block.kind == BlockKind::Act);
    let exprs = object.into_iter().flat_map(|object| object.all("call")).flat_map(Expr::each);
    for expr in exprs.filter(|expr| expr.as_object().is_none()) {
        let message = format!("a call is an object, not {}", expr.value.kind());
        findings.add(Code::BadCall, expr.position, message);
    }
}

/// Checks that the tool of a call is defined, and its arguments.
fn check_tool(call: &Call<'_>, tools: &Tools, arguments: &mut Arguments, findings: &mut Findings) {
    let Some(name) = call.tool() else {
        findings.add(Code::BadCall, call.expr.position, "the call names no tool");
        return;
    };
    match tools.parameters.get(name) {
        Some(Some(parameters)) => arguments.check(call, name, parameters, findings),
        Some(None) => {}
        None => {
            let names = tools.names.iter().map(String::as_str).take(MAX_SUGGESTED);
            let may_suggest = findings.has_room(Code::UndefinedTool);
            let likely = may_suggest.then(|| closest_name(name, names)).flatten();
            let hint = likely.map(|likely| format!("; did you mean `{likely}`?"));
            let message =
                format!("no tool {} is defined{}", quote_excerpt(name), hint.unwrap_or_default());
            findings.add(Code::UndefinedTool, call.expr.position, message);
        }
    }
}

/// The ids of calls, with the position of each call that has no result yet.
#[derive(Debug, Default)]
struct CallIds<'b>(HashMap<Cow<'b, str>, Option<Position>>);

impl<'b> CallIds<'b> {
    fn add(&mut self, call: &Call<'b>, findings: &mut Findings) {
        let position = call.expr.position;
        let Some(id) = call.id() else {
            findings.add(Code::MissingCallId, position, "the call has no id");
            return;
        };
        if let Some(Some(_)) = self.0.insert(id.clone(), Some(position)) {
            let message = format!("a call with the id {} waits for its result", quote_excerpt(&id));
            findings.add(Code::DuplicateCallId, position, message);
        }
    }

    fn add_result(&mut self, block: &Block, findings: &mut Findings) {
        let (mut is_tagged, mut is_known) = (false, false);
        for tag in block.result_tags() {
            is_tagged = true;
            if let Some(waiting) = self.0.get_mut(tag.value.as_str()) {
                *waiting = None;
                is_known = true;
            }
        }
        if !is_tagged {
            let message = "the result has no tag that says which call it answers";
            findings.add(Code::UntaggedResult, block.position, message);
        } else if !is_known {
            let message = "the result answers no call before it";
            findings.add(Code::UnmatchedResult, block.position, message);
        }
    }
}
