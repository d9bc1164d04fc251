//! Tools and rounds as text.

use std::fmt::Write;

use cot_schema::internal::notation;
use serde_json::json;

use crate::{
    message::Turn,
    tool::tool::{Tool, ToolRound},
};

/// Returns the text that describes tools in a prompt.
pub(crate) fn prompt_text(tools: &[Tool]) -> String {
    let mut text = "\n\n## Tools\n\nYou can call tools before you reply. To call one, answer with nothing but a \
        JSON object of this form:\n{\"tool\": \"<name>\", \"arguments\": {…}}\nYou then receive the result, and can \
        call a tool again or give your reply. The tools, each with the type of its arguments:\n"
        .to_owned();
    for tool in tools {
        // Writing to a `String` can't fail.
        let _ = write!(
            text,
            "\n- `{}`: {}\n  {}",
            tool.name(),
            tool.description.trim(),
            notation(&tool.schema.json).replace('\n', "\n  ")
        );
    }
    text
}

/// Returns the turns that show a round in the JSON form of calls: what the model said, and the results.
pub(crate) fn round_turns(round: &ToolRound) -> Vec<Turn> {
    let calls: Vec<String> = round.calls.iter().map(|(call, _)| call.to_json()).collect();
    let calls = match &calls[..] {
        [] => String::new(),
        [call] => call.clone(),
        calls => format!("[{}]", calls.join(", ")),
    };
    let texts = [round.text.trim(), &calls].into_iter().filter(|text| !text.is_empty());
    let said = texts.collect::<Vec<_>>().join("\n\n");
    let results = round.calls.iter().enumerate().map(|(at, (call, result))| {
        let number =
            if round.calls.len() > 1 { format!(" (call {})", at + 1) } else { String::new() };
        let what = if result.is_error { "The error" } else { "The result" };
        format!("{what} of `{}`{number}:\n{}", call.name, result.text)
    });
    let results = results.collect::<Vec<_>>().join("\n\n");
    [Turn::assistant(said), Turn::user(results)]
        .into_iter()
        .filter(|turn| !turn.text.is_empty())
        .collect()
}

/// Returns tools as segments show them: a line of JSON for each.
pub(crate) fn listed_tools(tools: &[Tool]) -> String {
    let line = |tool: &Tool| {
        let (name, description) = (tool.name(), &tool.description);
        let parameters = &tool.schema.json;
        json!({ "name": name, "description": description, "parameters": parameters }).to_string()
    };
    tools.iter().map(|tool| line(tool) + "\n").collect()
}

/// Returns a round as segments show it: the text, and each call with its result.
pub(crate) fn listed_round(round: &ToolRound) -> String {
    let mut text = String::new();
    if !round.text.is_empty() {
        let _ = writeln!(text, "{}", round.text);
    }
    for (call, result) in &round.calls {
        let _ = writeln!(text, "{call}\n= {result}");
    }
    text
}
