//! The definitions of the tools of a trace, and how they change.

use cot_task_format::{Block, BlockKind, Expr, Tool, Value};

use super::{
    context::SessionContext,
    text::{SharedText, blocks_of, text_of},
};
use crate::task_session::error::ToolChange;

/// The description of a tool that the session no longer has.
const GONE: &str = "No longer available: do not call it.";

/// Returns the definitions of tools in a trace: those of the session, and of the tools of earlier turns
/// that it no longer has, as such.
pub(super) fn definitions(tools: &[SharedText], context: &SessionContext) -> Vec<SharedText> {
    let own = context.tool_texts();
    let mut definitions = own.to_vec();
    if tools != own {
        let gone = blocks(tools).into_iter().filter(|tool| !is_among(context, tool));
        definitions.extend(gone.map(|tool| text_of(&as_gone(tool))));
    }
    definitions
}

/// Returns the differences between the tools of the last turn of a conversation and those of the session.
pub(crate) fn tool_changes(tools: &[SharedText], context: &SessionContext) -> Vec<ToolChange> {
    if tools == context.tool_texts() {
        return Vec::new();
    }
    changes(&blocks(tools), context)
}

/// Returns the differences between the tools of a trace and those of the session.
pub(super) fn changes(before: &[Block], context: &SessionContext) -> Vec<ToolChange> {
    let mut changes = Vec::new();
    for own in context.tool_blocks() {
        let tool = tool_name(own).to_owned();
        match before.iter().find(|block| tool_name(block) == tool) {
            None => changes.push(ToolChange::Added { tool }),
            Some(block) if block == own => {}
            Some(block) => {
                let (before, now) = (Tool::from_block(block).ok(), Tool::from_block(own).ok());
                let parameters =
                    |tool: &Option<Tool>| tool.as_ref().map(|tool| tool.parameters.clone());
                changes.push(match parameters(&before) == parameters(&now) {
                    true => ToolChange::Described { tool },
                    false => ToolChange::Parameters { tool },
                });
            }
        }
    }
    let gone = before.iter().filter(|tool| !is_among(context, tool));
    changes.extend(gone.map(|tool| ToolChange::Removed { tool: tool_name(tool).to_owned() }));
    changes
}

/// Returns the name of a tool from its definition.
pub(super) fn tool_name(tool: &Block) -> &str {
    let name = tool.content.as_object().and_then(|object| object.get("name"));
    name.and_then(Expr::as_text).unwrap_or_default()
}

fn is_among(context: &SessionContext, tool: &Block) -> bool {
    context.tools().find(tool_name(tool)).is_some()
}

fn blocks(texts: &[SharedText]) -> Vec<Block> {
    blocks_of(texts).filter(|block| block.kind == BlockKind::Tool).collect()
}

/// Replaces the description of a tool.
fn as_gone(mut tool: Block) -> Block {
    if let Value::Object(object) = &mut tool.content.value {
        object.entries.retain(|entry| entry.key != "description");
        *object = std::mem::take(object).with("description", GONE);
    }
    tool
}
