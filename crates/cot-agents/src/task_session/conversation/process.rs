//! The process of a conversation.

use std::convert::Infallible;

use cot_engine::{Cx, GrowingText, Reply, Scope};
use cot_macros::{CotOutput, cot_process};
use cot_model::{FinishReason, ModelReply, ToolResult, ToolRound};
use cot_schema::Issues;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    context::SessionContext,
    reply_parser::{ParsedReply, ReplyParser},
    state::ConversationState,
};

/// The result of a call that was interrupted.
const INTERRUPTED: &str = "it was interrupted: it is not known whether it took effect";

/// A message of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(crate = crate::core)]
pub struct Message {
    /// The text of the message.
    pub text: String,
}

/// What to do with a turn that stopped before its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
#[cot(crate = crate::core)]
pub enum Decision {
    /// Continue the turn, with new limits.
    Continue,
    /// Remove the turn from the trace.
    Abandon,
    /// End the conversation. The trace keeps the turn.
    End,
}

/// The text of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(crate = crate::core)]
pub struct ReplyText {
    /// The text.
    pub text: String,
    /// Whether the token limit cut off the text.
    pub is_cut_off: bool,
}

cot_process! {
    /// A conversation in the TASK format: a run that asks for the messages of the user.
    pub process Conversation {
        crate: crate::core,
        state: ConversationState,
        context: SessionContext,
        history: none,
        system: primer,
        prompts: { trace: trace },
        tools: { tools: source app.tools() { only: all } },

        /// The position of a conversation that is continued from its trace.
        task begin { next: { stopped if state.is_unfinished(), user } }

        /// Chooses what the state requires.
        task choose {
            next: {
                user if !state.is_unfinished(),
                call_tools if state.has_calls(),
                stopped if state.stop().is_some(),
                model,
            },
        }

        /// The user sends a message.
        task user -> Message {
            ask: last_response,
            process_output: start_turn,
            next: choose,
        }

        /// The model continues the trace.
        task model -> ReplyText {
            full_prompt: "${part(trace)}${state.correction()}",
            read: { reply: read_reply, until: ends_turn },
            max_retries: 0,
            process_output: take_reply,
            on: {
                exhausted => stopped,
                truncated => stopped,
                refused => stopped,
                timeout => stopped,
                unreachable => stopped,
                budget => stopped,
            },
            mock: answer,
            next: choose,
        }

        /// The calls of the last act are performed.
        task call_tools -> ToolRound {
            calls: state.next_calls(),
            tools: [tools],
            max_concurrency: 100,
            // The session has a limit of its own.
            max_tool_calls: 1000000,
            process_output: take_results,
            on: { exhausted => stopped, timeout => stopped, interrupted => interrupted },
            next: choose,
        }

        /// It is not known whether a call that is made once took effect: the model learns that.
        task interrupted -> ToolRound {
            run: answer_interrupted,
            process_output: take_results,
            next: choose,
        }

        /// The turn stopped before its response.
        task stopped -> Decision {
            ask: why_stopped,
            process_output: decide -> [choose, ended],
        }

        /// The conversation is over.
        task ended { end }
    }
}

/// Returns the explanation of the format.
fn primer<'a>(cx: &'a Cx<'_, Conversation>) -> &'a str {
    cx.app().primer()
}

fn trace(cx: &Cx<'_, Conversation>) -> GrowingText {
    GrowingText::new(cx.state.trace_text(cx.app()))
}

/// Returns the question for the next message: the last response.
fn last_response(scope: &Scope<'_, Conversation>) -> String {
    scope.state.last_response().unwrap_or_else(|| "What is the first message?".to_owned())
}

fn why_stopped(scope: &Scope<'_, Conversation>) -> String {
    match scope.state.stop() {
        Some(why) => format!("The turn stopped: {why}"),
        None => "The turn stopped before its response.".to_owned(),
    }
}

/// Reads a reply. A truncated one without a complete structure is an error.
fn read_reply(
    reply: &ModelReply,
    state: &ConversationState,
    cx: &Cx<'_, Conversation>,
) -> Result<ReplyText, Issues> {
    let is_cut_off = reply.finish == FinishReason::Length;
    if is_cut_off {
        let mut parser = ReplyParser::new(cx.app(), state.has_plan());
        parser.parse_whole(&reply.text, true);
        if parser.is_without_result() {
            return Err(Issues::at("$", "nothing in the reply is complete"));
        }
    }
    Ok(ReplyText { text: reply.text.clone(), is_cut_off })
}

/// Ends a reply after its calls, its response, or a structure that is rejected.
fn ends_turn(
    state: &ConversationState,
    cx: &Cx<'_, Conversation>,
) -> impl FnMut(&str) -> bool + Send + use<> {
    let mut parser = ReplyParser::new(cx.app(), state.has_plan());
    move |piece: &str| {
        parser.push(piece);
        parser.is_over()
    }
}

impl ReplyText {
    /// Parses the structures of the reply.
    pub(crate) fn parse(&self, state: &ConversationState, context: &SessionContext) -> ParsedReply {
        let mut parser = ReplyParser::new(context, state.has_plan());
        parser.parse_whole(&self.text, self.is_cut_off);
        parser.end()
    }
}

fn start_turn(message: &Message, state: &mut ConversationState, cx: &Cx<'_, Conversation>) {
    state.start_turn(&message.text, cx.app());
}

fn take_reply(reply: &ReplyText, state: &mut ConversationState, cx: &Cx<'_, Conversation>) {
    let parsed = reply.parse(state, cx.app());
    state.take_reply(parsed, cx.app());
}

fn take_results(round: &ToolRound, state: &mut ConversationState, cx: &Cx<'_, Conversation>) {
    state.take_results(round, cx.app());
}

/// Answers the calls of a round that was interrupted.
async fn answer_interrupted(state: &ConversationState) -> Result<ToolRound, Infallible> {
    let error = |call| (call, ToolResult::error(INTERRUPTED));
    Ok(ToolRound::new("", state.next_calls().into_iter().map(error).collect()))
}

fn decide(
    decision: &Decision,
    state: &mut ConversationState,
    cx: &Cx<'_, Conversation>,
) -> ConversationStoppedChoice {
    match decision {
        Decision::Continue => state.continue_turn(cx.app()),
        Decision::Abandon => state.abandon(),
        Decision::End => return ConversationStoppedChoice::Ended,
    }
    ConversationStoppedChoice::Choose
}

/// Answers in place of a model.
fn answer(state: &ConversationState) -> Reply<ReplyText> {
    let plan = if state.has_plan() { "" } else { "plan { rationale ↦ \"A mock answers.\" }\n" };
    ReplyText { text: format!("{plan}response「Noted.」"), is_cut_off: false }.into()
}
