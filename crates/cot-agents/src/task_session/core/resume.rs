//! A conversation out of a trace.

use cot_task_format::{Block, BlockKind, Expr, Tool, Trace};

use super::{Core, Phase};
use crate::{
    task_session::{
        core::limits::Limits,
        error::{SessionBuildError, ToolChange},
    },
    tools::Tools,
};

impl Core {
    /// The conversation of a trace. What a session refuses of a model, it refuses of a trace.
    pub(crate) fn resume(
        trace: Trace,
        tools: Tools,
        limits: Limits,
    ) -> Result<Self, SessionBuildError> {
        let mut core = Self::begin("", tools, limits)?;
        let mut blocks = trace.blocks.into_iter().enumerate().peekable();
        let mut before = Vec::new();
        while let Some((index, block)) =
            blocks.next_if(|(index, block)| *index == 0 || block.kind == BlockKind::Tool)
        {
            core.open(index, block, &mut before)?;
        }
        core.changes = changes(&before, &core.trace.blocks);
        for (index, block) in blocks {
            let (position, replayed) = (block.position, core.replay(&block));
            replayed.map_err(|message| SessionBuildError::Trace { index, position, message })?;
            core.push(block);
        }
        core.write();
        Ok(core)
    }

    /// Takes the system message, and the definitions of tools that the session has too.
    fn open(
        &mut self,
        index: usize,
        block: Block,
        before: &mut Vec<Block>,
    ) -> Result<(), SessionBuildError> {
        let position = block.position;
        let wrong = |message: &str| {
            let message = message.to_owned();
            SessionBuildError::Trace { index, position, message }
        };
        if index > 0 {
            let name = name_of(&block);
            let is_own = self.tools.names().any(|own| own == name);
            before.push(block);
            return if is_own { Ok(()) } else { Err(wrong("the session has no such tool")) };
        }
        if block.kind != BlockKind::System || block.content.as_text().is_none() {
            return Err(wrong("a trace begins with the system message"));
        }
        if let Some(own) = self.trace.blocks.first_mut() {
            *own = block;
        }
        Ok(())
    }

    /// Moves on with a structure of a trace; why it can't stand there.
    fn replay(&mut self, block: &Block) -> Result<(), String> {
        match (block.kind, &self.phase) {
            (BlockKind::Tool, _) => return Err("the session has no such tool".to_owned()),
            (BlockKind::User, Phase::User) if block.content.as_text().is_some() => {}
            (BlockKind::User, Phase::User) => return Err("`user` takes a text: `「…」`".to_owned()),
            (BlockKind::User, _) => return Err("the turn before has no response".to_owned()),
            (BlockKind::ToolResult, _) => return self.replay_result(block),
            (kind, Phase::User) => {
                return Err(format!("`{}` stands in no turn of the user", kind.keyword()));
            }
            (BlockKind::Response, Phase::Tools(_)) => {
                return Err("the response stands before the results of calls".to_owned());
            }
            _ => {
                let wrong = self.rules(false).check(block);
                wrong.into_iter().next().map_or(Ok(()), |wrong| Err(wrong.message))?;
            }
        }
        self.move_on(block);
        Ok(())
    }

    fn replay_result(&mut self, block: &Block) -> Result<(), String> {
        let unasked = || "the result answers no open call".to_owned();
        let Phase::Tools(calls) = &mut self.phase else { return Err(unasked()) };
        if !calls.take(block) {
            return Err(unasked());
        }
        if calls.is_empty() {
            self.phase = Phase::Model;
        }
        Ok(())
    }
}

fn name_of(tool: &Block) -> String {
    let name = tool.content.as_object().and_then(|object| object.get("name"));
    name.and_then(Expr::as_text).unwrap_or_default().to_owned()
}

/// What differs between the tools of a trace and those of the session.
fn changes(before: &[Block], now: &[Block]) -> Vec<ToolChange> {
    let mut changes = Vec::new();
    for own in now.iter().filter(|block| block.kind == BlockKind::Tool) {
        let tool = name_of(own);
        match before.iter().find(|block| name_of(block) == tool) {
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
