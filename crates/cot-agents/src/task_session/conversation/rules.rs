//! The rules for the structures that the model writes.

use std::collections::HashSet;

use cot_task_format::{
    Block, BlockKind, Code, Diagnostic, Entry, Expr, Position, Value,
    internal::{confidence_errors, data},
};

use super::{
    calls::{NewCall, calls_in},
    context::SessionContext,
};
use crate::tools::MAX_ARGUMENT_BYTES;

/// The limit up to which a key is quoted.
const MAX_KEY_BYTES: usize = 40;

/// The rules for the next structure at the current position of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnRules<'s> {
    pub(super) context: &'s SessionContext,
    pub(super) has_plan: bool,
}

impl TurnRules<'_> {
    /// Returns the violated rules of a structure; empty if it is valid.
    pub(super) fn check(&self, block: &Block) -> Vec<Diagnostic> {
        let wrong = check_author(block)
            .or_else(|| check_content(block))
            .or_else(|| self.check_plan(block))
            .or_else(|| check_call_places(block))
            .or_else(|| check_argument_keys(block))
            .or_else(|| self.check_count(block));
        match wrong {
            Some(diagnostic) => vec![diagnostic],
            None => self.check_values(block),
        }
    }

    /// Confidences lie between 0 and 1, and calls are valid.
    fn check_values(&self, block: &Block) -> Vec<Diagnostic> {
        let wrong = confidence_errors(block);
        if wrong.is_empty() { self.check_calls(block) } else { wrong }
    }

    /// A turn begins with a plan.
    fn check_plan(&self, block: &Block) -> Option<Diagnostic> {
        let is_plan = matches!(block.kind, BlockKind::Plan | BlockKind::Todo);
        let keyword = block.kind.keyword();
        let message = format!("`{keyword}` stands before the plan: begin with `plan {{ … }}`");
        (!is_plan && !self.has_plan).then(|| diagnostic(Code::MissingPlan, block.position, message))
    }

    fn check_count(&self, block: &Block) -> Option<Diagnostic> {
        let (count, max) = (block.calls().count(), self.context.limits().calls);
        let message = format!("the act has {count} calls, and may have {max} at once");
        (count > max).then(|| diagnostic(Code::OverLimit, block.position, message))
    }

    /// The called tools exist and accept the arguments.
    fn check_calls(&self, act: &Block) -> Vec<Diagnostic> {
        let wrong = self.context.definitions().call_errors(act);
        if !wrong.is_empty() {
            return wrong;
        }
        let wrong = |call: NewCall| self.check_arguments(call);
        calls_in(act).filter_map(wrong).collect()
    }

    fn check_arguments(&self, call: NewCall) -> Option<Diagnostic> {
        let NewCall { tool, arguments, position, .. } = call;
        let bytes = arguments.to_string().len();
        if bytes > MAX_ARGUMENT_BYTES {
            let message = format!(
                "the arguments of `{tool}` have {bytes} bytes as JSON, and may have {MAX_ARGUMENT_BYTES}"
            );
            return Some(diagnostic(Code::OverLimit, position, message));
        }
        let Some(known) = self.context.tools().find(&tool) else {
            let message = format!("there is no tool `{tool}`");
            return Some(diagnostic(Code::UndefinedTool, position, message));
        };
        let issues = known.start(arguments, "").err()?;
        let message = format!("the arguments of `{tool}` are wrong: {issues}");
        Some(diagnostic(Code::WrongArgument, position, message))
    }
}

/// The model writes only its own structures.
fn check_author(block: &Block) -> Option<Diagnostic> {
    let why = match block.kind {
        BlockKind::Plan | BlockKind::Todo | BlockKind::Act | BlockKind::Response => return None,
        BlockKind::ToolResult => {
            "`result` is not yours to write: results are put in after your calls"
        }
        BlockKind::User => "`user` is not yours to write: end your turn with a response",
        BlockKind::System | BlockKind::Tool => {
            "the system message and the tools stand in the trace already: go on from its end"
        }
    };
    Some(diagnostic(Code::WrongOrder, block.position, why.to_owned()))
}

/// A response is a text; all other structures are objects.
fn check_content(block: &Block) -> Option<Diagnostic> {
    let is_right = match block.content.value {
        Value::Text(_) => block.kind.is_message(),
        Value::Object(_) => !block.kind.is_message(),
        _ => false,
    };
    let (keyword, is_text) = (block.kind.keyword(), block.kind.is_message());
    let needed = if is_text { "a text: `「…」`" } else { "an object: `{ … }`" };
    let message = format!("`{keyword}` takes {needed}");
    (!is_right).then(|| diagnostic(Code::WrongContent, block.position, message))
}

/// Calls are in `call` of an act. Elsewhere they would not be performed.
fn check_call_places(block: &Block) -> Option<Diagnostic> {
    let is_act = block.kind == BlockKind::Act;
    let is_misplaced = |entry: &&Entry| match (is_act, entry.key.as_str()) {
        (true, "call" | "think") => false,
        (true, "tool") => true,
        (true, _) => has_object(&entry.expr),
        (false, key) => key == "call",
    };
    let entry = block.content.as_object()?.entries.iter().find(is_misplaced)?;
    let (keyword, key) = (block.kind.keyword(), data::truncate(&entry.key, MAX_KEY_BYTES));
    let message =
        format!("`{keyword}` has no `{key}`: a call is `act {{ call ↦ {{ tool ↦ … }} }}`");
    Some(diagnostic(Code::BadCall, entry.position, message))
}

fn has_object(expr: &Expr) -> bool {
    match &expr.value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(|item| item.as_object().is_some()),
        _ => false,
    }
}

/// A call gives each key once: the tool receives one value for it.
fn check_argument_keys(block: &Block) -> Option<Diagnostic> {
    let entry = block.calls().find_map(|call| repeated_key(call.expr))?;
    let key = data::truncate(&entry.key, MAX_KEY_BYTES);
    Some(diagnostic(Code::BadCall, entry.position, format!("the call gives `{key}` twice")))
}

fn repeated_key(expr: &Expr) -> Option<&Entry> {
    match &expr.value {
        Value::Array(items) => items.iter().find_map(repeated_key),
        Value::Object(object) => {
            let mut seen = HashSet::new();
            let repeated = object.entries.iter().find(|entry| !seen.insert(&entry.key));
            repeated.or_else(|| object.entries.iter().find_map(|entry| repeated_key(&entry.expr)))
        }
        _ => None,
    }
}

pub(super) fn diagnostic(code: Code, position: Position, message: String) -> Diagnostic {
    Diagnostic { code, message, position }
}
