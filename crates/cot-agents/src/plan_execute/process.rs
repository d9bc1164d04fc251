//! The process of a chain.

use std::sync::Arc;

use cot_engine::FunctionError;
use cot_macros::cot_process;
use cot_model::{FinishReason, ModelReply, ReplySchema, ToolRound};
use cot_schema::Issues;

use super::{
    context::Context, ending::Ending, node, prompt, reply::StageReply, settings::ChainSettings,
    tool,
};
use crate::core::Cx;

cot_process! {
    /// Answers a question: a plan, and then one task of it after the other.
    pub process PlanExecute {
        crate: crate::core,
        state: Context,
        context: ChainSettings,
        goal: "${state.question}",
        history: none,
        start: begin,
        system: system_message,
        primers: { errors: "Your last reply could not be used:", after_errors: "Reply again." },
        tools: {
            tools: source app.tools { only: all },
            native: source app.native { only: all },
        },
        // The settings can have a lower limit, which `check` applies.
        max_retries: 5,

        /// Prepares the context, which can be that of an earlier run.
        task begin -> u64 {
            run: max_steps,
            process_output: begin_run,
            next: choose,
        }

        /// Chooses what the last reply requests.
        task choose {
            next: {
                done if matches!(state.ending, Some(Ending::Stopped)),
                truncated if matches!(state.ending, Some(Ending::Truncated)),
                refused if matches!(state.ending, Some(Ending::Refused)),
                unreadable if state.ending.is_some(),
                plan if state.action.is_none(),
                call_tools if !state.calls.is_empty(),
                step_limit if state.is_limited,
                execute,
            },
        }

        /// Breaks the question into a list of tasks.
        task plan -> StageReply {
            model: "plan",
            full_prompt: message,
            read: { reply: read_reply, schema: schema },
            tools: [native],
            check: check,
            process_output: apply,
            on: { truncated => truncated, refused => refused },
            next: choose,
        }

        /// Does the first open task of the list.
        task execute -> StageReply {
            model: "execute",
            full_prompt: message,
            read: { reply: read_reply, schema: schema },
            tools: [native],
            check: check,
            process_output: apply,
            on: { truncated => truncated, refused => refused },
            next: choose,
        }

        /// Calls the tools that the last reply requests.
        task call_tools -> ToolRound {
            calls: &state.calls,
            tools: [tools],
            process_output: add_results,
            on: { interrupted => interrupted },
            next: choose,
        }

        /// Answers a call for which it is not known whether it took effect.
        task interrupted -> u64 {
            run: max_steps,
            process_output: interrupt,
            next: choose,
        }

        /// Halts the run, until it is resumed with a higher limit.
        task step_limit { run: check_steps, next: execute }

        /// There is an answer.
        task done { end }
        task unreadable { fail: "the last reply was unusable" }
        task truncated { fail: "the token limit cut off a reply" }
        task refused { fail: "the model refused to answer" }
    }
}

/// Returns whether the task is the stage that plans.
fn plans(cx: &Cx<'_, PlanExecute>) -> bool {
    cx.task.name == "plan"
}

/// Returns the prompt of a stage with its placeholders.
fn template<'a>(cx: &'a Cx<'_, PlanExecute>) -> &'a str {
    if plans(cx) { &cx.app().plan_prompt } else { &cx.app().execute_prompt }
}

/// Returns the system message of a stage.
fn system_message(cx: &Cx<'_, PlanExecute>) -> String {
    let ChainSettings { formats, limits, .. } = cx.app();
    let tools = match plans(cx) {
        true => [prompt::TOOLS, &formats.tools],
        false => [prompt::CALLS, &formats.calls],
    };
    let progress = cx.state.progress_within(limits.context_bytes);
    prompt::system(template(cx), &cx.state.question, &progress, tools)
}

fn message(cx: &Cx<'_, PlanExecute>) -> String {
    node::message(plans(cx), cx.state)
}

fn schema(_: &Context, cx: &Cx<'_, PlanExecute>) -> Arc<ReplySchema> {
    node::schema(plans(cx), &cx.app().formats)
}

/// Reads a reply, with the calls of tools that it contains as text or natively. An unreadable reply has issues.
fn read_reply(
    reply: &ModelReply,
    _: &Context,
    cx: &Cx<'_, PlanExecute>,
) -> Result<StageReply, Issues> {
    let tools = &cx.app().formats.names;
    if reply.finish == FinishReason::Stop && !reply.tool_calls.is_empty() {
        return Ok(StageReply::calling(reply, tools));
    }
    match StageReply::from_reply(reply, Some(tools), template(cx)) {
        Ok(read) => Ok(read),
        Err(Ending::Unreadable(issues)) => Ok(issues.into()),
        Err(_) => Err(Issues::at("$", "the reply was cut off")),
    }
}

/// Rejects an unusable reply while retries are left. The last one ends the run.
fn check(reply: &StageReply, context: &Context, cx: &Cx<'_, PlanExecute>) -> Result<(), Issues> {
    match cx.attempt() > cx.app().limits.retries {
        true => Ok(()),
        false => context.check(reply),
    }
}

fn apply(reply: &StageReply, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    let ChainSettings { tools, limits, .. } = cx.app();
    context.take(reply);
    context.split_calls(tools);
    context.count_steps(u64::from(!plans(cx)), limits.steps);
}

async fn max_steps(_: &Context, cx: &Cx<'_, PlanExecute>) -> Result<u64, FunctionError> {
    Ok(cx.app().limits.steps)
}

fn begin_run(max_steps: &u64, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    context.begin_run(*max_steps, &cx.app().tools);
}

fn interrupt(_: &u64, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    context.interrupt_calls(&cx.app().tools);
}

async fn check_steps(context: &Context, cx: &Cx<'_, PlanExecute>) -> Result<(), FunctionError> {
    match context.steps >= cx.app().limits.steps {
        true => Err(FunctionError::new("the run reached its limit of steps")),
        false => Ok(()),
    }
}

fn add_results(round: &ToolRound, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    let tools = &cx.app().tools;
    let calls = round.calls.iter().map(|(call, result)| tool::work(tools, call, result));
    context.add_calls(calls, tools);
}
