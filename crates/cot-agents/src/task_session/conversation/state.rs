//! The state of a conversation, and its changes.

use cot_model::{ToolCall, ToolResult, ToolRound};
use cot_task_format::{Block, BlockKind, Code, Diagnostic, Expr};
use serde::{Deserialize, Serialize};

use super::{
    calls::{PendingCall, add_missing_ids, calls_in, next_round, take_results},
    context::SessionContext,
    opening::definitions,
    prompt::correction,
    reply_parser::ParsedReply,
    rules::diagnostic,
    stop::StopReason,
    text::{SharedText, blocks_of, text_of},
};

/// The state of a conversation: the trace as texts, and the position in the current turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConversationState {
    /// The system message.
    pub(super) system: Option<SharedText>,
    /// The definitions of the tools, as of the last message of the user.
    pub(crate) tools: Vec<SharedText>,
    /// The structures from the first message of the user on. Texts of earlier turns have many structures
    /// each, so that the costs of a turn don't grow with their number.
    pub(crate) blocks: Vec<SharedText>,
    /// The number of texts of many structures.
    #[serde(default)]
    pub(super) merged: usize,
    /// The number of structures.
    #[serde(default)]
    pub(crate) count: usize,
    /// The ids of all calls.
    pub(super) ids: Vec<SharedText>,
    /// The number of messages of the user.
    pub(super) users: usize,
    /// The current turn; `None` while the conversation waits for a message of the user.
    pub(super) turn: Option<Turn>,
}

/// The position in a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Turn {
    /// The number of structures before the turn.
    pub(super) start: usize,
    /// The number of ids before the turn.
    pub(super) ids: usize,
    pub(super) has_plan: bool,
    /// Accepted replies.
    pub(super) rounds: u32,
    /// Consecutive rejected replies.
    pub(super) rejected: u32,
    /// The note about the last rejected reply, for the next prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) correction: String,
    /// The calls of the last act, until the trace has the results of all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) calls: Vec<PendingCall>,
    /// Why the turn stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stop: Option<StopReason>,
}

/// The number of structures from which earlier turns are merged into one text.
const MERGED_BLOCKS: usize = 128;

impl ConversationState {
    /// Creates a conversation without messages.
    pub(crate) fn new(system: &str, context: &SessionContext) -> Self {
        let system = text_of(&Block::new(BlockKind::System, system));
        let tools = context.tool_texts().to_vec();
        Self { system: Some(system), tools, ..Self::default() }
    }

    /// Returns whether the last turn has no response yet.
    pub(crate) const fn is_unfinished(&self) -> bool {
        self.turn.is_some()
    }

