//! The process of a chain.

use std::sync::Arc;

use cot_engine::FunctionError;
use cot_macros::cot_process;
use cot_model::{ModelReply, ReplySchema, ToolRound};
use cot_schema::Issues;

use super::{
    context::{Context, Ending},
    output::StageReply,
    prompt,
    settings::ChainSettings,
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
        tools: { tools: source app.tools { only: all } },

        /// Prepares the context, which can be that of an earlier run.
        task begin -> bool {
            run: hides_tools,
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
                call_tools if state.requests_call(),
                step_limit if state.is_limited,
                execute,
            },
        }

        /// Breaks the question into a list of tasks.
        task plan -> StageReply {
            model: "plan",
            full_prompt: plan_message,
            read: { reply: read_reply, schema: plan_schema },
            tools: [tools if !state.hides_tools],
            max_retries: 0,
            process_output: apply_plan,
            on: { truncated => truncated, refused => refused },
            next: choose,
        }

        /// Does the first open task of the list.
        task execute -> StageReply {
            model: "execute",
            full_prompt: execute_message,
            read: { reply: read_reply, schema: execute_schema },
            tools: [tools if !state.hides_tools],
            max_retries: 0,
            process_output: apply_step,
            on: { truncated => truncated, refused => refused },
            next: choose,
        }

        /// Calls the tools that the last reply requests.
        task call_tools -> ToolRound {
            calls: state.next_calls(),
            tools: [tools],
            process_output: add_results,
            on: { interrupted => interrupted },
            next: choose,
        }

        /// Answers a call for which it is not known whether it took effect.
        task interrupted -> bool {
            run: hides_tools,
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

/// Returns the system message of a stage.
fn system_message(cx: &Cx<'_, PlanExecute>) -> String {
    let settings = cx.app();
    let (introduction, tools) = match cx.task.name {
        "plan" => (prompt::TOOLS, &settings.formats.tools),
        _ => (prompt::CALLS, &settings.formats.calls),
    };
    let progress = cx.state.progress_within(settings.max_context_bytes);
    prompt::system(template(cx), &cx.state.question, &progress, introduction, tools)
}

/// Returns the prompt of a stage with its placeholders.
fn template<'a>(cx: &'a Cx<'_, PlanExecute>) -> &'a str {
    match cx.task.name {
        "plan" => &cx.app().plan_prompt,
        _ => &cx.app().execute_prompt,
    }
}

fn plan_message(cx: &Cx<'_, PlanExecute>) -> String {
    prompt::message(&cx.state.question, cx.state.issues.as_ref())
}

fn execute_message(cx: &Cx<'_, PlanExecute>) -> String {
    prompt::message(&prompt::next_step(cx.state), cx.state.issues.as_ref())
}

fn plan_schema(_: &Context, cx: &Cx<'_, PlanExecute>) -> Arc<ReplySchema> {
    Arc::clone(&cx.app().formats.plan)
}

fn execute_schema(_: &Context, cx: &Cx<'_, PlanExecute>) -> Arc<ReplySchema> {
    Arc::clone(&cx.app().formats.execute)
}

fn read_reply(
    reply: &ModelReply,
    _: &Context,
    cx: &Cx<'_, PlanExecute>,
) -> Result<StageReply, Issues> {
    StageReply::read(reply, &cx.app().formats.names, template(cx))
}

/// Returns whether the tools are only described in prompts.
async fn hides_tools(_: &Context, cx: &Cx<'_, PlanExecute>) -> Result<bool, FunctionError> {
    Ok(!tool::can_be_native(cx.app().tools()))
}

fn begin_run(hides_tools: &bool, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    context.begin_run(*hides_tools, cx.app());
}

fn interrupt(_: &bool, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    context.interrupt_calls(cx.app().tools());
}

async fn check_steps(context: &Context, cx: &Cx<'_, PlanExecute>) -> Result<(), FunctionError> {
    match context.steps >= cx.app().max_steps {
        true => Err(FunctionError::new("the run reached its limit of steps")),
        false => Ok(()),
    }
}

fn apply_plan(reply: &StageReply, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    if apply(reply, context, cx.app()) {
        context.count_steps(0, cx.app().max_steps);
    }
}

fn apply_step(reply: &StageReply, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    if apply(reply, context, cx.app()) {
        context.count_steps(1, cx.app().max_steps);
    }
}

/// Applies a reply, or rejects it. Returns whether it was usable.
fn apply(reply: &StageReply, context: &mut Context, settings: &ChainSettings) -> bool {
    let applied = match &reply.issues {
        Some(issues) => Err(issues.clone()),
        None => context.apply(reply.to_reply()),
    };
    match applied {
        Ok(()) => context.request_calls(&reply.further_calls, settings.tools()),
        Err(ref issues) => context.reject(issues.clone(), settings.max_retries),
    }
    applied.is_ok()
}

fn add_results(round: &ToolRound, context: &mut Context, cx: &Cx<'_, PlanExecute>) {
    let tools = cx.app().tools();
    let calls = round.calls.iter().map(|(call, result)| tool::work(tools, call, result));
    context.add_calls(calls, tools);
}
