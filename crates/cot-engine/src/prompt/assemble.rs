//! Assembles the request of a task, and partial prompts.

use std::{fmt, sync::Arc};

use cot_model::{
    ModelRequest, PartName, Stability, Turn,
    internal::{RequestParts, RequestText, TextPiece},
};
use cot_schema::internal::closest_name;

use super::{
    assembly::{Assembly, Frame},
    primers,
};
use crate::{
    process::{
        host::{ProcessHost, TemplateId},
        tables::TaskKind,
    },
    prompt::input::PromptInput,
};
use cot_template::{PartialPrompt, PromptWriter, did_you_mean, is_same_field};

/// The pieces of the default system message.
const SYSTEM_PIECES: &[TextPiece] = &[TextPiece {
    end: primers::SYSTEM.len(),
    part: PartName::System,
    stability: Stability::Fixed,
    is_media: false,
}];

/// The expected length of the first prompt of a task.
const USUAL_PROMPT: usize = 1024;
/// The next prompt of a task is usually longer than the last one, by a tenth of it or by a few lines.
const SLACK: (usize, usize) = (10, 128);

/// Assembles the request of an AI task.
///
/// # Errors
///
/// The reason for which a template failed, in words.
pub(crate) fn assemble(
    input: &PromptInput<'_>,
    host: &dyn ProcessHost,
) -> Result<ModelRequest, String> {
    let PromptInput { definition, task, .. } = *input;
    let Some(ai) = definition.task(task).kind.ai() else {
        return Err(no_prompt_error(input));
    };
    let assembly = Assembly::new(input, host, None);
    let expected = match input.shape.last_size {
        0 => USUAL_PROMPT,
        size => size,
    };
    let capacity = expected + expected / SLACK.0 + SLACK.1;
    let mut writer = PromptWriter::new(PartName::Prompt, capacity);
    let is_full_prompt = assembly.prompt(&mut writer).map_err(|_| writer.take_failure())?;
    let prompt = writer.into_request_text();
    let system = system(&assembly)?;

    Ok(ModelRequest::from_parts(RequestParts {
        tools: input.tools.to_vec(),
        rounds: input.rounds.to_vec(),
        schema: match ai.format.reader() {
            None => assembly.format.as_ref().map(|format| Arc::clone(&format.schema)),
            Some(_) => host.reply_schema(task, &input.view),
        },
        settings: host.schemas().settings(definition, task),
        turns: turns(input, host),
        system,
        prompt,
        // The instructions for reasoning must stay, unlike the explanation of a schema. The words of a full
        // prompt may refer to the explanation.
        keeps_format: ai.format.is_text() || is_full_prompt,
        has_own_format: ai.format.reader().is_some(),
    }))
}

/// Assembles the prompt of a task without the omitted fragments.
///
/// # Errors
///
/// If a fragment does not exist or a template fails, in words.
pub(crate) fn assemble_partial(
    input: &PromptInput<'_>,
    host: &dyn ProcessHost,
    partial: &PartialPrompt,
) -> Result<String, String> {
    check_parts(partial, host)?;
    check_state(partial, host)?;
    let partial = Arc::new(partial.clone());
    let assembly = Assembly::new(input, host, Some(&partial));
    let mut writer = assembly.new_writer();
    let written = match &input.definition.task(input.task).kind {
        kind if kind.ai().is_some() => assembly.prompt(&mut writer).map(drop),
        TaskKind::Human => assembly.part(PartName::Prompt, &mut writer),
        _ => return Err(no_prompt_error(input)),
    };
    written.map_err(|_| writer.take_failure())?;
    Ok(writer.finish())
}

/// Assembles the question of a human task.
///
/// # Errors
///
/// The reason for which a template failed, in words.
pub(crate) fn question_text(
    input: &PromptInput<'_>,
    host: &dyn ProcessHost,
) -> Result<String, String> {
    let assembly = Assembly::new(input, host, None);
    let mut writer = PromptWriter::default();
    assembly.part(PartName::Prompt, &mut writer).map_err(|_| writer.take_failure())?;
    Ok(writer.finish())
}

/// Returns the messages before the prompt: the examples, then the turns.
fn turns(input: &PromptInput<'_>, host: &dyn ProcessHost) -> Vec<Turn> {
    let examples = host.examples(input.task).map_or(&[][..], |examples| &examples.turns);
    let mut turns = examples.to_vec();
    turns.extend(host.turns(input.task, &input.view));
    turns
}

/// Writes the system message, or an empty text if there is none.
fn system(assembly: &Assembly<'_>) -> Result<RequestText, String> {
    if assembly.input.definition.texts.system.is_none() {
        return Ok(RequestText::from_static(primers::SYSTEM, SYSTEM_PIECES));
    }
    let mut writer = PromptWriter::new(PartName::System, 0);
    match Frame::root(assembly, PartName::System).write_template(TemplateId::System, &mut writer) {
        Ok(false) => Ok(RequestText::from_static(primers::SYSTEM, SYSTEM_PIECES)),
        Ok(true) => {
            let text = writer.into_request_text();
            Ok(if text.text.trim().is_empty() { RequestText::default() } else { text })
        }
        Err(fmt::Error) => Err(writer.take_failure()),
    }
}

fn no_prompt_error(input: &PromptInput<'_>) -> String {
    format!("task `{}` asks no model", input.view.task.name)
}

/// Checks that the omitted parts exist.
fn check_parts(partial: &PartialPrompt, host: &dyn ProcessHost) -> Result<(), String> {
    let Some(unknown) = partial.omitted_parts().find(|name| host.part_index(name).is_none()) else {
        return Ok(());
    };
    let suggestion = did_you_mean(closest_name(unknown, host.part_names().iter().copied()));
    Err(format!("there is no part `{unknown}` in `prompts`{suggestion}"))
}

/// Checks that the named fields of the state exist.
fn check_state(partial: &PartialPrompt, host: &dyn ProcessHost) -> Result<(), String> {
    let mut names = partial.state_names().peekable();
    if names.peek().is_none() {
        return Ok(());
    }
    let fields = host.state_fields();
    let is_known = |name: &str| fields.iter().any(|field| is_same_field(field, name));
    let Some(unknown) = names.find(|name| !is_known(name)) else {
        return Ok(());
    };
    let field = unknown.split(['.', '[', '?']).next().unwrap_or_default();
    let help = if field != unknown && is_known(field) {
        format!(": name the field `{field}`")
    } else {
        did_you_mean(closest_name(unknown, fields.iter().map(String::as_str)))
    };
    Err(format!("the state has no field `{unknown}`{help}"))
}