    /// Returns whether calls of the current turn wait for their results.
    pub(crate) fn has_calls(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| !turn.calls.is_empty())
    }

    /// Returns whether the current turn has a plan.
    pub(crate) fn has_plan(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.has_plan)
    }

    /// Returns the number of structures before the current turn, if there is one.
    pub(crate) fn turn_start(&self) -> Option<usize> {
        self.turn.as_ref().map(|turn| turn.start)
    }

    /// Returns the numbers of the next reply in its turn and of its attempt, from 1.
    pub(crate) fn round_and_attempt(&self) -> (u32, u32) {
        self.turn.as_ref().map_or((1, 1), |turn| (turn.rounds + 1, turn.rejected + 1))
    }

    /// Returns the last texts, which have so many structures; `None` if a text contains further ones.
    pub(crate) fn last_texts(&self, count: usize) -> Option<&[SharedText]> {
        let start = self.blocks.len().checked_sub(count).filter(|start| *start >= self.merged)?;
        self.blocks.get(start..)
    }

    /// Returns the note about the last rejected reply; empty if there is none.
    pub(crate) fn correction(&self) -> &str {
        self.turn.as_ref().map_or("", |turn| &turn.correction)
    }

    /// Returns the reason why the turn stopped, if the limits of the session are the reason.
    pub(crate) fn stop(&self) -> Option<&StopReason> {
        self.turn.as_ref()?.stop.as_ref()
    }

    /// Returns the text of the last response; `None` if the last structure is another one.
    pub(crate) fn last_response(&self) -> Option<String> {
        let last = blocks_of(self.blocks.last()).last();
        let response = last.filter(|block| block.kind == BlockKind::Response)?;
        response.content.as_text().map(str::to_owned)
    }

    /// Returns the call with this number in its act, from 1.
    pub(crate) fn call(&self, number: u32) -> Option<&PendingCall> {
        let position = usize::try_from(number).ok()?.checked_sub(1)?;
        self.turn.as_ref()?.calls.get(position)
    }

    /// Returns the calls of the next round.
    pub(crate) fn next_calls(&self) -> Vec<ToolCall> {
        let rounds = self.turn.iter().flat_map(|turn| next_round(&turn.calls));
        rounds.map(PendingCall::to_tool_call).collect()
    }

    /// Returns the beginning of the trace: the system message and the definitions of the tools.
    pub(crate) fn opening(&self, context: &SessionContext) -> Vec<SharedText> {
        let definitions = definitions(&self.tools, context);
        self.system.iter().cloned().chain(definitions).collect()
    }

    /// Returns the trace as text, which is the prompt for the model.
    pub(crate) fn trace_text(&self, context: &SessionContext) -> String {
        let opening = self.opening(context);
        let texts = opening.iter().chain(&self.blocks);
        let mut all = String::with_capacity(self.trace_bytes(context));
        for text in texts {
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(text);
        }
        all
    }

    /// Returns the length of the trace in bytes.
    fn trace_bytes(&self, context: &SessionContext) -> usize {
        let opening = self.opening(context);
        let bytes = opening.iter().chain(&self.blocks).map(|text| text.len() + 1).sum::<usize>();
        bytes.saturating_sub(1)
    }

    /// Sets why the turn stops before its next reply, if a limit is reached. Pending calls are performed first.
    fn check_limits(&mut self, context: &SessionContext) {
        let (bytes, limits) = (self.trace_bytes(context), context.limits());
        let Some(turn) = &mut self.turn else { return };
        if !turn.calls.is_empty() || turn.rejected > limits.retries {
            return;
        }
        turn.stop = if bytes > limits.trace_bytes {
            Some(StopReason::TraceBytes { limit: limits.trace_bytes, bytes })
        } else if turn.rounds >= limits.rounds {
            Some(StopReason::Rounds { limit: limits.rounds })
        } else {
            None
        };
    }

    /// Starts a turn with a message of the user.
    pub(crate) fn start_turn(&mut self, text: &str, context: &SessionContext) {
        if self.tools != context.tool_texts() {
            self.tools = definitions(&self.tools, context);
        }
        self.turn = Some(Turn { start: self.blocks.len(), ids: self.ids.len(), ..Turn::default() });
        self.users += 1;
        let id = format!("usr{}", self.users);
        self.push(&Block::new(BlockKind::User, Expr::from(text).tag(id)));
        self.check_limits(context);
    }

    /// Resets the counters of replies.
    pub(crate) fn reset_limits(&mut self) {
        if let Some(turn) = &mut self.turn {
            (turn.rounds, turn.rejected) = (0, 0);
        }
    }

    /// Continues a turn that stopped, with new limits.
    pub(crate) fn continue_turn(&mut self, context: &SessionContext) {
        self.reset_limits();
        let Some(turn) = &mut self.turn else { return };
        turn.stop = None;
        turn.correction.clear();
        turn.calls.retain(PendingCall::is_open);
        self.check_limits(context);
    }

    /// Removes the last turn if it has no response.
    pub(crate) fn abandon(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        self.count -= self.blocks.len() - turn.start;
        self.blocks.truncate(turn.start);
        self.ids.truncate(turn.ids);
        self.users -= 1;
    }

    /// Adds the accepted structures of a reply, and counts the reply. Returns findings that do not reject
    /// it.
    pub(crate) fn take_reply(
        &mut self,
        reply: ParsedReply,
        context: &SessionContext,
    ) -> Vec<Diagnostic> {
        let ParsedReply { blocks, rejection, left_out } = reply;
        let mut findings = Vec::new();
        for mut block in blocks {
            add_missing_ids(&mut block, &self.ids);
            findings.extend(self.advance(&block, context));
            self.push(&block);
        }
        let Some(turn) = &mut self.turn else { return findings };
        let Some((rest, diagnostics)) = rejection else {
            turn.rounds += 1;
            turn.rejected = 0;
            let note = left_out.map(|(rest, why)| correction(&rest, &[why]));
            turn.correction = note.unwrap_or_default();
            self.check_limits(context);
            return findings;
        };
        turn.rejected += 1;
        turn.correction = correction(&rest, &diagnostics);
        if turn.rejected > context.limits().retries {
            let message = diagnostics.into_iter().next().map(|first| first.message);
            let (attempts, message) = (turn.rejected, message.unwrap_or_default());
            turn.stop = Some(StopReason::Rejected { attempts, message });
        }
        self.check_limits(context);
        findings
    }

    /// Adds the result of the call with this number in its act, from 1. The trace contains it after the
    /// results of the calls before it.
    pub(crate) fn add_result(&mut self, number: u32, result: &ToolResult) {
        let Some(turn) = &mut self.turn else { return };
        let position = usize::try_from(number).unwrap_or_default();
        let call = position.checked_sub(1).and_then(|position| turn.calls.get_mut(position));
        if let Some(call) = call {
            call.set_result(result);
        }
        let results = take_results(&mut turn.calls);
        self.extend(results);
    }

    /// Adds the results of the first calls.
    pub(crate) fn take_results(&mut self, round: &ToolRound, context: &SessionContext) {
        let Some(turn) = &mut self.turn else { return };
        for (call, (_, result)) in turn.calls.iter_mut().zip(&round.calls) {
            call.set_result(result);
        }
        let results = take_results(&mut turn.calls);
        turn.calls.drain(..round.calls.len().min(turn.calls.len()));
        self.extend(results);
        self.check_limits(context);
    }

    /// Updates the position for a valid structure. Returns findings that do not reject it.
    pub(super) fn advance(&mut self, block: &Block, context: &SessionContext) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let Some(turn) = &mut self.turn else { return findings };
        match block.kind {
            BlockKind::Plan => turn.has_plan = true,
            BlockKind::Response => self.turn = None,
            BlockKind::Act => {
                for call in calls_in(block) {
                    if self.ids.iter().any(|id| **id == *call.id) {
                        let message = format!("an earlier call has the id `{}`", call.id);
                        let position = call.position;
                        findings.push(diagnostic(Code::DuplicateTag, position, message));
                    } else {
                        self.ids.push(call.id.as_str().into());
                    }
                    turn.calls.push(PendingCall::new(call, context));
                }
            }
            _ => {}
        }
        findings
    }

    /// Appends a structure to the trace.
    pub(super) fn push(&mut self, block: &Block) {
        self.extend(vec![text_of(block)]);
    }

    fn extend(&mut self, texts: Vec<SharedText>) {
        self.count += texts.len();
        self.blocks.extend(texts);
    }

    /// Merges the texts of earlier turns, if there are many.
    pub(super) fn merge_blocks(&mut self) {
        if self.blocks.len() - self.merged >= MERGED_BLOCKS {
            let texts: Vec<&str> = self.blocks[self.merged..].iter().map(|text| &**text).collect();
            let text = texts.join("\n").into();
            self.blocks.truncate(self.merged);
            self.blocks.push(text);
            self.merged += 1;
        }
    }
}
