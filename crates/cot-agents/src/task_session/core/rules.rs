//! What the model may write next.

use cot_task_format::{
    Block, BlockKind, Code, Diagnostic, Position, Value, internal::ToolDefinitions,
};

use super::calls::{NewCall, calls_of};
use crate::tools::{Refused, Tools};

/// What holds for a structure where a turn stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'s> {
    pub(super) definitions: &'s ToolDefinitions,
    pub(super) tools: &'s Tools,
    pub(super) max_calls: usize,
    pub(super) has_plan: bool,
}

impl Rules<'_> {
    /// Why a structure can't be taken; empty, if it can.
    pub(super) fn check(&self, block: &Block) -> Vec<Diagnostic> {
        let wrong = check_author(block)
            .or_else(|| check_content(block))
            .or_else(|| self.check_plan(block))
            .or_else(|| self.check_count(block));
        match wrong {
            Some(diagnostic) => vec![diagnostic],
            None => self.check_calls(block),
        }
    }

    /// A turn begins with a plan.
    fn check_plan(&self, block: &Block) -> Option<Diagnostic> {
        let is_plan = matches!(block.kind, BlockKind::Plan | BlockKind::Todo);
        let keyword = block.kind.keyword();
        let message = format!("`{keyword}` stands before the plan: begin with `plan {{ … }}`");
        (!is_plan && !self.has_plan).then(|| found(Code::MissingPlan, block.position, message))
    }

    fn check_count(&self, block: &Block) -> Option<Diagnostic> {
        let (count, max) = (block.calls().count(), self.max_calls);
        let message = format!("the act has {count} calls, and may have {max} at once");
        (count > max).then(|| found(Code::OverLimit, block.position, message))
    }

    /// The called tools are there, and can be called with these arguments.
    fn check_calls(&self, act: &Block) -> Vec<Diagnostic> {
        let wrong = self.definitions.call_errors(act);
        if !wrong.is_empty() {
            return wrong;
        }
        let wrong = |call: NewCall| self.wrong_arguments(call);
        calls_of(act).filter_map(wrong).collect()
    }

    fn wrong_arguments(&self, call: NewCall) -> Option<Diagnostic> {
        let NewCall { tool, arguments, position, .. } = call;
        match self.tools.begin(&tool, arguments).err()? {
            Refused::Unknown => {
                let message = format!("there is no tool `{tool}`");
                Some(found(Code::UndefinedTool, position, message))
            }
            Refused::Arguments(issues) => {
                let message = format!("the arguments of `{tool}` are wrong: {issues}");
                Some(found(Code::WrongArgument, position, message))
            }
        }
    }
}

/// What others say, the model does not say for them.
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
    Some(found(Code::WrongOrder, block.position, why.to_owned()))
}

/// A response is a text, everything else an object.
fn check_content(block: &Block) -> Option<Diagnostic> {
    let is_right = match block.content.value {
        Value::Text(_) => block.kind.is_message(),
        Value::Object(_) => !block.kind.is_message(),
        _ => false,
    };
    let (keyword, is_text) = (block.kind.keyword(), block.kind.is_message());
    let needed = if is_text { "a text: `「…」`" } else { "an object: `{ … }`" };
    let message = format!("`{keyword}` takes {needed}");
    (!is_right).then(|| found(Code::WrongContent, block.position, message))
}

pub(super) fn found(code: Code, position: Position, message: String) -> Diagnostic {
    Diagnostic { code, message, position }
}
