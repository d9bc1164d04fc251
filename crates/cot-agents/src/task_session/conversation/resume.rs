//! Creates a conversation from a trace.

use cot_task_format::{Block, BlockKind, Expr, Tool, Trace};

use super::{Conversation, Phase};
use crate::{
    task_session::{
        conversation::limits::Limits,
        error::{SessionBuildError, ToolChange},
    },
    tools::ToolSet,
};

impl Conversation {
    /// Creates a conversation from a trace. The rules are those for replies of the model.
    pub(crate) fn resume(
        trace: Trace,
        tools: ToolSet,
        limits: Limits,
    ) -> Result<Self, SessionBuildError> {
        let mut conversation = Self::new("", tools, limits)?;
        let mut blocks = trace.blocks.into_iter().enumerate().peekable();
        let mut before = Vec::new();
        while let Some((index, block)) =
            blocks.next_if(|(index, block)| *index == 0 || block.kind == BlockKind::Tool)
        {
            conversation.read_opening(index, block, &mut before)?;
        }
        conversation.changes = changes(&before, &conversation.trace.blocks);
        for (index, block) in blocks {
            let (position, replayed) = (block.position, conversation.replay(&block));
            replayed.map_err(|message| SessionBuildError::Trace { index, position, message })?;
            conversation.push(block);
        }
        conversation.render_text();
        Ok(conversation)
    }

    /// Reads the system message and the definitions of the tools, which the session must have too.
    fn read_opening(
        &mut self,
        index: usize,
        block: Block,
        before: &mut Vec<Block>,
    ) -> Result<(), SessionBuildError> {
        let position = block.position;
        let invalid = |message: &str| {
            let message = message.to_owned();
            SessionBuildError::Trace { index, position, message }
        };
        if index > 0 {
            let name = tool_name(&block);
            let is_own = self.tools.names().any(|own| own == name);
            before.push(block);
            return if is_own { Ok(()) } else { Err(invalid("the session has no such tool")) };
        }
        if block.kind != BlockKind::System || block.content.as_text().is_none() {
            return Err(invalid("a trace begins with the system message"));
        }
        if let Some(own) = self.trace.blocks.first_mut() {
            *own = block;
        }
        Ok(())
    }

    /// Updates the state for a structure of the trace, or returns why it is invalid at its position.
    fn replay(&mut self, block: &Block) -> Result<(), String> {
        match (block.kind, &self.phase) {
            (BlockKind::Tool, _) => return Err("the session has no such tool".to_owned()),
            (BlockKind::User, Phase::User) if block.content.as_text().is_some() => {}
            (BlockKind::User, Phase::User) => return Err("`user` takes a text: `「…」`".to_owned()),
            (BlockKind::User, _) => return Err("the previous turn has no response".to_owned()),
            (BlockKind::ToolResult, _) => return self.replay_result(block),
            (kind, Phase::User) => {
                return Err(format!("`{}` is outside of a turn", kind.keyword()));
            }
            (BlockKind::Response, Phase::Tools(_)) => {
                return Err("the response precedes the results of calls".to_owned());
            }
            _ => {
                let wrong = self.rules(false).check(block);
                wrong.into_iter().next().map_or(Ok(()), |wrong| Err(wrong.message))?;
            }
        }
        self.advance(block);
        Ok(())
    }

    fn replay_result(&mut self, block: &Block) -> Result<(), String> {
        let unexpected_result = || "the result belongs to no open call".to_owned();
        let Phase::Tools(calls) = &mut self.phase else { return Err(unexpected_result()) };
        if !calls.remove_answered(block) {
            return Err(unexpected_result());
        }
        if calls.is_empty() {
            self.phase = Phase::Model;
        }
        Ok(())
    }
}

fn tool_name(tool: &Block) -> String {
    let name = tool.content.as_object().and_then(|object| object.get("name"));
    name.and_then(Expr::as_text).unwrap_or_default().to_owned()
}

/// Returns the differences between the tools of a trace and those of the session.
fn changes(before: &[Block], now: &[Block]) -> Vec<ToolChange> {
    let mut changes = Vec::new();
    for own in now.iter().filter(|block| block.kind == BlockKind::Tool) {
        let tool = tool_name(own);
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
    changes
}
