//! Creates the state of a conversation from a trace.

use cot_task_format::{Block, BlockKind, Trace};

use super::{
    context::SessionContext,
    opening::{changes, tool_name},
    rules::TurnRules,
    state::{ConversationState, Turn},
    text::text_of,
};
use crate::task_session::error::{SessionBuildError, ToolChange};

impl ConversationState {
    /// Creates a state from a trace. The rules are those for replies of the model. Also returns how the
    /// tools of the session differ from those of the trace.
    pub(crate) fn from_trace(
        trace: Trace,
        context: &SessionContext,
    ) -> Result<(Self, Vec<ToolChange>), SessionBuildError> {
        let mut state = Self::new("", context);
        let mut blocks = trace.blocks.into_iter().enumerate().peekable();
        let mut before = Vec::new();
        while let Some((index, block)) =
            blocks.next_if(|(index, block)| *index == 0 || block.kind == BlockKind::Tool)
        {
            state.read_opening((index, block), &mut before, context)?;
        }
        for (index, block) in blocks {
            let (position, replayed) = (block.position, state.replay(&block, context));
            replayed.map_err(|message| SessionBuildError::Trace { index, position, message })?;
            state.push(&block);
        }
        Ok((state, changes(&before, context)))
    }

    /// Reads the system message and the definitions of the tools, which the session must have too.
    fn read_opening(
        &mut self,
        (index, block): (usize, Block),
        before: &mut Vec<Block>,
        context: &SessionContext,
    ) -> Result<(), SessionBuildError> {
        let position = block.position;
        let invalid = |message: &str| {
            let message = message.to_owned();
            SessionBuildError::Trace { index, position, message }
        };
        if index > 0 {
            let is_own = context.tools().find(tool_name(&block)).is_some();
            before.push(block);
            return if is_own { Ok(()) } else { Err(invalid("the session has no such tool")) };
        }
        if block.kind != BlockKind::System || block.content.as_text().is_none() {
            return Err(invalid("a trace begins with the system message"));
        }
        self.system = Some(text_of(&block));
        Ok(())
    }

    /// Updates the position for a structure of the trace, or returns why it is invalid there.
    fn replay(&mut self, block: &Block, context: &SessionContext) -> Result<(), String> {
        let Some(turn) = &mut self.turn else {
            return match block.kind {
                BlockKind::User => self.replay_user(block),
                BlockKind::Tool => Err("the session has no such tool".to_owned()),
                BlockKind::ToolResult => Err("the result belongs to no open call".to_owned()),
                kind => Err(format!("`{}` is outside of a turn", kind.keyword())),
            };
        };
        match block.kind {
            BlockKind::Tool => Err("the session has no such tool".to_owned()),
            BlockKind::User => Err("the previous turn has no response".to_owned()),
            BlockKind::ToolResult => {
                let before = turn.calls.len();
                turn.calls.retain(|call| !call.is_answered_by(block));
                match turn.calls.len() < before {
                    true => Ok(()),
                    false => Err("the result belongs to no open call".to_owned()),
                }
            }
            BlockKind::Response if !turn.calls.is_empty() => {
                Err("the response precedes the results of calls".to_owned())
            }
            _ => {
                let rules = TurnRules { context, has_plan: turn.has_plan };
                let wrong = rules.check(block);
                wrong.into_iter().next().map_or(Ok(()), |wrong| Err(wrong.message))?;
                self.advance(block, context);
                Ok(())
            }
        }
    }

    fn replay_user(&mut self, block: &Block) -> Result<(), String> {
        if block.content.as_text().is_none() {
            return Err("`user` takes a text: `「…」`".to_owned());
        }
        self.merge_blocks();
        let (start, ids) = (self.blocks.len(), self.ids.len());
        self.turn = Some(Turn { start, ids, ..Turn::default() });
        self.users += 1;
        Ok(())
    }
}
