//! The request body of the Messages API.

use cot_model::{Effort, ModelRequest};
use serde_json::{Map, Value, json};

use super::content::{has_thoughts, sent_messages};
use crate::http::{
    Setting,
    client::{Outgoing, SentTool},
};

/// The least number of tokens that thoughts can be given.
const MIN_BUDGET: u32 = 1024;

/// Returns the body of a request, with a limit of tokens for settings that have none.
pub(super) fn body(outgoing: &Outgoing<'_>, max_tokens: u32) -> Value {
    let Outgoing { model, prepared, form, options, content } = outgoing;
    let settings = &prepared.request.settings;
    let has = |setting| form.settings.contains(setting);
    let max_tokens = settings.max_tokens.unwrap_or(max_tokens);
    let explained = outgoing.is_explained();
    let (system, mut messages) =
        sent_messages(prepared.request, explained, options.cache_breakpoints);
    if !content.is_empty() {
        messages.push(json!({ "role": "assistant", "content": content }));
    }
    let thinking = thinking(outgoing, max_tokens);
    let tools: Vec<Value> = prepared.tools.iter().map(sent_tool).collect();
    let temperature =
        settings.temperature.filter(|_| has(Setting::Temperature) && thinking.is_none());
    let stop = Some(&settings.stop).filter(|stop| !stop.is_empty() && has(Setting::Stop));
    let members = [
        ("system", (!system.is_empty()).then(|| system.into())),
        ("tools", (!tools.is_empty()).then(|| tools.into())),
        ("thinking", thinking),
        ("output_config", output_config(outgoing)),
        ("temperature", temperature.map(Value::from)),
        ("top_p", settings.top_p.filter(|_| has(Setting::TopP)).map(Value::from)),
        ("stop_sequences", stop.map(|stop| json!(stop))),
        ("stream", form.streams().then(|| true.into())),
    ];
    let mut body = json!({ "model": model, "max_tokens": max_tokens, "messages": messages });
    for (name, value) in members {
        if let Some(value) = value {
            body[name] = value;
        }
    }
    body
}

fn sent_tool(tool: &SentTool<'_>) -> Value {
    let mut sent = json!({ "name": tool.name, "input_schema": tool.schema });
    if !tool.description.is_empty() {
        sent["description"] = tool.description.into();
    }
    sent
}

/// Returns the format of the reply and the effort in its newer form.
fn output_config(outgoing: &Outgoing<'_>) -> Option<Value> {
    let mut config = Map::new();
    if let Some(schema) = &outgoing.prepared.schema {
        let format = json!({ "type": "json_schema", "schema": schema.json });
        config.insert("format".to_owned(), format);
    }
    if let Some(effort) = effort(outgoing).filter(|_| outgoing.form.newer_effort) {
        // The protocol has no lower level.
        let level = if effort == Effort::Minimal { Effort::Low } else { effort };
        config.insert("effort".to_owned(), level.as_str().into());
    }
    (!config.is_empty()).then_some(Value::Object(config))
}

/// Returns how the model thinks. With an effort in the older form, the thoughts get a share of the limit.
fn thinking(outgoing: &Outgoing<'_>, max_tokens: u32) -> Option<Value> {
    let effort = effort(outgoing)?;
    if outgoing.form.newer_effort {
        return Some(json!({ "type": "adaptive" }));
    }
    let share = match effort {
        Effort::Minimal => 0,
        Effort::Low => 1,
        Effort::Medium => 2,
        _ => 3,
    };
    let budget = (max_tokens / 4 * share).max(MIN_BUDGET);
    let can_think = budget < max_tokens && began_with_thoughts(outgoing.prepared.request);
    can_think.then(|| json!({ "type": "enabled", "budget_tokens": budget }))
}

// The server refuses a model's turn without thoughts if they are asked for, such as one of another engine.
fn began_with_thoughts(request: &ModelRequest) -> bool {
    request.rounds.first().is_none_or(has_thoughts)
}

fn effort(outgoing: &Outgoing<'_>) -> Option<Effort> {
    let is_sent = outgoing.form.settings.contains(Setting::Effort);
    outgoing.prepared.request.settings.effort.filter(|_| is_sent)
}
