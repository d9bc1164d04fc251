//! Hashes of the texts of a process, which detect changes of prompts.

use std::hash::Hasher;

use fnv::FnvHasher;
use quote::ToTokens;
use syn::LitStr;

use super::about::{description, doc, title};
use crate::model::{Model, Task};
use cot_syntax::{ProcessItems, TaskItems, Template, ToolWork, ValueView};

/// Hashes the texts that all tasks share.
pub(super) fn process(model: &Model<'_>) -> u64 {
    let items = &model.syntax.items;
    let about =
        [("name", Some(model.syntax.name.to_string())), ("doc", doc(&model.syntax.attributes))];
    let mut hasher = FnvHasher::default();
    hash_words(&mut hasher, about);
    for (row, item) in ProcessItems::TABLE.items(items) {
        if let ValueView::Template(template) = item.value {
            hash_template(&mut hasher, row.key, template);
        }
    }
    for part in model.parts.iter().chain(&model.primers) {
        hash_template(&mut hasher, &part.name.to_string(), &part.template);
    }
    for tool in &model.tools {
        let only = tool.named().iter().map(|name| name.name.as_str()).collect::<Vec<_>>();
        let description = match &tool.work {
            ToolWork::Function { description, .. } => description.as_ref().map(LitStr::value),
            ToolWork::Source(_) if tool.takes_all() => Some("*".to_owned()),
            ToolWork::Source(_) => Some(only.join(",")),
        };
        hash_words(&mut hasher, [(&tool.name.to_string(), description)]);
    }
    if let Some(order) = &items.order {
        let names = order.value.0.iter().map(ToString::to_string).collect::<Vec<_>>();
        hash_words(&mut hasher, [("order", Some(names.join(",")))]);
    }
    hasher.finish()
}

/// Hashes the texts of a task.
pub(super) fn task(task: &Task<'_>) -> u64 {
    let items = &task.syntax.items;
    let mut hasher = FnvHasher::default();
    hash_words(&mut hasher, [("title", title(task)), ("description", description(task))]);
    for (row, item) in TaskItems::TABLE.items(items) {
        if let ValueView::Template(template) = item.value {
            hash_template(&mut hasher, row.key, template);
        }
    }
    if let Some(turns) = &items.turns {
        hash_words(&mut hasher, [("turns", Some(turns.value.to_token_stream().to_string()))]);
    }
    if let Some(calls) = &items.calls {
        hash_words(&mut hasher, [("calls", Some(calls.value.to_token_stream().to_string()))]);
    }
    for used in &task.tools {
        hash_words(&mut hasher, [("tool", Some(used.syntax.name.to_string()))]);
    }
    for edge in &task.transitions {
        let label = edge.syntax.label.iter();
        label.for_each(|label| hash_template(&mut hasher, &edge.syntax.target.to_string(), label));
    }
    hasher.finish()
}

/// Hashes words that prompts may show besides templates.
fn hash_words<const N: usize>(hasher: &mut FnvHasher, words: [(&str, Option<String>); N]) {
    for (name, word) in words {
        hasher.write(name.as_bytes());
        hasher.write_u8(u8::from(word.is_some()));
        hasher.write(word.unwrap_or_default().as_bytes());
        hasher.write_u8(0);
    }
}

fn hash_template(hasher: &mut FnvHasher, name: &str, template: &Template) {
    hasher.write(name.as_bytes());
    hasher.write_u8(0);
    match template {
        Template::Text(text) => hasher.write(text.source.as_bytes()),
        Template::Function(path) => hasher.write(path.to_token_stream().to_string().as_bytes()),
    }
    hasher.write_u8(0);
}
