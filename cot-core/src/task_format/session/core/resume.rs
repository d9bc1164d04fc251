//! A conversation out of a trace.

use super::{super::SessionBuildError, Core, Limits, Phase};
use crate::{
    task_format::{Block, BlockKind, Expr, Trace},
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
        let opening = core.trace.blocks.len();
        for (index, block) in trace.blocks.into_iter().enumerate() {
            if index < opening {
                core.open(index, block)?;
            } else {
                let (position, replayed) = (block.position, core.replay(&block));
                replayed.map_err(|message| SessionBuildError::Trace {
                    index,
                    position,
                    message,
                })?;
                core.push(block);
            }
        }
        core.write();
        Ok(core)
    }

    /// Takes the system message, and sees to it that the tools are those of the session.
    fn open(&mut self, index: usize, block: Block) -> Result<(), SessionBuildError> {
        let own = &mut self.trace.blocks[index];
        let position = block.position;
        let wrong = |message: &str| {
            let message = message.to_owned();
            SessionBuildError::Trace { index, position, message }
        };
        match (block.kind, own.kind) {
            (BlockKind::System, BlockKind::System) if block.content.as_text().is_some() => {
                *own = block;
                Ok(())
            }
            (_, BlockKind::System) => Err(wrong("a trace begins with the system message")),
            _ if *own == block => Ok(()),
            _ => Err(SessionBuildError::OtherTool(name_of(own))),
        }
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
